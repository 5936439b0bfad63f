"""How two graphs on the same vertices differ in their edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.graph.edges import Graph


def n_shared(before: Graph, after: Graph) -> int:
    """Count edges that two graphs on the same vertices share."""
    return int(np.count_nonzero(after.has_edges(*before.edges())))


def n_changes(before: Graph, after: Graph) -> int:
    """Count edges that only one of two graphs has."""
    return before.n_edges + after.n_edges - 2 * n_shared(before, after)


def edge_counts(before: Graph, after: Graph) -> dict[str, Any]:
    """Count edges of a graph and of a changed one on the same vertices."""
    kept = n_shared(before, after)
    return {
        "input": before.n_edges,
        "output": after.n_edges,
        "added": after.n_edges - kept,
        "removed": before.n_edges - kept,
        "kept": kept,
        "overlap": kept / before.n_edges if before.n_edges else 1.0,
    }


def edge_overlap(before: Graph, after: Graph) -> dict[str, float]:
    """Compare edges on the same vertices: share kept, Jaccard, relative change."""
    kept = n_shared(before, after)
    either = before.n_edges + after.n_edges - kept
    size = max(before.n_edges, 1)
    return {
        "kept": kept / size if before.n_edges else 1.0,
        "jaccard": kept / either if either else 1.0,
        "change": (before.n_edges + after.n_edges - 2 * kept) / size,
    }
