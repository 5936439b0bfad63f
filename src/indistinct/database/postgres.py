"""Connections to PostgreSQL by URL, for the records and for the ledger."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, final
from urllib.parse import parse_qs, unquote, urlsplit

from indistinct.errors import EngineError

MARK = "\x00"  # stands for a bound value; no text in PostgreSQL can hold it


def connect(url: str) -> Any:
    """Open a connection.

    Parameters
    ----------
    url : ``postgresql://user:password@host:port/database``; ``?host=/run/postgresql`` names a
        socket's folder, ``?sslmode=require`` (or verify-full) asks for TLS
    """
    try:
        return import_module("pg8000.native").Connection(**arguments(url))
    except failures():
        raise EngineError(
            "the PostgreSQL server does not let us in",
            "Check the address, the user and the password.",
        ) from None


def failures() -> tuple[type[Exception], ...]:
    """List what the driver raises."""
    return (import_module("pg8000.exceptions").Error, OSError)


def arguments(url: str) -> dict[str, Any]:
    """Take a URL apart."""
    parts = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    port = parts.port or 5432
    found: dict[str, Any] = {
        "user": unquote(parts.username or options.get("user", "postgres")),
        "password": unquote(parts.password) if parts.password else None,
        "database": unquote(parts.path.lstrip("/")) or None,
        "timeout": 120,
    }
    if options.get("host", "").startswith("/"):
        return {**found, "unix_sock": f"{options['host']}/.s.PGSQL.{port}"}
    return {
        **found,
        "host": parts.hostname or "localhost",
        "port": port,
        "ssl_context": tls(options.get("sslmode", "prefer")),
    }


def tls(mode: str) -> ssl.SSLContext | None:
    """Give the TLS settings of an sslmode."""
    if mode not in {"require", "verify-ca", "verify-full"}:
        return None
    context = ssl.create_default_context()
    if mode == "require":
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


@final
class Connections:
    """One connection per thread, each set up by some statements."""

    def __init__(self, url: str, setup: Sequence[str] = ()) -> None:
        self._url = url
        self._setup = setup
        self._local = threading.local()
        self._open: list[Any] = []

    def current(self) -> Any:
        """Give this thread's connection."""
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
