"""What differs between databases: their SQL, and how text is sent and tables are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, final

import polars as pl


class Dialect(Protocol):
    """Where the dialects of SQL differ."""

    def quote(self, name: str) -> str:
        """Write the name of a column or a table."""
        ...

    def canonical(self, column: str, dtype: pl.DataType, missing: Sequence[str]) -> str:
        """Give a column with null for every missing value, and zero for minus zero."""
        ...

    def same(self, one: str, other: str, dtype: pl.DataType) -> str:
        """Compare two cells, null with null included, so that the engine can join by hashes."""
        ...

    def hashed(self, columns: Sequence[str], seed: int) -> str:
        """Give a number of 64 bits for some cells of a row."""
        ...

    def summed(self, number: str) -> str:
        """Add up numbers of 64 bits without an overflow; the sum is taken modulo 2^64 here."""
        ...

    def is_infinite(self, column: str) -> str:
        """Tell whether a number has no end."""
        ...

    def about(self, number: str) -> str | None:
        """Guess how many different numbers there are; None where the engine cannot."""
        ...

    def as_text(self, column: str) -> str:
        """Give cells as texts that are ordered by their code points."""
        ...

    def as_number(self, column: str) -> str:
        """Give cells as floating point numbers of 64 bits."""
        ...

    def is_matched(self, column: str, pattern: str) -> str:
        """Tell whether a text matches a regular expression."""
        ...

    def sha256(self, text: str) -> str:
        """Hash a text, hexadecimal."""
        ...

    def numbered(self) -> str:
        """Give what numbers the rows in the order in which they are read."""
        ...


class Connection(Protocol):
    """An open engine."""

    def fetch(self, query: str) -> pl.DataFrame:
        """Run a query and take its rows in."""
        ...

    def load(self, name: str, frame: pl.DataFrame) -> str:
        """Load a frame as a table that is gone at the end; give what a query calls it."""
        ...

    def close(self) -> None:
        """Let go of the engine, and remove what it left."""
        ...


@final
class Kept:
    """A connection that stays open when a table of it is closed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def fetch(self, query: str) -> pl.DataFrame:
        """Run a query."""
        return self._connection.fetch(query)

    def load(self, name: str, frame: pl.DataFrame) -> str:
        """Load a frame."""
        return self._connection.load(name, frame)

    def close(self) -> None:
        """Leave it open."""


def words(texts: Sequence[str]) -> str:
    """Write the policy's words as literals."""
    return ", ".join("'" + text.replace("'", "''") + "'" for text in texts)
