"""What an attacker compares: released cells, and the values that each may stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.tables.frames.cell_numbers import days_of
from indistinct.tables.frames.encoding import encode, encode_together
from indistinct.tables.frames.frame import Column
from indistinct.tables.frames.texts import text_column
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import missing_text
from indistinct.tables.release.cells import CellCoverage
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, cells_on, scale_of

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
    book: ColumnCells
    lows: Floats | None
    highs: Floats | None
    values: EncodedColumn
    people: Mapping[str, Codes]
    line: ColumnScale

    @property
    def cover(self) -> CellCoverage:
        """The values that each cell may stand for, as codes."""
        return self.book.cover

    @property
    def numbers(self) -> Floats | None:
        """Number of each value, days for dates; None for words."""
        return self.values.numbers

    @property
    def is_plain(self) -> bool:
        """Return whether every released cell is one number, or missing."""
        if self.lows is None or self.highs is None:
            return False
        return bool(((self.lows == self.highs) | np.isnan(self.lows)).all())


def known_column(rule: ColumnRule, released: Column, people: Mapping[str, Column]) -> KnownColumn:
    """Encode the cells of a column, and the values of all people in it.

    Parameters
    ----------
    rule : tells the hierarchy
    released : (n_records,), the cells as texts
    people : per table of people, its column
    """
    name = released.name
    unwritten = missing_text(rule)
    values, codes = encode_together(list(people.values()), rule.missing, unwritten)
    missing = rule.texts_of_missing
    texts = [unwritten if text in missing else text for text in released.to_list()]
    cells = encode(text_column(name, texts), "")
    line = scale_of(rule, values)
    book = cells_on(line, cells.texts)
    if values.numbers is None:
        values = replace(values, numbers=_days(values))
    lows, highs = _ranges(book, values.numbers, as_written=line.kind != "days")
    codes_of = dict(zip(people, codes, strict=True))
    return KnownColumn(name, cells.codes, book, lows, highs, values, codes_of, line)


def _days(column: EncodedColumn) -> Floats | None:
    """Return the day number of each value where all are ISO dates; else None."""
    days, known = days_of(column.texts), ~column.is_missing
    if not known.any() or np.isnan(days[known]).any():
        return None
    return np.where(known, days, np.nan)


def _ranges(
    book: ColumnCells, numbers: Floats | None, *, as_written: bool
) -> tuple[Floats | None, Floats | None]:
    """Return the range of numbers that each cell leaves open; of an unknown cell, all of them."""
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
