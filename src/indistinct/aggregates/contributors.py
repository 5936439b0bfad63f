"""Contributors as readers: whoever is alone in a hidden cell knows it, and may work out others.

Somebody who is alone in a cell knows that it is 1; in every other cell that she is counted in, she
knows that somebody is. For each small cell, a move has to remain that changes none of her own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from indistinct.aggregates.equations import ranges
from indistinct.aggregates.family import Family
from indistinct.aggregates.problem import Reduced, SuppressionProblem, reduced
from indistinct.aggregates.suppression import Move, Need, Suppression
from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr

PRICE_OF_LONE = 29.0


@dataclass(frozen=True, slots=True)
class Repair:
    """What was found about contributors.

    Parameters
    ----------
    proofs : per need, moves in whole numbers: each contributor who is alone somewhere leaves one
        of them as it is
    n_added : needs for which further cells were hidden
    open_needs : needs and contributors for which nothing was found
    """

    proofs: dict[Need, list[Move]]
    n_added: int
    open_needs: list[tuple[Need, int]]

    __repr__ = short_repr


class Contributors:
    """Who is alone in which variables of a problem."""

    def __init__(self, family: Family, whole: Reduced) -> None:
        lone = np.flatnonzero((family.alone >= 0) & (whole.variable >= 0))
        pairs = np.unique(np.stack([family.alone[lone], whole.variable[lone]]), axis=1)
        self._groups, self._variables = pairs[0], pairs[1]
        order = np.argsort(pairs[1], kind="stable")
        self._by_variable = pairs[0][order]
        n = len(whole.problem.values)
        counts = np.bincount(pairs[1], minlength=n)
        self._starts = np.concatenate([[0], np.cumsum(counts)])

    def alone_in(self, variables: Ints) -> Ints:
        """Return the groups of whoever is alone in some variables, each once."""
        starts = self._starts[variables]
        return np.unique(self._by_variable[ranges(starts, self._starts[variables + 1] - starts)])

    def n_alone_in(self, variables: Ints) -> Ints:
        """Count who is alone in each variable: (n_variables,)."""
        return self._starts[variables + 1] - self._starts[variables]

    def variables_of(self, group: int) -> Ints:
        """Return the variables that somebody is alone in, sorted."""
        first, last = np.searchsorted(self._groups, [group, group + 1])
        return self._variables[first:last]


def repaired(search: Suppression, contributors: Contributors, known: SuppressionProblem) -> Repair:
    """Hide more cells until every need is met against every contributor.

    Cells that hold nobody, or nobody but her, are excepted: whoever is alone in a row knows that
    its other cells are empty, whatever is hidden.

    Parameters
    ----------
    search : its hidden cells meet every need against outsiders
    known : the same problem, as whoever is counted in all of its cells knows it
    """
    inside = _Inside(search, contributors, known)
    found = Repair({}, 0, [])
    n_added = 0
    for need in search.needs:
        if not known.values[need.cell]:
            continue
        moves, added, open_needs = inside.proofs_of(need)
        found.proofs[need] = moves
        found.open_needs.extend(open_needs)
        n_added += added
    return replace(found, n_added=n_added)


class _Inside:
    """The search for moves that contributors cannot exclude."""

    def __init__(
        self, search: Suppression, contributors: Contributors, known: SuppressionProblem
    ) -> None:
        self._contributors = contributors
        self._search = Suppression(known)
        self._search.pattern.hidden = search.pattern.hidden  # one pattern, seen by both
        # Moves that avoid cells with somebody alone have fewer readers who exclude them.
        n_alone = contributors.n_alone_in(np.arange(len(known.values)))
        self._prices = np.where(n_alone > 0, 1.0 + PRICE_OF_LONE, 1.0)
        self._needs = {need.cell: need for need in search.needs}
        self._meeting: dict[int, list[Move]] = {}

    def proofs_of(self, need: Need) -> tuple[list[Move], int, list[tuple[Need, int]]]:
        """Find moves for a need, one of which leaves alone what each contributor is alone in."""
        move, added = self._move(need, None)
        if move is None:
            return [], added, [(need, -1)]
        moves, missing = [move], list[tuple[Need, int]]()
        own = set(self._contributors.alone_in(np.array([need.cell])).tolist())
        for group in self._contributors.alone_in(move.cells).tolist():
            if group in own:
                continue  # she is alone in the cell itself
            frozen = self._contributors.variables_of(group)
            if any(_leaves(one, frozen) for one in moves):
                continue
            other, more = self._move(need, frozen)
            added += more
            if other is None:
                missing.append((need, group))
            else:
                moves.append(other)
        return moves, added, missing

    def _move(self, need: Need, frozen: Ints | None) -> tuple[Move | None, int]:
        """Find a move of hidden cells, or hide more; return it, and whether more is hidden."""
        known = [
            one
            for one in self._meeting.get(need.cell, ())
            if frozen is None or _leaves(one, frozen)
        ]
        if known:
            return min(known, key=self._n_readers), 0
        move, added = self._search.short_move(need, frozen, self._prices), 0
        if move is None:
            move, added = self._search.hide_for(need, frozen), 1
        if move is not None:
            self._remember(move)
        return move, added

    def _n_readers(self, move: Move) -> int:
        """Count who is alone in a cell that a move changes."""
        return int(self._contributors.n_alone_in(move.cells).sum())

    def _remember(self, move: Move) -> None:
        """Keep a move for all needs that it meets."""
        for cell in move.cells[move.changes > 0].tolist():
            need = self._needs.get(cell)
            if need is not None and move.meets(need):
                self._meeting.setdefault(cell, []).append(move)


def _leaves(move: Move, cells: Ints) -> bool:
    """Return whether a move changes none of some cells."""
    places = np.searchsorted(move.cells, cells)
    places[places == len(move.cells)] = 0
    return not bool((move.cells[places] == cells).any())


def known_inside(problem: SuppressionProblem) -> Reduced:
    """Return a problem as contributors know it: where anybody is, they take nobody away.

    It asks for a little more than each contributor by herself would: she is not in all cells.
    """
    lower = np.maximum(problem.lower, np.minimum(problem.values, 1))
    return reduced(replace(problem, lower=lower))


def moves_of(repair: Repair) -> Iterable[Move]:
    """Return every move of a repair, each once."""
    found = {id(move): move for moves in repair.proofs.values() for move in moves}
    return found.values()
