"""Connections to PostgreSQL by URL, for the records and for the ledger."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, final

from indistinct.base.files.postgres_address import arguments
from indistinct.errors import EngineError

MARK = "\x00"  # stands for a bound value; no text in PostgreSQL can hold it


def connect(url: str) -> Any:
    """Open a connection to an address; see ``arguments`` of ``base/files/postgres_address.py``."""
    found = arguments(url)
    try:
        return import_module("pg8000.native").Connection(**found)
    except failures():
        raise EngineError(
            "the PostgreSQL server refused the connection",
            "Check the address, the user, and the password in PGPASSWORD or ~/.pgpass. Without an "
            "sslmode the server must speak TLS with a certificate for its name.",
        ) from None


def failures() -> tuple[type[Exception], ...]:
    """List what the driver raises."""
    return (import_module("pg8000.exceptions").Error, OSError)


@final
class Connections:
    """One connection per thread, each set up by some statements."""

    def __init__(self, url: str, setup: Sequence[str] = ()) -> None:
        self._url = url
        self._setup = setup
        self._local = threading.local()
        self._open: list[Any] = []

    def current(self) -> Any:
        """Return this thread's connection."""
        if not hasattr(self._local, "connection"):
            connection = connect(self._url)
            for statement in self._setup:
                connection.run(statement)
            self._open.append(connection)
            self._local.connection = connection
        return self._local.connection

    def forget(self) -> None:
        """Drop this thread's connection: the next statement opens another."""
        if hasattr(self._local, "connection"):
            with suppress(*failures()):
                self._local.connection.close()
            self._open.remove(self._local.connection)
            del self._local.connection

    def close(self) -> None:
        """Close them all."""
        for connection in self._open:
            with suppress(*failures()):
                connection.close()
        self._open.clear()
        self._local = threading.local()


def run(
    connection: Any, sql: str, values: Sequence[Any] = (), mark: str = MARK
) -> list[Sequence[Any]]:
    """Run a statement whose values stand at the marks, in order."""
    pieces = sql.split(mark)
    numbered = "".join(
        piece + (f":b{position}" if position < len(pieces) - 1 else "")
        for position, piece in enumerate(pieces)
    )
    return connection.run(numbered, **{f"b{n}": value for n, value in enumerate(values)}) or []
