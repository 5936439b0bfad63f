"""Checked question and budget -> noise -> answer with its interval.

A :class:`Plan` holds everything that is decided before any data are read: the price, the
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

from indistinct.core.arrays import Ints
from indistinct.database.aggregates import Row, candidates, range_of
from indistinct.database.dataset import Dataset
from indistinct.database.question import Count, CountPersons, Measure, Moments, Quantile, Question
from indistinct.database.tokens import refuse
from indistinct.mechanisms import gaussian, laplace, selection
from indistinct.mechanisms.accountant import (
    Accounting,
    billionths,
    rho_of_epsilon,
    sequential,
)
from indistinct.mechanisms.calibration import LARGEST_SENSITIVITY
from indistinct.mechanisms.gaussian import Gaussian
from indistinct.mechanisms.laplace import Laplace
from indistinct.mechanisms.selection import Selection

CONFIDENCE = 0.95
MOST_CELLS = 100_000
# A sum of two such numbers still fits into 64 bits.
FARTHEST = 2**62
LOWER, UPPER = -1, 1


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
    """Per cell: the value, the scale of its noise, its 95 % interval."""

    values: list[float]
    scales: list[float]
    intervals: list[tuple[float, float]]


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """All that a question's text decides.

    Parameters
    ----------
    epsilon : billionths asked for
    price : billionths of the account's unit that the mechanisms' own proofs charge
    noises : one mechanism per part, or three selections for a quantile
    """

    question: Question
    dataset: Dataset
    epsilon: int
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
        """Give the scale of the noise of the last part, in the answer's unit."""
        return self.noises[len(self.parts) - 1].scale * self.parts[-1].unit

    @property
    def expected_error(self) -> float:
        """Give the half width of a 95 % interval of the last part."""
        noise = self.noises[len(self.parts) - 1]
        if isinstance(noise, Selection):
            return shift(self) * self.parts[-1].unit
        return noise.half_width(CONFIDENCE) * self.parts[-1].unit


def make_plan(question: Question, dataset: Dataset, epsilon: Any) -> Plan:
    """Decide price and mechanisms from the question alone.

    Raises
    ------
    ParameterError
        If epsilon is no positive decimal number of at most nine decimals.
    QuestionError
        If one person's part in the answer has no useful limit, or there are too many cells.
    """
    asked = billionths(epsilon)
    budget = asked if dataset.budget.accounting is Accounting.PURE else rho_of_epsilon(asked)
    n_cells = math.prod(len(dataset.keys[key].codes) for key in question.keys)
    if n_cells > MOST_CELLS:
        raise refuse(f"the question has more than {MOST_CELLS} groups")
    parts = tuple(parts_of(question.measure, dataset, n_cells))
    if any(part.sensitivity > LARGEST_SENSITIVITY for part in parts):
        raise refuse("the question adds up numbers whose bounds are too wide for their step")
    noises = tuple(_noises(question.measure, parts, budget, dataset.budget.accounting))
    price = sequential(noise.charge() for noise in noises)
    return Plan(question, dataset, asked, price, parts, noises)


def parts_of(measure: Measure, dataset: Dataset, n_cells: int = 1) -> list[Part]:
    """Give sensitivity and unit of each aggregate, in the order of the query.

    Notes
    -----
    A person has c rows at most, in any cells: c counts, c times the farthest value, or one distinct
    person in each of as many cells.
    """
    rows = dataset.rows_per_person
    match measure:
        case Count():
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


def answer(plan: Plan, rows: Iterable[Row]) -> Estimates:
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


def tabulate(plan: Plan, rows: Iterable[Row]) -> list[list[int]]:
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


def estimate(plan: Plan, noisy: Sequence[int]) -> tuple[float, float, tuple[float, float]]:
    """Turn the noisy numbers of one cell into value, scale and interval."""
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


def _mean(
    plan: Plan, column: str, noisy: Sequence[int], ends: Ends
) -> tuple[float, float, tuple[float, float]]:
    bounds = range_of(column, plan.dataset)
    step = float(bounds.step)

    def located(offset: float) -> float:
        return min(max(bounds.middle + offset, bounds.low), bounds.high) * step

    count = max(1, noisy[0])
    low, high = quotients(ends[1], ends[0])
    return located(noisy[1] / count), plan.scale / count, (located(low), located(high))


def _variance(
    plan: Plan, column: str, noisy: Sequence[int], ends: Ends
) -> tuple[float, float, tuple[float, float]]:
    bounds = range_of(column, plan.dataset)
    unit = float(bounds.step) ** 2

    def located(square: float) -> float:
        return min(max(square, 0.0), float(bounds.radius**2)) * unit

    count = max(1, noisy[0])
    squares, means = quotients(ends[2], ends[0]), quotients(ends[1], ends[0])
    farthest = max(means[0] ** 2, means[1] ** 2)
    nearest = 0.0 if means[0] <= 0 <= means[1] else min(means[0] ** 2, means[1] ** 2)
    value = noisy[2] / count - (noisy[1] / count) ** 2
    interval = located(squares[0] - farthest), located(squares[1] - nearest)
    return located(value), plan.scale / count, interval


def quotients(sums: tuple[int, int], counts: tuple[int, int]) -> tuple[float, float]:
    """Give the least and greatest quotient of a sum and a count of at least 1."""
    corners = [total / max(1, count) for total in sums for count in counts]
    return min(corners), max(corners)


def shift(plan: Plan) -> int:
    """Give how far from its rank a quantile's draw lies at most, but for half of 5 %."""
    ends = plan.noises[1]
    if not isinstance(ends, Selection) or not isinstance(plan.question.measure, Quantile):
        return 0
    bounds = range_of(plan.question.measure.column, plan.dataset)
    return ends.slack(len(candidates(bounds)), (1 - CONFIDENCE) / 2)


def _quantiles(plan: Plan, measure: Quantile, rows: Iterable[Row]) -> Estimates:
    bounds = range_of(measure.column, plan.dataset)
    offered = candidates(bounds)
    counts = {cell: np.zeros(len(offered), dtype=np.int64) for cell in plan.cells}
    for *cell, above, count in rows:
        if tuple(cell) in counts:
            counts[tuple(cell)][above // offered.step] = count
    return _collected(_quantile(plan, measure, seen, offered) for seen in counts.values())


def _quantile(
    plan: Plan, measure: Quantile, counts: Ints, offered: range
) -> tuple[float, float, tuple[float, float]]:
    rank = balance(counts, measure.share.numerator, measure.share.denominator)
    targets = [0, LOWER * shift(plan), UPPER * shift(plan)]
    drawn = [
        offered[noise.choose([-abs(clamp(int(value) - target, FARTHEST)) for value in rank])]
        for noise, target in zip(plan.noises, targets, strict=True)
        if isinstance(noise, Selection)
    ]
    step = float(range_of(measure.column, plan.dataset).step)
    return drawn[0] * step, plan.scale, (min(drawn) * step, max(drawn) * step)


def balance(counts: Ints, numerator: int, denominator: int) -> Ints:
    """Give, per candidate, (den - num) * rows below - num * rows above.

    It rises with the candidate and is zero at the quantile; one row moves it by at most
    max(num, den - num).
    """
    below = np.cumsum(counts) - counts
    above = counts.sum() - below - counts
    return (denominator - numerator) * below - numerator * above


def _collected(cells: Iterable[tuple[float, float, tuple[float, float]]]) -> Estimates:
    values, scales, intervals = zip(*cells, strict=True)
    return Estimates(list(values), list(scales), list(intervals))
