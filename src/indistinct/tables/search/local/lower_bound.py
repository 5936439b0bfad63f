"""A certified bound from below on the loss of any local recoding.

Give every record a price of at most what suppression costs. If in every group of at least k
records the k highest prices average no more than what a record of the group pays, the mean price
is a bound: every class of a recoding holds at least k records of one group, so its prices average
no more than its loss.

A pass walks the lattice and finds, per item, the least slack of the groups around it: what a record
of the group pays less the mean of its k highest prices. Prices raised by this slack are valid
again, since the mean in a group rises by no more than its own slack. Prices are raised little by
little: where they rise as far as they can at once, the few records that are dear in any case use
up what many others could have had. Small steps are cheap, too, because groups that cost more than
their members will be priced need not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Deadline, Problem
from indistinct.tables.search.local.dual_kernels import walk, workspace_for
from indistinct.tables.search.local.local_space import LocalSpace, local_space

# Work is counted in groups rolled up: some fifty nanoseconds each.
DEFAULT_WORK = 30_000_000
CERTIFIED_WORK = 600_000_000
FIRST_STEP, SHORTER, LAST_STEP = 0.06, 0.9, 0.002  # of what suppression costs
LEAST_GAIN = 5e-4  # of the bound: a pass that brings less is the last
MOST_PRICES = 25_000_000  # numbers that a walk may keep
# What rounding may take from a sum of prices, and more.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A bound from below on the mean that a record pays.

    Parameters
    ----------
    value : the bound; None where it was not computed
    kind : "LB1": every record in the cheapest group that holds enough records; "dual": prices
        raised in several passes
    prices : (n_items,), of a record of each distinct tuple, whose mean the value is; None where
        they were not computed, or not kept
    """

    value: float | None
    kind: str | None
    prices: Floats | None = field(default=None, compare=False, repr=False)


NOT_COMPUTED = LowerBound(None, None)


def lower_bound(problem: Problem, passes: int) -> LowerBound:
    """Bound the loss of every local recoding of ``problem`` from below.

    Parameters
    ----------
    passes : over the whole lattice, at least 1, each as far as it goes; the first gives "LB1"

    Notes
    -----
    The bound counts the classes' sizes only, so it holds whatever else the models ask for. It is
    the arithmetic mean over columns and records, suppressed records included.
    """
    space = local_space(problem)
    steps = repeat(2 * space.price, passes)
    found = _raised(space, steps, None, Deadline())
    return LowerBound(_mean(space, found), "LB1" if passes == 1 else "dual")


def affordable_bound(space: LocalSpace, work: int, deadline: Deadline | None = None) -> LowerBound:
    """Compute the best bound that rolls up no more than ``work`` groups.

    Parameters
    ----------
    deadline : checked before each pass
    """
    depth = int(space.items.tops.sum()) + 1
    if depth * space.n_items * space.problem.least_size > MOST_PRICES:
        return NOT_COMPUTED
    found = _raised(space, _steps(space.price), work, deadline or Deadline())
    return LowerBound(_mean(space, found), "dual", found) if found.any() else NOT_COMPUTED


def least_bound(space: LocalSpace) -> LowerBound:
    """Return what every record pays at the lowest levels: no group that contains it costs less."""
    cells = space.items.cells[space.items.offsets[:, 0] + space.items.codes]
    prices = np.minimum(space.items.costs[cells].sum(axis=1), space.price)
    return LowerBound(_mean(space, prices), "dual", prices)


def _steps(price: float) -> Iterator[float]:
    """Yield how far a pass may raise a price, less and less."""
    step = FIRST_STEP
    while True:
        yield price * step
        step = max(SHORTER * step, LAST_STEP)


def _raised(
    space: LocalSpace, steps: Iterator[float], work: int | None, deadline: Deadline
) -> Floats:
    """Raise the prices from 0, a pass per step, as long as there is work left: (n_items,)."""
    words = RandomSource(0).words(len(space.items.costs))
    workspace = workspace_for(space.items, words, space.problem.least_size)
    prices = np.zeros(space.n_items)
    for step in steps:
        left = np.iinfo(np.int64).max if work is None else work
        if deadline.passed:
            break
        done = walk(prices, step, left, workspace)
        if done > left:
            break
        before = _mean(space, prices)
        # Rounding may leave a group that is paid in full a little short.
        prices = np.minimum(space.price, prices + np.maximum(workspace.slack, 0.0))
        if work is None:
            continue
        work -= done
        if _mean(space, prices) - before <= LEAST_GAIN * before:
            break
    return prices


def _mean(space: LocalSpace, prices: Floats) -> float:
    """Return the mean price of a record, rounded down by more than rounding can have added."""
    weights = space.items.weights
    return max(float(prices @ weights) / float(weights.sum()) - ROUNDING * space.price, 0.0)
