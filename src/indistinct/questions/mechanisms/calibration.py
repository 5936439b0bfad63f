"""The least scale whose own proof stays within a budget."""

from __future__ import annotations

import math
from collections.abc import Callable

from indistinct.base.billionths import billionths_up
from indistinct.errors import ParameterError

# A float holds every whole number up to here, so that the scale is computed without an error.
LARGEST_SENSITIVITY = 2**53


def check_sensitivity(sensitivity: object) -> int:
    """Return the sensitivity back if it bounds anything.

    Raises
    ------
    ParameterError
        If it is None, zero, negative, infinite, not a number, not whole or above 2**53.
    """
    if not isinstance(sensitivity, int) or not 0 < sensitivity <= LARGEST_SENSITIVITY:
        raise ParameterError(
            "sensitivity: must be a whole number from 1 to 2**53",
            "Declare bounds for the column, so that one person's part has a limit.",
        )
    return sensitivity


def check_budget(budget: object) -> int:
    """Return the budget back if it is a positive whole number of billionths."""
    if not isinstance(budget, int) or budget <= 0:
        raise ParameterError(
            "epsilon: is too small for this question",
            "Ask with a larger epsilon: it is shared by the parts of the answer.",
        )
    return budget


def least_scale(guess: float, budget: int, loss: Callable[[float], float]) -> float:
    """Return the first scale from ``guess`` upwards whose loss is within ``budget`` billionths.

    ``guess`` is right but for rounding, so few steps are ever taken.
    """
    scale = guess
    # Steps double, so that even a guess that is far off takes few of them.
    step = math.ulp(guess)
    while billionths_up(loss(scale)) > budget:
        scale += step
        step *= 2
    return scale
