"""Where the longest search begins: a solution of the linear relaxation, rounded to classes."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace
from indistinct.tables.search.local.lower_bound import LowerBound
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.near_groups import NearGroups, near_groups
from indistinct.tables.search.local.parts import settled
from indistinct.tables.search.local.relaxation import Relaxed, relaxed
from indistinct.tables.search.local.rounding_kernels import claim
from indistinct.tables.search.local.run import LocalSearchRun, sooner

SHARE = 0.5  # of the time left, which the beginning takes at most
PRICED, LISTED, RELAXED = 0.05, 0.15, 0.45  # of the whole search that is done then, about
PURPOSE = 7  # of random draws
LEAST_OFTEN = 0.02  # groups that were open more seldom take no records
# Per trial: how often a record has to have been taken, and the noise of how often a group was open.
TRIALS = ((0.5, 0.0), (0.3, 0.0), (0.7, 0.0), (0.5, 0.1), (0.5, 0.3))
PRICE_WEIGHT = 1e-6  # weight of its price in the order of members that were taken equally often


def rounded_beginning(
    space: LocalSpace, whole: LocalSpace, pricing: Future[LowerBound], run: LocalSearchRun
) -> Assignment | None:
    """Round a solution of the linear relaxation; None where it cannot be had, or not in time.

    Parameters
    ----------
    space : whose items are the distinct tuples, of a lattice that is walkable
    whole : the same, where each record is an item
    pricing : what gives the prices to begin with
    """
    run = replace(run, deadline=sooner(run.deadline, SHARE))
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


def rounded(
    whole: LocalSpace, groups: NearGroups, solution: Relaxed, run: LocalSearchRun
) -> Assignment | None:
    """Return the best of some roundings; None where each leaves too many outside.

    Parameters
    ----------
    whole : whose items are the records, those of a tuple one after another
    groups : of tuples
    """
    sorted_groups, solution = _most_taken_first(groups, solution)
    best = None
    for trial, (enough, noise) in enumerate(TRIALS):
        if run.deadline.passed:
            break
        draws = run.draw(PURPOSE, trial).standard_normal(groups.n_groups)
        shaken = solution.often + noise * draws
        turns = np.argsort(-shaken, kind="stable")
        turns = turns[solution.often[turns] >= LEAST_OFTEN]
        claimed = claimed_by(whole, sorted_groups, solution, turns, enough)
        found = settled(whole, merge_into(whole, claimed))
        if not found.n_classes or len(found.outside()) > whole.problem.budget:
            continue
        if best is None or found.total(whole) < best.total(whole):
            best = found
    return best


def claimed_by(
    whole: LocalSpace, groups: NearGroups, solution: Relaxed, turns: Ints, enough: float
) -> Assignment:
    """Let groups take free records in turn; those that nobody takes stay outside.

    Parameters
    ----------
    groups, solution : the most often taken members first within each group
    turns : groups, in the order in which they take records
    enough : a member that was taken so often gives at least one record
    """
    ends = np.cumsum(np.bincount(whole.tuples)).astype(np.int64)
    labels = np.full(whole.n_items, OUTSIDE, np.int32)
    opened = np.empty(groups.n_groups, np.int64)
    free = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    n_classes = claim(
        turns,
        groups.starts,
        groups.members,
        solution.taken,
        whole.least,
        enough,
        free,
        ends,
        labels,
        opened,
    )
    return Assignment(labels, np.ascontiguousarray(groups.nodes[opened[:n_classes]]))


def _most_taken_first(groups: NearGroups, solution: Relaxed) -> tuple[NearGroups, Relaxed]:
    """Sort the members of each group by how often it took them."""
    numbers = np.repeat(np.arange(groups.n_groups), np.diff(groups.starts))
    wish = solution.taken + PRICE_WEIGHT * solution.prices[groups.members]
    order = np.lexsort((-wish, numbers))
    return (
        groups._replace(members=groups.members[order]),
        solution._replace(taken=solution.taken[order]),
    )
