"""Compiled centralities and the rank correlation that counts pairs."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled


@compiled
def page_rank(
    starts: Ints, neighbors: Codes, damping: float, rounds: int, precise: float
) -> Floats:
    """Return the share of time a random walker with restarts spends at each vertex."""
    n_vertices = len(starts) - 1
    shares = np.full(n_vertices, 1.0 / max(n_vertices, 1))
    for _ in range(rounds):
        lost = 0.0
        given = np.zeros(n_vertices)
        for vertex in range(n_vertices):
            degree = starts[vertex + 1] - starts[vertex]
            if degree == 0:
                lost += shares[vertex]
            else:
                given[vertex] = shares[vertex] / degree
        # Who is at a vertex without edges restarts, so that the shares always sum to 1.
        fresh = np.full(n_vertices, (1.0 - damping + damping * lost) / n_vertices)
        change = 0.0
        for vertex in range(n_vertices):
            total = 0.0
            for entry in range(starts[vertex], starts[vertex + 1]):
                total += given[neighbors[entry]]
            fresh[vertex] += damping * total
            change += abs(fresh[vertex] - shares[vertex])
        shares = fresh
        if change < precise:
            break
    return shares


@compiled
def betweenness_from(starts: Ints, neighbors: Codes, roots: Ints) -> Floats:
    """Sum, over some roots, the shares of shortest paths that pass each vertex: (n_vertices,)."""
    n_vertices = len(starts) - 1
    total = np.zeros(n_vertices)
    distance = np.empty(n_vertices, np.int32)
    paths = np.empty(n_vertices)
    passed = np.empty(n_vertices)
    queue = np.empty(n_vertices, np.int32)
    for root in roots:
        for vertex in range(n_vertices):
            distance[vertex] = -1
        distance[root] = 0
        paths[root] = 1.0
        passed[root] = 0.0
        queue[0] = root
        # ``queue`` lists the vertices reached in order of their distance. When one is taken out,
        # all vertices nearer to the root were, so that the number of its paths is final.
        head, tail = 0, 1
        while head < tail:
            here = queue[head]
            head += 1
            for entry in range(starts[here], starts[here + 1]):
                other = neighbors[entry]
                if distance[other] < 0:
                    distance[other] = distance[here] + 1
                    paths[other] = 0.0
                    passed[other] = 0.0
                    queue[tail] = other
                    tail += 1
                if distance[other] == distance[here] + 1:
                    paths[other] += paths[here]
        # From the furthest on: what passes a vertex is known before it is shared out among those
        # one step nearer, in proportion to their paths. The root at rank 0 is an end of all paths.
        for rank in range(tail - 1, 0, -1):
            here = queue[rank]
            for entry in range(starts[here], starts[here + 1]):
                other = neighbors[entry]
                if distance[other] == distance[here] - 1:
                    passed[other] += paths[other] / paths[here] * (1.0 + passed[here])
            total[here] += passed[here]
    return total


@compiled
def swaps_to_sort(values: Floats) -> int:
    """Sort values in place by merging, and count the pairs that stood in the wrong order."""
    size = len(values)
    other = np.empty(size)
    # Invariant: before a pass, every run of ``width`` values is in order. Equal values are taken
    # from the left run, so that a tie is no swap.
    width, swaps = 1, 0
    while width < size:
        for begin in range(0, size, 2 * width):
            middle, end = min(begin + width, size), min(begin + 2 * width, size)
            left, right = begin, middle
            for place in range(begin, end):
                if left < middle and (right >= end or values[left] <= values[right]):
                    other[place] = values[left]
                    left += 1
                else:
                    other[place] = values[right]
                    right += 1
                    # It passes all that is left of the left run, which is greater.
                    swaps += middle - left
        for place in range(size):
            values[place] = other[place]
        width *= 2
    return swaps
