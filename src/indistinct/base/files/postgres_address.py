"""Addresses of PostgreSQL databases: taken apart, checked, and given their password.

An address stands in a declaration, which people copy and keep under version control, so it never
holds a password; that comes from the environment or from the user's password file, as in
PostgreSQL's own programs. Without a word on TLS the connection is encrypted and the server's
certificate is checked, because a fall-back to plain text would show every aggregate to the network.
"""

from __future__ import annotations

import os
import re
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from indistinct.errors import EngineError

MODES = ("disable", "require", "verify-ca", "verify-full")
OPTIONS = ("host", "user", "sslmode", "sslrootcert")
PORT = 5432
TIMEOUT_SECONDS = 120
SHARED = stat.S_IRWXG | stat.S_IRWXO


def is_postgres(location: str) -> bool:
    """Return whether a location is a PostgreSQL address."""
    return location.startswith(("postgresql://", "postgres://"))


def faults(url: str) -> Iterator[tuple[str, str]]:
    """List what is wrong with an address, and what to do; no part of a password is named."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        yield "is not a PostgreSQL address", "Write postgresql://user@host:port/database."
        return
    given = parse_qs(parts.query, keep_blank_values=True)
    if parts.password is not None or "password" in given:
        yield (
            "contains a password, which declarations, manifests and lists of processes would show",
            "Take it out; set PGPASSWORD in the environment, or write it into ~/.pgpass.",
        )
    unknown = sorted(name for name in given if name not in {*OPTIONS, "password"})
    if unknown or any(len(values) > 1 for values in given.values()):
        yield (
            "has an option that is not known here, or one of them twice",
            f"The options are {', '.join(OPTIONS)}.",
        )
    if given.get("sslmode", [MODES[-1]])[-1] not in MODES:
        yield (
            "has an sslmode that does not say whether to encrypt",
            f"Write one of {', '.join(MODES)}; without one it is {MODES[-1]}.",
        )


def arguments(url: str) -> dict[str, Any]:
    """Return the parts of a checked address, as the driver wants them.

    Parameters
    ----------
    url : ``postgresql://user@host:port/database``; ``?host=/run/postgresql`` names a socket's
        folder; ``?sslmode=`` is disable, require, verify-ca or (left out) verify-full;
        ``?sslrootcert=`` names the file of the authorities to trust

    Raises
    ------
    EngineError
        If the address is wrong, or the password file can be read by others.
    """
    for problem, remedy in faults(url):
        raise EngineError(f"the address of the PostgreSQL database {problem}", remedy)
    parts = urlsplit(url)
    options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    host, port = parts.hostname or "localhost", parts.port or PORT
    user = unquote(parts.username or options.get("user", "postgres"))
    database = unquote(parts.path.lstrip("/")) or user
    found: dict[str, Any] = {
        "user": user,
        "password": password(host, port, database, user),
        "database": database,
        "timeout": TIMEOUT_SECONDS,
    }
    if options.get("host", "").startswith("/"):
        return {**found, "unix_sock": f"{options['host']}/.s.PGSQL.{port}"}
    mode = options.get("sslmode", MODES[-1])
    context = tls(mode, options.get("sslrootcert"))
    return {**found, "host": options.get("host", host), "port": port, "ssl_context": context}


def tls(mode: str, authorities: str | None = None) -> ssl.SSLContext | None:
    """Return the TLS settings of an sslmode; None only where plain text was asked for."""
    if mode == "disable":
        return None
    try:
        context = ssl.create_default_context(cafile=authorities)
    except OSError:
        raise EngineError(
            "the file of sslrootcert cannot be read", "Name a file of certificates in PEM."
        ) from None
    context.check_hostname = mode == "verify-full"
    if mode == "require":
        context.verify_mode = ssl.CERT_NONE
    return context


def password(host: str, port: int, database: str, user: str) -> str | None:
    """Find the password in ``PGPASSWORD``, else in the file ``PGPASSFILE`` or ``~/.pgpass``."""
    if "PGPASSWORD" in os.environ:
        return os.environ["PGPASSWORD"]
    file = Path(os.environ.get("PGPASSFILE") or Path.home() / ".pgpass")
    if not file.is_file():
        return None
    if stat.S_IMODE(file.stat().st_mode) & SHARED:
        raise EngineError(
            "the file of PostgreSQL passwords can be read by others", "Set its mode to 0600."
        )
    wanted = (host, str(port), database, user)
    for line in file.read_text(encoding="utf-8").splitlines():
        fields = [re.sub(r"\\(.)", r"\1", part) for part in re.split(r"(?<!\\):", line)]
        if len(fields) == len(wanted) + 1 and not line.startswith("#"):
            pairs = zip(fields[:-1], wanted, strict=True)
            if all(field in {"*", value} for field, value in pairs):
                return fields[-1]
    return None


def place(url: str) -> str:
    """Name the database that an address leads to, without user, options or TLS."""
    found = urlsplit(url)
    folder = parse_qs(found.query).get("host", [found.hostname or "localhost"])[-1]
    return f"{folder}:{found.port or PORT}/{unquote(found.path.lstrip('/'))}"
