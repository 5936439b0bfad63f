"""Calls for which Polars would begin a query: of few records the query takes longer than its work.

A release of a dozen records asks a hundred times which values a column has and which are missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools

SMALL = 4_096  # records up to which counting the values is quicker than a query for them


def distinct(column: pl.Series) -> pl.Series:
    """Return the different values of a column in any order, a missing one among them."""
    if len(column) > SMALL or column.dtype.is_nested():
        return column.unique()
    return column.alias("").value_counts(name="records").to_series().alias(column.name)


def present_cells(column: pl.Series) -> pl.Series:
    """Leave the cells out that hold nothing."""
    return column.drop_nulls() if column.null_count() else column


def are_empty(column: pl.Series) -> Bools:
    """Return which cells hold nothing: (n_rows,)."""
    if column.null_count():
        return column.is_null().to_numpy()
    return np.zeros(len(column), np.bool_)


def are_among(texts: pl.Series, words: Sequence[str]) -> pl.Series:
    """Return which texts are one of some words, at least one; of a missing text nothing."""
    first, *others = dict.fromkeys(words)
    found = texts == first
    for word in others:
        found |= texts == word
    return found


def places_among(texts: pl.Series, known: pl.Series) -> pl.Series:
    """Return the place of each text among the known ones, and nothing of a missing text."""
    if len(texts) > SMALL:
        return texts.cast(pl.Enum(known)).to_physical().cast(pl.UInt32)
    places = {text: place for place, text in enumerate(known.to_list())}
    return pl.Series(texts.name, [places.get(text) for text in texts.to_list()], pl.UInt32)
