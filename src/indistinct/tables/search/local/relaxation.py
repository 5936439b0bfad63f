"""A linear relaxation of local recoding, whose solution tells how a good assignment looks.

The problem is to open groups, each with at least k of its records, so that every record is in
exactly one. Lagrangian relaxation gives up the last demand and puts a price on each record instead:
at given prices every group decides for itself whether it is worth opening, and which of its records
it takes. Subgradient steps raise the prices of records that too few groups take, and lower those of
records that too many take. The mean of the solutions on the way comes close to a solution of the
linear relaxation: this is the volume algorithm (Barahona and Anbil, The volume algorithm: producing
primal solutions with a subgradient method, Mathematical Programming 87, 2000).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.coded_text import sentence
from indistinct.tables.search.local.local_space import LocalSpace
from indistinct.tables.search.local.near_groups import NearGroups
from indistinct.tables.search.local.relaxation_kernels import Choice, PricedGroups, choose
from indistinct.tables.search.local.run import LocalSearchRun

MOST_STEPS = 800
MOST_WORK = 8_000_000_000  # members looked at in all steps
NOTED = 40  # last steps whose records are counted
SHARE = 0.05  # of each step in the means
# The first steps go as far as they would need to reach a value that is higher than the best by so
# much of it.
AIM = 0.05
SHORTER, PATIENCE = 0.75, 20  # steps become shorter after so many that brought no better value
LEAST_GAIN = 1e-7
TOLD_EVERY = 50


class Relaxed(NamedTuple):
    """A solution of the relaxed problem.

    Parameters
    ----------
    value : no assignment of the records to these groups costs less, if a record in none of them
        costs as much as a suppressed one
    often : (n_groups,), how often each was open in the last steps, in [0, 1]
    taken : (n_members,), records of each member that its group took per step, in the last steps
    prices : (n_items,), of a record of each item
    """

    value: float
    often: Floats
    taken: Floats
    prices: Floats


def relaxed(
    space: LocalSpace, groups: NearGroups, prices: Floats, run: LocalSearchRun
) -> Relaxed | None:
    """Solve the relaxation approximately; None where the deadline passes.

    Parameters
    ----------
    space : whose items are the distinct tuples
    prices : (n_items,), to begin with
    """
    weights = space.items.weights.astype(np.int64)
    n_records, least = float(weights.sum()), space.least
    pool = PricedGroups(groups.starts, groups.members, groups.losses, weights, least)
    choice = Choice(
        np.zeros(space.n_items, np.int64),
        np.zeros(groups.n_groups),
        np.zeros(len(groups.members)),
        np.empty(least),
        np.empty(least, np.int64),
    )
    is_member = np.zeros(space.n_items, np.bool_)
    is_member[groups.members] = True
    n_steps = max(min(MOST_STEPS, MOST_WORK // len(groups.members)), NOTED)
    best, best_prices, mean = -np.inf, prices, np.zeros(space.n_items)
    length, waited = 1.0, 0
    for step in range(n_steps):
        if run.deadline.passed:
            return None
        share = SHARE if step else 1.0
        paid = choose(pool, prices, share, step >= n_steps - NOTED, choice)
        value = (float(prices @ weights) + paid) / n_records
        # The records of no group are suppressed or widen another group: their prices stay.
        lacking = np.where(is_member, weights - choice.covered, 0)
        mean = share * lacking + (1.0 - share) * mean
        waited += 1
        if value > best + LEAST_GAIN:
            best, best_prices, waited = value, prices, 0
        elif waited >= PATIENCE:
            length, waited = SHORTER * length, 0
        norm = max(float((mean**2 / weights).sum()), 1e-9)
        aim = length * (best + AIM * abs(best) - value) * n_records / norm
        prices = np.clip(best_prices + aim * mean / weights, 0.0, space.price)
        if (step + 1) % TOLD_EVERY == 0:
            run.progress(
                (step + 1) / n_steps,
                sentence("relaxation", "step {number} of the relaxation", number=step + 1),
            )
    return Relaxed(best, choice.often, choice.taken / NOTED, prices)
