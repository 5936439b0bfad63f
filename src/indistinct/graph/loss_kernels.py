"""Compiled measures of a graph: triangles, distances and cores."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled


@compiled
def triangles_at(starts: Ints, neighbors: Codes) -> Ints:
    """Count the triangles each vertex is in: (n_vertices,).

    Notes
    -----
    Every edge points to its end of higher degree, so rows are short: O(n_edges ** 1.5).
    """
    n_vertices = len(starts) - 1
    begins = np.zeros(n_vertices + 1, np.int64)
    ahead = np.empty(len(neighbors) // 2, np.int32)
    filled = 0
    for vertex in range(n_vertices):
        degree = starts[vertex + 1] - starts[vertex]
        for entry in range(starts[vertex], starts[vertex + 1]):
            other = neighbors[entry]
            size = starts[other + 1] - starts[other]
            if size > degree or (size == degree and other > vertex):
                ahead[filled] = other
                filled += 1
        begins[vertex + 1] = filled
    counts = np.zeros(n_vertices, np.int64)
    # Marked with the vertex itself, so that no mark need be erased. A triangle is found once: from
    # its vertex of least degree, which points to both others.
    mark = np.full(n_vertices, -1, np.int32)
    for vertex in range(n_vertices):
        for entry in range(begins[vertex], begins[vertex + 1]):
            mark[ahead[entry]] = vertex
        for entry in range(begins[vertex], begins[vertex + 1]):
            other = ahead[entry]
            for opposite in range(begins[other], begins[other + 1]):
                third = ahead[opposite]
                if mark[third] == vertex:
                    counts[vertex] += 1
                    counts[other] += 1
                    counts[third] += 1
    return counts


@compiled
def distance_counts(starts: Ints, neighbors: Codes, roots: Ints) -> Ints:
    """Count ordered pairs (root, other vertex) at each distance: (n_vertices,), 0 unused."""
    n_vertices = len(starts) - 1
    counts = np.zeros(max(n_vertices, 1), np.int64)
    distance = np.full(n_vertices, -1, np.int32)
    queue = np.empty(n_vertices, np.int32)
    for root in roots:
        for vertex in range(n_vertices):
            distance[vertex] = -1
        distance[root] = 0
        queue[0] = root
        head, tail = 0, 1
        while head < tail:
            here = queue[head]
            head += 1
            for entry in range(starts[here], starts[here + 1]):
                other = neighbors[entry]
                if distance[other] < 0:
                    distance[other] = distance[here] + 1
                    counts[distance[other]] += 1
                    queue[tail] = other
                    tail += 1
    return counts


@compiled
def component_labels(starts: Ints, neighbors: Codes) -> Codes:
    """Return every vertex the number of its connected component: (n_vertices,)."""
    n_vertices = len(starts) - 1
    labels = np.full(n_vertices, -1, np.int32)
    queue = np.empty(n_vertices, np.int32)
    n_components = 0
    for root in range(n_vertices):
        if labels[root] >= 0:
            continue
        labels[root] = n_components
        queue[0] = root
        head, tail = 0, 1
        while head < tail:
            here = queue[head]
            head += 1
            for entry in range(starts[here], starts[here + 1]):
                if labels[neighbors[entry]] < 0:
                    labels[neighbors[entry]] = n_components
                    queue[tail] = neighbors[entry]
                    tail += 1
        n_components += 1
    return labels


@compiled
def multiply(starts: Ints, neighbors: Codes, vector: Floats) -> Floats:
    """Multiply the adjacency matrix with a vector: (n_vertices,)."""
    product = np.zeros(len(vector))
    for vertex in range(len(vector)):
        total = 0.0
        for entry in range(starts[vertex], starts[vertex + 1]):
            total += vector[neighbors[entry]]
        product[vertex] = total
    return product


@compiled
def core_numbers(starts: Ints, neighbors: Codes) -> Codes:
    """Return, per vertex, the greatest c for which it is in a subgraph of degrees >= c.

    Notes
    -----
    Vertices leave in order of their remaining degree, kept sorted by exchange: O(n_edges).

    Source: batagelj2003.
    """
    n_vertices = len(starts) - 1
    cores = np.empty(n_vertices, np.int32)
    most = 0
    for vertex in range(n_vertices):
        cores[vertex] = starts[vertex + 1] - starts[vertex]
        most = max(most, cores[vertex])
    begins = np.zeros(most + 2, np.int64)
    for vertex in range(n_vertices):
        begins[cores[vertex] + 1] += 1
    for degree in range(most + 1):
        begins[degree + 1] += begins[degree]
    order = np.empty(n_vertices, np.int32)
    place = np.empty(n_vertices, np.int64)
    cursor = begins.copy()
    for vertex in range(n_vertices):
        place[vertex] = cursor[cores[vertex]]
        order[place[vertex]] = vertex
        cursor[cores[vertex]] += 1
    for rank in range(n_vertices):
        vertex = order[rank]
        for entry in range(starts[vertex], starts[vertex + 1]):
            other = neighbors[entry]
            if cores[other] > cores[vertex]:
                # Swapped with the first of its block, it becomes the last of the block below.
                first = max(begins[cores[other]], rank + 1)
                front = order[first]
                order[first], order[place[other]] = other, front
                place[front], place[other] = place[other], first
                begins[cores[other]] = first + 1
                cores[other] -= 1
    return cores
