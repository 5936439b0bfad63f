"""Columns as numbers and back, for the protections that compute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Floats
from indistinct.errors import Fault
from indistinct.metrics.masking import absolute_loss, squared_loss

EXACT = 2.0**53  # up to here every whole number is a float
MOST_DIGITS = 38  # of a decimal


def is_number(column: pl.Series) -> bool:
    """Tell whether the values of a column can be computed with: numbers and dates."""
    return column.dtype.is_numeric() or column.dtype == pl.Date


def not_a_number(column: pl.Series, remedy: str) -> Iterator[Fault]:
    """Find that a column has no numbers."""
    if not is_number(column):
        yield Fault(f"columns.{column.name}.protect", "needs a column of numbers or dates", remedy)


def no_missing(column: pl.Series) -> Iterator[Fault]:
    """Find that a column has missing values, or numbers that are not finite."""
    present = column.drop_nulls()
    n_missing = column.null_count()
    if is_number(column):
        n_missing += int((~np.isfinite(to_numbers(present))).sum())
    if n_missing:
        yield Fault(
            f"columns.{column.name}.protect",
            f"cannot act on {n_missing:,} missing values",
            "Fill them in, or leave those records out.",
        )


def whole_bounds(column: pl.Series, low: float | None, high: float | None) -> Iterator[Fault]:
    """Find bounds that no value of a column reaches: of dates, or fractions for whole numbers."""
    bounds = [bound for bound in (low, high) if bound is not None]
    place = f"columns.{column.name}.protect"
    if bounds and not column.dtype.is_numeric():
        yield Fault(place, "has bounds, but no numbers", "Leave low and high out.")
    elif column.dtype.is_integer() and any(bound != int(bound) for bound in bounds):
        yield Fault(place, "has bounds that no whole number reaches", "Choose whole bounds.")


def only_finite(column: pl.Series) -> Iterator[Fault]:
    """Find numbers that are not finite."""
    if is_number(column) and not np.isfinite(to_numbers(column.drop_nulls())).all():
        yield Fault(
            f"columns.{column.name}.protect",
            "cannot act on numbers that are not finite",
            "Write them as missing values.",
        )


def to_numbers(column: pl.Series) -> Floats:
    """Give numbers as they are, dates in days: (n,), NaN where missing."""
    physical = column.to_physical() if column.dtype == pl.Date else column
    return physical.cast(pl.Float64).to_numpy().astype(np.float64)


def like(values: Floats, column: pl.Series) -> pl.Series:
    """Give numbers the name and type of a column, in its range; whole ones are rounded."""
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
    """Give the least or greatest number of a type."""
    return pl.select(getattr(dtype, end)()).item()


def with_present(column: pl.Series, present: pl.Series) -> pl.Series:
    """Put values in the places of a column that are not missing."""
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
    is_single = like_column is not None and like_column.dtype == pl.Float32
    return to_numbers(released.cast(pl.Float32 if is_single else pl.Float64, strict=False))


def outside(released: pl.Series, low: float | None, high: float | None) -> Iterator[Fault]:
    """Find released numbers beyond public bounds."""
    if low is None and high is None:
        return
    numbers = released_numbers(released)
    least = -np.inf if low is None else low
    most = np.inf if high is None else high
    n_outside = int(((numbers < least) | (numbers > most)).sum())
    if n_outside:
        yield Fault(
            f"columns.{released.name}",
            f"{n_outside:,} numbers lie outside the bounds of the policy",
            "Do not publish this file.",
        )


def change_facts(original: pl.DataFrame, masked: pl.DataFrame) -> Mapping[str, Any]:
    """Say in the manifest how far numbers moved: both measures, over records without a gap."""
    before, after = as_points(original), as_points(masked)
    complete: Bools = np.asarray(np.isfinite(before + after).all(axis=1), dtype=np.bool_)
    facts: dict[str, Any] = {"records": original.height}
    if complete.any():
        facts["absolute_loss"] = absolute_loss(before[complete], after[complete])
        facts["squared_loss"] = squared_loss(before[complete], after[complete])
    return facts


def summed(parts: Sequence[Mapping[str, Any]], words: Sequence[str]) -> Mapping[str, Any]:
    """Add up some facts of the parts of a table."""
    return {word: sum(part[word] for part in parts) for word in words}


def as_points(frame: pl.DataFrame) -> Floats:
    """Give columns of numbers as one array: (n, d)."""
    return np.column_stack([to_numbers(column) for column in frame])
