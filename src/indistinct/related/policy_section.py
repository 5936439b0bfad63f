"""The tables ``[related]`` and ``[tables.NAME]`` of a policy for several tables about people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from indistinct.tables.core import key_parts, released_name
from indistinct.tables.policy import ColumnPolicy, Words


class RelatedSection(Words):
    """Which table lists the units, what is known of their rows, and what new keys are."""

    people: str
    rows: Literal["free", "known"] = "free"
    keys: Literal["random", "pseudonym"] = "random"
    key: str | None = None


class FileWords(Words):
    """How the file of one table is read; what is left out is found."""

    encoding: str | None = None
    separator: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    quote: Annotated[str, Field(max_length=1)] | None = None
    escape: Literal["\\"] | None = None
    decimal: Literal[".", ","] | None = None
    header: Annotated[int, Field(ge=1)] | None = None
    skip_rows: Annotated[int, Field(ge=0)] | None = None
    skip_last: Annotated[int, Field(ge=0)] | None = None


class TableSection(Words):
    """One of several tables: where it is, its keys and its columns."""

    file: str | None = None
    table: str | None = None
    key: str | None = None
    references: Mapping[str, str] = {}
    public: bool = False
    release_key: bool = False
    orphans: Literal["refuse", "drop"] = "refuse"
    # Share of its rows that may be left out, besides the limit of all tables together.
    max_deleted: Annotated[float, Field(ge=0, le=1)] | None = None
    # How much each of its columns counts, times their own importance.
    importance: Annotated[float, Field(gt=0)] = 1.0
    data: FileWords = FileWords()
    columns: Mapping[str, ColumnPolicy] = {}

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that need no role: those of the key, and of references."""
        own = () if self.key is None else (self.key,)
        every = (part for said in (*own, *self.references) for part in key_parts(said))
        return tuple(dict.fromkeys(every))

    def all_parents(self, column: str) -> tuple[str, ...]:
        """Return the columns that a column determines, the nearest first; itself in a circle."""
        found: list[str] = []
        above = self.columns[column].parent
        while above is not None and above not in found and above in self.columns:
            found.append(above)
            above = self.columns[above].parent
        return tuple(found)

    @property
    def stored_as(self) -> str | None:
        """The file in a folder, or the table in a schema, in which it is; None if by its name."""
        return self.file if self.table is None else self.table

    @property
    def new_key(self) -> str | None:
        """The column with the new key, where there is one."""
        return None if self.key is None else released_name(self.key)


class RelatedMethod(Words):
    """What may be left out of several tables, and how long a search may take."""

    max_suppression: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_deleted: Annotated[float, Field(ge=0, le=1)] = 0.1


class RelatedData(Words):
    """How the tables are read."""

    missing: tuple[str, ...] = ("",)
