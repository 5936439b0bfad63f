"""Use case: publish a graph that protects its vertices."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from indistinct import __version__
from indistinct.base.brief import Confidential
from indistinct.base.randomness import RandomSource
from indistinct.graph.cleaning import left_out
from indistinct.graph.edge_changes import edge_counts
from indistinct.graph.fingerprints import levels
from indistinct.graph.graph_files import as_graph
from indistinct.graph.models.model_parameters import GraphModelParameters, check_seed, model_of
from indistinct.graph.release import GraphRelease, OwnersPart, public_entries, relabel


def anonymize(
    graph: object,
    model: str = "k-degree",
    *,
    keep: Sequence[str] = (),
    seed: int | None = None,
    **words: Unpack[GraphModelParameters],
) -> GraphRelease:
    """Publish a graph: change its edges as the model wants, drop names, number vertices anew.

    Parameters
    ----------
    graph : a :class:`~indistinct.graph.edges.Graph`, a networkx graph, or a path
    model : the name of one of the ``GRAPH_MODELS``, whose classes say what each promises
    keep : vertex attributes that are released; all others are dropped
    seed : makes the run repeatable, for tests; it must not become known
    words : the fields of the model, such as ``k=5`` or ``mode="add"``

    Raises
    ------
    ParameterError : a word or number is unknown, missing or out of range
    DataError : the graph cannot be read
    NoSolutionError : the model cannot be reached within its limits; says how far it came
    """
    begin = time.perf_counter()
    chosen = model_of(model, words)
    check_seed(seed)
    given = as_graph(graph)
    source = RandomSource(seed)
    attributes = dict(given.keeping(keep).attributes)
    changed = chosen.anonymize(given, source)
    attributes |= {name: texts for name, texts in changed.shown.items() if name in attributes}
    kept = replace(changed.graph, attributes=attributes)
    released, order = relabel(kept, source.shifted())
    texts = next(iter(changed.shown.values()), None)
    found = levels(kept, texts) if changed.levels is None else dict(changed.levels)
    more = dict(changed.more)
    for name in changed.shown:
        more["labels"] = {**more["labels"], "released": name in attributes}
    document: dict[str, Any] = {
        "indistinct": __version__,
        "model": chosen.name,
        # Every document has these two words, whatever its model.
        "k": getattr(chosen, "k", None),
        "mode": getattr(chosen, "mode", None),
        "required": chosen.required(),
        "achieved": chosen.achieved(found, more),
        "vertices": given.n_vertices,
        "edges": edge_counts(given, changed.graph),
        "levels": found,
        "cost": changed.cost,
        "lower_bound": changed.lower_bound,
        **more,
        "left_out": left_out(given.cleaning, [n for n in given.attributes if n not in attributes]),
        "cleaning": given.cleaning.document(),
        "seconds": round(time.perf_counter() - begin, 3),
    }
    names = tuple(given.id_of(vertex) for vertex in order.tolist())
    groups = None if changed.groups is None else changed.groups[order]
    owners = Confidential(OwnersPart(document, order, names, groups))
    return GraphRelease(
        released, public_entries(document), owners, changed.grouping, changed.tables
    )
