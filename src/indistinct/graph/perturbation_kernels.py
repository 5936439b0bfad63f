"""Compiled swaps of edge ends."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Words
from indistinct.base.compiled.kernels import compiled
from indistinct.graph.random_kernels import below


@compiled
def switch_ends(sources: Codes, targets: Codes, n_vertices: int, swaps: int, state: Words) -> int:
    """Swap ends of edges in place and give the number of swaps done.

    Parameters
    ----------
    sources, targets : (n_edges,), changed in place
    swaps : swaps to do; at most 20 times as many are tried
    """
    # The type of an empty set is unknown to the compiler; -1 is the number of no edge.
    edges = {np.int64(-1)}
    for edge in range(len(sources)):
        low, high = min(sources[edge], targets[edge]), max(sources[edge], targets[edge])
        edges.add(np.int64(low) * n_vertices + high)
    done = 0
    for _ in range(20 * swaps):
        if done == swaps or len(sources) < 2:
            break
        one, two = below(state, len(sources)), below(state, len(sources))
        first, second = sources[one], targets[one]
        third, fourth = sources[two], targets[two]
        if below(state, 2):
            third, fourth = fourth, third
        # A swap that makes a loop or an edge that exists is not done, so the graph stays simple and
        # every vertex keeps its degree.
        if first in {third, fourth} or second in {third, fourth}:
            continue
        left = np.int64(min(first, fourth)) * n_vertices + max(first, fourth)
        right = np.int64(min(third, second)) * n_vertices + max(third, second)
        if left in edges or right in edges:
            continue
        edges.remove(np.int64(min(first, second)) * n_vertices + max(first, second))
        edges.remove(np.int64(min(third, fourth)) * n_vertices + max(third, fourth))
        edges.add(left)
        edges.add(right)
        sources[one], targets[one] = first, fourth
        sources[two], targets[two] = third, second
        done += 1
    return done
