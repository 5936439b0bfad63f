"""Records that are sets of items, and how often labels occur in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.support_kernels import count_pairs, expand


@dataclass(frozen=True, slots=True)
class ItemRecords:
    """Sets of items, one after the other.

    Parameters
    ----------
    starts : (n_records + 1,), where each set begins
    items : (n_occurrences,), nodes of the tree, ascending in each set
    """

    starts: Ints
    items: Ints

    __repr__ = short_repr

    @classmethod
    def of(cls, sets: Iterable[Iterable[int]]) -> ItemRecords:
        """Return sets of nodes, one after the other."""
        ordered = [sorted(set(one)) for one in sets]
        starts = np.zeros(len(ordered) + 1, np.int64)
        np.cumsum([len(one) for one in ordered], out=starts[1:])
        items = np.array([item for one in ordered for item in one], np.int64)
        return cls(starts, items)

    @property
    def n_records(self) -> int:
        """Number of sets, empty ones included."""
        return len(self.starts) - 1

    @property
    def n_occurrences(self) -> int:
        """Number of items of all sets together."""
        return len(self.items)

    @property
    def of_occurrence(self) -> Ints:
        """The record of each occurrence: (n_occurrences,)."""
        return np.repeat(np.arange(self.n_records), np.diff(self.starts))

    def sets(self) -> list[tuple[int, ...]]:
        """Return each set as a tuple."""
        items, starts = self.items.tolist(), self.starts.tolist()
        return [tuple(items[a:b]) for a, b in pairwise(starts)]

    def chosen(self, rows: Ints) -> ItemRecords:
        """Return some of the sets, in the order of ``rows``."""
        sizes = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        shifts: Ints = np.repeat(self.starts[rows] - starts[:-1], sizes)
        return ItemRecords(starts, self.items[shifts + np.arange(len(shifts))])

    def in_order(self) -> Ints:
        """List the records so that the list does not depend on their order: (n_records,)."""
        sizes = np.diff(self.starts)
        longest = int(sizes.max(initial=0))
        if longest == 0:
            return np.arange(self.n_records)
        padded = np.zeros((self.n_records, longest), np.dtype(">u4"))
        within = np.arange(self.n_occurrences) - np.repeat(self.starts[:-1], sizes)
        padded[self.of_occurrence, within] = self.items + 1
        rows = padded.view(np.dtype((np.void, 4 * longest))).ravel()
        return np.argsort(rows, kind="stable")

    def under(self, owners: Ints) -> ItemRecords:
        """Replace each item by its owner; items without one are left out.

        Parameters
        ----------
        owners : (n_nodes,), the node that takes the place of each, -1 for none
        """
        labels = owners[self.items]
        keys = self.of_occurrence[labels >= 0] * len(owners) + labels[labels >= 0]
        keys = distinct(keys)
        rows = keys // len(owners)
        starts = np.searchsorted(rows, np.arange(self.n_records + 1)).astype(np.int64)
        return ItemRecords(starts, keys % len(owners))


def distinct(keys: Ints) -> Ints:
    """Sort numbers, each once; several times as fast as NumPy's way by hashes."""
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def ranked(nodes: Ints, n_nodes: int) -> tuple[Ints, Ints]:
    """Return the different nodes, ascending, and the place of each node among them."""
    kinds = np.flatnonzero(np.bincount(nodes, minlength=n_nodes))
    places = np.zeros(n_nodes, np.int64)
    places[kinds] = np.arange(len(kinds))
    return kinds, places[nodes]


@dataclass(frozen=True, slots=True)
class Supports:
    """How often the nodes of a tree occur.

    Parameters
    ----------
    occurrences : (n_nodes,), items below each node, over all records
    records : (n_nodes,), records with an item below each node
    together : (n_nodes, n_nodes), records with items below both of two nodes
    """

    occurrences: Ints
    records: Ints
    together: np.ndarray[tuple[int, int], np.dtype[np.int32]]

    __repr__ = short_repr


def supports_of(tree: ItemTree, records: ItemRecords) -> Supports:
    """Count every node and every pair of nodes."""
    occurrences = np.bincount(records.items, minlength=tree.n_nodes).astype(np.int64)
    for node in range(tree.n_nodes - 1, 0, -1):
        occurrences[tree.parents[node]] += occurrences[node]
    starts, nodes = expand(records.starts, records.items, tree.parents)
    together = count_pairs(starts, nodes, tree.n_nodes)
    return Supports(occurrences, together.diagonal().astype(np.int64), together)
