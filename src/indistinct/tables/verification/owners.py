"""Which released cell each value of the input became, as far as the cells alone tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.listed import missing_label
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    is_number,
    is_range,
    value_key,
)

MOST_PAIRS = 20_000_000  # of values and ranges that are compared


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
    released: pl.Series, before: pl.Series, cells: Renderer, rule: ColumnRule
) -> Owners | None:
    """Find the cells around each value; None where nobody can tell, or too many are compared.

    Parameters
    ----------
    released : (n_rows,), cells
    before : (n_input,), texts of the input's values, the empty text where one is missing
    cells : what values of the column read as
    """
    tokens = dict.fromkeys(rule.missing, "")
    shown = released.replace(tokens)
    present: list[str] = shown.unique().sort().to_list()
    values: list[str] = before.unique().sort().to_list()
    ranges = [cell for cell in present if is_range(cell)] if cells.kind == "ranges" else []
    # A value that reads like a hidden cell lies in no cell of its own.
    if cells.labels or HIDDEN in values or len(ranges) * len(values) > MOST_PAIRS:
        return None
    inside = _inside(ranges, values)
    known = {*present}
    words = (missing_label(rule), *tokens)
    around: list[set[str]] = []
    for index, value in enumerate(values):
        labels = {HIDDEN, value, value_key(value)}
        for word in (value,) if value else words:
            labels |= {tokens.get(label, label) for label in (word, *cells.above(word))}
        around.append(labels & known)
        around[-1] |= {ranges[number] for number in np.flatnonzero(inside[:, index])}
    strangers = int((~shown.is_in(sorted(set[str]().union(*around)))).sum())
    if cells.is_guessed or any(len(found) > 1 for found in around):
        return Owners(shown, None, strangers)
    single = pl.Series(before.name, [next(iter(found), None) for found in around], pl.String)
    codes = before.replace_strict(values, list(range(len(values))), return_dtype=pl.UInt32)
    return Owners(shown, single.gather(codes), strangers)


def _inside(ranges: Sequence[str], values: Sequence[str]) -> Bools:
    """Return which ranges contain which values: (n_ranges, n_values)."""
    numbers = np.array([float(value) if is_number(value) else np.nan for value in values])
    ends = [CLOSED.match(cell) or HALF_OPEN.match(cell) for cell in ranges]
    lows = np.array([float(end[1]) for end in ends if end is not None])[:, None]
    highs = np.array([float(end[2]) for end in ends if end is not None])[:, None]
    are_closed = np.array([cell.endswith("]") for cell in ranges], np.bool_)[:, None]
    return (lows <= numbers) & ((numbers < highs) | (are_closed & (numbers == highs)))
