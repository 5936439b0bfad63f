"""What is asked of an engine: queries on columns that we named ourselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from indistinct.questions.database.relational.from_ import QuestionSetting


class Engine(Protocol):
    """Where the records live; gives whole numbers about them and never a row."""

    @property
    def version(self) -> str:
        """Return what tells one state of the data from another; not for analysts."""
        ...

    def setting(self) -> QuestionSetting:
        """Return what queries are written by: tables, their names here, and the dialect."""
        ...

    def fetch(self, sql: str) -> Sequence[Sequence[Any]]:
        """Run an aggregate query; raise :class:`EngineError` with a constant text."""
        ...

    def check(self, queries: Sequence[str]) -> None:
        """Run queries over empty copies of the tables; refuse what the engine refuses there."""
        ...

    def leading(self) -> Mapping[str, Sequence[int]]:
        """Return, per table, how many rows lead to nobody, and how many to several people."""
        ...

    def kept(self, sql: str) -> str:
        """Return what stands after FROM for the rows of a query that many others are about."""
        ...

    def close(self) -> None:
        """Let go of the data."""
        ...
