"""How a synthesizer divides its budget, decided before any row is read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from indistinct.base.billionths import BILLION
from indistinct.errors import ParameterError
from indistinct.questions.mechanisms import gaussian, selection
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.mechanisms.selection import Selection

# Scores are whole numbers: expected counts are rounded at this fraction of a record.
SCORE_STEPS = 2**16


@final
@dataclass(frozen=True, slots=True)
class StepCharge:
    """One step's price.

    Parameters
    ----------
    sensitivity_squared : of the vector of counts (L2), or of a single score
    times : how often the mechanism is used
    amount : billionths of rho, for all times together
    """

    step: str
    mechanism: str
    scale: float
    sensitivity_squared: int
    times: int
    amount: int


@final
@dataclass(frozen=True, slots=True)
class Spending:
    """The mechanisms of one synthesis.

    Parameters
    ----------
    singles : noise on the counts of every column
    choice : draws a pair of columns; None where no pair is measured
    pairs : noise on the counts of the pairs drawn; None likewise
    times : how many pairs are drawn
    """

    singles: Gaussian
    choice: Selection | None
    pairs: Gaussian | None
    times: int

    def charges(self) -> Iterator[StepCharge]:
        """Yield the price of every step."""
        yield StepCharge(
            "columns",
            self.singles.name,
            self.singles.scale,
            self.singles.sensitivity_squared,
            1,
            self.singles.charge(),
        )
        if self.choice is not None:
            yield StepCharge(
                "tree",
                self.choice.name,
                self.choice.scale,
                self.choice.sensitivity**2,
                self.times,
                self.choice.charge() * self.times,
            )
        if self.pairs is not None:
            yield StepCharge(
                "pairs",
                self.pairs.name,
                self.pairs.scale,
                self.pairs.sensitivity_squared,
                1,
                self.pairs.charge(),
            )

    @property
    def total(self) -> int:
        """Billionths of rho that the synthesis costs."""
        return sum(charge.amount for charge in self.charges())


def divide(  # noqa: PLR0913 - all of them are public figures
    budget: int,
    n_columns: int,
    rows_per_person: int,
    *,
    focused: bool,
    paired: bool,
    given: int = 0,
) -> Spending:
    """Divide a budget: a third each for the columns, the choice of pairs and the pairs.

    Parameters
    ----------
    budget : billionths of rho
    n_columns : columns besides the focus, D, at least 1
    rows_per_person : c, the rows of one person that count
    focused : True where a focus is counted besides
    paired : False for the baseline that keeps no pairs, which spends all on the columns
    given : pairs that are measured without a draw; where all are, their counts get its share

    Raises
    ------
    ParameterError
        If the budget is too small to be divided.

    Notes
    -----
    One person adds or removes at most c rows, and moves the counts of one column by at most c in
    the Euclidean norm. D columns together move by c * sqrt(D).

    Source: mckenna2021, algorithm 1.
    """
    blocks = n_columns + focused
    square = rows_per_person**2
    if not paired or n_columns == 1:
        _check(budget)
        return Spending(gaussian.calibrate(square * blocks, budget), None, None, 0)
    third = budget // 3
    links = n_columns - 1
    drawn = links - given
    if drawn == 0:
        _check(third)
        pairs = gaussian.calibrate(square * links, budget - third)
        return Spending(gaussian.calibrate(square * blocks, third), None, pairs, 0)
    each = (budget - 2 * third) // drawn
    _check(min(third, each))
    return Spending(
        gaussian.calibrate(square * blocks, third),
        selection.calibrate(rows_per_person * SCORE_STEPS, each, Accounting.ZCDP),
        gaussian.calibrate(square * links, third),
        drawn,
    )


def _check(share: int) -> None:
    if share < 1:
        raise ParameterError(
            "epsilon: is too small to be divided among the steps of the synthesis",
            "Give a greater epsilon, or synthesize fewer columns.",
        )


def expected_pair_scale(budget: int, n_columns: int, rows_per_person: int) -> float:
    """Return the scale of the noise on pairs as the score of the choice expects it."""
    return rows_per_person * math.sqrt((n_columns - 1) * BILLION / (2 * (budget // 3)))
