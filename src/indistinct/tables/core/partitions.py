"""How many records of a class no partition of it can release, by a distance to the whole table.

Where all parts of a class that are released are within a distance, their union is, too, if the
distance is convex. So no partition releases more records than the largest part of the class that
is within the distance by itself, whatever becomes of the rest.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.compiling import compiled, compiled_part

MOST_STEPS = 8
# A cost counts as above the limit only if it is so by more than rounding, per record of the class.
MARGIN = 1e-9


@compiled_part
def cost_of_part(
    held: Ints, shares: Floats, nodes: Codes, n_records: float, state: Floats
) -> tuple[float, float]:
    """Return the least cost of carrying a part of a class to the table's shares, and its slope.

    The part has ``n_records`` records, chosen freely from the class. Everything is settled as low
    in the tree as possible, which is cheapest, since all values are equally deep.

    Parameters
    ----------
    held : (n_values,), records of the class per value
    shares : (n_values,), of the whole table
    nodes : (n_levels, n_values), dense numbers of the nodes above each value, one root
    n_records : size of the part, at most that of the class
    state : (8, n_values), room to work in: per node what is left to give and to get, and how fast
        both grow with the size of the part

    Returns
    -------
    cost in records times distance, and its growth per record
    """
    n_levels, n_values = nodes.shape
    for value in range(n_values):
        wanted = shares[value] * n_records
        extra = held[value] - wanted
        state[0, value] = max(extra, 0.0)
        state[1, value] = max(-extra, 0.0)
        state[2, value] = -shares[value] if extra > 0.0 else 0.0
        state[3, value] = 0.0 if extra > 0.0 else shares[value]
    cost, slope = 0.0, 0.0
    n_below = n_values
    for level in range(1, n_levels):
        n_nodes = 0
        for value in range(n_values):
            n_nodes = max(n_nodes, nodes[level, value] + 1)
        # Children are moved to the second half, so that parents can be filled.
        for row in range(4):
            for node in range(n_below):
                state[row + 4, node] = state[row, node]
            for node in range(n_nodes):
                state[row, node] = 0.0
        for value in range(n_values):
            child, parent = nodes[level - 1, value], nodes[level, value]
            for row in range(4):
                state[row, parent] += state[row + 4, child]
                state[row + 4, child] = 0.0
        for node in range(n_nodes):
            row = 0 if state[0, node] < state[1, node] else 1
            moved, growth = state[row, node], state[row + 2, node]
            cost += level / (n_levels - 1) * moved
            slope += level / (n_levels - 1) * growth
            state[0, node] -= moved
            state[1, node] -= moved
            state[2, node] -= growth
            state[3, node] -= growth
        n_below = n_nodes
    return cost, slope


@compiled
def beyond_distance(  # noqa: PLR0913, PLR0917 - the arrays of a compiled loop
    starts: Ints,
    values: Codes,
    counts: Ints,
    sizes: Ints,
    shares: Floats,
    nodes: Codes,
    limit: float,
) -> Ints:
    """Bound the records of each class that every partition leaves in parts beyond a distance.

    Parameters
    ----------
    starts, values, counts : value counts per class
    sizes : (n_classes,)
    shares : (n_values,), of the whole table
    nodes : (n_levels, n_values), the tree of the earth mover's distance, one root
    limit : the greatest distance of a part that is released

    Notes
    -----
    The least cost of a part of s records less ``limit`` * s is convex in s, and 0 at 0. Where it is
    above 0, every larger part is beyond the limit, too. The step goes down from the whole class
    by Newton's method, and believes only what it has evaluated.
    """
    n_values = len(shares)
    held = np.zeros(n_values, np.int64)
    state = np.zeros((8, n_values))
    beyond = np.zeros(len(sizes), np.int64)
    for index in range(len(sizes)):
        size = sizes[index]
        for entry in range(starts[index], starts[index + 1]):
            held[values[entry]] = counts[entry]
        margin = MARGIN * size
        most = size + 1  # every part of so many records is beyond the limit
        part = size
        for _ in range(MOST_STEPS):
            cost, slope = cost_of_part(held, shares, nodes, float(part), state)
            excess = cost - limit * part
            if excess <= margin:
                break
            most = part
            rate = slope - limit
            if rate <= 0.0:
                break
            part = min(np.int64(np.ceil(part - excess / rate)), part - 1)
            if part <= 0:
                break
        beyond[index] = size - (most - 1)
        for entry in range(starts[index], starts[index + 1]):
            held[values[entry]] = 0
    return beyond


def beyond_greatest(sizes: Ints, measures: Floats, limit: float, greatest: Floats) -> Ints:
    """Bound the same by one measure of the whole class that is convex: (n_classes,).

    If w is the share of the records in parts beyond the limit, the whole is at most
    (1 - w) * limit + w * greatest.

    Parameters
    ----------
    sizes, measures : (n_classes,), of the whole classes
    limit : the greatest measure of a part that is released
    greatest : (n_classes,), the greatest measure that any part of each class can have
    """
    is_beyond: Bools = (measures > limit) & (greatest > limit)
    share = np.divide(measures - limit, greatest - limit, out=np.zeros(len(sizes)), where=is_beyond)
    return np.ceil(np.minimum(share, 1.0) * sizes - 1e-6).astype(np.int64).clip(0)
