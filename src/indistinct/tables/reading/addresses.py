"""Tables of a database, named by an address: DuckDB, SQLite and PostgreSQL.

The address names the table: ``duckdb:///visits.duckdb?table=visits``,
``sqlite:///visits.db?table=visits`` or ``postgresql://user@host/visits?table=visits``. The table is
read whole, in a transaction that cannot write. No message shows an address, which may hold a
password.
"""

from __future__ import annotations

import contextlib
import decimal
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, parse_qsl, unquote, urlencode, urlsplit

import polars as pl

from indistinct.base.extras import load
from indistinct.errors import DataError

Table = tuple[Sequence[str], Sequence[Sequence[Any]]]


def is_address(text: str) -> bool:
    """Return whether a text is the address of a table rather than a path."""
    scheme, mark, _ = text.partition("://")
    return bool(mark) and scheme.lower() in READERS


def file_of(address: str) -> str | None:
    """Return the path of the file that an address leads to; None where it leads to a server."""
    parts = urlsplit(address)
    return None if parts.scheme.lower().startswith("postgres") else _path(parts)


def read_address(address: str) -> pl.DataFrame:
    """Read a table of a database.

    Raises
    ------
    DataError
        when the address names no table, or the table cannot be read
    EngineError
        when an option of a server's address is not known
    """
    parts = urlsplit(address)
    tables = parse_qs(parts.query).get("table", [])
    if len(tables) != 1:
        raise DataError("the address does not name a table", "Add ?table=NAME to the address.")
    names, rows = READERS[parts.scheme.lower()](parts, tables[0])
    return frame_of_rows(names, rows)


def frame_of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    """Return the rows that a database gives as a frame.

    Raises
    ------
    DataError
        when two columns have one name
    """
    if len(set(names)) < len(names):
        raise DataError("a column is named twice", "Rename one of them.")
    return pl.DataFrame([_column(name, [row[n] for row in rows]) for n, name in enumerate(names)])


def _column(name: str, cells: list[Any]) -> pl.Series:
    """Return cells of a database as a column; a mixture of kinds becomes text."""
    if any(isinstance(cell, decimal.Decimal) for cell in cells):
        cells = [None if cell is None else float(cell) for cell in cells]
    kinds: set[type] = {type(cell) for cell in cells if cell is not None}
    if kinds == {int, float}:
        return pl.Series(name, cells, dtype=pl.Float64, strict=False)
    if len(kinds) > 1:
        return pl.Series(name, [None if cell is None else str(cell) for cell in cells])
    return pl.Series(name, cells, dtype=None if kinds else pl.String)


def _quoted(name: str) -> str:
    """Quote the name of a table, with its schema where it has one."""
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


def _path(parts: SplitResult) -> str:
    """Return the path of an address: after three slashes it is relative, after four absolute."""
    return unquote(parts.netloc + parts.path).removeprefix("/")


def _existing(parts: SplitResult) -> Path:
    """Return the file of an address, and refuse one that is not there."""
    path = Path(_path(parts))
    if not path.is_file():
        raise DataError("the file that the address leads to does not exist", "Check the path.")
    return path


def unread() -> DataError:
    """Return the error that a table cannot be read, and nothing of what the database says."""
    return DataError(
        "the table that the address names cannot be read",
        "Check the address, the name of the table and the right to read it. A view of a "
        "DuckDB file can be read if it uses the tables of this file alone.",
    )


def _read_sqlite(parts: SplitResult, table: str) -> Table:
    """Read a table of an SQLite file."""
    place = _existing(parts).absolute().as_uri()
    try:
        with contextlib.closing(sqlite3.connect(f"{place}?mode=ro", uri=True)) as connection:
            # Views and virtual tables of a stranger call no function that reaches outside.
            connection.execute("PRAGMA trusted_schema = OFF")
            found = connection.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - quoted
            return _names(found.description), found.fetchall()
    except sqlite3.Error:
        raise unread() from None


def _read_duckdb(parts: SplitResult, table: str) -> Table:
    """Read a table of a DuckDB file."""
    library = load("duckdb", extra="duckdb")
    try:
        with contextlib.closing(closed_duckdb(str(_existing(parts)))) as opened:
            found = opened.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - quoted
            return _names(found.description), found.fetchall()
    except library.Error:
        raise unread() from None


def closed_duckdb(path: str) -> Any:
    """Open a file of DuckDB from which nothing but its own tables can be read.

    A view may name any path and any server, and would else be followed by whoever opens the file.

    Raises
    ------
    duckdb.Error
        when it is not a file of DuckDB
    """
    return load("duckdb", extra="duckdb").connect(path, read_only=True, config=CLOSED)


def _read_postgresql(parts: SplitResult, table: str) -> Table:
    """Read a table of a PostgreSQL server; encrypted, unless the address says otherwise."""
    from indistinct.base.files.postgres_address import arguments

    driver = load("pg8000.dbapi")
    options = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if name != "table"
    ]
    place = parts.netloc.rpartition("@")[2]
    server = place if parts.username is None else f"{parts.username}@{place}"
    found = arguments(parts._replace(netloc=server, query=urlencode(options)).geturl())
    if parts.password is not None:
        found["password"] = unquote(parts.password)
    try:
        with contextlib.closing(driver.connect(**found)) as connection:
            cursor = connection.cursor()
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute(f"SELECT * FROM {_quoted(table)}")  # noqa: S608 - quoted
            return _names(cursor.description), cursor.fetchall()
    except (driver.Error, OSError, ValueError):
        raise unread() from None


def _names(description: Iterable[Sequence[Any]] | None) -> list[str]:
    """Return the names of the columns of an answer."""
    return [str(column[0]) for column in description or ()]


CLOSED = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "lock_configuration": "true",
}
READERS: dict[str, Callable[[SplitResult, str], Table]] = {
    "sqlite": _read_sqlite,
    "duckdb": _read_duckdb,
    "postgresql": _read_postgresql,
    "postgres": _read_postgresql,
}
