"""Checked question and budget -> noise -> answer with its interval.

A :class:`QueryPlan` holds everything that is decided before any data are read: the price, the
mechanisms, the expected error. Answering then only fills in noisy numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, final

import numpy as np

from indistinct.database.aggregates import Row, candidates, range_of, stride
from indistinct.database.dataset import Dataset
from indistinct.database.quantiles import quantile, shift
from indistinct.database.question import (
    Count,
    CountKnown,
    CountPersons,
    Measure,
    Moments,
    Quantile,
    Question,
)
from indistinct.database.sizes import WORK_PER_SLOT, check_price, check_size, n_candidates
from indistinct.database.tokens import refuse
from indistinct.mechanisms import gaussian, laplace, selection
from indistinct.mechanisms.accountant import (
    Accounting,
    billionths,
    sequential,
)
from indistinct.mechanisms.calibration import LARGEST_SENSITIVITY
from indistinct.mechanisms.gaussian import Gaussian
from indistinct.mechanisms.laplace import Laplace
from indistinct.mechanisms.meaning import EpsilonMeaning
from indistinct.mechanisms.selection import Selection

CONFIDENCE = 0.95
# A sum of two such numbers still fits into 64 bits.
FARTHEST = 2**62


# What an expected error counts.
ANSWER = "the answer"
PER_ROW = "the answer times the number of rows"
RANKS = "rows, in the order of the values"
IF_EVEN = "the answer, if the values are spread evenly between the bounds"
# Value (None where too few rows are known), scale of its noise, ends of its interval.
Estimate = tuple[float | None, float, tuple[float, float]]


@final
@dataclass(frozen=True, slots=True)
class Part:
    """One vector of whole numbers that noise is added to.

    Parameters
    ----------
    sensitivity : most that one person moves the vector, summed (L1)
    sensitivity_squared : square of the most that one person moves it (L2)
    unit : what one of its whole numbers is worth in the answer
    """

    name: str
    sensitivity: int
    sensitivity_squared: int
    unit: float


@final
@dataclass(frozen=True, slots=True)
class Estimates:
    """Per cell: the value or None, the scale of its noise, its 95 % interval."""

    values: list[float | None]
    scales: list[float]
    intervals: list[tuple[float, float]]


@final
@dataclass(frozen=True, slots=True)
class QueryPlan:
    """All that a question's text decides.

    Parameters
    ----------
    epsilon : billionths asked for
    meaning : of that epsilon, in the account
    price : billionths of the account's unit that the mechanisms' own proofs charge
    noises : one mechanism per part, or three selections for a quantile
    """

    question: Question
    dataset: Dataset
    epsilon: int
    meaning: EpsilonMeaning
    price: int
    parts: tuple[Part, ...]
    noises: tuple[Laplace | Gaussian | Selection, ...]

    @property
    def canonical(self) -> str:
        """Write question and epsilon so that equal plans are equal texts."""
        epsilon = Decimal(self.epsilon).scaleb(-9).normalize()
        return f"{self.question.canonical()} EPSILON {epsilon:f}"

    @property
    def cells(self) -> list[tuple[int, ...]]:
        """List the codes of every combination of the keys, empty ones included."""
        return list(
            itertools.product(*(self.dataset.keys[key].codes for key in self.question.keys))
        )

    @property
    def scale(self) -> float:
        """Return the scale of the noise of the last part, in the answer's unit."""
        return self.noises[len(self.parts) - 1].scale * self.parts[-1].unit

    @property
    def slots(self) -> int:
        """Return how many of the declared times a reply takes, by query and declaration alone."""
        work = len(self.cells) * n_candidates(self.question, self.dataset)
        return 1 + work // WORK_PER_SLOT

    def expected_error(self, rows: int | None = None) -> tuple[float, str]:
        """Return the half width of a 95 % interval, and what it counts.

        Parameters
        ----------
        rows : about how many rows count in a group, a public number
        """
        noise = self.noises[len(self.parts) - 1]
        measure = self.question.measure
        if isinstance(noise, Selection):
            ranks = shift(noise, n_candidates(self.question, self.dataset)) * self.parts[-1].unit
            if rows is None or not isinstance(measure, Quantile):
                return ranks, RANKS
            bounds = range_of(measure.column, self.dataset)
            width = float((bounds.high - bounds.low) * bounds.step)
            return min(1.0, ranks / rows) * width, IF_EVEN
        if len(self.parts) == 1:
            return noise.half_width(CONFIDENCE) * self.parts[-1].unit, ANSWER
        if rows is None:
            confidence = 1 - (1 - CONFIDENCE) / len(self.parts)
            return noise.half_width(confidence) * self.parts[-1].unit, PER_ROW
        # As if the values were spread evenly between the bounds.
        radius = self.parts[1].sensitivity // self.parts[0].sensitivity
        _, _, (low, high) = estimate(self, [rows, 0, rows * radius**2 // 3][: len(self.parts)])
        return (high - low) / 2, ANSWER


def make_plan(
    question: Question, dataset: Dataset, epsilon: Any, meaning: EpsilonMeaning | None = None
) -> QueryPlan:
    """Decide price and mechanisms from the question alone.

    Parameters
    ----------
    meaning : of epsilon in the ledger; that of a new ledger if left out

    Raises
    ------
    ParameterError
        If epsilon is no positive decimal number of at most nine decimals.
    QuestionError
        If one person's part in the answer has no useful limit, or there are too many cells.
    """
    asked = billionths(epsilon)
    meaning = meaning or dataset.budget.meaning()
    budget = meaning.granted(asked)
    n_cells = math.prod(len(dataset.keys[key].codes) for key in question.keys)
    check_size(question, dataset, n_cells)
    check_price(budget, n_cells + question.n_codes, meaning)
    parts = tuple(parts_of(question.measure, dataset, n_cells))
    if any(part.sensitivity > LARGEST_SENSITIVITY for part in parts):
        raise refuse("the question adds up numbers whose bounds are too wide for their step")
    noises = tuple(_noises(question.measure, parts, budget, dataset.budget.accounting))
    price = sequential(noise.charge() for noise in noises)
    return QueryPlan(question, dataset, asked, meaning, price, parts, noises)


def parts_of(measure: Measure, dataset: Dataset, n_cells: int = 1) -> list[Part]:
    """Return sensitivity and unit of each aggregate, in the order of the query.

    Notes
    -----
    A person has c rows at most, in any cells: c counts, c times the farthest value, or one distinct
    person in each of as many cells.
    """
    rows = dataset.rows_per_person
    match measure:
        case Count() | CountKnown():
            return [Part("count", rows, rows**2, 1.0)]
        case CountPersons():
            reached = min(rows, n_cells)
            return [Part("persons", reached, reached, 1.0)]
        case Quantile(column, share):
            most = rows * max(share.numerator, share.denominator - share.numerator)
            return [Part("rank", most, most**2, 1 / share.denominator)]
        case Moments(name, column):
            return _moments(name, column, dataset)


def _moments(name: str, column: str, dataset: Dataset) -> list[Part]:
    rows = dataset.rows_per_person
    bounds = range_of(column, dataset)
    step = float(bounds.step)
    if name == "sum":
        return [_summed("sum", rows * bounds.farthest, step)]
    parts = [_summed("count", rows, 1.0), _summed("sum", rows * bounds.radius, step)]
    if name == "variance":
        parts.append(_summed("squares", rows * bounds.radius**2, step**2))
    return parts


def _summed(name: str, most: int, unit: float) -> Part:
    return Part(name, most, most**2, unit)


def _noises(
    measure: Measure, parts: Sequence[Part], budget: int, accounting: Accounting
) -> list[Laplace | Gaussian | Selection]:
    if isinstance(measure, Quantile):
        most = parts[0].sensitivity
        quarter = budget // 4
        shares = (budget - 2 * quarter, quarter, quarter)
        return [selection.calibrate(most, share, accounting) for share in shares]
    even = budget // len(parts)
    shares = (budget - even * (len(parts) - 1), *[even] * (len(parts) - 1))
    if accounting is Accounting.PURE:
        return [
            laplace.calibrate(part.sensitivity, share)
            for part, share in zip(parts, shares, strict=True)
        ]
    return [
        gaussian.calibrate(part.sensitivity_squared, share)
        for part, share in zip(parts, shares, strict=True)
    ]


def answer(plan: QueryPlan, rows: Iterable[Row]) -> Estimates:
    """Add noise to what the engine counted, and estimate.

    Parameters
    ----------
    rows : as :func:`~indistinct.database.aggregates.compile_question` says
    """
    if isinstance(plan.question.measure, Quantile):
        return _quantiles(plan, plan.question.measure, rows)
    exact = tabulate(plan, rows)
    noisy = [
        noise.sample(column)
        for noise, column in zip(plan.noises, exact, strict=True)
        if not isinstance(noise, Selection)
    ]
    return _collected(estimate(plan, values) for values in zip(*noisy, strict=True))


def tabulate(plan: QueryPlan, rows: Iterable[Row]) -> list[list[int]]:
    """Lay the engine's rows out: per part, per cell; empty cells are zero.

    Whole numbers beyond 2**62 are moved to it, which brings neighbours no further apart.
    """
    width = len(plan.question.keys)
    found = {row[:width]: row[width:] for row in rows}
    nothing = (0,) * len(plan.parts)
    table = [found.get(cell, nothing) for cell in plan.cells]
    return [[clamp(int(row[part]), FARTHEST) for row in table] for part in range(len(plan.parts))]


def clamp(number: int, farthest: int) -> int:
    """Move a number to within ``farthest`` of zero."""
    return max(-farthest, min(farthest, number))


def estimate(plan: QueryPlan, noisy: Sequence[int]) -> Estimate:
    """Return value, scale and interval of one cell, from its noisy numbers."""
    confidence = 1 - (1 - CONFIDENCE) / len(noisy)
    widths = [
        noise.half_width(confidence) for noise in plan.noises if not isinstance(noise, Selection)
    ]
    ends = [(value - width, value + width) for value, width in zip(noisy, widths, strict=True)]
    match plan.question.measure:
        case Moments("mean", column):
            return _mean(plan, column, noisy, ends)
        case Moments("variance", column):
            return _variance(plan, column, noisy, ends)
        case _:
            unit = plan.parts[0].unit
            value = noisy[0] if unit == 1 else noisy[0] * unit
            return value, plan.scale, (ends[0][0] * unit, ends[0][1] * unit)


Ends = Sequence[tuple[int, int]]


def _mean(plan: QueryPlan, column: str, noisy: Sequence[int], ends: Ends) -> Estimate:
    bounds = range_of(column, plan.dataset)
    step = float(bounds.step)

    def located(offset: float) -> float:
        return min(max(bounds.middle + offset, bounds.low), bounds.high) * step

    if is_unknown(noisy[0], ends[0]):
        everything = float(bounds.low) * step, float(bounds.high) * step
        return None, plan.scale, everything
    count = max(1, noisy[0])
    low, high = quotients(ends[1], ends[0])
    return located(noisy[1] / count), plan.scale / count, (located(low), located(high))


def is_unknown(count: int, ends: tuple[int, int]) -> bool:
    """Return whether a noisy count is below the half width of its interval, or of nobody."""
    return count < max(1, ends[1] - count)


def _variance(plan: QueryPlan, column: str, noisy: Sequence[int], ends: Ends) -> Estimate:
    bounds = range_of(column, plan.dataset)
    unit = float(bounds.step) ** 2

    def located(square: float) -> float:
        return min(max(square, 0.0), float(bounds.radius**2)) * unit

    if is_unknown(noisy[0], ends[0]):
        return None, plan.scale, (0.0, bounds.radius**2 * unit)
    count = max(1, noisy[0])
    squares, means = quotients(ends[2], ends[0]), quotients(ends[1], ends[0])
    farthest = max(means[0] ** 2, means[1] ** 2)
    nearest = 0.0 if means[0] <= 0 <= means[1] else min(means[0] ** 2, means[1] ** 2)
    value = noisy[2] / count - (noisy[1] / count) ** 2
    interval = located(squares[0] - farthest), located(squares[1] - nearest)
    return located(value), plan.scale / count, interval


def quotients(sums: tuple[int, int], counts: tuple[int, int]) -> tuple[float, float]:
    """Return the least and greatest quotient of a sum and a count of at least 1."""
    corners = [total / max(1, count) for total in sums for count in counts]
    return min(corners), max(corners)


def _quantiles(plan: QueryPlan, measure: Quantile, rows: Iterable[Row]) -> Estimates:
    bounds = range_of(measure.column, plan.dataset)
    width = len(candidates(bounds))
    counts = {cell: np.zeros(width, dtype=np.int64) for cell in plan.cells}
    for *cell, above, count in rows:
        if tuple(cell) in counts:
            counts[tuple(cell)][above // stride(bounds)] = count
    noises = [noise for noise in plan.noises if isinstance(noise, Selection)]
    drawn = [quantile(noises, measure.share, seen, bounds) for seen in counts.values()]
    step = float(bounds.step)
    return _collected(
        (value * step, plan.scale, (low * step, high * step)) for value, low, high in drawn
    )


def _collected(cells: Iterable[Estimate]) -> Estimates:
    values, scales, intervals = zip(*cells, strict=True)
    return Estimates(list(values), list(scales), list(intervals))
