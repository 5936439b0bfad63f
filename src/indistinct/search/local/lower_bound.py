"""A certified bound from below on the loss of any local recoding.

Give every record a price of at most what suppression costs. If in every group of at least k
records the k highest prices average no more than what a record of the group pays, the mean price
is a bound: every class of a recoding holds at least k records of one group, so its prices average
no more than its loss. Prices are raised pass after pass and stay valid.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod

import numpy as np

from indistinct.core.arrays import Codes, Floats
from indistinct.core.protocols import Problem
from indistinct.core.randomness import RandomSource
from indistinct.search.local.local_space import LocalSpace, local_space
from indistinct.search.local.lower_bound_kernels import price_slack

PASSES = 10  # after which the bound hardly grows
DUAL_PASSES = 3  # fewer are not worth it
DEFAULT_WORK = 20_000_000  # looks at a tuple in a node: some tenths of a second
SHARES = 8  # parts of the lattice that threads may work on


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A bound from below on the mean that a record pays.

    Parameters
    ----------
    value : the bound; None where it was not computed
    kind : "LB1": every record in the cheapest group that holds enough records; "dual": raised
        prices
    """

    value: float | None
    kind: str | None


def lower_bound(problem: Problem, passes: int) -> LowerBound:
    """Bound the loss of every local recoding of ``problem`` from below.

    Parameters
    ----------
    passes : over the lattice, at least 1; the first gives "LB1"

    Notes
    -----
    The bound counts the classes' sizes only, so it holds whatever else the models ask for. It is
    the arithmetic mean over columns and records, suppressed records included.
    O(passes * n_nodes * n_tuples * n_columns).
    """
    return bound_within(local_space(problem), passes)


def bound_within(space: LocalSpace, passes: int) -> LowerBound:
    """Bound the loss of every assignment of a space's items from below."""
    nodes = lattice_nodes(space)
    prices = np.zeros(space.n_items)
    with ThreadPoolExecutor() as pool:
        for _ in range(passes):
            prices = np.minimum(space.price, prices + _slack(space, nodes, prices, pool))
    weights = space.items.weights
    value = float(prices @ weights) / float(weights.sum())
    return LowerBound(value, "LB1" if passes == 1 else "dual")


def affordable_bound(space: LocalSpace, work: int) -> LowerBound:
    """Compute the best bound that takes no more than ``work`` looks at a tuple in a node."""
    passes = min(PASSES, work // (n_nodes(space) * space.n_items))
    if passes == 0:
        return LowerBound(None, None)
    return bound_within(space, passes if passes >= DUAL_PASSES else 1)


def n_nodes(space: LocalSpace) -> int:
    """Count the lattice nodes."""
    return prod(int(top) + 1 for top in space.items.tops)


def lattice_nodes(space: LocalSpace) -> Codes:
    """List the lattice nodes: (n_nodes, n_columns), rung per column."""
    shape = tuple(int(top) + 1 for top in space.items.tops)
    return np.stack(np.unravel_index(np.arange(prod(shape)), shape), axis=1).astype(np.int32)


def _slack(space: LocalSpace, nodes: Codes, prices: Floats, pool: ThreadPoolExecutor) -> Floats:
    """Give by how much each item's price may rise: (n_items,)."""
    words = RandomSource(0).words(len(space.items.costs))
    order = np.argsort(-prices, kind="stable")

    def look(part: Codes) -> Floats:
        return price_slack(space.items, words, part, order, prices, space.least)

    parts = list(pool.map(look, np.array_split(nodes, SHARES)))
    # Rounding may leave a group that is paid in full a little short.
    return np.maximum(np.min(parts, axis=0), 0.0)
