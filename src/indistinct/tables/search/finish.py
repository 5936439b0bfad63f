"""What is done once for every algorithm: join classes that read alike, and suppress others.

The suppression is decided here: which classes are not released, since they break a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows, merge_value_counts
from indistinct.errors import Fault, NoSolutionError, Way
from indistinct.tables.core.classes import Around, EquivalenceClasses, Region
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import Deadline, Problem, Progress, Solution
from indistinct.tables.core.recoding import Reading, Recoding, by_cover, inverse, read_as_labels
from indistinct.tables.search.algorithm import Algorithm, SearchResult
from indistinct.tables.search.lattice.feasibility import refuse_beyond_budget, rounded_up


def solve(
    algorithm: Algorithm,
    problem: Problem,
    deadline: Deadline,
    progress: Progress,
    reading: Reading = read_as_labels,
) -> Solution:
    """Let an algorithm find classes, and finish them; see :func:`finished`."""
    return finished(problem, algorithm.find(problem, deadline, progress), reading)


def finished(problem: Problem, found: SearchResult, reading: Reading = read_as_labels) -> Solution:
    """Make what an algorithm found a solution.

    Classes that read alike become one. Every class is judged, and one that fails a model is
    suppressed; then models of the whole release choose among the others.

    Parameters
    ----------
    reading : how a reader reads the cells

    Raises
    ------
    NoSolutionError
        when more records are suppressed than the policy allows
    """
    if found.groups_overlap:
        recoding = found.recoding
        refuse_beyond_budget(problem, recoding.n_suppressed, found.needs)
    else:
        recoding = decide_suppression(problem, joined(found.recoding, reading), found.needs)
    return Solution(recoding, {**found.facts, **found.of_release(recoding)})


def satisfies(problem: Problem, recoding: Recoding) -> bool:
    """Return whether a finished recoding of the same table is a solution of a problem."""
    if recoding.n_suppressed > problem.budget:
        return False
    classes = counted(problem, recoding)
    kept = problem.released_together(classes, recoding.released & problem.holds(classes))
    return bool(np.array_equal(kept, recoding.released))


def joined(recoding: Recoding, reading: Reading) -> Recoding:
    """Make one class of the released classes that nobody can tell apart.

    In each column it keeps the one that stands for all of them, see :func:`by_cover`.
    """
    texts = [
        _text_numbers(domain.labels, recoding.cells[:, column], column, reading)
        for column, domain in enumerate(recoding.domains)
    ]
    # A suppressed class has no text: each is alike to itself alone.
    apart = np.where(recoding.released, 0, np.arange(1, recoding.n_classes + 1))
    groups, first, sizes = group_rows(np.column_stack([*texts, apart]).astype(np.int32))
    if len(first) == recoding.n_classes:
        return recoding
    cells = np.empty((len(first), len(recoding.domains)), np.int32)
    is_same = np.ones(len(first), np.bool_)
    for column, domain in enumerate(recoding.domains):
        order = by_cover(domain)
        own = recoding.cells[:, column]
        cells[:, column] = order[_greatest(groups, inverse(order)[own], len(first))]
        np.logical_and.at(is_same, groups, own == own[first][groups])
    return replace(
        recoding,
        labels=groups[recoding.labels],
        cells=cells,
        released=recoding.released[first],
        regions=_regions_around(recoding, first, is_same),
        people=None if recoding.people is None else _greatest(groups, recoding.people, len(sizes)),
    )


def _text_numbers(
    labels: tuple[str, ...], cells: Codes, column: int, reading: Reading
) -> Codes | Ints:
    """Return a number per text that the cells of a column are read as: (n_classes,)."""
    used, places = np.unique(cells, return_inverse=True)
    chosen: list[int] = used.tolist()
    texts = reading(column, [labels[cell] for cell in chosen])
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts], np.int32)[places]


def _greatest(groups: Codes, values: Codes | Ints, n_groups: int) -> Ints:
    """Return the greatest value in each group: (n_groups,)."""
    found = np.full(n_groups, -1, np.int64)
    np.maximum.at(found, groups, values)
    return found


def _regions_around(
    recoding: Recoding, first: Codes, is_same: Bools
) -> Callable[[], Iterator[Region]] | None:
    """Return the supersets of classes after some were joined.

    Parameters
    ----------
    first : (n_joined,), one of the classes that each is made of
    is_same : (n_joined,), whether these had the same cells: then a box around one is around all
    """
    before = recoding.regions
    if before is None:
        return None
    owners = first.astype(np.int64)
    return lambda: (Around(region.parts, region.part_of, owners, is_same) for region in before())


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
                    code="too-many-suppressed-for-all",
                    parts={
                        "count": recoding.n_suppressed,
                        "of": problem.table.n_records,
                        "limit": problem.max_suppression,
                    },
                    ways=(
                        Way(("method", "algorithm"), "optimal"),
                        Way(
                            ("method", "max_suppression"),
                            rounded_up(recoding.n_suppressed / problem.table.n_records),
                        ),
                    ),
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
