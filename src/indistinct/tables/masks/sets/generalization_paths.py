"""Cuts of rows with several columns: trees along paths through the levels of the columns.

A product of hierarchies is not a tree. A path through the levels is one: each step makes one
column coarser by one level. Labels that fewer than k units have join the label above them, and what
is left of a label beside finer ones is priced as if it were left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.grouping import numbered_rows
from indistinct.tables.masks.sets.cell_levels import (
    CellLevels,
    PathStep,
    Shares,
    generalization_paths,
)
from indistinct.tables.masks.sets.cut import PricedTree, best_cut
from indistinct.tables.masks.sets.cut_kernels import conflicts_of
from indistinct.tables.masks.sets.item_records import ItemRecords, Supports, distinct, supports_of
from indistinct.tables.masks.sets.item_tree import ItemTree

MOST_NODES = 2_000  # whose pairs are counted in a square table
LEFT_OUT = -1
PREFERENCE = 1e-6  # by which a row that shows nothing is better than a row that is left out


@dataclass(frozen=True, slots=True)
class PathTree:
    """The labels of the rows of one class along one path.

    Parameters
    ----------
    priced : the tree and what its nodes cost; node 0 stands for leaving everything out
    shown : (n_nodes,), an item below the node, and ``steps`` the step of its label; -1 where the
        rows of the node are left out
    items : (n_rows,), the distinct row of each
    nodes : (n_items,), the lowest node of each
    """

    priced: PricedTree
    shown: Ints
    steps: Ints
    items: Ints
    nodes: Ints

    __repr__ = short_repr

    def cut(self, alpha: float) -> Bools:
        """Return a cut of little cost: (n_nodes,).

        Parameters
        ----------
        alpha : price of a unit with a rare pair of labels, in rows
        """
        return best_cut(self.priced, self.priced.best_levels(alpha)[0], alpha)


@dataclass(frozen=True, slots=True)
class ClassRows:
    """The rows of one table in one class.

    Parameters
    ----------
    units : (n_rows,), unit of each, from 0 on
    codes : (n_rows, n_columns), value codes
    columns : the cells of each column
    above : (n_rows,), number of the label of the row above, which no label here leaves out
    """

    units: Ints
    codes: Codes
    columns: Sequence[CellLevels]
    above: Ints

    __repr__ = short_repr

    def cells(self, rows: Ints, levels: Ints) -> Ints:
        """Return the cells of some rows: (n_rows, n_columns).

        Parameters
        ----------
        levels : (n_columns,), or (n_rows, n_columns)
        """
        found = np.empty((len(rows), len(self.columns)), np.int64)
        for at, column in enumerate(self.columns):
            found[:, at] = column.cells[levels[..., at], self.codes[rows, at]]
        return found


def cut_labels(
    rows: ClassRows, k: int, alphas: Sequence[float], *, price: float = 1.0, stricter: int = 1
) -> Iterator[list[Ints]]:
    """Yield for each path and price of a conflict the cells of each row.

    Parameters
    ----------
    k : units that a label must have
    alphas : prices of a unit with a rare pair of labels
    price : of a row that is left out
    stricter : factor of k for pairs: 0 where pairs do not matter, more where larger sets do

    Returns
    -------
    per path a list: (n_rows, n_columns) for each alpha, -1 in rows that are left out
    """
    items = numbered_rows(np.column_stack([rows.above, rows.codes]).astype(np.int64))
    first = _first_of(items)
    numbers: dict[PathStep, Ints] = {}
    for steps in generalization_paths(rows.columns):
        for step in steps:
            if step not in numbers:
                cells = rows.cells(first, np.array(step))
                numbers[step] = numbered_rows(np.column_stack([rows.above[first], cells]))
        labels = [numbers[step] for step in steps]
        tree = _path_tree(rows, steps, labels, items, first, k, price, stricter)
        found: list[Ints] = []
        for alpha in alphas:
            nodes = np.flatnonzero(tree.cut(alpha))
            owners = tree.priced.tree.above(nodes)[tree.nodes[tree.items]]
            found.append(_cells_of(rows, tree, steps, owners))
        yield found


def _cells_of(rows: ClassRows, tree: PathTree, steps: Sequence[PathStep], owners: Ints) -> Ints:
    """Return the cells of each row under the nodes of a cut."""
    cells = np.full((len(owners), len(rows.columns)), LEFT_OUT, np.int64)
    some = np.flatnonzero((owners >= 0) & (tree.steps[owners] >= 0))
    cells[some] = rows.cells(some, np.array(steps)[tree.steps[owners[some]]])
    return cells


def _first_of(items: Ints) -> Ints:
    """Return the first row of each item: (n_items,)."""
    first = np.zeros(int(items.max(initial=0)) + 1, np.int64)
    first[items[::-1]] = np.arange(len(items))[::-1]
    return first


def _path_tree(  # noqa: PLR0913, PLR0917 - what all paths of a class share
    rows: ClassRows,
    steps: Sequence[PathStep],
    numbers: Sequence[Ints],
    items: Ints,
    first: Ints,
    k: int,
    price: float,
    stricter: int,
) -> PathTree:
    """Build the tree of the labels that occur along a path, and price its nodes.

    Parameters
    ----------
    numbers : per step, (n_items,), number of the label of each item
    items : (n_rows,), item of each row: its label at the finest level of all
    first : (n_items,), a row of each item
    """
    order = np.lexsort(numbers)  # the coarsest step counts most
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    items, first = rank[items], first[order]
    least = k
    while True:
        tree = _pruned_tree(rows, [one[order] for one in numbers], items, first, least)
        if len(tree.shown) <= MOST_NODES:
            break
        least *= 2
    return _priced(rows, tree, steps, k * stricter, price)


@dataclass(frozen=True, slots=True)
class _Nodes:
    """The nodes of a tree before they have prices.

    Parameters
    ----------
    tree : the tree; its levels are the nodes of each item at each step
    shown, steps, items, nodes : as in :class:`PathTree`
    """

    tree: ItemTree
    shown: Ints
    steps: Ints
    items: Ints
    nodes: Ints


def _pruned_tree(
    rows: ClassRows, numbers: Sequence[Ints], items: Ints, first: Ints, least: int
) -> _Nodes:
    """Return the labels of enough units, numbered as a walk from the top meets them.

    Parameters
    ----------
    numbers : per step, (n_items,), number of the label of each item, items in tree order
    items : (n_rows,), item of each row
    first : (n_items,), a row of each item
    least : units that a label needs
    """
    n_items, n_steps = len(first), len(numbers)
    n_units = int(rows.units.max(initial=0)) + 1
    begins = np.zeros(n_items, np.bool_)
    # A node is its first item and its step; the top is a step above all.
    starts, depths = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    kept = np.ones(n_items, np.bool_)
    deepest = np.zeros(n_items, np.int64)  # depth of the lowest label of enough units
    runs: list[Ints] = [np.zeros(n_items, np.int64)]
    for depth in range(1, n_steps + 1):
        number = numbers[n_steps - depth]
        begins[0] = True
        begins[1:] |= number[1:] != number[:-1]
        run = np.cumsum(begins) - 1
        pairs = distinct(run[items] * n_units + rows.units)
        units = np.bincount(pairs // n_units, minlength=int(run[-1]) + 1)
        kept = kept & (units[run] >= least)
        deepest[kept] = depth
        runs.append(run)
        places = np.flatnonzero(begins & kept)
        starts.append(places)
        depths.append(np.full(len(places), depth, np.int64))
    start, depth_of = np.concatenate(starts), np.concatenate(depths)
    # What is left of a label beside finer ones comes right behind it.
    is_divided = _divided(start, depth_of, runs, deepest)
    lacks = np.zeros(len(start), np.bool_)
    at_depth = _nodes_at_depths(start, depth_of, runs)
    every = np.arange(n_items)
    own = at_depth[deepest, every]
    lacks[own] = True
    rest_of = np.flatnonzero(is_divided & lacks)
    all_start = np.concatenate([start, start[rest_of]])
    all_depth = np.concatenate([depth_of * 2, depth_of[rest_of] * 2 + 1])
    order = np.lexsort((all_depth, all_start))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    rest_place = np.full(len(start), -1, np.int64)
    rest_place[rest_of] = place[len(start) :]
    nodes = np.where(rest_place[own] >= 0, rest_place[own], place[own])
    # The parent of what is left of a label is the label.
    parents = place[at_depth[np.maximum(all_depth - 1, 0) // 2, all_start]][order]
    parents[0] = -1
    ends = _ends(parents)
    levels = np.empty((n_steps, n_items), np.int64)
    for step in range(n_steps):
        found = at_depth[np.minimum(deepest, n_steps - step), every]
        is_rest = (deepest < n_steps - step) & (rest_place[found] >= 0)
        levels[step] = np.where(is_rest, rest_place[found], place[found])
    leaves = _below(np.bincount(nodes, minlength=len(order)), ends)
    is_label = (all_depth[order] % 2 == 0) & (all_depth[order] > 0)
    shown = np.where(is_label, all_start[order], LEFT_OUT)
    steps = np.where(is_label, n_steps - all_depth[order] // 2, LEFT_OUT)
    tree = ItemTree(("",) * len(order), parents, ends, leaves, levels)
    return _Nodes(tree, shown, steps, items, nodes)


def _nodes_at_depths(start: Ints, depth: Ints, runs: Sequence[Ints]) -> Ints:
    """Return the node of each item at each depth: (n_depths, n_items), -1 for too few units."""
    found = np.empty((len(runs), len(runs[0])), np.int64)
    for d, run in enumerate(runs):
        nodes = np.full(int(run[-1]) + 1, -1, np.int64)
        some = np.flatnonzero(depth == d)
        nodes[run[start[some]]] = some
        found[d] = nodes[run]
    return found


def _divided(start: Ints, depth: Ints, runs: Sequence[Ints], deepest: Ints) -> Bools:
    """Return which nodes have a finer label of enough units below them: (n_nodes,)."""
    found = np.zeros(len(start), np.bool_)
    for d, run in enumerate(runs):
        some = np.flatnonzero(depth == d)
        has = np.zeros(int(run[-1]) + 1, np.bool_)
        has[run[deepest > d]] = True
        found[some] = has[run[start[some]]]
    return found


def _ends(parents: Ints) -> Ints:
    """Return the first node behind the subtree of each, of nodes numbered as a walk meets them."""
    above: list[int] = parents.tolist()
    ends = [*range(1, len(above) + 1)]
    for node in range(len(above) - 1, 0, -1):
        ends[above[node]] = max(ends[above[node]], ends[node])
    return np.array(ends, np.int64)


def _below(counts: Ints, ends: Ints) -> Ints:
    """Return what is counted of each node and of all nodes below it: (n_nodes,)."""
    sums = np.concatenate([[0], np.cumsum(counts)])
    return (sums[ends] - sums[:-1]).astype(np.int64)


def _priced(
    rows: ClassRows, nodes: _Nodes, steps: Sequence[PathStep], k: int, price: float
) -> PathTree:
    """Price the nodes: what their rows lose, and rare pairs of labels."""
    tree = nodes.tree
    of_row = nodes.nodes[nodes.items]
    keys = distinct(rows.units * tree.n_nodes + of_row)
    n_units = int(rows.units.max(initial=0)) + 1
    starts = np.searchsorted(keys // tree.n_nodes, np.arange(n_units + 1)).astype(np.int64)
    supports = supports_of(tree, ItemRecords(starts, keys % tree.n_nodes))
    occurrences = _below(np.bincount(of_row, minlength=tree.n_nodes), tree.ends)
    losses: Floats = np.full(tree.n_nodes, price * (1 + PREFERENCE))
    is_label = nodes.steps >= 0
    shown = _first_of(nodes.items)[nodes.shown[is_label]]
    cells = rows.cells(shown, np.array(steps)[nodes.steps[is_label]])
    losses[is_label] = Shares(rows.columns).losses(cells)
    together = np.where(is_label[:, None] & is_label[None, :], supports.together, 0)
    supports = Supports(occurrences, supports.records, together.astype(np.int32))
    priced = PricedTree(
        tree, supports, k, losses * occurrences, conflicts_of(supports.together, tree.ends, k)
    )
    return PathTree(priced, nodes.shown, nodes.steps, nodes.items, nodes.nodes)
