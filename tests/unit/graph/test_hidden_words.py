"""A released graph says what its edges say: nothing that readers pass over, and no further word."""

from __future__ import annotations

import gzip
import hashlib
import json

import networkx as nx
import pytest

from indistinct.errors import DataError, OutputError
from published import Published

NAMES = "carol,dave,erin"


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """Releases of each form, read only: content of each file by name."""
    found = {}
    for form, name, words in (
        ("edges", "out.csv", {"model": "naive", "keep": ["job"]}),
        ("metis", "out.graph", {"model": "k-degree"}),
        ("graphml", "out.graphml", {"model": "naive", "keep": ["job"]}),
        ("groups", "out.csv", {"model": "grouping", "max_certain": 0.5}),
        (
            "labels",
            "out.csv",
            {"model": "k-neighborhood", "k": 2, "labels": "job", "max_loss": 20.0},
        ),
    ):
        folder = tmp_path_factory.mktemp(form)
        published = Published(folder, name=name, **words)
        assert not published.verify().faults
        found[form] = (published, {file: file.read_bytes() for file in folder.iterdir()})
    return found


def verdict(releases, form, change=None, suffix="", say=None):
    """Verify a release of which a file was changed; its hash in the manifest follows."""
    published, contents = releases[form]
    for file, content in contents.items():
        file.write_bytes(content)
    document = published.manifest()
    if change is not None:
        file = published.file(suffix)
        changed = change(file.read_bytes())
        assert changed != file.read_bytes()
        file.write_bytes(changed)
        document["files"][file.name] = {"sha256": hashlib.sha256(changed).hexdigest()}
    if say is not None:
        say(document)
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    published.file(".manifest.json").write_text(text)
    return published.verify().holds


def swap(one, other):
    return lambda content: content.replace(one, other, 1)


def end(more):
    return lambda content: content + more


def begin(more):
    return lambda content: more + content


def reversed_lines(first, last):
    def change(content):
        lines = content.split(b"\n")
        return b"\n".join([*lines[:first], *lines[first:last][::-1], *lines[last:]])

    return change


GRAPHML = [
    swap(b"<graph ", b"<!-- carol --><graph "),
    swap(b"<graph edgedefault", b'<graph id="carol" edgedefault'),
    swap(b'edgedefault="undirected">', b'edgedefault="undirected"><desc>carol</desc>'),
    swap(b'edgedefault="undirected">', b'edgedefault="directed">'),
    swap(b'<node id="0">', b'<node id="0" name="carol">'),
    swap(b'<node id="0">', b"<node id='0'>"),
    swap(b'<node id="0">', b'<node  id="0">'),
    swap(b'<node id="0">', b'<node id="0"><port name="carol"/>'),
    swap(b'<node id="0">', b'<node id="0">carol'),
    swap(b'<node id="0"><data key="k0">', b'<node id="0"><data key="k0"><!--c-->'),
    swap(b'<edge source="0"', b'<edge id="carol" source="0"'),
    swap(b'<edge source="0"', b'<edge directed="false" source="0"'),
    swap(b'"/>\n</graph>', b'"><data key="k0">carol</data></edge>\n</graph>'),
    swap(b"<graphml ", b"<?carol dave?>\n<graphml "),
    swap(b"<graphml ", b'<!DOCTYPE graphml [<!ENTITY x "carol">]>\n<graphml '),
    swap(b"<graph ", b"<?carol dave?><graph "),
    swap(b'graphdrawing.org/xmlns"', b'graphdrawing.org/xmlns" xmlns:c="urn:carol"'),
    swap(b"<graph ", b'<key id="k1" for="edge" attr.name="carol" attr.type="string"/>\n<graph '),
    swap(b"<graph ", b'<key id="k1" for="node" attr.name="job" attr.type="string"/>\n<graph '),
    swap(b'attr.type="string"/>', b'attr.type="string"><default>carol</default></key>'),
    swap(b">job 2<", b"><![CDATA[job 2]]><"),
    swap(b">job 2<", b">job &#50;<"),
    swap(b"\n<node", b"\r\n<node"),
    swap(b"\n<node", b"\n <node"),
    reversed_lines(-5, -3),
    end(b"<!-- carol -->\n"),
    end(b"\n"),
    begin(b"\xef\xbb\xbf"),
    begin(b"\n"),
]
TABLE = [
    swap(b"source,target", b'"source",target'),
    swap(b"\n0,", b'\n"0",'),
    swap(b"\n", b"\r\n"),
    lambda content: content.replace(b"\n", b"\r\n"),
    end(b"\n"),
    lambda content: content[:-1],
    end(b"\0"),
    begin(b"\xef\xbb\xbf"),
    begin(b"# carol\n"),
    end(b"# carol,dave\n"),
    reversed_lines(1, 4),
]
METIS = [
    begin(b"% carol\n"),
    swap(b"\n", b" \n"),
    swap(b"\n", b" 0\n"),
    swap(b"\n", b"\r\n"),
    end(b"\n"),
    end(b"% carol\n"),
    lambda content: content[:-1],
    begin(b"\xef\xbb\xbf"),
]
VERTICES = [
    swap(b"id,job", b'id,"job"'),
    swap(b"job 2", b'"job 2"'),
    swap(b"\n0,", b'\n"0",'),
    end(b"\n"),
    lambda content: content.replace(b"\n", b"\r\n"),
]
GROUPS = [swap(b"group,size", b'"group",size'), end(b"\r\n"), swap(b"\n0,", b'\n"0",')]


@pytest.mark.parametrize(
    ("form", "change", "suffix"),
    [
        *(("graphml", change, "") for change in GRAPHML),
        *(("edges", change, "") for change in TABLE),
        *(("metis", change, "") for change in METIS),
        *(("edges", change, ".vertices.csv") for change in VERTICES),
        *(("groups", change, ".groups.csv") for change in GROUPS),
        *(("groups", change, ".superedges.csv") for change in (GROUPS[1], end(b"# carol\n"))),
    ],
)
def test_bytes_that_say_more_than_the_graph_do_not_hold(releases, form, change, suffix):
    assert verdict(releases, form, change, suffix) is False


@pytest.mark.parametrize("form", ["edges", "graphml", "metis"])
def test_a_packed_release_does_not_hold(releases, form):
    """The name, the comment and the time in the head of a gz file say more, too."""
    assert verdict(releases, form, lambda content: gzip.compress(content, mtime=1)) is False


def further(place, name="crosswalk", value=NAMES):
    def say(document):
        for word in place:
            document = document[word]
        document[name] = value

    return say


PLACES = {
    "metis": [(), ("required",), ("achieved",), ("edges",), ("levels",), ("files",)],
    "groups": [("grouping",), ("grouping", "supernodes"), ("certain_edges",), ("edges",)],
    "labels": [("labels",), ("files", "out.csv")],
    "edges": [("required",), ("achieved",)],
}


@pytest.mark.parametrize("form", PLACES)
@pytest.mark.parametrize("value", [NAMES, None, 3, {"0": "carol"}, [["0", "carol"]]])
def test_a_further_word_anywhere_does_not_hold(releases, form, value):
    for place in PLACES[form]:
        assert verdict(releases, form, say=further(place, value=value)) is False


TEXTS = [
    ("metis", (), "indistinct"),
    ("metis", (), "k"),
    ("metis", (), "mode"),
    ("metis", (), "cost"),
    ("metis", (), "lower_bound"),
    ("metis", (), "realization"),
    ("metis", (), "probes"),
    ("metis", (), "gap"),
    ("metis", ("achieved",), "k"),
    ("edges", (), "k"),
    ("edges", (), "mode"),
    ("edges", (), "cost"),
    ("groups", (), "cost"),
    ("groups", ("achieved",), "max_certain"),
    ("labels", ("labels",), "penalty"),
    ("labels", ("labels",), "mean_penalty"),
    ("labels", ("labels",), "words"),
    ("labels", ("labels",), "cost"),
    ("labels", ("labels",), "column"),
    ("labels", ("labels",), "released"),
]


# True is what "released" may say, but not here, since no label is released.
@pytest.mark.parametrize(("form", "place", "word"), TEXTS)
@pytest.mark.parametrize("value", [NAMES, [NAMES], 10**40, -1, True, float("nan"), 0.1234567890123])
def test_another_value_in_the_place_of_a_figure_does_not_hold(releases, form, place, word, value):
    try:
        found = verdict(releases, form, say=further(place, word, value))
    except DataError:
        assert value != value  # noqa: PLR0124 - NaN is not JSON
        return
    assert found is False


@pytest.mark.parametrize(
    "change",
    [
        begin(b" "),
        end(b"\n"),
        begin(b"\xef\xbb\xbf"),
        swap(b"{\n", b'{\n  "indistinct": "carol",\n'),
        swap(b"\n  ", b"\n   "),
        swap(b'"model"', b'"mod\\u0065l"'),
        swap(b'"vertices": 64', b'"vertices": 64.0'),
        swap(b'"overlap": ', b'"overlap": 1e0,\n    "overlap": '),
        lambda content: json.dumps(json.loads(content)).encode(),
        lambda content: json.dumps(dict(sorted(json.loads(content).items())), indent=2).encode(),
    ],
)
def test_a_manifest_that_is_written_otherwise_does_not_hold(releases, change):
    published, contents = releases["metis"]
    for file, content in contents.items():
        file.write_bytes(content)
    file = published.file(".manifest.json")
    changed = change(file.read_bytes())
    assert changed != file.read_bytes()
    file.write_bytes(changed)
    try:
        found = published.verify()
    except DataError:
        assert changed.startswith(b"\xef\xbb\xbf")  # a mark before the first sign is not JSON
        return
    assert found.holds is False


def test_a_file_that_the_release_does_not_need_does_not_hold(releases):
    """The crosswalk as one of the files of the release; its hash is right."""
    published, contents = releases["metis"]
    content = contents[published.secret]
    entry = {"sha256": hashlib.sha256(content).hexdigest()}
    assert verdict(releases, "metis", say=further(("files",), "secret.csv", entry)) is False


ODD = ["", " a", 'q"r', "a,b", "x\ry", "x\ny", "<&>", "'", "\t", "é\u2028", "]]>", "&amp;"]


@pytest.mark.parametrize("name", ["out.csv", "out.graphml"])
def test_attributes_of_all_kinds_hold(tmp_path, name):
    """What the maker writes and what the verification writes agree on every character."""
    graph = nx.cycle_graph(len(ODD))
    nx.set_node_attributes(graph, dict(enumerate(ODD)), 'odd ,"<&\r\n\t name')
    nx.set_node_attributes(graph, "same", "plain")
    keep = ['odd ,"<&\r\n\t name', "plain"]
    published = Published(tmp_path, "naive", name, graph=graph, keep=keep)
    assert published.verify(fully=True).faults == ()


def test_a_character_that_xml_cannot_hold_is_refused(tmp_path):
    graph = nx.path_graph(3)
    graph.add_node(0, note="a\0b")
    with pytest.raises(OutputError, match="control character"):
        Published(tmp_path, "naive", "out.graphml", graph=graph, keep=["note"])
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_labels_that_are_not_released_stays_with_the_owner(releases):
    published, contents = releases["labels"]
    manifest = json.loads(contents[published.file(".manifest.json")])
    assert manifest["labels"]["column"] is None
