"""Why no release satisfies a policy, and what would."""

from __future__ import annotations

import numpy as np

from indistinct.core.classes import classes_of
from indistinct.core.protocols import Problem
from indistinct.errors import Fault
from indistinct.table.algorithms.lattice import Lattice


def no_solution(problem: Problem) -> list[Fault]:
    """Say which models the whole table as one class fails, and what suppression would do."""
    lattice = Lattice(problem)
    return whole_table_faults(problem) or [
        too_many_suppressed(
            problem,
            lattice.check(lattice.top).n_suppressed,
            "the most general release allowed still needs",
        )
    ]


def whole_table_faults(problem: Problem) -> list[Fault]:
    """Say which models the whole table as one class fails."""
    whole = classes_of(problem.table, np.zeros(problem.table.n_tuples, np.int32), 1)
    return [
        Fault(
            f"models.{model.name}",
            "asks for more than the whole table gives: as one class it reaches "
            + ", ".join(
                f"{name} = {value:.6g}" if isinstance(value, float) else f"{name} = {value}"
                for name, value in model.achieved(float(model.measure(whole)[0])).items()
            ),
            "Ask for no more than that.",
        )
        for model in problem.models
        if not model.holds(whole)[0]
    ]


def too_many_suppressed(problem: Problem, n_suppressed: int, who_needs: str) -> Fault:
    """Say how far a release is from the limit of suppression, and what would help."""
    n_records = problem.table.n_records
    share = n_suppressed / n_records
    return Fault(
        "method.max_suppression",
        f"{who_needs} {n_suppressed:,} of {n_records:,} records suppressed ({share:.2%}), "
        f"but the limit is {problem.max_suppression:.2%}",
        f"Raise max_suppression to {np.ceil(share * 10_000) / 10_000:g}, raise max_level, "
        "or ask for less.",
    )
