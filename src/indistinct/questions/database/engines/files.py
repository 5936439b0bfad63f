"""Files of text and Parquet, as DuckDB reads them: line by line alike, whatever a record says."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TextIO, final

from indistinct.base.files.literal_paths import duckdb_path
from indistinct.base.files.text import SEPARATORS, cells_of
from indistinct.errors import DataError
from indistinct.questions.database.preparation import literal, quoted

NAMED = 10  # lines that a message names
DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = "[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?Z?"
GUESSES = ("BIGINT", "DOUBLE", "DATE", "TIMESTAMP")
SUFFIXES = (".csv", ".tsv", ".parquet")


def connect() -> Any:
    """Open an empty database in memory that extends itself by nothing, and plans by no value.

    Statistics of a column would: the planner can fail on some least or greatest values alone. A
    cast that gives null where it fails must stay out of the reading of a file, where it fails.
    """
    import duckdb

    connection = duckdb.connect(
        config={"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    )
    known = {name for (name,) in connection.execute("FROM duckdb_optimizers()").fetchall()}
    names = ", ".join(one for one in ("statistics_propagation", "type_pushdown") if one in known)
    connection.execute(f"SET disabled_optimizers = {literal(names)}")
    return connection


@contextmanager
def readable(path: str, *, leave_out: bool = False) -> Generator[str]:
    """Yield the table function that reads a file, by its suffix.

    Parameters
    ----------
    leave_out : whether lines that do not fit the header are left out
    """
    suffix = Path(path.lower().removesuffix(".gz")).suffix
    if suffix not in SUFFIXES:
        raise DataError(
            f"{Path(path).name}: is of no kind that is read here",
            f"Give a file that ends in {', '.join(SUFFIXES)} (or .csv.gz), or a PostgreSQL URL.",
        )
    if suffix == ".parquet":
        yield f"read_parquet({literal(duckdb_path(path))}, hive_partitioning = false)"
        return
    found = header(path)
    with even_copy(path, found, leave_out=leave_out) as copy:
        yield table_function(copy, found)


def digest(path: str) -> str:
    """Return the SHA-256 of a file, to tell versions of the data apart."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        raise unreadable(path) from None


def unreadable(path: str) -> DataError:
    """Make the error of a file that cannot be read, which quotes nothing of it."""
    return DataError(
        f"{Path(path).name}: cannot be read as a table",
        "Check the path, the header and the encoding.",
    )


def describe(connection: Any, source: str) -> dict[str, str]:
    """Return name and type of a source's columns."""
    import duckdb

    try:
        rows = connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()  # noqa: S608
    except duckdb.Error:
        raise DataError(
            "the data cannot be read as a table", "Check the path, the header and the encoding."
        ) from None
    return {str(row[0]): str(row[1]) for row in rows}


def known_columns(found: Iterable[str], named: Iterable[str]) -> str:
    """List the columns found, unless none is known: then they may be the first record's values."""
    if set(found).isdisjoint(named):
        return "Check that the first line of the data holds the names of the columns."
    return f"The columns are {', '.join(found)}."


def guessed_types(connection: Any, path: str) -> dict[str, str]:
    """Return a type per column of a file: of text, what all its values could be."""
    with readable(path) as source:
        types = describe(connection, source)
        if not path.lower().removesuffix(".gz").endswith((".csv", ".tsv")):
            return types
        tests = ", ".join(
            f"bool_and(regexp_full_match(trim({quoted(name)}), '[+-]?[0-9]{{1,18}}')), "
            f"bool_and(TRY_CAST({quoted(name)} AS DOUBLE) IS NOT NULL) "
            f"FILTER ({quoted(name)} IS NOT NULL), "
            f"bool_and(regexp_full_match(trim({quoted(name)}), '{DAY}')), "
            f"bool_and(regexp_full_match(trim({quoted(name)}), '{DAY}({TIME})?'))"
            for name in types
        )
        row = connection.execute(f"SELECT {tests} FROM {source}").fetchone()  # noqa: S608
    width = len(GUESSES)
    tested = [row[at : at + width] for at in range(0, len(row), width)]
    kinds = [
        next((kind for kind, is_so in zip(GUESSES, of_one, strict=True) if is_so), "VARCHAR")
        for of_one in tested
    ]
    return dict(zip(types, kinds, strict=True))


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
    """Write the table function that reads a copy of :func:`even_copy`, or fails."""
    columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in found.names)
    return (
        f"read_csv({literal(duckdb_path(path))}, auto_detect = false, header = true, "
        "hive_partitioning = false, new_line = '\\n', compression = 'none', quote = '\"', "
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
def even_copy(path: str, found: Header, *, leave_out: bool) -> Generator[str]:
    """Yield a private copy of a file with all lines written alike; it ends with the block.

    Every file is copied, whatever it holds: what a record says decides about its own line alone.

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
        for line, record in records(path, found):
            if record is None:
                wrong.append(line)
            else:
                copy.write(record)
        copy.flush()
        if wrong and not leave_out:
            raise misfits(path, wrong, len(found.names))
        yield copy.name


def records(path: str, found: Header) -> Iterator[tuple[int, str | None]]:
    """List the records, written alike, with the number of the line where each begins.

    The header comes first, empty lines are left out, and what does not fit the header is None.
    """
    n_separators = len(found.names) - 1
    with opened(path) as file:
        lines = _Lines(file)
        for line in lines:
            begins, text = lines.number, line.rstrip("\r\n")
            if '"' in text:
                row = _quoted_row(path, line, lines, found.separator)
                yield begins, _written(row, found) if len(row) == n_separators + 1 else None
            elif text:
                yield begins, f"{text}\n" if text.count(found.separator) == n_separators else None


@final
class _Lines:
    """The lines of a file, with the number of the last one that was read."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.number = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.number += 1
        return next(self._file)


def _quoted_row(path: str, first: str, rest: _Lines, separator: str) -> list[str]:
    """Read a record with quotes, which may end in a later line."""
    begins = rest.number
    try:
        return next(csv.reader(chain([first], rest), delimiter=separator, strict=True))
    except csv.Error:
        raise DataError(
            f"{Path(path).name}: line {begins} has a quote that is not closed as it should be",
            "Fix the line: a quote within a field is written twice.",
        ) from None


def _written(row: list[str], found: Header) -> str:
    """Write a record with every field in quotes."""
    fields = ('"' + field.replace('"', '""') + '"' for field in row)
    return found.separator.join(fields) + "\n"


def misfits(path: str, lines: list[int], n_columns: int) -> DataError:
    """Make the error of lines that do not fit the header; it quotes nothing of them."""
    named = ", ".join(map(str, lines[:NAMED]))
    more = f" and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return DataError(
        f"{Path(path).name}: does not have {n_columns} fields in line {named}{more}",
        'Correct the file, or have them left out: [dataset] misfits = "leave-out".',
    )
