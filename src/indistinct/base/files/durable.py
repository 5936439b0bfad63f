"""One SQLite file that only its owner may read, and that is whole after every transaction.

A write-ahead log would be faster, but what was committed would stand beside the file, and a copy of
the file alone would lack it. So everything is in the file, and on disk, when it is committed.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any, final

from indistinct.base.files.confidential import ANOTHER, make_file, obstacle
from indistinct.errors import EngineError

PATIENCE_SECONDS = 60.0
CLOSING_SECONDS = 5.0
SIDE_FILES = ("", "-journal", "-wal", "-shm")  # the file itself, and what SQLite writes beside it

Execute = Callable[[str, Sequence[Any]], list[Sequence[Any]]]


@final
@dataclass(frozen=True, slots=True)
class Complaints:
    """What is said of a file that cannot be used: the problem, and what to do.

    Parameters
    ----------
    gone : the file is not there
    damaged : the file is not whole
    closed : it was closed before
    unusable : it cannot be read or written now
    unmade : it cannot be created
    """

    gone: tuple[str, str]
    damaged: tuple[str, str]
    closed: tuple[str, str]
    unusable: tuple[str, str]
    unmade: tuple[str, str]


class SqliteFile:
    """One connection per thread; a transaction takes the write lock when it begins.

    Parameters
    ----------
    path : of the file
    tables : the statements that make its tables where they are missing
    complaints : the words of its errors
    create : make the file where there is none

    Raises
    ------
    EngineError
        when the file is missing, damaged or cannot be written
    """

    def __init__(
        self, path: str, tables: Sequence[str], complaints: Complaints, *, create: bool = False
    ) -> None:
        self._path = path
        self._complaints = complaints
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        # From Python 3.13 on, a connection that nobody closed is complained of.
        weakref.finalize(self, _close, self._open).atexit = False
        self._turn = threading.Lock()
        self._is_closed = False
        self._refuse_obstacle()
        if create:
            self._make_private()
        self._file = self._found()
        with self.transaction() as execute:
            # An empty file is what is left of one, or what something else has made in its place.
            if not create and not execute("SELECT name FROM sqlite_master LIMIT 1", ()):
                raise self._error(complaints.gone, named=True)
            if execute("PRAGMA quick_check", ()) != [("ok",)]:
                raise self._error(complaints.damaged, named=True)
            for table in tables:
                execute(table, ())

    @contextmanager
    def transaction(self, *, flushed: bool = True) -> Generator[Execute]:
        """Open a transaction that no other one overlaps; commit it, or roll it back.

        Committed, it is on disk unless ``flushed`` is False: then the next flushed one takes it
        there.
        """
        with self._turn:
            if self._is_closed:
                raise self._error(self._complaints.closed)
            self._refuse_obstacle()
            if self._found() != self._file:
                raise self._error(self._complaints.gone, named=True)
            yield from self._transaction(flushed=flushed)

    def _transaction(self, *, flushed: bool) -> Generator[Execute]:
        try:
            connection = self._connection()

            def execute(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
                return connection.execute(sql, values).fetchall()

            connection.execute(f"PRAGMA synchronous = {'EXTRA' if flushed else 'NORMAL'}")
            # Takes the write lock before anything is read: what is decided by is still so when it
            # is written.
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield execute
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error:
            raise self._error(self._complaints.unusable) from None

    def close(self) -> None:
        """Close every thread's connection, after the transaction that is at work.

        One that does not end keeps its connection, which ends with the program.
        """
        if not self._turn.acquire(timeout=CLOSING_SECONDS):
            return
        try:
            self._is_closed = True
            _close(self._open)
        finally:
            self._turn.release()

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            # Opened so that none is made where there is none.
            connection = sqlite3.connect(
                f"{Path(self._path).absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=PATIENCE_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._open.append(connection)
            connection.execute("PRAGMA journal_mode = DELETE")
            self._local.connection = connection
        return self._local.connection

    def _found(self) -> tuple[int, int]:
        """Return what tells the file at the path from every other one that may take its place."""
        try:
            found = Path(self._path).stat()
        except OSError:
            raise self._error(self._complaints.gone, named=True) from None
        if not S_ISREG(found.st_mode):
            raise self._error(self._complaints.gone, named=True)
        return found.st_dev, found.st_ino

    def _refuse_obstacle(self) -> None:
        """Refuse what is not a file of this user, also where SQLite keeps what it may undo."""
        for suffix in SIDE_FILES:
            place = Path(f"{self._path}{suffix}")
            if (problem := obstacle(place, in_place=True)) is not None:
                raise EngineError(f"{place.name}: {problem}", ANOTHER)

    def _make_private(self) -> None:
        """Make an empty file that its owner alone can read, where there is none."""
        try:
            os.close(make_file(Path(self._path)))
        except FileExistsError:
            return
        except OSError:
            raise self._error(self._complaints.unmade, named=True) from None

    def _error(self, complaint: tuple[str, str], *, named: bool = False) -> EngineError:
        problem, remedy = complaint
        return EngineError(f"{Path(self._path).name}: {problem}" if named else problem, remedy)


def _close(connections: list[sqlite3.Connection]) -> None:
    """Close connections, and forget them."""
    while connections:
        connections.pop().close()
