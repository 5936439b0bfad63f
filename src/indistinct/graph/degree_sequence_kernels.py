"""Compiled dynamic programs over a degree sequence in descending order."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.compiled.kernels import compiled

INFINITE = np.int64(2) ** 62  # more than any cost, and a cost can be added without overflow


@compiled
def cheapest_raise(degrees: Ints, k: int) -> tuple[int, Ints]:
    """Group positions so that raising each group to its first degree costs least.

    Parameters
    ----------
    degrees : (n_vertices,), descending, n_vertices >= k
    k : least size of a group

    Returns
    -------
    cost : sum of the raises
    begins : (n_vertices + 1,), where the last group of the best prefix of each length begins

    Notes
    -----
    For a fixed begin the cost is a line in the end, whose slope falls with the begin, so the lower
    envelope is a queue: O(n_vertices), whatever k.
    """
    size = len(degrees)
    best = np.full(size + 1, INFINITE, np.int64)
    best[0] = 0
    begins = np.zeros(size + 1, np.int64)
    sums = np.zeros(size + 1, np.int64)
    for position in range(size):
        sums[position + 1] = sums[position] + degrees[position]
    # Invariant: from front to back, slopes fall and each line is least somewhere between the places
    # where it meets its neighbors. Ends only grow, so what has been overtaken at the front is done.
    queue = np.empty(size + 1, np.int64)
    slopes = np.empty(size + 1, np.int64)
    heights = np.empty(size + 1, np.int64)
    front, back = 0, 0
    for end in range(k, size + 1):
        begin = end - k
        if best[begin] < INFINITE:
            slope = degrees[begin]
            height = best[begin] - slope * begin + sums[begin]
            keep = True
            if back > front and slopes[back - 1] == slope:
                if heights[back - 1] <= height:
                    keep = False
                else:
                    back -= 1
            while keep and back - front >= 2:
                # The last line is nowhere least if the new one falls below the line before it no
                # later than the last does. Multiplied out, for whole numbers compare exactly.
                one, two = back - 2, back - 1
                if (height - heights[one]) * (slopes[one] - slopes[two]) <= (
                    heights[two] - heights[one]
                ) * (slopes[one] - slope):
                    back -= 1
                else:
                    break
            if keep:
                queue[back] = begin
                slopes[back] = slope
                heights[back] = height
                back += 1
        while (
            back - front >= 2
            and slopes[front + 1] * end + heights[front + 1] <= slopes[front] * end + heights[front]
        ):
            front += 1
        if back > front:
            best[end] = slopes[front] * end + heights[front] - sums[end]
            begins[end] = queue[front]
    return best[size], begins


@compiled
def cheapest_move(degrees: Ints, k: int) -> tuple[int, Ints]:
    """Group positions so that moving each group to its median costs least; see cheapest_raise.

    Notes
    -----
    A group of 2k can be cut without raising the cost: O(n_vertices * k).
    """
    size = len(degrees)
    best = np.full(size + 1, INFINITE, np.int64)
    best[0] = 0
    begins = np.zeros(size + 1, np.int64)
    sums = np.zeros(size + 1, np.int64)
    for position in range(size):
        sums[position + 1] = sums[position] + degrees[position]
    for end in range(k, size + 1):
        for begin in range(max(0, end - 2 * k + 1), end - k + 1):
            if best[begin] == INFINITE:
                continue
            # Degrees are in order, so that in the middle is the median, and the sums on both sides
            # of it give all distances from it without another loop.
            middle = (begin + end - 1) >> 1
            cost = (
                best[begin]
                + (sums[middle + 1] - sums[begin])
                - degrees[middle] * (middle + 1 - begin)
                + degrees[middle] * (end - middle - 1)
                - (sums[end] - sums[middle + 1])
            )
            if cost < best[end]:
                best[end] = cost
                begins[end] = begin
    return best[size], begins


@compiled
def cheapest_even(degrees: Ints, k: int, least: int, most: int, add: bool) -> tuple[int, Ints]:
    """Return targets of least cost whose sum is even.

    Parameters
    ----------
    degrees : (n_vertices,), descending
    k : least size of a group
    least, most : offsets a group's level may have from its first degree (``add``), or its median
    add : levels below the first degree of a group are not allowed

    Returns
    -------
    cost : sum of absolute changes; -1 when no such targets exist
    targets : (n_vertices,)

    Notes
    -----
    The state is the end and the parity of the sum so far: O(n_vertices * k).
    """
    size = len(degrees)
    top = degrees[0]
    at_least = np.zeros(top + 4, np.int64)
    for position in range(size):
        at_least[degrees[position]] += 1
    for level in range(top + 2, -1, -1):
        at_least[level] += at_least[level + 1]
    sums = np.zeros(size + 1, np.int64)
    for position in range(size):
        sums[position + 1] = sums[position] + degrees[position]
    # Per end and parity, flat: entry 2 * end + parity.
    best = np.full(2 * size + 2, INFINITE, np.int64)
    best[0] = 0
    begins = np.zeros(2 * size + 2, np.int64)
    levels = np.zeros(2 * size + 2, np.int64)
    for end in range(k, size + 1):
        for begin in range(max(0, end - 2 * k + 1), end - k + 1):
            if best[2 * begin] == INFINITE and best[2 * begin + 1] == INFINITE:
                continue
            anchor = degrees[begin] if add else degrees[(begin + end - 1) >> 1]
            length = end - begin
            for level in range(max(0, anchor + least), min(size - 1, anchor + most) + 1):
                above = min(max(at_least[min(level, top + 3)], begin), end)
                cost = (
                    (sums[above] - sums[begin])
                    - level * (above - begin)
                    + level * (end - above)
                    - (sums[end] - sums[above])
                )
                odd = (length * level) & 1
                for parity in range(2):
                    place = 2 * end + (parity ^ odd)
                    if best[2 * begin + parity] + cost < best[place]:
                        best[place] = best[2 * begin + parity] + cost
                        begins[place] = begin
                        levels[place] = level
    targets = np.zeros(size, np.int64)
    if best[2 * size] >= INFINITE:
        return -1, targets
    end, parity = size, 0
    while end > 0:
        begin, level = begins[2 * end + parity], levels[2 * end + parity]
        for position in range(begin, end):
            targets[position] = level
        parity ^= ((end - begin) * level) & 1
        end = begin
    return best[2 * size], targets


@compiled
def greedy_raise(degrees: Ints, k: int) -> tuple[int, Ints]:
    """Group positions by comparing one more member with a new group; see cheapest_raise.

    Source: liu2008, section 4.2. O(n_vertices).
    """
    size = len(degrees)
    sums = np.zeros(size + 1, np.int64)
    for position in range(size):
        sums[position + 1] = sums[position] + degrees[position]
    begins = np.zeros(size + 1, np.int64)
    cost = 0
    begin = 0
    end = min(k, size)
    while begin < size:
        while size - end >= 1:
            if size - end < k:
                end = size
                break
            # Either the next k begin a group, or the next one joins this group and the k behind it
            # begin one. Fewer than k cannot be a group, and join in any case.
            new = k * degrees[end] - (sums[end + k] - sums[end])
            merge = degrees[begin] - degrees[end]
            if size - end - 1 >= k:
                merge += k * degrees[end + 1] - (sums[end + 1 + k] - sums[end + 1])
            elif size - end - 1 > 0:
                merge += (size - end - 1) * degrees[begin] - (sums[size] - sums[end + 1])
            if merge > new:
                break
            end += 1
        cost += (end - begin) * degrees[begin] - (sums[end] - sums[begin])
        begins[end] = begin
        begin = end
        end = min(begin + k, size)
    return cost, begins


@compiled
def levels_of(degrees: Ints, begins: Ints, kind: int) -> Ints:
    """Return the level of each position's group.

    Parameters
    ----------
    degrees : (n_vertices,), descending
    begins : (n_vertices + 1,), begin of the group that ends at each position
    kind : 0 the group's first degree, 1 its median, 2 its last
    """
    targets = np.empty(len(degrees), np.int64)
    end = len(degrees)
    while end > 0:
        begin = begins[end]
        if kind == 0:
            level = degrees[begin]
        elif kind == 1:
            level = degrees[(begin + end - 1) >> 1]
        else:
            level = degrees[end - 1]
        for position in range(begin, end):
            targets[position] = level
        end = begin
    return targets
