"""Why no release satisfies a policy, and what would."""

from __future__ import annotations

import numpy as np

from indistinct.core.classes import classes_of
from indistinct.core.protocols import Problem
from indistinct.errors import Fault
from indistinct.table.algorithms.lattice import Lattice


def no_solution(problem: Problem) -> list[Fault]:
    """Say which models the whole table as one class fails, and what suppression would do."""
    whole = classes_of(problem.table, np.zeros(problem.table.n_tuples, np.int32), 1)
    faults = [
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
    if faults:
        return faults
    lattice = Lattice(problem)
    checked = lattice.check(lattice.top)
    n_records = problem.table.n_records
    share = checked.n_suppressed / n_records
    return [
        Fault(
            "method.max_suppression",
            f"the most general release allowed still needs {checked.n_suppressed:,} of "
            f"{n_records:,} records suppressed ({share:.2%}), but the limit is "
            f"{problem.max_suppression:.2%}",
            f"Raise max_suppression to {np.ceil(share * 10_000) / 10_000:g}, raise max_level, "
            "or ask for less.",
        )
    ]
