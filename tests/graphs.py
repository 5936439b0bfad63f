"""Graphs for tests: seven people, public networks, Hypothesis strategies, plain definitions."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from indistinct.graph.edges import Graph, from_networkx, from_pairs
from indistinct.graph.graph_files import read
from shared import shared

PEOPLE = "ABCDEFG"
SEVEN_EDGES = ["AB", "AC", "AE", "BC", "BE", "BD", "CD", "CF", "CG", "DF", "DG"]

FILES = {
    "karate": "karate.metis.graph",
    "lesmis": "lesmis.metis.graph",
    "jazz": "jazz.metis.graph",
    "celegans_metabolic": "celegans_metabolic.metis.graph",
    "email-Eu-core": "email-Eu-core.txt",
    "polblogs": "polblogs.metis.graph",
    "FB": "FB.txt",
    "power": "power.metis.graph",
    "ca-GrQc": "ca-GrQc.txt",
    "hep-th": "hep-th.metis.graph",
    "email-enron": "email-enron.csv.gz",
}


def seven(*more: str) -> Graph:
    """Return the seven people, with more edges such as ``AD``."""
    return letters([*SEVEN_EDGES, *more], PEOPLE)


def letters(edges: list[str], vertices: str) -> Graph:
    """Return a graph of one-letter vertices."""
    pairs = [(vertices.index(one), vertices.index(other)) for one, other in edges]
    graph = from_pairs(np.array(pairs, np.int64).reshape(-1, 2), len(vertices))
    return Graph(graph.starts, graph.neighbors, tuple(vertices))


def public(name: str) -> Graph:
    """Read a public network, or skip the test."""
    return read(shared(f"data/graphs/{FILES[name]}"))


def edge_set(graph: Graph) -> set[tuple[int, int]]:
    """Return the edges as pairs, smaller end first."""
    sources, targets = graph.edges()
    return set(zip(sources.tolist(), targets.tolist(), strict=True))


def level(values) -> int:
    """Return the size of the smallest class of equal values."""
    return int(np.unique(np.asarray(values), return_counts=True)[1].min())


def partition(codes) -> set[frozenset[int]]:
    """Return classes of equal codes as sets of positions."""
    classes: dict[object, set[int]] = {}
    for position, code in enumerate(codes):
        classes.setdefault(code, set()).add(position)
    return {frozenset(members) for members in classes.values()}


def lettered(codes) -> set[str]:
    """Return classes of equal codes as words of letters."""
    return {"".join(PEOPLE[i] for i in sorted(members)) for members in partition(codes)}


@st.composite
def graphs(draw, least: int = 1, most: int = 9) -> Graph:
    """Draw any simple graph of few vertices."""
    size = draw(st.integers(least, most))
    pairs = list(itertools.combinations(range(size), 2))
    chosen = [pair for pair in pairs if draw(st.booleans())]
    return from_pairs(np.array(chosen, np.int64).reshape(-1, 2), size)


def named(graph: nx.Graph) -> Graph:
    """Take a networkx graph whose nodes are 0..n-1."""
    return from_networkx(graph)
