"""What an attacker compares: released cells, and the values that each may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Floats
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn
from indistinct.policy.hierarchies import missing_text
from indistinct.policy.policy import Policy
from indistinct.release.cells import CellBook, Cover
from indistinct.release.lines import Calendar, Line, cell_book, line_of

FIRST_DAY = 719_163  # 1 January 1970, from which dates are counted as numbers, as a day of a line


@final
@dataclass(frozen=True, slots=True)
class KnownColumn:
    """A column that stands in the release and that the attacker knows of people.

    Parameters
    ----------
    name : the column
    cells : (n_records,), number of the released cell of each record
    book : the cells, and the values that each may stand for
    lows, highs : (n_cells,), the range of numbers that a cell leaves open; None for words, NaN
        where the cell says that the number is missing
    values : the values of all people, in value order
    people : per table of people, (n_people,), value code
    line : where cells and values lie
    """

    name: str
    cells: Codes
    book: CellBook
    lows: Floats | None
    highs: Floats | None
    values: EncodedColumn
    people: Mapping[str, Codes]
    line: Line

    @property
    def cover(self) -> Cover:
        """The values that each cell may stand for, as codes."""
        return self.book.cover

    @property
    def numbers(self) -> Floats | None:
        """Number of each value, days for dates; None for words."""
        return self.values.numbers

    @property
    def is_plain(self) -> bool:
        """Tell whether every released cell is one number, or missing."""
        if self.lows is None or self.highs is None:
            return False
        return bool(((self.lows == self.highs) | np.isnan(self.lows)).all())


def known_column(
    policy: Policy, released: pl.Series, people: Mapping[str, pl.Series]
) -> KnownColumn:
    """Encode the cells of a column, and the values of all people in it.

    Parameters
    ----------
    policy : tells the hierarchy
    released : (n_records,), the cells as texts
    people : per table of people, its column
    """
    name = released.name
    values, codes = _values(policy, name, people)
    unwritten = missing_text(policy, name)
    missing = {"", *policy.data.missing}
    released = pl.Series(name, [unwritten if t in missing else t for t in released.to_list()])
    cells = encode(released, "")
    line = line_of(policy, name, values)
    book = cell_book(line, cells.texts)
    if values.numbers is None:
        values = replace(values, numbers=_days(values))
    lows, highs = _ranges(book, values.numbers, as_written=not isinstance(line, Calendar))
    return KnownColumn(name, cells.codes, book, lows, highs, values, codes, line)


def _values(
    policy: Policy, name: str, people: Mapping[str, pl.Series]
) -> tuple[EncodedColumn, dict[str, Codes]]:
    """Encode the values of all people together: as numbers or dates where all are."""
    columns = [column.alias(name) for column in people.values()]
    is_numeric = all(column.dtype.is_numeric() for column in columns)
    if not is_numeric:
        columns = [cell_texts(column) for column in columns]
    if is_numeric and any(column.dtype.is_float() for column in columns):
        columns = [column.cast(pl.Float64) for column in columns]
    elif is_numeric:
        columns = [column.cast(pl.Int64) for column in columns]
    whole = pl.concat(columns)
    if not is_numeric:
        whole = whole.set(whole.is_in(["", *policy.data.missing]).fill_null(value=False), None)
    encoded = encode(whole, missing_text(policy, name))
    ends = np.cumsum([len(column) for column in columns])
    parts = np.split(encoded.codes, ends[:-1])
    return encoded, dict(zip(people, parts, strict=True))


def _days(column: EncodedColumn) -> Floats | None:
    """Give the day number of each value where all are ISO dates; else None."""
    texts = pl.Series(column.texts, dtype=pl.String)
    days = texts.str.to_date("%Y-%m-%d", strict=False)
    known = ~column.is_missing
    if not known.any() or days.filter(pl.Series(known)).null_count():
        return None
    numbers = days.to_physical().cast(pl.Float64).to_numpy().copy()
    numbers[~known] = np.nan
    return numbers


def _ranges(
    book: CellBook, numbers: Floats | None, *, as_written: bool
) -> tuple[Floats | None, Floats | None]:
    """Give the range of numbers that each cell leaves open; of an unknown cell, all of them."""
    if numbers is None:
        return None, None
    known = numbers[~np.isnan(numbers)]
    lows = np.full(len(book.texts), known[0] if len(known) else np.nan)
    highs = np.full(len(book.texts), known[-1] if len(known) else np.nan)
    starts, cover = book.cover.starts, book.cover
    covering = np.flatnonzero(np.diff(starts) > 0)
    covering = covering[cover.lows[starts[covering]] < len(known)]  # a missing value comes last
    lows[covering] = known[cover.lows[starts[covering]]]
    highs[covering] = known[np.minimum(cover.highs[starts[covering + 1] - 1], len(known)) - 1]
    if as_written:
        are_written = book.written.are_written
        lows = np.where(are_written, book.written.lows, lows)
        highs = np.where(are_written, book.written.highs, highs)
    else:
        # A masked date is often one that nobody has: it lies where it is written, too.
        is_alone = book.are_cells & (np.diff(starts) == 0)
        lows = np.where(is_alone, book.starts - FIRST_DAY, lows)
        highs = np.where(is_alone, book.ends - 1 - FIRST_DAY, highs)
    if book.missing >= 0:
        lows[book.missing] = highs[book.missing] = np.nan
    return lows, highs
