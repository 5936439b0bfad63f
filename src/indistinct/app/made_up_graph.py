"""A graph to try things on: friends of friends become friends, and some people have many."""

from __future__ import annotations

import numpy as np

PEOPLE, SEED = 300, 1
NEW_FRIENDS = 3
SHARE_OF_STRANGERS = 0.2


def made_up_edges() -> str:
    """Write an edge list of people who do not exist."""
    chance = np.random.default_rng(SEED)
    edges = {(0, 1), (1, 2), (0, 2)}
    ends = [0, 1, 1, 2, 0, 2]
    for person in range(3, PEOPLE):
        for _ in range(int(chance.integers(1, NEW_FRIENDS + 1))):
            # Who has many friends finds more of them.
            is_stranger = chance.random() < SHARE_OF_STRANGERS
            friend = int(chance.integers(person)) if is_stranger else int(chance.choice(ends))
            if friend != person:
                edges.add((min(friend, person), max(friend, person)))
                ends += [friend, person]
    lines = [f"person {a},person {b}" for a, b in sorted(edges)]
    return "\n".join(["source,target", *lines, ""])
