"""Declared tables: whose rows they hold, what tells rows apart, and what the columns can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import final

from indistinct.base.cells.cell_reading import AS_WRITTEN, CellReading

Known = Fraction | str | bool


@final
@dataclass(frozen=True, slots=True)
class TypedColumn:
    """A column of a declared table.

    Parameters
    ----------
    kind : number, text, code, bool, date, timestamp or id
    low, high : public bounds
    step : of which numbers are counted in whole multiples
    values : public values to group by
    missing : what a missing number counts as; None where only known values count
    reading : how its cells are read
    of, edges : the number whose bins these are, and where they end
    """

    name: str
    kind: str
    low: Fraction | date | None = None
    high: Fraction | date | None = None
    step: Fraction | None = None
    values: tuple[Known, ...] = ()
    missing: Fraction | None = None
    reading: CellReading = AS_WRITTEN
    of: str = ""
    edges: tuple[Fraction, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class DeclaredTable:
    """A declared table.

    Parameters
    ----------
    person : what questions call the person; empty for a public table
    rows_per_person : rows of one person that are read, at most; None if not declared
    key : columns that tell the rows of one person apart, or all rows of a public table
    references : per column, the table whose key it holds
    person_reading : how the cells of the person are read
    owner : the column of a table without a person that leads to the table whose people own its rows
    """

    name: str
    columns: Mapping[str, TypedColumn]
    person: str = ""
    rows_per_person: int | None = None
    key: tuple[str, ...] = ()
    references: Mapping[str, str] = field(default_factory=dict[str, str])
    owner: str = ""
    person_reading: CellReading = AS_WRITTEN

    @property
    def is_public(self) -> bool:
        """Return whether there are no people in it."""
        return not self.person

    @property
    def person_column(self) -> str:
        """Return the column of the data that holds the person, if there is one."""
        return "" if self.owner else self.person
