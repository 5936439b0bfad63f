"""Priced cuts: labels under one cut of the item tree, rare sets of them left out.

A set of at most ``m`` labels that some record has must be part of ``k`` records
(km-anonymity, terrovitis2008). Nearly every table has a rare pair of frequent items, so that
generalization alone ends at the root. What is left out is therefore priced beside what is
generalized.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.errors import NoSolutionError
from indistinct.tables.masks.sets.bound import least_loss
from indistinct.tables.masks.sets.cut import PricedTree, best_cut
from indistinct.tables.masks.sets.cut_kernels import conflicts_of, drop_conflicts, take_back
from indistinct.tables.masks.sets.deletion_kernels import (
    RecordLabels,
    count_sets,
    delete_rare,
    deletion_cost,
    restore,
)
from indistinct.tables.masks.sets.item_records import ItemRecords, ranked, supports_of
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.keys import base_of
from indistinct.tables.masks.sets.published import PublishedSets, published

STRICTER = (1, 2, 4, 8, 16)  # factors of k: pairs of which larger sets are often rare
MOST_SETS = 3_000_000  # of all records, above which cuts are compared by pairs alone
ALPHAS = (1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
STARTING_LEVELS = 3
DOUBLINGS = 8
RESTORING_PASSES = 3
LEAST_COST = 1e-9


def by_occurrences(
    tree: ItemTree, records: ItemRecords, k: int, m: int, max_suppression: float
) -> PublishedSets:
    """Publish one cut, and delete labels from single records until no set of labels is rare.

    Parameters
    ----------
    k, m : every set of at most ``m`` labels of a record is part of ``k`` records
    max_suppression : share of the occurrences that may be left out, in [0, 1]

    Raises
    ------
    NoSolutionError
        when more would have to be left out
    """
    priced = PricedTree.of(tree, supports_of(tree, records), k, m)
    alpha, least = 1.0, 1.0
    for _ in range(DOUBLINGS + 1):
        cut = _cut_for(priced, records, m, alpha)
        found = _with_deletions(tree, records, tree.above(np.flatnonzero(cut)), k, m)
        least = min(least, found.share_deleted)
        if found.share_deleted <= max_suppression:
            return found
        alpha *= 2
    raise too_much(least)


def by_items(
    tree: ItemTree, records: ItemRecords, k: int, m: int, max_suppression: float
) -> PublishedSets:
    """Publish each node wherever it occurs or nowhere, so that no set of them is rare.

    Leaving a node out changes no other support. For pairs this is an independent set of greatest
    weight among nodes that exclude each other; cliques of such nodes bound it.

    Raises
    ------
    NoSolutionError
        when more would have to be left out
    """
    priced = PricedTree.of(tree, supports_of(tree, records), k, m)
    weights = priced.weights
    heaviest = np.argsort(-weights, kind="stable")
    heaviest = heaviest[weights[heaviest] > 0]
    best = np.zeros(tree.n_nodes, np.bool_)
    allowed: Bools | None = None
    least = 1.0
    for alpha in ALPHAS:
        for start in priced.best_levels(alpha)[:STARTING_LEVELS]:
            chosen = best_cut(priced, start, alpha) & (weights > 0)
            _without_rare_sets(priced, records, chosen, heaviest, m)
            share = _share_left_out(priced, chosen)
            least = min(least, share)
            if weights[chosen].sum() > weights[best].sum():
                best = chosen
            if share <= max_suppression and (
                allowed is None or weights[chosen].sum() > weights[allowed].sum()
            ):
                allowed = chosen
    if allowed is None:
        raise too_much(least)
    nodes = np.flatnonzero(allowed)
    return published(
        tree,
        records,
        tree.above(nodes)[records.items],
        left_out=_uncovered(priced, nodes),
        lower_bound=least_loss(priced),
    )


def _cut_for(priced: PricedTree, records: ItemRecords, m: int, alpha: float) -> Bools:
    """Return a cut for sets of up to ``m`` labels: (n_nodes,)."""
    if m > 2:  # noqa: PLR2004 - pairs are priced by themselves
        return best_cut_for_larger_sets(priced, records, m, alpha)
    return best_cut(priced, priced.best_levels(alpha)[0], alpha)


def rare_labels(tree: ItemTree, labels: ItemRecords, k: int, m: int) -> Ints:
    """Count per node the sets of at most ``m`` labels with it that are rare: (n_nodes,)."""
    nodes, ranks = ranked(labels.items, tree.n_nodes)
    base = base_of(len(nodes), m)
    sets = count_sets(RecordLabels(labels.starts, ranks, np.ones(len(ranks), np.bool_)), base, m)
    rest = sets.keys[(sets.keys > 0) & (sets.counts < k)]
    found = np.zeros(tree.n_nodes, np.int64)
    while rest.any():
        np.add.at(found, nodes[rest[rest > 0] % base - 1], 1)
        rest = rest // base
        rest = rest[rest > 0]
    return found


def too_much(least: float) -> NoSolutionError:
    """Return the error that more of the items have to be left out than the policy allows."""
    return NoSolutionError(
        f"at least {least:.4%} of the items would have to be left out of the sets",
        "Raise method.max_suppression, or lower k or m.",
    )


def _with_deletions(
    tree: ItemTree, records: ItemRecords, owners: Ints, k: int, m: int
) -> PublishedSets:
    """Delete labels from single records until no set of at most ``m`` of them is rare."""
    order = records.in_order()
    sorted_records = records.chosen(order)
    labels = sorted_records.under(owners)
    nodes, ranks = ranked(labels.items, tree.n_nodes)
    base = base_of(len(nodes), m)
    shown = RecordLabels(labels.starts, ranks, np.ones(len(ranks), np.bool_))
    places = _label_places(tree, sorted_records, labels, owners)
    costs = np.bincount(places[places >= 0], minlength=len(ranks)) * _saved(tree, labels.items)
    sizes = np.bincount(ranks, minlength=len(nodes)).astype(np.int64)
    while True:
        sets = count_sets(shown, base, m)
        if not delete_rare(shown, costs, sizes, sets, k):
            break
    for _ in range(RESTORING_PASSES):
        if not restore(shown, sets, k):
            break
    shown_sorted = (places >= 0) & (shown.kept[places] if len(ranks) else True)
    is_shown = _in_input_order(records, order, shown_sorted)
    return published(tree, records, owners[records.items], is_shown=is_shown)


def _saved(tree: ItemTree, nodes: Ints) -> Floats:
    """Return what publishing saves per occurrence, above 0 so that it can be divided by."""
    return np.maximum(1.0 - tree.penalties[nodes], LEAST_COST)


def _label_places(tree: ItemTree, records: ItemRecords, labels: ItemRecords, owners: Ints) -> Ints:
    """Find the label of each occurrence among all labels: (n_occurrences,), -1 for none."""
    of_item = owners[records.items]
    keys = labels.of_occurrence * tree.n_nodes + labels.items
    found = np.searchsorted(keys, records.of_occurrence * tree.n_nodes + of_item)
    return np.where(of_item >= 0, found, -1)


def _in_input_order(records: ItemRecords, order: Ints, shown: Bools) -> Bools:
    """Return what is known of each occurrence, in the order of the records."""
    places = ItemRecords(records.starts, np.arange(records.n_occurrences)).chosen(order).items
    result = np.empty(len(shown), np.bool_)
    result[places] = shown
    return result


def _without_rare_sets(
    priced: PricedTree, records: ItemRecords, chosen: Bools, heaviest: Ints, m: int
) -> None:
    """Drop nodes until no set of those chosen is rare, and add again what then fits."""
    tree, weights = priced.tree, priced.weights
    drop_conflicts(chosen, weights, priced.conflicts)
    take_back(chosen, heaviest, priced.conflicts, tree.ends)
    while m > 2:  # noqa: PLR2004 - pairs are done
        labels = records.under(tree.above(np.flatnonzero(chosen)))
        rare = rare_labels(tree, labels, priced.k, m)
        if not rare.any():
            return
        worst = np.flatnonzero(rare)
        chosen[worst[np.argmin(weights[worst] / rare[worst])]] = False


def _share_left_out(priced: PricedTree, chosen: Bools) -> float:
    """Return the share of the occurrences that no chosen node covers."""
    occurrences = priced.supports.occurrences
    return float(occurrences[0] - occurrences[chosen].sum()) / max(float(occurrences[0]), 1.0)


def _uncovered(priced: PricedTree, nodes: Ints) -> tuple[int, ...]:
    """List the highest nodes none of whose items is published.

    Whether records have the items makes no difference: the list follows from the release, and does
    not tell which rare items there are.
    """
    tree = priced.tree
    is_near = np.zeros(tree.n_nodes, np.bool_)
    for node in nodes.tolist():
        is_near[node : tree.ends[node]] = True
        while node >= 0:
            is_near[node] = True
            node = int(tree.parents[node])  # noqa: PLW2901 - a walk to the root
    found: list[int] = []
    for node in np.flatnonzero(~is_near).tolist():
        parent = int(tree.parents[node])
        if parent < 0 or is_near[parent]:
            found.append(node)
    return tuple(found)


def best_cut_for_larger_sets(
    priced: PricedTree, records: ItemRecords, m: int, alpha: float
) -> Bools:
    """Return the cut whose labels, and those deleted of rare sets, cost least: (n_nodes,).

    Cuts that are good where pairs need several times k records are compared by what they cost with
    all sets of up to ``m`` labels.
    """
    cuts = [best_cut(one, one.best_levels(alpha)[0], alpha) for one in _stricter(priced)]
    sizes = np.diff(records.starts).astype(np.float64)
    if float((sizes**m).sum()) > MOST_SETS * m:
        return cuts[0]
    return min(cuts, key=lambda cut: _cost(priced, records, cut, m, alpha))


def _stricter(priced: PricedTree) -> Iterator[PricedTree]:
    """Yield the same prices with conflicts of pairs that have fewer than some multiples of k."""
    together, ends = priced.supports.together, priced.tree.ends
    for factor in STRICTER:
        yield replace(priced, conflicts=conflicts_of(together, ends, priced.k * factor))


def _cost(priced: PricedTree, records: ItemRecords, cut: Bools, m: int, alpha: float) -> float:
    """Return the occurrences that a cut loses: generalized, and ``alpha`` times those deleted."""
    nodes = np.flatnonzero(cut)
    owners = priced.tree.above(nodes)
    labels = records.under(owners)
    ranks = np.searchsorted(nodes, labels.items).astype(np.int64)
    base = base_of(len(nodes), m)
    shown = RecordLabels(labels.starts, ranks, np.ones(len(ranks), np.bool_))
    saved: Floats = 1.0 - priced.tree.penalties[nodes]
    gone = deletion_cost(shown, saved, count_sets(shown, base, m), priced.k)
    generalized = priced.supports.occurrences[nodes] @ priced.tree.penalties[nodes]
    return float(generalized) + alpha * gone
