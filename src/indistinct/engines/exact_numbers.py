"""Numbers that are written with more digits than a floating point number holds."""

from __future__ import annotations

import polars as pl

SURELY_EXACT = r"^-?[0-9.]{1,15}$"  # every double gives fifteen digits back


def are_exact(texts: pl.Expr) -> pl.Expr:
    """Return which texts of numbers are the same number after they were read as doubles.

    A double is the nearest number, so that the same digits are the same number. Numbers beyond all
    doubles are infinite, which is refused elsewhere.
    """
    number = texts.cast(pl.Float64, strict=False)
    read = number.cast(pl.String)
    is_known = texts.str.contains(SURELY_EXACT) | number.is_infinite()
    return is_known | (texts == read) | (_digits(texts) == _digits(read))


def _digits(texts: pl.Expr) -> pl.Expr:
    """Return the digits of numbers from the first to the last that is not zero."""
    mantissas = texts.str.extract(r"^-?([0-9.]*)").str.replace(".", "", literal=True)
    return mantissas.str.strip_chars("0")


def keeps_all_digits(numbers: pl.Series) -> bool:
    """Return whether doubles hold all digits of numbers that are written as texts."""
    long = numbers.filter(~numbers.str.contains(SURELY_EXACT))
    return bool(long.alias("").to_frame().select(are_exact(pl.col("")).all()).item())
