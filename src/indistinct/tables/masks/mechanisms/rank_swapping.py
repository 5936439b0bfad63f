"""Rank swapping: values change places with others of nearby rank; the column as a set stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part
from indistinct.base.parameters import check, parameter
from indistinct.base.randomness import RandomSource


@final
@dataclass(frozen=True, slots=True)
class RankSwapping:
    """Swap each value with one whose rank lies at most ``percent`` of the records above.

    From the least rank on, a value that was not swapped yet takes a partner drawn uniformly among
    those above it within the window that were not swapped either; without one it stays.

    Parameters
    ----------
    percent : p, greater than 0, at most 100

    Notes
    -----
    The multiset of values is kept exactly, and ranks move by at most floor(p n / 100).
    O(n log n). Equal values are ranked at random, so that they are swapped as others are.

    Source: moore1996, rank swapping.
    """

    percent: float = parameter(float, above=0, at_most=100, help="greatest distance of ranks")

    name: ClassVar[str] = "rank-swapping"

    def __post_init__(self) -> None:
        """Check the parameters."""
        check(self)

    def window(self, n_records: int) -> int:
        """Return the greatest distance between swapped ranks."""
        return int(self.percent * n_records // 100)

    def partners(self, ranks: Ints, source: RandomSource) -> Ints:
        """Draw whose value each record receives.

        Parameters
        ----------
        ranks : (n,), of the values, equal for equal ones
        source : where chance comes from

        Returns
        -------
        (n,), a permutation that is its own inverse
        """
        order = np.lexsort((source.apart("equal values").words(len(ranks)), ranks))
        places = swap_places(self.window(len(ranks)), source.words(len(ranks)))
        partners = np.empty(len(ranks), np.int64)
        partners[order] = order[places]
        return partners


@compiled
def swap_places(window: int, words: Words) -> Ints:
    """Pair the places 0 to n-1 from the least on: (n,), the partner of each.

    Notes
    -----
    A binary indexed tree counts the places that are free, so the place drawn is found in log n.
    """
    n = len(words)
    partners = np.arange(n)
    tree = np.zeros(n + 1, np.int64)
    top = 1
    while 2 * top <= n:
        top *= 2
    for place in range(1, n + 1):
        # Entry i of the tree counts the last i & -i places up to i, all of them free as yet.
        tree[place] = place & -place
    for place in range(n):
        # Was the partner of a place before it.
        if partners[place] != place:
            continue
        last = min(n - 1, place + window)
        below = _count_free(tree, place)
        n_free = _count_free(tree, last) - below
        if n_free == 0:
            continue
        # The remainder of a word of 64 bits favors no place by more than n / 2**64.
        wanted = below + 1 + np.int64(words[place] % np.uint64(n_free))
        found = 0
        step = top
        while step > 0:
            # Invariant: the places before ``found`` hold fewer free ones than are wanted.
            if found + step <= n and tree[found + step] < wanted:
                found += step
                wanted -= tree[found]
            step //= 2
        partners[place] = found
        partners[found] = place
        _take(tree, place)
        _take(tree, found)
    return partners


@compiled_part
def _count_free(tree: Ints, place: int) -> int:
    """Count the free places up to one."""
    total = 0
    place += 1
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total


@compiled_part
def _take(tree: Ints, place: int) -> None:
    """Mark a place as taken."""
    place += 1
    while place < len(tree):
        tree[place] -= 1
        place += place & -place
