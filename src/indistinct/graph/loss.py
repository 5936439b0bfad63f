"""What a release cost: edges, degrees, clustering, paths, spectrum and links, before and after."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.graph.communities import communities, modularity
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.grouping import grouping_of
from indistinct.graph.loss_kernels import (
    component_labels,
    core_numbers,
    distance_counts,
    multiply,
    triangles_at,
)
from indistinct.graph.power_law_kernels import fit
from indistinct.graph.ranks import sampled_roots

# A tail of fewer vertices fits any exponent.
FEWEST = 10
# A tenth is what the literature hides; 5000 pairs give the chance within a percent.
HIDDEN = 0.1
MOST = 5000
# Dimensions of the Krylov space: the ends of the spectrum settle long before, and the basis of a
# graph of a million vertices still takes less than a gigabyte.
LANCZOS = 120
# Of how many vertices the reach is measured, and of how many at most where many tie.
TOP, MOST_TOPS = 10, 100


def measure(graph: Graph, source: RandomSource) -> dict[str, Any]:
    """Measure the properties that releases are compared by.

    Parameters
    ----------
    graph : the graph
    source : where the sources of distances are drawn from, above 2000 vertices

    Returns
    -------
    ``transitivity`` (3 * triangles / triples), ``clustering`` (mean over vertices, 0 where the
    degree is below 2), ``triangles``, ``assortativity``, ``path`` (mean over connected pairs),
    ``efficiency`` (mean of 1 / distance), ``diameter`` (longest distance seen), ``lambda_1``
    (largest adjacency eigenvalue), ``mu_2`` (second smallest Laplacian eigenvalue of the largest
    component), ``communities`` and their ``modularity``, ``core`` (largest c of a subgraph of
    degrees >= c), ``power_law`` (of the degrees, see
    :func:`~indistinct.graph.power_law.power_law`), ``link_prediction`` (chance that a hidden edge
    scores above another pair) and ``two_hops`` (mean share of vertices within two steps of
    the ten of highest degree)
    """
    triangles = triangles_at(graph.starts, graph.neighbors)
    degrees = graph.degrees
    pairs = degrees * (degrees - 1) // 2
    open_pairs = int(pairs.sum())
    local = np.divide(triangles, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return {
        "transitivity": int(triangles.sum()) / open_pairs if open_pairs else 0.0,
        "clustering": float(local.mean()) if len(local) else 0.0,
        "triangles": int(triangles.sum()) // 3,
        "assortativity": assortativity(graph),
        **distances(graph, source),
        "lambda_1": largest_eigenvalue(graph),
        "mu_2": algebraic_connectivity(graph),
        **community_numbers(graph, source),
        "core": int(core_numbers(graph.starts, graph.neighbors).max(initial=0)),
        "power_law": power_law(degrees),
        "link_prediction": link_prediction(graph, source),
        "two_hops": two_hops(graph),
    }


def community_numbers(graph: Graph, source: RandomSource) -> dict[str, Any]:
    """Count communities, and give their modularity."""
    found = communities(graph, source)
    return {"communities": len(np.unique(found)), "modularity": modularity(graph, found)}


def two_hops(graph: Graph) -> float:
    """Return the mean share of vertices within two steps of those of highest degree.

    Notes
    -----
    Of the ten of highest degree and whoever ties with the last, at most a hundred.
    """
    if graph.n_vertices == 0:
        return 0.0
    least = np.sort(graph.degrees)[-min(TOP, graph.n_vertices)]
    tops = np.flatnonzero(graph.degrees >= least)[:MOST_TOPS].tolist()
    return sum(near_count(graph, top) for top in tops) / (len(tops) * graph.n_vertices)


def near_count(graph: Graph, vertex: int) -> int:
    """Count the vertices within two steps of one, itself included."""
    near = graph.row(vertex)
    rows = [graph.row(other) for other in near.tolist()]
    return len(np.unique(np.concatenate([[vertex], near, *rows])))


def assortativity(graph: Graph) -> float:
    """Return the correlation of the degrees at the ends of edges; 0 where all degrees are equal."""
    sources, targets = graph.edges()
    ends = graph.degrees[np.concatenate([sources, targets])].astype(float)
    others = graph.degrees[np.concatenate([targets, sources])].astype(float)
    spread = ends.var() if len(ends) else 0.0
    return float(((ends * others).mean() - ends.mean() ** 2) / spread) if spread > 0 else 0.0


def distances(graph: Graph, source: RandomSource) -> dict[str, Any]:
    """Return mean path, efficiency and diameter, exact or from sampled sources."""
    n_vertices = graph.n_vertices
    roots = sampled_roots(graph, source)
    counts = distance_counts(graph.starts, graph.neighbors, roots)
    lengths = np.arange(len(counts))
    reached = int(counts.sum())
    pairs = len(roots) * (n_vertices - 1)
    return {
        "path": float((counts * lengths).sum() / reached) if reached else 0.0,
        "efficiency": float((counts[1:] / lengths[1:]).sum() / pairs) if pairs > 0 else 0.0,
        "diameter": int(np.flatnonzero(counts).max(initial=0)),
    }


def largest_component(graph: Graph) -> Graph:
    """Return the subgraph of the component with most vertices."""
    labels = component_labels(graph.starts, graph.neighbors)
    inside = labels == np.bincount(labels).argmax()
    new = np.cumsum(inside) - 1
    sources, targets = graph.edges()
    kept = inside[sources]
    pairs = np.column_stack([new[sources[kept]], new[targets[kept]]])
    return from_pairs(pairs.astype(np.int64), int(inside.sum()))


def largest_eigenvalue(graph: Graph) -> float:
    """Return the largest eigenvalue of the adjacency matrix."""
    if graph.n_edges == 0:
        return 0.0
    return float(lanczos(graph, np.zeros(graph.n_vertices), 1.0, None)[-1])


def algebraic_connectivity(graph: Graph) -> float:
    """Return the second smallest Laplacian eigenvalue of the largest component.

    Notes
    -----
    Exact up to 120 vertices; above, the best of a Krylov space of 120 dimensions, an upper bound.
    """
    if graph.n_edges == 0:
        return 0.0
    whole = largest_component(graph)
    constant = np.full(whole.n_vertices, whole.n_vertices**-0.5)
    return float(max(lanczos(whole, whole.degrees.astype(float), -1.0, constant)[0], 0.0))


def lanczos(graph: Graph, diagonal: Floats, sign: float, orthogonal_to: Floats | None) -> Floats:
    """Return ascending Ritz values of ``diag(diagonal) + sign * adjacency``.

    Parameters
    ----------
    graph : the graph
    diagonal : (n_vertices,)
    sign : 1 or -1
    beside : a unit vector whose direction is left out

    Notes
    -----
    Lanczos with full reorthogonalization from a fixed start: O(120 * n_edges + 120**2 * n).
    """
    size = graph.n_vertices
    steps = min(LANCZOS, size - (orthogonal_to is not None))
    basis = np.zeros((steps + 1, size))
    # A fixed start that no symmetry of a graph is likely to share, so that a measure needs no seed.
    vector = 1.0 + np.sin(np.arange(1, size + 1)) / 2
    alphas, betas = np.zeros(steps), np.zeros(steps)
    for step in range(steps):
        # Once loses orthogonality to rounding; twice is enough (Kahan's "twice is enough").
        for _ in range(2):
            vector = vector - basis[:step].T @ (basis[:step] @ vector)
            if orthogonal_to is not None:
                vector = vector - orthogonal_to * (orthogonal_to @ vector)
        norm = float(np.linalg.norm(vector))
        scale = betas[step - 1] if step else norm
        # The space holds no further direction: what is left is rounding, and would be noise.
        if norm < 1e-10 * max(scale, 1.0):
            steps = step
            break
        if step:
            betas[step - 1] = norm
        basis[step] = vector / norm
        vector = diagonal * basis[step] + sign * multiply(
            graph.starts, graph.neighbors, basis[step]
        )
        alphas[step] = basis[step] @ vector
    off = betas[: max(steps - 1, 0)]
    matrix = np.diag(alphas[:steps]) + np.diag(off, 1) + np.diag(off, -1)
    return np.asarray(np.linalg.eigvalsh(matrix) if steps else np.zeros(1), np.float64)


def core_distance(before: Graph, after: Graph) -> dict[str, float]:
    """Compare how deep vertices lie in cores; see :func:`degree_distance`."""
    given, found = (
        core_numbers(graph.starts, graph.neighbors).astype(np.int64) for graph in (before, after)
    )
    return degree_distance(given, found)


def degree_distance(before: Ints, after: Ints) -> dict[str, float]:
    """Compare degree distributions: earth mover's and Kolmogorov-Smirnov distance, L1 of sorted.

    Parameters
    ----------
    before, after : (n,) and (m,), degrees; ``sorted_l1`` is given for n = m only
    """
    most = int(max(before.max(initial=0), after.max(initial=0))) + 1
    shares = [
        np.cumsum(np.bincount(one, minlength=most)) / max(len(one), 1) for one in (before, after)
    ]
    gap = np.abs(shares[0] - shares[1])
    found = {"emd": float(gap.sum()), "ks": float(gap.max())}
    if len(before) == len(after):
        found["sorted_l1"] = float(np.abs(np.sort(before) - np.sort(after)).sum())
    return found


def edge_disclosure(graph: Graph, classes: Codes, threshold: float = 0.5) -> dict[str, Any]:
    """Return how surely classes of a release tell that two of their members are linked.

    Parameters
    ----------
    graph : the release
    classes : (n_vertices,), class of each vertex, numbered 0..n_classes-1
    threshold : pairs of classes with at least this chance count, in (0, 1]

    Returns
    -------
    ``largest`` chance, and the vertex ``pairs`` at or above the threshold and ``certain`` ones
    """
    linked = grouping_of(graph, classes)
    chance, counts, pairs = linked.edge_probabilities(), linked.counts, linked.places
    return {
        "largest": float(chance.max(initial=0.0)),
        "pairs": int(pairs[chance >= threshold].sum()),
        "certain": int(pairs[counts == pairs].sum()),
    }


def link_prediction(graph: Graph, source: RandomSource) -> float | None:
    """Return the chance that a hidden edge scores higher than a pair that is no edge (the AUC).

    Parameters
    ----------
    graph : the graph
    source : where hidden edges and other pairs are drawn from

    Returns
    -------
    in [0, 1], 1/2 for guessing; None where there is no edge or nothing but edges

    Notes
    -----
    A tenth of the edges, at most 5000, are hidden; a pair scores the sum of 1 / degree over
    common neighbors among the other edges.

    Source: zhou2009, its index of resource allocation.
    """
    chance = np.random.default_rng(source.words(4))
    size = graph.n_vertices
    count = min(max(round(HIDDEN * graph.n_edges), 1), MOST)
    if graph.n_edges == 0 or 2 * graph.n_edges == size * (size - 1):
        return None
    sources, targets = graph.edges()
    order = chance.permutation(graph.n_edges)
    hidden, rest = order[:count], order[count:]
    known = graph.with_edges(sources[rest], targets[rest])
    others = pairs_without_edges(graph, count, chance)
    return above(scores(known, sources[hidden], targets[hidden]), scores(known, *others))


def pairs_without_edges(
    graph: Graph, count: int, chance: np.random.Generator
) -> tuple[Codes, Codes]:
    """Draw pairs of distinct vertices that are no edge, with replacement."""
    found = np.empty((0, 2), np.int32)
    while len(found) < count:
        pairs = chance.integers(0, graph.n_vertices, (2 * count, 2)).astype(np.int32)
        one, other = pairs[:, 0].copy(), pairs[:, 1].copy()
        free = (one != other) & ~graph.has_edges(one, other)
        found = np.concatenate([found, pairs[free]])
    return found[:count, 0].copy(), found[:count, 1].copy()


def scores(graph: Graph, ones: Codes, others: Codes) -> Floats:
    """Return pairs of vertices the sum of 1 / degree over their common neighbors: (n_pairs,)."""
    shares = 1.0 / np.maximum(graph.degrees, 1)
    return np.array(
        [
            shares[np.intersect1d(graph.row(one), graph.row(other), assume_unique=True)].sum()
            for one, other in zip(ones.tolist(), others.tolist(), strict=True)
        ]
    )


def above(high: Floats, low: Floats) -> float:
    """Return the chance that a number of the first exceeds one of the second; ties count half."""
    ordered = np.sort(low)
    less = np.searchsorted(ordered, high, side="left")
    no_more = np.searchsorted(ordered, high, side="right")
    return float((less + no_more).sum() / (2 * len(high) * len(low)))


def power_law(degrees: Ints) -> dict[str, Any]:
    """Fit a discrete power law to the tail of degrees that it fits best.

    Parameters
    ----------
    degrees : (n_vertices,), at least 0

    Returns
    -------
    ``exponent``, between 1.01 and 12, ``least`` (the degree the tail begins at) and ``distance``
    (Kolmogorov-Smirnov, of the tail); None for a tail of fewer than 10 vertices or one degree

    Notes
    -----
    That it is fitted does not say that it fits: see the distance. O(n_distinct ** 2).

    Source: clauset2009, sections 3.1 and 3.3.
    """
    values, counts = np.unique(degrees[degrees > 0], return_counts=True)
    exponent, least, distance = fit(values.astype(np.int64), counts.astype(np.int64), FEWEST)
    if least == 0:
        return {"exponent": None, "least": None, "distance": None}
    return {"exponent": float(exponent), "least": int(least), "distance": float(distance)}
