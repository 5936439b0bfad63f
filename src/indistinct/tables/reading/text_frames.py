"""Separated text: every line checked, in memory or block by block, and read as a frame of texts."""

from __future__ import annotations

import csv
import io
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TextIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from indistinct.base.arrays import Bools, Ints
from indistinct.base.files.text import (
    SAMPLE_BYTES,
    check_names,
    header_of,
    header_of_file,
    line_of_broken_quotes,
    malformed,
    ragged,
    separator_of,
    without_mark,
)
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.places import Files

SMALL = 64 * 1024 * 1024  # bytes that are read at once
PART = 1024 * 1024  # bytes that are looked through at once, and stay near the processor
NEW_LINE, RETURN, QUOTE = ord("\n"), ord("\r"), ord('"')
BLOCK_BYTES = 16 << 20  # of a file that is not read whole
COLUMNS_AT_ONCE = 8  # of a text that is not small

Bytes = NDArray[np.uint8]


def read_text(  # noqa: PLR0913, PLR0917 - each says how it is read
    path: str,
    text: bytes,
    separator: str,
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    names: Sequence[str] | None = None,
    before: int = 0,
) -> pl.DataFrame:
    """Read separated text, every cell as it is written.

    Parameters
    ----------
    typed : gives cells their types; of a large text some columns at a time, so that it never stands
        in memory as texts as a whole
    names : of the columns; those of the header when not given
    before : lines of the file above the text
    """
    header = header_of(path, text, separator) if names is None else list(names)
    check_names(header)
    try:
        _check_ragged(path, text, separator, len(header), before)
        if typed is None or len(text) <= SMALL:
            frame = _columns_of(text, separator, header)
            return frame if typed is None else typed(frame)
        parts = [
            typed(_columns_of(text, separator, header, range(start, start + COLUMNS_AT_ONCE)))
            for start in range(0, len(header), COLUMNS_AT_ONCE)
        ]
    except (pl.exceptions.PolarsError, csv.Error):
        found = line_of_broken_quotes(io.StringIO(text.decode("utf-8"), newline=""), separator)
        raise malformed(path, None if found is None else found + before) from None
    return pl.concat(parts, how="horizontal")


def _columns_of(
    text: bytes, separator: str, header: list[str], places: range | None = None
) -> pl.DataFrame:
    """Read the columns at some places, or all of them."""
    chosen = None if places is None else [place for place in places if place < len(header)]
    frame = pl.read_csv(
        io.BytesIO(text),
        separator=separator,
        columns=chosen,
        infer_schema=False,
        truncate_ragged_lines=False,
    )
    names = header if chosen is None else [header[place] for place in chosen]
    if frame.width == len(names):
        frame.columns = names  # Polars leaves the quotes inside a quoted name doubled.
    columns = frame.get_columns()[::-1]
    del frame
    return _in_one_piece(columns)


def _in_one_piece(columns: list[pl.Series]) -> pl.DataFrame:
    """Return a frame whose columns are one piece of memory each; the list is taken from its end.

    Rows are taken out of one piece ten times as fast as out of the many that are read. Only the
    column that is copied just now is in memory twice.
    """
    pieces: list[pl.Series] = []
    while columns:
        pieces.append(columns.pop().rechunk())
    return pl.DataFrame(pieces)


def _ragged_lines(
    text: bytes, separator: str, n_columns: int, size: int | None = None
) -> Iterator[int]:
    """Yield the numbers, from 1, of lines with another number of cells, part of a text by part.

    Parameters
    ----------
    size : bytes of the text that are looked at; all where left out
    """
    start = n_before = 0
    size = len(text) if size is None else size
    while start <= size:
        cut = text.find(b"\n", start + PART, size)
        end = size if cut < 0 else cut
        part = np.frombuffer(text, np.uint8, end - start, start)
        is_end, is_separator = part == NEW_LINE, part == ord(separator)
        closes = np.append(is_end[np.flatnonzero(is_end | is_separator)], [True])  # else a cell
        n_lines = int(np.count_nonzero(closes))
        is_even = len(closes) == n_lines * n_columns and closes[n_columns - 1 :: n_columns].all()
        if not is_even:
            ends = np.append(np.flatnonzero(is_end), len(part))
            wrong = _other_widths(part, ends, np.flatnonzero(is_separator), n_columns)
            yield from (n_before + index + 1 for index in np.flatnonzero(wrong).tolist())
        start, n_before = end + 1, n_before + n_lines


def _other_widths(part: Bytes, ends: Ints, separators: Ints, n_columns: int) -> Bools:
    """Return which lines have another number of cells: (n_lines,).

    Parameters
    ----------
    part : of a text, from the start of a line
    ends, separators : where its lines end, and where its cells do
    """
    # What lies before the end of each line, less what lies before the end of the one above.
    cells = np.diff(np.searchsorted(separators, ends), prepend=0)
    returns = np.diff(np.searchsorted(np.flatnonzero(part == RETURN), ends), prepend=0)
    lengths = np.diff(ends, prepend=-1) - 1
    wrong: Bools = (cells + 1 != n_columns) & ((lengths > returns) | (n_columns > 1))
    return wrong


def has_ragged_lines(text: bytes, separator: str, n_columns: int) -> bool:
    """Return whether some line of a text without quotes has another number of cells."""
    return any(True for _ in _ragged_lines(text, separator, n_columns, _size_of_lines(text)))


def are_quoted_rows(text: bytes | memoryview, separator: str, n_columns: int) -> bool:
    """Return whether a text with quotes has rows of one width, so plainly that none need be parsed.

    Quotes must open a cell and close it; those inside a cell are doubled. A text in any other form
    is left to the parser, which alone can number its rows.
    """
    start = 0
    while start < len(text):
        part = np.frombuffer(text, np.uint8, min(PART, len(text) - start), start)
        # From an opening quote to the byte before the closing one.
        is_inside = np.bitwise_xor.accumulate((part == QUOTE).view(np.uint8)).view(np.bool_)
        ends = _outside(part, NEW_LINE, is_inside)
        if start + len(part) < len(text):
            if not len(ends):
                return False
            part, ends = part[: ends[-1]], ends[:-1]
        ends = np.append(ends, len(part))
        separators = _outside(part, ord(separator), is_inside)
        if (
            not _are_closed(part, _outside(part, RETURN, is_inside), ord(separator))
            or int(np.diff(ends, prepend=-1).max()) > csv.field_size_limit()
            or _other_widths(part, ends, separators, n_columns).any()
        ):
            return False
        start += len(part) + 1
    return True


def _outside(part: Bytes, byte: int, is_inside: Bools) -> Ints:
    """Find a byte where it stands in no quotes."""
    places = np.flatnonzero(part == byte)
    return places[~is_inside[places]]


def _are_closed(part: Bytes, returns: Ints, separator: int) -> bool:
    """Return whether quotes enclose cells, or are doubled inside, and rows end as they should.

    Parameters
    ----------
    part : of a text, from the start of a line to the end of one
    returns : where it has such outside of quotes
    """
    quotes = np.flatnonzero(part == QUOTE)
    framed = np.concatenate([[np.uint8(NEW_LINE)], part, [np.uint8(NEW_LINE)]])
    may_touch = np.zeros(1 << 8, np.bool_)
    may_touch[[separator, NEW_LINE, RETURN, QUOTE]] = True
    before, after = framed[quotes[::2]], framed[quotes[1::2] + 2]
    return (
        len(quotes) % 2 == 0
        and bool(may_touch[before].all() and may_touch[after].all())
        and bool((framed[returns + 2] == NEW_LINE).all())
    )


def _check_ragged(path: str, text: bytes, separator: str, n_columns: int, before: int) -> None:
    """Refuse lines with too few or too many cells, all of them named at once.

    Without quotes a line's cells are its separators plus one; with quotes the separators outside
    them count, or the text is parsed.
    """
    size = _size_of_lines(text)
    if b'"' not in text:
        numbers = list(_ragged_lines(text, separator, n_columns, size))
    elif are_quoted_rows(memoryview(text)[:size], separator, n_columns):
        numbers = []
    else:
        numbers = list(_other_rows(io.StringIO(text.decode("utf-8")), separator, n_columns))
    _refuse_lines(path, [before + number for number in numbers], n_columns)


def _other_rows(text: TextIO, separator: str, n_columns: int) -> Iterator[int]:
    """Yield the lines, from 1, in which records with another number of cells begin."""
    rows, begins = csv.reader(text, delimiter=separator), 1
    for row in rows:
        if row and len(row) != n_columns:
            yield begins
        begins = rows.line_num + 1


def _size_of_lines(text: bytes) -> int:
    """Return the bytes before the last line ends; the text is copied only where these are many."""
    last = text[-PART:]
    kept = last.rstrip(b"\r\n")
    return len(text) - len(last) + len(kept) if kept else len(text.rstrip(b"\r\n"))


def _refuse_lines(path: str, numbers: Sequence[int], n_columns: int) -> None:
    """Refuse lines with too few or too many cells, by their numbers."""
    if numbers:
        raise ragged(path, numbers, n_columns, "Correct these lines, or name the separator.")


def check_texts(files: Files, separator: str | None, *, only_enclosing: bool = False) -> str:
    """Check that every line of text files has as many cells as the header; give the separator.

    Parameters
    ----------
    only_enclosing : whether quotes must enclose cells, and be doubled inside

    Raises
    ------
    DataError
        when a file is no UTF-8, lines are too short or too long, or headers differ
    """
    found: set[tuple[str, ...]] = set()
    for path in files.paths:
        with Path(path).open("rb") as file:
            beginning = without_mark(file.read(SAMPLE_BYTES))
        separator = separator or separator_of(beginning, files.separators)
        header = header_of(path, beginning, separator)
        check_names(header)
        found.add(tuple(header))
        _check_lines(path, separator, len(header))
        if only_enclosing:
            _refuse_other_quotes(path, separator)
    if len(found) > 1:
        remedy = "Give files with the same header."
        raise DataError("the files have different columns", remedy, code="different-columns")
    return separator or ","


def _check_lines(path: str, separator: str, n_cells: int) -> None:
    """Refuse lines with too few or too many cells."""
    try:
        wrong = _wrong_lines(path, separator, n_cells)
    except UnicodeDecodeError:
        remedy = "Convert it to UTF-8, or take --engine memory and data.encoding in the policy."
        fault = Fault(path, "is not UTF-8", remedy, code="not-utf-8-somewhere")
        raise DataError([fault]) from None
    except csv.Error:
        raise malformed(path) from None
    _refuse_lines(path, wrong, n_cells)


def _wrong_lines(path: str, separator: str, n_cells: int) -> list[int]:
    """Return the numbers of lines with another number of cells.

    Without quotes a line's cells are its separators plus one; from the first quote on the text is
    parsed.
    """
    before, rest = 0, b""
    found: list[int] = []
    with Path(path).open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            if b'"' in block:
                break
            lines, _, rest = (rest + block).rpartition(b"\n")
            lines.decode("utf-8")
            found += _lines_after(before, lines, separator, n_cells)
            before += lines.count(b"\n") + bool(lines)
        else:
            rest.decode("utf-8")
            return [*found, *_lines_after(before, rest, separator, n_cells)]
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        broken = line_of_broken_quotes(text, separator)
    if broken is not None:
        raise malformed(path, broken)
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        return list(_other_rows(text, separator, n_cells))


def _refuse_other_quotes(path: str, separator: str) -> None:
    """Refuse quotes inside of cells that have none around them, by the line of the first."""
    if _has_only_enclosing(path, separator):
        return
    taken: list[str] = []
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        lines = (taken.append(line) or line for line in text)
        rows, begins = csv.reader(lines, delimiter=separator), 1
        for row in rows:
            written = "".join(taken).rstrip("\r\n").encode()
            if b'"' in written and not are_quoted_rows(written, separator, len(row)):
                problem = f"has a quote inside of a cell that has none around it (line {begins})"
                remedy = "Take --engine memory or duckdb, or put such cells in quotes."
                raise DataError([Fault(path, problem, remedy)])
            taken.clear()
            begins = rows.line_num + 1


def _has_only_enclosing(path: str, separator: str) -> bool:
    """Return whether all quotes of a text file enclose cells, without reading it whole."""
    with Path(path).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as text:
        size = len(text) - len(text[-PART:]) + len(text[-PART:].rstrip(b"\r\n"))
        start = len(BOM_UTF8) if text[: len(BOM_UTF8)] == BOM_UTF8 else 0
        n_columns = len(header_of_file(path, separator))
        with memoryview(text) as whole, whole[start:size] as rows:
            return are_quoted_rows(rows, separator, n_columns)


def _lines_after(before: int, text: bytes, separator: str, n_cells: int) -> Iterator[int]:
    """Yield the numbers of lines of another number of cells, behind lines read before."""
    found = _ragged_lines(text, separator, n_cells) if text else ()
    yield from (before + number for number in found)
