"""Composition: how charges add up, in exact integers.

An amount is a whole number of billionths (1e-9) of epsilon, or of rho in a zCDP account; see
:mod:`indistinct.base.billionths`. Nothing here rounds in the spender's favor: what is granted is
rounded down, what is charged is rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from indistinct.base.billionths import BILLION

BinBounds = Mapping[str, Sequence[int]]


class Accounting(StrEnum):
    """What an account counts: pure epsilon, or rho of zero-concentrated differential privacy."""

    PURE = "pure"
    ZCDP = "zcdp"

    @property
    def unit(self) -> str:
        """Return the name of what is counted."""
        return "epsilon" if self is Accounting.PURE else "rho"


class Conversion(StrEnum):
    """How an epsilon at some delta is turned into rho."""

    BUN2016 = "bun2016"
    CANONNE2020 = "canonne2020"


def sequential(amounts: Iterable[int]) -> int:
    """Add charges: questions about the same people.

    Source: mcsherry2009, theorem 3.
    """
    return sum(amounts)


def parallel(amounts: Iterable[int]) -> int:
    """Return the greatest charge: questions about people of whom nobody is in two parts.

    Source: mcsherry2009, theorem 4.
    """
    return max(amounts, default=0)


@dataclass(frozen=True, slots=True)
class Charge:
    """One amount, and the people it can concern.

    Parameters
    ----------
    amount : billionths, at least 0
    box : per public key, the codes of its values that the question looks at; a key that is absent
        is not confined
    """

    amount: int
    box: BinBounds = field(default_factory=dict[str, Sequence[int]])


@dataclass(frozen=True, slots=True)
class Account:
    """What a sequence of charges has spent for the person it concerns most.

    A person has one value of each public key, so for a key K nobody pays more than what is charged
    without looking at K, plus the dearest of K's values. Each key gives such a bound; the account
    stands at the least of them. Bounds never fall as charges come in, in whatever order they are
    chosen.

    Parameters
    ----------
    total : sum of all charges
    cells : per key, per code, the sum of the charges confined to it

    Notes
    -----
    Source: mcsherry2009, theorems 3 and 4.
    """

    total: int = 0
    confined: Mapping[str, int] = field(default_factory=dict[str, int])
    cells: Mapping[str, Mapping[int, int]] = field(default_factory=dict[str, Mapping[int, int]])

    @property
    def spent(self) -> int:
        """Return the billionths spent."""
        return min([self.total, *(self.bound(key) for key in self.cells)])

    def bound(self, key: str) -> int:
        """Return what a person can have paid at most, judged by one key."""
        return self.total - self.confined[key] + parallel(self.cells[key].values())

    def plus(self, charge: Charge) -> Account:
        """Return the account after one more charge."""
        box = {key: codes for key, codes in charge.box.items() if codes}
        confined = {key: self.confined.get(key, 0) + charge.amount for key in box}
        cells = {key: _raised(self.cells.get(key, {}), box[key], charge.amount) for key in box}
        return Account(
            self.total + charge.amount, {**self.confined, **confined}, {**self.cells, **cells}
        )


def _raised(cells: Mapping[int, int], codes: Sequence[int], amount: int) -> dict[int, int]:
    return {**cells, **{code: cells.get(code, 0) + amount for code in codes}}


def rho_of_epsilon(epsilon: int) -> int:
    """Return the rho, in billionths rounded down, that a pure epsilon grants: epsilon squared / 2.

    Source: bun2016, proposition 1.4.
    """
    return epsilon * epsilon // (2 * BILLION)


def epsilon_of_rho(rho: float, delta: float) -> float:
    """Return the epsilon at ``delta`` that ``rho`` amounts to.

    Source: bun2016, proposition 1.3.
    """
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def rho_within(epsilon: float, delta: float, conversion: Conversion = Conversion.BUN2016) -> float:
    """Return the greatest rho whose epsilon at ``delta`` is not above ``epsilon``.

    Source: bun2016, proposition 1.3, solved for rho; or canonne2020, corollary 13, which allows
    more.
    """
    rest = math.log(1 / delta)
    rho = (epsilon / (math.sqrt(rest + epsilon) + math.sqrt(rest))) ** 2
    while rho > 0 and epsilon_of_rho(rho, delta) > epsilon:
        rho = math.nextafter(rho, 0)
    if conversion is Conversion.CANONNE2020:
        return max(rho, _rho_of_best_order(epsilon, delta))
    return rho


# Rounding errors of the orders' rho are many times smaller than this share of it.
ROUNDED = 1e-9


def _rho_of_best_order(epsilon: float, delta: float) -> float:
    """Return the greatest rho that one of the orders alpha allows.

    Every alpha above 1 gives a rho that holds, so a poor search loses budget and never privacy. The
    search halves the steps between values of log(alpha - 1) around the best one so far.
    """
    best, step = 0.0, 4.0
    while step > 1e-6:  # noqa: PLR2004 - rho is flat around its maximum
        best = max((best - step, best, best + step), key=lambda at: _rho_at(at, epsilon, delta))
        step *= 0.75
    return max(0.0, _rho_at(best, epsilon, delta)) * (1 - ROUNDED)


def _rho_at(logarithm: float, epsilon: float, delta: float) -> float:
    """Solve delta = exp((a-1)(a rho - epsilon)) / (a-1) * (1 - 1/a)**a for rho.

    Parameters
    ----------
    logarithm : of a - 1

    Notes
    -----
    Source: canonne2020, corollary 13.
    """
    above = math.exp(logarithm)
    order = 1 + above
    within = math.log(delta) + logarithm - order * math.log(above / order)
    return (epsilon + within / above) / order
