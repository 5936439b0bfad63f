"""Words of forbidden pairs, as the text of a declaration has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

LARGEST_POWER = 400  # of ten, beyond that of any double


def number_of(cell: Any) -> Fraction | None:
    """Read a number of a size that bounds can have, whose digits are ASCII."""
    if isinstance(cell, str) and ("_" in cell or not cell.isascii()):
        return None
    try:
        number = Decimal(cell)
    except (InvalidOperation, TypeError, ValueError):
        return None
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_POWER:
        return None
    return Fraction(number)


def is_covered(code: Mapping[str, Any], word: Any) -> bool:
    """Return whether a word of a pair means a code, which is described as models describe codes."""
    if "missing" in code:
        return bool(word == "")
    if "other" in code:
        return bool(word == code["other"])
    if "value" in code:
        value = code["value"]
        if isinstance(value, str) or isinstance(word, str):
            return bool(value == word)
        return exact(value) == number_of(word)
    ends = (code["point"],) * 2 if "point" in code else (code["from"], code["to"])
    return all(contains(word, exact(end)) for end in ends)


def exact(number: float) -> Fraction:
    """Read a number of a model as the decimal that it is written as."""
    return Fraction(repr(number))


def contains(word: Any, number: Fraction) -> bool:
    """Return whether a number lies in an interval, or is the number that a word says."""
    alone = number_of(word)
    if alone is not None:
        return number == alone
    ends = _ends(str(word))
    if ends is None:
        return False
    low, high = ends
    above = low <= number if str(word).strip()[0] == "[" else low < number
    return above and (number <= high if str(word).strip()[-1] == "]" else number < high)


def cuts_of(word: Any, step: Fraction) -> list[int]:
    """Return the steps from which on numbers begin, or cease, to lie in an interval."""
    alone = number_of(word)
    ends = (alone, alone) if alone is not None else _ends(str(word))
    if ends is None:
        return []
    near = {math.floor(end / step) + by for end in ends for by in (0, 1, 2)}
    return [at for at in near if contains(word, at * step) != contains(word, (at - 1) * step)]


def _ends(word: str) -> tuple[Fraction, Fraction] | None:
    text = word.strip()
    if not text or text[0] not in "[(]" or text[-1] not in "])[":
        return None
    first, _, last = text[1:-1].partition(";" if ";" in text else ",")
    low, high = number_of(first.strip()), number_of(last.strip())
    return None if low is None or high is None else (low, high)
