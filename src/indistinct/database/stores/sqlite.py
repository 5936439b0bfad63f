"""The ledger in one SQLite file, which is whole by itself after every charge.

A write-ahead log would be faster, but charges would stand beside the file, and a copy of the file
alone would have an empty budget. So every charge is in the file, and on disk, when it is committed.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, final

from indistinct.database.ledger import TABLES, Execute
from indistinct.errors import EngineError

PATIENCE_SECONDS = 60.0
CLOSING_SECONDS = 5.0


@final
class SqliteStore:
    """One connection per thread; a transaction takes the write lock when it begins."""

    def __init__(self, path: str, *, create: bool = False) -> None:
        if not create and not Path(path).is_file():
            raise EngineError(
                f"{Path(path).name}: the ledger is gone, so nobody knows what was spent",
                "Put the ledger back; the owner may start a new one: indistinct database init.",
            )
        if create:
            make_private(Path(path))
        self._path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._turn = threading.Lock()
        self._is_closed = False
        with self.transaction() as execute:
            if execute("PRAGMA quick_check", ()) != [("ok",)]:
                raise EngineError(
                    f"{Path(path).name}: the ledger is damaged, so nobody knows what was spent",
                    "Put a whole copy back, made while nothing was answered.",
                )
            for table in TABLES:
                execute(table.format(serial="INTEGER PRIMARY KEY AUTOINCREMENT"), ())

    @contextmanager
    def transaction(self, *, flushed: bool = True) -> Generator[Execute]:
        """Open a transaction that no other one overlaps."""
        with self._turn:
            if self._is_closed:
                raise EngineError("the ledger is closed", "Open the dataset again.")
            yield from self._transaction(flushed=flushed)

    def _transaction(self, *, flushed: bool) -> Generator[Execute]:
        try:
            connection = self._connection()

            def execute(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
                return connection.execute(sql, values).fetchall()

            connection.execute(f"PRAGMA synchronous = {'EXTRA' if flushed else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield execute
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error:
            raise EngineError(
                "the ledger cannot be written, so nothing is answered",
                "Free the disk, or stop what holds the ledger.",
            ) from None

    def close(self) -> None:
        """Close every thread's connection, after the transaction that is at work.

        One that does not end keeps its connection, which ends with the program.
        """
        if not self._turn.acquire(timeout=CLOSING_SECONDS):
            return
        try:
            self._is_closed = True
            for connection in self._open:
                connection.close()
            self._open.clear()
        finally:
            self._turn.release()

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            connection = sqlite3.connect(
                self._path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA journal_mode = DELETE")
            self._open.append(connection)
            self._local.connection = connection
        return self._local.connection


def make_private(path: Path) -> None:
    """Make an empty file that its owner alone can read, where there is none."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError:
        raise EngineError(
            f"{path.name}: the ledger cannot be written", "Check the folder and the disk."
        ) from None
