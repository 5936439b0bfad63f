"""Hold any recoding to the models that judge all released classes together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses, classes_of
from indistinct.core.protocols import Problem, Scope, Solution
from indistinct.core.recoding import Recoding
from indistinct.errors import Fault, NoSolutionError


def released_together(problem: Problem, solution: Solution) -> Solution:
    """Suppress the classes that models of the whole release want suppressed.

    Algorithms that judge such models themselves have left nothing to do.

    Raises
    ------
    NoSolutionError
        when that suppresses more records than allowed
    """
    if not problem.reads_all_classes:
        return solution
    recoding = solution.recoding
    classes = replace(_classes(problem, recoding), costs=_costs(problem, recoding))
    kept = problem.released_together(classes, recoding.released)
    recoding = replace(recoding, released=kept)
    if recoding.n_suppressed > problem.budget:
        raise NoSolutionError(
            [
                Fault(
                    "method.max_suppression",
                    f"the models of the whole release need {recoding.n_suppressed:,} of "
                    f"{problem.table.n_records:,} records suppressed, but the limit is "
                    f"{problem.max_suppression:.2%}",
                    'Raise max_suppression, ask for less, or choose algorithm = "optimal", which '
                    "looks for a recoding that needs fewer.",
                )
            ]
        )
    return replace(solution, recoding=recoding)


def _classes(problem: Problem, recoding: Recoding) -> EquivalenceClasses:
    """Count the classes of a recoding, and the values in them where some such model reads them."""
    if not any(model.columns for model in problem.models if model.scope is Scope.TABLE):
        return EquivalenceClasses(recoding.sizes)
    items = problem.table.chosen(recoding.tuples, recoding.weights)
    return classes_of(items, recoding.labels, recoding.n_classes)


def _costs(problem: Problem, recoding: Recoding) -> Floats:
    """Give the mean loss of the cells of each class: (n_classes,)."""
    losses = [
        domain.losses[recoding.cells[:, column]] * problem.weights[column]
        for column, domain in enumerate(recoding.domains)
    ]
    return np.mean(losses, axis=0) if losses else np.zeros(recoding.n_classes)
