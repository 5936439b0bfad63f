"""The expected error of a reply, in the answer's unit, before any data are read."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from indistinct.questions.database.relational.answering import CONFIDENCE, Estimator, NoisyCounts
from indistinct.questions.database.relational.parts import Measure, Part
from indistinct.questions.database.relational.plan import RelationalPlan
from indistinct.questions.database.relational.quantiles import shift
from indistinct.questions.database.relational.sizes import n_candidates
from indistinct.questions.database.relational.tree import measures_in


class ErrorUnit(StrEnum):
    """What an expected error counts."""

    ANSWER = "the answer"
    PER_ROW = "the answer times the number of rows"
    RANKS = "rows, in the order of the values"
    IF_EVEN = "the answer, if the values are spread evenly between the bounds"
    OF_PARTS = "the measures that it is computed from"


Expected = tuple[float | None, str]


def expected_errors(
    plan: RelationalPlan, rows: int | None, confidence: float = CONFIDENCE
) -> dict[str, Expected]:
    """Return half the width of a 95 % interval of every measure, and what it counts.

    Parameters
    ----------
    rows : about how many rows count in a group, a public number
    """
    statement = plan.statement
    found: dict[str, Expected] = {}
    for name, node in statement.items:
        if not list(measures_in(node)):
            continue
        one = statement.measures.get(node)
        found[name] = (
            (None, ErrorUnit.OF_PARTS) if one is None else expected(plan, one, rows, confidence)
        )
    return found


def expected_error(plan: RelationalPlan, rows: int | None) -> tuple[Any, Any]:
    """Return the expected error and what it counts; of several measures by name."""
    found = expected_errors(plan, rows)
    if len(found) == 1:
        return next(iter(found.values()))
    errors = {name: error for name, (error, _) in found.items()}
    return errors, {name: unit for name, (_, unit) in found.items()}


def expected(
    plan: RelationalPlan, one: Measure, rows: int | None, confidence: float = CONFIDENCE
) -> Expected:
    """Return the expected error of one measure."""
    last = one.parts[-1]
    if last.kind == "ranks":
        return of_quantile(plan, last, rows)
    if len(one.parts) == 1:
        return plan.noise_of(last).half_width(confidence) * last.unit, ErrorUnit.ANSWER
    if rows is None:
        of_each = 1 - (1 - confidence) / len(one.parts)
        return plan.noise_of(last).half_width(of_each) * last.unit, ErrorUnit.PER_ROW
    # As if the values were spread evenly between the bounds.
    evenly = last.units.radius**2 // 3 - last.units.half_square
    numbers = [rows, 0, rows * evenly]
    places = {part: at for at, part in enumerate(plan.statement.parts)}
    made_up = {places[part]: [n * part.grid] for part, n in zip(one.parts, numbers, strict=False)}
    estimator = Estimator(plan, NoisyCounts([()], made_up), exact=False, confidence=confidence)
    _, low, high = estimator.measure(one, 0, len(one.parts))
    return (high - low) / 2, ErrorUnit.ANSWER


def of_quantile(plan: RelationalPlan, part: Part, rows: int | None) -> Expected:
    """Return the expected error of a quantile: ranks, or values if they are spread evenly."""
    ranks = shift(plan.selections[part][0], n_candidates(part)) * part.unit
    if rows is None:
        return ranks, ErrorUnit.RANKS
    width = float((part.units.high - part.units.low) * part.units.step)
    return min(1.0, ranks / rows) * width, ErrorUnit.IF_EVEN


def scale_of(plan: RelationalPlan) -> dict[str, float] | float:
    """Return the scale of the noise of each measure's last part, in the answer's unit."""
    statement = plan.statement
    scales: dict[str, float] = {}
    for name, node in statement.items:
        one = statement.measures.get(node)
        if one is not None:
            last = one.parts[-1]
            noise = plan.selections[last][0] if last.kind == "ranks" else plan.noise_of(last)
            scales[name] = noise.scale * last.unit
    return next(iter(scales.values())) if len(scales) == 1 else scales
