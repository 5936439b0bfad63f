"""Rounding of ranges, so that none of them ends at one person's exact value."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

STEPS_IN_RANGE = 20
LEADING = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))


def rounded_outward(low: float, high: float) -> tuple[float, float]:
    """Move both ends of a range outward to multiples of a step.

    The step is the one that belongs to the width of the result, or 5 where that is 2 and a step of
    2 gives a range that is too wide for it (and the same for their multiples by powers of ten). So
    it says nothing that the released range does not say: a reader computes it from the two ends.

    Parameters
    ----------
    low, high : low < high, finite

    Examples
    --------
    >>> rounded_outward(17.31, 88.4)
    (15.0, 90.0)
    """
    exact_low, exact_high = Decimal(repr(low)), Decimal(repr(high))
    step = public_step(exact_high - exact_low)
    while True:
        wide_low = (exact_low / step).to_integral_value(ROUND_FLOOR) * step
        wide_high = (exact_high / step).to_integral_value(ROUND_CEILING) * step
        wider = public_step(wide_high - wide_low)
        # Only from 2 to 5 can a larger step give a narrower range, as 5 is not a multiple of 2. At
        # an eighteenth of the exact width at the latest the step is large enough for its own
        # result.
        if wider <= step:
            return float(wide_low) + 0.0, float(wide_high) + 0.0
        step = wider


def public_step(width: Decimal) -> Decimal:
    """Give the least of 1, 2 and 5 times a power of ten, from a twentieth of a width on."""
    least = width / STEPS_IN_RANGE
    power = Decimal(1).scaleb(least.adjusted())
    return next(digit * power for digit in LEADING if digit * power >= least)
