"""Find traces of an order in a release: a reader's definition of a column that numbers the rows.

Verification uses this and nothing of what made the release. The measure is Spearman's: the
correlation of the ranks, ties in the middle of theirs. A column is at fault from 0.9 on, of either
sign, where at least nine of ten cells differ, or where ten values or more have few records each; of
ten rows in an order by chance fewer than one in a thousand reaches it, of twenty fewer than one in
a hundred thousand, texts with several numbers included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from indistinct.policy.policy import Policy

FEWEST_ROWS = 10
STRONGEST = 0.9
LEAST_DISTINCT = 0.9
FEWEST_VALUES = 10
FEWEST_TEXTS = 20  # of which more than the first number is read
ENOUGH = 2_000  # texts by which it is decided whether all are read
MARGIN = 0.1
OF_A_DATE = 3
MOST_NUMBERS = 7
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMBER_OR_MONTH = re.compile(rf"[0-9]{{1,18}}|\b(?:{'|'.join(MONTHS)})[a-z]*")
FEWEST_RECORDS = 5


def least_alike(policy: Policy) -> int:
    """Say how many records of a value, in the mean, keep a sorted column from telling places."""
    return max([FEWEST_RECORDS, *(model.least_size for model in policy.models)])


def tells_order(column: pl.Series, places: Sequence[int] | None = None, alike: int = 0) -> bool:
    """Tell whether the cells of a column nearly tell the places of their rows.

    Parameters
    ----------
    column : cells in the order of some table
    places : place of each row in another table, whose order is meant; their own where left out
    alike : records of a value, in the mean, from which on the column tells no places
    """
    return tells_some_order(column, [places], alike)


def tells_some_order(
    column: pl.Series, orders: Sequence[Sequence[int] | None], alike: int = 0
) -> bool:
    """Tell whether the cells of a column nearly tell the places of their rows in some table.

    Parameters
    ----------
    column, alike : see :func:`tells_order`
    orders : each as its ``places``
    """
    if len(column) < FEWEST_ROWS:
        return False
    # No key tells more records apart than the cells themselves do.
    if _is_coarse(column.drop_nulls(), alike):
        return False
    own = [
        pl.Series("place", np.arange(len(column)) if places is None else np.asarray(places))
        for places in orders
    ]
    return any(_follow(keys, places, alike) for keys in _keys(column) for places in own)


def _follow(keys: pl.Series, places: pl.Series, alike: int) -> bool:
    """Tell whether keys nearly rise or fall with the places of their rows."""
    both = pl.DataFrame({"key": keys, "place": places}).drop_nulls()
    if _is_coarse(both["key"], alike):
        return False
    ranks = both.select(pl.all().rank("average")).to_numpy()
    return abs(float(np.corrcoef(ranks, rowvar=False)[0, 1])) >= STRONGEST


def _is_coarse(keys: pl.Series, alike: int) -> bool:
    """Tell whether too many records share a value for the values to number them."""
    n, n_values = len(keys), keys.n_unique()
    return n < FEWEST_ROWS or (
        n_values < LEAST_DISTINCT * n and (n_values < FEWEST_VALUES or n >= alike * n_values)
    )


def _keys(column: pl.Series) -> Iterator[pl.Series]:
    """Give the orders in which a reader may sort a column."""
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype.is_decimal():
        yield column
    elif column.dtype.is_temporal():
        yield column.to_physical()
    elif isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
        texts = column.cast(pl.String)
        yield texts
        as_numbers = texts.cast(pl.Float64, strict=False)
        if as_numbers.null_count() == texts.null_count():
            yield as_numbers
        running = texts.str.extract(r"(\d+)").cast(pl.Int64, strict=False)
        if running.null_count() == texts.null_count():
            yield running
        yield from _as_dates(texts)


def _as_dates(texts: pl.Series) -> Iterator[pl.Series]:
    """Give the keys of texts with several numbers: one of the numbers, or the numbers of a date."""
    known = texts.drop_nulls()
    if len(known) < FEWEST_TEXTS:
        return
    some = _numbers(known.gather_every(max(1, len(known) // ENOUGH)).to_list())
    width = min(map(len, some))
    promising = [
        weights for weights in _orders_of_numbers(width) if _follows(_keyed(some, weights))
    ]
    if not promising:
        return
    numbers = _numbers(["" if text is None else text for text in texts.to_list()])
    places = [place for place, text in enumerate(texts.to_list()) if text is not None]
    for weights in promising:
        if all(len(numbers[place]) > max(weights) for place in places):
            keys = _keyed([numbers[place] for place in places], weights)
            rank = {key: number for number, key in enumerate(sorted(set(keys)))}
            ranks: list[int | None] = [None] * len(texts)
            for place, key in zip(places, keys, strict=True):
                ranks[place] = rank[key]
            yield pl.Series("key", ranks, pl.Int64)


def _numbers(texts: Sequence[str]) -> list[list[int]]:
    """Read the whole numbers in texts; a month's English name is one, wherever it stands."""
    return [
        [
            MONTHS.index(word[:3]) + 1 if word.isalpha() else int(word)
            for word in NUMBER_OR_MONTH.findall(text.lower())
        ]
        for text in texts
    ]


def _orders_of_numbers(width: int) -> list[tuple[int, ...]]:
    """Say by which numbers, the weightiest first, texts with so many may be sorted."""
    places = tuple(range(min(width, MOST_NUMBERS)))
    orders = {places} | {places[place : place + 1] for place in places}
    orders -= {(), (0,)}
    if len(places) >= OF_A_DATE:
        for date, time in ((places[:3], places[3:]), (places[-3:], places[:-3])):
            first, second, third = date
            for year_month_day in (date, (third, second, first), (third, first, second)):
                orders.add((*year_month_day, *time))
    return sorted(orders)


def _keyed(numbers: Sequence[Sequence[int]], weights: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Put the weightiest number of each text first."""
    return [tuple(own[place] for place in weights) for own in numbers]


def _follows(keys: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether some of the keys may be part of a column that tells the order."""
    rank = {key: number for number, key in enumerate(sorted(set(keys)))}
    if len(rank) == 1:
        return False
    ranks = pl.Series([rank[key] for key in keys]).rank("average").to_numpy()
    return abs(float(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1])) >= STRONGEST - MARGIN
