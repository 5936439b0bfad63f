"""Which form a file of a graph has: told by the end of its name and by the marks in it.

A form that is not read is refused by its name, because nearly every line of another form could be
taken for an edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from indistinct.errors import DataError, Fault, OutputError

GraphFormat = Literal["edges", "metis", "graphml"]

READ: dict[str, GraphFormat] = {".graph": "metis", ".metis": "metis", ".graphml": "graphml"}
WRITTEN = (".csv", ".txt", ".graph", ".metis", ".graphml")
HEAD = 65_536  # bytes in which the marks of a form stand

# fmt: off
FOREIGN = {
    "Pajek": ".net .paj", "GEXF": ".gexf", "GML": ".gml", "DOT of Graphviz": ".dot .gv",
    "Matrix Market": ".mtx .mm", "UCINET": ".dl .##h .##d", "LGL": ".lgl", "SIF": ".sif",
    "JSON": ".json .jsonl .ndjson .jgf", "an adjacency list": ".adjlist .multiline_adjlist .adj",
    "an adjacency matrix": ".mat", "Trivial Graph Format": ".tgf", "GDF": ".gdf",
    "NetDraw": ".vna", "Tulip": ".tlp", "LEDA": ".lgr .gw .leda", "RDF": ".nt .ttl .rdf",
    "DIMACS": ".col .clq .gr .dimacs", "graph6": ".g6 .s6 .d6", "XML of another form": ".xml",
    "a packed archive": ".zip .tar .tgz .bz2 .xz .zst .7z", "a workbook": ".xlsx .xls .ods",
    "an array or table in binary form": ".npz .npy .parquet .feather .h5 .hdf5",
    "a pickle": ".pickle .pkl .gpickle",
}
# fmt: on
NAMES = {suffix: name for name, suffixes in FOREIGN.items() for suffix in suffixes.split()}
# In this order: what each form begins with, after comments and blank lines where it has such.
MARKS = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for name, pattern in (
        ("Matrix Market", rb"\A\s*%%MatrixMarket"),
        ("a two-mode network", rb"\A\s*%\s*bip"),
        ("Pajek, or another form with lines that begin with *", rb"^[ \t]*\*[a-z]"),
        ("GEXF", rb"<gexf\b"),
        ("GraphML under another name", rb"<graphml\b"),
        ("XML or RDF", rb"\A\s*<"),
        ("DOT of Graphviz", rb"^\s*(strict\s+)?(di)?graph\b[^\[\n{,;]*\s*\{"),
        ("GML", rb"^\s*graph\s*\["),
        ("UCINET", rb"^\s*dl\s+(n|nr|nc|nm|format)\b"),
        ("GDF", rb"^\s*nodedef\s*>"),
        ("Tulip", rb"^\s*\(tlp\b"),
        ("LEDA", rb"^\s*LEDA\.GRAPH"),
        ("DIMACS", rb"^p[ \t]+\w+[ \t]+\d+[ \t]+\d+"),
        ("LEMON or Turtle", rb"^[ \t]*@[a-z]"),
        ("graph6", rb"\A(>>(graph|digraph|sparse)6<<|:[?-~]+\s*$)"),
        ("JSON", rb"\A\s*[\[{]"),
        ("Trivial Graph Format", rb"^[^#%\n][^\n]*\n[ \t]*#[ \t]*$"),
    )
)


def form_of(path: Path) -> GraphFormat:
    """Return the form that the end of a name tells.

    Raises
    ------
    DataError : the name is that of a form that is not read
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix in NAMES:
        raise foreign(path.name, NAMES[suffix])
    return READ.get(suffix, "edges")


def check_marks(content: bytes, name: str) -> None:
    """Raise :class:`DataError` when an edge list has the marks of another form.

    Parameters
    ----------
    content : of the file, with lines that end in a newline
    name : what messages call it
    """
    head = content[:HEAD]
    if b"\0" in head:
        raise foreign(name, "a binary form, or text that is not UTF-8")
    for form, mark in MARKS:
        if mark.search(head):
            raise foreign(name, form)


def foreign(name: str, form: str) -> DataError:
    """Return the error that a form is not read, and what is."""
    remedy = (
        "Write an edge list with the first line source,target, or GraphML. Where edges join two "
        "kinds of vertices, such as people and places, write a graph of one kind."
    )
    return DataError([Fault(name, f"is not read, because its form is {form}", remedy)])


def refuse_two_modes(attributes: Iterable[str]) -> None:
    """Raise :class:`DataError` when an attribute of vertices tells two kinds of them apart."""
    if "bipartite" in attributes:
        raise foreign("graph", "a two-mode network: its vertices have the attribute bipartite")


def check_output(path: Path) -> None:
    """Raise :class:`OutputError` when the end of a name says a form that is not written."""
    suffix = Path(path.name.lower()).suffix
    if suffix and suffix not in WRITTEN:
        problem = f"would not be in the form that the end {suffix} says"
        raise OutputError([Fault(path.name, problem, f"Use one of {', '.join(WRITTEN)}.")])
