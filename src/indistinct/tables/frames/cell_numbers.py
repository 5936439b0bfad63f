"""Cells as numbers: in arrays, as bounds of ranges, as weights, and back in columns of a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.errors import DataError, Fault
from indistinct.tables.frames.texts import cell_texts


def is_numeric(column: pl.Series) -> bool:
    """Return whether a column holds numbers by its type."""
    return column.dtype.is_numeric()


def has_texts(column: pl.Series) -> bool:
    """Return whether a column holds texts by its type."""
    return column.dtype == pl.String


def has_floats(column: pl.Series) -> bool:
    """Return whether a column holds floats by its type; decimals are none."""
    return column.dtype.is_float()


def has_single_floats(column: pl.Series) -> bool:
    """Return whether a column holds floats of 32 bits by its type."""
    return column.dtype == pl.Float32


def has_whole_numbers(column: pl.Series) -> bool:
    """Return whether a column holds whole numbers by its type."""
    return column.dtype.is_integer()


def has_decimals(column: pl.Series) -> bool:
    """Return whether a column holds decimals by its type, not floats or whole numbers."""
    return column.dtype.is_decimal()


def farthest_whole(column: pl.Series) -> int:
    """Return how far the cells of a column of whole numbers are from 0 at most; 0 without cells."""
    ends = (column.min(), column.max())
    return max((abs(end) for end in ends if isinstance(end, int)), default=0)


def are_alike_as_floats(column: pl.Series) -> bool:
    """Return whether different whole numbers of a column are one float."""
    known = column.drop_nulls().unique()
    return known.cast(pl.Float64).n_unique() < len(known)


def floats_of(column: pl.Series) -> Floats:
    """Return cells as numbers: (n_rows,), NaN where there is none."""
    # Polars takes some names for patterns.
    numbers = column.alias("").cast(pl.Float64, strict=False)
    return numbers.fill_null(np.nan).to_numpy().astype(np.float64)


def positions_of(column: pl.Series) -> Floats | None:
    """Return numbers and dates as places on a line: (n_rows,), NaN for none; None of other cells.

    Parameters
    ----------
    column : of any type; of texts, those that are all numbers or all dates
    """
    known = column.alias("")
    if column.dtype.is_temporal() and not isinstance(column.dtype, pl.Time):
        return _moments(known)
    if column.dtype.is_numeric():
        return floats_of(known)
    if column.dtype != pl.String:
        return None
    known = known.replace("", None)
    numbers = known.cast(pl.Float64, strict=False)
    if numbers.null_count() == known.null_count():
        return floats_of(numbers)
    days = known.str.to_date("%Y-%m-%d", strict=False)
    return _moments(days) if days.null_count() == known.null_count() else None


def _moments(column: pl.Series) -> Floats:
    """Return dates and moments as microseconds: (n_rows,), NaN for none."""
    moments = column if isinstance(column.dtype, pl.Duration) else column.cast(pl.Datetime("us"))
    return floats_of(moments.to_physical())


def column_of_numbers(name: str, numbers: Floats, *, whole: bool) -> pl.Series:
    """Make a column of numbers, missing where there is none.

    Parameters
    ----------
    numbers : (n_rows,), NaN for none
    whole : make it a column of whole numbers, which all of them have to be
    """
    column = pl.Series(name, numbers).fill_nan(None)
    return column.cast(pl.Int64) if whole else column


def numbers_in_texts(texts: pl.Series) -> pl.Series:
    """Read a column of texts as numbers, missing where one is no number."""
    return texts.cast(pl.Float64, strict=False)


def whole_numbers_of(column: pl.Series) -> Ints:
    """Return cells as whole numbers, which all of them have to be: (n_rows,)."""
    return column.cast(pl.Int64).to_numpy()


def days_of(texts: Sequence[str]) -> Floats:
    """Return the days from 1 January 1970 to each text: (n_texts,), NaN where it is no ISO date."""
    days = pl.Series(texts, dtype=pl.String).str.to_date("%Y-%m-%d", strict=False)
    return floats_of(days.to_physical())


def numbers_of_cells(cells: pl.Series, texts: Sequence[str], numbers: Floats) -> pl.Series:
    """Return the number of each cell's text, missing where there is none.

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
    """Return the middle of both ends; whole numbers of few bytes would overflow when added."""
    if low.dtype.is_integer():
        low, high = low.cast(pl.Float64), high.cast(pl.Float64)
    return (low + high) / 2


def numbers_as_read(numbers: pl.Series) -> list[float | None]:
    """Return numbers with one zero, and NaN as the missing value that it is written as."""
    known = numbers.fill_nan(None).to_list()
    # Python's own addition: Polars leaves out the addition of 0.0, which turns -0.0 into 0.0.
    return [None if number is None else number + 0.0 for number in known]


def whole_as_before(bound: pl.Series, before: pl.Series) -> pl.Series:
    """Return bounds as whole numbers where the column has such and they are."""
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


def weights_in(column: pl.Series, records: pl.Series | None = None) -> Floats:
    """Return the weights of the records: (n_rows,), at least 0.

    Parameters
    ----------
    records : (n_rows,), how many records each cell stands for; None for one each

    Raises
    ------
    DataError
        when some are missing, negative, infinite or no numbers; each fault with its count
    """
    faults = list(weight_faults(column, records))
    if faults:
        raise DataError(faults)
    return column.cast(pl.Float64).to_numpy()


def weight_faults(column: pl.Series, records: pl.Series | None = None) -> Iterator[Fault]:
    """Find cells that are no weights.

    Parameters
    ----------
    records : as in :func:`weights_in`
    """
    place = f"columns.{column.name}"
    counts = pl.repeat(1, len(column), eager=True) if records is None else records
    n_records = int(counts.sum())
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    remedy = "Correct them in the input, or name another column as data.weight."
    for where, problem in (
        (numbers.is_null(), "survey weights are missing or are not numbers"),
        (numbers < 0, "survey weights are negative"),
        (numbers.is_infinite(), "survey weights are infinite"),
    ):
        count = int(counts.filter(where.fill_null(value=False)).sum())
        if count:
            yield Fault(place, f"{count:,} of {n_records:,} {problem}", remedy)
    if n_records and bool((numbers == 0).fill_null(value=False).all()):
        yield Fault(place, "all survey weights are 0", "Name another column as data.weight.")


def weighted_mean(column: pl.Series, weights: Floats) -> float:
    """Return the weighted mean of the known numbers; NaN where nothing is known."""
    numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
    known = ~np.isnan(numbers)
    total = float(weights[known].sum())
    return float(numbers[known] @ weights[known]) / total if total else float("nan")


def weighted_shares(column: pl.Series, weights: Floats) -> dict[str | None, float]:
    """Return the share of the people that each value stands for."""
    frame = pl.DataFrame({"value": cell_texts(column), "weight": weights})
    sums = frame.group_by("value").agg(pl.col("weight").sum())
    total = float(weights.sum())
    return {value: weight / total for value, weight in sums.iter_rows()}


EXACT = 2.0**53  # up to here every whole number is a float
MOST_DIGITS = 38  # of a decimal


def is_number(column: pl.Series) -> bool:
    """Return whether the values of a column can be computed with: numbers and dates."""
    return column.dtype.is_numeric() or column.dtype == pl.Date


def n_not_finite(column: pl.Series) -> int:
    """Count the cells of a column of numbers or dates that are not finite; none of another."""
    if not is_number(column):
        return 0
    return int((~np.isfinite(to_numbers(column.drop_nulls()))).sum())


def to_numbers(column: pl.Series) -> Floats:
    """Return numbers as they are, dates in days: (n,), NaN where missing."""
    physical = column.to_physical() if column.dtype == pl.Date else column
    return physical.cast(pl.Float64).to_numpy().astype(np.float64)


def like(values: Floats, column: pl.Series) -> pl.Series:
    """Return numbers with the name, type and range of a column; whole ones are rounded."""
    if column.dtype.is_float():
        return pl.Series(column.name, values).cast(column.dtype)
    if isinstance(column.dtype, pl.Decimal):
        digits = (column.dtype.precision or MOST_DIGITS) - column.dtype.scale
        most = np.nextafter(10.0**digits, 0) - 1
        return pl.Series(column.name, np.clip(values, -most, most)).cast(column.dtype)
    whole = np.rint(values)
    if column.dtype == pl.Date:
        return pl.Series(column.name, whole).cast(pl.Int32).cast(pl.Date)
    low, high = (float(_limit(column.dtype, end)) for end in ("min", "max"))
    if high > EXACT:
        high = float(np.nextafter(high, low))
    return pl.Series(column.name, np.clip(whole, low, high)).cast(column.dtype)


def _limit(dtype: pl.DataType, end: str) -> int:
    """Return the least or greatest number of a type."""
    return pl.select(getattr(dtype, end)()).item()


def with_present(column: pl.Series, present: pl.Series) -> pl.Series:
    """Return the column with values in the places that are not missing."""
    is_there = column.is_not_null()
    places = (is_there.cast(pl.Int64).cum_sum() - 1).set(~is_there, None)
    # Decimals can be gathered, and cannot be scattered in older versions of Polars.
    return present.gather(places).alias(column.name)


def released_numbers(released: pl.Series, like_column: pl.Series | None = None) -> Floats:
    """Read released cells as numbers: (n,), NaN where they are a label or missing.

    Parameters
    ----------
    released : all cells as text
    like_column : the original, whose type says how dates are read, and how exactly numbers are
    """
    if like_column is not None and like_column.dtype == pl.Date:
        return to_numbers(released.str.to_date("%Y-%m-%d", strict=False))
    is_single = like_column is not None and has_single_floats(like_column)
    return to_numbers(released.cast(pl.Float32 if is_single else pl.Float64, strict=False))


def as_points(frame: pl.DataFrame) -> Floats:
    """Return columns of numbers as one array: (n, d)."""
    return np.column_stack([to_numbers(column) for column in frame])
