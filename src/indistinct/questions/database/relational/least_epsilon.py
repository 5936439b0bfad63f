"""The least epsilon whose expected error is small enough."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from indistinct.base.billionths import exact_number
from indistinct.errors import ParameterError
from indistinct.questions.database.relational.errors import ErrorUnit, expected_errors
from indistinct.questions.database.relational.plan import RelationalPlan

SMALLEST, LARGEST = Decimal("0.000001"), Decimal(1000)
DIGITS = 6


def epsilon_for(
    plan_of: Callable[[Any], RelationalPlan], error: Any, confidence: float, rows: int | None
) -> Decimal:
    """Return the least epsilon, rounded up to six digits, whose half width is within an error.

    Parameters
    ----------
    plan_of : plans the question with an epsilon
    error : in the unit of the answer
    rows : about how many rows count in a group; means and variances need it

    Raises
    ------
    ParameterError
        If the question has several measures, or one whose error cannot be known beforehand.
    """
    wanted = exact_number(error)
    if wanted is None or wanted <= 0 or not 0 < confidence < 1:
        raise ParameterError(
            "error: must be a number above 0, and confidence one between 0 and 1",
            "Write --error 5 --confidence 0.9.",
        )

    def within(epsilon: Decimal) -> bool:
        found = expected_errors(plan_of(epsilon), rows, confidence)
        if len(found) != 1:
            raise ParameterError("error: is that of one measure", "Ask for one measure at a time.")
        ((half, unit),) = found.values()
        if unit != ErrorUnit.ANSWER or half is None:
            raise ParameterError(
                "error: of this measure cannot be known without the number of rows",
                "Give it with --rows-expected (not for quantiles), or ask with --epsilon.",
            )
        return half <= wanted

    low, high = SMALLEST, LARGEST
    if not within(high):
        raise ParameterError("error: is too small for any epsilon", "Allow a larger error.")
    while high / low > Decimal(1) + Decimal(10) ** -DIGITS:
        middle = (low * high).sqrt()
        low, high = (low, middle) if within(middle.quantize(Decimal("1e-9"))) else (middle, high)
    return high.quantize(Decimal("1e-9"), "ROUND_UP")
