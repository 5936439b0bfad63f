"""Find a cut of the item tree whose generalization and rare pairs cost little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.masks.sets.cut_kernels import (
    Prices,
    conflict_sums,
    conflicts_of,
    make_coarser,
    make_finer,
)
from indistinct.tables.masks.sets.item_records import Supports
from indistinct.tables.masks.sets.item_tree import ItemTree

MOST_SWEEPS = 30


@dataclass(frozen=True, slots=True)
class PricedTree:
    """What nodes cost when they are published, and which pairs of them are rare.

    Parameters
    ----------
    tree : the hierarchy of items
    supports : of its nodes
    k : least support of a set
    prices : (n_nodes,), penalties of the occurrences below a node; all of them where it is rare
    conflicts : (n_nodes, n_nodes), records of each rare pair, else 0
    """

    tree: ItemTree
    supports: Supports
    k: int
    prices: Floats
    conflicts: Codes

    __repr__ = short_repr

    @classmethod
    def of(cls, tree: ItemTree, supports: Supports, k: int, m: int) -> PricedTree:
        """Price every node; where ``m`` is 1 pairs are no matter."""
        costs = np.where(supports.records >= k, tree.penalties, 1.0)
        pairs = supports.together if m > 1 else np.zeros_like(supports.together)
        prices: Floats = supports.occurrences.astype(np.float64) * costs
        return cls(tree, supports, k, prices, conflicts_of(pairs, tree.ends, k))

    @property
    def weights(self) -> Floats:
        """What is saved by publishing each node, (n_nodes,); 0 where it is rare."""
        return self.supports.occurrences - self.prices

    def objective(self, chosen: Bools, alpha: float) -> float:
        """Return the prices of a cut's nodes, and ``alpha`` times the records of its conflicts."""
        pairs = conflict_sums(chosen, self.conflicts)[chosen].sum() / 2
        return float(self.prices[chosen].sum() + alpha * pairs)

    def level_cuts(self) -> list[Bools]:
        """Return the cut of each level: (n_nodes,) each."""
        cuts: list[Bools] = []
        for level in self.tree.levels:
            chosen = np.zeros(self.tree.n_nodes, np.bool_)
            chosen[level] = True
            cuts.append(chosen)
        return cuts

    def best_levels(self, alpha: float) -> list[Bools]:
        """Return the levels' cuts, the least objective first."""
        return sorted(self.level_cuts(), key=lambda cut: self.objective(cut, alpha))


def sweeps(priced: PricedTree, start: Bools, alpha: float) -> Iterator[Bools]:
    """Improve a cut by sweeps until nothing changes; give it after each one.

    Parameters
    ----------
    start : (n_nodes,), the nodes of a cut
    alpha : price of a record in a conflict, in occurrences
    """
    chosen, tree = start.copy(), priced.tree
    sums = conflict_sums(chosen, priced.conflicts)
    prices = Prices(priced.prices, priced.conflicts, alpha)
    for _ in range(MOST_SWEEPS):
        finer = _frequent_first(priced, chosen)
        n_changed = make_finer(chosen, sums, finer, prices, tree.parents, tree.ends)
        n_changed += make_coarser(chosen, sums, _parents(tree, chosen), prices, tree.ends)
        yield chosen.copy()
        if n_changed == 0:
            return


def best_cut(priced: PricedTree, start: Bools, alpha: float) -> Bools:
    """Return the cut that the sweeps end at: (n_nodes,)."""
    *_, last = sweeps(priced, start, alpha)
    return last


def _frequent_first(priced: PricedTree, chosen: Bools) -> Ints:
    """List the nodes of a cut, those with most occurrences first."""
    nodes = np.flatnonzero(chosen)
    return nodes[np.argsort(-priced.supports.occurrences[nodes], kind="stable")]


def _parents(tree: ItemTree, chosen: Bools) -> Ints:
    """List the parents of a cut's nodes, those with fewest items first."""
    above = np.unique(tree.parents[chosen])
    above = above[above >= 0]
    return above[np.argsort(tree.leaves[above], kind="stable")]
