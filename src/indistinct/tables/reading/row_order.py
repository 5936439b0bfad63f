"""Find columns that would give the order of the input away, before anything is released.

The order of a release tells nothing. A column that grows, or falls, with the rows of the input
undoes that: case numbers, time stamps, texts with a running number. Texts are read as numbers,
dates, clocks, numerals with letters and check digits. The list of readings is closed: ``READINGS``
has all of them, and ``docs/errors.md`` names them for users. Verification has its own
(:mod:`indistinct.tables.verification.order_traces`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.frames.small_columns import present_cells

SHORTEST = 10  # records below which an order may well be chance
NEARLY_UNIQUE = 0.9  # share of different values among the cells that are not missing
FEWEST_ALIKE = 5  # records of each value, in the mean, that a sorted column of many values needs
FEWEST_VALUES = 10  # below which a sorted column tells little of the order
MONOTONE = 1 - 1e-9
NEARLY_MONOTONE = 0.9  # Spearman's rank correlation with the number of the row, either sign
FEWEST_READ = 20  # cells below which a further reading has to rise or fall throughout
# Cells whose correlation is that of all but for about 0.04 and 0.01, and ten times that less.
SAMPLES = ((32, 0.5), (500, 0.8))
TEXTS = pl.String | pl.Categorical | pl.Enum


def follows_the_rows(column: pl.Series, fewest: int = SHORTEST, alike: int = 0) -> bool:
    """Return whether a column nearly numbers its rows, upwards or downwards.

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
    texts, by the first whole number in them and in every other way to read them (``order_keys``),
    and so are whole numbers. Of fewer than twenty cells such a reading has to rise or fall without
    an exception. Where the order is chance, ten records reach this in fewer than one of a thousand
    columns, and twenty in fewer than one of a hundred thousand.
    """
    cells = present_cells(column)
    # What is read of a text differs in no more cells than the texts do.
    if len(cells) < fewest or not _are_many(cells, alike):
        return False
    if any(_follow(keys, alike, NEARLY_MONOTONE) for keys in _orders(cells)):
        return True
    if len(cells) < SHORTEST:
        return False
    least = NEARLY_MONOTONE if len(cells) >= FEWEST_READ else MONOTONE
    return any(_follow(keys, alike, least) for keys in _further_orders(cells))


def _follow(keys: pl.Series, alike: int, least: float) -> bool:
    """Return whether keys are many, and rise or fall with the rows."""
    return _are_many(keys, alike) and abs(_correlation(keys)) >= least


def _are_many(keys: pl.Series, alike: int) -> bool:
    """Return whether values are so many that their order tells the rows nearly one by one."""
    n_values = keys.n_unique()
    return n_values >= NEARLY_UNIQUE * len(keys) or (
        n_values >= FEWEST_VALUES and len(keys) < alike * n_values
    )


def fewest_in_order(dtype: pl.DataType) -> int:
    """Return the known values below which nothing is said of a column of some type."""
    return 2 if dtype.is_integer() or dtype.is_temporal() else SHORTEST


def _orders(cells: pl.Series) -> Iterator[pl.Series]:
    """Yield some cells in the forms that a program sorts them by."""
    if not isinstance(cells.dtype, TEXTS):
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


def _further_orders(cells: pl.Series) -> Iterator[pl.Series]:
    """Yield the orders of all readings of cells, of texts those that some of them follow."""
    if cells.dtype.is_integer():
        most, least = SAMPLES[-1]
        apart = -(-len(cells) // most)
        for keys in number_keys(cells):
            if abs(_correlation(keys.gather_every(apart))) >= least:
                yield keys
    if not isinstance(cells.dtype, TEXTS):
        return
    texts = cells.cast(pl.String)
    names: list[str] | None = None
    for most, least in SAMPLES:
        keys = order_keys(texts.gather_every(-(-len(texts) // most)))
        tried = keys.columns if names is None else [n for n in names if n in keys.columns]
        ranks = keys.select(pl.col(tried).rank("dense"))
        names = [name for name in tried if abs(_correlation_of(ranks[name])) >= least]
        if not names:
            return
    every = order_keys(texts)
    yield from (every[name] for name in names or [] if name in every.columns)


def _correlation(keys: pl.Series) -> float:
    """Return the rank correlation of keys with the order they stand in, in [-1, 1]."""
    return _correlation_of(keys.rank("dense"))


def _correlation_of(dense: pl.Series) -> float:
    """Return the correlation of dense ranks with the order they stand in, in [-1, 1]."""
    ranks: Ints = dense.to_numpy().astype(np.int64)
    if not len(ranks) or (ranks == ranks[0]).all():
        return 0.0
    order = np.arange(len(ranks), dtype=np.float64)
    spread: Floats = ranks - ranks.mean()
    order -= order.mean()
    return float((spread * order).sum() / np.sqrt((spread**2).sum() * (order**2).sum()))


OF_A_DATE = 3
MOST_NUMBERS = 7  # of a text: a date, a time, a fraction of a second
MOST_PARTS = 3  # of a text that are read as numerals, beside the last
LONGEST = 64  # letters of a part that is read as a numeral
YEAR_LAST = ((2, 1, 0), (2, 0, 1))  # day, month, year; month, day, year
# Months as they begin in English, German and French, without accents.
MONTHS = (
    "ja[ne]", "feb|fev", "ma[re]|mrz", "apr|avr", "ma[iy]", "jun|juin", "jul|juil", "aug|aou",
    "sep", "o[ck]t", "nov", "de[cz]",
)  # fmt: skip
BEFORE = r"(^|[^0-9:.h])"  # an hour, and not a minute
MINUTES = r"((?:[:.h][0-9]{2}){0,2})\s*"
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
COMPACT = {  # a date of digits alone, filled up to 18: the places of year, month and day
    "day, month, year": ((14, 4), (12, 2), (10, 2)),
    "month, day, year": ((14, 4), (10, 2), (12, 2)),
    "day, month, short year": ((16, 2), (14, 2), (12, 2)),
}

TENS = 10 ** np.arange(19, dtype=np.int64)

RowKeys = Callable[[pl.DataFrame], Iterator[pl.Expr]]


def order_keys(texts: pl.Series) -> pl.DataFrame:
    """Return the keys by which a reader may sort some texts: a column for each reading.

    Parameters
    ----------
    texts : (n,), at least one, none missing
    """
    folded = pl.col("text").str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
    frame = texts.alias("text").to_frame().select(folded)
    text = pl.col("text")
    if frame.select(text.str.contains("[a-z]").any()).item():
        text = _months_as_numbers(_hours_of_a_day(text))
    frame = frame.select(
        text.str.extract_all(r"[0-9]{1,18}").alias("numbers"),
        pl.col("text").str.extract_all(r"[0-9a-z]+").alias("parts"),
    )
    return frame.select([keys for reading in READINGS for keys in reading(frame)])


def number_keys(numbers: pl.Series) -> Iterator[pl.Series]:
    """Yield whole numbers without one or two check digits in front, and as dates of digits alone.

    Parameters
    ----------
    numbers : (n,), none missing; nothing is given where some have more than 18 digits

    Notes
    -----
    Without the digits at their end, numbers stay in their order. A check digit 0 in front is lost,
    so that the digits in front are those of the longest number, or those of each.
    """
    known = numbers.cast(pl.Int64, strict=False)
    if known.null_count():
        return
    values = np.abs(known.to_numpy())
    lengths = np.searchsorted(TENS, values, side="right")
    keys = [values % TENS[np.maximum(at - n, 0)] for at in (lengths, lengths.max()) for n in (1, 2)]
    first, second, year = values // TENS[6], values // TENS[4] % 100, values % TENS[4]
    keys += [(year * 100 + second) * 100 + first, (year * 100 + first) * 100 + second]
    keys.append((values % 100 * 100 + values // 100 % 100) * 100 + values // TENS[4])
    yield from map(pl.Series, keys)


def _hours_of_a_day(text: pl.Expr) -> pl.Expr:
    """Write 1:05 pm as 13:05, and 12:05 am as 0:05."""
    for hour in range(1, 12):
        text = text.str.replace(
            rf"{BEFORE}0?{hour}{MINUTES}p\.?(\s?m)?\b", f"${{1}}{hour + 12}${{2}} "
        )
    return text.str.replace(rf"{BEFORE}12{MINUTES}a\.?(\s?m)?\b", "${1}0${2} ")


def _months_as_numbers(text: pl.Expr) -> pl.Expr:
    """Write the name of a month as its number; mar. before a day and a month is a Tuesday."""
    tuesday = rf"^mar[a-z]*[.,]*\s+([0-9]{{1,2}}[^0-9]+(?:{'|'.join(MONTHS)}))"
    text = text.str.replace(tuesday, "${1}").str.replace(r"\bmardi\b", "")
    for number, month in enumerate(MONTHS, start=1):
        text = text.str.replace(rf"(^|[^a-z])(?:{month})[a-z]*", f"${{1}} {number} ")
    return text


def _dates_and_clocks(frame: pl.DataFrame) -> Iterator[pl.Expr]:
    """Read the whole numbers: each alone, all as they stand, and those of a date by its parts.

    Names of months are numbers, and hours of a clock with twelve are those of one with 24.
    """
    numbers = pl.col("numbers")
    n_numbers = min(int(frame.select(numbers.list.len().min()).item()), MOST_NUMBERS)
    digits = [numbers.list.get(place).str.zfill(18) for place in range(n_numbers)]
    for order in _ways_to_read(n_numbers):
        yield pl.concat_str(*[digits[place] for place in order]).alias(f"numbers {order}")
    for name, parts in COMPACT.items() if digits else ():
        pieces = [digits[0].str.slice(start, length) for start, length in parts]
        yield pl.concat_str(*pieces).alias(f"a number as {name}")


def _ways_to_read(n_numbers: int) -> list[tuple[int, ...]]:
    """Return which of some numbers count, the weightiest first."""
    every = tuple(range(n_numbers))
    ways: list[tuple[int, ...]] = [(place,) for place in every]
    ways += [every, every[::-1]] if n_numbers > 1 else []
    if n_numbers >= OF_A_DATE:
        date, time = (0, 1, 2), every[3:]
        ways += [(*(date[place] for place in way), *time) for way in YEAR_LAST]
        date, time = every[-3:], every[:-3]
        ways += [(*(date[place] for place in way), *time) for way in ((0, 1, 2), *YEAR_LAST)]
    return list(dict.fromkeys(ways))


def _numerals(frame: pl.DataFrame) -> Iterator[pl.Expr]:
    """Read each part as a numeral with letters, with and without check digits, and as a Roman one.

    The digits of a hexadecimal number or of one to base 36, and the letters of a spreadsheet's
    columns, have one order: the shorter before the longer, and digits before letters. One or two
    check digits stand at either end, perhaps after letters.
    """
    lengths = pl.col("parts").list.len()
    fewest, most = frame.select(lengths.min().alias("fewest"), lengths.max().alias("most")).row(0)
    places = [
        *range(min(fewest, MOST_PARTS)),
        *([-1] if most > min(fewest, MOST_PARTS) > 0 else []),
    ]
    for place in places:
        part = pl.col("parts").list.get(place)
        found = frame.select(part.alias("part"))["part"]
        if int(cast("int", found.str.len_chars().max())) > LONGEST:
            continue
        ways = {"": part}
        ways |= {f"without {n} at the end": part.str.head(-n) for n in (1, 2)}
        ways |= {f"without {n} in front": part.str.slice(n) for n in (1, 2)}
        if found.str.contains("^[a-z]").any():
            digits = part.str.strip_chars_start("abcdefghijklmnopqrstuvwxyz")
            ways |= {f"without letters and {n} in front": digits.str.slice(n) for n in (1, 2)}
        for name, keys in ways.items():
            yield keys.str.zfill(LONGEST).alias(f"part {place} {name}")
        if found.str.contains("^[ivxlcdm]+$").all():
            values = {text: _roman(text) for text in found.unique()}
            yield part.replace_strict(values, return_dtype=pl.Int64).alias(f"part {place} Roman")


def _roman(text: str) -> int:
    """Return the value of a Roman numeral: a digit before a greater one is subtracted."""
    digits = [ROMAN[letter] for letter in text]
    following = [*digits[1:], 0]
    return sum(-one if one < after else one for one, after in zip(digits, following, strict=True))


READINGS: tuple[RowKeys, ...] = (_dates_and_clocks, _numerals)
