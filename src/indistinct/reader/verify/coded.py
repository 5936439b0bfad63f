"""Columns as numbers, so that kinds of rows are found and compared by one number each.

Verification has this for itself; nothing that made a release uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import polars as pl

from indistinct.core.brief import briefly
from indistinct.reader.verify.texts_as_read import text_as_read

MOST_KINDS = 1 << 63
CELL, CODE = "cell", "code"


@dataclass(frozen=True, slots=True)
class Coded:
    """A column by the places of its cells among its distinct ones.

    Parameters
    ----------
    cells : (n_distinct,), as they are, a missing one among them
    codes : (n_rows,), place of each row's cell
    """

    cells: pl.Series
    codes: pl.Series

    __repr__ = briefly


def coded(column: pl.Series) -> Coded:
    """Find the distinct cells of a column, and the place of each row's among them."""
    cells = column.unique()
    places = pl.Series(range(len(cells)), dtype=pl.UInt64)
    return Coded(cells, _looked_up(column, cells, places))


def coded_alike(one: pl.Series, other: pl.Series) -> tuple[pl.Series, pl.Series, int]:
    """Give the cells of two columns numbers, equal where they read as one text.

    Returns
    -------
    (n_rows,) numbers of each column, and how many numbers there are
    """
    kinds = [one.unique(), other.unique()]
    texts = [text_as_read(cells).alias(CELL) for cells in kinds]
    every = pl.concat(texts).unique()
    places = pl.Series(range(len(every)), dtype=pl.UInt64)
    first, second = (
        _looked_up(column, cells, _looked_up(written, every, places))
        for column, cells, written in zip((one, other), kinds, texts, strict=True)
    )
    return first, second, len(every)


def packed(columns: Sequence[pl.Series], sizes: Sequence[int]) -> pl.Series | None:
    """Give each combination of numbers a number of its own; None where 63 bits are too few.

    Parameters
    ----------
    columns : (n_rows,) each, at least one, 0 <= number < size
    """
    if prod(max(size, 1) for size in sizes) >= MOST_KINDS:
        return None
    number = columns[0]
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        number = number * size + column
    return number


def distinct_pairs(columns: Sequence[Coded]) -> list[pl.Series]:
    """Give the cells of each combination that occurs, once: (n_distinct,) per column."""
    codes = [one.codes.alias(f"{CODE} {place}") for place, one in enumerate(columns)]
    number = packed(codes, [len(one.cells) for one in columns])
    rows = pl.DataFrame(codes)
    if number is not None:
        first = pl.DataFrame([number.alias(CODE)]).select(pl.col(CODE).is_first_distinct())
        rows = rows.filter(first.to_series())
    else:
        rows = rows.unique()
    return [
        one.cells.gather(rows[f"{CODE} {place}"]).alias(one.cells.name)
        for place, one in enumerate(columns)
    ]


def _looked_up(column: pl.Series, cells: pl.Series, numbers: pl.Series) -> pl.Series:
    """Give the number of each cell of a column, by a table of its distinct ones."""
    table = pl.DataFrame([cells.alias(CELL), numbers.alias(CODE)])
    rows = pl.DataFrame([column.alias(CELL)])
    return rows.join(table, on=CELL, how="left", nulls_equal=True, maintain_order="left")[CODE]
