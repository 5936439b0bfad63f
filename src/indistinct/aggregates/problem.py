"""What a search for hidden cells may know: values, what readers know of them, and costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.aggregates.equations import Equations, connected
from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr

PAIR = 2  # cells of an equation that move alike
UNLIMITED = 2**53  # an upper bound that no reader knows


@dataclass(frozen=True, slots=True)
class SuppressionProblem:
    """Cells, of which some have to be hidden so that each can move away from its value.

    Parameters
    ----------
    values : (n_cells,), whole numbers that solve the equations
    lower, upper : (n_cells,), what a reader knows of each at least and at most
    costs : (n_cells,), of hiding, at least 0
    needs : (n_cells,), by how much a reader must believe that each may be larger; 0 for no need
    down : (n_cells,), the same for smaller values
    may_hide : (n_cells,), which cells may be hidden
    equations : over the cells
    """

    values: Ints
    lower: Ints
    upper: Ints
    costs: Floats
    needs: Ints
    down: Ints
    may_hide: Bools
    equations: Equations

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Reduced:
    """A problem over variables: cells that always move alike are one, and others cannot move.

    Parameters
    ----------
    problem : over the variables, all of which may be hidden
    variable : (n_cells,), of each cell; -1 where it cannot move
    """

    problem: SuppressionProblem
    variable: Ints

    __repr__ = short_repr

    def stuck(self, original: SuppressionProblem) -> Ints:
        """Return the cells that need to move and cannot."""
        has_need = (original.needs > 0) | (original.down > 0)
        return np.flatnonzero(has_need & (self.variable < 0))


def reduced(problem: SuppressionProblem) -> Reduced:
    """Leave out what cannot move, and join what moves alike."""
    movable = _movable(problem)
    cells = np.flatnonzero(movable)
    equations = problem.equations.among(cells)
    groups = _moving_alike(equations)
    n = int(groups.max(initial=-1)) + 1
    variable = np.full(len(problem.values), -1, np.int64)
    variable[cells] = groups
    costs = np.bincount(groups, problem.costs[cells], n).astype(np.float64)

    def of_groups(merge: np.ufunc, start: int, values: Ints) -> Ints:
        found = np.full(n, start, np.int64)
        merge.at(found, groups, values[cells])
        return found

    # Cells of a group differ by what is shown. What they have in common is how far they can move.
    below = of_groups(np.minimum, UNLIMITED, problem.values - problem.lower)
    above = of_groups(np.minimum, UNLIMITED, problem.upper - problem.values)
    values = of_groups(np.maximum, 0, problem.values)
    return Reduced(
        SuppressionProblem(
            values,
            values - below,
            np.where(above < UNLIMITED // 2, values + above, UNLIMITED),
            costs,
            of_groups(np.maximum, 0, problem.needs),
            of_groups(np.maximum, 0, problem.down),
            np.ones(n, np.bool_),
            _distinct(equations.renumbered(groups, n)),
        ),
        variable,
    )


def _movable(problem: SuppressionProblem) -> Bools:
    """Return which cells no equation determines once all that may be hidden is hidden."""
    movable, equations = problem.may_hide.copy(), problem.equations
    rows = equations.rows
    while True:
        counts = np.bincount(rows, movable[equations.cells], equations.n_rows)
        single = (counts == 1)[rows] & movable[equations.cells]
        if not single.any():
            return movable
        movable[equations.cells[single]] = False


def _moving_alike(equations: Equations) -> Ints:
    """Return the group of each cell: a parent with one child that may move does as the child."""
    lengths = np.diff(equations.starts)
    firsts = equations.starts[:-1][lengths == PAIR]
    is_pair = equations.signs[firsts] != equations.signs[firsts + 1]
    firsts = firsts[is_pair]
    cells = equations.cells
    return connected(cells[firsts], cells[firsts + 1], equations.n_cells)


def _distinct(equations: Equations) -> Equations:
    """Leave out equations that say nothing, or what another one says."""
    seen: set[tuple[bytes, bytes]] = set()
    kept: list[int] = []
    cells, signs = list[Ints](), list[Ints]()
    for row in range(equations.n_rows):
        span = slice(equations.starts[row], equations.starts[row + 1])
        own, back = np.unique(equations.cells[span], return_inverse=True)
        sums = np.bincount(back, equations.signs[span]).astype(np.int64)
        own, sums = own[sums != 0], sums[sums != 0]
        if len(own) and sums[0] < 0:
            sums = -sums
        key = (own.tobytes(), sums.tobytes())
        if len(own) and key not in seen:
            seen.add(key)
            kept.append(len(own))
            cells.append(own)
            signs.append(sums)
    starts = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    empty = np.zeros(0, np.int64)
    return Equations(
        starts.astype(np.int64),
        np.concatenate([empty, *cells]),
        np.concatenate([empty, *signs]),
        equations.n_cells,
    )
