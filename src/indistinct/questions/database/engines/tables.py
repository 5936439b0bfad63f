"""The files of several declared tables, loaded by DuckDB: typed, and limited by lot."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.errors import DataError, Fault, SchemaError
from indistinct.questions.database.dataset import Dataset
from indistinct.questions.database.engines.files import (
    describe,
    digest,
    known_columns,
    readable,
    unreadable,
)
from indistinct.questions.database.preparation import literal, quoted
from indistinct.questions.database.relational.dialect import DuckDb, QueryDialect
from indistinct.questions.database.relational.from_ import QuestionSetting
from indistinct.questions.database.relational.loaded import (
    crowded,
    in_order,
    leading,
    owned,
    people,
    stored,
    typed,
    unique,
)
from indistinct.questions.database.tables import DeclaredTable

SUFFIXES = (".csv", ".tsv", ".parquet", ".csv.gz", ".tsv.gz")
DATABASES = (".duckdb", ".db", ".ddb")


def setting_of(dataset: Dataset, dialect: QueryDialect) -> QuestionSetting:
    """Return what questions about a dataset are written by: its tables are t0, t1 and so on."""
    stored = {name: f"t{at}" for at, name in enumerate(dataset.tables)}
    return QuestionSetting(
        dict(dataset.tables), stored, dialect, dataset.lot_key, dataset.min_people
    )


@final
@dataclass(frozen=True, slots=True)
class DeclaredTableOfDatabase:
    """A table of a DuckDB file, as its schema declares it.

    Parameters
    ----------
    types : SQL type per column
    key : its primary key, where that is one column; else empty
    references : per column, the table that it references
    """

    name: str
    types: Mapping[str, str]
    key: str
    references: Mapping[str, str]


def tables_of_database(path: Path) -> Iterator[DeclaredTableOfDatabase]:
    """Yield the tables of a DuckDB file in the order of their names.

    Raises
    ------
    DataError
        when it cannot be read, or has no table
    """
    import duckdb

    if not path.is_file():
        raise unreadable(str(path))
    config: dict[str, Any] = {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
    }
    try:
        with duckdb.connect(str(path), read_only=True, config=config) as connection:
            names = connection.execute(
                "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' ORDER BY 1"
            ).fetchall()
            rows = connection.execute(
                "SELECT table_name, constraint_type, constraint_column_names, referenced_table "
                "FROM duckdb_constraints() WHERE schema_name = 'main' AND constraint_type IN "
                "('PRIMARY KEY', 'FOREIGN KEY') AND len(constraint_column_names) = 1"
            ).fetchall()
            types = {str(name): describe(connection, quoted(name)) for (name,) in names}
    except duckdb.Error:
        raise unreadable(str(path)) from None
    if not types:
        raise DataError(f"{path.name}: holds no table", "Check that this is the right file.")
    for name, own in types.items():
        declared = [(kind, one[0], other) for table, kind, one, other in rows if table == name]
        keys = [column for kind, column, _ in declared if kind == "PRIMARY KEY"]
        leads = {column: str(other) for kind, column, other in declared if kind == "FOREIGN KEY"}
        yield DeclaredTableOfDatabase(name, own, keys[0] if keys else "", leads)


def data_digest(dataset: Dataset) -> str:
    """Return the hash of all that is read, to tell versions of the data apart."""
    path = Path(dataset.data)
    if not path.is_dir():
        return digest(dataset.data)
    whole = hashlib.sha256()
    for name in sorted(dataset.tables):
        whole.update(f"{name} {digest(str(file_of(path, name)))} ".encode())
    return whole.hexdigest()


def file_of(folder: Path, table: str) -> Path:
    """Find the file of a table in a folder."""
    found = [folder / f"{table}{suffix}" for suffix in SUFFIXES]
    there = [path for path in found if path.is_file()]
    if len(there) != 1:
        problem = "has no file" if not there else "has several files"
        raise DataError(
            f"{folder.name}: the table {table} {problem}",
            f"Put one of {', '.join(path.name for path in found)} there.",
        )
    return there[0]


def load_tables(connection: Any, dataset: Dataset, *, leave_out: bool) -> dict[str, Sequence[int]]:
    """Load every declared table as t0, t1 and so on; give of each what :func:`read_table` does."""
    found: dict[str, Sequence[int]] = {}
    for at, table in in_order(dataset.tables):
        with source_of(connection, dataset.data, table.name, leave_out=leave_out) as source:
            check_columns(describe(connection, source), table, is_flat=dataset.is_flat)
            with failing_as(dataset):
                found[table.name] = read_table(
                    connection, dataset.tables, at, source, dataset.lot_key
                )
    with failing_as(dataset):
        number_people(connection, dataset.tables, dataset.lot_key)
    return found


@contextmanager
def failing_as(dataset: Dataset) -> Generator[None]:
    """Raise what the engine's failure means, without its words, which quote the data."""
    import duckdb

    try:
        yield
    except duckdb.Error:
        raise unreadable(dataset.data) from None


@contextmanager
def source_of(connection: Any, data: str, table: str, *, leave_out: bool) -> Generator[str]:
    """Yield what reads a table: a file of its name in a folder, or in a DuckDB file."""
    path = Path(data)
    if path.suffix.lower() in DATABASES:
        connection.execute(f"ATTACH IF NOT EXISTS {literal(str(path))} AS given (READ_ONLY)")
        yield f"given.{quoted(table)}"
        return
    place = str(file_of(path, table)) if path.is_dir() else data
    with readable(place, leave_out=leave_out) as source:
        yield source


def read_table(
    connection: Any, tables: Mapping[str, DeclaredTable], at: int, source: str, lot_key: str
) -> Sequence[int]:
    """Read one table; only where people have too many rows, or a key twice, are lots drawn.

    Returns
    -------
    how many of its rows lead to nobody, and how many to several people
    """
    table, dialect, name = list(tables.values())[at], DuckDb(), f"r{at}"
    rows = typed(table, source, dialect.cast)
    counts: Sequence[int] = (0, 0)
    if table.owner:
        other = tables[table.references[table.owner]]
        people = f"r{list(tables).index(other.name)}"
        (counts,) = connection.execute(leading(table, rows, other, people)).fetchall()
        rows = owned(table, rows, other, people)
    connection.execute(f"CREATE TABLE {name} AS {rows}")
    if any(connection.execute(query).fetchone() for query in crowded(table, name)):
        if table.is_public:
            raise DataError(
                f"{table.name}: its key is not unique", "Correct the table, or declare a key."
            )
        rows = unique(table, f"SELECT * FROM {name}", dialect, lot_key)  # noqa: S608
        connection.execute(f"CREATE TABLE kept AS {rows}")
        connection.execute(f"DROP TABLE {name}")
        connection.execute(f"ALTER TABLE kept RENAME TO {name}")
    return counts


def number_people(connection: Any, tables: Mapping[str, DeclaredTable], lot_key: str) -> None:
    """Store the tables with a number for each person and the count of their rows."""
    listed = list(tables.values())
    counts = {f"n{at}": f"r{at}" for at, table in enumerate(listed) if table.person}
    connection.execute(f"CREATE TABLE who AS {people(counts, lot_key)}")
    for at, table in enumerate(listed):
        rows = stored(table, f"r{at}", DuckDb().carried(listed))
        connection.execute(f"CREATE TABLE t{at} AS {rows}")
        connection.execute(f"DROP TABLE r{at}")
    connection.execute("DROP TABLE who")


def check_columns(found: dict[str, str], table: DeclaredTable, *, is_flat: bool) -> None:
    """Raise :class:`SchemaError` that names every declared column that a table lacks."""

    def place_of(name: str) -> str:
        if not is_flat:
            return f"tables.{table.name}"
        return f"columns.{name}" if name in table.columns else "dataset.person"

    named = [one.of or one.name for one in table.columns.values()]
    named += [table.person_column] if table.person_column else []
    faults = [
        Fault(
            place_of(name),
            "is not a column of the data" if is_flat else f"{name} is not a column of the data",
            known_columns(found, named),
        )
        for name in dict.fromkeys(named)
        if name not in found
    ]  # fmt: skip
    if faults:
        raise SchemaError(faults)
