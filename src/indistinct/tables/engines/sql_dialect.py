"""What differs between databases: their SQL, how tables are loaded, and how a release is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import polars as pl

from indistinct.errors import EngineError
from indistinct.tables.engines.sources import PLACE, ReleasePlan, Sink, StagedRelease
from indistinct.tables.reading.column_types import (
    FITS,
    FORMS,
    KNOWN,
    LARGEST_WHOLE,
    MOST_DIGITS,
    PARSED,
    TEXTS,
    WIDE,
    missing_moments,
    missing_numbers,
)
from indistinct.tables.reading.number_formats import SURELY_EXACT
from indistinct.tables.reading.places import Numbering


def _no_stand_in(dtype: pl.DataType) -> str:
    """Return nothing: most dialects compare what is null with null."""
    del dtype
    return ""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where the dialects of SQL differ: the expressions, each with places for what it is about.

    Parameters
    ----------
    engine : its name
    mark : around the name of a column or a table
    string, double, single : types of texts, and of floating point numbers of 64 and of 32 bits
    not_a_number : whether a number is NaN; ``{kind}`` is its type
    equal : compares two cells, null with null included, so that the engine can join by hashes;
        ``{nothing}`` stands in for null
    nothing : the stand-in of a type
    hash : a number of 64 bits for some cells of a row
    sum : adds up numbers of 64 bits without an overflow; it is taken modulo 2^64 here
    infinite : whether a number has no end
    distinct : guesses how many different numbers there are; None where the engine cannot
    text : cells as texts that are ordered by their code points
    matches : whether a text matches a regular expression
    sha : hashes a text by SHA-256, hexadecimal
    numbered : numbers the rows in the order in which they are read
    reads_backslashes : whether a backslash in a literal has a meaning
    has_order : whether the records of a table stand in an order
    """

    engine: str
    mark: str
    string: str
    double: str
    single: str
    not_a_number: str
    equal: str
    hash: str
    sum: str
    infinite: str
    distinct: str | None
    matches: str
    sha: str
    text: str
    numbered: str = "ROW_NUMBER() OVER ()"
    nothing: Callable[[pl.DataType], str] = _no_stand_in
    reads_backslashes: bool = False
    has_order: bool = True

    def quote(self, name: str) -> str:
        """Write the name of a column or a table."""
        return f"{self.mark}{name.replace(self.mark, self.mark * 2)}{self.mark}"

    def canonical(self, column: str, dtype: pl.DataType, missing: Sequence[str]) -> str:
        """Return a column with null for every missing value, and zero for minus zero."""
        if isinstance(dtype, TEXTS):
            text = f"CAST({column} AS {self.string})"
            return f"CASE WHEN {text} IN ({words(['', *missing])}) THEN NULL ELSE {text} END"
        gone: list[str] = []
        value = column
        if dtype.is_float():
            kind = self.single if dtype == pl.Float32 else self.double
            gone.append(self.not_a_number.format(column, kind=kind))
            value = f"CAST({column} + CAST('0' AS {kind}) AS {kind})"
        if dtype.is_numeric() and (numbers := missing_numbers(missing)):
            listed = ", ".join(f"CAST('{number!r}' AS {self.double})" for number in numbers)
            gone.append(f"{self.as_number(column)} IN ({listed})")
        if isinstance(dtype, pl.Date | pl.Datetime) and (days := missing_moments(missing, dtype)):
            kind = type_of_moments(dtype)
            listed = ", ".join(f"{kind} '{day}'" for day in days)
            gone.append(f"{column} IN ({listed})")
        return f"CASE WHEN {' OR '.join(gone)} THEN NULL ELSE {value} END" if gone else value

    def same(self, one: str, other: str, dtype: pl.DataType) -> str:
        """Compare two cells, null with null included."""
        return self.equal.format(one=one, other=other, nothing=self.nothing(dtype))

    def hashed(self, columns: Sequence[str], seed: int) -> str:
        """Return a number of 64 bits for some cells of a row."""
        return self.hash.format(", ".join(columns), seed=seed)

    def as_text(self, column: str) -> str:
        """Return cells as texts that are ordered by their code points."""
        return self.text.format(column)

    def as_number(self, column: str) -> str:
        """Return cells as floating point numbers of 64 bits."""
        return f"CAST({column} AS {self.double})"

    def is_matched(self, column: str, pattern: str) -> str:
        """Return whether a text matches a regular expression."""
        literal = pattern.replace("\\", "\\\\") if self.reads_backslashes else pattern
        return self.matches.format(column, words([literal]))


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


def type_of_moments(dtype: pl.DataType) -> str:
    """Return the type of days, or of moments with or without a zone."""
    if not isinstance(dtype, pl.Datetime):
        return "DATE"
    return "TIMESTAMP" if dtype.time_zone is None else "TIMESTAMP WITH TIME ZONE"


def words(texts: Sequence[str]) -> str:
    """Write the policy's words as literals."""
    return ", ".join("'" + text.replace("'", "''") + "'" for text in texts)


TYPE_WORDS = {
    "whole": "BIGINT",
    "wide": "DECIMAL(38, 0)",
    "number": "DOUBLE",
    "date": "DATE",
    "moment": "TIMESTAMP",
    "truth": "BOOLEAN",
}
NAMES = {pl.String(): "VARCHAR", **{PARSED[form]: TYPE_WORDS[form] for form in FORMS}}


def type_tests(
    cell: str, dtype: pl.DataType, *, may_round: bool = False, may_merge: bool = False
) -> dict[str, str]:
    """Return what is asked of a column, as ``type_tests`` of ``reading/column_types.py`` does.

    Where no cell is known, all answers but the first are missing.

    Parameters
    ----------
    may_round : whether numbers may lose digits
    may_merge : whether texts that differ may be one number
    """
    tests = {KNOWN: f"COUNT({cell}) > 0"}
    if isinstance(dtype, TEXTS):
        for form, pattern in FORMS.items():
            has_form = f"regexp_full_match({cell}, {words([pattern])})"
            is_read = f"TRY_CAST({cell} AS {TYPE_WORDS[form]}) IS NOT NULL"
            if form == "number" and not may_round:
                is_read += f" AND {_is_exact(cell)}"
            known = f"FILTER (WHERE {cell} IS NOT NULL)"
            tests[form] = f"bool_and({has_form} AND {is_read}) {known}"
        if not may_merge:
            of_numbers = f"COUNT(DISTINCT TRY_CAST({cell} AS DOUBLE))"
            tests["number"] += f" AND COUNT(DISTINCT {cell}) = {of_numbers}"
        cell, dtype = f"TRY_CAST({cell} AS DOUBLE)", pl.Float64()
    if dtype.is_float():
        tests[FITS] = f"bool_and({cell} = floor({cell}) AND abs({cell}) <= {LARGEST_WHOLE:.0f})"
    elif isinstance(dtype, WIDE):
        tests[FITS] = f"bool_and(abs({cell}) < {10**MOST_DIGITS})"
    return tests


def _is_exact(cell: str) -> str:
    """Return whether the text of a number is the same number after it was read as a double."""
    number = f"TRY_CAST({cell} AS DOUBLE)"
    read = f"CAST({number} AS VARCHAR)"
    is_known = f"regexp_full_match({cell}, {words([SURELY_EXACT])}) OR isinf({number})"
    return f"({is_known} OR {cell} = {read} OR {_digits(cell)} = {_digits(read)})"


def _digits(cell: str) -> str:
    """Return the digits of a number from the first to the last that is not zero."""
    mantissa = f"REPLACE(regexp_extract({cell}, '^-?[0-9.]*'), '.', '')"
    return f"RTRIM(LTRIM({mantissa}, '-0'), '0')"


def in_type(cell: str, wanted: pl.DataType | None) -> str:
    """Return a cell in the narrower type that it fits into; as it is where that is None."""
    if wanted is None:
        return cell
    narrow = f"CAST({cell} AS {NAMES[wanted]})"
    # A zero below zero becomes zero.
    return f"({narrow} + 0.0::DOUBLE)" if wanted == pl.Float64 else narrow


def _only_read(*given: object) -> Any:
    """Refuse to store anything of a table that was written, and is only read again."""
    del given
    raise EngineError("a table that was just written is only read again", "Open it first.")


@dataclass(frozen=True, slots=True)
class Storing:
    """What an engine does besides answering queries.

    Parameters
    ----------
    write : writes the rows of a query, whose order is part of it
    lazy : gives the rows of a query as the kind of data that came in
    fingerprint : hashes the table where it is made of files; None where its rows are hashed
    unchanged : tells whether it is what it was
    numbering : what the places of records refer to, where the engine gives them
    """

    write: Callable[[ReleaseQuery, Sink], StagedRelease] = _only_read
    lazy: Callable[[str], Any] = _only_read
    fingerprint: Callable[[], str] | None = None
    unchanged: Callable[[], bool] = lambda: True
    numbering: Numbering | None = None


@dataclass(frozen=True, slots=True)
class ReleaseQuery:
    """The query that gives a release.

    Parameters
    ----------
    source : what its rows are selected from
    order : what they are ordered by
    columns, shown : their names, and how a query writes these
    rank : how a query writes the rank of the released cells
    plan : what becomes of the records
    has_places : whether the rows have the places of their records besides
    """

    source: str
    order: str
    columns: Sequence[str]
    shown: Sequence[str]
    rank: str
    plan: ReleasePlan
    has_places: bool = False

    @property
    def n_released(self) -> int:
        """How many rows there are."""
        return self.plan.n_released

    @property
    def unordered(self) -> str:
        """The query without an order: the columns that are released as they are, and the ranks."""
        cells = self.plan.cells.columns
        passed = zip([*self.columns, PLACE], self.shown, strict=False)
        names = [shown for name, shown in passed if name not in cells]
        return f"SELECT {', '.join([*names, self.rank])} FROM {self.source}"

    @property
    def ordered(self) -> str:
        """The query with its order."""
        return f"SELECT {', '.join(self.shown)} FROM {self.source} ORDER BY {self.order}"
