"""Cuts for sets of three labels and more, whose rarity the pairs alone do not tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from indistinct.core.arrays import Bools, Floats
from indistinct.masks.sets.cut import PricedTree, best_cut
from indistinct.masks.sets.cut_kernels import conflicts_of
from indistinct.masks.sets.deletion_kernels import count_sets, deletion_cost
from indistinct.masks.sets.item_records import ItemRecords
from indistinct.masks.sets.keys import base_of

STRICTER = (1, 2, 4, 8, 16)  # factors of k: pairs of which larger sets are often rare
MOST_SETS = 3_000_000  # of all records, above which cuts are compared by pairs alone


def best_cut_for_larger_sets(
    priced: PricedTree, records: ItemRecords, m: int, alpha: float
) -> Bools:
    """Give the cut whose labels, and those deleted from rare sets of them, cost least: (n_nodes,).

    Cuts that are good where pairs need several times k records are compared by what they cost with
    all sets of up to ``m`` labels.
    """
    cuts = [best_cut(one, one.best_levels(alpha)[0], alpha) for one in _stricter(priced)]
    sizes = np.diff(records.starts).astype(np.float64)
    if float((sizes**m).sum()) > MOST_SETS * m:
        return cuts[0]
    return min(cuts, key=lambda cut: _cost(priced, records, cut, m, alpha))


def _stricter(priced: PricedTree) -> Iterator[PricedTree]:
    """Give the same prices with conflicts of pairs that have fewer than some multiples of k."""
    together, ends = priced.supports.together, priced.tree.ends
    for factor in STRICTER:
        yield replace(priced, conflicts=conflicts_of(together, ends, priced.k * factor))


def _cost(priced: PricedTree, records: ItemRecords, cut: Bools, m: int, alpha: float) -> float:
    """Give the occurrences that a cut loses: generalized, and ``alpha`` times those deleted."""
    nodes = np.flatnonzero(cut)
    owners = priced.tree.above(nodes)
    labels = records.under(owners)
    ranks = np.searchsorted(nodes, labels.items).astype(np.int64)
    base = base_of(len(nodes), m)
    kept = np.ones(len(ranks), np.bool_)
    saved: Floats = 1.0 - priced.tree.penalties[nodes]
    table = count_sets(labels.starts, ranks, kept, base, m)
    gone = deletion_cost(labels.starts, ranks, saved, *table, base, m, priced.k)
    generalized = priced.supports.occurrences[nodes] @ priced.tree.penalties[nodes]
    return float(generalized) + alpha * gone
