"""The hierarchy of items as a tree of nodes, numbered so that a subtree is a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import MAX_EXAMPLES, GeneralizationHierarchy
from indistinct.errors import Fault, HierarchyError


@dataclass(frozen=True, slots=True)
class ItemTree:
    """The labels of an item hierarchy, each a node; node 0 is the root.

    Nodes are numbered as a walk of the tree meets them, parents first, so that the nodes below
    ``p`` are ``p + 1, ..., ends[p] - 1``. That is also the order in which labels are written.

    Parameters
    ----------
    labels : text of each node
    parents : (n_nodes,), -1 for the root
    ends : (n_nodes,), the first node behind the subtree of each
    leaves : (n_nodes,), leaves below each node, 1 for a leaf
    levels : (n_levels, n_items), node of each item at each level of the hierarchy
    """

    labels: tuple[str, ...]
    parents: Ints
    ends: Ints
    leaves: Ints
    levels: Ints

    __repr__ = short_repr

    @property
    def n_nodes(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def n_items(self) -> int:
        """Number of leaves, whether the records have them or not."""
        return int(self.leaves[0])

    @property
    def penalties(self) -> Floats:
        """Normalized certainty penalty of each node: 0 for a leaf, else leaves / items.

        Source: terrovitis2011, NCP: an occurrence costs nothing as itself, else the share of items
        under its label.
        """
        return np.where(self.leaves == 1, 0.0, self.leaves / self.n_items)

    @property
    def items(self) -> dict[str, int]:
        """The node of each item."""
        return {self.labels[node]: node for node in self.levels[0].tolist()}

    def over(self, items: Ints) -> tuple[ItemTree, Ints]:
        """Return the part of the tree above some items; penalties stay those of the whole tree.

        Parameters
        ----------
        items : nodes of items, each perhaps several times; at least one

        Returns
        -------
        the smaller tree, and the node of this tree that each of its nodes is
        """
        is_above = np.zeros(self.n_nodes, np.bool_)
        nodes = np.unique(items)
        while len(nodes):
            is_above[nodes] = True
            nodes = np.unique(self.parents[nodes])
            nodes = nodes[nodes >= 0]
        kept = np.flatnonzero(is_above)
        parents = np.where(self.parents[kept] < 0, -1, np.searchsorted(kept, self.parents[kept]))
        levels = self.levels[:, is_above[self.levels[0]]]
        tree = ItemTree(
            tuple(self.labels[node] for node in kept.tolist()),
            parents.astype(np.int64),
            np.searchsorted(kept, self.ends[kept]).astype(np.int64),
            self.leaves[kept],
            np.searchsorted(kept, levels).astype(np.int64),
        )
        return tree, kept

    def above(self, nodes: Sequence[int] | Ints) -> Ints:
        """Return for each node the member of a cut at or above it: (n_nodes,), -1 where none is.

        Parameters
        ----------
        nodes : unrelated nodes
        """
        owners = np.full(self.n_nodes, -1, np.int64)
        for node in np.asarray(nodes, np.int64).tolist():
            owners[node : self.ends[node]] = node
        return owners


def item_tree(hierarchy: GeneralizationHierarchy) -> ItemTree:
    """Build the tree of a hierarchy's labels.

    A label that is repeated from one level to the next, above the same items, is one node.

    Raises
    ------
    HierarchyError
        when a label stands above different items at two levels, so that a cell with it would mean
        two things
    """
    rooted = hierarchy.with_root()
    paths = _paths(rooted)
    order = sorted(range(len(paths)), key=_first_places(rooted).__getitem__)
    numbers: dict[str, int] = {}
    parents: list[int] = []
    torn: dict[str, None] = {}
    for item in order:
        above = -1
        for label in paths[item]:
            node = numbers.setdefault(label, len(numbers))
            if node == len(parents):
                parents.append(above)
            elif parents[node] != above:
                torn[label] = None
            above = node
    leaf_labels = [path[-1] for path in paths]
    inner = {label for path in paths for label in path[:-1]}
    torn |= dict.fromkeys(label for label in leaf_labels if label in inner)
    if torn:
        raise HierarchyError(
            [
                Fault(
                    "",
                    f"{len(torn)} labels are above different items at two levels",
                    "Give each group of items a name of its own.",
                    tuple(torn)[:MAX_EXAMPLES],
                )
            ]
        )
    return _of_parents(tuple(numbers), np.array(parents, np.int64), _levels(rooted, numbers))


def _first_places(hierarchy: GeneralizationHierarchy) -> list[tuple[int, ...]]:
    """Return the codes above each item, the root's first: items sorted so walk through the tree."""
    return [tuple(column[::-1]) for column in hierarchy.codes.T.tolist()]


def _paths(hierarchy: GeneralizationHierarchy) -> list[list[str]]:
    """Return the labels from the root down to each item, repeated ones once."""
    columns: list[list[int]] = hierarchy.codes.T.tolist()
    paths = [
        [labels[code] for labels, code in zip(hierarchy.labels, column, strict=True)]
        for column in columns
    ]
    return [list(dict.fromkeys(path[::-1])) for path in paths]


def _levels(hierarchy: GeneralizationHierarchy, numbers: dict[str, int]) -> Ints:
    """Return the node of each item at each level: (n_levels, n_items)."""
    return np.array(
        [
            [numbers[labels[code]] for code in codes.tolist()]
            for labels, codes in zip(hierarchy.labels, hierarchy.codes, strict=True)
        ],
        np.int64,
    )


def _of_parents(labels: tuple[str, ...], parents: Ints, levels: Ints) -> ItemTree:
    """Count leaves, and find where each subtree ends."""
    n_nodes = len(labels)
    leaves = np.zeros(n_nodes, np.int64)
    leaves[levels[0]] = 1
    ends = np.arange(1, n_nodes + 1)
    for node in range(n_nodes - 1, 0, -1):
        leaves[parents[node]] += leaves[node]
        ends[parents[node]] = max(ends[parents[node]], ends[node])
    return ItemTree(labels, parents, ends, leaves, levels)
