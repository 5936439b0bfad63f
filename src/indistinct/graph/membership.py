"""Membership: who is in a released network, as far as the links of a person tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.graph.edges import Graph
from indistinct.graph.grouping import induced
from indistinct.graph.loss_kernels import triangles_at
from indistinct.graph.models.model import GraphModel
from indistinct.graph.release import relabel
from indistinct.metrics.advantage import telling

FEWEST = 8  # four people inside and outside: a threshold is chosen on half of them


def tell_members(graph: Graph, model: GraphModel, source: RandomSource) -> dict[str, float]:
    """Release half of a network, and tell its people from those of the other half.

    The attacker knows each target's links within their own half, and says yes where some released
    vertex is near enough. The threshold is chosen on half of the targets and counted on the others.

    Returns
    -------
    attempts, successes : people told, and told rightly; blind guesses are right half of the time
    advantage : the true positive rate less the false positive rate, which follow
    auc : chance that a member's score is above another's, a tie counting half

    Raises
    ------
    ParameterError
        when the network has fewer than 8 people

    Notes
    -----
    O(n log n) beside the release and the counting of triangles.
    """
    if graph.n_vertices < FEWEST:
        raise ParameterError(
            f"fewer than {FEWEST} people are too few to divide", "Give a larger network."
        )
    chance = np.random.default_rng(source.words(4))
    halves = np.array_split(chance.permutation(graph.n_vertices), 2)
    inside, outside = (induced(graph, np.sort(half)) for half in halves)
    released, _ = relabel(model.anonymize(inside, source).graph, source.shifted())
    known = links_of(released)
    scores = [-distances(links_of(half), known) for half in (inside, outside)]
    members, others = (chance.permutation(one) for one in scores)
    found = telling(members, others)
    return {
        "attempts": float(found.right.attempts),
        "successes": found.right.successes,
        "advantage": found.tested.difference,
        "true_positive_rate": found.tested.one.rate,
        "false_positive_rate": found.tested.other.rate,
        "auc": found.auc,
    }


def links_of(graph: Graph) -> Floats:
    """Describe each vertex by its links: (n_vertices, 3), logarithms.

    They are its degree, the sum of its neighbors' degrees, and the links among its neighbors; one
    is added to each, so that a vertex without links has zeros.
    """
    degrees = graph.degrees.astype(np.float64)
    ends = np.repeat(np.arange(graph.n_vertices), graph.degrees)
    around = np.bincount(ends, degrees[graph.neighbors], minlength=graph.n_vertices)
    triangles: Ints = triangles_at(graph.starts, graph.neighbors)
    return np.log1p(np.column_stack([degrees, around, triangles.astype(np.float64)]))


def distances(targets: Floats, known: Floats) -> Floats:
    """Give the distance of each target to the nearest of some points: (n_targets,)."""
    from scipy.spatial import KDTree  # pyright: ignore[reportMissingTypeStubs] - SciPy has none

    tree: Any = KDTree(known)
    return tree.query(targets)[0]
