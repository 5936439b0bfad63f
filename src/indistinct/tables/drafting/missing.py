"""Words and numbers that stand for a missing value, by how often and where they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.drafting.counted_column import CountedColumn

# Words that mean nothing else.
PLAIN = frozenset({
    "?", "??", "na", "n/a", "n.a.", "#n/a", "nan", "null", "(null)", "<na>", "nil", "missing",
    "unknown", "unk", "not available", "not recorded", "not mapped", "unknown/invalid",
    "unspecified", "not known", "-", "--", "\u2013", "\u2014", ".", "..", "refused",
    "don't know", "dont know",
    "no answer", "prefer not to say", "prefer not to answer", "declined", "not stated", "not asked",
    "not reported", "not disclosed", "undisclosed", "unbekannt", "ohne angabe", "weiß nicht",
    "keine angabe", "k.a.", "k. a.", "inconnu", "inconnue",
    "non renseigné", "non précisé", "ne sait pas", "desconocido", "no consta", "sin datos",
    "no sabe", "ns/nc", "brak danych", "nie dotyczy", "odmowa",
    "nie wiem", "nie podano", "brak odpowiedzi", "trudno powiedzieć", "nieznany", "nieznane",
    # What a spreadsheet shows in place of a result, in English, German, French and Spanish.
    "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "#nv",
    "#bezug!", "#wert!", "#zahl!", "#überlauf!", "#valeur!", "#nom?", "#nombre!", "#¡valor!",
    "#¡num!", "#¡ref!", "#¿nombre?", "#¡div/0!",
})  # fmt: skip
# Words that can also be a value: only where almost all cells hold them, or the others are numbers.
DOUBTFUL = frozenset({"none", "brak", "nd", "nr", "x", "*", "no data"})
# Adjectives that say that there is none of something: only where the others are numbers.
ADJECTIVES = frozenset({"keine", "kein", "keiner", "aucun", "aucune", "ninguno", "ninguna"})
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
COUNTRIES = 15  # values of two capital letters, among which NA is Namibia


@dataclass(frozen=True, slots=True)
class DoubtfulWord:
    """A word that is a missing value of some columns and a value of others."""

    word: str
    missing_in: tuple[str, ...]
    value_in: tuple[str, ...]

    @property
    def said(self) -> str:
        """What is doubtful, in a sentence."""
        return (
            f'"{self.word}" looks like a missing value in {_listed(self.missing_in)}, but is a '
            f"value of {_listed(self.value_in)}: the codes in missing apply to all columns."
        )


@dataclass(frozen=True, slots=True)
class MissingValues:
    """How missing values are written in a table.

    Parameters
    ----------
    words : for ``[data] missing``, the empty cell first
    doubts : words that are missing values of one column and values of another
    """

    words: tuple[str, ...]
    doubts: tuple[DoubtfulWord, ...] = ()


def missing_values(columns: Sequence[CountedColumn]) -> MissingValues:
    """Find how missing values are written.

    Parameters
    ----------
    columns : as they were read, with the empty cell alone as missing

    Returns
    -------
    the words; one that is a value of another column is a doubt, since the words of a policy hold
    for all columns
    """
    places = _words(columns)
    for word, where in _codes(columns).items():
        places.setdefault(word, []).extend(where)
    doubts: list[DoubtfulWord] = []
    kept: list[str] = []
    for word, where in places.items():
        elsewhere = _elsewhere(columns, word, where)
        if elsewhere:
            doubts.append(DoubtfulWord(word, tuple(where), tuple(elsewhere)))
        else:
            kept.append(word)
    return MissingValues(("", *kept), tuple(doubts))


def _words(columns: Sequence[CountedColumn]) -> dict[str, list[str]]:
    """Find words for missing values: the columns in which each is one."""
    found: dict[str, list[str]] = {}
    for column in columns:
        if column.type != "text" or column.distinct < 2:  # noqa: PLR2004 - a lone word is the column
            continue
        for place, text in enumerate(column.texts):
            if len(text) <= 20 and _is_missing(column, place, text.strip().lower()):  # noqa: PLR2004 - the longest word
                found.setdefault(text, []).append(column.name)
    return found


def _is_missing(column: CountedColumn, place: int, word: str) -> bool:
    """Return whether a word stands for a missing value among the others of its column."""
    if word == "na" and _are_countries(column):
        return False
    if word in PLAIN:
        return True
    # The first letter first: a column of names has as many values as the table has records.
    if word.startswith("-") and _is_number(word) and float(word) in NEGATIVE:
        return not _others_negative(column, place)
    if word not in DOUBTFUL | ADJECTIVES:
        return False
    mostly = word in DOUBTFUL and column.counts[place] >= MOSTLY * column.known
    return bool(mostly) or all(_is_number(text) for text in _others(column, place)[:200])


def _others_negative(column: CountedColumn, place: int) -> bool:
    """Return whether other texts of a column are negative numbers that are no code."""
    return any(
        _is_number(text) and float(text) < 0 and float(text) not in NEGATIVE
        for text in _others(column, place)
    )


def _others(column: CountedColumn, place: int) -> list[str]:
    """Return the other values of a column."""
    return [text for other, text in enumerate(column.texts) if other != place]


def _codes(columns: Sequence[CountedColumn]) -> dict[str, list[str]]:
    """Find numbers for missing values: the columns in which each is one."""
    found: dict[str, list[str]] = {}
    for column in columns:
        if column.numbers is None or column.distinct < 3:  # noqa: PLR2004 - yes and no
            continue
        for code in (*_negative(column), *_high(column)):
            found.setdefault(f"{code}", []).append(column.name)
    return found


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
    """Return whether values are codes of two capital letters, such as those of countries."""
    codes = [text for text in column.texts if len(text) == 2 and text.isupper()]  # noqa: PLR2004
    return len(codes) >= COUNTRIES and len(codes) >= 0.8 * column.distinct


def _is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return np.isfinite(float(text)).item()
    except ValueError:
        return False


def _listed(names: Sequence[str]) -> str:
    """Name a few columns."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""  # noqa: PLR2004
    return ", ".join(names[:3]) + more
