"""Two columns of numbers, the least and the greatest that a cell stands for, and back to texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from indistinct.core.arrays import Floats


def frame_of(columns: Mapping[str, pl.Series]) -> pl.DataFrame:
    """Put columns of equal length side by side, by the names that are given."""
    return pl.DataFrame([column.alias(name) for name, column in columns.items()])


def numbers_of_cells(cells: pl.Series, texts: Sequence[str], numbers: Floats) -> pl.Series:
    """Give the number of each cell's text, missing where there is none.

    Parameters
    ----------
    cells : (n_rows,), texts
    texts : (n_texts,), the different ones, without a missing one
    numbers : (n_texts,), NaN for none
    """
    known = pl.Series(texts, dtype=cells.dtype)
    found = pl.Series(numbers).fill_nan(None)
    return cells.replace_strict(known, found, default=None, return_dtype=pl.Float64())


def middles_of(low: pl.Series, high: pl.Series) -> pl.Series:
    """Give the middle of both ends; whole numbers of few bytes would overflow when added."""
    if low.dtype.is_integer():
        low, high = low.cast(pl.Float64), high.cast(pl.Float64)
    return (low + high) / 2


def numbers_as_read(numbers: pl.Series) -> list[float | None]:
    """Give numbers with one zero, and NaN as the missing value that it is written as."""
    known = numbers.fill_nan(None).to_list()
    # Python's own addition: Polars leaves out the addition of 0.0, which turns -0.0 into 0.0.
    return [None if number is None else number + 0.0 for number in known]


def whole_as_before(bound: pl.Series, before: pl.Series) -> pl.Series:
    """Give bounds as whole numbers where the column has such and they are."""
    is_whole = bound.dtype.is_integer() or (
        before.dtype.is_integer() and bool((bound.drop_nulls() % 1 == 0).all())
    )
    if not is_whole:
        return bound
    narrow = bound.cast(pl.Int64, strict=False)
    return narrow if narrow.null_count() == bound.null_count() else bound


def paired_texts(
    low: pl.Series, high: pl.Series, write: Callable[[float | None, float | None], str]
) -> pl.Series:
    """Write each pair of numbers as one text: (n_rows,); each different pair is written once.

    Parameters
    ----------
    low, high : (n_rows,)
    write : gives the text of a pair, in which a missing number is None
    """
    pairs = pl.DataFrame({"low": low, "high": high})
    distinct = pairs.unique()
    texts = [write(first, last) for first, last in distinct.iter_rows()]
    table = distinct.with_columns(pl.Series("text", texts, dtype=pl.String))
    keys = pairs.columns
    return pairs.join(table, on=keys, how="left", nulls_equal=True, maintain_order="left")["text"]
