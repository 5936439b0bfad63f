"""Patterns of rows that belong to rows: which rows have which rows with released keys above them.

Where a key is released, a reader sees which rows belong to one row. Where it is hidden, a known row
brings the rows above it: knowing two diagnoses of different visits of one label needs two visits of
this label. A pattern is therefore a tree of the rows with released keys above the known rows, and
how many rows of each hidden label have to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.brief import short_repr
from indistinct.errors import ParameterError
from indistinct.masks.sets.patterns import Instances, shapes

MOST_DEEP = 5_000_000  # patterns that are listed one by one
UNIT = -1  # in place of a row above, for the unit itself


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows of a unit that no pattern tells apart: of one label, below one row with a released key.

    A row whose key is released is a group of its own.

    Parameters
    ----------
    label : of its rows
    chain : the groups of the rows with released keys above, from the unit on, itself among them if
        its key is released
    hidden : the groups of the rows with hidden keys above, itself among them if its key is hidden
    is_released : whether its key is released
    """

    label: int
    chain: tuple[int, ...]
    hidden: tuple[int, ...]
    is_released: bool


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """All rows in groups.

    Parameters
    ----------
    of_row : (n_rows,), group of each
    groups : all groups
    units : (n_groups,), unit of each
    """

    of_row: Ints
    groups: Sequence[RowGroup]
    units: Ints

    __repr__ = short_repr


def grouped_rows(units: Ints, labels: Ints, parents: Ints, is_released: Bools) -> GroupedRows:
    """Put rows into groups.

    Parameters
    ----------
    units, labels : (n_rows,), of each row
    parents : (n_rows,), the row that a row belongs to, before it in the order; -1 for the unit
    is_released : (n_rows,), whether the key of a row is released
    """
    of_row = np.empty(len(units), np.int64)
    groups: list[RowGroup] = []
    owners: list[int] = []
    numbers: dict[Any, int] = {}
    listed = zip(
        units.tolist(), labels.tolist(), parents.tolist(), is_released.tolist(), strict=True
    )
    for row, (unit, label, parent, released) in enumerate(listed):
        above = None if parent < 0 else groups[int(of_row[parent])]
        chain = () if above is None else above.chain
        hidden = () if above is None else above.hidden
        key = row if released else (unit, chain, label)
        number = numbers.setdefault(key, len(groups))
        of_row[row] = number
        if number < len(groups):
            continue
        own_chain = (*chain, number) if released else chain
        own_hidden = hidden if released else (*hidden, number)
        groups.append(RowGroup(label, own_chain, own_hidden, released))
        owners.append(unit)
    return GroupedRows(of_row, groups, np.array(owners, np.int64))


def deep_instances(rows: GroupedRows, m: int, most: int = MOST_DEEP) -> Instances:
    """Return the patterns of at most ``m`` rows, those that need fewer rows above included.

    Parameters
    ----------
    most : choices of rows, above which there are too many

    Raises
    ------
    ParameterError
        when there are too many
    """
    _refuse_too_many(rows, m, most)
    sizes = np.bincount(rows.of_row, minlength=len(rows.groups)).tolist()
    order = np.argsort(rows.units, kind="stable")
    starts = np.flatnonzero(np.diff(rows.units[order], prepend=-1))
    numbers: dict[Any, int] = {}
    patterns: list[int] = []
    units: list[int] = []
    needed: list[list[tuple[int, int]]] = []
    for members in np.split(order, starts[1:]) if len(order) else ():
        unit = int(rows.units[members[0]])
        for chosen in _choices(members.tolist(), sizes, m):
            for signature, requirements in _needs(rows.groups, chosen, sizes):
                patterns.append(numbers.setdefault(signature, len(numbers)))
                units.append(unit)
                needed.append(requirements)
    width = max(map(len, needed), default=1)
    groups = np.full((len(needed), width), -1, np.int64)
    copies = np.zeros((len(needed), width), np.int64)
    for place, requirements in enumerate(needed):
        for column, (group, number) in enumerate(requirements):
            groups[place, column], copies[place, column] = group, number
    return Instances(np.array(patterns, np.int64), np.array(units, np.int64), groups, copies)


def _refuse_too_many(rows: GroupedRows, m: int, most: int) -> None:
    """Refuse to list more choices of rows, one by one, than are soon listed."""
    lengths = np.bincount(rows.units) if len(rows.units) else np.zeros(1, np.int64)
    if sum(comb(length + m - 1, m) for length in lengths.tolist()) > most:
        raise ParameterError(
            f"the histories have more than {most:,} patterns of {m} rows; the longest has "
            f"{int(lengths.max()):,} different rows",
            "Lower m, or give the columns coarser hierarchies.",
        )


def _choices(
    members: Sequence[int], sizes: Sequence[int], m: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Return all ways of choosing at most ``m`` rows of a unit: groups and copies of each."""
    for shape in shapes(m):
        for chosen in combinations(members, len(shape)):
            if all(sizes[group] >= copies for group, copies in zip(chosen, shape, strict=True)):
                yield tuple(zip(chosen, shape, strict=True))


def _needs(
    groups: Sequence[RowGroup], chosen: Sequence[tuple[int, int]], sizes: Sequence[int]
) -> Iterator[tuple[Any, list[tuple[int, int]]]]:
    """Return the signature of a choice and its requirements, with all rows above and with fewer."""
    own = dict(chosen)
    below: dict[int, int] = {}
    for group, copies in chosen:
        for above in groups[group].hidden:
            below[above] = below.get(above, 0) + copies
    free: list[tuple[int, range]] = []
    for above, count in below.items():
        least = max(own.get(above, 0), 1)
        most = min(count, sizes[above])
        if most > least:
            free.append((above, range(least, most + 1)))
    base = dict.fromkeys(below, 1) | own
    for numbers in product(*(one for _, one in free)):
        needs = {
            above: number
            for (above, one), number in zip(free, numbers, strict=True)
            if number > one.start
        }
        yield _signature(groups, (), own, needs), list((base | needs).items())


def _signature(
    groups: Sequence[RowGroup],
    chain: tuple[int, ...],
    chosen: Mapping[int, int],
    needs: Mapping[int, int],
) -> Any:
    """Return in one way of writing what is known below a row with a released key, or the unit."""
    depth = len(chain)
    here: list[tuple[int, int]] = []
    below: dict[int, dict[int, int]] = {}
    is_itself = 0
    for group, copies in chosen.items():
        one = groups[group]
        if len(one.chain) > depth:
            below.setdefault(one.chain[depth], {})[group] = copies
        elif one.is_released:
            is_itself = 1
        else:
            here.append((one.label, copies))
    parts = [
        (groups[number].label, _signature(groups, (*chain, number), some, needs))
        for number, some in below.items()
    ]
    own = [(groups[above].label, n) for above, n in needs.items() if groups[above].chain == chain]
    return is_itself, tuple(sorted(here)), tuple(sorted(parts)), tuple(sorted(own))
