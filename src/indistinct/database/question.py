"""A question in our own words: what is measured, by which keys, over which rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from indistinct.database.conditions import Condition, InCells, atoms, box


@final
@dataclass(frozen=True, slots=True)
class Count:
    """How many rows."""

    name: str = "count"

    def __str__(self) -> str:
        return "COUNT(*)"


@final
@dataclass(frozen=True, slots=True)
class CountKnown:
    """How many rows whose value is known."""

    column: str
    name: str = "count"

    def __str__(self) -> str:
        return f'COUNT("{self.column}")'


@final
@dataclass(frozen=True, slots=True)
class CountPersons:
    """How many different persons."""

    name: str = "persons"

    def __str__(self) -> str:
        return "COUNT(DISTINCT person)"


@final
@dataclass(frozen=True, slots=True)
class Moments:
    """A sum, mean or variance of a bounded number."""

    name: str
    column: str

    def __str__(self) -> str:
        return f'{self.name.upper()}("{self.column}")'


@final
@dataclass(frozen=True, slots=True)
class Quantile:
    """The value below which a share of the rows lies."""

    column: str
    share: Fraction
    name: str = "quantile"

    def __str__(self) -> str:
        return f'QUANTILE("{self.column}", {self.share})'


Measure = Count | CountKnown | CountPersons | Moments | Quantile


@final
@dataclass(frozen=True, slots=True)
class Question:
    """A question in our own words.

    Parameters
    ----------
    measure : what is asked
    keys : public keys, one answer per combination of their values
    where : which rows count; None for all
    label : what the answer is called
    """

    measure: Measure
    keys: tuple[str, ...] = ()
    where: Condition | None = None
    label: str = ""

    def canonical(self) -> str:
        """Write the question so that equal questions are equal texts."""
        words = [str(self.measure)]
        if self.where is not None:
            words.append(f"WHERE {self.where}")
        if self.keys:
            words.append("GROUP BY " + ", ".join(f'"{key}"' for key in self.keys))
        return " ".join(words)

    @property
    def n_codes(self) -> int:
        """Return how many codes of keys the conditions list."""
        listed = () if self.where is None else atoms(self.where)
        return sum(len(part.codes) for part in listed if isinstance(part, InCells))

    def box(self) -> dict[str, tuple[int, ...]]:
        """Return, per public key, the codes outside of which no row counts."""
        return {} if self.where is None else box(self.where)
