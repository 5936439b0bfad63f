"""Billionths: decimal amounts as whole numbers of 1e-9, exact in both directions.

Nothing here rounds in the spender's favor: what is charged is rounded up.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from indistinct.base.cells.plain_numbers import is_plain_number
from indistinct.errors import ParameterError

BILLION = 10**9


def billionths(amount: str | float | Decimal | Fraction, place: str = "epsilon") -> int:
    """Return a decimal amount in whole billionths, exactly.

    A float is read as its shortest decimal form, so 0.1 is one tenth.

    Parameters
    ----------
    amount : greater than 0, at most nine decimals
    place : what a fault is called

    Raises
    ------
    ParameterError
        If it is not a number, not positive, not finite or finer than a billionth.
    """
    exact = exact_number(amount)
    if exact is None or exact <= 0:
        raise ParameterError(
            f"{place}: must be a number greater than 0", f"Set {place} to a number such as 0.1."
        )
    scaled = exact * BILLION
    if scaled.denominator != 1 or scaled >= 2**62:
        raise ParameterError(
            f"{place}: has more than nine decimals, or is too large",
            f"Amounts of {place} are counted in billionths.",
        )
    return scaled.numerator


def exact_number(amount: object) -> Fraction | None:
    """Return the number as a fraction, or None where it is no finite number."""
    if isinstance(amount, bool) or not isinstance(amount, str | int | float | Decimal | Fraction):
        return None
    if isinstance(amount, Fraction):
        return amount
    if isinstance(amount, str) and not is_plain_number(amount.strip()):
        return None  # Decimal would take 1_0 for ten, and the digits of every script
    try:
        decimal = Decimal(str(amount))
    except (InvalidOperation, ValueError):  # Python writes out no integer of thousands of digits
        return None
    if not decimal.is_finite() or abs(decimal.adjusted()) > 400:  # noqa: PLR2004 - beyond any float
        return None
    return Fraction(decimal)


def billionths_up(amount: float) -> int:
    """Return the least whole number of billionths that is not below ``amount``."""
    return math.ceil(Fraction(amount) * BILLION)


def as_number(amount: int) -> float:
    """Return billionths as the nearest float, for people to read."""
    return amount / BILLION
