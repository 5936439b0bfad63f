"""Counting of labels in records of items, for compiled loops."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.kernels import compiled


@compiled
def expand(starts: Ints, items: Ints, parents: Ints) -> tuple[Ints, Ints]:
    """Return all nodes at or above the items of each record.

    Parameters
    ----------
    starts : (n_records + 1,), where each record begins
    items : (n_occurrences,), nodes
    parents : (n_nodes,), -1 for the root
    """
    n_records, n_nodes = len(starts) - 1, len(parents)
    last = np.full(n_nodes, -1, np.int64)
    ends = np.zeros(n_records + 1, np.int64)
    for record in range(n_records):
        n_met = 0
        for place in range(starts[record], starts[record + 1]):
            node = items[place]
            while node >= 0 and last[node] != record:
                last[node] = record
                n_met += 1
                node = parents[node]
        ends[record + 1] = ends[record] + n_met
    nodes = np.empty(ends[n_records], np.int64)
    last[:] = -1
    met = 0
    for record in range(n_records):
        for place in range(starts[record], starts[record + 1]):
            node = items[place]
            while node >= 0 and last[node] != record:
                last[node] = record
                nodes[met] = node
                met += 1
                node = parents[node]
    return ends, nodes


@compiled
def count_pairs(starts: Ints, nodes: Ints, n_nodes: int) -> Codes:
    """Count the records that have two nodes: (n_nodes, n_nodes), single nodes on the diagonal."""
    counts = np.zeros((n_nodes, n_nodes), np.int32)
    for record in range(len(starts) - 1):
        for first in range(starts[record], starts[record + 1]):
            row = counts[nodes[first]]
            for second in range(starts[record], starts[record + 1]):
                row[nodes[second]] += 1
    return counts
