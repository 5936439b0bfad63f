"""What publishing whole labels must lose at least: a linear program over cliques.

Of nodes that exclude each other, because one is above the other or because both together are rare,
at most one is published. Such nodes form a clique. The greatest weight under one constraint per
clique is a bound; which cliques matter is found by solving and looking for broken ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.masks.sets.cut import PricedTree

ROUNDS = 12
MOST_PAIRS = 2000  # broken pairs that a round makes cliques of
SLACK = 1e-6
TIE = 1e-6  # of the greatest weight: which of two equally likely nodes joins a clique


def least_loss(priced: PricedTree) -> float:
    """Return the share of the occurrences that every release of whole labels loses at least.

    Labels are nodes under no others, so that no pair of them is rare. The bound is that of the
    dual solution, made feasible by hand: it holds whatever the solver's errors are.

    Notes
    -----
    O(n_nodes^2) per clique of the cover, and a linear program of some thousand constraints per
    round.
    """
    weights = np.maximum(priced.weights, 0.0)
    total = float(priced.supports.occurrences[0])
    if total == 0 or not (weights > 0).any():
        return 0.0 if total == 0 else 1.0
    apart = _exclusions(priced)
    cliques = list(_first_cliques(priced, apart, weights))
    seen = {one.tobytes() for one in cliques}
    least = float(weights.sum())
    tie = weights * (TIE / weights.max())
    for number in range(ROUNDS):
        shares, prices = _solved(cliques, weights)
        least = min(least, _covered(cliques, prices, weights))
        tight = [np.isclose(shares[one].sum(), 1.0) for one in cliques]
        pairs = zip(cliques, prices.tolist(), tight, strict=True)
        cliques = [one for one, price, is_tight in pairs if price > 0 or is_tight]
        found = [
            one
            for one in _broken(apart, weights > 0, shares, tie, number)
            if one.tobytes() not in seen
        ]
        if not found:
            break
        seen |= {one.tobytes() for one in found}
        cliques += found
    return max(0.0, 1.0 - least / total)


def _exclusions(priced: PricedTree) -> Bools:
    """Return which nodes exclude each other: (n_nodes, n_nodes)."""
    apart = priced.conflicts > 0
    for node, end in enumerate(priced.tree.ends.tolist()):
        apart[node, node + 1 : end] = True
        apart[node + 1 : end, node] = True
    return apart


def _first_cliques(priced: PricedTree, apart: Bools, weights: Floats) -> Iterator[Ints]:
    """Cover all weights by cliques, the deepest nodes first; heavy nodes or ancestors join."""
    parents = priced.tree.parents
    depths = np.zeros(len(parents), np.int64)
    for node in range(1, len(parents)):
        depths[node] = depths[parents[node]] + 1
    for ancestors_first in (False, True):
        left = weights.copy()
        for depth in range(int(depths.max()), -1, -1):
            level = np.flatnonzero(depths == depth)
            while left[level].max() > 0:
                start = int(level[np.argmax(left[level])])
                liking = left.copy()
                if ancestors_first:
                    above = (np.arange(len(left)) < start) & (priced.tree.ends > start)
                    liking[above] += weights.sum()
                clique = _grown([start], apart, left > 0, liking)
                left[clique] = np.maximum(left[clique] - left[start], 0.0)
                yield clique


def _grown(nodes: list[int], apart: Bools, allowed: Bools, liking: Floats) -> Ints:
    """Let nodes join a clique, the best liked first, until none fits: ascending."""
    clique = list(nodes)
    fits = allowed & apart[nodes].all(axis=0)
    while fits.any():
        joins = int(np.argmax(np.where(fits, liking, -1.0)))
        clique.append(joins)
        fits &= apart[joins]
    return np.array(sorted(clique), np.int64)


def _solved(cliques: list[Ints], weights: Floats) -> tuple[Floats, Floats]:
    """Solve the program: (n_nodes,) how much each is published, (n_cliques,) price of each."""
    optimize: Any = import_module("scipy.optimize")  # both take long to import
    sparse: Any = import_module("scipy.sparse")
    columns = np.flatnonzero(weights > 0)
    place = np.full(len(weights), -1, np.int64)
    place[columns] = np.arange(len(columns))
    sizes = np.array([len(one) for one in cliques])
    rows = np.repeat(np.arange(len(cliques)), sizes)
    matrix = sparse.csr_matrix(
        (np.ones(len(rows)), (rows, place[np.concatenate(cliques)])), (len(cliques), len(columns))
    )
    found: Any = optimize.linprog(
        -weights[columns], A_ub=matrix, b_ub=np.ones(len(cliques)), bounds=(0, 1)
    )
    shares = np.zeros(len(weights))
    if found.x is None:  # no solution says nothing: every node may be published
        return shares + (weights > 0), np.zeros(len(cliques))
    shares[columns] = found.x
    return shares, np.maximum(-found.ineqlin.marginals, 0.0)


def _covered(cliques: list[Ints], prices: Floats, weights: Floats) -> float:
    """Return the prices of cliques, and what they leave of the weight of each node."""
    left = weights.copy()
    for one, price in zip(cliques, prices.tolist(), strict=True):
        left[one] -= price
    return float(prices.sum() + np.maximum(left, 0.0).sum())


def _broken(apart: Bools, allowed: Bools, shares: Floats, tie: Floats, seed: int) -> Iterator[Ints]:
    """Grow cliques that a solution breaks: around each node, and around pairs of nodes."""
    liking = shares + tie
    likely = np.flatnonzero(shares > SLACK)
    for node in likely.tolist():
        clique = _grown([node], apart, allowed, liking)
        if shares[clique].sum() > 1 + SLACK:
            yield clique
    sums = shares[likely][:, None] + shares[likely][None]
    is_broken = np.triu(apart[np.ix_(likely, likely)] & (sums > 1 + SLACK))
    pairs = likely[np.argwhere(is_broken)]
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:MOST_PAIRS]
    for pair in pairs[chosen].tolist():
        yield _grown(pair, apart, allowed, liking)
