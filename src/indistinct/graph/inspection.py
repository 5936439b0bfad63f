"""Use case: see how much a graph gives away as it stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.graph.edges import Graph
from indistinct.graph.fingerprints import KNOWLEDGE, fingerprints
from indistinct.graph.graph_files import as_graph


def inspect(graph: object, *, k: int = 5) -> dict[str, Any]:
    """Describe a graph and how well its vertices can be told apart under each knowledge.

    Parameters
    ----------
    graph : a graph, a networkx graph, or a path
    k : classes smaller than this count as small

    Returns
    -------
    ``vertices``, ``edges``, ``isolated``, ``cleaning``, ``attributes``, ``degrees``, ``levels``
    and per knowledge ``classes``, ``unique`` and ``small`` (shares of vertices in [0, 1]) and
    ``expected_success`` (chance to name a uniformly chosen vertex) and ``candidates`` (vertices by
    how many look like each)
    """
    given = as_graph(graph)
    knowledge = {name: describe(given, name, k) for name in KNOWLEDGE}
    degrees = given.degrees
    return {
        "vertices": given.n_vertices,
        "edges": given.n_edges,
        "isolated": int(np.count_nonzero(degrees == 0)),
        "cleaning": given.cleaning.document(),
        "attributes": list(given.attributes),
        "degrees": {
            "mean": float(degrees.mean()) if len(degrees) else 0.0,
            "largest": int(degrees.max(initial=0)),
        },
        "levels": {name: one["level"] for name, one in knowledge.items()},
        "knowledge": knowledge,
    }


def describe(graph: Graph, name: str, k: int) -> dict[str, Any]:
    """Describe the classes under one knowledge."""
    found = fingerprints(graph, name)
    return {
        "level": found.level,
        "classes": found.n_classes,
        "unique": found.unique_share,
        "small": found.below(k) / max(graph.n_vertices, 1),
        "expected_success": found.expected_success,
        "candidates": found.histogram(),
        "undecided": found.undecided,
    }
