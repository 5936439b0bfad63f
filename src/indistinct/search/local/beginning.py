"""Where the longest search begins: at a rounded relaxation, where that can be computed."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from dataclasses import replace

from indistinct.core.protocols import Deadline
from indistinct.search.local.assignment import Assignment
from indistinct.search.local.local_space import LocalSpace
from indistinct.search.local.lower_bound import LowerBound
from indistinct.search.local.near_groups import near_groups
from indistinct.search.local.relaxation import relaxed
from indistinct.search.local.rounding import rounded
from indistinct.search.local.run import Run

SHARE = 0.5  # of the time left, which the beginning takes at most
PRICED, LISTED, RELAXED = 0.05, 0.15, 0.45  # of the whole search that is done then, about


def rounded_beginning(
    space: LocalSpace, whole: LocalSpace, pricing: Future[LowerBound], run: Run
) -> Assignment | None:
    """Round a solution of the linear relaxation; None where it cannot be had, or not in time.

    Parameters
    ----------
    space : whose items are the distinct tuples, of a lattice that is walkable
    whole : the same, where each record is an item
    pricing : what gives the prices to begin with
    """
    run = replace(run, deadline=_sooner(run.deadline))
    run.progress(PRICED, "waiting for the prices of the lower bound")
    moment = run.deadline.moment
    wait([pricing], None if moment is None else max(moment - time.monotonic(), 0.0))
    prices = pricing.result().prices if pricing.done() else None
    if prices is None:
        return None
    groups = near_groups(space, prices, run.part(PRICED, LISTED))
    if groups is None:
        return None
    solution = relaxed(space, groups, prices, run.part(LISTED, RELAXED))
    return None if solution is None else rounded(whole, groups, solution, run)


def _sooner(deadline: Deadline) -> Deadline:
    """Give the moment when a share of the time left is over."""
    if deadline.moment is None:
        return deadline
    now = time.monotonic()
    return Deadline(now + SHARE * (deadline.moment - now))
