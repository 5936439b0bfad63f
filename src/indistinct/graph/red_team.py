"""Use case: attack one's own release, by the same steps as a real one, and count what is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack, get_args

import numpy as np

from indistinct.base.advantage import telling
from indistinct.base.arrays import Floats, Ints
from indistinct.base.former_names import former_names
from indistinct.base.randomness import RandomSource
from indistinct.base.success import success_rate
from indistinct.errors import ParameterError
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.fingerprint_kernels import refine
from indistinct.graph.graph_files import as_graph
from indistinct.graph.grouping import induced
from indistinct.graph.loss_kernels import triangles_at
from indistinct.graph.models.model import GraphModel
from indistinct.graph.models.model_parameters import GraphModelParameters, check_seed, model_of
from indistinct.graph.planted import Memory, PlantedTrial, find, named_sets, plant
from indistinct.graph.release import relabel

FEWEST = 8  # four people inside and outside: a threshold is chosen on half of them
GraphAttack = Literal["walk", "passive", "degree", "refinement", "collusion", "membership"]


@former_names(positional=("attack",))
def attack(  # noqa: PLR0913 - each is a word of the command
    graph: object,
    *,
    attack: GraphAttack = "walk",
    model: str = "naive",
    trials: int = 20,
    size: int | None = None,
    rounds: int = 2,
    seed: int | None = None,
    **words: Unpack[GraphModelParameters],
) -> dict[str, Any]:
    """Publish a graph as a model would, attack the release, and count what is found.

    Parameters
    ----------
    graph : one's own graph, a networkx graph, or a path
    attack : ``walk`` plants vertices before the release; ``passive`` lets vertices that are there
        collude; ``degree`` and ``refinement`` know degrees or ``H_i`` of everybody; ``collusion``
        knows the contact lists of some vertices; ``membership`` releases half of the graph and
        tells its people from those of the other half
    model : how the graph is released, see :func:`~indistinct.graph.anonymization.anonymize`
    trials : releases to attack, at least 1
    size : planted or colluding vertices; default 10 for walk, 4 for passive, 2 for collusion
    rounds : i of ``H_i`` for refinement
    seed : repeats the run
    words : the fields of the model, such as ``k=5``; defaults are those of its ``in_trials``

    Returns
    -------
    ``attempts``, ``successes``, ``rate``, ``interval`` (Wilson, 95 %), and more by attack

    Raises
    ------
    ParameterError : a word or number is out of range

    Notes
    -----
    The search that tolerates errors allows each degree to be off by 2 and two links to be wrong.

    Source: backstrom2007, sections 2 and 4; hay2008, section 3; mauw2018.
    """
    given = as_graph(graph)
    if attack not in get_args(GraphAttack):
        known = ", ".join(get_args(GraphAttack))
        raise ParameterError("the attack is unknown", f"Known attacks: {known}.")
    if trials < 1 or (size is not None and size < 2):  # noqa: PLR2004 - one vertex has no links
        raise ParameterError("trials must be at least 1, and size 2", "Raise them.")
    chosen = model_of(model, words, trials=True)
    check_seed(seed)
    sources = [RandomSource(seed).numbered(trial) for trial in range(trials)]
    match attack:
        case "walk":
            found = [plant_and_find(given, chosen, size or 10, source) for source in sources]
            return planted_document(found)
        case "passive":
            found = [collude_and_find(given, chosen, size or 4, source) for source in sources]
            return planted_document(found)
        case "degree":
            return known_document([know(given, chosen, 1, source) for source in sources])
        case "refinement":
            return known_document([know(given, chosen, rounds, source) for source in sources])
        case "collusion":
            return known_document([share_lists(given, chosen, size or 2, s) for s in sources])
        case "membership":
            return known_document([tell_members(given, chosen, source) for source in sources])


def publish(graph: Graph, model: GraphModel, source: RandomSource) -> tuple[Graph, Ints]:
    """Release a graph as :func:`anonymize` does; give it and who is behind each new number."""
    return relabel(model.anonymize(graph, source).graph, source.shifted())


def rated(successes: float, attempts: int) -> dict[str, Any]:
    """Return the rate of an attack and its interval."""
    found = success_rate(successes, attempts)
    return {"rate": found.rate, "interval": list(found.interval)}


def planted_document(found: Sequence[PlantedTrial]) -> dict[str, Any]:
    """Sum up trials of a search for own vertices."""
    attempts = len(found)
    exact = sum(one.exact for one in found)
    tolerant = sum(one.tolerant for one in found)
    return {
        "attempts": attempts,
        "successes": exact,
        **rated(exact, attempts),
        "tolerant": {"successes": tolerant, **rated(tolerant, attempts)},
        "targets_named": float(np.mean([one.targets for one in found])),
        "links_disclosed": float(np.mean([one.links for one in found])),
        "vertices_visited": float(np.mean([one.visited for one in found])),
    }


def known_document(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Sum up trials of an attacker who knows something of everybody."""
    attempts = int(sum(one["attempts"] for one in found))
    successes = sum(one["successes"] for one in found)
    rest = {key for one in found for key in one} - {"attempts", "successes"}
    return {
        "attempts": attempts,
        "successes": successes,
        **rated(successes, attempts),
        **{key: float(np.mean([one[key] for one in found])) for key in sorted(rest)},
    }


def plant_and_find(
    graph: Graph, model: GraphModel, size: int, source: RandomSource
) -> PlantedTrial:
    """Plant, release, search."""
    chance = np.random.default_rng(source.words(4))
    planted, memory = plant(graph, size, chance)
    return find(*publish(planted, model, source), memory, planted)


def collude_and_find(
    graph: Graph, model: GraphModel, size: int, source: RandomSource
) -> PlantedTrial:
    """Let a vertex and some of its neighbors look for themselves."""
    chance = np.random.default_rng(source.words(4))
    able = np.flatnonzero(graph.degrees >= size - 1)
    if not len(able):
        raise ParameterError(f"nobody has {size - 1} neighbors", "Set a smaller size.")
    first = int(chance.choice(able))
    own = np.concatenate([[first], chance.choice(graph.row(first), size - 1, replace=False)])
    own = own.astype(np.int64)
    pattern = np.array(
        [[other in set(graph.row(int(one)).tolist()) for other in own.tolist()] for one in own]
    )
    memory = Memory(
        own, graph.degrees[own], pattern, np.zeros(size, np.int64), named_sets(graph, own)
    )
    return find(*publish(graph, model, source), memory, graph)


def know(graph: Graph, model: GraphModel, rounds: int, source: RandomSource) -> dict[str, float]:
    """Look for everybody by ``H_i``: a candidate is whoever has the same value in the release.

    Notes
    -----
    Both graphs are colored as one, so equal values have equal colors. A target is named with
    chance 1 / candidates when it is among them.
    """
    released, order = publish(graph, model, source)
    size = graph.n_vertices
    both = from_pairs(
        np.concatenate(
            [np.column_stack(graph.edges()), np.column_stack(released.edges()) + size]
        ).astype(np.int64),
        2 * size,
    )
    colors, n_colors = np.zeros(2 * size, np.int32), 1
    for _ in range(rounds):
        colors, n_colors = refine(both.starts, both.neighbors, colors, n_colors)
    counts = np.bincount(colors[size:], minlength=n_colors)
    place = np.argsort(order)
    right = colors[:size] == colors[size:][place]
    candidates = counts[colors[:size]]
    return {
        "attempts": size,
        "successes": float((right / np.maximum(candidates, 1)).sum()),
        "named": float((right & (candidates == 1)).mean()) if size else 0.0,
        "without_candidates": float((candidates == 0).mean()) if size else 0.0,
    }


def share_lists(
    graph: Graph, model: GraphModel, size: int, source: RandomSource
) -> dict[str, float]:
    """Let identified vertices put their contact lists together and look for their contacts."""
    released, order = publish(graph, model, source)
    chance = np.random.default_rng(source.words(4))
    seeds = chance.choice(graph.n_vertices, min(size, graph.n_vertices), replace=False)
    place = np.argsort(order)
    found = collusion_candidates(graph, released, place, seeds.tolist())
    right = [place[x] in candidates for x, candidates in found.items()]
    chances = [hit / len(c) if c else 0.0 for hit, c in zip(right, found.values(), strict=True)]
    single = {x: next(iter(c)) for x, c in found.items() if len(c) == 1}
    edges = disclosed_edges(released, sorted(single.values()))
    return {
        "attempts": len(found),
        "successes": float(sum(chances)),
        "named": float(sum(single[x] == place[x] for x in single)),
        "edges_disclosed": float(len(edges)),
    }


def collusion_candidates(
    graph: Graph, released: Graph, place: Ints, seeds: Sequence[int]
) -> dict[int, set[int]]:
    """Return the candidates in a release for each contact of identified vertices.

    Parameters
    ----------
    graph : the input, whose contact lists of ``seeds`` are known
    released : the release
    place : (n_vertices,), number of each input vertex in the release; used for ``seeds`` only
    seeds : vertices that know themselves in the release

    Notes
    -----
    A candidate of x is linked to just those seeds that x is linked to.
    """
    lists = {seed: set(graph.row(seed).tolist()) for seed in seeds}
    rows = {seed: set(released.row(int(place[seed])).tolist()) for seed in seeds}
    own = {int(place[seed]) for seed in seeds}
    contacts = {contact for one in lists.values() for contact in one} - set(seeds)
    found: dict[int, set[int]] = {}
    for contact in sorted(contacts):
        knowing = [rows[seed] for seed in seeds if contact in lists[seed]]
        others = [rows[seed] for seed in seeds if contact not in lists[seed]]
        candidates = knowing[0].difference(own, *others)
        found[contact] = candidates.intersection(*knowing)
    return found


def disclosed_edges(released: Graph, identified: Sequence[int]) -> set[tuple[int, int]]:
    """Return the edges of a release between identified vertices, smaller end first."""
    inside = set(identified)
    return {
        (one, other)
        for one in identified
        for other in released.row(one).tolist()
        if one < other and other in inside
    }


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
    """Return the distance of each target to the nearest of some points: (n_targets,)."""
    from scipy.spatial import KDTree  # pyright: ignore[reportMissingTypeStubs] - SciPy has none

    tree: Any = KDTree(known)
    return tree.query(targets)[0]
