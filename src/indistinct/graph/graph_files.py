"""Graphs from files: edge lists of any separator, METIS, GraphML; plain or gz."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.cells.plain_numbers import WHOLE
from indistinct.base.files.text import cells_of, content_of as bytes_of, line_at, without_mark
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.graph.edge_ends import (
    alike,
    check_all_marked,
    check_ends,
    check_ends_of_numbers,
    without_partners,
)
from indistinct.graph.edges import (
    Graph,
    from_ids,
    from_names,
    from_networkx,
    from_pairs,
    with_attributes,
)
from indistinct.graph.edges_kernels import parse_pairs
from indistinct.graph.formats import GraphFormat, check_marks, foreign, form_of
from indistinct.graph.graphml import parse_graphml
from indistinct.graph.headers import (
    are_of_one_kind,
    check_first_line,
    counts_or_edge,
    named_columns,
    names_an_id,
)

WHOLE_ID = re.compile(WHOLE)  # ids with leading zeros are texts: 07 and 7 may be two
VERTEX_SUFFIX = ".vertices.csv"
DIRECTED = "d"  # in the first line of a list of numbered vertices
WITH_BRACES = re.compile(r"[\s,;]\{[^{}]*\}\s*$")


def read(
    path: str | Path, *, vertices: str | Path | None = None, form: GraphFormat | None = None
) -> Graph:
    """Read a graph and make it simple and undirected.

    Parameters
    ----------
    path : an edge list (``,`` ``;`` tab or space; ``#`` and ``%`` begin comments; a header is
        found), a METIS file (``.graph``, ``.metis``) or GraphML (``.graphml``); each may end in
        ``.gz``; ``-`` is an edge list on standard input
    vertices : a CSV with a header whose first column is the vertex id and whose other columns are
        vertex attributes; default: the file ``NAME.vertices.csv`` beside ``NAME.csv``, if any
    form : ``edges``, ``metis`` or ``graphml``; default: told by the name

    Raises
    ------
    DataError : the file is missing or is not what its name says
    ParameterError : ``form`` is unknown
    """
    path = Path(path)
    form = form or form_of(path)
    if form not in get_args(GraphFormat):
        raise ParameterError("the format is unknown", "Use edges, metis or graphml.")
    listed = vertices_of(path, vertices, form)
    if form == "metis":
        graph = parse_metis(text_of(path), path.name)
    elif form == "graphml":
        graph = parse_graphml(text_of(path), path.name)
    else:
        graph = parse_edges(content_of(path), path.name, None if listed is None else listed[0])
    return graph if listed is None else with_attributes(graph, *listed)


def as_graph(source: Any) -> Graph:
    """Return the graph of a :class:`Graph`, a networkx graph, or the path of a file.

    Raises
    ------
    ParameterError : it is none of them
    """
    if isinstance(source, Graph):
        return source
    if isinstance(source, str | Path):
        return read(source)
    if hasattr(source, "nodes") and hasattr(source, "edges"):
        return from_networkx(source)
    raise ParameterError(
        f"a graph is wanted, not a {type(source).__name__}",
        "Give a path, a networkx graph or indistinct.graph.read(...).",
    )


def content_of(path: Path) -> bytes:
    """Read a file, unpacked.

    Raises
    ------
    DataError : it cannot be read
    """
    try:
        content = bytes_of(str(path), path.name)
        return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    except (OSError, EOFError, zlib.error) as error:
        problem = "cannot be read: it is a damaged gz file"
        raise DataError([Fault(path.name, problem, "Check the path.")]) from error


def text_of(path: Path) -> str:
    """Read a text file, unpacked, with lines that end in a newline."""
    return decoded(with_newlines(content_of(path)), path.name)


def with_newlines(content: bytes) -> bytes:
    """End every line in a newline, whatever system wrote the file."""
    if b"\r" not in content:
        return content
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def decoded(content: bytes, name: str) -> str:
    """Decode UTF-8, with or without its mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = line_at(content, error.start)
        raise DataError(
            [Fault(name, f"line {row} is not UTF-8", "Convert the file to UTF-8.")]
        ) from error


def parse_edges(content: bytes, name: str, listed: Sequence[str] | None = None) -> Graph:
    """Read an edge list.

    Parameters
    ----------
    content : the bytes of the file
    name : what messages call it
    listed : ids of vertices that are there even without an edge

    Raises
    ------
    DataError : a line lacks an end of its edge, or the first line may be a header or an edge

    Notes
    -----
    Lines that begin with two whole numbers are read by a compiled loop; any other ids are texts. A
    first line ``n,m,u,name`` announces ids 1..n.
    """
    content = with_newlines(without_mark(content))
    check_marks(content, name)
    check_all_marked(content, name)
    data = np.frombuffer(content, np.uint8)
    begin, end = first_line(content)
    heading_line = content[begin:end].decode("utf-8", "replace")
    in_braces = WITH_BRACES.search(heading_line)
    tokens = tokens_of(WITH_BRACES.sub("", heading_line), name)
    announced = announced_vertices(tokens)
    columns = None if announced is not None else named_columns(tokens)
    heading = announced is not None or columns is not None
    as_texts = columns not in {None, (0, 1)} or not all(
        WHOLE_ID.fullmatch(one) for one in listed or ()
    )
    # Two words for one kind of vertices above whole numbers only are a header, too.
    above = not heading and len(tokens) == 2 and are_of_one_kind(tokens)  # noqa: PLR2004 - two ends
    wide = announced is not None or (columns is not None and len(tokens) > 2)  # noqa: PLR2004 - two ends
    found, stop = parse_pairs(data, end if heading or above else begin, not wide)
    pairs = found.reshape(-1, 2)
    if announced is not None:
        is_directed = tokens[2] == DIRECTED
        return from_numbered(pairs, announced, name, whole=stop < 0, directed=is_directed)
    if as_texts or stop >= 0 or (above and not len(pairs)):
        graph = parse_texts(decoded(content, name), name, columns, listed)
    else:
        check_counts_line(pairs, name, first=not (heading or above))
        check_ends_of_numbers(pairs, name)
        extra = None if listed is None else np.array([int(one) for one in listed], np.int64)
        graph = from_ids(pairs, extra)
    further = [token for at, token in enumerate(tokens) if columns and at not in columns]
    if in_braces and in_braces[0].strip(" \t,;{}"):
        further.append("attributes in braces")
    return replace(graph, cleaning=graph.cleaning.of_a_file(further, directions=True))


def check_counts_line(pairs: Ints, name: str, *, first: bool) -> None:
    """Raise :class:`DataError` when the first line may give the numbers of vertices and edges.

    Parameters
    ----------
    pairs : (n_lines, 2), ids
    first : whether the first pair is that of the first line
    """
    is_count = first and len(pairs) > 1 and int(pairs[0, 1]) == len(pairs) - 1
    if is_count and int(pairs[1:].max()) <= int(pairs[0, 0]):
        raise counts_or_edge(name)


def first_line(content: bytes) -> tuple[int, int]:
    """Return begin and end of the first line that is neither blank nor a comment."""
    begin = 0
    while begin < len(content):
        end = content.find(b"\n", begin)
        end = len(content) if end < 0 else end
        line = content[begin:end].strip()
        if line and line[:1] not in b"#%":
            return begin, end
        begin = end + 1
    return len(content), len(content)


def separator_of(line: str) -> str | None:
    """Find the separator in a line; nothing stands for any run of spaces."""
    return next((mark for mark in "\t,;|" if mark in line.strip()), None)


def tokens_of(line: str, name: str) -> list[str]:
    """Cut a line by the separator that stands in it."""
    return split(line, separator_of(line), name)


def split(line: str, separator: str | None, name: str) -> list[str]:
    """Cut a line into its cells.

    Raises
    ------
    DataError : it is not a line of a table, such as one with an endless cell
    """
    if separator is None:
        return [cell.strip('"') for cell in line.split()]
    try:
        cells = cells_of(line, separator)
    except csv.Error as error:
        problem, remedy = "a line is not a row of a table", "Check the file's form."
        raise DataError([Fault(name, problem, remedy)]) from error
    return [cell.strip() for cell in cells]


def announced_vertices(tokens: Sequence[str]) -> int | None:
    """Return the vertex count of a first line ``n,m,u,name``, if it is one."""
    if len(tokens) == 4 and tokens[2] in {"u", DIRECTED}:  # noqa: PLR2004 - the format's four cells
        return int(tokens[0]) if WHOLE_ID.fullmatch(tokens[0]) else None
    return None


def from_numbered(pairs: Ints, n_vertices: int, name: str, *, whole: bool, directed: bool) -> Graph:
    """Make a graph of ids 1..n; ``whole`` tells whether every line could be read."""
    if not whole or (pairs.size and (pairs.min() < 1 or pairs.max() > n_vertices)):
        raise DataError(
            [Fault(name, "an id is not between 1 and the first line's count", "Correct it.")]
        )
    graph = from_pairs(pairs - 1, n_vertices)
    cleaning = graph.cleaning.of_a_file((), directions=directed)
    ids = np.arange(1, n_vertices + 1, dtype=np.int64)
    return replace(graph, ids=ids, cleaning=cleaning)


def parse_texts(
    text: str, name: str, columns: tuple[int, int] | None, listed: Sequence[str] | None
) -> Graph:
    """Read an edge list whose ids are texts.

    Parameters
    ----------
    text, name : content of the file, and what messages call it
    columns : the two ends, where the first line is a header that names them
    listed : ids of vertices that are there even without an edge

    Raises
    ------
    DataError : a line lacks an end of its edge; names at most ten such lines. Or the first line may
        be a header or an edge
    """
    lines = list(numbered_cells(text, name))
    first = lines[0][1] if lines else []
    widths = {len(cells) for _, cells in lines}
    if columns is None and max(widths, default=0) > 2:  # noqa: PLR2004 - two ends
        if widths == {len(lines)} and len(lines) > 3:  # noqa: PLR2004 - a smaller one may be edges
            raise foreign(name, "an adjacency matrix")
        if len(widths) > 1:
            raise foreign(name, "an adjacency list, or another one whose lines differ in length")
    source, target = columns or (0, 1)
    rows = lines[1:] if columns else lines
    ends = [(row, one_of(cells, source), one_of(cells, target)) for row, cells in rows]
    ends, alone = without_partners(ends)
    short = [row for row, one, other in ends if not one or not other]
    pairs = alike([(one, other) for _, one, other in ends])
    if short:
        rows = ", ".join(map(str, short[:10])) + (" ..." if len(short) > 10 else "")  # noqa: PLR2004 - a message stays short
        remedy = "Each line needs the two ends of an edge."
        raise DataError([Fault(name, f"lines without two ids: {rows}", remedy)])
    if columns and any(len(cells) > len(first) and any(cells[len(first) :]) for _, cells in lines):
        problem = "a line has more cells than the header names columns"
        raise DataError([Fault(name, problem, "Name every column in the first line.")])
    ids = {one for pair in (pairs if columns else pairs[1:]) for one in pair}
    is_heading = check_first_line(first, ids, set(listed or ()), name, heading=bool(columns))
    if columns is None and max(widths, default=0) > 2:  # noqa: PLR2004 - two ends
        problem = "has several columns, and nothing says which two of them are the ends of an edge"
        remedy = (
            "Put a line above the first edge, such as source,target,time or time,source,target."
        )
        raise DataError([Fault(name, problem, remedy)])
    pairs = pairs[1:] if is_heading and not columns else pairs
    check_ends(pairs, name)
    if not alone:
        return from_names(pairs, listed)
    known = dict.fromkeys([*(listed or ()), *(one for pair in pairs for one in pair)])
    graph = from_names(pairs, [*known, *(one for one in alone if one not in known)])
    return replace(graph, cleaning=replace(graph.cleaning, without_partner=len(alone)))


def one_of(cells: Sequence[str], place: int) -> str:
    """Return the cell at a place; nothing where the line is too short."""
    return cells[place] if place < len(cells) else ""


def numbered_cells(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Cut every line that is neither blank nor a comment, with its number.

    Raises
    ------
    DataError : a comment stands below a row, where other forms have marks of their own
    """
    separator: str | None = None
    found = False
    for row, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if line.lstrip()[0] in "#%":
            if found:
                problem = f"line {row} begins with # or % below the first row"
                remedy = "Remove comments; put ids that begin so in quotes below source,target."
                raise DataError([Fault(name, problem, remedy)])
            continue
        if not found:
            separator, found = separator_of(line), True
        # Where networkx writes attributes of an edge, they stand in braces at the end.
        cells = split(WITH_BRACES.sub("", line), separator, name)
        while len(cells) > 2 and not cells[-1]:  # noqa: PLR2004 - two ends
            cells.pop()
        yield row, cells


def parse_metis(text: str, name: str) -> Graph:
    """Read a METIS adjacency file: a line per vertex, ids 1..n, an empty line if it is isolated.

    Raises
    ------
    DataError : the first line or a row is not what the format wants
    """
    lines = [line for line in text.split("\n") if not line.startswith("%")]
    try:
        head = [int(word) for word in lines[0].split()]
        n_vertices, kind = head[0], f"{head[2] if len(head) > 2 else 0:03d}"  # noqa: PLR2004 - format
        constraints = head[3] if len(head) > 3 else 1  # noqa: PLR2004 - format
        before = (kind[0] == "1") + (kind[1] == "1") * constraints
        step = 2 if kind[2] == "1" else 1
        rows = [np.array(line.split()[before::step], np.int64) for line in lines[1:]]
    except (ValueError, IndexError) as error:
        remedy = "The first line is 'vertices edges [format]', each other line lists neighbors."
        raise DataError([Fault(name, "is not a METIS file", remedy)]) from error
    rows, rest = rows[:n_vertices], rows[n_vertices:]
    numbers = np.concatenate(rows) if rows else np.empty(0, np.int64)
    faulty = numbers.size and (numbers.min() < 1 or numbers.max() > n_vertices)
    if len(rows) < n_vertices or faulty or any(row.size for row in rest):
        problem = "the rows do not fit the number of vertices in the first line"
        raise DataError([Fault(name, problem, "Correct the first line or the rows.")])
    if numbers.size != 2 * head[1]:
        problem = "the rows do not name as many edges as the first line, each from both ends"
        raise DataError([Fault(name, problem, "Correct the first line or the rows.")])
    owners = np.repeat(np.arange(n_vertices), [len(row) for row in rows])
    graph = from_pairs(np.column_stack([owners, numbers - 1]), n_vertices, mirrored=True)
    weights = ["weights of edges"] * (step - 1) + ["numbers of vertices"] * (before > 0)
    cleaning = graph.cleaning.of_a_file(weights, directions=False)
    ids = np.arange(1, n_vertices + 1, dtype=np.int64)
    return replace(graph, ids=ids, cleaning=cleaning)


def vertices_of(
    path: Path, given: str | Path | None, form: GraphFormat
) -> tuple[list[str], dict[str, list[str]]] | None:
    """Read the file of vertices, if there is one: ids, and values per attribute."""
    vertex_file = path.with_name(path.name.removesuffix(".gz").removesuffix(".csv") + VERTEX_SUFFIX)
    if given is None and (form != "edges" or not vertex_file.is_file()):
        return None
    source = vertex_file if given is None else Path(given)
    table = [cells for _, cells in numbered_cells(text_of(source), source.name)]
    if not table or any(len(cells) != len(table[0]) for cells in table):
        problem = "is not a table with a header and cells in every row"
        raise DataError([Fault(source.name, problem, "Give a CSV: id, then vertex attributes.")])
    heading, rows = table[0], table[1:]
    if not names_an_id(heading[0]) or len(set(heading)) < len(heading):
        problem = "the first line may be a vertex, or names a column twice"
        remedy = "Call the first column id, and every other by a name of its own."
        raise DataError([Fault(source.name, problem, remedy)])
    ids = [cells[0] for cells in rows]
    if len(set(ids)) < len(ids):
        raise DataError([Fault(source.name, "an id appears twice", "List every vertex once.")])
    return ids, {name: [cells[i] for cells in rows] for i, name in enumerate(heading) if i}
