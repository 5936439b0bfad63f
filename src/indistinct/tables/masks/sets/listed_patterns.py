"""List the patterns of rows that units have: which rows have which rows with released keys above.

Where a key is released, a reader sees which rows belong to one row. Where it is hidden, a known row
brings the rows above it: knowing two diagnoses of different visits of one label needs two visits of
this label. A pattern is therefore the labels of its rows, how many rows with released keys each two
of them have in common above them, and how many rows of each hidden label have to be there. Where no
row belongs to another one, it is a multiset of labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, prod

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import WorkError
from indistinct.tables.core.grouping import LARGEST_KEY, numbered_rows
from indistinct.tables.masks.sets.patterns import Instances, row_depths

MOST_INSTANCES = 40_000_000
NONE = -1


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """Rows in groups: those of a unit and a label below one row with a released key are one group.

    A row whose key is released is a group of its own.

    Parameters
    ----------
    of_row : (n_rows,), group of each
    units, labels : (n_groups,), of its rows
    above : (n_groups, n_depths), the groups of the rows above, from the unit on, and the group
        itself in its own depth; -1 below that
    is_released : (n_groups,), whether the key of its row is released
    """

    of_row: Ints
    units: Ints
    labels: Ints
    above: Ints
    is_released: Bools

    __repr__ = short_repr

    @property
    def sizes(self) -> Ints:
        """Rows of each group: (n_groups,)."""
        return np.bincount(self.of_row, minlength=len(self.units)).astype(np.int64)


def grouped_rows(units: Ints, labels: Ints, parents: Ints, is_released: Bools) -> GroupedRows:
    """Return rows by their groups.

    Parameters
    ----------
    units, labels : (n_rows,), of each row
    parents : (n_rows,), the row that a row belongs to; -1 for the unit
    is_released : (n_rows,), whether the key of a row is released
    """
    depths = row_depths(parents)
    n_depths = int(depths.max(initial=0)) + 1
    of_row = np.full(len(units), NONE, np.int64)
    nearest = np.full(len(units), NONE, np.int64)  # row with a released key at or above each
    above = np.full((len(units), n_depths), NONE, np.int64)
    n_groups = 0
    for depth in range(n_depths):
        some = np.flatnonzero(depths == depth)
        over = parents[some]
        chain = np.where(over >= 0, nearest[over], NONE)
        itself = np.where(is_released[some], some, NONE)
        numbers = numbered_rows(np.column_stack([units[some], chain, labels[some], itself]))
        of_row[some] = n_groups + numbers
        n_groups += int(numbers.max(initial=-1)) + 1
        nearest[some] = np.where(is_released[some], some, chain)
        if depth:
            above[some] = above[over]
        above[some, depth] = of_row[some]
    first = np.zeros(n_groups, np.int64)
    first[of_row] = np.arange(len(units))
    return GroupedRows(of_row, units[first], labels[first], above[first], is_released[first])


def listed_patterns(rows: GroupedRows, m: int, most: int = MOST_INSTANCES) -> Instances:
    """Return the patterns of at most ``m`` rows of each unit, those that need fewer rows included.

    Parameters
    ----------
    most : choices of rows, above which there are too many

    Raises
    ------
    WorkError
        when there are too many
    """
    _refuse_too_many(rows, m, most)
    order = np.lexsort((rows.labels, rows.units))
    owners, sizes = rows.units[order], rows.sizes[order]
    found: list[tuple[Ints, Ints, Ints, Ints]] = []
    first = 0
    for size in range(1, m + 1):
        parts: list[Ints] = []
        for shape in shapes(size):
            chosen = combined(owners, len(shape))
            if size > len(shape):
                chosen = chosen[(sizes[chosen] >= np.array(shape)).all(axis=1)]
            parts.append(np.repeat(order[chosen], shape, axis=1))
        members = np.concatenate(parts)
        places, needs = with_needs(rows, members)
        members = members[places]
        patterns = first + _numbered(rows, members, needs)
        first = int(patterns.max(initial=first - 1)) + 1
        found.append((patterns, rows.units[members[:, 0]], *_requirements(rows, members, needs)))
    width = max(groups.shape[1] for _, _, groups, _ in found)
    return Instances(
        np.concatenate([patterns for patterns, _, _, _ in found]),
        np.concatenate([units for _, units, _, _ in found]),
        np.concatenate([_widened(groups, width, NONE) for _, _, groups, _ in found]),
        np.concatenate([_widened(copies, width, 0) for _, _, _, copies in found]),
    )


def _refuse_too_many(rows: GroupedRows, m: int, most: int) -> None:
    """Refuse to list more choices of rows than fit into memory."""
    lengths = np.bincount(rows.units) if len(rows.units) else np.zeros(1, np.int64)
    kinds, people = np.unique(lengths, return_counts=True)
    listed = zip(kinds.tolist(), people.tolist(), strict=True)
    if sum(number * comb(length + m - 1, m) for length, number in listed) > most:
        raise too_many(m, int(lengths.max()))


def too_many(m: int, longest: int) -> WorkError:
    """Return the error that there are too many patterns.

    Parameters
    ----------
    longest : different rows of the unit that has most
    """
    return WorkError(
        f"the histories have too many patterns of {m} rows; the longest has {longest:,} different "
        "rows",
        "Lower m, or give the columns coarser hierarchies.",
    )


def shapes(size: int) -> Iterator[tuple[int, ...]]:
    """Yield how many copies of each of several different groups make ``size`` rows."""
    if not size:
        yield ()
    for copies in range(1, size + 1):
        for rest in shapes(size - copies):
            yield (copies, *rest)


def combined(owners: Ints, size: int) -> Ints:
    """Return all sets of ``size`` different places with one owner, ascending: (n_sets, size).

    Parameters
    ----------
    owners : ascending
    """
    places = np.arange(len(owners), dtype=np.int64)
    chosen = places[:, None]
    ends = np.searchsorted(owners, owners, "right") if len(owners) else places
    for _ in range(size - 1):
        last = chosen[:, -1]
        n_more = ends[last] - last - 1
        again = np.repeat(np.arange(len(chosen)), n_more)
        starts = np.cumsum(n_more) - n_more
        step = np.arange(len(again)) - starts[again] + 1
        chosen = np.column_stack([chosen[again], last[again] + step])
    return chosen


def _hidden_above(rows: GroupedRows, members: Ints, depth: int) -> Ints:
    """Return the groups with hidden keys at or above some groups in one depth, else -1."""
    groups = rows.above[members, depth]
    return np.where((groups >= 0) & ~rows.is_released[groups], groups, NONE)


def with_needs(rows: GroupedRows, members: Ints) -> tuple[Ints, Ints]:
    """Return each choice of rows with all rows above that it may need, and with fewer.

    Parameters
    ----------
    members : (n_choices, n_rows), the groups of the rows

    Returns
    -------
    places : (n_patterns,), the choice of each pattern
    needs : (n_patterns, n_rows, n_depths), the rows that have to be in the group above each row, 0
        where no more of them than the least
    """
    n_choices, size = members.shape
    n_depths = rows.above.shape[1]
    places: Ints = np.arange(n_choices, dtype=np.int64)
    needs: Ints = np.zeros((n_choices, size, n_depths), np.int64)
    if size == 1 or n_depths == 1:  # nothing is above the rows
        return places, needs
    sizes = rows.sizes
    for depth in range(n_depths):
        groups = _hidden_above(rows, members, depth)
        for row in range(size - 1):
            is_same = (groups == groups[:, [row]]) & (groups[:, [row]] >= 0)
            own = (is_same & (members == groups[:, [row]])).sum(axis=1)
            is_first = ~is_same[:, :row].any(axis=1)
            least = np.maximum(own, 1)
            largest = np.minimum(is_same.sum(axis=1), sizes[groups[:, row]])
            free = np.where(is_first & is_same[:, row], np.maximum(largest - least, 0), 0)
            if not free.any():
                continue
            copies = free[places] + 1
            again: Ints = np.repeat(np.arange(len(places)), copies)
            starts = np.cumsum(copies) - copies
            more = np.arange(len(again)) - starts[again]
            places, needs = places[again], needs[again]
            is_more = is_same[places] & (more > 0)[:, None]
            numbers = (least[places] + more)[:, None]
            needs[:, :, depth] = np.where(is_more, numbers, needs[:, :, depth])
    return places, needs


def _numbered(rows: GroupedRows, members: Ints, needs: Ints) -> Ints:
    """Return the number of the pattern of each choice: (n_patterns,).

    Of the orders of rows with one label, that one is taken whose number is least.
    """
    labels = rows.labels[members]
    if not len(labels):
        return np.zeros(0, np.int64)
    known = numbered_rows(labels)
    size, n_depths = members.shape[1], rows.above.shape[1]
    together = np.zeros((len(members), size, size), np.int8)
    for depth in range(n_depths if rows.is_released.any() else 0):
        groups = rows.above[members, depth]
        is_chain = (groups >= 0) & rows.is_released[groups]
        for one, other in combinations(range(size), 2):
            is_shared = is_chain[:, one] & (groups[:, one] == groups[:, other])
            together[:, one, other] += is_shared
            together[:, other, one] += is_shared
    used = [depth for depth in range(n_depths) if needs[:, :, depth].any()]
    if not together.any() and not used:
        return known
    pairs = [*combinations(range(size), 2)]
    widths = [int(together.max()) + 1] * len(pairs) + [size + 1] * (size * len(used))
    if prod(widths) >= LARGEST_KEY:
        raise too_many(size, int(np.bincount(rows.units).max()))
    least = np.full(len(members), LARGEST_KEY, np.int64)
    for order in permutations(range(size)):
        some = np.flatnonzero((labels[:, order] == labels).all(axis=1))
        columns = [together[some, order[one], order[other]] for one, other in pairs]
        columns += [needs[some, row, depth] for row in order for depth in used]
        keys = np.zeros(len(some), np.int64)
        for column, width in zip(columns, widths, strict=True):
            keys = keys * width + column
        least[some] = np.minimum(least[some], keys)
    return numbered_rows(np.column_stack([known, least]))


def _requirements(rows: GroupedRows, members: Ints, needs: Ints) -> tuple[Ints, Ints]:
    """Return the groups that must have rows left, and how many: (n_patterns, n_requirements) each.

    That a row has the rows above it needs no words: they take it along.
    """
    groups: list[Ints] = []
    copies: list[Ints] = []
    size, n_depths = members.shape[1], rows.above.shape[1]
    for row in range(size):
        is_same = members == members[:, [row]]
        own = is_same.sum(axis=1)
        is_first = ~is_same[:, :row].any(axis=1)
        for depth in range(n_depths):
            number = needs[:, row, depth]
            if not number.any():
                continue
            above = rows.above[members, depth]
            is_own = above[:, row] == members[:, row]
            own = np.where(is_own, np.maximum(own, number), own)
            is_new = (number > 0) & ~(above[:, :row] == above[:, [row]]).any(axis=1)
            is_new &= ~(members == above[:, [row]]).any(axis=1)
            if is_new.any():
                groups.append(np.where(is_new, above[:, row], NONE))
                copies.append(np.where(is_new, number, 0))
        groups.append(np.where(is_first, members[:, row], NONE))
        copies.append(np.where(is_first, own, 0))
    return np.column_stack(groups), np.column_stack(copies)


def _widened(columns: Ints, width: int, fill: int) -> Ints:
    """Return an array with more columns."""
    pad = ((0, 0), (0, width - columns.shape[1]))
    return np.pad(columns, pad, constant_values=fill)
