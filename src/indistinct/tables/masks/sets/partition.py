"""Top-down partition: records of a class share one whole set of labels.

Source: he2009, algorithm Partition; each published set belongs to ``k`` records, which bounds every
part of it as well.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.errors import NoSolutionError
from indistinct.tables.masks.sets.item_records import ItemRecords
from indistinct.tables.masks.sets.item_tree import ItemTree
from indistinct.tables.masks.sets.published import PublishedSets, published

Record = int
Subset = tuple[int, ...]
SubsetRecords = tuple[Subset, list[Record]]
MOST_DROPPED = 2  # children of a node whose items a record may lose at once


@dataclass(frozen=True, slots=True)
class _Class:
    """Records that share a set of labels.

    Parameters
    ----------
    records : their numbers
    nodes : the labels
    open_nodes : those that may still be split
    """

    records: list[Record]
    nodes: tuple[int, ...]
    open_nodes: frozenset[int]

    __repr__ = short_repr


def by_partition(
    tree: ItemTree,
    records: ItemRecords,
    k: int,
    max_suppression: float = 0.0,
    *,
    whole: bool = False,
) -> PublishedSets:
    """Publish sets of labels that ``k`` records each have; a record without items stays empty.

    Parameters
    ----------
    max_suppression : share of the occurrences that may be left out, in [0, 1]
    whole : whether ``k`` records have to be empty, too, where one is

    Raises
    ------
    NoSolutionError
        when fewer than ``k`` records have an item, or must be empty and cannot
    """
    sets = records.sets()
    order = records.in_order().tolist()
    most = int(max_suppression * records.n_occurrences + 1e-9)
    filled = [row for row in order if sets[row]]
    if whole:
        filled = _apart_from_empty(sets, filled, k, most)
        most -= records.n_occurrences - sum(len(sets[row]) for row in filled)
    if 0 < len(filled) < k:
        raise NoSolutionError(
            f"fewer than {k} records of a class have an item in the column of sets",
            "Lower k, or let the other columns be coarser.",
        )
    owners = np.full(records.n_occurrences, -1, np.int64)
    splitter = _Splitter(tree, sets, k, most)
    for one in splitter.classes(filled):
        for row in one.records:
            start = int(records.starts[row])
            # What a record lost to join a class may be under a label of a later, coarser one.
            for place, item in enumerate(sets[row], start):
                owners[place] = _owner(tree, one.nodes, item)
    return published(tree, records, owners)


def _apart_from_empty(
    sets: Sequence[tuple[int, ...]], filled: list[Record], k: int, most: int
) -> list[Record]:
    """Leave out so many of the records with fewest items that k are empty, where one is."""
    n_empty = len(sets) - len(filled)
    if n_empty == 0 or n_empty >= k:
        return filled
    lacking = k - n_empty
    emptied = set(sorted(filled, key=lambda row: len(sets[row]))[:lacking])
    if len(emptied) < lacking or sum(len(sets[row]) for row in emptied) > most:
        raise NoSolutionError(
            f"fewer than {k} records of a class have no item in the column of sets",
            "Lower k, let more items be left out, or leave the records without items out.",
        )
    return [row for row in filled if row not in emptied]


def _above(nodes: tuple[int, ...], item: int) -> int:
    """Find the label above an item: nodes are ascending, and the last one not behind it."""
    return nodes[bisect_left(nodes, item + 1) - 1]


def _owner(tree: ItemTree, nodes: tuple[int, ...], item: int) -> int:
    """Find the label above an item; -1 where none is."""
    place = bisect_left(nodes, item + 1) - 1
    return nodes[place] if place >= 0 and item < int(tree.ends[nodes[place]]) else -1


def _subsets(subset: Subset) -> Iterator[Subset]:
    """Yield the subsets that lack one or two members, and have one at least."""
    for size in range(len(subset) - 1, max(len(subset) - 1 - MOST_DROPPED, 0), -1):
        yield from combinations(subset, size)


class _Splitter:
    """Splits classes until no split is left to try."""

    def __init__(
        self, tree: ItemTree, sets: Sequence[tuple[int, ...]], k: int, most_deleted: int
    ) -> None:
        self._sets, self._k, self._may_delete = list(sets), k, most_deleted
        self._ends: list[int] = tree.ends.tolist()
        self._penalties: list[float] = tree.penalties.tolist()
        children: list[list[int]] = [[] for _ in range(tree.n_nodes)]
        for node in range(1, tree.n_nodes):
            children[int(tree.parents[node])].append(node)
        self._children = [tuple(below) for below in children]

    def classes(self, filled: list[Record]) -> Iterator[_Class]:
        """Yield the classes that no split makes finer."""
        waiting = [_Class(filled, (0,), frozenset([0]))] if filled else []
        while waiting:
            one = waiting.pop()
            node = self._next_node(one)
            if node is None or len(one.records) <= self._k:
                yield one
            else:
                waiting += self._split(one, node)

    def _next_node(self, one: _Class) -> int | None:
        """Choose the node below which most is lost."""
        can_split = [node for node in one.open_nodes if self._children[node]]
        if not can_split:
            return None
        items = Counter(item for row in one.records for item in self._sets[row])
        n_below = Counter[int]()
        for item, count in items.items():
            n_below[_above(one.nodes, item)] += count
        lost = {node: n_below[node] * self._penalties[node] for node in sorted(can_split)}
        worst = max(lost, key=lost.__getitem__)
        return worst if lost[worst] > 0 else None

    def _below(self, row: Record, node: int) -> tuple[int, ...]:
        """Return the items of a record below a node."""
        items = self._sets[row]
        return items[bisect_left(items, node) : bisect_left(items, self._ends[node])]

    def _split(self, one: _Class, node: int) -> list[_Class]:
        """Part the records by the children of a node that they have items below."""
        children = self._children[node]
        found: dict[tuple[int, ...], list[Record]] = {}
        for row in one.records:
            subset = dict.fromkeys(_above(children, item) for item in self._below(row, node))
            found.setdefault(tuple(subset), []).append(row)
        parts = [part for part in sorted(found.items()) if len(part[1]) >= self._k]
        kept = {subset for subset, _ in parts}
        rest = [
            row
            for subset, rows in sorted(found.items())
            if subset not in kept
            for row in rows
            if not self._joins(row, subset, node, found, kept)
        ]
        if parts and 0 < len(rest) < self._k:
            parts, rest = self._filled_up(parts, rest, node)
        split = [
            _Class(
                rows,
                tuple(sorted({*one.nodes, *subset} - {node})),
                (one.open_nodes | set(subset)) - {node},
            )
            for subset, rows in parts
        ]
        if rest:
            split.append(_Class(rest, one.nodes, one.open_nodes - {node}))
        return split

    def _joins(
        self,
        row: Record,
        subset: Subset,
        node: int,
        found: dict[Subset, list[Record]],
        kept: set[Subset],
    ) -> bool:
        """Let a record join a part by deleting items, where that costs less than to stay."""
        below = self._below(row, node)
        limit = min(self._penalties[node] * len(below) - 1e-9, self._may_delete)
        costs = {
            fewer: gone
            for fewer in _subsets(subset)
            if fewer in kept
            and len(gone := [item for item in below if _above(subset, item) not in fewer]) <= limit
        }
        if not costs:
            return False
        chosen = min(costs, key=lambda fewer: (len(costs[fewer]), -len(found[fewer]), fewer))
        gone = frozenset(costs[chosen])
        self._may_delete -= len(gone)
        self._sets[row] = tuple(item for item in self._sets[row] if item not in gone)
        found[chosen].append(row)
        return True

    def _filled_up(
        self, parts: list[SubsetRecords], rest: list[Record], node: int
    ) -> tuple[list[SubsetRecords], list[Record]]:
        """Lend the rest records of large parts, few items below the node first; else a part."""
        lacking = self._k - len(rest)
        # No part may lend so many records that fewer than k are left.
        spare = sum(len(rows) - self._k for _, rows in parts)
        if spare < lacking:
            smallest = min(range(len(parts)), key=lambda place: len(parts[place][1]))
            joined = [*rest, *parts[smallest][1]]
            return [*parts[:smallest], *parts[smallest + 1 :]], joined
        offers = sorted(
            (len(self._below(row, node)), place, row)
            for place, (_, rows) in enumerate(parts)
            for row in rows[self._k :]
        )[:lacking]
        lent = {row for _, _, row in offers}
        left = [(subset, [row for row in rows if row not in lent]) for subset, rows in parts]
        return left, [*rest, *(row for _, _, row in offers)]
