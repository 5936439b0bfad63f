"""A graph of fictitious friends: friends of friends become friends, and some people have many."""

from __future__ import annotations

import numpy as np

NEW_FRIENDS = 3
SHARE_OF_STRANGERS = 0.2


def friendships(people: int, chance: np.random.Generator) -> list[tuple[str, str]]:
    """Draw the edges of a graph of friends; the first three people always know each other.

    Parameters
    ----------
    people : number of people, at least 3; each has a friend
    """
    edges = {(0, 1), (1, 2), (0, 2)}
    ends = [0, 1, 1, 2, 0, 2]
    for person in range(3, people):
        for _ in range(int(chance.integers(1, NEW_FRIENDS + 1))):
            # A person with many friends is drawn more often.
            is_stranger = chance.random() < SHARE_OF_STRANGERS
            drawn = int(chance.integers(person if is_stranger else len(ends)))
            friend = drawn if is_stranger else ends[drawn]
            if friend != person:
                edges.add((min(friend, person), max(friend, person)))
                ends += [friend, person]
    return [(f"person {one}", f"person {other}") for one, other in sorted(edges)]
