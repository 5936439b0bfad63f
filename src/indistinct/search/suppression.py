"""Where the suppression is decided, once for every algorithm: which classes are not released."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.frequencies import ValueCounts
from indistinct.core.kernels import merge_value_counts
from indistinct.core.protocols import Problem
from indistinct.core.recoding import Recoding
from indistinct.errors import Fault, NoSolutionError
from indistinct.search.lattice.feasibility import refuse_beyond_budget


def decide_suppression(problem: Problem, recoding: Recoding, needs: str) -> Recoding:
    """Decide which classes are suppressed: those that fail a model, as far as the policy allows.

    Parameters
    ----------
    needs : what needs the suppression, in words for an error

    Raises
    ------
    NoSolutionError
        when more records are suppressed than the policy allows
    """
    classes = counted(problem, recoding)
    recoding = replace(recoding, released=recoding.released & problem.holds(classes))
    refuse_beyond_budget(problem, recoding.n_suppressed, needs)
    if not problem.reads_all_classes:
        return recoding
    return _decide_for_all_classes(problem, recoding, classes)


def _decide_for_all_classes(
    problem: Problem, recoding: Recoding, classes: EquivalenceClasses
) -> Recoding:
    """Decide which classes are suppressed for models of the whole release.

    Raises
    ------
    NoSolutionError
        when that suppresses more records than allowed
    """
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
    return recoding


def counted(problem: Problem, recoding: Recoding) -> EquivalenceClasses:
    """Count the classes of a recoding, suppressed ones included."""
    table = problem.table
    each = np.arange(len(recoding.labels) + 1, dtype=np.int64)
    counts = {
        name: ValueCounts(
            *merge_value_counts(
                recoding.labels,
                each,
                codes[recoding.tuples],
                recoding.weights,
                recoding.n_classes,
                table.sensitive[name].n_values,
            )
        )
        for name, codes in table.sensitive_codes.items()
    }
    return EquivalenceClasses(
        recoding.sizes,
        counts,
        table.sensitive,
        costs=_costs(problem, recoding) if problem.reads_all_classes else None,
        population=recoding.people,
        regions=recoding.regions,
    )


def _costs(problem: Problem, recoding: Recoding) -> Floats:
    """Return the mean loss of the cells of each class: (n_classes,)."""
    losses = [
        domain.losses[recoding.cells[:, column]] * problem.weights[column]
        for column, domain in enumerate(recoding.domains)
    ]
    return np.mean(losses, axis=0) if losses else np.zeros(recoding.n_classes)
