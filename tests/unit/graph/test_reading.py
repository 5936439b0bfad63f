"""Reading: every form gives the same graph, and what is left out is told."""

from __future__ import annotations

import csv
import gzip

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphs import FILES, PEOPLE, SEVEN_EDGES, edge_set, graphs, public, seven
from indistinct.errors import DataError, ParameterError
from indistinct.graph.edges import from_networkx
from indistinct.graph.graph_files import as_graph, read
from indistinct.graph.release import edge_table, graphml_text, metis_text
from shared import examples

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
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_edge_lists_of_every_kind(tmp_path, separator, header, numbered, end):
    names = NUMBERS if numbered else {letter: letter for letter in PEOPLE}
    lines = [names[one] + separator + names[other] for one, other in SEVEN_EDGES]
    text = header.format(separator) + "\n".join(lines) + "\n"
    file = tmp_path / "seven.txt"
    file.write_bytes(text.replace("\n", end).encode())
    expected = {frozenset(names[letter] for letter in edge) for edge in SEVEN_EDGES}
    assert by_name(read(file)) == expected


HEADERS = [
    "from,to",
    "node1,node2",
    "Source;Target;Weight",
    "src dst",
    "Node A\tNode B",
    ":START_ID,:END_ID,:TYPE",
    "source,destination",
    '"sender","receiver"',
    "follower,followee",
]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("numbered", [True, False])
def test_known_headers_are_no_edge(tmp_path, header, numbered):
    """The header names the columns, with ids of either kind; a third column is left out."""
    separator = next((mark for mark in "\t,; " if mark in header), ",")
    width = header.count(separator) + 1 if separator != " " else 2
    names = NUMBERS if numbered else {letter: letter for letter in PEOPLE}
    lines = [[names[one], names[other], "1.5"][:width] for one, other in SEVEN_EDGES]
    file = tmp_path / "net.csv"
    file.write_text(header + "\n" + "\n".join(map(separator.join, lines)) + "\n")
    expected = {frozenset(names[letter] for letter in edge) for edge in SEVEN_EDGES}
    assert by_name(read(file)) == expected


def test_words_above_two_columns_of_numbers_are_no_edge(tmp_path):
    """No vertex is called person or friend when all others are numbers."""
    for number, body in enumerate(["1,2\n2,3\n", "01,02\n02,03\n"]):
        file = tmp_path / f"{number}.csv"
        file.write_text("person,friend\n" + body)
        assert (read(file).n_vertices, read(file).n_edges) == (3, 2)


@pytest.mark.parametrize(
    "text",
    [
        "person,friend\nann,bob\nbob,cem\n",
        "person,friend,weight\n1,2,0.5\n2,3,0.5\n",
        "from,person\nann,bob\nbob,person\n",
        "begin;finish\nann;bob\n",
        "u,v\nu,a\nv,a\n",
        "label,x\na,x\n",
        "ann,bob\n",
    ],
)
def test_a_first_line_that_may_be_a_header_is_refused(tmp_path, text):
    """It is never taken for an edge; a line source,target above it settles the matter."""
    file = tmp_path / "net.csv"
    file.write_text(text)
    with pytest.raises(DataError, match="may be a header") as caught:
        read(file)
    assert not any(word in str(caught.value) for word in ("ann", "person", "begin"))
    header = "source;target" if ";" in text else "source,target"
    file.write_text(header + (",more\n" if "weight" in text else "\n") + text)
    assert read(file).n_edges >= 1


def test_a_first_line_of_known_vertices_is_an_edge(tmp_path):
    """Both ends occur again, or one does and the other is no known word; or all are listed."""
    file = tmp_path / "net.csv"
    for text, n_edges in (("ann,bob\nbob,ann\nbob,cem\n", 2), ("ann,bob\nbob,cem\n", 2)):
        file.write_text(text)
        assert read(file).n_edges == n_edges
    (tmp_path / "net.vertices.csv").write_text("id\nann\nbob\n")
    file.write_text("ann,bob\n")
    assert read(file).n_edges == 1


def test_more_cells_than_the_header_has_are_refused(tmp_path):
    """Such as the row names that some programs write without a name for their column."""
    file = tmp_path / "net.csv"
    file.write_text("from,to\n1,ann,bob\n2,bob,cem\n")
    with pytest.raises(DataError, match="more cells"):
        read(file)


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_line_ends_of_other_systems_in_every_file(tmp_path, end):
    (tmp_path / "net.csv").write_bytes(end.join(["a,b", "b,c", ""]).encode())
    (tmp_path / "net.vertices.csv").write_bytes(
        end.join(["id,job", "a,x", "b,y", "c,z", ""]).encode()
    )
    graph = read(tmp_path / "net.csv")
    assert (graph.n_vertices, graph.n_edges) == (3, 2)
    assert set(graph.attributes["job"]) == {"x", "y", "z"}
    (tmp_path / "net.graph").write_bytes(end.join(["3 2", "2", "1 3", "2", ""]).encode())
    assert edge_set(read(tmp_path / "net.graph")) == {(0, 1), (1, 2)}


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


@examples(40)
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
        ("a.csv", b"3,1,u,net\n1,x\n", "not between 1 and"),
        ("a.csv", b"a,b\nb," + b"c" * 200_000 + b"\n", "not a row of a table"),
    ],
)
def test_damaged_files_are_refused_in_words(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    most = csv.field_size_limit(131_072)  # other libraries raise it for the whole process
    with pytest.raises(DataError, match=words):
        read(tmp_path / name)
    csv.field_size_limit(most)


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
