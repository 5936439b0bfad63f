"""A family of linked tables: its cells by their keys, their counts, and the sums that link them.

The key of a cell is a node of each dimension; a dimension that a table does not have is at its
total there. Equal keys are one cell, in whichever tables they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from indistinct.aggregates.dimensions import Dimension
from indistinct.aggregates.equations import Equations
from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault, TablesError

MOST_CELLS = 5_000_000
MOST_KEYS = 2**62


@dataclass(frozen=True, slots=True)
class TableShape:
    """One table: its dimensions by number, rows before columns, and the lowest level of each."""

    name: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    lowest: tuple[int, ...]

    @property
    def dimensions(self) -> tuple[int, ...]:
        """All of them, rows before columns."""
        return (*self.rows, *self.columns)


@dataclass(frozen=True, slots=True)
class CountedGroups:
    """Contributors with equal labels, counted together.

    Parameters
    ----------
    values : (n_groups, n_dimensions), place of the value of each dimension
    weights : (n_groups,), contributors
    """

    values: Codes
    weights: Ints

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Family:
    """The cells of all tables.

    Parameters
    ----------
    dimensions, tables : what they are made of
    counted : of whom they were counted
    keys : (n_cells,), sorted; a key is one number, see :meth:`nodes`
    counts : (n_cells,), contributors
    alone : (n_cells,), the group of the only contributor; -1 where there are others or nobody
    cells : per table, its cells
    equations : parent less children, for every cell and dimension once
    """

    dimensions: tuple[Dimension, ...]
    tables: tuple[TableShape, ...]
    counted: CountedGroups
    keys: Ints
    counts: Ints
    alone: Ints
    cells: tuple[Ints, ...]
    equations: Equations

    __repr__ = short_repr

    @property
    def total(self) -> int:
        """Return the cell of the grand total."""
        return 0

    def nodes(self, dimension: int) -> Ints:
        """Return the node that each cell has in a dimension: (n_cells,)."""
        return self.keys // steps_of(self.dimensions)[dimension] % self.dimensions[dimension].size

    def cells_of_group(self, group: int) -> Ints:
        """Return every cell that the contributors of a group are counted in."""
        steps = steps_of(self.dimensions)
        found: set[int] = set()
        for table in self.tables:
            chains = [
                [node * int(steps[number]) for node in self._chain(number, lowest, group)]
                for number, lowest in zip(table.dimensions, table.lowest, strict=True)
            ]
            found |= {sum(parts) for parts in product(*chains)}
        return np.searchsorted(self.keys, np.array(sorted(found), np.int64))

    def _chain(self, number: int, lowest: int, group: int) -> Iterator[int]:
        """Yield the nodes above a group's value in a dimension, from the lowest shown one on."""
        dimension = self.dimensions[number]
        node = int(dimension.nodes[lowest, self.counted.values[group, number]])
        while node:
            yield node
            node = int(dimension.parents[node])
        yield 0


def lowest_of(tables: Sequence[TableShape], dimension: int) -> int:
    """Return the lowest level of a dimension that any table shows."""
    return min(
        level
        for table in tables
        for own, level in zip(table.dimensions, table.lowest, strict=True)
        if own == dimension
    )


def steps_of(dimensions: Sequence[Dimension]) -> Ints:
    """Return what a node of each dimension is multiplied by in a key."""
    sizes = [one.size for one in dimensions]
    return np.array([*np.cumprod([1, *sizes[:0:-1]], dtype=np.int64)[::-1]], np.int64)


def family_of(
    dimensions: Sequence[Dimension],
    tables: Sequence[TableShape],
    counted: CountedGroups,
    *,
    with_zeros: bool,
) -> Family:
    """Count the cells of all tables, and list the sums that link them.

    Parameters
    ----------
    with_zeros : whether cells that nobody is in are cells, too

    Raises
    ------
    TablesError
        when the tables have more cells than can be protected
    """
    check_size(dimensions, tables)
    summed = [_summed(dimensions, table, counted) for table in tables]
    grids = [
        grid_of(dimensions, table) if with_zeros else one[0]
        for table, one in zip(tables, summed, strict=True)
    ]
    keys = np.unique(np.concatenate(grids))
    counts, alone = np.zeros(len(keys), np.int64), np.full(len(keys), -1, np.int64)
    for own, sums, marks in summed:
        places = np.searchsorted(keys, own)
        counts[places] = sums
        alone[places] = np.where(sums == 1, marks - 1, -1)
    return Family(
        tuple(dimensions),
        tuple(tables),
        counted,
        keys,
        counts,
        alone,
        tuple(np.searchsorted(keys, grid) for grid in grids),
        _equations(dimensions, tables, keys, grids),
    )


def _summed(
    dimensions: Sequence[Dimension], table: TableShape, counted: CountedGroups
) -> tuple[Ints, Ints, Ints]:
    """Count the cells of one table, from its innermost ones upwards.

    Returns
    -------
    keys : (n_cells,), sorted
    sums : (n_cells,), contributors
    marks : (n_cells,), sum of 1 + the number of the group over the contributors
    """
    steps = steps_of(dimensions)
    keys = np.zeros(len(counted.weights), np.int64)
    for number, lowest in zip(table.dimensions, table.lowest, strict=True):
        keys += dimensions[number].nodes[lowest, counted.values[:, number]] * steps[number]
    marks = counted.weights * np.arange(1, len(keys) + 1)
    found = _grouped(keys, counted.weights, marks)
    for number in table.dimensions:
        found = _with_parents(found, dimensions[number], int(steps[number]))
    return found


def _with_parents(
    found: tuple[Ints, Ints, Ints], dimension: Dimension, step: int
) -> tuple[Ints, Ints, Ints]:
    """Add the cells above those found, in one dimension up to its total."""
    keys, sums, marks = found
    parts = [found]
    while True:
        nodes = keys // step % dimension.size
        is_below = nodes > 0
        if not is_below.any():
            break
        nodes, sums, marks = nodes[is_below], sums[is_below], marks[is_below]
        keys = keys[is_below] + (dimension.parents[nodes] - nodes) * step
        parts.append((keys, sums, marks))
    whole = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _grouped(whole[0], whole[1], whole[2])


def _grouped(keys: Ints, sums: Ints, marks: Ints) -> tuple[Ints, Ints, Ints]:
    """Add up what has equal keys."""
    order = np.argsort(keys, kind="stable")
    keys, sums, marks = keys[order], sums[order], marks[order]
    firsts = np.flatnonzero(np.append([True], keys[1:] != keys[:-1])[: len(keys)])
    if len(keys) == 0:
        return keys, sums, marks
    return keys[firsts], np.add.reduceat(sums, firsts), np.add.reduceat(marks, firsts)


def grid_size(dimensions: Sequence[Dimension], table: TableShape) -> int:
    """Return the number of combinations of the labels that a table shows."""
    return int(np.prod(_sizes(dimensions, table), dtype=object))


def grid_of(dimensions: Sequence[Dimension], table: TableShape) -> Ints:
    """Return the keys of all combinations of the labels that a table shows, sorted."""
    keys, steps = np.zeros(1, np.int64), steps_of(dimensions)
    for number, lowest in zip(table.dimensions, table.lowest, strict=True):
        nodes = np.flatnonzero(dimensions[number].shown(lowest))
        keys = (keys[:, None] + nodes[None, :] * steps[number]).ravel()
    return np.sort(keys)


def _equations(
    dimensions: Sequence[Dimension],
    tables: Sequence[TableShape],
    keys: Ints,
    grids: Sequence[Ints],
) -> Equations:
    """List every cell with all its children in each dimension, once over the family."""
    steps, n = steps_of(dimensions), len(keys)
    pairs: list[Ints] = []
    for table, own in zip(tables, grids, strict=True):
        children = np.searchsorted(keys, own)
        for number in table.dimensions:
            dimension, step = dimensions[number], steps[number]
            nodes = own // step % dimension.size
            is_below = nodes > 0
            above = own[is_below] + (dimension.parents[nodes[is_below]] - nodes[is_below]) * step
            # One number for the sum, the cell above and the dimension, and one for the part.
            rows = np.asarray(np.searchsorted(keys, above), np.int64) * len(dimensions) + number
            pairs.append(np.stack([rows, children[is_below]]))
    unique: Ints = np.unique(np.concatenate(pairs, axis=1), axis=1)
    children = unique[1]
    sums, lengths = np.unique(unique[0], return_counts=True)
    ends = np.concatenate([[0], np.cumsum(lengths + 1)])
    cells, signs = np.empty(ends[-1], np.int64), np.full(ends[-1], -1, np.int64)
    cells[ends[:-1]], signs[ends[:-1]] = sums // len(dimensions), 1
    is_child = signs < 0
    cells[is_child] = children
    return Equations(ends, cells, signs, n)


def check_size(dimensions: Sequence[Dimension], tables: Sequence[TableShape]) -> None:
    """Refuse tables with more cells than can be protected, before anything is counted.

    Raises
    ------
    TablesError
        naming each table's size, and a dimension whose omission would help
    """
    sizes = [_sizes(dimensions, table) for table in tables]
    n_cells = sum(grid_size(dimensions, table) for table in tables)
    if (
        n_cells <= MOST_CELLS
        and np.prod([one.size for one in dimensions], dtype=object) < MOST_KEYS
    ):
        return
    listed = "; ".join(
        f"{table.name}: {' x '.join(str(size) for size in own)}"
        for table, own in zip(tables, sizes, strict=True)
    )
    largest = max(
        (size, dimensions[number].name)
        for table, own in zip(tables, sizes, strict=True)
        for size, number in zip(own, table.dimensions, strict=True)
    )[1]
    problem = f"the tables have {n_cells:,} cells, more than {MOST_CELLS:,} ({listed})"
    raise TablesError(
        [Fault("publish.tables", problem, f"Leave out {largest}, or raise its lowest level.")]
    )


def _sizes(dimensions: Sequence[Dimension], table: TableShape) -> list[int]:
    """Return the number of labels that a table shows of each dimension, the total among them."""
    return [
        int(dimensions[number].shown(lowest).sum())
        for number, lowest in zip(table.dimensions, table.lowest, strict=True)
    ]
