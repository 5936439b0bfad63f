"""From a counted table and what earlier releases demand to groups with their cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Codes
from indistinct.core.brief import briefly
from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.core.randomness import RandomSource
from indistinct.core.recoding import CellDomain
from indistinct.errors import Fault, NoSolutionError
from indistinct.search.cuts.ranked import RankedNumbers
from indistinct.search.invariant.assignment import assigned
from indistinct.search.invariant.exchange_kernels import Cells
from indistinct.search.invariant.grouping import first_ranks, grouped
from indistinct.search.invariant.standing import NOBODY, Groups, Standing
from indistinct.search.local.local_space import FORBIDDEN, LocalSpace, local_space


@dataclass(frozen=True, slots=True)
class Grouped:
    """Groups, and the cells that they are released with.

    Parameters
    ----------
    groups : who shares a group
    cells : (n_groups, n_columns), released cell, an index into ``domains``
    domains : per column, the cells it may be released as
    """

    groups: Groups
    cells: Codes
    domains: tuple[CellDomain, ...]

    __repr__ = briefly


def group_people(  # noqa: PLR0913 - see Invariant.group
    problem: Problem,
    tuple_of_person: Codes,
    standing: Standing,
    m: int,
    *,
    fixed: bool,
    free: bool,
    shows_labels: bool,
    n_passes: int,
    chance: RandomSource,
    deadline: Deadline,
    progress: Progress,
) -> Grouped:
    """Group the people of a version as their standing demands; see :class:`Invariant`."""
    space = local_space(problem)
    cells = cells_of(problem, space, tuple_of_person)
    random = np.random.default_rng(chance.apart("invariant").words(4))
    draft = assigned(standing, m, first_ranks(cells), random, fixed=fixed)

    def goes_on(share: float) -> bool:
        progress(share, "exchanging")
        return not deadline.passed

    found = grouped(
        standing,
        draft,
        cells,
        n_passes=n_passes,
        changes_signatures=free or fixed,
        chance=random,
        goes_on=goes_on,
    )
    is_labelled = cells.scales == 0
    if shows_labels:
        _refuse_forbidden(cells.costs[found.labels[:, is_labelled]])
    released, domains = space.numbers[found.labels], list(space.domains)
    for column in np.flatnonzero(~is_labelled).tolist():
        domains[column], released[:, column] = _ranges(problem, column, cells, found)
    return Grouped(found, released, tuple(domains))


def cells_of(problem: Problem, space: LocalSpace, tuple_of_person: Codes) -> Cells:
    """Give what each person may be released as."""
    items = space.items
    codes = np.ascontiguousarray(items.codes[tuple_of_person], np.int32)
    numbers = np.zeros(codes.shape)
    scales, wholes = np.zeros(codes.shape[1]), np.zeros(codes.shape[1])
    for column, known in enumerate(problem.numbers):
        if known is None:
            continue
        width = float(np.nanmax(known) - np.nanmin(known)) if np.isfinite(known).any() else 0.0
        wholes[column] = problem.weights[column] / len(wholes)
        scales[column] = wholes[column] / (width or 1.0)
        numbers[:, column] = known[codes[:, column]]
    return Cells(codes, items.cells, items.offsets, items.costs, numbers, scales, wholes)


def _ranges(
    problem: Problem, column: int, cells: Cells, groups: Groups
) -> tuple[CellDomain, Codes]:
    """Give the cells of a column that is released in ranges, and the one of each group."""
    hierarchy, numbers = problem.hierarchies[column], problem.numbers[column]
    if numbers is None:
        raise TypeError("the column has no numbers")
    ranked = RankedNumbers.of(numbers, hierarchy.values)
    stands = groups.members != NOBODY
    ranks = ranked.ranks[cells.codes[groups.members[stands], column]]
    starts = np.concatenate([[0], np.cumsum(groups.real)[:-1]]).astype(np.int64)
    return ranked.release(
        np.minimum.reduceat(ranks, starts),
        np.maximum.reduceat(ranks, starts),
        problem.table.value_weights(column),
    )


def _refuse_forbidden(costs: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    """Refuse groups whose people differ more than the policy's levels allow to hide."""
    n_groups = int((costs >= FORBIDDEN).any(axis=1).sum())
    if n_groups:
        raise NoSolutionError(
            [
                Fault(
                    "columns",
                    f"max_level is too low for {n_groups} of {len(costs)} groups",
                    "Raise max_level: m-invariance cannot suppress the people of a group.",
                )
            ]
        )
