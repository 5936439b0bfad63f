"""Two linked tables as a reader of the files sees them: what is wrong with them.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import polars as pl

from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass, PlainColumn
from indistinct.tables.core.schema import COUNT, GROUP, Role
from indistinct.tables.verification.claims import as_readers_count, claims
from indistinct.tables.verification.evidence import VerificationInput, evidence_of
from indistinct.tables.verification.judging import FormFindings, judge
from indistinct.tables.verification.mask_checks import mask_faults
from indistinct.tables.verification.mask_tests import random_mask_faults
from indistinct.tables.verification.original import linked_input_faults
from indistinct.tables.verification.texts import (
    counted_as_read,
    is_number,
    texts_as_read,
    value_key,
)

DISMISS = "Do not publish these files."

ValueCountsOfGroups = Mapping[str, Mapping[str, int]]
GroupKey = TypeVar("GroupKey", bound=Hashable)


def linked_column_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find columns that should not or should be in either table."""
    spec = reading.spec
    (name,) = spec.named(Role.SENSITIVE)
    kept = {*spec.columns} - {name, *spec.left_out}
    listed = () if reading.sensitive is None else reading.sensitive.columns
    yield from _differing(reading.frame.columns, kept | {GROUP}, "columns")
    yield from _differing(listed, {GROUP, name, COUNT}, "sensitive.columns")


def _differing(found: Iterable[str], expected: set[str], place: str) -> Iterator[Fault]:
    """Compare names of columns."""
    for name in sorted(set(found) - expected):
        yield Fault(f"{place}.{name}", "is there and should not be", DISMISS)
    for name in sorted(expected - set(found)):
        yield Fault(f"{place}.{name}", "is missing", "Are these the tables of this policy?")


def linked_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of two linked tables of one release."""
    spec, evidence = reading.spec, evidence_of(reading)
    records = evidence.release
    counts, faults = listed_values(reading)
    sizes = Counter(records[GROUP].to_list())
    (name,) = spec.named(Role.SENSITIVE)
    groups = classes_of_groups(counts, name, sizes)
    judged = [judge(model, groups, evidence) for model in spec.models]
    faults += lone_group_faults(sizes, counts)
    faults += _count_faults(sizes, counts)
    if evidence.original is not None and evidence.rows is not None:
        before = texts_as_read(evidence.original)[list(evidence.rows)]
        faults += _own_value_faults(
            records, counts, before, spec.named(Role.SENSITIVE)[0], spec.data.missing
        )
        faults += own_cell_faults(records, before, spec.data.texts_of_missing)
        if reading.original is not None and not reading.original_is_masked:
            faults += random_mask_faults(evidence, reading.original, reading.manifest)
    faults += mask_faults(records, spec, reading.manifest)
    total = Counter[str]()
    for values in counts.values():
        total.update(values)
    faults += linked_input_faults(evidence, total)
    readers = as_readers_count(reading, evidence, judged)
    false_claims, not_checked = claims(reading, evidence, groups, readers)
    return FormFindings(
        evidence,
        judged,
        [*faults, *false_claims],
        records.height,
        len(groups),
        not_checked=not_checked,
        models=spec.models,
        sized=groups,
        readers=readers,
    )


def listed_values(reading: VerificationInput) -> tuple[ValueCountsOfGroups, list[Fault]]:
    """Read how often each value stands in each group of the second table, and what says nothing."""
    listed = pl.DataFrame() if reading.sensitive is None else texts_as_read(reading.sensitive)
    (name,) = reading.spec.named(Role.SENSITIVE)
    counts, unreadable = counts_of(listed, name, reading.spec.data.missing)
    problem = f"{unreadable} rows say no count, or one that was said before"
    return counts, [Fault("sensitive", problem, DISMISS)] if unreadable else []


def counts_of(
    sensitive: pl.DataFrame, name: str, missing: Sequence[str]
) -> tuple[ValueCountsOfGroups, int]:
    """Read the counts of each group and value, and how many rows do not say one.

    Parameters
    ----------
    sensitive : texts
    name : the sensitive column
    missing : how a missing value is written
    """
    rows = sensitive[[GROUP, name, COUNT]].iter_rows()
    found, wrong = read_counts(
        ((group, "" if value in missing else value), count) for group, value, count in rows
    )
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for (group, value), count in found.items():
        counts[group][value] = count
    return counts, wrong


def read_counts(rows: Iterable[tuple[GroupKey, str]]) -> tuple[dict[GroupKey, int], int]:
    """Read a count per key, and how many rows say none, or that of a key once more."""
    found: dict[GroupKey, int] = {}
    wrong = 0
    for key, count in rows:
        if not count.isdigit() or int(count) == 0 or key in found:
            wrong += 1
        else:
            found[key] = int(count)
    return found, wrong


def lone_group_faults(sizes: Mapping[str, int], counts: ValueCountsOfGroups) -> Iterator[Fault]:
    """Find groups that are in one table only."""
    alone = len(sizes.keys() ^ counts.keys())
    if alone:
        yield Fault(GROUP, f"{alone} groups are in one of the two tables only", DISMISS)


def _count_faults(sizes: Mapping[str, int], counts: ValueCountsOfGroups) -> Iterator[Fault]:
    """Find groups whose counts do not add up to their records."""
    unequal = sum(
        size != sum(counts[group].values()) for group, size in sizes.items() if group in counts
    )
    if unequal:
        yield Fault(COUNT, f"does not add up to the records in {unequal} groups", DISMISS)


def classes_of_groups(
    counts: ValueCountsOfGroups, name: str, sizes: Mapping[str, int] | None = None
) -> list[PlainClass]:
    """Return each group as models measure it: values that read alike are one.

    Parameters
    ----------
    counts : of each sensitive value in each group
    name : the sensitive column
    sizes : records of each group; the sum of its counts where left out
    """
    held = {group: counted_as_read(values) for group, values in counts.items()}
    total = Counter[str]()
    for values in held.values():
        total.update(values)
    table = {name: PlainColumn(total, sorted(total))}
    if sizes is None:
        sizes = {group: sum(values.values()) for group, values in held.items()}
    every = list(sizes.values())
    return [
        PlainClass(size, {name: held[group]}, table, every)
        for group, size in sizes.items()
        if group in held
    ]


def _own_value_faults(
    records: pl.DataFrame,
    counts: ValueCountsOfGroups,
    before: pl.DataFrame,
    sensitive: str,
    missing: Sequence[str],
) -> Iterator[Fault]:
    """Find groups whose counts are not those of their own records' values.

    Parameters
    ----------
    records : the first table, as texts
    before : the record of the input behind each row of it, as texts
    """
    own = pl.DataFrame({GROUP: records[GROUP], sensitive: before[sensitive]})
    listed = own.group_by(pl.all()).len(COUNT).with_columns(pl.col(COUNT).cast(pl.String))
    said = _by_number(counts_of(listed, sensitive, missing)[0])
    given = _by_number(counts)
    wrong = sum(said[group] != given.get(group) for group in said)
    if wrong:
        yield Fault(COUNT, f"is not that of the group's own records in {wrong} groups", DISMISS)


def own_cell_faults(
    records: pl.DataFrame, before: pl.DataFrame, missing: Container[str]
) -> Iterator[Fault]:
    """Find cells that are not those of the record behind them.

    Parameters
    ----------
    records : the first table, as texts
    before : the record of the input behind each row of it, as texts
    """
    for column in records.columns:
        if column == GROUP or column not in before.columns:
            continue
        pairs = pl.DataFrame({"cell": records[column], "value": before[column]}).unique()
        changed = sum(
            value_key(cell) != value_key(value) and not (value in missing and cell in missing)
            for cell, value in pairs.iter_rows()
        )
        if changed:
            problem = f"{changed} kinds of cells are not the input's"
            yield Fault(f"columns.{column}", problem, DISMISS)


def _by_number(counts: ValueCountsOfGroups) -> ValueCountsOfGroups:
    """Write numbers in one way, whatever the file's."""
    plain: dict[str, dict[str, int]] = {}
    for group, values in counts.items():
        plain[group] = defaultdict(int)
        for value, count in values.items():
            plain[group][str(float(value)) if is_number(value) else value] += count
    return plain
