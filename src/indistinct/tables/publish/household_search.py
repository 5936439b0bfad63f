"""Search classes of whole households: one wide record each, generalized among those of its size.

A wide record has the household's own quasi-identifiers once and those of every member, the members
sorted by their numbers first, such as their age, and then by the other columns. Classes of wide
records are classes of households that are alike in all of their members.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Deadline, Problem, Progress, Solution
from indistinct.tables.core.recoding import Reading, Recoding, hierarchy_cells, inverse
from indistinct.tables.counting.objective import weighted_objective
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.frames.cell_numbers import is_numeric
from indistinct.tables.frames.tuples import classes_of_rows, count_tuples
from indistinct.tables.models import KAnonymity
from indistinct.tables.release.presentation import reading_of
from indistinct.tables.search import DEFAULT_ALGORITHM, algorithm_named
from indistinct.tables.search.finish import joined, solve


@dataclass(frozen=True, slots=True)
class WideRecords:
    """The households of one size.

    Parameters
    ----------
    rows : (n_households, size), the records of each, members in order
    columns : the quasi-identifier behind each column of a wide record
    codes : (n_households, n_wide), value codes
    n_own : columns of the household itself, which come first
    """

    rows: Ints
    columns: tuple[int, ...]
    codes: Codes
    n_own: int

    __repr__ = short_repr

    @property
    def size(self) -> int:
        """Members of each household."""
        return self.rows.shape[1]


def search_households(
    prepared: Prepared,
    households: Ints,
    progress: Progress,
    deadline: Deadline,
    chance: RandomSource,
) -> tuple[Solution, float]:
    """Search classes of households; those of a size that fewer than k households have vanish.

    Parameters
    ----------
    households : (n_rows,), number of the household of each record
    chance : says which of equal households goes to which class

    Returns
    -------
    a recoding with an item for each record, in their order, and the seconds it took

    Raises
    ------
    NoSolutionError
        when more records would vanish than the policy allows
    """
    started = time.perf_counter()
    problem = prepared.problem
    domains = tuple(
        hierarchy_cells(hierarchy.with_root(), problem.table.value_weights(column))
        for column, hierarchy in enumerate(problem.hierarchies)
    )
    labels = np.zeros(len(households), np.int32)  # the class of those that vanish
    cells = [np.array([[len(domain.labels) - 1 for domain in domains]], np.int32)]
    n_classes = 1
    k = _least_households(prepared)
    for wide in _wide_records(prepared, households):
        if len(wide.rows) < k:
            continue
        found, classes = _classes_of(prepared, wide, k, progress, deadline, chance)
        labels[wide.rows] = n_classes + classes[:, None] * wide.size + np.arange(wide.size)
        cells.append(_member_cells(found, wide))
        n_classes += found.n_classes * wide.size
    released = np.arange(n_classes) > 0
    recoding = Recoding(
        prepared.tuple_of_row,
        labels,
        np.ones(len(labels), np.int64),
        np.concatenate(cells),
        released,
        domains,
    )
    _refuse_beyond_the_limit(problem, recoding, k)
    recoding = joined(recoding, reading_of(prepared))
    return Solution(recoding, {}), time.perf_counter() - started


def _least_households(prepared: Prepared) -> int:
    """Return how many households have to be alike."""
    return max(model.k for model in prepared.spec.models if isinstance(model, KAnonymity))


def _refuse_beyond_the_limit(problem: Problem, recoding: Recoding, k: int) -> None:
    """Refuse to leave out more records than the policy allows."""
    gone, total = recoding.n_suppressed, recoding.n_records
    if gone > problem.budget or gone == total:
        raise NoSolutionError(
            f"{gone:,} of {total:,} records ({gone / total:.2%}) are in households of a size that "
            f"fewer than {k} households have, but the limit is {problem.max_suppression:.2%}",
            "Raise method.max_suppression, or lower k.",
        )


def _wide_records(prepared: Prepared, households: Ints) -> list[WideRecords]:
    """Return the households of each size, small ones first."""
    rules = prepared.spec.class_rules
    own = [at for at, rule in enumerate(rules) if rule.words.level == "household"]
    others = [at for at in range(len(rules)) if at not in own]
    others.sort(key=lambda at: not is_numeric(prepared.frame[rules[at].name]))
    codes = prepared.problem.table.codes[prepared.tuple_of_row]
    order = np.lexsort((*(codes[:, at] for at in reversed(others)), households))
    starts = np.flatnonzero(np.diff(households[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    found: list[WideRecords] = []
    for size in np.unique(sizes).tolist():
        rows = order[starts[sizes == size][:, None] + np.arange(size)]
        members = codes[rows][:, :, others].reshape(len(rows), -1)
        wide = np.concatenate([codes[rows[:, 0]][:, own], members], axis=1)
        found.append(WideRecords(rows, (*own, *(others * size)), wide, len(own)))
    return found


def _classes_of(  # noqa: PLR0913, PLR0917 - what one search needs
    prepared: Prepared,
    wide: WideRecords,
    k: int,
    progress: Progress,
    deadline: Deadline,
    chance: RandomSource,
) -> tuple[Recoding, Codes]:
    """Search classes among the households of one size; return the class of each household."""
    names = [str(at) for at in range(len(wide.columns))]
    counted = count_tuples(dict(zip(names, wide.codes.T, strict=True)), {}, {}, len(wide.codes))
    problem = _problem_of(prepared, wide, k)
    records = {
        at: np.bincount(wide.codes[:, at], minlength=len(problem.hierarchies[at].values))
        for at in range(len(names))
    }
    table = replace(counted.table, value_records=records)
    words = prepared.spec.method.model_dump() | prepared.spec.release.model_dump()
    algorithm = algorithm_named(DEFAULT_ALGORITHM.name, words)
    reading = _reading_of(prepared, wide.columns)
    try:
        solution = solve(algorithm, replace(problem, table=table), deadline, progress, reading)
    except NoSolutionError:
        raise NoSolutionError(
            "some households cannot be made like others at the levels that the policy allows",
            "Raise max_level of the quasi-identifiers, or lower k.",
        ) from None
    order = chance.apart(f"which of equal households of {wide.size}").permutation(len(wide.codes))
    classes = classes_of_rows(solution.recoding, counted.tuple_of_row[order])
    return solution.recoding, classes[inverse(order)]


def _problem_of(prepared: Prepared, wide: WideRecords, k: int) -> Problem:
    """Return the problem of the households of one size, all but its table.

    A cell of the household stands in the record of each of its members.
    """
    problem, columns = prepared.problem, wide.columns
    shares = [
        problem.weights[at] / (1 if place < wide.n_own else wide.size)
        for place, at in enumerate(columns)
    ]
    weights = tuple(share / max(shares) for share in shares)
    return replace(
        problem,
        hierarchies=tuple(problem.hierarchies[at] for at in columns),
        numbers=(None,) * len(columns),
        min_levels=tuple(problem.min_levels[at] for at in columns),
        max_levels=tuple(problem.max_levels[at] for at in columns),
        models=(KAnonymity(k=k),),
        objective=weighted_objective(prepared.spec.method, weights),
        max_suppression=0.0,
        weights=weights,
        without_root=frozenset(
            place for place, at in enumerate(columns) if at in problem.without_root
        ),
    )


def _reading_of(prepared: Prepared, columns: Sequence[int]) -> Reading:
    """Return how a reader reads the cells of wide records."""
    read = reading_of(prepared)
    return lambda place, labels: read(columns[place], labels)


def _member_cells(found: Recoding, wide: WideRecords) -> Codes:
    """Return the cells of each member of each class: (n_classes * size, n_columns)."""
    n_columns = len(set(wide.columns))
    cells = np.empty((found.n_classes, wide.size, n_columns), np.int32)
    own, others = wide.columns[: wide.n_own], wide.columns[wide.n_own :]
    for place, at in enumerate(own):
        cells[:, :, at] = found.cells[:, place, None]
    for place, at in enumerate(others):
        member = place // (len(others) // wide.size)
        cells[:, member, at] = found.cells[:, wide.n_own + place]
    return cells.reshape(-1, n_columns)
