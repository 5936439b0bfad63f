"""Files of other forms: each is read, or refused by its name, and never taken for edges."""

from __future__ import annotations

import gzip

import networkx as nx
import pytest

from indistinct.errors import DataError, IndistinctError, OutputError
from indistinct.frontends.cli.main import status
from indistinct.graph.anonymization import anonymize
from indistinct.graph.edges import from_networkx
from indistinct.graph.graph_files import read

PAJEK = '*Vertices 3\n1 "ann"\n2 "bob"\n3 "cem"\n*Arcs\n1 2 1\n2 3 1\n'
MARKS = {
    "Pajek": [
        PAJEK,
        "*Vertices 3\n*Edges 2\n1 2\n2 3\n",
        "% by a tool\n*Network x\n*Vertices 3\n*Arcs\n1 2\n",
        "*vertices 5 3\r\n1 4\r\n2 5\r\n",
        "*Node data\nid, age\nann, 3\n",
    ],
    "Matrix Market": [
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
        "%%MatrixMarket matrix coordinate real general\n% people and places\n5 7 1\n5 5 1\n",
        "%%matrixmarket matrix array real general\n2 2\n0\n1\n1\n0\n",
    ],
    "two-mode": ["% bip unweighted\n% 2 5 5\n5 5\n5 4\n", "%bip weighted\n1 1\n2 2\n"],
    "GEXF": ['<?xml version="1.0"?>\n<gexf xmlns="http://gexf.net/1.3"><graph/></gexf>'],
    "GraphML": ["<graphml><graph/></graphml>"],
    "XML": ["<gxl><graph/></gxl>", "<urn:a> <urn:knows> <urn:b> .\n"],
    "DOT": [
        "graph g {\n a -- b;\n}\n",
        "strict digraph {\n a -> b\n}",
        "// by a tool\ndigraph G\n{\na -> b }",
        'graph "my friends" {\n1 -- 2\n}',
    ],
    "GML": ["graph [\n node [\n id 1\n ]\n]\n", 'Creator "igraph"\nVersion 1\ngraph\n[\n]\n'],
    "UCINET": [
        "dl n=3 format=edgelist1\ndata:\n1 2\n2 3\n",
        "DL NR=2, NC=3\nDATA:\n1 0 1\n0 1 0\n",
    ],
    "JSON": ['{"nodes": [], "links": []}', '[\n["ann", "bob"]\n]', '{"source": 1, "target": 2}\n'],
    "DIMACS": ["c a comment\np edge 3 2\ne 1 2\ne 2 3\n", "p sp 3 2\na 1 2 5\na 2 3 5\n"],
    "GDF": ["nodedef>name VARCHAR\nann\nedgedef>node1,node2\nann,bob\n"],
    "Trivial Graph": ["1 ann\n2 bob\n3 cem\n#\n1 2\n2 3\n"],
    "LEMON": ["@nodes\nlabel\n1\n@arcs\n1 2\n"],
    "Tulip": ['(tlp "2.3"\n(nodes 0 1)\n(edge 0 0 1)\n)'],
    "adjacency list": ["1 2 3\n2 3\n3\n4 5\n", "ann bob cem\nbob cem dan eve\ncem dan\n"],
    "adjacency matrix": [
        "0 1 0 1\n1 0 1 0\n0 1 0 0\n1 0 0 0\n",
        ",ann,bob,cem\nann,0,1,0\nbob,1,0,1\ncem,0,1,0\n",
    ],
    "binary": ["1 2\0\n", "\x93NUMPY\x01\0v\0"],
}


@pytest.mark.parametrize("suffix", ["txt", "csv", "edges", ""])
@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in MARKS.items() for text in texts]
)
def test_another_form_is_refused_by_its_name(tmp_path, suffix, name, text):
    """Whatever the file is called; the marks in it decide."""
    file = tmp_path / f"friends.{suffix}"
    file.write_text(text, newline="")
    with pytest.raises(DataError, match=name) as caught:
        read(file)
    assert not any(word in str(caught.value) for word in ("ann", "bob"))
    assert "source,target" in str(caught.value)


SUFFIXES = "net paj gexf gml dot gv mtx dl lgl json adjlist tgf gdf g6 sif xml npz xlsx pkl zip"


@pytest.mark.parametrize("suffix", [*SUFFIXES.split(), "net.gz", "GML", "json.gz"])
def test_a_name_of_another_form_is_refused(tmp_path, suffix):
    """Although its lines look like edges."""
    file = tmp_path / f"friends.{suffix}"
    file.write_text("1 2\n2 3\n")
    with pytest.raises(DataError, match="is not read"):
        read(file)


def test_marks_in_a_packed_file_and_on_standard_input_count(tmp_path, capsys):
    file = tmp_path / "friends.txt.gz"
    file.write_bytes(gzip.compress(PAJEK.encode()))
    with pytest.raises(DataError, match="Pajek"):
        read(file)
    assert status(["graph", "inspect", str(file)], show_values=False) != 0
    assert "ann" not in capsys.readouterr().err


ASKED = [
    "1000 9 16\n1020 5 34\n1040 49 58\n1060 0 33\n1080 49 58\n",
    "time,i,j\n1000,9,16\n1020,5,34\n1040,49,58\n",
    "1 ann bob\n2 ann cem\n3 bob dan\n4 cem dan\n",
    "ann knows bob\nbob knows cem\ncem knows dan\ndan knows ann\n",
    "9 16 0.5\n5 34 0.25\n9 5 1\n16 34 2\n",
    "start,end,person\n10,20,1\n20,30,2\n",
    "from,to,sender,receiver\n1,2,3,4\n",
    "source,target,source\n1,2,3\n",
    "person,event\n5,5\n1,5\n2,4\n",
    "user,item\n1,2\n2,3\n",
    "person,place\nann,berlin\nbob,paris\n",
    "p17,p23\n1,2\n2,3\n",
    "user1,user2\nuser3,user4\nuser4,user5\n",
    "n1 n2\nn3 n4\nn4 n5\n",
    "u,v\na,b\nb,c\n",
    "60 3\n1 2\n2 3\n3 4\n",
    "60 3\nann bob\nbob cem\ncem ann\n",
    "# ann\nbob 3.0\n# bob\ncem 2.0\n",
    "ann,bob\n#cem,dan\nbob,dan\n",
    '"from" "to"\n"1" 17 23\n"2" 17 24\n',
]


@pytest.mark.parametrize("text", ASKED)
def test_what_may_be_read_in_two_ways_is_asked_about(tmp_path, text):
    """Times and numbers of rows are no people, places are no people, and nobody is lost."""
    file = tmp_path / "contacts.txt"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        read(file)
    assert not any(name in str(caught.value) for name in ("ann", "bob", "1020", "berlin"))


READ = [
    ("time,source,target\n1000,9,16\n1020,5,34\n1040,9,5\n", 4, 3),
    ("source,target,time\n9,16,1000\n5,34,1020\n9,5,1040\n", 4, 3),
    (
        "Id,Source,Target,Type,Weight,Start,End\n0,1,2,Undirected,1,5,6\n1,2,3,Undirected,1,5,6\n",
        3,
        2,
    ),
    ("1 2 {}\n2 3 {'weight': 3, 'since': 2020}\n", 3, 2),
    ("ann bob {'weight': 1}\nbob cem {}\ncem ann {}\n", 3, 3),
    ("1,2,\n2,3,\n", 3, 2),
    ("# friends\n# in two lines\n1 2\n2 3\n", 3, 2),
    ("start,end,person1,person2\n10,20,1,2\n20,30,2,3\n", 3, 2),
    ("start,end\n1,2\n2,3\n", 3, 2),
    ("from,to\nann,bob\nbob,cem\n", 3, 2),
    ("source,target\nperson,friend\nfriend,dan\n", 3, 2),
    ("4,2,u,net\n1,2,7\n2,3,7\n", 4, 2),
    ("5 2\n1 2\n2 3\n7 8\n", 6, 4),
]


@pytest.mark.parametrize(("text", "n_vertices", "n_edges"), READ)
def test_edge_lists_that_say_their_ends_are_read(tmp_path, text, n_vertices, n_edges):
    file = tmp_path / "friends.txt"
    file.write_text(text)
    graph = read(file)
    assert (graph.n_vertices, graph.n_edges) == (n_vertices, n_edges)


@pytest.mark.parametrize(
    "text", ["ann,cook\nbob,smith\n", "5,cook\n6,smith\n", "id,job,job\n1,a,b\n"]
)
def test_vertices_without_a_header_lose_nobody(tmp_path, text):
    (tmp_path / "friends.csv").write_text("source,target\nann,bob\n5,6\n")
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(DataError, match="Call the first column id"):
        read(tmp_path / "friends.csv", vertices=tmp_path / "labels.csv")


GRAPHML = (
    '<graphml><key id="k" for="node" attr.name="sex"{kind}>{default}</key>'
    '<graph edgedefault="undirected"><node id="a"><data key="k">m</data></node><node id="b"/>'
    '{more}<edge source="a" target="b"/></graph>{after}</graphml>'
)


def graphml(tmp_path, kind="", default="<default>f</default>", more="", after=""):
    file = tmp_path / "friends.graphml"
    file.write_text(GRAPHML.format(kind=kind, default=default, more=more, after=after))
    return file


def test_defaults_of_graphml_are_honored(tmp_path):
    assert read(graphml(tmp_path)).attributes == {"sex": ("m", "f")}
    assert read(graphml(tmp_path, default="")).attributes == {"sex": ("m", "")}


@pytest.mark.parametrize(
    "words",
    [
        {"more": '<node id="a"/>'},
        {"more": "<hyperedge><endpoint node='a'/></hyperedge>"},
        {"more": '<node id="c"><graph><node id="d"/></graph></node>'},
        {"after": '<graph><node id="c"/></graph>'},
    ],
)
def test_graphml_that_is_more_than_one_graph_is_refused(tmp_path, words):
    with pytest.raises(DataError):
        read(graphml(tmp_path, **words))


def test_graphs_of_two_kinds_of_vertices_are_refused(tmp_path):
    """By the marks of networkx and igraph."""
    graph = nx.bipartite.random_graph(5, 5, 0.5, seed=1)
    with pytest.raises(DataError, match="two-mode"):
        from_networkx(graph)
    nx.write_graphml(graph, tmp_path / "two.graphml")
    with pytest.raises(DataError, match="two-mode"):
        read(tmp_path / "two.graphml")
    text = (tmp_path / "two.graphml").read_text()
    text = text.replace('"bipartite"', '"type"').replace('attr.type="long"', 'attr.type="boolean"')
    (tmp_path / "two.graphml").write_text(text)
    with pytest.raises(DataError, match="two-mode"):
        read(tmp_path / "two.graphml")


def test_metis_whose_rows_name_other_edges_is_refused(tmp_path):
    (tmp_path / "a.graph").write_text("3 1\n2\n1 3\n2\n")
    with pytest.raises(DataError, match="as many edges"):
        read(tmp_path / "a.graph")


@pytest.mark.parametrize(
    "suffix", ["gexf", "gml", "net", "mtx", "json", "csv.gz", "tsv", "parquet"]
)
def test_a_release_is_never_written_under_the_name_of_another_form(tmp_path, suffix, capsys):
    """The command says so before it reads anything."""
    release = anonymize(nx.path_graph(5), "naive", seed=1)
    with pytest.raises(OutputError, match=r"\.csv, \.txt, \.graph"):
        release.write(tmp_path / f"out.{suffix}")
    words = ["graph", "anonymize", "missing.csv", "--model", "naive"]
    assert status([*words, "--out", str(tmp_path / f"out.{suffix}")], show_values=False) == 2
    assert "missing" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_what_networkx_writes_is_read_or_refused(tmp_path):
    graph = nx.relabel_nodes(nx.karate_club_graph(), lambda node: f"p{node:02}")
    writers = {
        "edgelist": nx.write_edgelist,
        "weighted": nx.write_weighted_edgelist,
        "adj.txt": nx.write_adjlist,
        "multi.txt": nx.write_multiline_adjlist,
        "pajek.txt": nx.write_pajek,
        "gml.txt": nx.write_gml,
        "gexf.txt": nx.write_gexf,
        "graphml": nx.write_graphml,
        "graph6.txt": nx.write_graph6,
        "sparse6.txt": nx.write_sparse6,
    }
    found = set()
    for name, write in writers.items():
        write(graph, tmp_path / f"friends.{name}")
        try:
            again = read(tmp_path / f"friends.{name}")
        except IndistinctError:
            continue
        assert (again.n_vertices, again.n_edges) == (34, 78)
        found.add(name)
    assert found == {"edgelist", "graphml"}
