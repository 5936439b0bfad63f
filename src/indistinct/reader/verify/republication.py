"""One of many releases of a table as a reader of its files sees it: groups, and who is in none.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import polars as pl

from indistinct.core.protocols import PlainClass, PlainColumn
from indistinct.engines import files
from indistinct.engines.tallies import without
from indistinct.errors import DataError, Fault
from indistinct.policy.linked_form import GROUP
from indistinct.policy.policy import Policy
from indistinct.reader.verify.columns import (
    cell_faults,
    cell_notes,
    column_faults,
    input_order_faults,
)
from indistinct.reader.verify.evidence import Evidence, Reading, evidence_of
from indistinct.reader.verify.judging import judge
from indistinct.reader.verify.missing_words import missing_word_faults
from indistinct.reader.verify.order import order_faults, whole
from indistinct.reader.verify.original import OTHER_INPUT, stranger_faults
from indistinct.reader.verify.past_releases import history_faults
from indistinct.reader.verify.read_alike import counted_as_read
from indistinct.reader.verify.texts_as_read import lost_differences, text_as_read, texts_as_read
from indistinct.reader.verify.verification import Verification

MADE = "counterfeits"
CLOSE = 1e-9
DISMISS = "Do not publish this file."
SAME_RUN = "Take the files and the manifest of one run."


@dataclass(frozen=True, slots=True)
class Seen:
    """What the files show: cells as text, the group of each row, and its made-up records.

    Parameters
    ----------
    evidence : the release without the column of groups
    groups : (n_rows,), group of each row
    values : per group, how often each sensitive value stands in it
    made : per group that has some, records without a person
    """

    evidence: Evidence
    groups: list[str]
    values: Mapping[str, Mapping[str, int]]
    made: Mapping[str, int]


def counterfeits_in(place: Any) -> pl.DataFrame:
    """Read the list of counterfeits.

    Raises
    ------
    DataError
        when it is missing or no such list
    """
    if place is None or (isinstance(place, str | Path) and not Path(place).is_file()):
        raise DataError(
            "the list of counterfeits is not beside the release",
            "Put RELEASE.counterfeits.csv back: a release of m-invariance takes it.",
        )
    frame = files.read(place, typed=False, may_be_empty=True).frame
    if {GROUP, MADE} != set(frame.columns):
        raise DataError("this is not a list of counterfeits", "Take the one of the release's run.")
    return texts_as_read(frame)


def republication_verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on one release of a table that is released again and again."""
    policy = reading.policy
    if GROUP not in reading.frame.columns:
        problem = Fault(f"columns.{GROUP}", "is missing", "Is this the release of this policy?")
        return refused([*faults, problem])
    bare = replace(reading, frame=without(reading.frame, [GROUP]))
    wrong_columns = list(column_faults(bare.frame.columns, policy))
    if wrong_columns:
        return refused([*faults, *wrong_columns])
    (model,) = policy.models
    (column,) = model.columns
    seen, unreadable = _seen(reading, bare, column)
    classes = plain_classes(seen.values, column)
    entry, found, notes = judge(model, classes, seen.evidence)
    faults = [*faults, *found, *unreadable]
    faults += _cell_faults(seen, policy)
    faults += _counterfeit_faults(seen)
    faults += lost_differences(reading.frame)
    faults += missing_word_faults(reading.frame, policy)
    faults += order_faults(whole(reading.frame), policy)
    faults += input_order_faults(replace(seen.evidence, rows=None))
    faults += _owner_faults(seen, policy, column)
    if reading.history is not None and reading.original is not None:
        faults += history_faults(reading, seen.evidence, seen.groups, seen.values, seen.made)
    if reading.manifest is not None:
        faults += _claim_faults(reading.manifest, seen, classes, entry)
    return Verification(
        holds=not faults and entry["holds"],
        faults=tuple(faults),
        models=(entry,),
        records=reading.frame.height - sum(seen.made.values()),
        classes=len(classes),
        notes=(*notes, *cell_notes(seen.evidence), *history_notes(reading)),
    )


def refused(faults: Sequence[Fault]) -> Verification:
    """Give the verdict on files that are not those of the policy."""
    return Verification(holds=False, faults=tuple(faults), models=(), records=0, classes=0)


def history_notes(reading: Reading) -> Iterator[str]:
    """Say what the files of one release cannot tell."""
    if reading.history is None or reading.original is None:
        yield (
            "m-invariance: whether each person keeps the sensitive values of earlier releases "
            "takes the history and the input (history, original)"
        )


def _seen(reading: Reading, bare: Reading, column: str) -> tuple[Seen, list[Fault]]:
    """Put the files into words."""
    evidence = evidence_of(bare)
    groups = text_as_read(reading.frame[GROUP]).to_list()
    values: dict[str, Counter[str]] = defaultdict(Counter)
    missing = reading.policy.data.texts_of_missing
    for group, value in zip(groups, evidence.release[column].to_list(), strict=True):
        values[group]["" if value in missing else value] += 1
    made, faults = made_in(reading.counterfeits)
    return Seen(evidence, groups, values, made), faults


def made_in(listed: pl.DataFrame | None) -> tuple[dict[str, int], list[Fault]]:
    """Read how many counterfeits each group has that has some."""
    made: dict[str, int] = {}
    wrong = 0
    table = pl.DataFrame() if listed is None else listed
    for group, count in texts_as_read(table)[[GROUP, MADE]].iter_rows() if table.width else ():
        if not count.isdigit() or int(count) == 0 or group in made:
            wrong += 1
        else:
            made[group] = int(count)
    return made, [Fault(MADE, f"{wrong} rows say no count, or one twice", DISMISS)] if wrong else []


def plain_classes(values: Mapping[str, Mapping[str, int]], column: str) -> list[PlainClass]:
    """Give each group as models measure it: values that read alike are one."""
    values = {group: counted_as_read(counts) for group, counts in values.items()}
    total: Counter[str] = Counter()
    for counts in values.values():
        total.update(counts)
    table = {column: PlainColumn(total, sorted(total))}
    sizes = [sum(counts.values()) for counts in values.values()]
    return [
        PlainClass(size, {column: counts}, table, sizes)
        for size, counts in zip(sizes, values.values(), strict=True)
    ]


def _cell_faults(seen: Seen, policy: Policy) -> Iterator[Fault]:
    """Find cells that the policy does not allow, that cover nobody, or differ within a group."""
    release = seen.evidence.release
    for name in policy.class_names:
        pairs = set(zip(seen.groups, release[name].to_list(), strict=True))
        differing = len(pairs) - len(set(seen.groups))
        if differing:
            yield Fault(f"columns.{name}", f"differs within {differing} groups", DISMISS)
    rows = seen.evidence.rows
    if rows is None:
        yield from cell_faults(seen.evidence)
        # A counterfeit stands among people, in the cells that cover them.
        yield from stranger_faults(seen.evidence)
        return
    real = [place for place, row in enumerate(rows) if row >= 0]
    yield from cell_faults(
        replace(
            seen.evidence,
            release=release[real],
            typed=seen.evidence.typed[real],
            rows=[rows[place] for place in real],
        )
    )


def _counterfeit_faults(seen: Seen) -> Iterator[Fault]:
    """Find counterfeits of no group, groups of nothing else, and counts that people contradict."""
    sizes = Counter(seen.groups)
    strange = sum(group not in sizes for group in seen.made)
    if strange:
        yield Fault(MADE, f"{strange} groups are not in the release", SAME_RUN)
    empty = sum(count >= sizes[group] for group, count in seen.made.items() if group in sizes)
    if empty:
        yield Fault(MADE, f"{empty} groups have no person", DISMISS)
    if seen.evidence.rows is None:
        return
    found = Counter(
        group for group, row in zip(seen.groups, seen.evidence.rows, strict=True) if row < 0
    )
    if found != Counter(seen.made):
        yield Fault(MADE, "are not those of the crosswalk", SAME_RUN)


def _owner_faults(seen: Seen, policy: Policy, column: str) -> Iterator[Fault]:
    """Compare people's rows with their records, where the crosswalk and the input are at hand."""
    rows, original = seen.evidence.rows, seen.evidence.original
    if rows is None:
        return
    real = [(place, row) for place, row in enumerate(rows) if row >= 0]
    if original is None:
        return
    places, origins = [place for place, _ in real], [row for _, row in real]
    kept = [n for n in seen.evidence.release.columns if n not in policy.class_names]
    missing = dict.fromkeys(policy.data.missing, "")
    for name in kept:
        before = seen.evidence.before(name)
        if before is None:
            continue
        shown = seen.evidence.release[name][places].replace(missing)
        own = text_as_read(before)[origins].replace(missing)
        wrong = int((_plainly(shown) != _plainly(own)).sum())
        if wrong:
            problem = f"{wrong} cells are not their record's own"
            yield Fault(f"columns.{name}", problem, OTHER_INPUT)
    del column


def _plainly(texts: pl.Series) -> pl.Series:
    """Write whole numbers in one way, with or without a fraction of zero."""
    return texts.str.replace(r"^(-?\d+)\.0$", "$1")


def _claim_faults(
    manifest: Mapping[str, Any],
    seen: Seen,
    classes: Sequence[PlainClass],
    entry: Mapping[str, Any],
) -> Iterator[Fault]:
    """Compare what the manifest says with what the files have."""
    n_rows, n_made = len(seen.groups), sum(seen.made.values())
    sizes = [one.size for one in classes]
    nothing: Mapping[str, Any] = {}
    said = cast("Mapping[str, Any]", manifest.get("counterfeits") or nothing)
    models = cast("Sequence[Mapping[str, Any]]", manifest["models"])
    model = models[0] if models else nothing
    found: list[tuple[str, object, object]] = [
        ("output.rows", manifest["output"]["rows"], n_rows),
        ("records.released", manifest["records"]["released"], n_rows - n_made),
        ("counterfeits.records", said.get("records"), n_made),
        ("counterfeits.groups", said.get("groups"), len(seen.made)),
        ("classes.count", manifest["classes"]["count"], len(sizes)),
        ("classes.smallest", manifest["classes"]["smallest"], min(sizes, default=None)),
        ("classes.largest", manifest["classes"]["largest"], max(sizes, default=None)),
        ("classes.mean", manifest["classes"]["mean"], n_rows / max(len(sizes), 1)),
        ("risk.prosecutor", manifest["risk"]["prosecutor"], 1 / min(sizes, default=1)),
        ("risk.marketer", manifest["risk"]["marketer"], len(sizes) / max(n_rows, 1)),
        ("counterfeits.share", said.get("share"), round(n_made / max(n_rows - n_made, 1), 6)),
        ("models", len(manifest["models"]), 1),
        ("models.m-invariance.required", model.get("required"), entry["required"]),
        ("models.m-invariance.achieved", model.get("achieved"), entry["achieved"]),
        ("models.m-invariance.holds", model.get("holds"), True),
    ]
    for place, claim, counted in found:
        if not _is_same(claim, counted):
            yield Fault(f"manifest.{place}", f"says {claim}, but the file has {counted}", SAME_RUN)


def _is_same(claim: object, counted: object) -> bool:
    """Compare two numbers up to the digits that are written; anything else exactly."""
    if isinstance(claim, float) and isinstance(counted, float):
        return math.isclose(claim, counted, rel_tol=CLOSE)
    return claim == counted
