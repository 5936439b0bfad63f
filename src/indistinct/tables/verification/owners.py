"""Which released cell each value of the input became, as far as the cells alone tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.cells import (
    CLOSED,
    HIDDEN,
    Cells,
    Kept,
    MadeFromData,
    is_number,
)
from indistinct.tables.verification.data_cells import Midpoints, ways_of_writing
from indistinct.tables.verification.policy_cells import missing_label

MOST_PAIRS = 20_000_000  # of values and ranges that are compared
MOST_COMPARED = 1_000_000  # of values and cells, one by one


@dataclass(frozen=True, slots=True)
class Owners:
    """The cells around the values of one column.

    Parameters
    ----------
    released : (n_rows,), the released cells
    owner : (n_input,), the one cell around each value, null where none is released; None where
        some value lies in several cells
    strangers : rows whose cell covers no value of the input
    """

    released: pl.Series
    owner: pl.Series | None
    strangers: int


def owners_of(
    released: pl.Series, before: pl.Series, cells: Cells, rule: ColumnRule
) -> Owners | None:
    """Find the cells around each value; None where too many would have to be compared.

    Parameters
    ----------
    released : (n_rows,), cells
    before : (n_input,), texts of the input's values, the empty text where one is missing
    cells : what the column may be released as
    """
    if isinstance(cells, Midpoints) or (isinstance(cells, Kept) and cells.labels):
        return None
    tokens = dict.fromkeys(rule.missing, "")
    unwritten = missing_label(rule)
    shown = released.replace(tokens)
    present = shown.unique().sort().to_list()
    values = before.unique().sort().to_list()
    if HIDDEN in values:
        return None  # a value that reads like a hidden cell lies in no cell of its own
    if isinstance(cells, MadeFromData) and not _are_ranges(cells, present):
        words = [*values, unwritten, *tokens] if "" in values else values
        return _owners_by_form(shown, cells, words)
    ranges = [cell for cell in present if CLOSED.match(cell)]
    if len(ranges) * len(values) > MOST_PAIRS:
        return None
    inside = _inside(ranges, values)
    place = {cell: number for number, cell in enumerate(present)}
    around: list[list[str]] = []
    for index, value in enumerate(values):
        words = (value,) if value else (unwritten, *tokens)
        labels = {*ways_of_writing(value), HIDDEN}
        for word in words:
            labels |= {*ways_of_writing(word), *cells.above(word)}
        found = {tokens.get(label, label) for label in labels} & place.keys()
        found.update(ranges[number] for number in np.flatnonzero(inside[:, index]))
        around.append(sorted(found))
    covering = {cell for found in around for cell in found}
    strangers = int((~shown.is_in(list(covering))).sum())
    if any(len(found) > 1 for found in around):
        return Owners(shown, None, strangers)
    single = [found[0] if found else None for found in around]
    mapped = pl.Series(before.name, single, pl.String)
    codes = before.replace_strict(values, list(range(len(values))), return_dtype=pl.UInt32)
    return Owners(shown, mapped.gather(codes), strangers)


def _are_ranges(cells: MadeFromData, present: Sequence[str]) -> bool:
    """Return whether the shown cells are numbers and ranges that an algorithm made of them."""
    return not cells.numbers_have_levels and all(
        cell in {HIDDEN, ""} or is_number(cell) or CLOSED.match(cell) for cell in present
    )


def _owners_by_form(shown: pl.Series, cells: MadeFromData, values: Sequence[str]) -> Owners | None:
    """Find the strangers alone: which labels the values have, nobody can tell."""
    present: list[str] = shown.unique().to_list()
    if len(present) * len(values) > MOST_COMPARED:
        return None
    covering = [
        cell
        for cell in present
        if any(cells.covers(cell, value) for value in values)  # the empty text covers itself
    ]
    return Owners(shown, None, int((~shown.is_in(covering)).sum()))


def _inside(ranges: Sequence[str], values: Sequence[str]) -> Bools:
    """Return which ranges, both ends included, contain which values: (n_ranges, n_values)."""
    numbers = np.array([float(value) if is_number(value) else np.nan for value in values])
    ends = [CLOSED.match(cell) for cell in ranges]
    lows = np.array([float(end[1]) for end in ends if end is not None])[:, None]
    highs = np.array([float(end[2]) for end in ends if end is not None])[:, None]
    return (lows <= numbers) & (numbers <= highs)
