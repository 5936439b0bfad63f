"""The sentence on what a release of a graph leaves out: one part for each kind of thing."""

import networkx as nx
import pytest

from indistinct.graph.cleaning import Cleaning, left_out
from indistinct.graph.edges import from_networkx
from indistinct.graph.graph_files import read


@pytest.mark.parametrize(
    ("cleaning", "attributes", "sentence"),
    [
        (Cleaning(), (), "Nothing but the names of the vertices is left out of the input."),
        (Cleaning(directions=True), (), "Directions are left out."),
        (Cleaning(loops=1), (), "1 tie of a vertex with itself is left out."),
        (Cleaning(duplicates=2, reversed=1), (),
         "3 repeated ties (1 in the other direction) are left out."),
        (Cleaning(ignored_columns=2), ["age"],
         "2 further columns and 1 attribute of the vertices (age) are left out."),
        (Cleaning(loops=2, loop_only_vertices=1, directions=True), (),
         ("Directions, 2 ties of a vertex with itself and 1 vertex without another tie are left "
         "out.")),
    ],
)  # fmt: skip
def test_the_sentence(cleaning, attributes, sentence):
    assert left_out(cleaning, attributes) == sentence


def test_of_many_columns_the_first_are_named_within_one_line():
    names = tuple(f"c{number}" for number in range(30))
    said = left_out(Cleaning(ignored_columns=31, columns=("two\nlines", *names)))
    assert said.startswith("31 further columns (two\\nlines, c0, c1,")
    assert said.endswith("c8, ...) are left out.")


GRAPHML = """<graphml><key id="w" for="edge" attr.name="weight"/><graph edgedefault="{way}">
<node id="a"/><node id="b"/><edge source="a" target="b"><data key="w">3</data></edge>
<edge source="b" target="a"/></graph></graphml>"""


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.csv", "sender,receiver,mails,last\na,b,3,x\nb,c,4,y\na,b,1,z\n",
         "Directions, 2 further columns (mails, last) and 1 repeated tie are left out."),
        ("a.csv", "day,target,source\n3,b,a\n4,c,b\n",
         "Directions and 1 further column (day) are left out."),
        ("a.txt", "1 2 {'weight': 3}\n2 3 {'weight': 4}\n",
         "Directions and 1 further column (attributes in braces) are left out."),
        ("a.txt", "1 2 {}\n2 3 {}\n", "Directions are left out."),
        ("a.csv", "3,2,u,net\n1,2\n2,3\n",
         "Nothing but the names of the vertices is left out of the input."),
        ("a.csv", "3,2,d,net\n1,2\n2,3\n", "Directions are left out."),
        ("a.graph", "3 2\n2\n1 3\n2\n",
         "Nothing but the names of the vertices is left out of the input."),
        ("a.graph", "3 2 1\n2 5\n1 5 3 7\n2 7\n",
         "1 further column (weights of edges) is left out."),
        ("a.graphml", GRAPHML.format(way="directed"),
         ("Directions, 1 further column (weight) and 1 repeated tie (1 in the other direction) are "
         "left out.")),
        ("a.graphml", GRAPHML.format(way="undirected"),
         "1 further column (weight) and 1 repeated tie (1 in the other direction) are left out."),
    ],
)  # fmt: skip
def test_every_form_says_what_its_edges_had(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    assert left_out(read(tmp_path / name).cleaning) == sentence


def test_graphs_of_networkx_say_so_too():
    graph = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    graph.add_edge("c", "d", weight=3)
    said = "Directions, 1 further column (weight) and 1 repeated tie are left out."
    assert left_out(from_networkx(graph).cleaning) == said
    said = "Nothing but the names of the vertices is left out of the input."
    assert left_out(from_networkx(nx.path_graph(4)).cleaning) == said
