"""How numbers and the intervals around them are written: a reader's definition.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math

DECIMALS = 10  # more would show the rounding of products such as 3 * 0.1


def number_label(number: float) -> str:
    """Write a number: a whole one without a point, any other with at most ten decimals.

    Examples
    --------
    >>> number_label(40.0), number_label(3 * 0.1)
    ('40', '0.3')
    """
    return f"{number:.0f}" if number.is_integer() else repr(float(f"{number:.{DECIMALS}f}"))


def interval_around(number: float, width: float) -> str:
    """Write the interval between two multiples of a width that a number lies in.

    The ends count as they are written: 0.3 lies in ``[0.3, 0.4)``, although 3 * 0.1 is above it.

    Examples
    --------
    >>> interval_around(0.3, 0.1)
    '[0.3, 0.4)'
    """
    nearest = math.floor(number / width)
    # A quotient that was rounded may be one off, in either direction.
    for step in (nearest - 1, nearest, nearest + 1):
        low, high = number_label(float(step * width)), number_label(float((step + 1) * width))
        if float(low) <= number < float(high):
            return f"[{low}, {high})"
    # The width is lost in the digits of such a number, and no interval can be written.
    return number_label(number)
