"""Fingerprints: what an attacker may know of a vertex, as a code per vertex.

A graph is a table whose quasi-identifier is a fingerprint: vertices with equal codes are an
equivalence class, and the smallest class is the level of protection against that knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Ints, Words
from indistinct.errors import ParameterError
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprint_kernels import neighborhood_words, refine, split_by_isomorphism

# Candidate pairs per comparison of two neighborhoods, far above what real ones take.
MOST_PAIRS = 1_000_000

KNOWLEDGE = ("degree", "h2", "h3", "h4", "neighborhood")

# Where the steps of a histogram of candidates begin.
CANDIDATES = (1, 2, 5, 10, 20, 50, 100, 1000)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Fingerprints:
    """Vertices by what is known of them: a table with one quasi-identifier.

    Parameters
    ----------
    codes : (n_vertices,), equal codes cannot be told apart; numbered 0..n_classes-1
    undecided : vertices whose comparison was given up; each counts as a class of its own
    """

    codes: Codes
    undecided: int = 0

    @property
    def sizes(self) -> Ints:
        """Vertices per class: (n_classes,)."""
        return np.bincount(self.codes).astype(np.int64)

    @property
    def level(self) -> int:
        """Size of the smallest class; 0 without vertices."""
        return int(self.sizes.min(initial=len(self.codes)))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.sizes)

    @property
    def unique_share(self) -> float:
        """Share of vertices that stand alone."""
        return float(np.count_nonzero(self.sizes == 1)) / max(len(self.codes), 1)

    @property
    def expected_success(self) -> float:
        """Chance to name a uniformly chosen vertex: the mean of 1 / class size."""
        return self.n_classes / max(len(self.codes), 1)

    def histogram(self) -> dict[str, int]:
        """Count vertices by how many candidates each has, itself included: ``1``, ``2-4`` ...

        Notes
        -----
        Spans without a vertex are left out.
        """
        begins = np.array(CANDIDATES)
        places = np.searchsorted(begins, self.sizes, side="right") - 1
        counts = np.bincount(places, self.sizes, len(begins)).astype(np.int64)
        ends = [*(begin - 1 for begin in CANDIDATES[1:]), None]
        return {
            span(begin, end): int(count)
            for begin, end, count in zip(CANDIDATES, ends, counts.tolist(), strict=True)
            if count
        }

    def below(self, k: int) -> int:
        """Count the vertices in classes smaller than ``k``."""
        return int(self.sizes[self.sizes < k].sum())


def span(begin: int, end: int | None) -> str:
    """Name the numbers from one to another."""
    if end is None:
        return f"{begin}+"
    return str(begin) if begin == end else f"{begin}-{end}"


def degree_fingerprints(graph: Graph) -> Fingerprints:
    """Code each vertex by its degree (H1 of hay2008)."""
    return Fingerprints(dense(graph.degrees))


def refined_fingerprints(graph: Graph, rounds: int) -> Fingerprints:
    """Code each vertex by ``H_i``: H_0 is constant, H_i the multiset of the neighbors' H_(i-1).

    Parameters
    ----------
    graph : the graph
    rounds : i, at least 0

    Notes
    -----
    Exact. O(rounds * n_edges). Source: hay2008, section 3.2.
    """
    codes, n_codes = np.zeros(graph.n_vertices, np.int32), 1
    for _ in range(rounds):
        codes, n_codes = refine(graph.starts, graph.neighbors, codes, n_codes)
    return Fingerprints(codes)


def stable_fingerprints(graph: Graph) -> Fingerprints:
    """Code each vertex by ``H*``: refined until the number of classes no longer grows."""
    codes, n_codes = np.zeros(graph.n_vertices, np.int32), 1
    while True:
        finer, n_finer = refine(graph.starts, graph.neighbors, codes, n_codes)
        if n_finer <= n_codes:
            return Fingerprints(codes)
        codes, n_codes = finer, n_finer


def neighborhood_fingerprints(
    graph: Graph, labels: Sequence[object] | None = None, most_pairs: int = MOST_PAIRS
) -> Fingerprints:
    """Code each vertex by the subgraph among its neighbors, up to isomorphism.

    Parameters
    ----------
    graph : the graph
    labels : (n_vertices,), a label per vertex that isomorphisms must respect
    most_pairs : most candidate pairs per comparison of two neighborhoods

    Notes
    -----
    Order-free words find candidates; an exact comparison decides. Source: zhou2008, section 2.
    """
    return split(graph, label_words(graph, labels), np.arange(graph.n_vertices), most_pairs)


def split(graph: Graph, words: Words, members: Ints, most_pairs: int = MOST_PAIRS) -> Fingerprints:
    """Code some vertices by their neighborhoods."""
    rows = graph.starts, graph.neighbors
    keys = neighborhood_words(*rows, words, members)
    order = np.argsort(keys, kind="stable")
    codes, _, undecided = split_by_isomorphism(*rows, words, members, keys, order, most_pairs)
    return Fingerprints(codes, undecided)


def neighborhood_level(graph: Graph, labels: Sequence[object] | None = None) -> int:
    """Return the size of the smallest class of neighborhoods, labeled ones when there are labels.

    Notes
    -----
    Equal neighborhoods have equal degrees, so degree classes are split one by one, small ones
    first, until a vertex stands alone: below that no level can fall.
    """
    degrees = degree_fingerprints(graph)
    by_class = np.argsort(degrees.codes, kind="stable").astype(np.int64)
    ends = np.cumsum(degrees.sizes)
    words = label_words(graph, labels)
    least = graph.n_vertices
    for number in np.argsort(degrees.sizes, kind="stable").tolist():
        members = by_class[ends[number] - degrees.sizes[number] : ends[number]]
        least = min(least, level_among(graph, words, members))
        if least == 1:
            break
    return least


def level_among(graph: Graph, words: Words, members: Ints) -> int:
    """Return the size of the smallest class of neighborhoods among some vertices.

    Notes
    -----
    A vertex whose word no other has stands alone, and no comparison is needed to know it.
    """
    rows = graph.starts, graph.neighbors
    keys = neighborhood_words(*rows, words, members)
    if np.unique(keys, return_counts=True)[1].min() == 1:
        return 1
    return split(graph, words, members).level


def label_words(graph: Graph, labels: Sequence[object] | None) -> Words:
    """Return a word per vertex that is equal for equal labels."""
    if labels is None:
        return np.zeros(graph.n_vertices, np.uint64)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(labels), 1)}
    return np.array([numbers[label] for label in labels], np.uint64)


def dense(values: Ints) -> Codes:
    """Return the numbers 0.. of values, in ascending order."""
    return np.unique(values, return_inverse=True)[1].astype(np.int32)


def fingerprints(graph: Graph, knowledge: str) -> Fingerprints:
    """Code each vertex by ``degree``, ``h1`` ... ``h9``, ``h*`` or ``neighborhood``.

    Raises
    ------
    ParameterError : the word is none of these
    """
    word = knowledge.lower()
    if word == "degree":
        return degree_fingerprints(graph)
    if word == "neighborhood":
        return neighborhood_fingerprints(graph)
    if word == "h*":
        return stable_fingerprints(graph)
    if len(word) == 2 and word[0] == "h" and word[1].isdigit():  # noqa: PLR2004 - h and a digit
        return refined_fingerprints(graph, int(word[1]))
    raise ParameterError("this knowledge is unknown", "Use degree, h1 to h9, h* or neighborhood.")


def levels(graph: Graph, labels: Sequence[object] | None = None) -> dict[str, int]:
    """Return the size of the smallest class under each knowledge of a release's document.

    Parameters
    ----------
    graph : the graph
    labels : (n_vertices,), that neighborhoods must share
    """
    h2 = refined_fingerprints(graph, 2).level
    return {
        "degree": degree_fingerprints(graph).level,
        "h2": h2,
        # Each round splits classes only, so the level stays 1 once it is.
        "h3": refined_fingerprints(graph, 3).level if h2 > 1 else h2,
        "neighborhood": neighborhood_level(graph, labels),
    }
