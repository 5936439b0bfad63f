"""Text files for DuckDB: nothing is guessed from the records, and faults are named by line.

A guess at separators, quotes or types would let one record change how all others are read, and
would take a record for the header. So the header alone gives columns and separator. A file that
DuckDB does not read whole (a line with too many fields, differing ends of lines) is read line by
line.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO, final

from indistinct.database.preparation import literal
from indistinct.engines.text import SEPARATORS, cells_of
from indistinct.errors import DataError

NAMED = 10  # lines that a message names


@final
@dataclass(frozen=True, slots=True)
class Header:
    """The names of a file's columns, and what stands between two fields."""

    names: tuple[str, ...]
    separator: str


def header(path: str) -> Header:
    """Read the first line of a file; its separator is the one that makes most columns of it."""
    with opened(path) as file:
        lines = file.readline(1_000_000)
    separators = "\t" if ".tsv" in Path(path).name.lower()[-7:] else SEPARATORS
    found = [(cells_of(lines, mark), mark) for mark in separators]
    names, separator = max(found, key=lambda row: len(row[0]))
    if not all(names) or len({name.casefold() for name in names}) < len(names) or not names:
        raise DataError(
            f"{Path(path).name}: its first line is not a header: a name is empty or repeated",
            "Write the names of the columns into the first line.",
        )
    return Header(tuple(names), separator)


def table_function(path: str, found: Header) -> str:
    """Write the table function that reads a file of this header, or fails on its first fault."""
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in found.names)
    return (
        f"read_csv({literal(path)}, auto_detect = false, header = true, quote = '\"', "
        f"escape = '\"', delim = {literal(found.separator)}, columns = {{{columns}}})"
    )


@contextmanager
def opened(path: str) -> Generator[TextIO]:
    """Open a file of text, compressed or not."""
    try:
        with Path(path).open("rb") as raw:
            plain = gzip.GzipFile(fileobj=raw) if path.lower().endswith(".gz") else raw
            with io.TextIOWrapper(plain, encoding="utf-8-sig", newline="") as file:
                yield file
    except (OSError, EOFError, UnicodeDecodeError):
        raise DataError(
            f"{Path(path).name}: cannot be read as a table",
            "Check the path, the header and the encoding, which must be UTF-8.",
        ) from None


@contextmanager
def mended(path: str, found: Header, *, leave_out: bool) -> Generator[str]:
    """Give a private copy of a file with even lines, which is gone after the block.

    Parameters
    ----------
    leave_out : whether lines that have more or fewer fields than the header are left out

    Raises
    ------
    DataError
        That names the lines which do not fit, if they may not be left out.
    """
    wrong: list[int] = []
    with NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".csv") as copy:
        writer = csv.writer(copy, delimiter=found.separator, lineterminator="\n")
        for line, row in rows(path, found):
            if len(row) == len(found.names):
                writer.writerow(row)
            elif row:
                wrong.append(line)
        copy.flush()
        if wrong and not leave_out:
            raise misfits(path, wrong, len(found.names))
        yield copy.name


def rows(path: str, found: Header) -> Iterator[tuple[int, list[str]]]:
    """List the records with the number of the line where each begins, the header first."""
    with opened(path) as file:
        reader = csv.reader(file, delimiter=found.separator, strict=True)
        begins = 1
        try:
            for row in reader:
                yield begins, row
                begins = reader.line_num + 1
        except csv.Error:
            raise DataError(
                f"{Path(path).name}: line {begins} has a quote that is not closed as it should be",
                "Fix the line: a quote within a field is written twice.",
            ) from None


def misfits(path: str, lines: list[int], n_columns: int) -> DataError:
    """Make the error of lines that do not fit the header; it quotes nothing of them."""
    named = ", ".join(map(str, lines[:NAMED]))
    more = f" and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return DataError(
        f"{Path(path).name}: does not have {n_columns} fields in line {named}{more}",
        'Correct the file, or have them left out: [dataset] misfits = "leave-out".',
    )
