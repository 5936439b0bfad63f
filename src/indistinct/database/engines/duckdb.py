"""A file, opened by DuckDB within this process and prepared once in memory."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from indistinct.database.aggregates import Query, Row
from indistinct.database.dataset import LEAVE_OUT, Dataset
from indistinct.database.engines.files import connect, describe, known_columns, readable, unreadable
from indistinct.database.engines.tables import data_digest, load_tables, setting_of
from indistinct.database.preparation import limit, names, prepare, quoted, source_columns
from indistinct.database.relational.dialect import DuckDb
from indistinct.database.relational.statement import QuestionSetting
from indistinct.errors import DataError, EngineError, Fault, SchemaError


@final
@dataclass(frozen=True, slots=True)
class DuckDbDialect:
    """DuckDB's casts that give null where others fail."""

    def number(self, column: str) -> str:
        """Write a column as a double; not-a-number is missing."""
        cast = f"TRY_CAST({column} AS DOUBLE)"
        return f"CASE WHEN isnan({cast}) THEN NULL ELSE {cast} END"

    def text(self, column: str) -> str:
        """Write a column as a text."""
        return f"CAST({column} AS VARCHAR)"

    def code_type(self, count: int) -> str:
        """Name the narrowest type for the codes of so many values: scans are the faster for it."""
        return "TINYINT" if count < 2**7 else "SMALLINT" if count < 2**15 else "INTEGER"


@final
class DuckDbEngine:
    """Holds the prepared table; answers aggregate queries from any thread."""

    table = "prepared"
    mark = "?"

    def __init__(self, dataset: Dataset) -> None:
        self.version = data_digest(dataset)
        self._connection = connect()
        self._local = threading.local()
        self._dataset = dataset
        with ExitStack() as undo:
            undo.callback(self._connection.close)
            leave_out = dataset.misfits == LEAVE_OUT
            if dataset.is_flat:
                with readable(dataset.data, leave_out=leave_out) as source:
                    check_columns(describe(self._connection, source), dataset)
                    _load(self._connection, dataset, source)
            load_tables(self._connection, dataset, leave_out=leave_out)
            lock(self._connection)
            if data_digest(dataset) != self.version:
                raise DataError(
                    f"{Path(dataset.data).name}: was changed while it was read",
                    "Open the dataset again when the file is whole.",
                )
            undo.pop_all()

    def run(self, query: Query) -> list[Row]:
        """Run an aggregate query."""
        import duckdb

        try:
            return self._cursor().execute(query.sql, list(query.bound)).fetchall()
        except duckdb.Error:
            raise engine_error() from None

    def setting(self) -> QuestionSetting:
        """Return what questions of several tables are written by."""
        return setting_of(self._dataset, DuckDb())

    def fetch(self, sql: str) -> list[Row]:
        """Run a query that was written for :meth:`setting`."""
        return self.run(Query(sql))

    def close(self) -> None:
        """Let go of the data."""
        self._connection.close()

    def _cursor(self) -> Any:
        if not hasattr(self._local, "cursor"):
            self._local.cursor = self._connection.cursor()
        return self._local.cursor


def engine_error() -> EngineError:
    """Make the one error of a database that fails."""
    return EngineError(
        "the database did not answer; what was charged stays charged",
        "Tell the owner, who finds the cause in the database's own log.",
    )


def check_columns(found: dict[str, str], dataset: Dataset) -> None:
    """Raise :class:`SchemaError` that names every declared column the data lack."""
    named = source_columns(dataset)
    faults = [
        Fault(
            f"columns.{name}" if name in dataset.columns else "dataset.person",
            f"{name} is not a column of the data",
            known_columns(found, named),
        )
        for name in named
        if name not in found
    ]
    if faults:
        raise SchemaError(faults)


def _load(connection: Any, dataset: Dataset, source: str) -> None:
    """Prepare all rows once, so that no later step can depend on what a row holds."""
    import duckdb

    try:
        rows = prepare(dataset, source, DuckDbDialect())
        if connection.execute(_crowded(dataset, source)).fetchone() is not None:
            rows = limit(dataset, rows)
        person = ["p"] if dataset.rows_per_person > 1 or not names(dataset) else []
        columns = ", ".join([*person, *names(dataset)])
        connection.execute(f"CREATE TABLE prepared AS SELECT {columns} FROM ({rows})")  # noqa: S608
    except duckdb.Error:
        raise unreadable(dataset.data) from None


def lock(connection: Any) -> None:
    """Let no query reach anything but the tables in memory."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _crowded(dataset: Dataset, source: str) -> str:
    """Write the query that finds whether anybody has more rows than count."""
    person = quoted(dataset.person)
    return (
        f"SELECT 1 FROM {source} WHERE {person} IS NOT NULL GROUP BY {person} "  # noqa: S608
        f"HAVING count(*) > {dataset.rows_per_person} LIMIT 1"
    )
