"""Connections of the service: a number of them, and whoever sends too slowly is dropped.

Nothing is logged of it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast, final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from indistinct.errors import ParameterError

HEADER_SECONDS = 10.0
SHUTDOWN_SECONDS = 5
MOST_CONNECTIONS = 256
ACCEPTED_AT_ONCE = 128
HEADER_BYTES = 16_384


@final
class ConnectionPool:
    """The open connections, and how many there may be.

    Parameters
    ----------
    most : connections at once. One more ends one that waits for no reply, so that connections which
        say nothing keep nobody out: one that has never asked before one that has, and of those the
        one that has been silent longest. If there is none, it ends itself.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[PatientProtocol, None] = {}

    def enter(self, newcomer: PatientProtocol) -> None:
        """Add a connection."""
        self._open[newcomer] = None
        if len(self._open) > self._most:
            waiting = (one for one in self._open if not one.has_asked)
            ended = min(waiting, key=lambda one: one.has_replied, default=newcomer)
            self.leave(ended)  # at once: its socket closes only when many more have come in
            ended.drop()

    def refresh(self, one: PatientProtocol) -> None:
        """Note that a connection has just been of use."""
        if one in self._open:
            del self._open[one]
            self._open[one] = None

    def leave(self, one: PatientProtocol) -> None:
        """Forget a connection that has ended."""
        self._open.pop(one, None)


@final
class PatientProtocol(H11Protocol):
    """HTTP/1.1 that waits for the head of a request only so long, from its connection on.

    TLS is agreed after the connection is counted, within the same time.
    """

    header_seconds = HEADER_SECONDS
    has_replied = False
    _is_lost = False
    _early = b""
    _deadline: asyncio.TimerHandle | None = None

    def __init__(
        self, *arguments: Any, pool: ConnectionPool, tls: ssl.SSLContext | None = None, **named: Any
    ) -> None:
        super().__init__(*arguments, **named)
        self._pool = pool
        self._tls = tls
        self._agreeing: asyncio.Task[None] | None = None
        self._line: Any = None

    def connection_made(self, transport: Any) -> None:
        """Start waiting for the first request."""
        self._line = transport
        self._pool.enter(self)
        if transport.is_closing():
            self._pool.leave(self)
            return
        self._wait()
        if self._tls is None:
            super().connection_made(transport)
        else:
            self._agreeing = self.loop.create_task(self._agree(transport, self._tls))

    async def _agree(self, transport: Any, tls: ssl.SSLContext) -> None:
        """Agree on TLS; whoever does not is dropped."""
        agreed: Any = None
        with suppress(OSError):
            agreed = await self.loop.start_tls(
                transport, self, tls, server_side=True, ssl_handshake_timeout=self.header_seconds
            )
        if agreed is None or self._is_lost:
            transport.abort()
            self._end()
            return
        self._line = agreed
        super().connection_made(agreed)
        early, self._early = self._early, b""
        if early:
            self.data_received(early)

    def data_received(self, data: bytes) -> None:
        """Stop waiting once a request's head is here."""
        if self.flow is None:  # pyright: ignore[reportUnnecessaryComparison]
            self._early += data  # it came with the end of the handshake
            return
        super().data_received(data)
        if self._has_head():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is here already."""
        self.has_replied = True
        self._pool.refresh(self)
        super().on_response_complete()
        if not self._has_head():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._is_lost = True
        self._end()
        if self.transport is not None:  # pyright: ignore[reportUnnecessaryComparison]
            super().connection_lost(exc)

    @property
    def has_asked(self) -> bool:
        """True from the moment a whole request is here until its reply has been given."""
        cycle: Any = self.cycle
        return self._has_head() and not cycle.more_body

    def drop(self) -> None:
        """End the connection at once."""
        self._line.abort()

    def _has_head(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _end(self) -> None:
        self._stop_waiting()
        self._pool.leave(self)

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.header_seconds, self.drop)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def most_connections() -> int:
    """Return how many connections may be open: data and ledger need most of the process's files."""
    if not hasattr(os, "sysconf"):
        return MOST_CONNECTIONS
    return max(1, min(MOST_CONNECTIONS, os.sysconf("SC_OPEN_MAX") // 4))


def configuration(
    app: ASGIApp,
    host: str = "127.0.0.1",
    port: int = 8000,
    certificate: Path | None = None,
    key: Path | None = None,
) -> uvicorn.Config:
    """Return the settings of the server: no log of requests, limits on time and number.

    Raises
    ------
    ParameterError
        If only one of certificate and key is given, or they cannot be read as a pair.
    """
    tls = check_certificate(certificate, key)
    logging.getLogger("sqlglot").disabled = True  # it writes pieces of what it cannot read
    protocol = partial(PatientProtocol, pool=ConnectionPool(most_connections()), tls=tls)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=cast("Any", protocol),
        ws="none",
        access_log=False,
        server_header=False,
        log_level="critical",
        backlog=ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,
    )


def check_certificate(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Return what TLS needs of two files that belong together; nothing where neither is given.

    Raises
    ------
    ParameterError
        Where one alone is given, or they cannot be read as a pair.
    """
    if (certificate is None) != (key is None):
        missing = "key" if key is None else "certificate"
        raise ParameterError(
            f"{missing}: is missing, and TLS needs both a certificate and its key",
            "Give --certificate FILE and --key FILE, both in PEM.",
        )
    if certificate is None or key is None:
        return None
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        tls.load_cert_chain(certificate, key, password=_nothing)
    except (OSError, ValueError):
        raise ParameterError(
            "certificate: the certificate and the key cannot be read or do not belong together",
            "Give two files in PEM that belong together, the key without a passphrase.",
        ) from None
    return tls


def _nothing() -> str:
    """Return no passphrase, so that nobody is asked for one at the terminal."""
    return ""
