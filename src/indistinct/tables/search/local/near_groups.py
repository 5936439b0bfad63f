"""All groups of a lattice that are nearly worth opening at given prices of the records.

In a good release, the prices of the lower bound nearly pay for every class: its records together
are priced at little less than they pay. The groups of which that holds are few, and contain most
classes of the best releases known (docs/local-recoding.md).
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.coded_text import sentence
from indistinct.base.compiled.kernels import slots_for
from indistinct.base.randomness import RandomSource
from indistinct.tables.search.local.local_space import LocalSpace
from indistinct.tables.search.local.near_groups_kernels import (
    GroupPool,
    NodeBuffer,
    Priced,
    Wanted,
    find_near,
)
from indistinct.tables.search.local.run import LocalSearchRun

LARGEST = 600  # records of a group
REACHED = 0.7  # share of what the least number of records pays that the highest prices reach
# Nodes times columns, and these times tuples: three times those of Adult with nine columns.
MOST_PER_TUPLE, MOST_WORK = 350_000, 7_000_000_000
MOST_GROUPS, MOST_MEMBERS = 1_000_000, 30_000_000
AT_ONCE = 2_000_000  # nodes times tuples between two looks at the deadline


class NearGroups(NamedTuple):
    """Groups of the tuples of a space, each once.

    Parameters
    ----------
    starts : (n_groups + 1,), where the members of each begin
    members : (n_members,), tuples, in descending order of the given prices within each group
    losses : (n_groups,), what a record pays in each
    nodes : (n_groups, n_columns), levels
    """

    starts: Ints
    members: Codes
    losses: Floats
    nodes: Codes

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.losses)


def is_walkable(space: LocalSpace) -> bool:
    """Return whether the lattice is small enough to look at every tuple at every node."""
    shape = _shape(space)
    per_tuple = prod(shape) * len(shape)
    return per_tuple <= MOST_PER_TUPLE and per_tuple * space.n_items <= MOST_WORK


def near_groups(space: LocalSpace, prices: Floats, run: LocalSearchRun) -> NearGroups | None:
    """List the groups whose highest prices nearly pay for as many records as a class needs.

    Of the groups with the same members there is the cheapest. None where the lattice is too large,
    where there are none or too many, and after the deadline.

    Parameters
    ----------
    space : whose items are the distinct tuples
    prices : (n_items,), of a record of each

    Notes
    -----
    O(n_nodes * n_items * n_columns), at most MOST_WORK.
    """
    if not is_walkable(space):
        return None
    shape = _shape(space)
    n_nodes, n_items = prod(shape), space.n_items
    order = np.argsort(-prices, kind="stable").astype(np.int32)
    items = _priced(space, prices, order)
    wanted = Wanted(space.least, LARGEST, REACHED)
    step = max(AT_ONCE // n_items, 1)
    buffer, pool = _buffer(n_items, len(shape)), _pool(n_nodes, step, n_items)
    for begin in range(0, n_nodes, step):
        if run.deadline.passed:
            return None
        numbers = np.arange(begin, min(begin + step, n_nodes))
        find_near(items, _nodes(numbers, shape), begin, wanted, buffer, pool)
        count = int(pool.found[0])
        if count > MOST_GROUPS or pool.starts[count] > MOST_MEMBERS:
            return None
        run.progress(
            (numbers[-1] + 1) / n_nodes,
            sentence("groups_listed", "{number:,} groups listed", number=count),
        )
    count = int(pool.found[0])
    if count == 0:
        return None
    starts = pool.starts[: count + 1].copy()
    members = order[pool.members[: starts[-1]]]
    nodes = _nodes(pool.nodes[:count], shape)
    return NearGroups(starts, members, pool.losses[:count].copy(), nodes)


def _shape(space: LocalSpace) -> tuple[int, ...]:
    """Return the levels per column."""
    return tuple(int(top) + 1 for top in space.items.tops)


def _nodes(numbers: Ints, shape: tuple[int, ...]) -> Codes:
    """Return the levels of some nodes, which are numbered with the last column running fastest."""
    return np.stack(np.unravel_index(numbers, shape), axis=1).astype(np.int32)


def _priced(space: LocalSpace, prices: Floats, order: Codes) -> Priced:
    """Lay out the items in the order given."""
    items = space.items
    n_columns = items.codes.shape[1]
    cells = np.zeros((n_columns, int(items.tops.max()) + 1, space.n_items), np.int32)
    for column, top in enumerate(items.tops):
        for level in range(top + 1):
            entries = items.offsets[column, level] + items.codes[order, column]
            cells[column, level] = items.cells[entries]
    words = RandomSource(0).words(len(items.costs) + space.n_items)
    return Priced(
        cells,
        items.costs,
        words[: len(items.costs)].copy(),
        items.weights[order].astype(np.int64),
        prices[order],
        words[len(items.costs) :].copy(),
    )


def _buffer(n_items: int, n_columns: int) -> NodeBuffer:
    """Make the arrays that the look at a node needs."""
    return NodeBuffer(
        np.empty((n_columns, n_items), np.uint64),
        np.empty(slots_for(n_items), np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int64),
        np.empty(n_items, np.int64),
        np.empty(n_items, np.uint64),
        np.empty(n_items, np.uint64),
        np.empty(n_items),
        np.empty(n_items, np.int64),
    )


def _pool(n_nodes: int, step: int, n_items: int) -> GroupPool:
    """Return an empty pool, with room for one step more than may stay in it."""
    most = min(n_nodes * n_items, MOST_GROUPS + step * n_items)
    most_members = min(n_nodes * n_items, MOST_MEMBERS + step * n_items)
    return GroupPool(
        np.zeros(1, np.int64),
        np.empty(most, np.int64),
        np.empty(most),
        np.empty(most, np.uint64),
        np.zeros(most + 1, np.int64),
        np.empty(most_members, np.int32),
        np.full(slots_for(most), -1, np.int32),
    )
