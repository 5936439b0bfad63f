"""What the words of forbidden pairs mean: the steps of a number that an interval covers."""

from __future__ import annotations

import math
from fractions import Fraction

from indistinct.base.billionths import exact_number
from indistinct.base.cells.plain_numbers import RANGE
from indistinct.questions.database.dataset import Range, Scalar


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
    alone = exact_number(word)
    if alone is not None:
        return (alone, True), (alone, True)
    found = RANGE.fullmatch(str(word).strip())
    if found is None:
        return None
    low, high = map(exact_number, found.group("low", "high"))
    if low is None or high is None:
        return None
    return (low, found["opens"] == "["), (high, found["closes"] == "]")
