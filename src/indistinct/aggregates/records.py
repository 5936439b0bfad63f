"""From records to a family of counted cells, or to what cannot be counted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.aggregates.columns import as_columns
from indistinct.aggregates.dimensions import TOTAL, Dimension, dimension_of
from indistinct.aggregates.family import CountedGroups, Family, TableShape, family_of, lowest_of
from indistinct.aggregates.followers import following_faults
from indistinct.aggregates.policy import DimensionWords, TablesPolicy, TableWords
from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault, TablesError
from indistinct.tables.counting import DistinctRows, LabelledColumn, count_rows
from indistinct.tables.engines import Resources

MOST_NUMBERS = 50


@dataclass(frozen=True, slots=True)
class CountedFamily:
    """A family as it was counted.

    Parameters
    ----------
    family : its cells
    native : the library that a frame came from; None for files
    has_two_bandings : whether two dimensions come from columns of numbers or dates
    """

    family: Family
    native: Any
    has_two_bandings: bool

    __repr__ = short_repr


def counted_family(data: Any, policy: TablesPolicy, resources: Resources) -> CountedFamily:
    """Count the records of all tables of a policy.

    Raises
    ------
    TablesError
        when people or rows cannot be counted so, or a column follows from another one; all faults
    SchemaError, DataError, HierarchyError
        when the data cannot be read as the policy describes them
    """
    rows = count_rows(data, as_columns(policy), person=policy.data.person, resources=resources)
    names, missing = policy.dimensions, policy.publish.missing
    faults = [
        fault
        for name in names
        for fault in _value_faults(name, rows.columns[name], policy.columns.get(name), missing)
    ]
    if faults:
        raise TablesError(faults)
    dimensions = [
        _dimension(name, rows.columns[name], policy.columns.get(name), missing) for name in names
    ]
    if faults := list(_level_faults(policy.publish.tables, dimensions)):
        raise TablesError(faults)
    tables = [_shape(table, names) for table in policy.publish.tables]
    counted = _contributors(rows, dimensions, tables, policy.data.person)
    if faults := list(following_faults(dimensions, tables, counted, policy.publish.apart)):
        raise TablesError(faults)
    family = family_of(dimensions, tables, counted, with_zeros=policy.hides_zeros)
    graded = [rows.columns[name].values for name in names]
    n_graded = sum(one.numbers is not None or one.meaning in {"date", "moment"} for one in graded)
    return CountedFamily(family, rows.native, n_graded > 1)


def _shape(table: TableWords, names: Sequence[str]) -> TableShape:
    """Return a table with the numbers of its dimensions."""
    return TableShape(
        table.name,
        tuple(names.index(name) for name in table.rows),
        tuple(names.index(name) for name in table.columns),
        tuple(table.lowest.get(name, 0) for name in table.dimensions),
    )


def _value_faults(
    name: str, column: LabelledColumn, said: DimensionWords | None, missing: str
) -> Iterator[Fault]:
    """Find values that cannot be told from a missing one, and numbers that nobody can read."""
    place = f"columns.{name}"
    known = [text for text, gone in _texts(column) if not gone]
    if missing in known:
        problem = f"has the value {missing}, which is the label of a missing one"
        yield Fault(place, problem, "Choose another word in publish.missing.")
    if said is not None and said.bands is not None:
        if column.values.numbers is None:
            problem = "has bands, and values that are not numbers"
            yield Fault(place, problem, "Correct the values, or name how missing ones are written.")
    elif column.levels is None and column.values.numbers is not None and len(known) > MOST_NUMBERS:
        problem = f"has {len(known)} different numbers"
        yield Fault(place, problem, f'Give {place}.bands, or set {place}.type = "code".')


def _texts(column: LabelledColumn) -> Iterator[tuple[str, bool]]:
    """Yield the text of each value, and whether it is the missing one."""
    yield from zip(column.values.texts, column.values.is_missing.tolist(), strict=True)


def _dimension(
    name: str, column: LabelledColumn, said: DimensionWords | None, missing: str
) -> Dimension:
    """Make the dimension of a column: its values, bands of them, or the levels above them."""
    gone = column.values.is_missing
    if said is not None and said.bands is not None and column.values.numbers is not None:
        labels, texts = _banded(column.values.numbers, said.bands)
        levels = [[*_labelled(texts, gone, missing), *labels]]
        return dimension_of(name, levels, n_values=len(texts), known=labels, is_listed=True)
    levels = [list(level) for level in (column.levels or [column.values.texts])]
    while len(levels) > 1 and {*levels[-1]} <= {TOTAL}:
        levels.pop()
    levels = [_labelled(level, gone, missing) for level in levels]
    listed = [row[: len(levels)] for row in column.listed or ()]
    known = {label for row in listed for label in row}
    own = {*levels[0]}
    for row in listed:
        if row[0] not in own:
            for level, label in zip(levels, row, strict=True):
                level.append(label)
    return dimension_of(
        name, levels, n_values=len(gone), known=known, is_listed=column.listed is not None
    )


def _labelled(texts: Sequence[str], gone: Bools, missing: str) -> list[str]:
    """Write the missing value as the policy does, on whichever level."""
    return [missing if is_gone else text for text, is_gone in zip(texts, gone, strict=True)]


def _banded(numbers: Floats, edges: Sequence[float]) -> tuple[list[str], list[str]]:
    """Return the labels of bands, and the band of each number.

    Examples
    --------
    >>> _banded(np.array([3.0, 18.0, 70.0]), [18, 65])
    (['below 18', '18 to 64', '65 and over'], ['below 18', '18 to 64', '65 and over'])
    >>> _banded(np.array([3.5]), [18, 65])[0]
    ['below 18', '18 to under 65', '65 and over']
    """
    known = numbers[~np.isnan(numbers)]
    is_whole = bool((known == np.floor(known)).all()) and all(edge == int(edge) for edge in edges)
    labels = [f"below {edges[0]:.15g}"]
    for low, high in itertools.pairwise(edges):
        if is_whole:
            last = f"{high - 1:.15g}"
            labels.append(f"{low:.15g} to {last}" if high - 1 > low else f"{low:.15g}")
        else:
            labels.append(f"{low:.15g} to under {high:.15g}")
    labels.append(f"{edges[-1]:.15g} and over")
    places = np.searchsorted(np.array(edges, np.float64), numbers, side="right")
    return labels, [labels[min(place, len(labels) - 1)] for place in places.tolist()]


def _level_faults(tables: Sequence[TableWords], dimensions: Sequence[Dimension]) -> Iterator[Fault]:
    """Find tables that begin above the top of a dimension."""
    tops = {one.name: one.n_levels for one in dimensions}
    for number, table in enumerate(tables):
        for name, level in table.lowest.items():
            if level >= tops[name]:
                problem = f"is {level}, but {name} ends at level {tops[name] - 1}"
                remedy = f"Set it to at most {tops[name] - 1}, or leave {name} out of the table."
                yield Fault(f"publish.tables.{number}.lowest.{name}", problem, remedy)


def _contributors(
    rows: DistinctRows,
    dimensions: Sequence[Dimension],
    tables: Sequence[TableShape],
    person: str | None,
) -> CountedGroups:
    """Count people, or rows, with equal lowest shown labels together.

    Raises
    ------
    TablesError
        when rows have no person, or people stand in two innermost cells of a table
    """
    lowest = [lowest_of(tables, number) for number in range(len(dimensions))]
    codes = [rows.columns[one.name].values.codes for one in dimensions]
    nodes = [
        one.nodes[level, own] for one, level, own in zip(dimensions, lowest, codes, strict=True)
    ]
    groups, firsts = _groups(nodes, len(rows.records))
    values = np.stack([own[firsts] for own in codes], axis=1).astype(np.int32)
    if rows.persons is None:
        return CountedGroups(values, np.bincount(groups, rows.records).astype(np.int64))
    if faults := list(_person_faults(rows, rows.persons, nodes, dimensions, person)):
        raise TablesError(faults)
    pairs = np.unique(rows.persons.astype(np.int64) * len(firsts) + groups)
    return CountedGroups(values, np.bincount(pairs % len(firsts), minlength=len(firsts)))


def _groups(nodes: Sequence[Codes], n_rows: int) -> tuple[Ints, Ints]:
    """Return the group of each row with equal nodes, and the first row of each group."""
    groups, firsts = np.zeros(n_rows, np.int64), np.zeros(1, np.int64)
    for own in nodes:
        pairs = groups * (int(own.max(initial=0)) + 1) + own
        _, firsts, groups = np.unique(pairs, return_index=True, return_inverse=True)
    return groups, firsts


def _person_faults(
    rows: DistinctRows,
    persons: Codes,
    nodes: Sequence[Codes],
    dimensions: Sequence[Dimension],
    person: str | None,
) -> Iterator[Fault]:
    """Find rows without a person, and people who would be counted twice in a table."""
    place = "data.person"
    if rows.without_person.any():
        n_rows = int(rows.records[rows.without_person].sum())
        problem = f"{n_rows} rows do not name a person in {person}"
        yield Fault(place, problem, "Complete or leave out these rows, or count rows.")
    kept = ~rows.without_person
    for dimension, own in zip(dimensions, nodes, strict=True):
        pairs = np.unique(persons[kept].astype(np.int64) * dimension.size + own[kept])
        n_twice = int((np.bincount(pairs // dimension.size) > 1).sum()) if len(pairs) else 0
        if n_twice:
            people = "person stands" if n_twice == 1 else "people stand"
            yield Fault(
                place,
                f"{n_twice} {people} in two cells of a table: their {dimension.name} differs",
                f"Give one row per person, leave {dimension.name} out, or leave person out, "
                "which counts rows.",
            )
            return
