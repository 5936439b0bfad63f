"""Reading: every form gives the same graph, and what is left out is told."""

from __future__ import annotations

import gzip

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphs import FILES, PEOPLE, SEVEN_EDGES, edge_set, graphs, public, seven
from indistinct.errors import DataError, ParameterError
from indistinct.graph.edges import from_networkx
from indistinct.graph.reading import as_graph, read
from indistinct.graph.release import edge_table, graphml_text, metis_text

SIZES = {
    "karate": (34, 78),
    "lesmis": (77, 254),
    "jazz": (198, 2742),
    "celegans_metabolic": (453, 2025),
    "email-Eu-core": (986, 16064),
    "polblogs": (1490, 16715),
    "FB": (4039, 88234),
    "power": (4941, 6594),
    "ca-GrQc": (5241, 14484),
    "hep-th": (8361, 15751),
    "email-enron": (36692, 183831),
}
NUMBERS = {letter: str(number) for number, letter in enumerate(PEOPLE)}


def by_name(graph):
    return {
        frozenset((str(graph.id_of(one)), str(graph.id_of(other))))
        for one, other in edge_set(graph)
    }


@pytest.mark.parametrize("name", FILES)
def test_public_networks_have_the_published_size(name):
    graph = public(name)
    assert (graph.n_vertices, graph.n_edges) == SIZES[name]


def test_cleaning_is_told():
    cleaning = public("ca-GrQc").cleaning
    assert cleaning.loops == 12
    assert cleaning.reversed == 14484
    assert cleaning.loop_only_vertices == 1


@pytest.mark.parametrize("separator", [",", "\t", " ", ";", "  "])
@pytest.mark.parametrize("header", ["", "source{0}target\n", "# a comment\n\n"])
@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_edge_lists_of_every_kind(tmp_path, separator, header, numbered, end):
    names = NUMBERS if numbered else {letter: letter for letter in PEOPLE}
    lines = [names[one] + separator + names[other] for one, other in SEVEN_EDGES]
    text = header.format(separator) + "\n".join(lines) + "\n"
    file = tmp_path / "seven.txt"
    file.write_bytes(text.replace("\n", end).encode())
    expected = {frozenset(names[letter] for letter in edge) for edge in SEVEN_EDGES}
    assert by_name(read(file)) == expected


def test_other_columns_are_left_out_and_counted(tmp_path):
    file = tmp_path / "weights.csv"
    file.write_text("weight,target,source\n3,b,a\n4,c,b\n")
    graph = read(file)
    assert by_name(graph) == {frozenset("ab"), frozenset("bc")}
    assert graph.cleaning.ignored_columns == 1


def test_loops_doubles_and_directions_are_cleaned_and_counted(tmp_path):
    file = tmp_path / "raw.csv"
    file.write_text("1,2\n2,1\n1,2\n3,3\n2,3\n9,9\n")
    graph = read(file)
    assert by_name(graph) == {frozenset("12"), frozenset("23")}
    assert graph.cleaning.document() == {
        "loops": 2,
        "duplicates": 1,
        "reversed": 1,
        "loop_only_vertices": 1,
        "ignored_columns": 0,
    }


def test_listed_vertices_survive_with_their_attributes(tmp_path):
    (tmp_path / "net.csv").write_text("a,b\nc,c\n")
    (tmp_path / "net.vertices.csv").write_text("id,job\na,cook\nb,\nc,smith\nd,smith\n")
    graph = read(tmp_path / "net.csv")
    jobs = dict(zip(map(graph.id_of, range(4)), graph.attributes["job"], strict=True))
    assert jobs == {"a": "cook", "b": "", "c": "smith", "d": "smith"}
    assert graph.degrees.sum() == 2


def test_an_announced_number_of_vertices_counts(tmp_path):
    with gzip.open(tmp_path / "net.csv.gz", "wt") as file:
        file.write("5,2,u,net\n1,2\n2,3\n")
    graph = read(tmp_path / "net.csv.gz")
    assert (graph.n_vertices, graph.n_edges) == (5, 2)


def test_ids_with_leading_zeros_or_many_digits_stay_texts(tmp_path):
    file = tmp_path / "ids.csv"
    file.write_text("01,1\n1,12345678901234567890\n")
    assert by_name(read(file)) == {frozenset(("01", "1")), frozenset(("1", "12345678901234567890"))}


@settings(max_examples=40, deadline=None)
@given(graph=graphs(1, 9))
def test_what_is_written_is_read_back(tmp_path_factory, graph):
    folder = tmp_path_factory.mktemp("written")
    forms = {"a.graph": metis_text, "a.graphml": graphml_text, "a.csv": edge_table}
    for name, write in forms.items():
        (folder / name).write_bytes(write(graph))
        again = read(folder / name)
        isolated = int((graph.degrees == 0).sum()) if name == "a.csv" else 0
        assert again.n_vertices == graph.n_vertices - isolated
        assert again.n_edges == graph.n_edges
        if name != "a.csv":
            assert edge_set(again) == edge_set(graph)


def test_metis_weights_are_skipped(tmp_path):
    file = tmp_path / "w.graph"
    file.write_text("% a comment\n3 2 011 1\n7 2 5\n8 1 5 3 4\n9 2 4\n")
    assert edge_set(read(file)) == {(0, 1), (1, 2)}


def test_graphml_of_networkx_keeps_attributes(tmp_path):
    graph = seven().to_networkx()
    graph.add_node("H")
    nx.set_node_attributes(graph, {"A": "cook"}, "job")
    nx.write_graphml(graph, tmp_path / "seven.graphml")
    again = read(tmp_path / "seven.graphml")
    assert by_name(again) == {frozenset(edge) for edge in SEVEN_EDGES}
    assert again.n_vertices == 8
    assert again.attributes["job"][again.ids.index("A")] == "cook"


def test_networkx_goes_in_and_out_unchanged():
    graph = nx.relabel_nodes(nx.gnm_random_graph(20, 40, seed=1), lambda node: f"n{node}")
    graph.add_node("alone", job="smith")
    again = from_networkx(graph).to_networkx()
    assert nx.utils.graphs_equal(again, graph)


def test_directed_multigraphs_become_simple():
    graph = nx.MultiDiGraph([(1, 2), (2, 1), (1, 2), (3, 3)])
    simple = as_graph(graph)
    assert (simple.n_vertices, simple.n_edges) == (3, 1)
    assert simple.cleaning.loops == 1


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"1,2\n3\n", "lines without two ids: 2"),
        ("a.csv", b"1,2\n\xff,3\n", "not UTF-8"),
        ("a.graph", b"what\n", "not a METIS file"),
        ("a.graph", b"4 1\n2\n1\n", "do not fit"),
        ("a.graph", b"2 1\n3\n1\n", "do not fit"),
        ("a.graphml", b"<graph", "is not XML"),
        ("a.graphml", b"<graph/>", "is not a GraphML graph"),
        ("a.csv.gz", b"\x1f\x8bnothing", "damaged"),
        ("a.csv", b"3,1,u,net\n1,4\n", "not between 1 and"),
    ],
)
def test_damaged_files_are_refused_in_words(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=words):
        read(tmp_path / name)


def test_a_missing_file_is_refused_in_words(tmp_path):
    with pytest.raises(DataError, match="No such file"):
        read(tmp_path / "nothing.csv")


def test_no_id_appears_in_a_message(tmp_path):
    (tmp_path / "a.csv").write_text("alice,bob\ncarol\n")
    with pytest.raises(DataError) as caught:
        read(tmp_path / "a.csv")
    assert "carol" not in str(caught.value)


def test_what_is_no_graph_is_refused():
    with pytest.raises(ParameterError):
        as_graph(3)


def test_an_empty_file_is_an_empty_graph(tmp_path):
    (tmp_path / "a.csv").write_text("# nothing\n")
    graph = read(tmp_path / "a.csv")
    assert (graph.n_vertices, graph.n_edges) == (0, 0)


def test_rows_are_sorted_and_symmetric():
    graph = seven()
    for vertex in range(7):
        row = graph.row(vertex).tolist()
        assert row == sorted(row)
        assert all(vertex in graph.row(other) for other in row)
    assert np.array_equal(graph.degrees, [3, 4, 5, 4, 2, 2, 2])
