"""Find columns that would give the order of the input away, before anything is released.

The records are released in a secret order. A column that grows, or falls, with the rows of the
input undoes that: case numbers, time stamps, texts with a running number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats, Ints
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.starred_rows import are_starred

SHORTEST = 10  # records below which an order may well be chance
NEARLY_UNIQUE = 0.9  # share of different values among the cells that are not missing
MOST_BY_CHANCE = 60  # rows; an order of so many reaches 0.9 once in 10**11
FEWEST_ALIKE = 5  # records of each value, in the mean, that a sorted column of many values needs
FEWEST_VALUES = 10  # below which a sorted column tells little of the order
NEARLY_MONOTONE = 0.9  # Spearman's rank correlation with the number of the row, either sign
FEWEST_NUMBERED = 20  # texts below which only the first number in them is looked at
OF_A_DATE = 3
MOST_NUMBERS = 7  # of a text: a date, a time, a fraction of a second
MOST_TRIED = 2_000  # texts whose correlation is that of all but for about 0.02
FAR = 0.1  # five times that
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
YEAR_LAST = ((2, 1, 0), (2, 0, 1))  # day, month, year; month, day, year


def follows_the_rows(column: pl.Series, fewest: int = SHORTEST, alike: int = 0) -> bool:
    """Tell whether a column nearly numbers its rows, upwards or downwards.

    Parameters
    ----------
    column : of the input, in the input's order
    fewest : known values below which nothing is said
    alike : least mean number of records of a value with which a sorted column is let through

    Notes
    -----
    At least nine of ten known values differ, or there are ten values or more with fewer than
    ``alike`` records each, in the mean; and the rank correlation of the values with the rows is at
    least 0.9 or at most -0.9. Numbers and moments are compared as such; texts are compared as
    texts, by the first whole number in them and, where they are twenty or more, by every whole
    number and as dates (``number_orders``). Where the order is chance, ten records reach this in
    fewer than one of a thousand columns, and twenty in fewer than one of a hundred thousand.
    """
    cells = column.drop_nulls()
    # What is read of a text differs in no more cells than the texts do.
    if len(cells) < fewest or not _are_many(cells, alike):
        return False
    return any(
        _are_many(keys, alike) and abs(_correlation(keys)) >= NEARLY_MONOTONE
        for keys in _orders(cells)
    )


def follows_by_chance(frame: pl.DataFrame) -> bool:
    """Tell whether some column of a small table in a chance order happens to number its rows.

    Of more than :data:`MOST_BY_CHANCE` rows none does; those are not looked at.
    """
    return frame.height <= MOST_BY_CHANCE and any(columns_in_order(frame))


def columns_in_order(frame: pl.DataFrame, order: Ints | None = None) -> Iterator[str]:
    """Name the columns of a release that nearly number its rows, as some file format shows them.

    Parameters
    ----------
    order : which rows are meant, and in which order; all as they stand where left out

    Notes
    -----
    Text files give some numbers back as texts, which have another order. That is looked at in small
    tables only, where chance may order them. So are the rows beside rows of nothing but stars.
    """
    meant = frame if order is None else frame[order]
    small = meant.height <= MOST_BY_CHANCE
    starred = are_starred(meant)
    parts = [meant, meant.filter(~starred)] if starred.any() else [meant]
    for name in frame.columns:
        columns = [part[name] for part in parts if not part[name].dtype.is_nested()]
        if any(
            follows_the_rows(column) or (small and follows_the_rows(cell_texts(column)))
            for column in columns
        ):
            yield name


def _are_many(keys: pl.Series, alike: int) -> bool:
    """Tell whether values are so many that their order tells the rows nearly one by one."""
    n_values = keys.n_unique()
    return n_values >= NEARLY_UNIQUE * len(keys) or (
        n_values >= FEWEST_VALUES and len(keys) < alike * n_values
    )


def fewest_in_order(dtype: pl.DataType) -> int:
    """Give the known values below which nothing is said of a column of some type."""
    return 2 if dtype.is_integer() or dtype.is_temporal() else SHORTEST


def _orders(cells: pl.Series) -> Iterator[pl.Series]:
    """Give some cells in every form that a reader would sort them by."""
    if not isinstance(cells.dtype, pl.String | pl.Categorical | pl.Enum):
        yield cells
        return
    texts = cells.cast(pl.String)
    yield texts
    as_numbers = texts.cast(pl.Float64, strict=False)
    if as_numbers.null_count() == 0:
        yield as_numbers
    numbers = texts.str.extract(r"([0-9]{1,18})").cast(pl.Int64, strict=False)
    if numbers.null_count() == 0:
        yield numbers
    if len(cells) >= FEWEST_NUMBERED:
        yield from _further_orders(texts)


def _further_orders(texts: pl.Series) -> Iterator[pl.Series]:
    """Give the orders of the numbers in texts, those that some cells at equal distances follow."""
    some = texts.gather_every(len(texts) // MOST_TRIED + 1)
    readings = number_orders(some)
    follow = [abs(_correlation(keys)) >= NEARLY_MONOTONE - FAR for _, keys in readings]
    chosen = [order for (order, _), is_near in zip(readings, follow, strict=True) if is_near]
    if chosen:
        yield from (keys for order, keys in number_orders(texts) if order in chosen)


def number_orders(texts: pl.Series) -> list[tuple[tuple[int, ...], pl.Series]]:
    """Give texts in the orders of the whole numbers in them: ``13.05.2020``, ``ward 3, no 17``.

    Returns
    -------
    which numbers count, the weightiest first, and the keys to sort by: each number after the first
    alone, all as they stand, and those of three or more as dates with the day, the month or the
    time in front; the English names of months are numbers
    """
    lowered = texts.str.to_lowercase()
    for number, month in enumerate(MONTHS, start=1):
        lowered = lowered.str.replace(rf"\b{month}[a-z]*", f" {number} ")
    numbers = lowered.str.extract_all(r"[0-9]{1,18}")
    n_numbers = min(int(cast("int", numbers.list.len().min())), MOST_NUMBERS)
    digits = [numbers.list.get(place).str.zfill(18) for place in range(n_numbers)]
    return [
        (order, pl.select(pl.concat_str(*[digits[place] for place in order])).to_series())
        for order in _ways_to_read(n_numbers)
    ]


def _ways_to_read(n_numbers: int) -> list[tuple[int, ...]]:
    """Say which of some numbers count, the weightiest first."""
    every = tuple(range(n_numbers))
    ways: list[tuple[int, ...]] = [(place,) for place in every[1:]]
    if n_numbers > 1:
        ways.append(every)
    if n_numbers >= OF_A_DATE:
        date, time = (0, 1, 2), every[3:]
        ways += [(*(date[place] for place in way), *time) for way in YEAR_LAST]
        date, time = every[-3:], every[:-3]
        ways += [(*(date[place] for place in way), *time) for way in ((0, 1, 2), *YEAR_LAST)]
    return list(dict.fromkeys(ways))


def _correlation(keys: pl.Series) -> float:
    """Give the rank correlation of keys with the order they stand in, in [-1, 1]."""
    ranks: Ints = keys.rank("dense").to_numpy().astype(np.int64)
    if not len(ranks) or (ranks == ranks[0]).all():
        return 0.0
    order = np.arange(len(ranks), dtype=np.float64)
    spread: Floats = ranks - ranks.mean()
    order -= order.mean()
    return float((spread * order).sum() / np.sqrt((spread**2).sum() * (order**2).sum()))
