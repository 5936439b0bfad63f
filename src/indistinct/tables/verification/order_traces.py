"""Find columns that number the rows of the input: a reader's definition.

Verification uses this and nothing of what made the release. The measure is Spearman's: the
correlation of the ranks, ties in the middle of theirs. A column is at fault from 0.9 on, of either
sign, where at least nine of ten cells differ, or where ten values or more have few records each; of
ten rows in an order by chance fewer than one in a thousand reaches it, of twenty fewer than one in
a hundred thousand, all readings of texts (``READINGS``) included, which have to rise or fall
without an exception where there are fewer than twenty cells.

Each text has a key for every reading that fits it; a reading counts where all texts of a column
have its key. ``READINGS`` has them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes, Ints
from indistinct.tables.frames.small_columns import distinct, places_among, present_cells
from indistinct.tables.models.bounded import BoundedModel

FEWEST_ROWS = 10
STRONGEST = 0.9
LEAST_DISTINCT = 0.9
FEWEST_VALUES = 10
WITHOUT_EXCEPTION = 1 - 1e-9
FEWEST_READ = 20  # cells below which a further reading has no exception
SAMPLES = ((32, 0.5), (500, 0.8))  # cells, and the correlation from which on more are read
FEWEST_RECORDS = 5
TEXTS = pl.String | pl.Categorical | pl.Enum
Key = tuple[tuple[int, ...], str]  # the numbers that count first, and then a text
MOST_NUMBERS = 7
OF_A_DATE = 3
FIRST_PARTS = 3
LONGEST = 64
CHECK_DIGITS = (1, 2)
CLOCK = re.compile(r"(?<![0-9:.h])(1[0-2]|0?[1-9])((?:[:.h][0-9]{2}){0,2})\s*([ap])\.?(?:\s?m)?\b")
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
FARTHEST = 1 << 62  # whole numbers that are no farther from 0 have room for a sum of two
WIDEST = 1 << 22  # whole numbers between the least and the greatest, for which a table is kept


def least_alike(models: Sequence[BoundedModel]) -> int:
    """Return how many records of a value, in the mean, keep a sorted column from telling places."""
    return max([FEWEST_RECORDS, *(model.least_size for model in models)])


def tells_order(column: pl.Series, alike: int = 0) -> bool:
    """Return whether the cells of a column nearly tell the places of their rows.

    Parameters
    ----------
    column : cells in the order of some table
    alike : records of a value, in the mean, from which on the column tells no places
    """
    if len(column) < FEWEST_ROWS:
        return False
    # No key tells more records apart than the cells themselves do.
    if _is_coarse(column.drop_nulls(), alike):
        return False
    if any(_follow(keys, alike) for keys in _keys(column)):
        return True
    # Of few cells a further reading has to rise or fall without an exception.
    strongest = STRONGEST if len(column.drop_nulls()) >= FEWEST_READ else WITHOUT_EXCEPTION
    return any(_follow(keys, alike, strongest) for keys in _read_keys(column))


def _follow(keys: pl.Series, alike: int, strongest: float = STRONGEST) -> bool:
    """Return whether keys nearly rise or fall with the places of their rows."""
    both = pl.DataFrame({"key": keys, "place": np.arange(len(keys))}).drop_nulls()
    if _is_coarse(both["key"], alike):
        return False
    return abs(_correlation(both["key"], both["place"])) >= strongest


def _correlation(keys: pl.Series, places: pl.Series) -> float:
    """Return Spearman's correlation of keys and places; 0 where all keys are one."""
    if keys.n_unique() < 2:  # noqa: PLR2004 - one value has no order
        return 0.0
    ranks = np.stack([column.rank("average").to_numpy() for column in (keys, places)])
    return float(np.corrcoef(ranks)[0, 1])


def _is_coarse(keys: pl.Series, alike: int) -> bool:
    """Return whether too many records share a value for the values to number them."""
    n, n_values = len(keys), keys.n_unique()
    return n < FEWEST_ROWS or (
        n_values < LEAST_DISTINCT * n and (n_values < FEWEST_VALUES or n >= alike * n_values)
    )


def _keys(column: pl.Series) -> Iterator[pl.Series]:
    """Yield the orders in which a reader may sort a column."""
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype.is_decimal():
        yield column
    elif column.dtype.is_temporal():
        yield column.to_physical()
    elif isinstance(column.dtype, TEXTS):
        texts = column.cast(pl.String)
        yield texts
        as_numbers = texts.cast(pl.Float64, strict=False)
        if as_numbers.null_count() == texts.null_count():
            yield as_numbers
        running = texts.str.extract(r"(\d+)").cast(pl.Int64, strict=False)
        if running.null_count() == texts.null_count():
            yield running


def _read_keys(cells: pl.Series) -> Iterator[pl.Series]:
    """Yield the ranks of cells by the further readings that some of them follow."""
    known = cells.is_not_null().arg_true()
    if not (cells.dtype.is_integer() or isinstance(cells.dtype, TEXTS)) or not len(known):
        return
    texts = cells.cast(pl.String)
    promising: set[str] | None = None
    for most, least in SAMPLES:
        some = known.gather_every(-(-len(known) // most))
        places = np.arange(len(some))
        promising = {
            name
            for name, ranks in ranked(texts.gather(some).to_list(), promising).items()
            if len(set(ranks)) > 1 and abs(np.corrcoef(ranks, places)[0, 1]) >= least
        }
        if not promising:
            return
    for ranks in ranked(texts.gather(known).to_list(), promising).values():
        column = pl.DataFrame(
            {"row": known, "key": ranks}, schema={"row": pl.UInt32, "key": pl.Int64}
        )
        rows = pl.DataFrame({"row": range(len(cells))}, schema={"row": pl.UInt32})
        yield rows.join(column, on="row", how="left", maintain_order="left")["key"]


MONTH_OF = {
    name: number
    for number, names in enumerate(
        (
            "jan jae", "feb fev", "mar mae mrz", "apr avr", "may mai", "jun juin", "jul juil",
            "aug aou", "sep", "oct okt", "nov", "dec dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
NAME = "|".join(sorted(MONTH_OF, key=len, reverse=True))
NUMBER_OR_MONTH = re.compile(rf"[0-9]{{1,18}}|(?<![a-z])(?:{NAME})[a-z]*")
TUESDAY = re.compile(rf"\bmardi\b|^mar[.,]*\s+(?=[0-9]{{1,2}}[^0-9]+(?:{NAME}))")


def keys_of(text: str) -> dict[str, Key]:
    """Return the keys of a text by the names of the readings that fit it."""
    marked = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in marked if not unicodedata.combining(letter)).lower()
    return {name: key for reading in READINGS for name, key in reading(plain)}


def _moments(text: str) -> Iterator[tuple[str, Key]]:
    """Read the numbers of a date or a clock, by each alone and from every weightiest part on."""
    clock = CLOCK.sub(
        lambda found: f"{int(found[1]) % 12 + 12 * (found[3] == 'p')}{found[2]} ", text, 1
    )
    numbers = [
        int(word)
        if word.isdecimal()
        else next(n for name, n in MONTH_OF.items() if word.startswith(name))
        for word in NUMBER_OR_MONTH.findall(TUESDAY.sub("", clock))
    ][:MOST_NUMBERS]
    for place, number in enumerate(numbers):
        yield f"number {place}", ((number,), "")
    for width in range(2, len(numbers) + 1):
        yield f"first {width}", (tuple(numbers[:width]), "")
        yield f"first {width} turned", (tuple(numbers[:width][::-1]), "")
    if len(numbers) < OF_A_DATE:
        return
    for order in permutations(range(OF_A_DATE)):
        first, last = numbers[:OF_A_DATE], numbers[-OF_A_DATE:]
        yield f"date first {order}", ((*(first[n] for n in order), *numbers[OF_A_DATE:]), "")
        yield f"date last {order}", ((*(last[n] for n in order), *numbers[:-OF_A_DATE]), "")


def _compact_dates(text: str) -> Iterator[tuple[str, Key]]:
    """Read six or eight digits as a date that begins with its day or its month."""
    found = re.search(r"[0-9]+", text)
    if found is None:
        return
    for width in (6, 8):
        if len(found[0]) in {width - 1, width}:
            digits = found[0].zfill(width)
            one, other, year = int(digits[:2]), int(digits[2:4]), int(digits[4:])
            yield f"day of {width} digits", ((year, other, one), "")
            yield f"month of {width} digits", ((year, one, other), "")


def _numerals(text: str) -> Iterator[tuple[str, Key]]:
    """Read parts as numerals of any base or letters of columns, with check digits at an end."""
    parts = re.findall(r"[0-9a-z]+", text)
    for place, part in [*enumerate(parts[:FIRST_PARTS]), *((-1, part) for part in parts[-1:])]:
        if len(part) > LONGEST:
            continue
        number = part.lstrip("abcdefghijklmnopqrstuvwxyz")
        yield f"part {place}", _numeral(part)
        for n in CHECK_DIGITS:
            yield f"part {place} ends with {n}", _numeral(part[:-n])
            yield f"part {place} begins with {n}", _numeral(part[n:])
            yield f"digits of part {place} begin with {n}", _numeral(number[n:])
        if set(part) <= ROMAN.keys():
            yield f"Roman part {place}", ((_value(part),), "")


def _numeral(digits: str) -> Key:
    """Return what a numeral sorts by, whatever its base: its length without zeros, its digits."""
    digits = digits.lstrip("0")
    return (len(digits),), digits


def _value(numeral: str) -> int:
    """Return the value of a Roman numeral."""
    total = greatest = 0
    for letter in reversed(numeral):
        digit = ROMAN[letter]
        total += digit if digit >= greatest else -digit
        greatest = max(greatest, digit)
    return total


READINGS: tuple[Callable[[str], Iterator[tuple[str, Key]]], ...] = (
    _moments,
    _compact_dates,
    _numerals,
)


def ranked(texts: Sequence[str], names: set[str] | None = None) -> dict[str, list[int]]:
    """Return the ranks of texts by each reading that fits all of them.

    Parameters
    ----------
    names : of the readings that matter; all where left out
    """
    keys = [keys_of(text) for text in texts]
    fitting = set[str](keys[0]) if keys else set[str]()
    fitting = fitting.intersection(*keys) & (fitting if names is None else names)
    return {name: _ranks([own[name] for own in keys]) for name in sorted(fitting)}


def _ranks(keys: Sequence[Key]) -> list[int]:
    """Return the number of each key among the different ones in their order."""
    number = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [number[key] for key in keys]


class Numbered(NamedTuple):
    """The distinct values of a column, and which of them stands in each row.

    Parameters
    ----------
    values : (n_values,), in any order; a missing value is the last one
    codes : (n_rows,), place of each row's value
    """

    values: pl.Series
    codes: Codes


def numbered(column: pl.Series) -> Numbered:
    """Return numbers to the distinct values; O(n_rows) for texts, and for numbers close together.

    Notes
    -----
    Two cells have one number only if they are the same value: zeros of both signs are one.
    """
    if column.null_count() == len(column):
        return Numbered(column.head(1), np.zeros(len(column), np.int32))
    if isinstance(column.dtype, pl.Enum) and not column.null_count():
        return _numbered_categories(column, column.dtype.categories)
    if isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Boolean):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        values = present_cells(distinct(column))
        places = places_among(column, values)
    else:
        values, places = _ranked(column)
    if column.null_count():
        places = places.cast(pl.Int64).fill_null(len(values))
        values = values.append(pl.Series([None], dtype=values.dtype))
    return Numbered(values, places.to_numpy().astype(np.int32))


def _numbered_categories(column: pl.Series, categories: pl.Series) -> Numbered:
    """Return numbers to the categories that occur, none of which is missing, in their order."""
    places = column.to_physical().to_numpy()
    occurring = different(places, len(categories))
    table = np.zeros(len(categories), np.int32)
    table[occurring] = np.arange(len(occurring), dtype=np.int32)
    return Numbered(categories.gather(occurring).alias(column.name), table[places])


def _ranked(column: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct values that are not missing in order, and the place of each row's."""
    values = present_cells(distinct(column)).sort()
    numbers = values.to_physical()
    if numbers.dtype.is_integer() and not column.null_count():
        least, most = int(numbers[0]), int(numbers[-1])
        if most - least < WIDEST and abs(least) < FARTHEST:
            table = np.zeros(most - least + 1, np.int32)
            table[numbers.cast(pl.Int64).to_numpy() - least] = np.arange(len(values))
            return values, pl.Series(table[column.to_physical().cast(pl.Int64).to_numpy() - least])
    return values, column.rank("dense").cast(pl.Int64) - 1


def different(numbers: Codes | Ints, end: int) -> Ints:
    """Return the different ones of some numbers from 0 up to ``end``, ascending."""
    if end < WIDEST:
        return np.flatnonzero(np.bincount(numbers, minlength=end))
    return np.unique(numbers).astype(np.int64)
