"""What is asked of an engine: queries on columns that we named ourselves.

For made-up records, every engine lays the same prepared table under a query: ``n0`` is the first
column's number or null, ``t0`` its text or null, ``u0`` its number in whole steps within the
bounds, ``k0`` the code of the first public key, ``p`` the person. Every expression is defined for
every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, final

from indistinct.database.dataset import Dataset
from indistinct.database.relational.statement import QuestionSetting

Row = tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Query:
    """An aggregate query and the texts bound to its marks, in order."""

    sql: str
    bound: tuple[str, ...] = ()


class Engine(Protocol):
    """Where the records live; gives whole numbers about them and never a row.

    ``table`` names the prepared rows, ``mark`` stands for a bound text.
    """

    @property
    def table(self) -> str:
        """Name the prepared rows."""
        ...

    @property
    def mark(self) -> str:
        """Return what stands for a bound text."""
        ...

    @property
    def version(self) -> str:
        """Return what tells one state of the data from another; not for analysts."""
        ...

    def run(self, query: Query) -> list[Row]:
        """Run an aggregate query; raise :class:`EngineError` with a constant text."""
        ...

    def setting(self) -> QuestionSetting:
        """Return what questions are written by: tables, their names here, and the dialect."""
        ...

    def fetch(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run a query that was written for :meth:`setting`, as :meth:`run` does."""
        ...

    def close(self) -> None:
        """Let go of the data."""
        ...


@final
@dataclass(frozen=True, slots=True)
class PreparedNames:
    """The names of the prepared table's columns."""

    dataset: Dataset

    def column(self, name: str, kind: str) -> str:
        """Name one of a column's forms: n, t or u."""
        return f"{kind}{list(self.dataset.columns).index(name)}"

    def key(self, name: str) -> str:
        """Name the code of a public key."""
        return f"k{list(self.dataset.keys).index(name)}"
