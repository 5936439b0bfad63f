"""Release sets of items, in larger classes where sets lose more in small ones than they gain.

Sets are made inside of each class, so that somebody who knows the other quasi-identifiers and some
items finds k records. In a class of few records nearly every pair of items is rare. Source:
poulis2013, who merge classes while the sum of both losses falls. Here the search itself is asked
for classes of four times the size, again and again, which keeps its cells as fine as it can. All
sizes are tried, since the sum may rise before it falls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Problem, Solution, no_progress
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.models import SetModel
from indistinct.tables.publish.forms.form import FormInput
from indistinct.tables.publish.forms.table import in_classes
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.searching import search
from indistinct.tables.publish.sets import with_sets

GROWTH = 4
CLASS_SIZE = "least_class"  # the fact that says how large classes had to be for the sets
OF_THE_POLICY = ("lower_bound", "alternative", "instead_of")  # facts that no class size changes


def with_sets_in_classes(given: FormInput, prepared: Prepared, solution: Solution) -> NoisyRecoding:
    """Publish the sets inside of the classes, in classes so large that both lose least together.

    Raises
    ------
    NoSolutionError
        when no size of the classes lets the sets keep as much as the policy asks
    """
    noised = in_classes(prepared, solution, given.chance)
    if not prepared.spec.class_names:
        return with_sets(prepared, noised)

    def search_classes(problem: Problem) -> NoisyRecoding:
        again = replace(prepared, problem=problem)
        found, _ = search(again, no_progress, given.deadline, given.chance)
        return in_classes(prepared, found, given.chance)

    best: NoisyRecoding | None = None
    refusals: list[NoSolutionError] = []
    for one in _of_growing_classes(prepared, noised, search_classes):
        try:
            found = with_sets(prepared, one)
        except NoSolutionError as error:
            refusals.append(error)
            continue
        if best is None or loss_together(prepared, found) < loss_together(prepared, best):
            best = found
    if best is None:
        raise refusals[0]
    return best


def _of_growing_classes(
    prepared: Prepared,
    noised: NoisyRecoding,
    search: Callable[[Problem], NoisyRecoding],
) -> Iterator[NoisyRecoding]:
    """Yield the classes of the size that the policy asks for, and then larger ones."""
    yield noised
    given = noised.solution.facts
    facts = {name: given[name] for name in OF_THE_POLICY if name in given}
    size = GROWTH * max(model.least_size for model in prepared.spec.models)
    while size <= prepared.problem.table.n_records:
        try:
            found = search(_with_larger_classes(prepared.problem, size))
        except NoSolutionError:
            return
        own = {n: fact for n, fact in found.solution.facts.items() if n not in OF_THE_POLICY}
        solution = replace(found.solution, facts={**own, **facts, CLASS_SIZE: size})
        yield replace(found, solution=solution)
        size *= GROWTH


def loss_together(prepared: Prepared, noised: NoisyRecoding) -> float:
    """Return the mean penalty of a record: each column of the classes by its weight, and the sets.

    A suppressed record costs everything.
    """
    recoding, weights = noised.solution.recoding, prepared.problem.weights
    n_released = recoding.n_records - recoding.n_suppressed
    columns = recoding.released_sums(lambda domain: domain.penalties)
    greatest = max(
        prepared.spec.columns[name].words.importance_number for name in prepared.spec.class_names
    )
    of_sets = [
        (prepared.spec.columns[name].words.importance_number / greatest, one.entry.loss or 0.0)
        for name, one in noised.sets.items()
    ]
    lost = float(columns @ np.array(weights)) + n_released * sum(w * loss for w, loss in of_sets)
    whole = sum(weights) + sum(weight for weight, _ in of_sets)
    return (lost + recoding.n_suppressed * whole) / max(recoding.n_records, 1) / whole


def _with_larger_classes(problem: Problem, size: int) -> Problem:
    """Ask for classes of at least so many records."""
    return replace(
        problem,
        models=tuple(
            replace(model, k=size) if isinstance(model, SetModel) else model
            for model in problem.models
        ),
    )
