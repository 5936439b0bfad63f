"""Compiled search for planted vertices in a release."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.compiled.kernels import compiled
from indistinct.graph.edges_kernels import are_adjacent


@compiled
def find_planted(
    starts: Ints,
    neighbors: Codes,
    degrees: Ints,
    wanted: Ints,
    pattern: Bools,
    parents: Ints,
    degree_slack: int,
    edge_slack: int,
    budget: int,
) -> tuple[Ints, int, int, int]:
    """Search vertices with given degrees and links among them, depth first.

    Parameters
    ----------
    starts, neighbors, degrees : rows of the release, and its degrees
    wanted : (size,), remembered degree of each planted vertex
    pattern : (size, size), remembered links among them
    parents : (size,), an earlier one each is linked to; the first has none
    degree_slack : most difference of a degree
    edge_slack : most wrong links among the planted vertices
    budget : most vertices to look at

    Returns
    -------
    best : (size,), the vertices of least total error
    error, second : its error and that of the runner-up; -1 for none
    visited : vertices looked at; above the budget when the search was cut short
    """
    size = len(wanted)
    path = np.full(size, -1, np.int64)
    best = np.full(size, -1, np.int64)
    errors = np.zeros(size + 1, np.int64)
    wrong = np.zeros(size + 1, np.int64)
    cursor = np.zeros(size, np.int64)
    used = np.zeros(len(degrees), np.bool_)
    worst = np.int64(2) ** 40
    least, second, visited, depth = worst, worst, 0, 0
    # ``path[:depth]`` are the vertices chosen so far, with the total error ``errors[depth]``, and
    # ``cursor`` is how many candidates of each depth were looked at. Coming back to a depth gives
    # its vertex free.
    while depth >= 0:
        if path[depth] >= 0:
            used[path[depth]] = False
            path[depth] = -1
        if depth == 0:
            low, high = 0, len(degrees)
        else:
            parent = path[parents[depth]]
            low, high = starts[parent], starts[parent + 1]
        found = False
        while low + cursor[depth] < high:
            place = low + cursor[depth]
            cursor[depth] += 1
            vertex = place if depth == 0 else neighbors[place]
            gap = abs(degrees[vertex] - wanted[depth])
            if gap > degree_slack or used[vertex]:
                continue
            visited += 1
            if visited > budget:
                depth = -2
                break
            misses = 0
            for earlier in range(depth):
                linked = are_adjacent(starts, neighbors, vertex, path[earlier])
                misses += linked != pattern[depth, earlier]
            error = errors[depth] + gap + misses
            # Errors only grow along a path, so what is no better than the runner-up never will be.
            if wrong[depth] + misses > edge_slack or error >= second:
                continue
            found = True
            path[depth] = vertex
            errors[depth + 1] = error
            wrong[depth + 1] = wrong[depth] + misses
            break
        if depth < 0:
            break
        if not found:
            cursor[depth] = 0
            depth -= 1
        elif depth == size - 1:
            if errors[size] < least:
                second, least = least, errors[size]
                for place in range(size):
                    best[place] = path[place]
            else:
                second = errors[size]
            # Two places without any error: the attacker cannot tell them apart, and none is better.
            if second == 0:
                break
        else:
            used[path[depth]] = True
            depth += 1
            cursor[depth] = 0
    return best, -1 if least == worst else least, -1 if second == worst else second, visited
