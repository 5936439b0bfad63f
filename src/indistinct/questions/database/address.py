"""Addresses of PostgreSQL databases, as they stand in a declaration."""

from indistinct.base.files.postgres_address import (
    arguments,
    faults,
    is_postgres,
    password,
    place,
    tls,
)

__all__ = ["arguments", "faults", "is_postgres", "password", "place", "tls"]
