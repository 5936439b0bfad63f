"""What a text may number its row by: a reader's definition, text by text.

Verification uses this and nothing of what made the release. Each text has a key for every reading
that fits it; a reading counts where all texts of a column have its key. ``READINGS`` has them all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

Key = tuple[tuple[int, ...], str]  # the numbers that count first, and then a text

MOST_NUMBERS = 7
OF_A_DATE = 3
FIRST_PARTS = 3
LONGEST = 64
CHECK_DIGITS = (1, 2)
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
CLOCK = re.compile(r"(?<![0-9:.h])(1[0-2]|0?[1-9])((?:[:.h][0-9]{2}){0,2})\s*([ap])\.?(?:\s?m)?\b")
ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


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
