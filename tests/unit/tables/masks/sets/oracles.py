"""Slow, plain definitions of km-anonymity and its optima, by enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from indistinct.tables.masks.sets.item_tree import ItemTree

Sets = Sequence[Iterable[int]]


def small_sets(labels: Iterable[int], m: int | None) -> Iterator[tuple[int, ...]]:
    """List the sets of 1 to m labels, of any number where m is None."""
    ordered = sorted(labels)
    for size in range(1, (len(ordered) if m is None else min(m, len(ordered))) + 1):
        yield from combinations(ordered, size)


def least_support(published: Sets, m: int | None) -> int | None:
    """Return the fewest records that have a set of up to m labels which some record has."""
    counts = Counter(one for labels in published for one in small_sets(labels, m))
    return min(counts.values(), default=None)


def is_km_anonymous(published: Sets, k: int, m: int | None) -> bool:
    """Return whether every set of up to m labels that occurs is in k records."""
    least = least_support(published, m)
    return least is None or least >= k


def covers(tree: ItemTree, label: int, item: int) -> bool:
    """Return whether a label is an item or stands above it."""
    while item not in {label, -1}:
        item = int(tree.parents[item])
    return item == label


def recoded(tree: ItemTree, records: Sets, nodes: Iterable[int]) -> list[set[int]]:
    """Write each record by the nodes above its items."""
    chosen = list(nodes)
    return [{p for p in chosen for i in record if covers(tree, p, i)} for record in records]


def antichains(tree: ItemTree) -> Iterator[frozenset[int]]:
    """List all sets of unrelated nodes."""

    def below(node: int) -> list[frozenset[int]]:
        children = [n for n in range(tree.n_nodes) if tree.parents[n] == node]
        parts = product(*(below(child) for child in children))
        joined = [frozenset[int]().union(*part) for part in parts]
        return [*joined, frozenset([node])]

    yield from below(0)


def is_cut(tree: ItemTree, nodes: Iterable[int]) -> bool:
    """Return whether some node is above every item."""
    chosen = list(nodes)
    return all(any(covers(tree, p, i) for p in chosen) for i in tree.items.values())


def loss(tree: ItemTree, records: Sets, nodes: Iterable[int]) -> float:
    """Return the mean penalty of the occurrences under unrelated nodes, 1 where there is none."""
    chosen = list(nodes)
    total = n = 0.0
    for item in (item for record in records for item in record):
        above = [p for p in chosen if covers(tree, p, item)]
        total += float(tree.penalties[above[0]]) if above else 1.0
        n += 1
    return total / max(n, 1)


def fewest_deletions(records: Sets, k: int, m: int) -> int:
    """Return the fewest labels to delete so that no set of up to m labels is rare."""
    places = [(row, label) for row, record in enumerate(records) for label in record]
    for size in range(len(places) + 1):
        for gone in combinations(places, size):
            left = [
                {label for label in record if (row, label) not in gone}
                for row, record in enumerate(records)
            ]
            if is_km_anonymous(left, k, m):
                return size
    raise AssertionError
