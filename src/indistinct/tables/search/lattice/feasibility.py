"""Why no release satisfies a policy, and what would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.errors import Fault, NoSolutionError, Way
from indistinct.tables.core.classes import EquivalenceClasses, classes_of
from indistinct.tables.core.protocols import Monotonicity, PrivacyModel, Problem
from indistinct.tables.search.lattice.lattice import Lattice


def no_solution(problem: Problem) -> list[Fault]:
    """Return which models the whole table as one class fails, and what suppression would do."""
    lattice = Lattice(problem)
    return beyond_the_table(problem) or [
        too_many_suppressed(
            problem,
            lattice.check(lattice.top).n_suppressed,
            "the most general release allowed still needs",
        )
    ]


def too_many_suppressed(problem: Problem, n_suppressed: int, who_needs: str) -> Fault:
    """Return how far a release is from the limit of suppression, and what would help."""
    n_records = problem.table.n_records
    share = n_suppressed / n_records
    return Fault(
        "method.max_suppression",
        f"{who_needs} {n_suppressed:,} of {n_records:,} records suppressed ({share:.2%}), "
        f"but the limit is {problem.max_suppression:.2%}",
        f"Raise max_suppression to {rounded_up(share):g}, raise max_level, or ask for less.",
        code="too-many-suppressed",
        parts={
            "count": n_suppressed,
            "of": n_records,
            "share": share,
            "limit": problem.max_suppression,
        },
        ways=(Way(("method", "max_suppression"), rounded_up(share)),) * (share < 1),
    )


def rounded_up(share: float) -> float:
    """Return the next hundredth of a percent."""
    return float(np.ceil(share * 10_000) / 10_000)


def refuse_beyond_budget(problem: Problem, n_suppressed: int, who_needs: str) -> None:
    """Refuse a release that suppresses more records than the policy allows.

    Raises
    ------
    NoSolutionError
        when it does
    """
    if n_suppressed > problem.budget:
        raise NoSolutionError(
            beyond_the_table(problem) or [too_many_suppressed(problem, n_suppressed, who_needs)]
        )


def beyond_the_table(problem: Problem) -> list[Fault]:
    """Find models that ask for more than the whole table as one class gives, and what it gives.

    No recoding reaches more without suppression: of a model that generalization never breaks, the
    coarsest class is the best.
    """
    whole = _as_one_class(problem)
    return [
        _beyond_the_table(model, model.achieved(float(model.measured(whole)[0])))
        for model in problem.models
        if not model.holds(whole)[0]
    ]


def _beyond_the_table(model: PrivacyModel, achieved: Mapping[str, Any]) -> Fault:
    """Return the fault of a model that asks for more than the whole table gives."""
    column = model.columns[0] if model.columns else ""
    place = ("models", model.name, column)
    return Fault(
        f"models.{model.name}",
        f"requires more{_of_columns(model)} than the whole table achieves as a single class, "
        f"which is {_words(achieved)}",
        "Ask for no more than that.",
        code="beyond-the-table",
        columns=tuple(model.columns),
        parts={"model": model.name, "achieved": _words(achieved)},
        ways=(
            *(
                Way((*place, name), value)
                for name, value in achieved.items()
                if isinstance(value, int) and value > 1
            ),
            Way(place, None),
        ),
    )


def _of_columns(model: PrivacyModel) -> str:
    """Return the columns that a model reads, in words."""
    return f" of {', '.join(model.columns)}" if model.columns else ""


def refuse_beyond_the_table(problem: Problem) -> None:
    """Refuse, before any search, what no release can give.

    Only where nothing may be suppressed and the model is never broken by generalization: then the
    whole table is the best class there is.

    Raises
    ------
    NoSolutionError
        when there is such a model
    """
    if problem.budget > 0:
        return
    sure = [model for model in problem.models if model.monotone is not Monotonicity.NEVER]
    faults = beyond_the_table(replace(problem, models=tuple(sure)))
    if faults:
        raise NoSolutionError(faults)


def _as_one_class(problem: Problem) -> EquivalenceClasses:
    """Return the whole table as one class."""
    whole = classes_of(problem.table, np.zeros(problem.table.n_tuples, np.int32), 1)
    if problem.population is None:
        return whole
    return replace(whole, population=np.array([problem.population.size]))


def _words(achieved: Mapping[str, Any]) -> str:
    """Return in words what is achieved."""
    return ", ".join(
        f"{name} = {value:.6g}"
        if isinstance(value, float)
        else f"no {name} at all"
        if value is None
        else f"{name} = {value}"
        for name, value in achieved.items()
    )
