"""Compiled search for communities: vertices moved one by one while the modularity grows."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part
from indistinct.graph.random_kernels import below

# Without it, rounding could send a vertex back and forth between two communities of equal gain.
LEAST_GAIN = 1e-9


@compiled_part
def shuffled(count: int, state: Words) -> Ints:
    """Draw an order of 0..count-1."""
    order = np.empty(count, np.int64)
    for place in range(count):
        order[place] = place
    for last in range(count - 1, 0, -1):
        place = below(state, last + 1)
        order[last], order[place] = order[place], order[last]
    return order


@compiled
def move_vertices(
    starts: Ints, neighbors: Codes, weights: Floats, inside: Floats, state: Words
) -> tuple[Codes, int]:
    """Move each vertex to the community of a neighbor while the modularity grows.

    Parameters
    ----------
    starts, neighbors : rows of the graph
    weights : (n_entries,), weight of the edge to each neighbor
    inside : (n_vertices,), twice the weight of the edges that a vertex stands for
    state : where the order of the vertices is drawn from

    Returns
    -------
    labels : (n_vertices,), communities, numbered 0.. in order of first appearance
    n_labels : how many
    """
    n_vertices = len(starts) - 1
    degrees = inside.copy()
    for vertex in range(n_vertices):
        for entry in range(starts[vertex], starts[vertex + 1]):
            degrees[vertex] += weights[entry]
    total = 0.0
    labels = np.empty(n_vertices, np.int32)
    for vertex in range(n_vertices):
        total += degrees[vertex]
        labels[vertex] = vertex
    # Invariant: ``sums`` is the weight of all ends of edges in each community. Between two vertices
    # ``toward`` is 0 everywhere; only what was touched is set back, so that a vertex costs its
    # degree and not the number of communities.
    sums = degrees.copy()
    toward = np.zeros(n_vertices)
    touched = np.empty(n_vertices, np.int32)
    order = shuffled(n_vertices, state)
    moved = total > 0
    while moved:
        moved = False
        for vertex in order:
            here, count = labels[vertex], 0
            for entry in range(starts[vertex], starts[vertex + 1]):
                label = labels[neighbors[entry]]
                if toward[label] == 0.0:
                    touched[count] = label
                    count += 1
                toward[label] += weights[entry]
            # Gains are compared with the vertex taken out of its own community, so that to stay is
            # one choice among the others. A constant factor is left out of all of them.
            sums[here] -= degrees[vertex]
            best = here
            most = toward[here] - degrees[vertex] * sums[here] / total
            for index in range(count):
                label = touched[index]
                gain = toward[label] - degrees[vertex] * sums[label] / total
                if gain > most + LEAST_GAIN:
                    best, most = label, gain
            for index in range(count):
                toward[touched[index]] = 0.0
            sums[best] += degrees[vertex]
            labels[vertex] = best
            moved = moved or best != here
    numbers = np.full(n_vertices, -1, np.int32)
    n_labels = 0
    for vertex in range(n_vertices):
        if numbers[labels[vertex]] < 0:
            numbers[labels[vertex]] = n_labels
            n_labels += 1
        labels[vertex] = numbers[labels[vertex]]
    return labels, n_labels


@compiled
def merge_vertices(
    starts: Ints, neighbors: Codes, weights: Floats, inside: Floats, labels: Codes, n_labels: int
) -> tuple[Ints, Codes, Floats, Floats]:
    """Make one vertex of each community: rows, weights and what lies inside, as above."""
    n_vertices = len(labels)
    begins = np.zeros(n_labels + 1, np.int64)
    for vertex in range(n_vertices):
        begins[labels[vertex] + 1] += 1
    for label in range(n_labels):
        begins[label + 1] += begins[label]
    members = np.empty(n_vertices, np.int32)
    cursor = begins[:-1].copy()
    for vertex in range(n_vertices):
        members[cursor[labels[vertex]]] = vertex
        cursor[labels[vertex]] += 1
    merged_starts = np.zeros(n_labels + 1, np.int64)
    merged = np.empty(len(neighbors), np.int32)
    merged_weights = np.empty(len(neighbors))
    merged_inside = np.zeros(n_labels)
    # Where a community's entry stands in the row that is being written. An entry before the begin
    # of this row is one of an earlier row, so that nothing has to be set back between rows.
    place = np.full(n_labels, -1, np.int64)
    filled = 0
    for label in range(n_labels):
        for vertex in members[begins[label] : begins[label + 1]]:
            merged_inside[label] += inside[vertex]
            for entry in range(starts[vertex], starts[vertex + 1]):
                other = labels[neighbors[entry]]
                if other == label:
                    # Each such edge is met from both ends, hence counted twice, as it should be.
                    merged_inside[label] += weights[entry]
                elif place[other] < merged_starts[label]:
                    place[other] = filled
                    merged[filled] = other
                    merged_weights[filled] = weights[entry]
                    filled += 1
                else:
                    merged_weights[place[other]] += weights[entry]
        merged_starts[label + 1] = filled
    return merged_starts, merged[:filled], merged_weights[:filled], merged_inside
