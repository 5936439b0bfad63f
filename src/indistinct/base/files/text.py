"""Text files, as every door reads them: bytes in, their encoding, separators and header.

No table is made here, so that doors that need none load no library for tables.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from indistinct.base.inputs import open_regular, read_bytes
from indistinct.errors import DataError, EmptyDataError, Fault

SEPARATORS = ",;\t|"
STANDARD_STREAM = "-"
LINE_END = re.compile(rb"[\r\n]")
SAMPLE_BYTES = 4 << 20  # in which a header ends
OF_QUOTES = (
    "Double the quotes inside of cells. If quotes are characters as others, say so in the policy: "
    'data.quote = "". If a backslash stands before them: data.escape = "\\\\".'
)


def content_of(path: str, called: str) -> bytes:
    """Return the bytes of a whole file or of standard input.

    Parameters
    ----------
    path : of a file, or ``-``
    called : what a message names it

    Raises
    ------
    DataError
        when it cannot be read
    """
    try:
        return sys.stdin.buffer.read() if path == STANDARD_STREAM else read_bytes(path)
    except OSError as error:
        raise DataError(
            [
                Fault(
                    called,
                    f"cannot be read: {error.strerror}",
                    "Check the path.",
                    code="cannot-be-read",
                    parts={"why": error.strerror},
                )
            ]
        ) from None


def without_mark(content: bytes) -> bytes:
    """Leave out the mark of UTF-8 that some systems begin a file with."""
    return content.removeprefix(codecs.BOM_UTF8)


def line_at(content: bytes, position: int) -> int:
    """Return the number of the line, from 1, that a byte stands in."""
    return content.count(b"\n", 0, position) + 1


def is_utf8(content: bytes) -> bool:
    """Return whether bytes are text as a release is written; UTF-16 has bytes of zero."""
    try:
        _check_utf8(content)
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _check_utf8(content: bytes) -> None:
    """Raise UnicodeDecodeError where bytes are no UTF-8; those of ASCII need not be copied."""
    if not content.isascii():
        content.decode("utf-8")


def as_utf8(path: str, content: bytes) -> bytes:
    """Return text that a program wrote as UTF-8 bytes.

    Raises
    ------
    DataError
        when it is in another encoding
    """
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return content.decode("utf-16").encode("utf-8")
        _check_utf8(content)
    except UnicodeDecodeError as error:
        raise DataError(
            [
                Fault(
                    path,
                    f"is not UTF-8 (line {line_at(content, error.start)})",
                    "Convert it to UTF-8.",
                    code="not-utf-8",
                    parts={"line": line_at(content, error.start)},
                )
            ]
        ) from None
    return without_mark(content)


def separator_of(text: bytes, candidates: str = SEPARATORS) -> str:
    """Find the separator: the candidate that the header has most."""
    header = text[:SAMPLE_BYTES].split(b"\n", 1)[0].decode("utf-8", "replace")
    return max(candidates, key=header.count)


def separator_of_file(path: Path, candidates: str) -> str:
    """Return the separator of a text file, as :func:`separator_of` finds it."""
    if not candidates:
        return ","
    with path.open("rb") as file:
        return separator_of(without_mark(file.read(SAMPLE_BYTES)), candidates)


def cells_of(text: str, separator: str) -> list[str]:
    """Cut the first row of a text into its cells; an empty text has none.

    Raises
    ------
    csv.Error
        when it is no row, such as one with an endless cell
    """
    nothing: list[str] = []
    return next(csv.reader(io.StringIO(text), delimiter=separator), nothing)


def header_of(path: str, text: bytes, separator: str) -> list[str]:
    """Read the names of the columns from the beginning of a text.

    Raises
    ------
    DataError
        when it is no separated text, or its header does not end
    """
    if len(text) >= SAMPLE_BYTES and not LINE_END.search(text, 0, SAMPLE_BYTES):
        problem = f"has a first line of more than {SAMPLE_BYTES >> 20} MiB, which is not a header"
        remedy = "Check that this is the right file."
        parts = {"size": SAMPLE_BYTES >> 20}
        raise DataError([Fault(path, problem, remedy, code="endless-header", parts=parts)])
    beginning = text[:SAMPLE_BYTES].decode("utf-8", "ignore")
    try:
        return cells_of(beginning, separator)
    except csv.Error:
        raise malformed(path, 1) from None


def header_of_file(path: str, separator: str) -> list[str]:
    """Read the names of the columns of a text file.

    Raises
    ------
    DataError
        when it is no separated text
    """
    with open_regular(path) as file:
        return header_of(path, without_mark(file.read(SAMPLE_BYTES)), separator)


def check_names(header: Sequence[str]) -> None:
    """Refuse a header that names no column, or one of them twice.

    Raises
    ------
    DataError
        when it does
    """
    twice = sorted(name for name, count in Counter(header).items() if count > 1)
    if twice:
        raise DataError(
            Fault(
                f"column {name}",
                "is named twice",
                "Rename one of them.",
                code="named-twice",
                columns=(name,),
            )
            for name in twice
        )
    if not header:
        raise EmptyDataError(
            "the file is empty", "Check that this is the right file.", code="empty-file"
        )


def malformed(path: str, line: int | None = None) -> DataError:
    """Return the error that a text is not a table.

    Parameters
    ----------
    line : of the file, from 1, in which its quotes do not fit together
    """
    problem = "is not well-formed separated text"
    if line is None:
        return DataError([Fault(path, problem, "Check quotes and separators.", code="malformed")])
    said = "a quote opens a cell there and does not close it before a separator"
    problem = f"{problem} (line {line}): {said}"
    return DataError([Fault(path, problem, OF_QUOTES, code="broken-quotes", parts={"line": line})])


def ragged(path: str, lines: Sequence[int], n_cells: int, remedy: str) -> DataError:
    """Return the error that lines have too few or too many cells; the first of them are named."""
    if len(lines) == 1:
        problem = f"1 line does not have {n_cells} cells (line {lines[0]})"
        parts = {"cells": n_cells, "line": lines[0]}
        return DataError([Fault(path, problem, remedy, code="ragged-line", parts=parts)])
    listed = ", ".join(map(str, lines[:5]))
    problem = f"{len(lines)} lines do not have {n_cells} cells (lines {listed})"
    parts = {"count": len(lines), "cells": n_cells, "lines": listed}
    return DataError([Fault(path, problem, remedy, code="ragged-lines", parts=parts)])


def line_of_broken_quotes(text: io.TextIOBase | io.StringIO, separator: str) -> int | None:
    """Return the line, from 1, of the first record whose quotes do not fit; None if all do."""
    rows = csv.reader(text, delimiter=separator, strict=True)
    begins = 1
    try:
        for _ in rows:
            begins = rows.line_num + 1
    except csv.Error:
        return begins
    return None


def file_rows(path: Path, separator: str | None) -> list[list[str]]:
    """Read the rows of a small text file without a header; empty lines are skipped.

    Parameters
    ----------
    separator : found by the first line when not given; where none occurs, the file has one column
    """
    text = read_bytes(path).decode("utf-8-sig")
    file = io.StringIO(text, newline="")
    chosen = separator or max(";,\t|", key=file.readline().count)
    file.seek(0)
    return [row for row in csv.reader(file, delimiter=chosen) if row]
