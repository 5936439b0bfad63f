"""Checked question -> aggregate query, on columns that we named ourselves.

Every engine lays the same prepared table under it: ``n0`` is the first column's number or null,
``t0`` its text or null, ``u0`` its number in whole steps within the bounds, ``k0`` the code of the
first public key, ``p`` the person. Every expression here is defined for every row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, final

from indistinct.database.conditions import (
    Compare,
    Condition,
    Conjunction,
    InCells,
    KnownValue,
    OneOf,
)
from indistinct.database.dataset import MISSING, Dataset, Range
from indistinct.database.question import (
    Count,
    CountKnown,
    CountPersons,
    Measure,
    Moments,
    Quantile,
    Question,
)

# Answers that the exponential mechanism chooses among; a wider range is asked in coarser steps.
MOST_CANDIDATES = 1024
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


def compile_question(question: Question, dataset: Dataset, table: str, mark: str) -> Query:
    """Write the SQL of a question.

    Parameters
    ----------
    table : name of the prepared table
    mark : what stands for a bound text

    Returns
    -------
    Rows of key codes (one per key), then, for a quantile, the candidate's number, then the
    aggregates.
    """
    names = PreparedNames(dataset)
    keys = [names.key(key) for key in question.keys]
    if isinstance(question.measure, Quantile):
        keys.append(candidate_of(question.measure, dataset))
    selected = ", ".join([*keys, *aggregates_of(question.measure, dataset)])
    where, bound = "", ()
    if question.where is not None:
        where, bound = _condition(question.where, names, mark)
        where = f" WHERE {where}"
    if isinstance(question.measure, Quantile):
        known = f"{names.column(question.measure.column, 'u')} IS NOT NULL"
        where = f"{where} AND {known}" if where else f" WHERE {known}"
    groups = ", ".join(str(position + 1) for position in range(len(keys)))
    by = f" GROUP BY {groups}" if groups else ""
    return Query(f"SELECT {selected} FROM {table}{where}{by}", bound)  # noqa: S608 - our own names


def aggregates_of(measure: Measure, dataset: Dataset) -> list[str]:
    """Write the aggregates that a measure is made of."""
    match measure:
        case CountPersons():
            return ["count(DISTINCT p)"] if dataset.rows_per_person > 1 else ["count(*)"]
        case Moments("sum", column):
            return [f"coalesce(sum({PreparedNames(dataset).column(column, 'u')}), 0)"]
        case Moments(name, column):
            number = PreparedNames(dataset).column(column, "u")
            centred = f"({number} - {range_of(column, dataset).middle})"
            square = [f"coalesce(sum({centred} * {centred}), 0)"] if name == "variance" else []
            return [f"count({centred})", f"coalesce(sum({centred}), 0)", *square]
        case CountKnown(column):
            return [f"count(CASE WHEN {_known(column, PreparedNames(dataset))} THEN 1 END)"]
        case Count() | Quantile():
            return ["count(*)"]


def range_of(column: str, dataset: Dataset) -> Range:
    """Return the bounds of a column that questions may add up."""
    bounds = dataset.columns[column].bounds
    if bounds is None:
        raise KeyError(column)
    return bounds


def stride(bounds: Range) -> int:
    """Return the steps between two candidates of a quantile, so that there are at most 1024."""
    return -(-(bounds.high - bounds.low + 1) // MOST_CANDIDATES)


def candidates(bounds: Range) -> range:
    """Return the candidates of a quantile, in units."""
    return range(bounds.low, bounds.high + 1, stride(bounds))


def candidate_of(measure: Quantile, dataset: Dataset) -> str:
    """Write the number of the candidate that a row's value counts as."""
    bounds = range_of(measure.column, dataset)
    above = f"({PreparedNames(dataset).column(measure.column, 'u')} - {bounds.low})"
    return f"({above} - mod({above}, {stride(bounds)}))"


def _known(column: str, names: PreparedNames) -> str:
    """Write whether a row's value is known."""
    if column not in names.dataset.columns or column in names.dataset.keys:
        return f"{names.key(column)} <> {MISSING}"
    kind = "n" if names.dataset.columns[column].kind == "number" else "t"
    return f"{names.column(column, kind)} IS NOT NULL"


def _condition(
    condition: Condition, names: PreparedNames, mark: str
) -> tuple[str, tuple[str, ...]]:
    """Write a condition whose every NOT is true or false; other unknowns count as false."""
    match condition:
        case Compare(column, operator, value):
            name = names.column(column, "n")
            return f"{name} {operator} {float(value)!r}", ()
        case OneOf(column, values, negated):
            name = names.column(column, "t")
            word = "NOT IN" if negated else "IN"
            return f"{name} {word} ({', '.join(mark for _ in values)})", values
        case KnownValue(column, negated):
            known = _known(column, names)
            return (f"NOT ({known})" if negated else known), ()
        case InCells(key, codes):
            listed = ", ".join(map(str, codes))
            return (f"{names.key(key)} IN ({listed})" if codes else "FALSE"), ()
        case Conjunction(word, parts):
            written = [_condition(part, names, mark) for part in parts]
            joined = f" {word} ".join(text for text, _ in written)
            return f"({joined})", tuple(value for _, bound in written for value in bound)
