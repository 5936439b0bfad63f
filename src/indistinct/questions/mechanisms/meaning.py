"""What the epsilon of a question means in an account that counts in rho.

The same as the epsilon of the budget: what this spending alone would give at the budget's delta.
In a ledger that was begun before, the epsilon of a question is a pure one, of which rho is half the
square; it keeps that meaning, since its stored answers were paid for by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import final

from indistinct.base.billionths import BILLION, as_number
from indistinct.questions.mechanisms.accountant import (
    Accounting,
    Conversion,
    epsilon_of_rho,
    rho_of_epsilon,
    rho_within,
)

OF_QUESTIONS, OF_BUDGETS = 1, 2  # the versions of the ledger
DIGITS = 6  # of an epsilon that is computed from rho


@final
@dataclass(frozen=True, slots=True)
class EpsilonMeaning:
    """Turns an epsilon into amounts of the account's unit, and back; all in billionths.

    Parameters
    ----------
    delta : at which an epsilon of a budget in rho is meant; None in a pure account
    version : of the ledger
    """

    accounting: Accounting
    delta: float | None = None
    conversion: Conversion = Conversion.BUN2016
    version: int = OF_BUDGETS

    @property
    def is_pure(self) -> bool:
        """Return whether amounts are epsilon themselves."""
        return self.accounting is Accounting.PURE or self.delta is None

    @property
    def unit(self) -> str:
        """Return the name of what amounts are told in."""
        is_rho = not self.is_pure and self.version == OF_QUESTIONS
        return Accounting.ZCDP.unit if is_rho else Accounting.PURE.unit

    def granted(self, epsilon: int) -> int:
        """Return the amount that a question's epsilon grants, rounded down."""
        if self.is_pure:
            return epsilon
        if self.version == OF_QUESTIONS:
            return rho_of_epsilon(epsilon)
        rho = rho_within(as_number(epsilon), self.delta or 0.0, self.conversion)
        return math.floor(rho * BILLION)

    def reported(self, amount: int) -> int:
        """Return the epsilon that an amount is, rounded up; the amount itself where rho is told."""
        if self.unit == self.accounting.unit or amount <= 0:
            return max(amount, 0)
        return self.asked_for(amount)

    def affordable(self, left: int) -> int:
        """Return an epsilon, the largest of six digits, that a question may ask for."""
        if self.is_pure or left <= 0:
            return max(left, 0)
        return self._nearest(left, ROUND_FLOOR, lambda epsilon: self.granted(epsilon) <= left)

    def asked_for(self, amount: int) -> int:
        """Return an epsilon, rounded up to six digits, that grants at least an amount."""
        if self.is_pure:
            return amount
        return self._nearest(amount, ROUND_CEILING, lambda epsilon: self.granted(epsilon) >= amount)

    def reported_left(self, left: int) -> int:
        """Return what is left: the largest epsilon that may be asked for, or rho."""
        return self.affordable(left) if self.unit == Accounting.PURE.unit else left

    def _nearest(self, amount: int, rounding: str, holds: Callable[[int], bool]) -> int:
        """Round an epsilon of about this amount until what must hold does."""
        about = Decimal(self._epsilon(amount / BILLION) * BILLION)
        unit = Decimal(1).scaleb(max(0, about.adjusted() - DIGITS + 1))
        steps = int((about / unit).to_integral_value(rounding))
        towards = 1 if rounding == ROUND_CEILING else -1
        # The nearest candidate may lie one step off, since the estimate is a rounded number.
        steps -= towards
        while steps > 0 and not holds(int(steps * unit)):
            steps += towards
        return int(max(steps, 0) * unit)

    def _epsilon(self, rho: float) -> float:
        """Estimate the epsilon of rho."""
        if self.version == OF_QUESTIONS:
            return math.sqrt(2 * rho)
        delta = self.delta or 0.0
        plain = epsilon_of_rho(rho, delta)
        if self.conversion is Conversion.BUN2016:
            return plain
        best, step = math.log(math.sqrt(math.log(1 / delta) / rho)), 1.0
        while step > 1e-7:  # noqa: PLR2004 - epsilon is flat around its minimum
            ends = (best - step, best, best + step)
            best = min(ends, key=lambda at: _epsilon_at(at, rho, delta))
            step *= 0.75
        return min(plain, _epsilon_at(best, rho, delta))


def _epsilon_at(logarithm: float, rho: float, delta: float) -> float:
    """Return epsilon for an order above 1, of which the logarithm less 1 is given.

    Source: canonne2020, corollary 13.
    """
    above = math.exp(logarithm)
    order = 1 + above
    return order * rho - (math.log(delta) + logarithm - order * math.log(above / order)) / above
