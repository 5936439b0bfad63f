"""Calls for which Polars would begin a query: of few records the query takes longer than its work.

A release of a dozen records asks a hundred times which values a column has and which are missing.
Of few values, :func:`places_among` is quick however many records there are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Ints

SMALL = 4_096  # records up to which counting the values is quicker than a query for them
FEW_VALUES, SLOTS = 256, 1 << 18  # of a table that has room for each value's hash alone


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


def are_ascii(texts: pl.Series) -> bool:
    """Return whether texts are of characters of ASCII alone."""
    if len(texts) <= SMALL:
        return all(text is None or text.isascii() for text in texts.to_list())
    sizes = [texts.str.len_bytes().sum(), texts.str.len_chars().sum()]
    return sizes[0] == sizes[1]


def all_match(texts: pl.Series, pattern: str) -> bool:
    """Return whether every text that is not missing has a form.

    Parameters
    ----------
    pattern : from the first character to the last, of classes of ASCII alone, which Python and
        Polars read alike
    """
    if len(texts) > SMALL:
        return bool(texts.str.contains(pattern).all())
    form = _form(pattern)
    return all(form.match(text) for text in texts.to_list() if text is not None)


@cache
def _form(pattern: str) -> re.Pattern[str]:
    """Return a pattern that, as Polars has it, lets no end of a line follow."""
    return re.compile(pattern.removesuffix("$") + r"\Z")


def are_among(texts: pl.Series, words: Sequence[str]) -> pl.Series:
    """Return which texts are one of some words, at least one; of a missing text nothing."""
    first, *others = dict.fromkeys(words)
    found = texts == first
    for word in others:
        found |= texts == word
    return found


def places_among(texts: pl.Series, known: pl.Series) -> pl.Series:
    """Return the place of each text among the known ones, and nothing of a missing text.

    Parameters
    ----------
    known : different texts, all of ``texts`` among them
    """
    if len(texts) > SMALL:
        few = _places_among_few(texts, known)
        return texts.cast(pl.Enum(known)).to_physical().cast(pl.UInt32) if few is None else few
    places = {text: place for place, text in enumerate(known.to_list())}
    return pl.Series(texts.name, [places.get(text) for text in texts.to_list()], pl.UInt32)


def _places_among_few(texts: pl.Series, known: pl.Series) -> pl.Series | None:
    """Find places by hashes; None where two known texts share a slot, or there are too many.

    Exact: every text is a known one, and no two of these have the same slot. A text that is not
    known is found but for one in a thousand of them, and then None is returned, too.
    """
    n_known = len(known)
    if texts.null_count() or n_known > FEW_VALUES:
        return None
    slots = _slots(known)
    table = np.full(SLOTS, n_known, np.uint32)
    table[slots] = np.arange(n_known, dtype=np.uint32)
    if (table[slots] != np.arange(n_known)).any():
        return None
    places = table[_slots(texts)]
    return None if places.max(initial=0) >= n_known else pl.Series(texts.name, places)


def _slots(texts: pl.Series) -> Ints:
    """Return the slot of each text: (n_texts,)."""
    return (texts.hash().to_numpy() & np.uint64(SLOTS - 1)).view(np.int64)


def known_values(column: pl.Series) -> list[Any]:
    """List the different values of a column as Python has them, those that are missing left out."""
    column = column.fill_nan(None) if column.dtype.is_float() else column
    return present_cells(distinct(column)).to_list()
