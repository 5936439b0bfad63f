"""What the manifest of related tables claims, beside what their files have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, cast

from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.patterns import Label, SeenRow, share_below, steps_of, table_of
from indistinct.tables.frames import Frame
from indistinct.tables.policy import Specification
from indistinct.tables.verification import (
    FIELDS,
    column_word_faults,
    format_fault,
    mapping_in,
    part_faults,
    withheld_of,
    word_faults,
)

SAME_RUN = "Take the files and the manifest of one run."
MOST_PATTERNS = 300_000  # of all units, up to which shares are counted once more
CLOSE = 1e-9

Units = Sequence[tuple[Hashable, Sequence[SeenRow], Mapping[int, Label]]]


def claim_faults(  # noqa: PLR0913, PLR0917 - what was counted
    spec: RelatedPolicy,
    manifest: Mapping[str, Any],
    tables: Mapping[str, Frame],
    units: Units,
    entries: Sequence[Mapping[str, Any]],
    vanished: int | None,
) -> tuple[list[Fault], tuple[str, ...]]:
    """Compare every claim that the files and the input, if it is at hand, determine.

    Parameters
    ----------
    vanished : people of the input who are not released; None without the input

    Returns
    -------
    false claims, and the names of those that were not counted
    """
    wrong = list(_shape_faults(spec, manifest))
    if wrong:
        return wrong, ()
    related = mapping_in(manifest, "related")
    said = mapping_in(related, "tables")
    found: dict[str, object] = {
        "people.released": tables[spec.people].height,
        "classes": len({kind for kind, _, _ in units}),
        "rows_alone": rows_alone(spec, units),
        **{f"tables.{name}.rows": tables[name].height for name in spec.row_tables},
    }
    claims: dict[str, object] = {
        "people.released": mapping_in(related, "people").get("released"),
        "classes": related.get("classes"),
        "rows_alone": related.get("rows_alone"),
        **{f"tables.{n}.rows": mapping_in(said, n).get("rows") for n in spec.row_tables},
    }
    not_counted: list[str] = []
    if vanished is None:
        not_counted.append("related.people.vanished")
    else:
        found["people.vanished"] = vanished
        claims["people.vanished"] = mapping_in(related, "people").get("vanished")
    known = spec.model.known_rows
    for m in () if known is None else (known + 1, known + 2):
        place = f"beyond.{m}"
        claim = mapping_in(related, "beyond").get(str(m))
        if claim is None or steps_of(units, m)[0] > MOST_PATTERNS:
            not_counted.append(f"related.{place}")
            continue
        claims[place] = claim
        found[place] = share_below(units, spec.model.k, m)
    faults = [
        Fault(
            f"manifest.related.{place}", f"says {claims[place]}, but counting gives {one}", SAME_RUN
        )
        for place, one in found.items()
        if not _is_same(claims[place], one)
    ]
    faults += _model_faults(manifest, entries)
    return faults, tuple(not_counted)


def policy_faults(
    spec: RelatedPolicy, flat: Mapping[str, Specification], manifest: Mapping[str, Any]
) -> Iterator[Fault]:
    """Find the words of the manifest's policy that are others than those of the policy.

    Parameters
    ----------
    flat : the policy of each table
    """
    said, words = dict(mapping_in(manifest, "policy")), spec.words()
    expected = {part: words[part] for part in ("related", "models", "data", "method")
                if part in words}  # fmt: skip
    expected["related"] = {word: one for word, one in words["related"].items() if word != "key"}
    tables, expected_tables = dict(mapping_in(said, "tables")), dict[str, Any]()
    withheld: list[str] = []
    for name, table in words["tables"].items():
        expected_tables[name] = {
            word: one for word, one in table.items() if word not in {"columns", "data"}
        }
        own = dict(mapping_in(tables, name))
        columns = own.pop("columns", {})
        tables[name] = own
        place = f"manifest.policy.tables.{name}.columns"
        yield from column_word_faults(place, flat[name], columns, [*table.get("columns", ())])
        withheld += [one.replace(".", f".{name}.", 1) for one in withheld_of(flat[name])]
    if withheld:
        expected["withheld"] = withheld
    said.pop("tables", None)
    yield from word_faults("manifest.policy", said, expected)
    yield from word_faults("manifest.policy.tables", tables, expected_tables)


def shape_faults_of(spec: RelatedPolicy, manifest: Mapping[str, Any]) -> list[Fault]:
    """Find parts that are missing, that no manifest of related tables has, or of another type."""
    return list(_shape_faults(spec, manifest))


def _shape_faults(spec: RelatedPolicy, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find parts that are missing, that no manifest of related tables has, or of another type."""
    if (wrong := format_fault(manifest)) is not None:
        yield wrong
        return
    known = spec.model.known_rows
    further = () if known is None else (str(known + 1), str(known + 2))
    related = {
        "people": {"released": "a count", "vanished": "a count"},
        "tables": {name: {"rows": "a count"} for name in spec.row_tables},
        "classes": "a count",
        "rows_alone": "a number",
        "beyond": dict.fromkeys(further, "a number or null"),
    }
    kept = {name: FIELDS[name] for name in ("indistinct", "format", "models", "verified")}
    stated = cast("dict[str, Any]", FIELDS["statements?"])
    shape = {
        **kept,
        "warnings": FIELDS["warnings?"],
        "policy": "an object",
        "related": related,
        "statements?": {**stated, **_stated_shape(stated)},
    }
    yield from part_faults("manifest", manifest, shape)


def _stated_shape(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of the statements that those of related tables have otherwise."""
    counts = {"input": "a count", "released": "a count", "left_out": "a count"}
    risk = stated["risk"]
    known = {**risk["known?"], "events": {"smallest": "a count", "m?": "a count"}}
    further = {**risk["further?"], "beyond": {"*": "a number"}}
    return {
        "size": {"people": counts, "tables": {"*": {"released": "a count"}}},
        "risk": {**risk, "known?": known, "further?": further},
    }


def _is_same(said: object, found: object) -> bool:
    """Compare figures up to the digits that are written."""
    if isinstance(said, int | float) and isinstance(found, int | float):
        return math.isclose(said, found, rel_tol=CLOSE, abs_tol=CLOSE)
    return said == found


def rows_alone(spec: RelatedPolicy, units: Units) -> float:
    """Return the share of the units that their class and their numbers of rows single out."""
    own: list[Hashable] = []
    for kind, rows, _ in units:
        numbers = Counter(table_of(row.label) for row in rows)
        own.append((kind, tuple(numbers[name] for name in spec.row_tables)))
    kinds = Counter(own)
    return sum(kinds[one] == 1 for one in own) / max(len(own), 1)


def _model_faults(
    manifest: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> Iterator[Fault]:
    """Compare what the manifest says of the promises."""
    said = manifest.get("models")
    listed = cast("Sequence[object]", said) if isinstance(said, list | tuple) else ()
    # What is undecided, the manifest alone says.
    expected = [
        {**one, "holds": True, "achieved": mapping_in(claim, "achieved")}
        if one["holds"] is None
        else {**one, "holds": True}
        for one, claim in zip(entries, [*listed, *entries], strict=False)
    ]
    if said != expected:
        yield Fault("manifest.models", "is not what the files reach", SAME_RUN)
    if manifest.get("verified") is not True:
        yield Fault("manifest.verified", "says that nobody verified the release", SAME_RUN)
