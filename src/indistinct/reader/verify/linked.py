"""Two linked tables as a reader of the files sees them: what is wrong with them.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from indistinct.core.protocols import PlainClass, PlainColumn
from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.policy.linked_form import COUNT, GROUP
from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import MadeFromData, is_number
from indistinct.reader.verify.read_alike import counted_as_read

DISMISS = "Do not publish these files."

Counts = Mapping[str, Mapping[str, int]]


def column_faults(
    records: pl.DataFrame, sensitive: pl.DataFrame, policy: Policy
) -> Iterator[Fault]:
    """Find columns that should not or should be in either table."""
    (name,) = policy.named(Role.SENSITIVE)
    kept = {*policy.columns} - {name, *policy.left_out}
    yield from _differing(records.columns, kept | {GROUP}, "columns")
    yield from _differing(sensitive.columns, {GROUP, name, COUNT}, "sensitive.columns")


def _differing(found: Iterable[str], expected: set[str], place: str) -> Iterator[Fault]:
    """Compare names of columns."""
    for name in sorted(set(found) - expected):
        yield Fault(f"{place}.{name}", "is there and should not be", DISMISS)
    for name in sorted(expected - set(found)):
        yield Fault(f"{place}.{name}", "is missing", "Are these the tables of this policy?")


def counts_of(sensitive: pl.DataFrame, name: str, missing: Sequence[str]) -> tuple[Counts, int]:
    """Read the counts of each group and value, and how many rows do not say one.

    Parameters
    ----------
    sensitive : texts
    name : the sensitive column
    missing : how a missing value is written
    """
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    wrong = 0
    for group, value, count in sensitive[[GROUP, name, COUNT]].iter_rows():
        said = "" if value in missing else value
        if not count.isdigit() or int(count) == 0 or said in counts[group]:
            wrong += 1
        else:
            counts[group][said] = int(count)
    return counts, wrong


def link_faults(records: pl.DataFrame, counts: Counts) -> Iterator[Fault]:
    """Find groups that are in one table only, or whose counts do not add up to their records."""
    sizes: dict[str, int] = dict(records[GROUP].value_counts().iter_rows())
    alone = len(sizes.keys() ^ counts.keys())
    if alone:
        yield Fault(GROUP, f"{alone} groups are in one of the two tables only", DISMISS)
    unequal = sum(
        size != sum(counts[group].values()) for group, size in sizes.items() if group in counts
    )
    if unequal:
        yield Fault(COUNT, f"does not add up to the records in {unequal} groups", DISMISS)


def linked_groups(records: pl.DataFrame, counts: Counts, name: str) -> list[PlainClass]:
    """Give each group as models measure it: its rows in one table, its counts in the other.

    Parameters
    ----------
    records : the first table, as texts
    counts : of the second
    name : the sensitive column
    """
    sizes: dict[str, int] = dict(records[GROUP].value_counts().iter_rows())
    counts = {group: counted_as_read(values) for group, values in counts.items()}
    total: dict[str, int] = defaultdict(int)
    for values in counts.values():
        for value, count in values.items():
            total[value] += count
    column = PlainColumn(total, sorted(total))
    every = list(sizes.values())
    return [
        PlainClass(size, {name: counts[group]}, {name: column}, every)
        for group, size in sizes.items()
        if group in counts
    ]


def origin_faults(
    records: pl.DataFrame,
    counts: Counts,
    original: pl.DataFrame,
    rows: Sequence[int] | None,
    policy: Policy,
) -> Iterator[Fault]:
    """Compare both tables with the input.

    Parameters
    ----------
    original : the input, all cells as text
    rows : number in the input of each row of ``records``, if the crosswalk is at hand
    """
    (name,) = policy.named(Role.SENSITIVE)
    if rows is None:
        return
    before = original[list(rows)]
    own = pl.DataFrame({GROUP: records[GROUP], name: before[name]})
    listed = own.group_by(pl.all()).len(COUNT).with_columns(pl.col(COUNT).cast(pl.String))
    said = _by_number(counts_of(listed, name, policy.data.missing)[0])
    given = _by_number(counts)
    wrong = sum(said[group] != given.get(group) for group in said)
    if wrong:
        yield Fault(COUNT, f"is not that of the group's own records in {wrong} groups", DISMISS)
    yield from own_cell_faults(records, before, policy)


def own_cell_faults(records: pl.DataFrame, before: pl.DataFrame, policy: Policy) -> Iterator[Fault]:
    """Find cells that are not those of the record behind them.

    Parameters
    ----------
    records : the first table, as texts
    before : the record of the input behind each row of it, as texts
    """
    missing = policy.data.texts_of_missing
    same = MadeFromData()
    for column in records.columns:
        if column == GROUP or column not in before.columns:
            continue
        pairs = pl.DataFrame({"cell": records[column], "value": before[column]}).unique()
        changed = sum(
            not ((value in missing and cell in missing) or same.covers(cell, value))
            for cell, value in pairs.iter_rows()
        )
        if changed:
            yield Fault(
                f"columns.{column}", f"{changed} kinds of cells are not the input's", DISMISS
            )


def _by_number(counts: Counts) -> Counts:
    """Write numbers in one way, whatever the file's."""
    plain: dict[str, dict[str, int]] = {}
    for group, values in counts.items():
        plain[group] = defaultdict(int)
        for value, count in values.items():
            plain[group][str(float(value)) if is_number(value) else value] += count
    return plain
