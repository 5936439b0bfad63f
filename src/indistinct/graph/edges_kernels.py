"""Compiled loops over edges: read whole numbers, lay out rows, look up pairs."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

Bytes = NDArray[np.uint8]

SPACE, TAB, COMMA, SEMICOLON, PIPE, QUOTE = 32, 9, 44, 59, 124, 34
RETURN, NEWLINE, HASH, PERCENT, ZERO, NINE = 13, 10, 35, 37, 48, 57


@compiled
def parse_pairs(data: Bytes, begin: int, only_pairs: bool) -> tuple[Ints, int]:
    """Read the first two whole numbers of each line.

    Parameters
    ----------
    data : the file
    begin : offset of the first line to read
    only_pairs : whether a line must hold nothing else

    Returns
    -------
    pairs : (2 * n_lines,), one after the other, of the lines that are neither blank nor comments
    stop : offset of the first line that is not so, or of a comment below a pair; -1 if all are
    """
    size = len(data)
    lines = 1
    for offset in range(begin, size):
        if data[offset] == NEWLINE:
            lines += 1
    pairs = np.empty(2 * lines, np.int64)
    filled = 0
    offset = begin
    stop = -1
    while offset < size and stop < 0:
        line = offset
        while offset < size and (data[offset] == SPACE or data[offset] == TAB):
            offset += 1
        blank = offset == size or data[offset] == NEWLINE or data[offset] == RETURN
        if not blank and data[offset] != HASH and data[offset] != PERCENT:
            for column in range(2):
                quoted = offset < size and data[offset] == QUOTE
                if quoted:
                    offset += 1
                first = offset
                number = 0
                while offset < size and ZERO <= data[offset] <= NINE:
                    number = number * 10 + data[offset] - ZERO
                    offset += 1
                digits = offset - first
                # 18 digits fit into 64 bits. A number that begins with 0 is a text like 007, which
                # must come back as it was.
                if digits == 0 or digits > 18 or (digits > 1 and data[first] == ZERO):
                    stop = line
                    break
                if quoted:
                    if offset == size or data[offset] != QUOTE:
                        stop = line
                        break
                    offset += 1
                pairs[2 * filled + column] = number
                ended = offset
                while offset < size and (
                    data[offset] == SPACE
                    or data[offset] == TAB
                    or data[offset] == COMMA
                    or data[offset] == SEMICOLON
                    or data[offset] == PIPE
                ):
                    offset += 1
                line_ends = offset == size or data[offset] == NEWLINE or data[offset] == RETURN
                if (
                    (column == 0 and line_ends)
                    or (ended == offset and not line_ends)
                    or (column == 1 and only_pairs and not line_ends)
                ):
                    stop = line
                    break
            if stop < 0:
                filled += 1
        elif not blank and filled > 0:
            stop = line
        while offset < size and data[offset] != NEWLINE:
            offset += 1
        offset += 1
    return pairs[: 2 * filled].copy(), stop


@compiled
def lay_out(n_vertices: int, sources: Codes, targets: Codes) -> tuple[Ints, Codes]:
    """Lay out sorted rows of neighbors.

    Parameters
    ----------
    n_vertices : number of vertices
    sources, targets : (n_edges,), sorted by (source, target), each source < its target

    Returns
    -------
    starts : (n_vertices + 1,), where each row begins
    neighbors : (2 * n_edges,), sorted within each row

    Notes
    -----
    Smaller neighbors come first because edges are sorted by source, larger ones after them because
    a row's own edges are sorted by target. O(n_vertices + n_edges).
    """
    starts = np.zeros(n_vertices + 1, np.int64)
    for edge in range(len(sources)):
        starts[sources[edge] + 1] += 1
        starts[targets[edge] + 1] += 1
    for vertex in range(n_vertices):
        starts[vertex + 1] += starts[vertex]
    cursor = np.empty(n_vertices, np.int64)
    for vertex in range(n_vertices):
        cursor[vertex] = starts[vertex]
    neighbors = np.empty(2 * len(sources), np.int32)
    for edge in range(len(sources)):
        neighbors[cursor[targets[edge]]] = sources[edge]
        cursor[targets[edge]] += 1
    for edge in range(len(sources)):
        neighbors[cursor[sources[edge]]] = targets[edge]
        cursor[sources[edge]] += 1
    return starts, neighbors


@compiled
def upper_edges(starts: Ints, neighbors: Codes) -> tuple[Codes, Codes]:
    """List every edge once, by its smaller end: two arrays of (n_edges,)."""
    sources = np.empty(len(neighbors) // 2, np.int32)
    targets = np.empty(len(neighbors) // 2, np.int32)
    filled = 0
    for vertex in range(len(starts) - 1):
        for entry in range(starts[vertex], starts[vertex + 1]):
            if neighbors[entry] > vertex:
                sources[filled] = vertex
                targets[filled] = neighbors[entry]
                filled += 1
    return sources, targets


@compiled_part
def first_not_below(values: Codes, low: int, high: int, value: int) -> int:
    """Find the first of the sorted values[low:high] that is not below ``value``; else ``high``."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled_part
def are_adjacent(starts: Ints, neighbors: Codes, one: int, other: int) -> bool:
    """Look up an edge by bisection of the shorter row: O(log(degree))."""
    if starts[one + 1] - starts[one] > starts[other + 1] - starts[other]:
        one, other = other, one
    entry = first_not_below(neighbors, starts[one], starts[one + 1], other)
    return entry < starts[one + 1] and neighbors[entry] == other


@compiled
def have_edges(starts: Ints, neighbors: Codes, sources: Codes, targets: Codes) -> Bools:
    """Return for each pair whether it is an edge: (n_pairs,)."""
    found = np.empty(len(sources), np.bool_)
    for pair in range(len(sources)):
        found[pair] = are_adjacent(
            starts, neighbors, np.int64(sources[pair]), np.int64(targets[pair])
        )
    return found
