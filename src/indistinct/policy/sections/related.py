"""The tables ``[related]`` and ``[tables.NAME]`` of a policy for several tables about people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from indistinct.policy.policy_table import Words
from indistinct.policy.sections.column import ColumnPolicy


class RelatedSection(Words):
    """Which table lists the units, and what is known of their rows."""

    people: str
    rows: Literal["free", "known"] = "free"
    keys: Literal["random"] = "random"


class TableSection(Words):
    """One of several tables: where it is, its keys and its columns."""

    file: str | None = None
    key: str | None = None
    references: Mapping[str, str] = {}
    public: bool = False
    release_key: bool = False
    orphans: Literal["refuse", "drop"] = "refuse"
    columns: Mapping[str, ColumnPolicy] = {}

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that need no role: the key, and references."""
        own = () if self.key is None else (self.key,)
        return tuple(dict.fromkeys([*own, *self.references]))


class RelatedMethod(Words):
    """What may be left out of several tables, and how long a search may take."""

    max_suppression: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_deleted: Annotated[float, Field(ge=0, le=1)] = 0.1


class RelatedData(Words):
    """How the tables are read."""

    missing: tuple[str, ...] = ("",)
