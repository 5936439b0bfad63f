"""One of many releases of a table as two linked tables: people, and the values of their groups.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import polars as pl

from indistinct.errors import Fault
from indistinct.policy.linked_form import GROUP
from indistinct.reader.verify import linked
from indistinct.reader.verify.columns import input_order_faults
from indistinct.reader.verify.evidence import Evidence, Reading, input_of, n_input, n_suppressed
from indistinct.reader.verify.judging import judge
from indistinct.reader.verify.manifest_check import Recounted, claim_faults
from indistinct.reader.verify.order import order_faults, whole
from indistinct.reader.verify.original import linked_input_faults
from indistinct.reader.verify.past_releases import history_faults
from indistinct.reader.verify.read_alike import all_as_read, counted_as_read
from indistinct.reader.verify.republication import (
    DISMISS,
    MADE,
    SAME_RUN,
    history_notes,
    made_in,
    plain_classes,
    refused,
)
from indistinct.reader.verify.texts_as_read import lost_differences, texts_as_read
from indistinct.reader.verify.verification import Verification


@dataclass(frozen=True, slots=True)
class Linked:
    """What the files show.

    Parameters
    ----------
    evidence : the first table, with its groups
    listed : the second table as texts, in its own order
    groups : (n_rows,), group of each row of the first
    values : per group, how often each sensitive value is listed
    made : per group that has some, values without a person
    """

    evidence: Evidence
    listed: pl.DataFrame
    groups: list[str]
    values: Mapping[str, Mapping[str, int]]
    made: Mapping[str, int]


def linked_republication_verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on two linked tables that are released again and again."""
    policy, records = reading.policy, texts_as_read(reading.frame)
    listed = pl.DataFrame() if reading.sensitive is None else texts_as_read(reading.sensitive)
    wrong_columns = list(linked.column_faults(records, listed, policy))
    if wrong_columns:
        return refused([*faults, *wrong_columns])
    (model,) = policy.models
    (name,) = model.columns
    counts, unreadable = linked.counts_of(listed, name, policy.data.missing)
    made, wrong = made_in(reading.counterfeits)
    hidden = n_suppressed(reading, records.height)
    evidence = Evidence(
        records, reading.frame, policy, input_of(reading), reading.rows, hidden, n_input(reading)
    )
    seen = Linked(evidence, listed, records[GROUP].to_list(), counts, made)
    classes = plain_classes(counts, name)
    entry, found, _ = judge(model, classes, evidence)
    faults = [*faults, *found, *wrong]
    if unreadable:
        problem = f"{unreadable} rows say no count, or one that was said before"
        faults.append(Fault("sensitive", problem, "Do not publish these files."))
    faults += _group_faults(seen)
    if reading.sensitive is not None:
        faults += order_faults(whole(reading.sensitive), policy, "sensitive")
    for table in (reading.frame, reading.sensitive):
        faults += () if table is None else lost_differences(table)
    faults += order_faults(whole(reading.frame), policy)
    faults += input_order_faults(evidence)
    faults += linked_input_faults(evidence, {})
    faults += _own_faults(reading, seen, name)
    if reading.history is not None and reading.original is not None:
        faults += history_faults(reading, evidence, seen.groups, seen.values, seen.made)
    if reading.manifest is not None:
        counted = Recounted(records, records.height, classes, [entry])
        faults += claim_faults(reading.manifest, counted, policy, {})
        faults += _claim_faults(reading.manifest, seen)
    return Verification(
        holds=not faults and entry["holds"],
        faults=tuple(faults),
        models=(entry,),
        records=records.height,
        classes=len(classes),
        notes=tuple(history_notes(reading)),
    )


def _group_faults(seen: Linked) -> Iterator[Fault]:
    """Find groups of one table only, groups without a person, and counts that do not add up."""
    sizes = Counter(seen.groups)
    alone = len(sizes.keys() ^ seen.values.keys())
    if alone:
        yield Fault(GROUP, f"{alone} groups are in one of the two tables only", DISMISS)
    strange = len(seen.made.keys() - sizes.keys())
    if strange:
        yield Fault(MADE, f"{strange} groups are not in the release", SAME_RUN)
    wrong = sum(
        sum(counts.values()) != sizes[group] + seen.made.get(group, 0)
        for group, counts in seen.values.items()
        if group in sizes
    )
    if wrong:
        problem = f"{wrong} groups list other values than those of their people and counterfeits"
        yield Fault(MADE, problem, DISMISS)


def _own_faults(reading: Reading, seen: Linked, name: str) -> Iterator[Fault]:
    """Compare every row with its own record, where the crosswalk and the input are at hand."""
    rows, original = reading.rows, seen.evidence.original
    if rows is None or original is None:
        return
    policy = reading.policy
    before = texts_as_read(original)[list(rows)]
    yield from linked.own_cell_faults(seen.evidence.release, before, policy)
    if name not in before.columns:
        return
    own = all_as_read(before[name].to_list(), policy.data.missing)
    people = Counter(zip(seen.groups, own, strict=True))
    listed: Counter[tuple[str, str]] = Counter()
    for group, counts in seen.values.items():
        read = counted_as_read(counts, policy.data.missing)
        listed.update({(group, value): count for value, count in read.items()})
    wrong = sum((people - listed).values())
    if wrong:
        problem = f"{wrong} values of people are not listed for their group, or once for two"
        yield Fault(f"sensitive.{name}", problem, DISMISS)


def _claim_faults(manifest: Mapping[str, Any], seen: Linked) -> Iterator[Fault]:
    """Compare what the manifest says of counterfeits and of the second table with the files."""
    nothing: Mapping[str, Any] = {}
    said = cast("Mapping[str, Any]", manifest.get("counterfeits") or nothing)
    linked_said = cast("Mapping[str, Any]", manifest.get("sensitive") or nothing)
    n_made, n_people = sum(seen.made.values()), len(seen.groups)
    found: list[tuple[str, object, object]] = [
        ("counterfeits.records", said.get("records"), n_made),
        ("counterfeits.groups", said.get("groups"), len(seen.made)),
        ("counterfeits.share", said.get("share"), round(n_made / max(n_people, 1), 6)),
        ("sensitive.rows", linked_said.get("rows"), seen.listed.height),
    ]
    for place, claim, counted in found:
        if claim != counted:
            yield Fault(
                f"manifest.{place}", f"says {claim}, but the files have {counted}", SAME_RUN
            )
