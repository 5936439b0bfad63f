"""Secondary suppression: which further cells have to be hidden so that nobody works out the others.

Each need is met by a *move*: changes of cells that leave all sums as they are. All cells that move
are hidden; a reader cannot tell the true values from the moved ones.

Source: fischetti2001, section 4, as a sequence of linear models.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from indistinct.aggregates.equations import Equations, Neighbors, up_and_down
from indistinct.aggregates.problem import UNLIMITED, SuppressionProblem
from indistinct.aggregates.solver import INFINITE, NEAR, LinearModel, SolverAnswer
from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr

TINY = 1e-3  # price of moving a cell that is hidden anyway: short moves are whole more often
ROUNDS_OF_SETTLING = 4
HALF = 0.5
SETTLE_EACH = 5  # needs that are met one by one
MODELS_OF_IMPROVING = 150
LARGE = 20_000  # variables, above which a move is first looked for near its cell
NEARBY = 1_500
WALKS = (150, 1_000, 10**9)  # cells in which a short move is looked for
NODES = 2_000  # of each search in whole numbers
UP, DOWN = 1, -1


class Need(NamedTuple):
    """A cell that has to move by some amount, up or down."""

    cell: int
    sign: int
    amount: int


@dataclass(frozen=True, slots=True)
class Move:
    """Changes of some cells that leave all sums as they are."""

    cells: Ints
    changes: Floats

    __repr__ = short_repr

    @property
    def is_whole(self) -> bool:
        """Whether all changes are whole numbers."""
        return bool((np.abs(self.changes - np.rint(self.changes)) < NEAR).all())

    def meets(self, need: Need) -> bool:
        """Return whether it moves a cell far enough."""
        place = np.searchsorted(self.cells, need.cell)
        is_there = place < len(self.cells) and self.cells[place] == need.cell
        return bool(is_there) and self.changes[place] * need.sign >= need.amount - NEAR

    @classmethod
    def of(cls, changes: Floats, cells: Ints | None = None) -> Move:
        """Return the move that changes what is not zero."""
        places = np.flatnonzero(np.abs(changes) > NEAR)
        return cls(places if cells is None else cells[places], changes[places])


class MoveModel:
    """The cheapest move of some cells, all others staying as they are; solved again and again.

    A change is a way up less a way down, each with its price.

    Parameters
    ----------
    problem : over its variables
    neighbors : which of its cells stand in one equation
    cells : (n_chosen,), sorted, those that may move
    nodes : where changes have to be whole, most nodes of the search for them
    """

    def __init__(
        self,
        problem: SuppressionProblem,
        neighbors: Neighbors,
        cells: Ints,
        *,
        nodes: int | None = None,
    ) -> None:
        self.cells, n = cells, len(cells)
        self.up = room_above(problem, cells)
        self.down = (problem.values - problem.lower)[cells].astype(np.float64)
        self._model = LinearModel(
            up_and_down(neighbors.among(cells)),
            np.zeros(2 * n),
            np.concatenate([self.up, self.down]),
            np.zeros(2 * n),
            whole=None if nodes is None else np.ones(2 * n, np.bool_),
            nodes=nodes or 0,
        )

    def cheapest(self, need: Need, prices: Floats, frozen: Ints | None = None) -> Move | None:
        """Return the cheapest move that meets a need; None where none is found.

        Parameters
        ----------
        prices : (n_chosen,), of moving each cell by one
        frozen : cells that must not move
        """
        n, place = len(self.cells), int(np.searchsorted(self.cells, need.cell))
        if (self.up if need.sign > 0 else self.down)[place] < need.amount:
            return None
        still = self._columns_of(frozen)
        self._model.set_bounds(still, np.zeros(len(still)), np.zeros(len(still)))
        self._model.set_costs(np.concatenate([prices, prices]))
        columns = np.array([place, place + n])
        fixed = [need.amount, 0] if need.sign > 0 else [0, need.amount]
        bounds = np.array(fixed, np.float64)
        self._model.set_bounds(columns, bounds, bounds)
        found = None
        if self._model.solve() is SolverAnswer.OPTIMAL:
            values = self._model.values
            found = Move.of(values[:n] - values[n:], self.cells)
        room = np.concatenate([self.up, self.down])
        changed = np.append(columns, still)
        self._model.set_bounds(changed, np.zeros(len(changed)), room[changed])
        return found

    def _columns_of(self, cells: Ints | None) -> Ints:
        """Return both columns of the cells that are among those of the model."""
        if cells is None or not len(cells):
            return np.zeros(0, np.int64)
        own = np.flatnonzero(np.isin(self.cells, cells))
        return np.concatenate([own, own + len(self.cells)])


@dataclass
class Pattern:
    """The cells that are hidden, and a move for each need.

    Parameters
    ----------
    problem : over its variables
    hidden : (n_cells,), which cells are hidden
    proofs : per need, the move that meets it
    """

    problem: SuppressionProblem
    hidden: Bools
    proofs: dict[Need, Move] = field(default_factory=dict[Need, Move])

    __repr__ = short_repr

    @property
    def cost(self) -> float:
        """Return what hiding costs."""
        return float(self.problem.costs[self.hidden].sum())

    def accept(self, move: Move, open_needs: Iterable[Need]) -> list[Need]:
        """Hide what a move changes; return the needs that stay open."""
        self.hidden[move.cells] = True
        still: list[Need] = []
        for need in open_needs:
            if move.meets(need):
                self.proofs[need] = move
            else:
                still.append(need)
        return still


class Suppression:
    """A search for a cheap pattern; it can be continued with further needs.

    Parameters
    ----------
    problem : over its variables
    seed : of all random choices
    """

    def __init__(self, problem: SuppressionProblem, seed: int = 1) -> None:
        self.problem = problem
        self.chance = np.random.default_rng(seed)
        self.neighbors = Neighbors.of(problem.equations)
        self.pattern = Pattern(problem, (problem.needs > 0) | (problem.down > 0))
        self._whole: MoveModel | None = None
        self._models_left = 0
        self.needs = [*_needs(problem.needs, UP), *_needs(problem.down, DOWN)]

    def meet(self, needs: Sequence[Need]) -> list[Need]:
        """Hide more cells until a move meets every need; return those that nothing meets."""
        self.pattern.hidden[[need.cell for need in needs]] = True
        waiting = self._settled(sorted(needs, key=lambda need: -need.amount))
        impossible: list[Need] = []
        n_met = 0
        while waiting:
            need = waiting.pop(0)
            move = self._cheapest(need, self._prices())
            if move is None:
                impossible.append(need)
                continue
            self.pattern.proofs[need] = move
            waiting = self.pattern.accept(move, waiting)
            n_met += 1
            if n_met % SETTLE_EACH == 0:
                waiting = self._settled(waiting)
        return impossible

    def _prices(self) -> Floats:
        """Return the price of moving each cell by one: tiny where it is hidden anyway."""
        return np.where(self.pattern.hidden, 0.0, self.problem.costs) + TINY

    def _cheapest(self, need: Need, prices: Floats, frozen: Ints | None = None) -> Move | None:
        """Return the cheapest move for a need; in a large problem, one near its cell."""
        if len(self.problem.values) > (NEARBY if self._models_left > 0 else LARGE):
            cells = self.neighbors.around(need.cell, NEARBY)
            near = MoveModel(self.problem, self.neighbors, cells).cheapest(
                need, prices[cells], frozen
            )
            if near is not None:
                return near
        if self._whole is None:
            self._whole = MoveModel(
                self.problem, self.neighbors, np.arange(len(self.problem.values))
            )
        return self._whole.cheapest(need, prices, frozen)

    def hide_for(self, need: Need, frozen: Ints | None = None) -> Move | None:
        """Hide what the cheapest move for a need takes, in whole numbers; None if none is found.

        Parameters
        ----------
        frozen : cells that must not move
        """
        prices = self._prices()
        found = self._cheapest(need, prices, frozen)
        if found is not None and not found.is_whole:
            cells = self.neighbors.around(need.cell, NEARBY)
            model = MoveModel(self.problem, self.neighbors, cells, nodes=NODES)
            found = model.cheapest(need, prices[cells], frozen)
        if found is not None:
            self.pattern.hidden[found.cells] = True
        return found

    def short_move(
        self, need: Need, frozen: Ints | None = None, prices: Floats | None = None
    ) -> Move | None:
        """Return a short move of hidden cells for a need, in whole numbers; None if none is found.

        Parameters
        ----------
        frozen : cells that must not move
        prices : (n_cells,), of moving each by one; 1 where left out
        """
        prices = np.ones(len(self.problem.values)) if prices is None else prices
        found = None
        for most in WALKS:
            cells = self.neighbors.around(need.cell, most, self.pattern.hidden)
            model = MoveModel(self.problem, self.neighbors, cells)
            found = model.cheapest(need, prices[cells], frozen)
            if found is not None and not found.is_whole:
                whole = MoveModel(self.problem, self.neighbors, cells, nodes=NODES)
                found = whole.cheapest(need, prices[cells], frozen)
            if found is not None or len(cells) < most:
                break
        return found

    def _settled(self, needs: list[Need]) -> list[Need]:
        """Meet what needs can be met by the hidden cells alone, many at a time; return the rest."""
        for _ in range(ROUNDS_OF_SETTLING if needs else 0):
            before = len(needs)
            for cells, own in self._components_with(needs):
                chosen = [need for need in own if self.chance.random() < HALF] or own
                move = _meeting_many(self.problem, cells, chosen)
                needs = self.pattern.accept(move, needs)
            if not needs or len(needs) > before - max(1, before // 50):
                break
        return needs

    def _components_with(self, needs: Sequence[Need]) -> list[tuple[Ints, list[Need]]]:
        """Return the hidden cells that hang together, where needs are open, with these needs."""
        hidden = np.flatnonzero(self.pattern.hidden)
        labels = self.problem.equations.among(hidden).components()
        places = np.searchsorted(hidden, [need.cell for need in needs])
        has_needs = np.unique(labels[places])
        cells = hidden[np.isin(labels, has_needs)]
        return [(cells, list(needs))] if len(cells) else []

    def improve(self, models: int = MODELS_OF_IMPROVING) -> None:
        """Take back some hidden cells at a time, and keep what is not dearer.

        Parameters
        ----------
        models : how many are solved at most; a number, and no time, so that every machine finds
            the same
        """
        self._drop_unused()
        self._models_left = models
        while self._models_left > 0:
            secondary = np.flatnonzero(self.pattern.hidden & ~self._is_needed())
            if not len(secondary):
                return
            shares = self.problem.costs[secondary] / self.problem.costs[secondary].sum()
            self._try_without(self._touching(int(self.chance.choice(secondary, p=shares))))

    def _is_needed(self) -> Bools:
        """Return which cells have a need of their own: (n_cells,)."""
        found = np.zeros(len(self.problem.values), np.bool_)
        found[[need.cell for need in self.pattern.proofs]] = True
        return found

    def _touching(self, cell: int) -> Ints:
        """Return some hidden secondary cells that hang together."""
        most = int(self.chance.integers(2, 13))
        allowed = self.pattern.hidden & ~self._is_needed()
        return self.neighbors.around(cell, most, allowed)

    def _try_without(self, cells: Ints) -> None:
        """Price some hidden cells anew, and meet the needs whose moves they took part in."""
        former = self.pattern
        dropped = np.zeros(len(self.problem.values), np.bool_)
        dropped[cells] = True
        kept = {need: move for need, move in former.proofs.items() if not dropped[move.cells].any()}
        broken = [need for need in former.proofs if need not in kept]
        self.pattern = Pattern(self.problem, self._used(kept.values(), former), kept)
        self.chance.shuffle(broken)
        noise = np.exp(self.chance.normal(0, 0.5, len(self.problem.values)))
        budget = former.cost
        while broken:
            need = broken.pop()
            move = self._cheapest(need, self._prices() * noise)
            self._models_left -= 1
            if move is None or self.pattern.cost > budget or self._models_left < 0:
                self.pattern = former
                return
            self.pattern.proofs[need] = move
            broken = self.pattern.accept(move, broken)
        if self.pattern.cost > budget:
            self.pattern = former

    def _used(self, moves: Iterable[Move], former: Pattern) -> Bools:
        """Return the cells of some moves, and those that have needs: (n_cells,)."""
        hidden = np.zeros(len(self.problem.values), np.bool_)
        hidden[[need.cell for need in former.proofs]] = True
        for move in {id(move): move for move in moves}.values():
            hidden[move.cells] = True
        return hidden

    def _drop_unused(self) -> None:
        """Show again what no move uses."""
        self.pattern.hidden = self._used(self.pattern.proofs.values(), self.pattern)


def _needs(amounts: Ints, sign: int) -> list[Need]:
    """Return the needs of all cells into one direction."""
    cells = np.flatnonzero(amounts).tolist()
    return [Need(cell, sign, int(amounts[cell])) for cell in cells]


def _meeting_many(problem: SuppressionProblem, cells: Ints, needs: Sequence[Need]) -> Move:
    """Return a move of some cells that meets as much of some needs as can be met at once.

    A change counts towards a need up to its amount: it has two columns there, one that counts, and
    one for what is beyond.
    """
    wanted = list({need.cell: need for need in needs}.values())  # one direction a cell
    places = np.searchsorted(cells, [need.cell for need in wanted])
    signs = np.array([need.sign for need in wanted])
    amounts = np.array([need.amount for need in wanted], np.float64)
    lower = (problem.lower - problem.values)[cells].astype(np.float64)
    upper = room_above(problem, cells)
    beyond_lower = np.where(signs > 0, 0, lower[places] + amounts)
    beyond_upper = np.where(signs > 0, upper[places] - amounts, 0)
    lower[places] = np.where(signs > 0, lower[places], -amounts)
    upper[places] = np.where(signs > 0, amounts, upper[places])
    costs = np.zeros(len(cells) + len(wanted))
    costs[places] = -signs / amounts
    model = LinearModel(
        _with_second_columns(problem.equations.among(cells), places),
        np.concatenate([lower, beyond_lower]),
        np.concatenate([upper, np.maximum(beyond_upper, 0)]),
        costs,
    )
    model.solve()
    changes = model.values[: len(cells)].copy()
    changes[places] += model.values[len(cells) :]
    return Move.of(changes, cells)


def _with_second_columns(equations: Equations, places: Ints) -> Equations:
    """Return equations in which some cells have a second column, after all others."""
    n = equations.n_cells
    second = np.full(n, -1, np.int64)
    second[places] = n + np.arange(len(places))
    repeats = np.where(second[equations.cells] >= 0, 2, 1)
    entries = np.repeat(np.arange(len(repeats)), repeats)
    is_second = np.append([False], entries[1:] == entries[:-1])[: len(entries)]
    starts = np.concatenate([[0], np.cumsum(repeats)])[equations.starts]
    own = equations.cells[entries]
    columns = np.where(is_second, second[own], own)
    return Equations(starts, columns, equations.signs[entries], n + len(places))


def room_above(problem: SuppressionProblem, cells: Ints) -> Floats:
    """Return how far cells may go up: (n_chosen,), infinite where no reader knows a bound."""
    upper = problem.upper[cells]
    room = (upper - problem.values[cells]).astype(np.float64)
    return np.where(upper < UNLIMITED, room, INFINITE)
