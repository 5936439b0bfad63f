"""The auditor: complete tables that agree with all that is shown, and what they prove.

It sees what everybody sees. Its answers are tables in whole numbers, each accepted by addition
alone; a linear model may refute a promise, and never proves one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from indistinct.aggregates.equations import Equations, Neighbors, up_and_down
from indistinct.aggregates.shown import CountPromise, Shown
from indistinct.aggregates.solver import INFINITE, NEAR, LinearModel, SolverAnswer
from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr

FAR = 2**50  # more than any count
ROUNDS_WITHOUT_GAIN = 4
MOST_ROUNDS = 60
PROPAGATIONS = 30
MOST_BESIDE = 2_000  # cells that are made whole at once
WALKS = (150, 800, 4_000)  # cells in which a short change of a table is looked for
HALF = 0.5
NODES = 2_000  # of each search in whole numbers


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found.

    Parameters
    ----------
    tables : (n_tables, n_hidden), values of the hidden cells in complete tables
    refuted : hidden cells of which the promise does not hold
    undecided : hidden cells of which neither was found
    """

    tables: Ints
    refuted: Ints
    undecided: Ints

    __repr__ = short_repr

    @property
    def holds(self) -> bool:
        """Whether the promise is proven for every hidden cell."""
        return not len(self.refuted) and not len(self.undecided)


def audit(shown: Shown, promise: CountPromise) -> Audit:
    """Look for complete tables that prove the promise for every hidden cell."""
    if not len(shown.lower):
        return Audit(np.zeros((0, 0), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))
    return _Auditor(shown, promise).run()


@dataclass
class _Auditor:
    """The tables found so far, and the cells that are still open."""

    shown: Shown
    promise: CountPromise
    tables: list[Ints] = field(default_factory=list[Ints])

    __repr__ = short_repr

    def run(self) -> Audit:
        """Look for tables in all ways, one after another."""
        self.n = len(self.shown.lower)
        self.chance = np.random.default_rng(self.shown.seed)
        self.components = self.shown.equations.components()
        self.lower, self.upper = tightened(self.shown)
        self.refuted = np.zeros(self.n, np.bool_)
        self.undecided = np.zeros(self.n, np.bool_)
        self.least = np.full(self.n, FAR, np.int64)
        self.most = np.full(self.n, -FAR, np.int64)
        self.refuted |= self.upper < self.promise.reaches
        self.refuted |= self.upper - self.lower < self.promise.width
        self._vertices()
        if self.tables:
            self.neighbors = Neighbors.of(self.shown.equations)
            self._walks()
        else:
            self.undecided |= ~self.refuted
        return Audit(
            self._kept_tables(), np.flatnonzero(self.refuted), np.flatnonzero(self.undecided)
        )

    def _lacks_reach(self) -> Bools:
        """Return the cells of which no table has a value that is large enough."""
        return (self.most < self.promise.reaches) & ~self.refuted & ~self.undecided

    def _lacks_width(self) -> Bools:
        """Return the cells whose values differ too little."""
        return (self.most - self.least < self.promise.width) & ~self.refuted & ~self.undecided

    def _open(self) -> Bools:
        return self._lacks_reach() | self._lacks_width()

    def _accept(self, table: Ints) -> bool:
        """Return whether a table agrees with what is shown, and keep it if it does."""
        if not agrees(self.shown, table):
            return False
        self.tables.append(table)
        self.least = np.minimum(self.least, table)
        self.most = np.maximum(self.most, table)
        return True

    def _vertices(self) -> None:
        """Solve the linear model into random directions; its corners are mostly whole."""
        cap = np.clip(self.promise.reaches - self.lower, 0, self.upper - self.lower)
        cap = np.maximum(cap, 1)
        model = _model_with_caps(self.shown, self.lower, self.upper, cap)
        direction = self.chance.normal(size=self.n)
        opposite, idle = (direction, -direction), 0
        for number in range(MOST_ROUNDS):
            before = int(self._open().sum())
            is_first = number < len(opposite)
            costs = np.tile(opposite[number], 2) if is_first else self._direction()
            model.set_costs(costs)
            if model.solve() is not SolverAnswer.OPTIMAL:
                return  # what is shown contradicts itself
            found = self.lower + model.values[: self.n] + model.values[self.n :]
            table, is_new = self._whole(found, costs)
            if table is not None:
                self._accept(table)
            left = int(self._open().sum())
            # A corner that is not whole says nothing about what others would show.
            idle = 0 if left < before else idle + is_new
            if not left or idle >= ROUNDS_WITHOUT_GAIN:
                return

    def _direction(self) -> Floats:
        """Return costs that pull open cells to where no table has been yet."""
        reach, width = self._lacks_reach(), self._lacks_width()
        weights = self.chance.random(self.n) + HALF
        half = self.chance.random(self.n) < HALF
        counts = np.where(reach & half, -weights, 0.0)
        signs = np.where(self.chance.random(self.n) < HALF, -1.0, 1.0)
        both = np.where(width & ~reach, weights * signs, 0.0)
        small = self.chance.normal(size=self.n) * NEAR * 100
        return np.concatenate([counts + both + small, both + small])

    def _whole(self, found: Floats, costs: Floats) -> tuple[Ints | None, bool]:
        """Return the table that a solution is, and whether each component of it is.

        What is not whole is made so, or is as in an earlier table.
        """
        table, is_new = np.rint(found).astype(np.int64), True
        wrong = self._wrong_components(found, table)
        for component in np.flatnonzero(wrong):
            cells = np.flatnonzero(self.components == component)
            own = self._whole_component(cells, found[cells], costs)
            if own is None:
                if not self.tables:
                    return None, False
                own, is_new = self.tables[-1][cells], False
            table[cells] = own
        return table, is_new

    def _wrong_components(self, found: Floats, table: Ints) -> Bools:
        """Return the components in which a rounded solution is none: (n_components,)."""
        wrong = np.zeros(int(self.components.max()) + 1, np.bool_)
        equations = self.shown.equations
        off = equations.sums(table) != self.shown.right
        wrong[self.components[equations.cells[equations.starts[:-1]]][off]] = True
        wrong[self.components[(table < self.lower) | (table > self.upper)]] = True
        wrong[self.components[np.abs(found - table) > HALF / 2]] = True
        return wrong

    def _whole_component(self, cells: Ints, found: Floats, costs: Floats) -> Ints | None:
        """Return whole values of a component: near a solution, or anywhere."""
        rounded = np.rint(found)
        is_free = np.abs(found - rounded) > NEAR
        beside = self._beside(cells[is_free])
        if len(beside) < MOST_BESIDE:
            is_free = np.isin(cells, beside)
        lower, upper = self.lower[cells].astype(np.float64), self.upper[cells].astype(np.float64)
        price = costs[: self.n][cells]
        near = _solved_whole(
            self.shown,
            cells,
            np.where(is_free, lower, rounded),
            np.where(is_free, upper, rounded),
            price,
        )[1]
        if near is not None or self.tables:
            return near
        return _solved_whole(self.shown, cells, lower, upper, price)[1]

    def _beside(self, cells: Ints) -> Ints:
        """Return some cells, and all that stand in an equation with one of them."""
        equations = self.shown.equations
        is_own = np.zeros(self.n, np.bool_)
        is_own[cells] = True
        touched = np.bincount(equations.rows, is_own[equations.cells], equations.n_rows) > 0
        return np.union1d(cells, equations.chosen(touched).cells)

    def _walks(self) -> None:
        """Change a table by short moves, cell by cell, and gather the moves in new tables."""
        while (waiting := np.flatnonzero(self._open())).size:
            table = self.tables[-1].copy()
            kept = table < 0  # cells that this table serves: they may not lose what they have
            floor = self.lower.copy()
            n_moved = 0
            for cell in waiting.tolist():
                target = self._target(cell, table)
                if target is None:
                    continue
                # The first one may take any cells; others what does not disturb it.
                sizes = (*WALKS, self.n) if not n_moved else WALKS[:1]
                changed = self._moved(cell, target, table, floor, kept, sizes)
                if changed is None:
                    continue
                table, n_moved = changed, n_moved + 1
                floor[cell] = max(floor[cell], target) if target > self.least[cell] else floor[cell]
                kept[cell] = target <= self.least[cell]
            if n_moved and self._accept(table):
                continue
            self._decide(waiting)

    def _target(self, cell: int, table: Ints) -> int | None:
        """Return the value that an open cell is to have, or one beyond it; None if it has it."""
        if self.most[cell] < self.promise.reaches:
            target = self.promise.reaches
            return None if table[cell] >= target else target
        up = int(self.least[cell]) + self.promise.width
        if up <= self.upper[cell]:
            return None if table[cell] >= up else up
        down = int(self.most[cell]) - self.promise.width
        return None if table[cell] <= down else down

    def _moved(  # noqa: PLR0913, PLR0917 - what there is of a table
        self,
        cell: int,
        target: int,
        table: Ints,
        floor: Ints,
        kept: Bools,
        sizes: Sequence[int],
    ) -> Ints | None:
        """Return a table in which a cell has a value, or one beyond it; few others change."""
        for most in sizes:
            cells = self.neighbors.around(cell, most)
            room_below = np.where(kept[cells], 0, table[cells] - floor[cells])
            room_above = np.where(kept[cells], 0, self.upper[cells] - table[cells])
            place = int(np.searchsorted(cells, cell))
            change = target - int(table[cell])
            found = _short_change(self.neighbors, cells, place, change, room_below, room_above)
            if found is not None:
                moved = table.copy()
                moved[cells] += found
                if agrees(self.shown, moved):
                    return moved
            if len(cells) == self.n or len(cells) < most:
                return None
        return None

    def _decide(self, waiting: Ints) -> None:
        """Decide the first open cell by itself, in its whole component."""
        cell = int(waiting[0])
        cells = np.flatnonzero(self.components == self.components[cell])
        place = int(np.searchsorted(cells, cell))
        answers = [self._with_value(cells, place, *ends) for ends in self._wanted(cell)]
        if any(table is not None and self._accept(table) for _, table in answers):
            return
        if all(answer is SolverAnswer.INFEASIBLE for answer, _ in answers):
            self.refuted[cell] = True
        else:
            self.undecided[cell] = True

    def _wanted(self, cell: int) -> list[tuple[int, int]]:
        """Return the ranges of which a value in any would serve an open cell."""
        low, high = int(self.lower[cell]), int(self.upper[cell])
        if self.most[cell] < self.promise.reaches:
            return [(self.promise.reaches, high)]
        return [
            (int(self.least[cell]) + self.promise.width, high),
            (low, int(self.most[cell]) - self.promise.width),
        ]

    def _with_value(
        self, cells: Ints, place: int, low: int, high: int
    ) -> tuple[SolverAnswer, Ints | None]:
        """Look for a table in whole numbers in which a cell lies in a range."""
        if low > high:
            return SolverAnswer.INFEASIBLE, None
        lower, upper = self.lower[cells].astype(np.float64), self.upper[cells].astype(np.float64)
        lower[place], upper[place] = low, high
        answer, own = _solved_whole(self.shown, cells, lower, upper, np.zeros(len(cells)))
        if own is None:
            return answer, None
        table = self.tables[-1].copy()
        table[cells] = own
        return answer, table

    def _kept_tables(self) -> Ints:
        """Return as few of the tables as prove as much, those that were found first last to go."""
        tables = np.array(self.tables, np.int64).reshape(-1, self.n)
        decided = ~self.refuted & ~self.undecided
        kept = list(range(len(tables)))
        for number in reversed(range(len(tables))):
            rest = tables[[one for one in kept if one != number]]
            if len(rest) < 2:  # noqa: PLR2004 - one table alone proves nothing
                break
            least, most = rest.min(0), rest.max(0)
            serves = (most >= self.promise.reaches) & (most - least >= self.promise.width)
            if serves[decided].all():
                kept.remove(number)
        return tables[kept]


def agrees(shown: Shown, table: Ints) -> bool:
    """Return whether a table agrees with all that is shown, by addition in whole numbers."""
    sums = shown.equations.sums(table)
    return bool((table >= shown.lower).all() and (sums == shown.right).all())


def tightened(shown: Shown) -> tuple[Ints, Ints]:
    """Return bounds of each hidden cell that follow from single sums: (n_hidden,) each."""
    equations, right = shown.equations, shown.right
    lower, upper = shown.lower.copy(), np.full(len(shown.lower), FAR, np.int64)
    rows, cells, signs = equations.rows, equations.cells, equations.signs
    for _ in range(PROPAGATIONS):
        before = lower.copy(), upper.copy()
        # Each entry is what the sum is, less the others at their least or most.
        least = np.where(signs > 0, lower[cells], -upper[cells])
        most = np.where(signs > 0, upper[cells], -lower[cells])
        low_sum, high_sum = _row_sums(equations, least), _row_sums(equations, most)
        n_open = _row_sums(equations, (most >= FAR // 2).astype(np.int64))
        n_deep = _row_sums(equations, (least <= -(FAR // 2)).astype(np.int64))
        high = right[rows] - (low_sum[rows] - least)
        low = right[rows] - (high_sum[rows] - most)
        others_deep = n_deep[rows] - (least <= -(FAR // 2)) > 0
        others_open = n_open[rows] - (most >= FAR // 2) > 0
        high, low = np.where(others_deep, FAR, high), np.where(others_open, -FAR, low)
        np.minimum.at(upper, cells, np.where(signs > 0, high, -low))
        np.maximum.at(lower, cells, np.where(signs > 0, low, -high))
        if (lower == before[0]).all() and (upper == before[1]).all():
            break
    return lower, upper


def _row_sums(equations: Equations, values: Ints) -> Ints:
    """Add up a number of each entry, row by row; no row is empty."""
    return np.add.reduceat(values, equations.starts[:-1])


def _model_with_caps(shown: Shown, lower: Ints, upper: Ints, cap: Ints) -> LinearModel:
    """Make the model of all tables: each value is its least, a part up to a cap, and the rest."""
    n, equations = len(lower), shown.equations
    entries = np.repeat(np.arange(len(equations.cells)), 2)
    is_rest = np.tile([False, True], len(equations.cells))
    columns = equations.cells[entries] + np.where(is_rest, n, 0)
    doubled = Equations(equations.starts * 2, columns, equations.signs[entries], 2 * n)
    rest = np.where(upper >= FAR, INFINITE, (upper - lower - cap).astype(np.float64))
    return LinearModel(
        doubled,
        np.zeros(2 * n),
        np.concatenate([cap.astype(np.float64), rest]),
        np.zeros(2 * n),
        right=shown.right - equations.sums(lower),
    )


def _solved_whole(
    shown: Shown, cells: Ints, lower: Floats, upper: Floats, costs: Floats
) -> tuple[SolverAnswer, Ints | None]:
    """Look for whole values of one component between bounds."""
    own = np.zeros(shown.equations.n_cells, np.bool_)
    own[cells] = True
    rows = own[shown.equations.cells[shown.equations.starts[:-1]]]
    model = LinearModel(
        shown.equations.chosen(rows).among(cells),
        lower,
        np.where(upper >= FAR, INFINITE, upper),
        costs,
        right=shown.right[rows],
        whole=np.ones(len(cells), np.bool_),
        nodes=NODES,
    )
    answer = model.solve()
    if answer is not SolverAnswer.OPTIMAL:
        return answer, None
    return answer, np.rint(model.values).astype(np.int64)


def _short_change(  # noqa: PLR0913, PLR0917 - what there is of a change
    neighbors: Neighbors, cells: Ints, place: int, change: int, below: Ints, above: Ints
) -> Ints | None:
    """Return small whole changes of some cells that leave all sums and change one cell so far.

    Parameters
    ----------
    below, above : (n_chosen,), how far each may go down and up
    """
    n, chosen = len(cells), neighbors.among(cells)
    if change > above[place] or -change > below[place]:
        return None
    upper = np.concatenate([above, below]).astype(np.float64)
    lower = np.zeros(2 * n)
    up, down = max(change, 0), max(-change, 0)
    lower[[place, place + n]] = upper[[place, place + n]] = up, down
    model = LinearModel(
        up_and_down(chosen),
        lower,
        np.where(upper >= FAR // 2, INFINITE, upper),
        np.ones(2 * n),
    )
    if model.solve() is not SolverAnswer.OPTIMAL:
        return None
    values = model.values[:n] - model.values[n:]
    found = np.rint(values).astype(np.int64)
    return found if np.abs(found - values).max() < HALF / 2 else None
