"""Cuts of an item tree under prices of conflicts, for compiled loops."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

LEAST_GAIN = 1e-9  # smaller gains are errors of rounding, and might repeat for ever


class Prices(NamedTuple):
    """What chosen nodes cost.

    Parameters
    ----------
    nodes : (n_nodes,), price of each
    conflicts : (n_nodes, n_nodes), records of each rare pair, else 0
    alpha : price of a record in a conflict
    """

    nodes: Floats
    conflicts: Codes
    alpha: float


@compiled
def conflicts_of(together: Codes, ends: Ints, k: int) -> Codes:
    """Return the counts of unrelated pairs that some but fewer than ``k`` records have.

    Parameters
    ----------
    together : (n_nodes, n_nodes), records with both of two nodes
    ends : (n_nodes,), the first node behind the subtree of each
    """
    n_nodes = len(ends)
    conflicts = np.zeros((n_nodes, n_nodes), np.int32)
    for first in range(n_nodes):
        for second in range(ends[first], n_nodes):
            if 0 < together[first, second] < k:
                conflicts[first, second] = together[first, second]
                conflicts[second, first] = together[first, second]
    return conflicts


@compiled
def conflict_sums(chosen: Bools, conflicts: Codes) -> Floats:
    """Sum the conflicts of every node with those chosen: (n_nodes,)."""
    sums = np.zeros(len(chosen))
    for node in range(len(chosen)):
        if chosen[node]:
            for other in range(len(chosen)):
                sums[other] += conflicts[node, other]
    return sums


@compiled_part
def _inner(nodes: Ints, conflicts: Codes) -> float:
    """Sum the conflicts among some nodes, each pair once."""
    total = 0.0
    for first in range(len(nodes)):
        for second in range(first):
            total += conflicts[nodes[first], nodes[second]]
    return total


@compiled_part
def _switch(chosen: Bools, sums: Floats, conflicts: Codes, node: int, now: int) -> None:
    """Choose a node where ``now`` is 1, and no longer where it is 0."""
    chosen[node] = now == 1
    sign = 2.0 * now - 1.0
    for other in range(len(chosen)):
        sums[other] += sign * conflicts[node, other]


@compiled
def make_finer(
    chosen: Bools, sums: Floats, candidates: Ints, prices: Prices, parents: Ints, ends: Ints
) -> int:
    """Replace chosen nodes by their children where the objective falls; count the changes."""
    alpha, conflicts = prices.alpha, prices.conflicts
    n_changed = 0
    for node in candidates:
        n_children = 0
        for below in range(node + 1, ends[node]):
            n_children += parents[below] == node
        if n_children == 0 or not chosen[node]:
            continue
        children = np.empty(n_children, np.int64)
        met = 0
        for below in range(node + 1, ends[node]):
            if parents[below] == node:
                children[met] = below
                met += 1
        # ``sums`` has the conflicts with nodes that are chosen now. No node conflicts with one
        # below it, and conflicts among the children come in addition.
        change = -prices.nodes[node] - alpha * sums[node] + alpha * _inner(children, conflicts)
        for child in children:
            change += prices.nodes[child] + alpha * sums[child]
        if change < -LEAST_GAIN:
            n_changed += 1
            _switch(chosen, sums, conflicts, node, 0)
            for child in children:
                _switch(chosen, sums, conflicts, child, 1)
    return n_changed


@compiled
def make_coarser(chosen: Bools, sums: Floats, candidates: Ints, prices: Prices, ends: Ints) -> int:
    """Replace all chosen nodes below a node by it where the objective falls; count the changes."""
    alpha, conflicts = prices.alpha, prices.conflicts
    n_changed = 0
    for node in candidates:
        n_members = 0
        for below in range(node + 1, ends[node]):
            n_members += chosen[below]
        if n_members == 0:
            continue
        members = np.empty(n_members, np.int64)
        met = 0
        for below in range(node + 1, ends[node]):
            if chosen[below]:
                members[met] = below
                met += 1
        # The sums of the members have each conflict among them twice, so that it is added once
        # here.
        change = prices.nodes[node] + alpha * sums[node] + alpha * _inner(members, conflicts)
        for member in members:
            change -= prices.nodes[member] + alpha * sums[member]
        if change < -LEAST_GAIN:
            n_changed += 1
            for member in members:
                _switch(chosen, sums, conflicts, member, 0)
            _switch(chosen, sums, conflicts, node, 1)
    return n_changed


@compiled
def drop_conflicts(chosen: Bools, weights: Floats, conflicts: Codes) -> None:
    """Drop chosen nodes until none of them conflict: the least weight per conflict first."""
    n_nodes = len(chosen)
    # Invariant: ``degrees`` counts the chosen nodes that a chosen node conflicts with.
    degrees = np.zeros(n_nodes, np.int64)
    for node in range(n_nodes):
        if chosen[node]:
            for other in range(n_nodes):
                degrees[node] += chosen[other] and conflicts[node, other] > 0
    while True:
        worst, least = -1, np.inf
        for node in range(n_nodes):
            if chosen[node] and degrees[node] > 0 and weights[node] / degrees[node] < least:
                worst, least = node, weights[node] / degrees[node]
        if worst < 0:
            return
        chosen[worst] = False
        for other in range(n_nodes):
            degrees[other] -= chosen[other] and conflicts[worst, other] > 0


@compiled
def take_back(chosen: Bools, candidates: Ints, conflicts: Codes, ends: Ints) -> None:
    """Choose, in order, every candidate that is unrelated to those chosen and conflicts with none.

    Parameters
    ----------
    candidates : the greatest weight first
    """
    for node in candidates:
        is_free = not chosen[node]
        for other in range(len(chosen)):
            if not is_free:
                break
            if chosen[other]:
                # Nodes are numbered so that a subtree is a run: one is above the other, or not.
                is_related = node < ends[other] if other < node else other < ends[node]
                is_free = not is_related and conflicts[node, other] == 0
        if is_free:
            chosen[node] = True
