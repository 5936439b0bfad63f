"""A file, opened by DuckDB within this process and typed once in memory."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, final

from indistinct.errors import DataError
from indistinct.questions.database.dataset import LEAVE_OUT, Dataset
from indistinct.questions.database.engines.files import connect, describe
from indistinct.questions.database.engines.tables import data_digest, load_tables, setting_of
from indistinct.questions.database.failures import failure_of, refused_by_the_engine
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.from_ import QuestionSetting


@final
class DuckDbEngine:
    """Holds the typed tables; answers aggregate queries from any thread."""

    def __init__(self, dataset: Dataset) -> None:
        self.version = data_digest(dataset)
        self._connection, self._empty = connect(), connect()
        self._local = threading.local()
        self._kept: dict[str, str] = {}
        self._dataset = dataset
        with ExitStack() as undo:
            undo.callback(self._connection.close)
            undo.callback(self._empty.close)
            leave_out = dataset.misfits == LEAVE_OUT
            self._leading = load_tables(self._connection, dataset, leave_out=leave_out)
            copy_empty(self._connection, self._empty, len(dataset.tables))
            lock(self._connection)
            lock(self._empty)
            if data_digest(dataset) != self.version:
                raise DataError(
                    f"{Path(dataset.data).name}: was changed while it was read",
                    "Open the dataset again when the file is whole.",
                )
            undo.pop_all()

    def setting(self) -> QuestionSetting:
        """Return what questions of several tables are written by."""
        return setting_of(self._dataset, DuckDb())

    def fetch(self, sql: str) -> list[Sequence[Any]]:
        """Run a query that was written for :meth:`setting`."""
        import duckdb

        try:
            return self._cursor().execute(sql).fetchall()
        except duckdb.Error as error:
            raise failure_of(error) from None

    def check(self, queries: Sequence[str]) -> None:
        """Run queries over empty copies of the tables, which hold nothing of anybody."""
        import duckdb

        try:
            for sql in queries:
                self._empty.cursor().execute(sql).fetchall()
        except duckdb.Error:
            raise refused_by_the_engine() from None

    def leading(self) -> dict[str, Sequence[int]]:
        """Return, per table, how many rows lead to nobody, and how many to several people."""
        return self._leading

    def kept(self, sql: str) -> str:
        """Make a table of the rows of a query, once."""
        if sql not in self._kept:
            self._kept[sql] = f"kept{len(self._kept)}"
            self.fetch(f"CREATE TABLE {self._kept[sql]} AS {sql}")
        return self._kept[sql]

    def close(self) -> None:
        """Let go of the data."""
        self._connection.close()
        self._empty.close()

    def _cursor(self) -> Any:
        if not hasattr(self._local, "cursor"):
            self._local.cursor = self._connection.cursor()
        return self._local.cursor


def copy_empty(full: Any, empty: Any, n_tables: int) -> None:
    """Make tables of the same columns and types, without rows."""
    for at in range(n_tables):
        columns = ", ".join(f"{name} {kind}" for name, kind in describe(full, f"t{at}").items())
        empty.execute(f"CREATE TABLE t{at} ({columns})")


def lock(connection: Any) -> None:
    """Let no query reach anything but the tables in memory."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
