"""Count, add noise, and estimate: what the engine gives becomes a reply.

Groups are sorted by their keys before any noise is drawn, so no order of the engine reaches a
reply. Whatever is computed from noisy numbers costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.questions.database.relational.parts import Measure, Part
from indistinct.questions.database.relational.plan import RelationalPlan
from indistinct.questions.database.relational.quantiles import candidates, quantile
from indistinct.questions.database.relational.statement import CompiledQuestion, Row
from indistinct.questions.database.relational.words import refusal

FARTHEST = 2**62
CONFIDENCE = 0.95
MOST_SHOWN = 100_000
Fetch = Callable[[str], Sequence[Row]]
Triple = tuple[float | None, float, float]


@final
@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """Noisy numbers of every group that is shown.

    Parameters
    ----------
    cells : codes of the keys
    numbers : per part, by its place: a number per group, or for a quantile value, low and high
    """

    cells: list[tuple[Any, ...]]
    numbers: dict[int, list[Any]]


def counted(plan: RelationalPlan, fetch: Fetch, *, exact: bool = False) -> NoisyCounts:
    """Count, and add noise.

    Parameters
    ----------
    exact : without noise, for tests alone: what is counted, with all limits
    """
    statement = plan.statement
    places = {part: at for at, part in enumerate(statement.parts)}
    numbers: dict[int, list[Any]] = {}
    shown: list[tuple[Any, ...]] | None = None
    cells = statement.cells if not statement.is_unknown else []
    if plan.stage is not None:
        cells, people = first_stage(plan, fetch, exact=exact)
        shown = cells
        if statement.counts_people is not None:
            numbers[places[statement.counts_people]] = people
    vectors = [part for part in plan.stages if part.kind != "ranks"]
    if vectors and (shown is None or shown):
        query = statement.query(vectors, plan.meaning.accounting, shown)
        table = tabulated(statement, fetch(query), cells, len(vectors))
        for at, part in enumerate(vectors):
            column = [row[at] for row in table]
            numbers[places[part]] = column if exact else plan.noises[part].sample(column)
    for part in plan.stages:
        if part.kind == "ranks" and (shown is None or shown):
            rows = fetch(statement.query([part], plan.meaning.accounting, shown))
            numbers[places[part]] = drawn(plan, part, rows, cells, exact=exact)
    for part in plan.stages:
        numbers.setdefault(places[part], [])
    return NoisyCounts(cells, numbers)


def queries_of(plan: RelationalPlan) -> list[str]:
    """List the queries of a question; those of a second stage for one group that is made up."""
    statement = plan.statement
    shown = None if plan.stage is None else [(None,) * len(statement.keys)]
    found = [] if plan.stage is None else [statement.people_query()]
    vectors = [part for part in plan.stages if part.kind != "ranks"]
    asked = [vectors] * bool(vectors) + [[one] for one in plan.stages if one.kind == "ranks"]
    return found + [statement.query(parts, plan.meaning.accounting, shown) for parts in asked]


def first_stage(
    plan: RelationalPlan, fetch: Fetch, *, exact: bool
) -> tuple[list[tuple[Any, ...]], list[int]]:
    """Find the groups that enough people are in, by a noisy count."""
    statement, stage = plan.statement, plan.stage
    rows = [(tuple(row[:-1]), int(row[-1])) for row in fetch(statement.people_query())]
    found = [row for row in rows if statement.has_known_codes(row[0])]
    if not statement.keys:
        found = [row for row in found if row[1] >= statement.min_people]

    ordered = sorted(range(len(found)), key=lambda at: order_of(statement, found[at][0]))
    found = [found[at] for at in ordered]
    people = [count for _, count in found]
    least = statement.min_people if exact else plan.threshold
    noisy = people if exact or stage is None else stage.sample(people) if people else []
    kept = [(cell, n) for (cell, _), n in zip(found, noisy, strict=True) if n >= least]
    if len(kept) > MOST_SHOWN:
        raise refusal("GROUP BY", "has too many groups", "Group by less, or with fewer columns.")
    return [cell for cell, _ in kept], [n for _, n in kept]


def order_of(statement: CompiledQuestion, cell: Sequence[Any]) -> Any:
    """Sort groups by their keys."""
    return [key.order(code) for key, code in zip(statement.keys, cell, strict=True)]


def tabulated(
    statement: CompiledQuestion, rows: Sequence[Row], cells: Sequence[Row], n_parts: int
) -> list[list[int]]:
    """Lay the engine's rows out, per group and part; empty groups are zero.

    Whole numbers beyond 2**62 are moved to it, which brings neighbours no further apart.
    """
    width = len(statement.keys)
    found = {tuple(row[:width]): row[width:] for row in rows}
    nothing = (0,) * n_parts
    return [
        [max(-FARTHEST, min(FARTHEST, int(number))) for number in found.get(tuple(cell), nothing)]
        for cell in cells
    ]


def drawn(
    plan: RelationalPlan, part: Part, rows: Sequence[Row], cells: Sequence[Row], *, exact: bool
) -> list[list[int]]:
    """Draw a quantile and both ends for every group."""
    offered = candidates(part.units)
    table = {tuple(cell): np.zeros(len(offered), dtype=np.int64) for cell in cells}
    for *cell, candidate, count in rows:
        if tuple(cell) in table:
            table[tuple(cell)][int(candidate)] = int(count)
    if exact:
        return [exact_quantile(part, counts, offered) for counts in table.values()]
    noises = plan.selections[part]
    return [list(quantile(noises, part.share, counts, part.units)) for counts in table.values()]


def exact_quantile(part: Part, counts: Ints, offered: range) -> list[int]:
    """Return the quantile itself, for tests."""
    upto: list[int] = np.cumsum(counts).tolist()
    at = sum(n < part.share * upto[-1] for n in upto)
    value = offered[min(at, len(offered) - 1)]
    return [value, value, value]


@final
@dataclass(frozen=True, slots=True)
class Estimator:
    """Turns noisy numbers into measures with intervals.

    Parameters
    ----------
    exact : whether there was no noise
    confidence : with which the intervals hold
    """

    plan: RelationalPlan
    counted: NoisyCounts
    exact: bool
    confidence: float = CONFIDENCE

    def measure(self, one: Measure, at: int, n_parts: int) -> Triple:
        """Return value, low and high of a measure in one group.

        Parameters
        ----------
        n_parts : noisy parts that the interval is to hold for together
        """
        places = {part: place for place, part in enumerate(self.plan.statement.parts)}
        noisy = [self.counted.numbers[places[part]][at] for part in one.parts]
        if one.kind == "quantile":
            step = one.parts[0].units.step
            value, low, high = (float(number * step) for number in noisy[0])
            return plain(value), low, high
        confidence = 1 - (1 - self.confidence) / n_parts
        widths = [
            0 if self.exact else self.plan.noise_of(part).half_width(confidence)
            for part in one.parts
        ]
        if one.kind in {"count", "people", "sum"}:
            ((part,), (units,), (width,)) = one.parts, noisy, widths
            ends = [part.whole(end) * part.worth for end in (units - width, units + width)]
            return plain(part.whole(units) * part.worth), ends[0], ends[1]
        grids = [part.grid for part in one.parts]
        noisy = [units / grid for units, grid in zip(noisy, grids, strict=True)]
        widths = [units / grid for units, grid in zip(widths, grids, strict=True)]
        ends = [(x - w, x + w) for x, w in zip(noisy, widths, strict=True)]
        if noisy[0] < max(1, widths[0]):
            return everything(one)
        return mean(one, noisy, ends) if one.kind == "mean" else spread(one, noisy, ends)


def plain(number: float) -> float:
    """Return a whole number as one."""
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < 2**53
    return int(number) if is_whole else number


def everything(one: Measure) -> Triple:
    """Return all that the bounds allow, where too few values are known."""
    units = one.parts[1].units
    step = float(units.step)
    if one.kind == "mean":
        return None, units.low * step, units.high * step
    most = (units.radius * step) ** 2
    return None, 0.0, math.sqrt(most) if one.kind == "deviation" else most


def mean(one: Measure, noisy: Sequence[float], ends: Sequence[tuple[float, float]]) -> Triple:
    """Return a mean from a count and a sum that is measured from the middle."""
    units = one.parts[1].units
    step = float(units.step)

    def located(offset: float) -> float:
        return min(max(units.middle + offset, units.low), units.high) * step

    low, high = quotients(ends[1], ends[0])
    return located(noisy[1] / noisy[0]), located(low), located(high)


def spread(one: Measure, noisy: Sequence[float], ends: Sequence[tuple[float, float]]) -> Triple:
    """Return a variance, or its root: (Q + h N) / N - (S / N)^2."""
    units = one.parts[1].units
    off, most = units.half_square, float(units.radius**2)

    def located(square: float) -> float:
        found = min(max(square, 0.0), most) * float(units.step) ** 2
        return math.sqrt(found) if one.kind == "deviation" else found

    squares, means = quotients(ends[2], ends[0]), quotients(ends[1], ends[0])
    farthest = max(means[0] ** 2, means[1] ** 2)
    nearest = 0.0 if means[0] <= 0 <= means[1] else min(means[0] ** 2, means[1] ** 2)
    value = noisy[2] / noisy[0] + off - (noisy[1] / noisy[0]) ** 2
    return located(value), located(squares[0] + off - farthest), located(squares[1] + off - nearest)


def quotients(sums: tuple[float, float], counts: tuple[float, float]) -> tuple[float, float]:
    """Return the least and greatest quotient of a sum and a count of at least 1."""
    corners = [total / max(1, count) for total in sums for count in counts]
    return min(corners), max(corners)
