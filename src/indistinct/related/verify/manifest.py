"""What the manifest of related tables claims, beside what their files have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.patterns import Label, SeenRow, share_below, table_of
from indistinct.tables.frames import Frame
from indistinct.tables.verification import FORMAT, mapping_in

SAME_RUN = "Take the files and the manifest of one run."
MOST_PATTERNS = 300_000  # of all units, up to which shares are counted once more
CLOSE = 1e-9

Units = Sequence[tuple[Hashable, Sequence[SeenRow], Mapping[int, Label]]]


def claim_faults(  # noqa: PLR0913, PLR0917 - what was counted
    promised: RelatedPolicy,
    manifest: Mapping[str, Any],
    tables: Mapping[str, Frame],
    units: Units,
    entries: Sequence[Mapping[str, Any]],
    n_classes: int,
) -> tuple[list[Fault], tuple[str, ...]]:
    """Compare every claim that the files determine.

    Returns
    -------
    false claims, and the names of those that were not counted
    """
    if manifest.get("format") != FORMAT:
        problem = f"is not {FORMAT}: another version of indistinct wrote this manifest"
        return [Fault("manifest.format", problem, "Verify with that version.")], ()
    related = mapping_in(manifest, "related")
    said = mapping_in(related, "tables")
    found: dict[str, object] = {
        "people.released": tables[promised.people].height,
        "classes": n_classes,
        "rows_alone": rows_alone(promised, units),
        **{f"tables.{name}.rows": tables[name].height for name in promised.row_tables},
    }
    claims: dict[str, object] = {
        "people.released": mapping_in(related, "people").get("released"),
        "classes": related.get("classes"),
        "rows_alone": related.get("rows_alone"),
        **{f"tables.{n}.rows": mapping_in(said, n).get("rows") for n in promised.row_tables},
    }
    not_counted: list[str] = []
    known = promised.model.known_rows
    for m in () if known is None else (known + 1, known + 2):
        place = f"beyond.{m}"
        claim = mapping_in(related, "beyond").get(str(m))
        if claim is None or not are_few(units, m):
            not_counted.append(f"related.{place}")
            continue
        claims[place] = claim
        found[place] = share_below(units, promised.model.k, m)
    faults = [
        Fault(
            f"manifest.related.{place}", f"says {claims[place]}, but counting gives {one}", SAME_RUN
        )
        for place, one in found.items()
        if not _is_same(claims[place], one)
    ]
    faults += _rounding_faults(said)
    faults += _model_faults(manifest, entries)
    return faults, tuple(not_counted)


def are_few(units: Units, m: int) -> bool:
    """Return whether the patterns of so many rows are soon counted."""
    return (
        sum(math.comb(len(rows), size) for _, rows, _ in units for size in range(m + 1))
        <= MOST_PATTERNS
    )


def _is_same(said: object, found: object) -> bool:
    """Compare figures up to the digits that are written."""
    if isinstance(said, int | float) and isinstance(found, int | float):
        return math.isclose(said, found, rel_tol=CLOSE, abs_tol=CLOSE)
    return said == found


def rows_alone(promised: RelatedPolicy, units: Units) -> float:
    """Return the share of the units that their class and their numbers of rows single out."""
    own: list[Hashable] = []
    for kind, rows, _ in units:
        numbers = Counter(table_of(row.label) for row in rows)
        own.append((kind, tuple(numbers[name] for name in promised.row_tables)))
    kinds = Counter(own)
    return sum(kinds[one] == 1 for one in own) / max(len(own), 1)


def _rounding_faults(said: Mapping[str, Any]) -> Iterator[Fault]:
    """Find figures of the input that are more exact than a release may publish."""
    for name in said:
        entry = mapping_in(said, name)
        exact: list[tuple[str, object, int]] = [
            (word, entry.get(word), 1) for word in ("input_rows", "deleted")
        ]
        exact += [(f"loss.{n}", loss, 2) for n, loss in mapping_in(entry, "loss").items()]
        for word, figure, digits in exact:
            if not isinstance(figure, int | float) or float(f"{figure:.{digits - 1}e}") != figure:
                problem = "is more exact than a release may say, or is not a number"
                yield Fault(f"manifest.related.tables.{name}.{word}", problem, SAME_RUN)


def _model_faults(
    manifest: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> Iterator[Fault]:
    """Compare what the manifest says of the promises."""
    expected = [{**one, "holds": True} for one in entries]
    if manifest.get("models") != expected:
        yield Fault("manifest.models", "is not what the files reach", SAME_RUN)
    if manifest.get("verified") is not True:
        yield Fault("manifest.verified", "says that nobody verified the release", SAME_RUN)
