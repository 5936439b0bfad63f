"""What a release by groups leaves no doubt about, and the merging of groups until it is little."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.errors import NoSolutionError
from indistinct.graph.grouping import Grouping

# Partners that are tried for a group; more find hardly better ones and take their time.
PARTNERS = 100

# Edges between a group and each other one that it has edges with.
Superedges = dict[int, dict[int, int]]


def certainty(grouping: Grouping) -> dict[str, Any]:
    """Count what is the same in every world.

    Returns
    -------
    ``count`` of edges that are in every world, their ``share`` of all edges, in [0, 1];
    ``full_pairs`` and ``empty_pairs`` of groups (a group counts as a pair with itself, too) with
    all and with no edges between them; ``non_edges``, the pairs of vertices that are in no world

    Notes
    -----
    Whoever knows the groups of two people learns for sure whether they are linked if the pair of
    groups is full or empty.
    """
    places = grouping.places
    full = grouping.counts == places
    count = int(grouping.counts[full].sum())
    sizes = grouping.sizes
    n_vertices, n_groups = int(sizes.sum()), len(sizes)
    n_inside = int(np.count_nonzero(sizes > 1))
    n_pairs = n_groups * (n_groups - 1) // 2 + n_inside
    total = int(grouping.counts.sum())
    return {
        "count": count,
        "share": count / total if total else 0.0,
        "full_pairs": int(np.count_nonzero(full)),
        "empty_pairs": n_pairs - len(places),
        "non_edges": n_vertices * (n_vertices - 1) // 2 - int(places.sum()),
    }


def supernode_classes(grouping: Grouping) -> dict[str, int]:
    """Count the groups that differ from all others in what is released of them.

    Returns
    -------
    ``classes`` of groups that have the same size, the same number of edges inside, and the same
    numbers of edges to groups of the same sizes; ``unique``, the groups that stand alone
    """
    seen: dict[int, list[tuple[int, int]]] = defaultdict(list)
    inside: Counter[int] = Counter()
    sizes: list[int] = grouping.sizes.tolist()
    for one, other, count in pairs_of(grouping):
        if one == other:
            inside[one] = count
        else:
            seen[one].append((sizes[other], count))
            seen[other].append((sizes[one], count))
    looks = Counter(
        (size, inside[group], tuple(sorted(seen[group]))) for group, size in enumerate(sizes)
    )
    return {"classes": len(looks), "unique": sum(number == 1 for number in looks.values())}


def pairs_of(grouping: Grouping) -> Iterator[tuple[int, int, int]]:
    """List the pairs of groups that have edges, and how many."""
    ones: list[int] = grouping.ones.tolist()
    others: list[int] = grouping.others.tolist()
    counts: list[int] = grouping.counts.tolist()
    yield from zip(ones, others, counts, strict=True)


def merge_certain(grouping: Grouping, most: float) -> Codes:
    """Merge groups until few edges are certain.

    Parameters
    ----------
    grouping : sizes and edge counts of the groups
    most : share of the edges that may be certain, in [0, 1]

    Returns
    -------
    (n_groups,), the merged group that each group belongs to, numbered from 0

    Raises
    ------
    NoSolutionError : more are certain even if all vertices are one group

    Notes
    -----
    A merged pair of groups is full only where all its parts were, so no edge becomes certain. The
    group with the most certain edges is merged with the partner that adds least to the logarithm of
    the number of worlds per edge that is certain no more.
    """
    merging = Merging(grouping)
    # Edges stay the same in number, so the share is a bound on their count.
    limit = most * int(grouping.counts.sum())
    while merging.certain > limit and len(merging.rows) > 1:
        group = max(merging.rows, key=lambda one: (merging.sure[one], -one))
        merging.merge(group, merging.partner_of(group))
    if merging.certain > limit:
        raise NoSolutionError(
            "max_certain cannot be reached: every pair of vertices is an edge",
            "Raise max_certain to 1; a complete graph has no other world.",
        )
    numbers = {group: number for number, group in enumerate(merging.rows)}
    return np.array(
        [numbers[merging.home(group)] for group in range(len(grouping.sizes))], np.int32
    )


class Merging:
    """Groups that grow together, with the edges between them.

    Parameters
    ----------
    grouping : where it begins
    """

    def __init__(self, grouping: Grouping) -> None:
        self.sizes: list[int] = grouping.sizes.tolist()
        self.homes = list(range(len(self.sizes)))
        self.rows: Superedges = {group: {} for group in self.homes}
        for one, other, count in pairs_of(grouping):
            self.rows[one][other] = count
            self.rows[other][one] = count
        self.sure = {group: self.count_certain(group) for group in self.rows}
        self.certain = int(grouping.counts[grouping.counts == grouping.places].sum())

    def home(self, group: int) -> int:
        """Return the group that a group is part of by now."""
        while self.homes[group] != group:
            group = self.homes[group]
        return group

    def places(self, one: int, other: int) -> int:
        """Count the pairs of vertices between two groups, or inside one."""
        size = self.sizes[one]
        return size * (size - 1) // 2 if one == other else size * self.sizes[other]

    def count_certain(self, group: int) -> int:
        """Count the certain edges that end in a group."""
        row = self.rows[group].items()
        return sum(count for other, count in row if count == self.places(group, other))

    def partner_of(self, group: int) -> int:
        """Choose the group to merge with."""
        near = self.near(group)
        found = [(self.price(group, other), other) for other in near]
        if not any(price < math.inf for price, _ in found):
            others = sorted(self.rows, key=lambda one: (self.sizes[one], one))
            far = [other for other in others if other != group and other not in near][:PARTNERS]
            found += [(self.price(group, other), other) for other in far]
        return min(found)[1]

    def near(self, group: int) -> list[int]:
        """List groups that have edges where the certain ones of a group go, the smallest first."""
        found: set[int] = set()
        for other, count in self.rows[group].items():
            if count == self.places(group, other):
                found |= {other, *self.rows[other]}
        found.discard(group)
        return sorted(found, key=lambda one: (self.sizes[one], one))[:PARTNERS]

    def price(self, one: int, other: int) -> float:
        """Return what a merger adds to the log count of worlds, per edge that becomes uncertain."""
        before, after = 0.0, 0.0
        gain = 0
        left, right = self.rows[one], self.rows[other]
        size = self.sizes[one] + self.sizes[other]
        for third in left.keys() | right.keys():
            if third in {one, other}:
                continue
            count = 0
            for group, row in ((one, left), (other, right)):
                edges = row.get(third, 0)
                places = self.sizes[group] * self.sizes[third]
                before += log_ways(places, edges)
                gain += edges if edges == places else 0
                count += edges
            places = size * self.sizes[third]
            after += log_ways(places, count)
            gain -= count if count == places else 0
        inner = {(one, one): left.get(one, 0), (other, other): right.get(other, 0)}
        inner[one, other] = left.get(other, 0)
        for pair, edges in inner.items():
            places = self.places(*pair)
            before += log_ways(places, edges)
            gain += edges if edges == places else 0
        count, places = sum(inner.values()), size * (size - 1) // 2
        after += log_ways(places, count)
        gain -= count if count == places else 0
        return (after - before) / gain if gain > 0 else math.inf

    def merge(self, one: int, other: int) -> None:
        """Make two groups one, under the name of the first."""
        left, right = self.rows[one], self.rows.pop(other)
        touched = (left.keys() | right.keys()) - {one, other}
        between = left.get(other, 0)
        before = self.sure[one] + self.sure.pop(other)
        before -= between if between == self.places(one, other) else 0
        inside = left.get(one, 0) + right.get(other, 0) + left.pop(other, 0)
        for third, count in right.items():
            if third not in {one, other}:
                left[third] = left.get(third, 0) + count
                self.rows[third].pop(other)
                self.rows[third][one] = left[third]
        if inside:
            left[one] = inside
        self.sizes[one] += self.sizes[other]
        self.homes[other] = one
        for group in (one, *touched):
            self.sure[group] = self.count_certain(group)
        self.certain += self.sure[one] - before


def log_ways(places: int, edges: int) -> float:
    """Return the log count of ways to lay edges on places."""
    if edges in {0, places}:
        return 0.0
    return math.lgamma(places + 1) - math.lgamma(edges + 1) - math.lgamma(places - edges + 1)
