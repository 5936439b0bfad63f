"""What the words of forbidden pairs mean: the steps of a number that an interval covers."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from indistinct.questions.database.dataset import Range, Scalar

LARGEST_POWER = 400  # of ten, beyond that of any double
INTERVAL = re.compile(r"([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])")


def steps_of(word: Scalar, bounds: Range) -> tuple[int, int] | None:
    """Return the lowest and the highest step within the bounds that a word covers.

    Parameters
    ----------
    word : a number, or an interval such as ``[0, 16)``

    Returns
    -------
    steps, both inclusive; None where the word is no such text, or covers no step
    """
    ends = _ends(word)
    if ends is None:
        return None
    (low, low_is_in), (high, high_is_in) = ends
    first, last = low / bounds.step, high / bounds.step
    lowest = math.ceil(first) if low_is_in else math.floor(first) + 1
    highest = math.floor(last) if high_is_in else math.ceil(last) - 1
    lowest, highest = max(lowest, bounds.low), min(highest, bounds.high)
    return (lowest, highest) if lowest <= highest else None


def _ends(word: Scalar) -> tuple[tuple[Fraction, bool], tuple[Fraction, bool]] | None:
    """Return both ends of an interval, each with whether it belongs to it."""
    if isinstance(word, Fraction):
        return (word, True), (word, True)
    alone = number(word)
    if alone is not None:
        return (alone, True), (alone, True)
    found = INTERVAL.fullmatch(word.strip())
    if found is None:
        return None
    low, high = number(found[2]), number(found[3])
    if low is None or high is None:
        return None
    return (low, found[1] == "["), (high, found[4] == "]")


def number(text: str) -> Fraction | None:
    """Read a decimal number; None where a text is none."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    is_usual = found.is_finite() and abs(found.adjusted()) <= LARGEST_POWER
    return Fraction(found) if is_usual else None
