"""Connections of the service: whoever sends too slowly is dropped, and nothing is logged of it."""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path
from typing import Any, final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from indistinct.errors import ParameterError

HEADER_SECONDS = 10.0
SHUTDOWN_SECONDS = 5
# Fewer than the 1024 files that a process may usually open: the data and the ledger need some, too.
MOST_CONNECTIONS = 512
HEADER_BYTES = 16_384


@final
class PatientProtocol(H11Protocol):
    """HTTP/1.1 that waits for the head of a request only so long, from its connection on."""

    header_seconds = HEADER_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start waiting for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop waiting once a request's head is here."""
        super().data_received(data)
        if self._is_at_work():
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is here already."""
        super().on_response_complete()
        if not self._is_at_work():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_at_work(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.header_seconds, self._drop)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _drop(self) -> None:
        self.transport.abort()


def configuration(
    app: ASGIApp,
    host: str = "127.0.0.1",
    port: int = 8000,
    certificate: Path | None = None,
    key: Path | None = None,
) -> uvicorn.Config:
    """Give the settings of the server: no log of requests, limits on time and number.

    Raises
    ------
    ParameterError
        If only one of certificate and key is given, or they cannot be read as a pair.
    """
    check_certificate(certificate, key)
    logging.getLogger("sqlglot").disabled = True  # it writes pieces of what it cannot read
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=PatientProtocol,
        ws="none",
        access_log=False,
        server_header=False,
        log_level="critical",
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=HEADER_BYTES,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )


def check_certificate(certificate: Path | None, key: Path | None) -> None:
    """Raise :class:`ParameterError` unless both files are given and belong together, or neither."""
    if (certificate is None) != (key is None):
        missing = "key" if key is None else "certificate"
        raise ParameterError(
            f"{missing}: is missing, and TLS needs both a certificate and its key",
            "Give --certificate FILE and --key FILE, both in PEM.",
        )
    if certificate is None or key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=_nothing)
    except (OSError, ValueError):
        raise ParameterError(
            "certificate: the certificate and the key cannot be read or do not belong together",
            "Give two files in PEM that belong together, the key without a passphrase.",
        ) from None


def _nothing() -> str:
    """Give no passphrase, so that nobody is asked for one at the terminal."""
    return ""
