"""Graphs from and to GraphML: one graph of one kind of vertices, with the attributes of these."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from xml.etree import ElementTree as ET

from indistinct.errors import DataError, Fault, OutputError
from indistinct.graph.edges import Graph, from_names, with_attributes
from indistinct.graph.formats import foreign

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def parse_graphml(text: str, name: str) -> Graph:
    """Read vertices, edges and vertex attributes of a GraphML file.

    Raises
    ------
    DataError : it is not GraphML
    """
    try:
        root = ET.fromstring(text)  # noqa: S314 - expat limits the growth of entities
    except ET.ParseError as error:
        raise DataError(
            [Fault(name, f"is not XML at line {error.position[0]}", "Check the file.")]
        ) from error
    keys = {
        key.get("id", ""): (
            key.get("attr.name", key.get("id", "")),
            key.findtext("{*}default") if key.get("for", "node") in {"node", "all"} else None,
        )
        for key in root.iterfind(tag("key"))
    }
    if any(
        key.get("attr.type") == "boolean" and key.get("attr.name") == "type"
        for key in root.iterfind(tag("key"))
    ):
        raise foreign(name, "a two-mode network")
    if len(list(root.iterfind(tag("graph")))) > 1 or root.find(tag("hyperedge")) is not None:
        problem = "has several graphs, or edges of more than two ends"
        raise DataError([Fault(name, problem, "Write one graph whose edges have two ends.")])
    nodes = list(root.iterfind(tag("node")))
    usual = {column: text for column, text in keys.values() if text is not None}
    rows = [
        usual
        | {
            keys[d.get("key", "")][0]: d.text or ""
            for d in n.iterfind("{*}data")
            if d.get("key", "") in keys
        }
        for n in nodes
    ]
    ids = [node.get("id", "") for node in nodes]
    pairs = [(e.get("source", ""), e.get("target", "")) for e in root.iterfind(tag("edge"))]
    if len(set(ids)) < len(ids):
        raise DataError([Fault(name, "has two nodes with one id", "Give every node its own id.")])
    if not nodes or {end for pair in pairs for end in pair} - set(ids):
        raise DataError([Fault(name, "is not a GraphML graph", "An edge's ends must be nodes.")])
    columns = sorted({column for row in rows for column in row})
    values = {column: [row.get(column, "") for row in rows] for column in columns}
    graph = from_names(pairs, ids)
    further = sorted(
        {
            keys.get(data.get("key", ""), (data.get("key", ""),))[0]
            for edge in root.iterfind(tag("edge"))
            for data in edge.iterfind("{*}data")
        }
    )
    is_directed = any(
        one.get("edgedefault") == "directed" for one in root.iterfind(tag("graph"))
    ) or any(edge.get("directed") == "true" for edge in root.iterfind(tag("edge")))
    cleaning = graph.cleaning.of_a_file(further, directions=is_directed)
    return with_attributes(replace(graph, cleaning=cleaning), ids, values)


def tag(name: str) -> str:
    """Name a GraphML element anywhere below, in any namespace."""
    return f".//{{*}}{name}"


def graphml_text(graph: Graph) -> bytes:
    """Write GraphML with vertex attributes as texts.

    Raises
    ------
    OutputError : an attribute has a character that XML cannot hold
    """
    from xml.sax.saxutils import escape

    texts = chain(graph.attributes, *graph.attributes.values())
    if any(NOT_IN_XML.search(str(text)) for text in texts):
        problem = "an attribute has a control character, which GraphML cannot hold"
        raise OutputError([Fault("out", problem, "Name a file that ends in .csv.")])
    # Readers of XML turn bare line ends into others.
    marks = {"\r": "&#13;"}
    quoted = {**marks, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
    keys = [
        f'<key id="k{number}" for="node" attr.name="{escape(name, quoted)}" attr.type="string"/>'
        for number, name in enumerate(graph.attributes)
    ]
    columns = list(graph.attributes.values())
    nodes = [
        f'<node id="{vertex}">'
        + "".join(
            f'<data key="k{number}">{escape(str(column[vertex]), marks)}</data>'
            for number, column in enumerate(columns)
        )
        + "</node>"
        for vertex in range(graph.n_vertices)
    ]
    sources, targets = graph.edges()
    edges = [
        f'<edge source="{one}" target="{other}"/>'
        for one, other in zip(sources.tolist(), targets.tolist(), strict=True)
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    root = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    body = [*keys, '<graph edgedefault="undirected">', *nodes, *edges, "</graph>", "</graphml>", ""]
    return "\n".join([head, root, *body]).encode()
