"""Labeled neighborhoods: alike up to isomorphism and words, and no word broader than it must be."""

from __future__ import annotations

import math

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

from graphs import edge_set, graphs, named, seven
from indistinct.base.hierarchy_builders import from_rows, tree_rows
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.edge_changes import n_changes
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprints import neighborhood_fingerprints
from indistinct.graph.k_neighborhood import SearchLimits, anonymize_labeled
from indistinct.graph.labels import vertex_labels

TREE = from_rows(tree_rows({"ab": ["a", "b"], "cd": ["c", "d"]}))
FREE = SearchLimits(max_loss=1.0, seconds=20)
ANCESTORS = {"a": {"a", "ab", "*"}, "b": {"b", "ab", "*"}, "c": {"c", "cd", "*"}}


def plain_level(graph, texts):
    whole = graph.to_networkx()
    nx.set_node_attributes(whole, dict(enumerate(texts)), "label")
    same = nx.isomorphism.categorical_node_match("label", None)
    alike = [
        sum(
            texts[one] == texts[other]
            and nx.is_isomorphic(
                whole.subgraph(whole[one]), whole.subgraph(whole[other]), node_match=same
            )
            for other in whole
        )
        for one in whole
    ]
    return min(alike)


@settings(max_examples=25, deadline=None)
@given(graphs(2, 7), st.data(), st.sampled_from(["delete", "mixed"]))
def test_every_labeled_neighborhood_occurs_k_times(graph, data, mode):
    size = graph.n_vertices
    values = data.draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    k = data.draw(st.integers(2, size))
    result = anonymize_labeled(
        graph, vertex_labels(values, TREE), k, mode, RandomSource(1), limits=FREE
    )
    texts = result.labels.texts
    assert plain_level(result.graph, texts) >= k
    assert all(text in ANCESTORS[value] for text, value in zip(texts, values, strict=True))
    shares = {"ab": 0.5, "cd": 0.5, "*": 1.0}
    penalty = sum(shares.get(text, 0.0) for text in texts)
    assert math.isclose(result.labels.penalty, penalty)
    assert math.isclose(result.cost, penalty + n_changes(graph, result.graph))
    for value, level in enumerate(result.labels.levels.tolist()):
        if level:
            narrower = result.labels.lowered(result.labels.under(value))
            assert neighborhood_fingerprints(result.graph, narrower.texts).level < k


def stars():
    """Give two stars of four that differ in what one of the leaves does."""
    return named(nx.disjoint_union(nx.star_graph(4), nx.star_graph(4)))


def test_a_broader_word_saves_edges():
    """One leaf says b where all others say a: words are broadened, no edge is touched."""
    labels = vertex_labels(["a"] * 5 + ["b"] + ["a"] * 4, TREE)
    result = anonymize_labeled(stars(), labels, 2, "mixed", RandomSource(1), limits=FREE)
    assert edge_set(result.graph) == edge_set(stars())
    assert set(result.labels.texts) == {"ab"}
    assert result.labels.penalty == 5.0


def test_words_that_need_not_be_broader_are_not():
    """Leaves of either star say c and d as well: only a and b are merged."""
    labels = vertex_labels(["c", "a", "d", "d", "d", "c", "b", "d", "d", "d"], TREE)
    result = anonymize_labeled(stars(), labels, 2, "mixed", RandomSource(1), limits=FREE)
    assert result.labels.texts == ("c", "ab", "d", "d", "d", "c", "ab", "d", "d", "d")
    assert result.labels.penalty == 1.0


@pytest.mark.parametrize(("weight", "broader"), [(0.0, True), (1000.0, False)])
def test_the_weight_decides_between_edges_and_words(weight, broader):
    """Without edges everybody is alike but for the words, which occur twice each."""
    graph = named(nx.path_graph(4))
    labels = vertex_labels(["a", "a", "c", "c"], TREE)
    result = anonymize_labeled(
        graph, labels, 2, "delete", RandomSource(1), limits=FREE, weight=weight
    )
    assert (result.labels.penalty > 0) == broader
    assert (result.graph.n_edges == 3) == broader


def test_the_release_shows_the_broader_words(tmp_path):
    graph = seven()
    jobs = ("b", "a", "a", "b", "a", "a", "a")
    labeled = Graph(
        graph.starts, graph.neighbors, graph.ids, {"job": jobs, "age": tuple("7654321")}
    )
    file = tmp_path / "jobs.csv"
    file.write_text("a;ab\nb;ab\nc;cd\nd;cd\n")
    release = anonymize(
        labeled, "k-neighborhood", k=2, labels="job", hierarchy=file, keep=["job"], seed=1
    )
    assert set(release.graph.attributes) == {"job"}
    assert set(release.graph.attributes["job"]) <= {"a", "b", "ab", "*"}
    assert plain_level(release.graph, release.graph.attributes["job"]) >= 2
    assert release.document["levels"]["neighborhood"] >= 2
    assert release.document["labels"]["penalty"] >= 0


def test_without_a_hierarchy_labels_can_only_be_respected():
    labels = vertex_labels(["a"] * 9 + ["b"])
    with pytest.raises(NoSolutionError, match="reached the level 1"):
        anonymize_labeled(
            stars(), labels, 2, "delete", RandomSource(1), limits=SearchLimits(1.0, 2)
        )
