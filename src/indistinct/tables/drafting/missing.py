"""Words and numbers that stand for a missing value, by how often and where they come."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.cells.date_formats import is_like_a_date
from indistinct.base.cells.missing_words import (
    ANSWERS,
    DOUBTFUL,
    MACHINES,
    WORDS,
    MissingWords,
)
from indistinct.base.cells.shares import NEARLY
from indistinct.base.coded_text import CodedText, joined, sentence
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.countries import ALPHA_2, is_country

FEWEST_MEASURED = 8  # different numbers or dates beside a word that no list has
RARE = 0.05  # share of the records up to which an answer's word is missing
NUMBERS = 0.98  # share of the records with other cells, so that a column is of numbers or dates
OFTEN = 0.2  # share of the records from which on a number is rather an answer
LARGEST_OF_A_SCALE = 3  # beside -1
REPEATED = 3  # records of each value, in the mean, of a column that says what a word means
COUNTRIES, FEWEST_COUNTRIES = 0.8, 2  # of the other values, among which NA may be Namibia
MOSTLY = 0.6
NEGATIVE = (
    -1, -2, -3, -4, -5, -6, -7, -8, -9, -77, -88, -98, -99, -777, -888, -998, -999, -9999, -99999,
)  # fmt: skip
HIGH = (
    77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9998, 9999, 77777, 88888, 99997,
    99998, 99999, 777777, 888888, 999997, 999998, 999999, 7777777, 8888888, 9999998, 9999999,
    99999999, 999999999,
)  # fmt: skip
APART = 2.0  # a code is this many times greater than all other values ...
SPIKE = 5  # ... or comes this many times more often than the others of its size
MANY_AMOUNTS, MOST_OFTEN = 100, 5  # the same among at least this many values
LEAST_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class DoubtfulWord:
    """A word of which the columns do not say whether it is a missing value.

    Parameters
    ----------
    word : as it is written
    missing_in : the columns in which it may be one
    said : what is doubtful, in a sentence
    records : that hold it in these columns
    """

    word: str
    missing_in: tuple[str, ...]
    said: str
    records: int = 0


@dataclass(frozen=True, slots=True)
class MissingValues:
    """How missing values are written in a table.

    Parameters
    ----------
    words : for ``[data] missing``, the empty cell first
    doubts : words of which the columns do not say whether they are missing values
    own : per column, the words that take the place of these
    """

    words: tuple[str, ...]
    doubts: tuple[DoubtfulWord, ...] = ()
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def of(self, name: str) -> tuple[str, ...]:
        """Return the words of a column."""
        return self.own.get(name, self.words)

    @property
    def per_column(self) -> MissingWords:
        """The words as a reader takes them."""
        return MissingWords(self.words, self.own)


class Pairs(Protocol):
    """What a table says of two of its columns."""

    def follows(self, column: CountedColumn, other: CountedColumn) -> bool:
        """Return whether all records with one value of the other column have one of this one."""
        ...

    def groups(self, finer: CountedColumn, coarser: CountedColumn) -> Mapping[str, str]:
        """Return the value of a coarser column that goes with each one of a finer column."""
        ...


def missing_values(columns: Sequence[CountedColumn], pairs: Pairs | None = None) -> MissingValues:
    """Find how missing values are written.

    Parameters
    ----------
    columns : as they were read, with the empty cell alone as missing
    pairs : says what goes with what; without it no column speaks for another

    Returns
    -------
    the words of all columns, and the lists of columns in which a word is missing that is a value of
    another one
    """
    places, asked = _words(columns, pairs)
    for word, where in _codes(columns, asked).items():
        places.setdefault(word, []).extend(where)
    kept: list[str] = []
    own: dict[str, list[str]] = {}
    for word, where in places.items():
        elsewhere = _elsewhere(columns, word, where)
        if not elsewhere:
            kept.append(word)
        else:
            for name in where:
                own.setdefault(name, []).append(word)
    of_columns = {name: ("", *kept, *words) for name, words in own.items()}
    return MissingValues(("", *kept), tuple(asked), of_columns)


def _words(
    columns: Sequence[CountedColumn], pairs: Pairs | None
) -> tuple[dict[str, list[str]], list[DoubtfulWord]]:
    """Find words for missing values: the columns in which each is one, and the doubtful ones."""
    found: dict[str, list[str]] = {}
    asked: list[DoubtfulWord] = []
    values: list[tuple[CountedColumn, int]] = []
    for column in columns:
        if column.type != "text" or column.distinct < 2:  # noqa: PLR2004 - a lone word is the column
            continue
        for place, text in enumerate(column.texts):
            if len(text) > 20:  # noqa: PLR2004 - the longest word
                continue
            plain = text.strip().lower()
            is_one = _is_missing(column, place, plain)
            if is_one is False:
                values += [(column, place)] if plain in DOUBTFUL else []
                continue
            if pairs is not None and _says_what_it_is(column, text, columns, pairs):
                continue
            if is_one is True:
                found.setdefault(text, []).append(column.name)
            else:
                asked.append(_doubtful(column, place, is_one))
    return found, [*asked, *_missing_elsewhere(values, {*found})]


def _missing_elsewhere(
    values: Iterable[tuple[CountedColumn, int]], missing: Container[str]
) -> Iterator[DoubtfulWord]:
    """Yield words that are taken for values, where another column has them for a missing value.

    Parameters
    ----------
    values : the columns and places of words that can be either
    missing : the words for missing values of all columns
    """
    for column, place in values:
        if column.texts[place] in missing and not column.is_nearly_unique:
            english = "Another column has this word for a missing value."
            yield _doubtful(column, place, sentence("missing-elsewhere", english))


def _doubtful(column: CountedColumn, place: int, said: CodedText) -> DoubtfulWord:
    """Return a word that may be a missing value, with the share of the values that are it."""
    records = int(column.counts[place])
    share = sentence(
        "word-share",
        "{share:.0%} of the known values are this word.",
        share=records / column.known,
    )
    return DoubtfulWord(column.texts[place], (column.name,), joined(said, share), records)


def _is_missing(column: CountedColumn, place: int, word: str) -> bool | CodedText:
    """Return whether a word stands for a missing value; a sentence where that is doubtful."""
    # The first letter first: a column of names has as many values as the table has records.
    if word.startswith("-") and _is_number(word) and float(word) in NEGATIVE:
        return not _others_negative(column, place)
    if word not in WORDS:
        english = "All other values of {column} are numbers or dates."
        return _is_alone(column, place, word) and sentence("lone-word", english, column=column.name)
    share = int(column.counts[place]) / column.known
    if word == "na" and _are_countries(column):
        return sentence(
            "namibia",
            'The other values of {column} are codes of countries, and "NA" is Namibia.',
            column=column.name,
        )
    if word in MACHINES or (word in ANSWERS and share <= RARE) or _are_measured(column):
        return True
    is_frequent = word in ANSWERS or bool(word in DOUBTFUL and share >= MOSTLY)
    said = sentence(
        "frequent-answer",
        "A frequent answer of {column} can be an answer or a missing value.",
        column=column.name,
    )
    return is_frequent and said


def _is_alone(column: CountedColumn, place: int, word: str) -> bool:
    """Return whether a word that no list has is the only one among many numbers or dates.

    Where it is rare, the reader counts its cells as odd ones, or asks for the type.
    """
    share = int(column.counts[place]) / column.known
    return (
        not any(map(str.isdigit, word))
        and share > 1 - NEARLY
        and column.distinct > FEWEST_MEASURED
        and _are_measured(column, word)
    )


def _are_measured(column: CountedColumn, word: str = "") -> bool:
    """Return whether nearly all records have numbers, or dates, apart from words for nothing.

    Parameters
    ----------
    word : one more that may stand for nothing
    """
    total = numbers = dates = 0
    for text, count in zip(column.texts, column.counts.tolist(), strict=True):
        plain = text.strip().lower()
        if plain not in WORDS and plain != word:
            total += count
            numbers += count * _is_number(text.replace(",", "."))
            dates += count * is_like_a_date(text)
    return max(numbers, dates) >= NUMBERS * total > 0


def _says_what_it_is(
    column: CountedColumn, word: str, columns: Sequence[CountedColumn], pairs: Pairs
) -> bool:
    """Return whether another column has a value of its own for all records with a word."""
    for other in columns:
        repeats = other.distinct >= FEWEST_COUNTRIES and other.known >= REPEATED * other.distinct
        if other is column or other.type != "text" or not repeats:
            continue
        if not pairs.follows(other, column):
            continue
        named = pairs.groups(column, other)
        own = named.get(word, "")
        is_word = own.strip().lower() in WORDS or not own.strip()
        if not is_word and sum(one == own for one in named.values()) == 1 and not other.missing:
            return True
    return False


def _others_negative(column: CountedColumn, place: int) -> bool:
    """Return whether other texts of a column are negative numbers that are no code."""
    return any(
        _is_number(text) and float(text) < 0 and float(text) not in NEGATIVE
        for text in _others(column, place)
    )


def _others(column: CountedColumn, place: int) -> list[str]:
    """Return the other values of a column."""
    return [text for other, text in enumerate(column.texts) if other != place]


def _codes(columns: Sequence[CountedColumn], asked: list[DoubtfulWord]) -> dict[str, list[str]]:
    """Find numbers for missing values: the columns in which each is one.

    Parameters
    ----------
    asked : to which numbers are added that may be answers
    """
    found: dict[str, list[str]] = {}
    for column in columns:
        if column.numbers is None or column.distinct < 3:  # noqa: PLR2004 - yes and no
            continue
        for code in (*_negative(column), *_high(column)):
            records = int(column.counts[column.numbers == code].sum())
            if column.is_nearly_unique and records < MOST_OFTEN:
                continue
            if records >= OFTEN * column.known or _is_of_a_scale(column, code):
                said = sentence(
                    "number-share",
                    "{share:.0%} of the known values of {column} are this number, which can be an "
                    "answer or a missing value.",
                    share=records / column.known,
                    column=column.name,
                )
                asked.append(DoubtfulWord(f"{code}", (column.name,), said, records))
                continue
            found.setdefault(f"{code}", []).append(column.name)
    return found


def _is_of_a_scale(column: CountedColumn, code: int) -> bool:
    """Return whether a number is the lower end of a scale around zero, such as -1, 0 and 1."""
    numbers, counts = _of(column)
    if code != -1 or numbers[-1] > LARGEST_OF_A_SCALE:
        return False
    return bool(numbers[-1] == 1 or counts[numbers == code].sum() > RARE * column.known)


def _negative(column: CountedColumn) -> list[int]:
    """Find negative codes: all other values are at least 0, and the code repeats."""
    numbers, counts = _of(column)
    below = numbers < 0
    known = np.isin(numbers, NEGATIVE)
    if not below.any() or not known[below].all():
        return []
    return [int(code) for code in numbers[below & (counts > 1)]]


def _high(column: CountedColumn) -> list[int]:
    """Find codes of nines and their like: far above all other values, or much more frequent."""
    numbers, counts = _of(column)
    found: list[int] = []
    while len(numbers) > 2 and numbers[-1] in HIGH and numbers[-2] >= 0:  # noqa: PLR2004 - a code among values
        often = counts[-1] >= max(2, LEAST_SHARE * column.known)
        near = counts[:-1][numbers[:-1] >= numbers[-1] / APART]
        spike = len(near) > 0 and counts[-1] >= SPIKE * near.max()
        if not often or not (numbers[-1] > APART * numbers[-2] or spike):
            break
        found.append(int(numbers[-1]))
        numbers, counts = numbers[:-1], counts[:-1]
    return found or _inside(numbers, counts)


def _inside(numbers: Floats, counts: Ints) -> list[int]:
    """Find a code among amounts, which rarely repeat: it comes much more often than any of them."""
    order = np.argsort(-counts, kind="stable")
    if len(order) < MANY_AMOUNTS or counts[order[0]] < MOST_OFTEN * counts[order[1]]:
        return []
    first = int(numbers[order[0]])
    return [first] if first in HIGH and float(first) == numbers[order[0]] else []


def _of(column: CountedColumn) -> tuple[Floats, Ints]:
    """Return the numbers of a column, ascending, and their counts."""
    assert column.numbers is not None  # noqa: S101 - the callers ask for numbers alone
    return column.numbers, column.counts


def _elsewhere(columns: Sequence[CountedColumn], word: str, where: Sequence[str]) -> list[str]:
    """Name the columns in which a word is a value like the others.

    Columns of which nearly all values differ do not count: numbers of records hold any number.
    """
    number = float(word) if _is_number(word) else None
    found: list[str] = []
    for column in columns:
        if column.name in where or column.is_nearly_unique:
            continue
        if column.numbers is not None:
            is_there = number is not None and bool((column.numbers == number).any())
        else:
            is_there = word in column.texts
        if is_there:
            found.append(column.name)
    return found


def _are_countries(column: CountedColumn) -> bool:
    """Return whether nearly all other values are codes of countries, of two capital letters."""
    others = [text for text in column.texts if text.strip().lower() not in WORDS]
    codes = [one for one in others if len(one) == ALPHA_2 and one.isupper() and is_country(one)]
    return len(codes) >= max(FEWEST_COUNTRIES, COUNTRIES * len(others))


def _is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return np.isfinite(float(text)).item()
    except ValueError:
        return False
