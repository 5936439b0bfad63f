"""Forest peel: random trees propose groups; the cheapest are released; trees grow on the rest.

Identical items leave together. The order of trees is fixed by their seeds, so the result does not
depend on the number of threads that grow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace
from indistinct.tables.search.local.peel_kernels import PeeledGroups, claim_groups, grow_tree
from indistinct.tables.search.local.run import LocalSearchRun

SMALL = 2000  # items below which a tree is grown faster than handed to a thread
LAST_RECORDS = 4  # times the least class: where a round may claim all
PURPOSE = 1  # of random draws


@dataclass(frozen=True, slots=True)
class ClusterTrees:
    """How many trees propose groups, and how much of their proposals is taken.

    Parameters
    ----------
    trees : per round
    share : of the free records claimed per round, in (0, 1]
    looks : columns looked at per split; None for a third of them, at least 2
    least : records per class, where more are wanted than the models ask for
    """

    trees: int = 4
    share: float = 0.2
    looks: int | None = None
    least: int = 1

    def looks_for(self, n_columns: int) -> int:
        """Return the columns looked at per split."""
        return max(2, round(n_columns / 3)) if self.looks is None else self.looks


def forest_peel(
    space: LocalSpace, members: Codes, forest: ClusterTrees, run: LocalSearchRun
) -> Assignment:
    """Release the cheapest groups of random trees, round after round.

    Parameters
    ----------
    members : items to assign; all others stay outside

    Notes
    -----
    O(n_members * depth * n_columns * trees / share). What is left over satisfies no proposed
    group: with a demand for size alone, it is fewer records than a class needs. Once the deadline
    has passed, a round claims all that it can.
    """
    least = max(space.least, forest.least)
    labels = np.full(space.n_items, OUTSIDE, np.int32)
    taken = np.ones(space.n_items, np.int32)
    taken[members] = 0
    nodes = [np.zeros((0, space.items.codes.shape[1]), np.int32)]
    n_classes = number = 0
    while True:
        free = members[taken[members] == 0]
        weight = int(space.items.weights[free].sum())
        if weight < least:
            break
        groups = grow_forest(space, free, forest, run, number)
        takes_all = weight <= LAST_RECORDS * least or run.deadline.passed
        target = weight if takes_all else int(np.ceil(forest.share * weight))
        for claims in claim_round(space, groups, taken, least, target):
            numbers = np.arange(n_classes, n_classes + len(claims.sizes), dtype=np.int32)
            labels[claims.members] = np.repeat(numbers, claims.sizes)
            nodes.append(claims.nodes)
            n_classes += len(claims.sizes)
        if not np.any(taken[free]):
            break
        number += 1
    return Assignment(labels, np.concatenate(nodes))


def grow_forest(
    space: LocalSpace, members: Codes, forest: ClusterTrees, run: LocalSearchRun, number: int
) -> PeeledGroups:
    """Grow the trees of one round and list their groups one after the other."""
    looks = forest.looks_for(space.items.codes.shape[1])
    least = max(space.least, forest.least)

    def grow(seed: np.uint64) -> PeeledGroups:
        return grow_tree(space.items, members, least, looks, space.price, seed)

    seeds = run.words(PURPOSE, number, forest.trees)
    if len(members) < SMALL:
        return joined([grow(seed) for seed in seeds])
    return joined(list(run.pool.map(grow, seeds)))


def joined(trees: Sequence[PeeledGroups]) -> PeeledGroups:
    """List the groups of several trees one after the other."""
    first = np.cumsum([0, *(len(tree.members) for tree in trees[:-1])])
    return PeeledGroups(
        np.concatenate([tree.members for tree in trees]),
        np.concatenate([tree.starts + start for tree, start in zip(trees, first, strict=True)]),
        np.concatenate([tree.sizes for tree in trees]),
        np.concatenate([tree.losses for tree in trees]),
        np.concatenate([tree.nodes for tree in trees]),
    )


def claim_round(
    space: LocalSpace, groups: PeeledGroups, taken: Codes, least: int, target: int
) -> list[PeeledGroups]:
    """Claim groups of one round, cheapest first, that satisfy the models.

    Where more than the size matters, claims are judged in batches: a batch holds groups none of
    which could take a record from another, in the order of their losses.
    """
    ranking = np.argsort(groups.losses, kind="stable")
    spent = np.zeros(len(groups.sizes), np.int32)
    if space.sized:
        return [claim_groups(space.items, groups, ranking, taken, spent, least, target, 0)[0]]
    if space.hereditary:
        ranking = ranking[judge_groups(space, groups)[ranking]]
    accepted: list[PeeledGroups] = []
    batch = 2
    while target > 0:
        claims, _ = claim_groups(space.items, groups, ranking, taken, spent, least, target, batch)
        if len(claims.sizes) == 0:
            break
        verdict = judge_groups(space, claims)
        kept = chosen(claims, verdict)
        taken[taken == batch] = 0
        taken[kept.members] = 1
        target -= int(space.items.weights[kept.members].sum())
        accepted.append(kept)
        ranking = ranking[spent[ranking] == 0]
        batch += 1
    taken[taken > 1] = 0
    return accepted


def judge_groups(space: LocalSpace, groups: PeeledGroups) -> Bools:
    """Return per group whether it satisfies every model: (n_groups,)."""
    starts = np.concatenate([[0], np.cumsum(groups.sizes)])
    shifts = np.repeat(groups.starts - starts[:-1], groups.sizes)
    places = shifts + np.arange(len(shifts), dtype=np.int64)
    return space.judge(groups.members[places], starts)


def chosen(groups: PeeledGroups, keep: Bools) -> PeeledGroups:
    """Return some of the groups whose runs lie side by side."""
    sizes = groups.sizes[keep]
    return PeeledGroups(
        groups.members[np.repeat(keep, groups.sizes)],
        np.cumsum(sizes) - sizes,
        sizes,
        groups.losses[keep],
        groups.nodes[keep],
    )
