"""What a file of DuckDB holds besides a release: other tables, notes, blocks that are free."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from indistinct.base.extras import load
from indistinct.errors import DataError
from indistinct.tables.reading.places import DatabaseTable

# Each counts what no release has, in the words of DuckDB's own catalog.
COUNTS = (
    "SELECT count(*) FROM duckdb_views() WHERE NOT internal",
    "SELECT count(*) FROM duckdb_sequences()",
    "SELECT count(*) FROM duckdb_indexes()",
    "SELECT count(*) FROM duckdb_constraints()",
    "SELECT count(*) FROM duckdb_types() WHERE NOT internal",
    "SELECT count(*) FROM duckdb_functions() WHERE NOT internal",
    "SELECT count(*) FROM duckdb_tables() WHERE comment IS NOT NULL",
    "SELECT count(comment) + count(column_default) FROM duckdb_columns() WHERE NOT internal",
    "SELECT free_blocks FROM pragma_database_size()",
)


def holds_more(table: DatabaseTable) -> bool:
    """Return whether a file holds anything besides a release and its manifest.

    A table that was dropped leaves free blocks, in which its cells still stand.

    Raises
    ------
    DataError
        when the file cannot be opened
    """
    name = table.name_parts[-1]
    with opened_file(table) as connection:
        rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal")
        tables = {str(row[0]) for row in rows.fetchall()}
        has_more = has_more_than_tables(connection)
    return has_more or not tables <= {name, f"{name}_manifest"}


def has_more_than_tables(connection: Any) -> bool:
    """Return whether a file has views, notes, types or free blocks beside the tables in it.

    Parameters
    ----------
    connection : to the file, with ``execute``
    """
    counts = [connection.execute(query).fetchone() for query in COUNTS]
    return any(row[0] for row in counts)


def manifest_of_table(table: DatabaseTable) -> str | None:
    """Return the manifest in the table beside a release; None where there is no such table.

    Raises
    ------
    DataError
        when the file cannot be opened
    """
    manifest_table = replace(table, table=f"{table.table}_manifest")
    with opened_file(table) as connection:
        rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal")
        if manifest_table.name_parts[-1] not in {str(row[0]) for row in rows.fetchall()}:
            return None
        found = connection.execute(f"SELECT manifest FROM {manifest_table.quoted}").fetchall()
    return str(found[0][0]) if len(found) == 1 else None


@contextmanager
def opened_file(table: DatabaseTable) -> Generator[Any]:
    """Open a file for reading."""
    library = load("duckdb", extra="duckdb")
    try:
        with library.connect(table.address, read_only=True) as connection:
            yield connection
    except library.Error:
        raise DataError("the file of the database cannot be opened", "Check the address.") from None
