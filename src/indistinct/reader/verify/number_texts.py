"""Texts that are numbers or ranges of numbers, as a reader takes them."""

from __future__ import annotations

import re
from decimal import Context, Decimal, InvalidOperation

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?"
# Every pattern ends with \Z: $ would let a line end follow, and with it whatever it says.
ONE_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
HALF_OPEN = re.compile(rf"^\[({NUMBER}), ({NUMBER})\)\Z")
PLAIN = re.compile(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")  # not 007
CLOSED = re.compile(rf"^\[({NUMBER}), ({NUMBER})\]\Z")
LARGEST = 400  # power of ten of the numbers in an interval; a double has 308 at most
MANY_DIGITS = Context(prec=800)  # more than any two doubles ask for


def is_number(text: str) -> bool:
    """Return whether a text is a number in ASCII digits, or the NaN that Polars writes."""
    return ONE_NUMBER.match(text) is not None or text == "NaN"


def are_equal(one: str, other: str) -> bool:
    """Return whether two texts are one number, such as 0.5 and 0.50; 007 is a code, and not 7."""
    return bool(PLAIN.match(one) and PLAIN.match(other)) and Decimal(one) == Decimal(other)


def is_finite(text: str) -> bool:
    """Return whether a text is a number that lies somewhere."""
    return ONE_NUMBER.match(text) is not None


def are_one_number(one: str, other: str) -> bool:
    """Return whether two texts have the same value, in whatever digits."""
    return is_finite(one) and is_finite(other) and float(one) == float(other)


def plain_number(number: Decimal) -> str:
    """Write a number with all its digits, as labels have it.

    Examples
    --------
    >>> plain_number(Decimal("40.0")), plain_number(Decimal("1e-8"))
    ('40', '0.00000001')
    """
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if number else "0"


def interval_around(number: str, width: float) -> str:
    """Write the interval between two multiples of a width that a number lies in.

    Examples
    --------
    >>> interval_around("0.3", 0.1)
    '[0.3, 0.4)'
    """
    exact, value = Decimal(repr(width)), Decimal(number)
    if value.adjusted() > LARGEST:
        return number
    low = MANY_DIGITS.subtract(value, MANY_DIGITS.remainder(value, exact))
    if low > value:
        low = MANY_DIGITS.subtract(low, exact)  # a remainder has the sign of the number
    return f"[{plain_number(low)}, {plain_number(MANY_DIGITS.add(low, exact))})"


def is_range(cell: str) -> bool:
    """Return whether a cell is an interval or a range whose first end is below its second."""
    ends = HALF_OPEN.match(cell) or CLOSED.match(cell)
    return ends is not None and float(ends[1]) < float(ends[2])


def step_of_ends(cell: str) -> Decimal | None:
    """Return the step that both ends of a range are multiples of, or None where they are not.

    The step is 1, 2 or 5 times a power of ten, the least from a twentieth of the width on. A range
    of 20 steps of 2 may have been rounded to multiples of 5 all the same, where those of 2 would
    have made it wider.
    """
    ends = CLOSED.match(cell)
    if ends is None or not is_range(cell):
        return None
    low, high = Decimal(ends[1]), Decimal(ends[2])
    try:
        least = (high - low) / 20
        power = Decimal(1).scaleb(least.adjusted())
        digit = next(digit for digit in (1, 2, 5, 10) if power * digit >= least)
        digits = (2, 5) if least == 2 * power else (digit,)
        steps = (power * one for one in digits)
        return next((step for step in steps if low % step == 0 and high % step == 0), None)
    except InvalidOperation:  # ends with more digits than any release writes
        return None
