"""Checked question and budget -> noise -> answer with its interval.

A :class:`QueryPlan` holds everything that is decided before any data are read: the price, the
mechanisms, the expected error. Answering then only fills in noisy numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from typing import Any, final

import numpy as np

from indistinct.database.aggregates import Row, candidates, range_of, stride
from indistinct.database.dataset import Dataset
from indistinct.database.quantiles import quantile, shift
from indistinct.database.question import Count, CountPersons, Measure, Moments, Quantile, Question
from indistinct.database.tokens import refuse
from indistinct.errors import ParameterError
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
# Bounds on what one question makes the service draw, store and send.
MOST_CHOICES = 10**6
MOST_BYTES = 10**7
CELL_BYTES = 120  # value, scale and interval of one cell, at their longest
KEY_BYTES = 8  # quotes, colon and comma
WORK_PER_SLOT = 20_000
# The least price of one number: a millionth of epsilon, or a hundredth of that of rho, and a tenth
# of it more for each further group and code.
FEWEST_STORED = 9
PURE_EACH, RHO_EACH = 100, 1
# A sum of two such numbers still fits into 64 bits.
FARTHEST = 2**62


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
class QueryPlan:
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
        """Return the scale of the noise of the last part, in the answer's unit."""
        return self.noises[len(self.parts) - 1].scale * self.parts[-1].unit

    @property
    def slots(self) -> int:
        """Return how many of the declared times a reply takes, by query and declaration alone."""
        work = len(self.cells) * n_candidates(self.question, self.dataset)
        return 1 + work // WORK_PER_SLOT

    @property
    def expected_error(self) -> float:
        """Return the half width of a 95 % interval of the last part."""
        noise = self.noises[len(self.parts) - 1]
        if isinstance(noise, Selection):
            return shift(noise, n_candidates(self.question, self.dataset)) * self.parts[-1].unit
        return noise.half_width(CONFIDENCE) * self.parts[-1].unit


def make_plan(question: Question, dataset: Dataset, epsilon: Any) -> QueryPlan:
    """Decide price and mechanisms from the question alone.

    Raises
    ------
    ParameterError
        If epsilon is no positive decimal number of at most nine decimals.
    QuestionError
        If one person's part in the answer has no useful limit, or there are too many cells.
    """
    asked = billionths(epsilon)
    is_pure = dataset.budget.accounting is Accounting.PURE
    budget = asked if is_pure else rho_of_epsilon(asked)
    n_cells = math.prod(len(dataset.keys[key].codes) for key in question.keys)
    check_size(question, dataset, n_cells)
    check_price(budget, n_cells + question.n_codes, is_pure=is_pure)
    parts = tuple(parts_of(question.measure, dataset, n_cells))
    if any(part.sensitivity > LARGEST_SENSITIVITY for part in parts):
        raise refuse("the question adds up numbers whose bounds are too wide for their step")
    noises = tuple(_noises(question.measure, parts, budget, dataset.budget.accounting))
    price = sequential(noise.charge() for noise in noises)
    return QueryPlan(question, dataset, asked, price, parts, noises)


def check_size(question: Question, dataset: Dataset, n_cells: int) -> None:
    """Refuse an answer that is too long, or takes too long to draw, however few rows there are."""
    is_drawn = isinstance(question.measure, Quantile)
    if is_drawn and n_cells * n_candidates(question, dataset) > MOST_CHOICES:
        raise refuse(
            f"the question has more than {MOST_CHOICES} pairs of a group and a possible quantile"
        )
    keys = [dataset.keys[key] for key in question.keys]
    longest = [max(len(str(label).encode()) for label in key.labels) for key in keys]
    words = sum(len(key.name.encode()) + KEY_BYTES for key in keys) + sum(longest)
    if n_cells * (CELL_BYTES + len(question.label) + words) > MOST_BYTES:
        raise refuse(f"the question has more groups than a reply of {MOST_BYTES} bytes can hold")


def check_price(budget: int, n_stored: int, *, is_pure: bool) -> None:
    """Refuse a question that costs so little that a budget pays for any number of them.

    Parameters
    ----------
    budget : billionths of the account's unit
    n_stored : groups of the answer, and codes in the conditions, that the ledger keeps
    """
    least = (FEWEST_STORED + n_stored) * (PURE_EACH if is_pure else RHO_EACH)
    if budget < least:
        epsilon = Decimal(least).scaleb(-9)
        if not is_pure:
            epsilon = (2 * epsilon).sqrt().quantize(Decimal("1e-9"), ROUND_UP)
        raise ParameterError(
            "epsilon: is below the least price of this question",
            f"Ask with epsilon = {epsilon.normalize():f} or more.",
        )


def n_candidates(question: Question, dataset: Dataset) -> int:
    """Return how many candidates a cell is drawn among; 1 for every measure but a quantile."""
    measure = question.measure
    if not isinstance(measure, Quantile):
        return 1
    return len(candidates(range_of(measure.column, dataset)))


def parts_of(measure: Measure, dataset: Dataset, n_cells: int = 1) -> list[Part]:
    """Return sensitivity and unit of each aggregate, in the order of the query.

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


def estimate(plan: QueryPlan, noisy: Sequence[int]) -> tuple[float, float, tuple[float, float]]:
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


def _mean(
    plan: QueryPlan, column: str, noisy: Sequence[int], ends: Ends
) -> tuple[float, float, tuple[float, float]]:
    bounds = range_of(column, plan.dataset)
    step = float(bounds.step)

    def located(offset: float) -> float:
        return min(max(bounds.middle + offset, bounds.low), bounds.high) * step

    count = max(1, noisy[0])
    low, high = quotients(ends[1], ends[0])
    return located(noisy[1] / count), plan.scale / count, (located(low), located(high))


def _variance(
    plan: QueryPlan, column: str, noisy: Sequence[int], ends: Ends
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


def _collected(cells: Iterable[tuple[float, float, tuple[float, float]]]) -> Estimates:
    values, scales, intervals = zip(*cells, strict=True)
    return Estimates(list(values), list(scales), list(intervals))
