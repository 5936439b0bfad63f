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
from indistinct.search.invariant.assignment import assigned
from indistinct.search.invariant.exchange_kernels import Cells
from indistinct.search.invariant.grouping import first_ranks, grouped
from indistinct.search.invariant.standing import Groups, Standing
from indistinct.search.local.local_space import FORBIDDEN, LocalSpace, local_space


@dataclass(frozen=True, slots=True)
class Grouped:
    """Groups, and the cells that they are released with.

    Parameters
    ----------
    groups : who shares a group
    cells : (n_groups, n_columns), released cell, an index into ``domains``
    domains : per column, the cells it may be released as
    loss : mean loss of the people's cells, in [0, 1]
    """

    groups: Groups
    cells: Codes
    domains: tuple[CellDomain, ...]
    loss: float

    __repr__ = briefly


def group_people(  # noqa: PLR0913 - see Invariant.group
    problem: Problem,
    tuple_of_person: Codes,
    standing: Standing,
    m: int,
    *,
    fixed: bool,
    free: bool,
    n_passes: int,
    chance: RandomSource,
    deadline: Deadline,
    progress: Progress,
) -> Grouped:
    """Group the people of a version as their standing demands; see :class:`Invariant`."""
    space = local_space(problem)
    cells = cells_of(space, tuple_of_person)
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
    costs = cells.costs[found.labels]
    _refuse_forbidden(costs)
    n_real = max(int(found.real.sum()), 1)
    loss = float(costs.sum(axis=1) @ found.real) / n_real
    return Grouped(found, space.numbers[found.labels], space.domains, loss)


def cells_of(space: LocalSpace, tuple_of_person: Codes) -> Cells:
    """Give what each person may be released as."""
    items = space.items
    codes = np.ascontiguousarray(items.codes[tuple_of_person], np.int32)
    return Cells(codes, items.cells, items.offsets, items.costs)


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
