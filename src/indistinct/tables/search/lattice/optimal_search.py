"""The optimum over the lattice of full-domain recodings, exact for every model and objective.

Nodes are visited in ascending bound. Before a node is counted, the chain from it to the top is
searched for the coarsest node that shows that it cannot win: one that suppresses so much that
every finer node suppresses too much, or costs too much. Only what is proven is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Deadline, Metric, Problem, Progress, no_progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult
from indistinct.tables.search.lattice.annealing import Slope, anneal
from indistinct.tables.search.lattice.best_first import DENSE_NODES, OpenNodes, open_nodes_of
from indistinct.tables.search.lattice.blocks import blocks_bound
from indistinct.tables.search.lattice.bounds import NO_FLOOR
from indistinct.tables.search.lattice.feasibility import no_solution
from indistinct.tables.search.lattice.lattice import CheckedNode, Lattice
from indistinct.tables.search.lattice.nodes import Node
from indistinct.tables.search.progress import ProgressReporter

MOST_LOWERED = 0.3  # share of the columns that begin at a random level, at most
ONE_COLUMN, ANY_LEVELS = 0.35, 0.2  # shares of the moves; the others exchange a level
PATIENCE = 25  # moves for each column that lead to no cheaper node, after which a descent ends
HUGE_LATTICE_CHECKS = 20_000
WALKS, WALK_COUNTS = 2, 1_500  # by annealing, and the nodes that each may count
DESCENTS = 8  # from random nodes
BLOCK_COUNTS = 2_000  # nodes of a block of columns that may be counted for the bound
OVER = 8.0  # what suppressing all records above the budget adds, as a multiple of the best cost
TIE = 1e-12


@dataclass(slots=True)
class Best:
    """The best node so far."""

    objective: Metric
    value: float = np.inf
    node: Node | None = None

    @property
    def as_much(self) -> float:
        """What a node costs that costs more, by more than rounding."""
        return self.value + 2 * TIE * max(1.0, abs(self.value))

    def offer(self, checked: CheckedNode) -> None:
        """Accept a node that costs less, or as much and is lower down."""
        value = self.objective.evaluate(checked)
        margin = TIE * max(1.0, abs(value))
        is_tie = self.node is not None and abs(value - self.value) <= margin
        if (
            self.node is None
            or value < self.value - margin
            or (is_tie and sum(checked.node) < sum(self.node))
        ):
            self.value, self.node = value, checked.node


@dataclass(slots=True)
class OptimalSearch:
    """One run: the lattice, what is known of it, and the best node so far."""

    lattice: Lattice
    open_nodes: OpenNodes
    best: Best
    checked: dict[Node, int] = field(default_factory=dict[Node, int])
    proven: float = -np.inf  # that no node costs less, besides what the open nodes show
    most_counts: float = np.inf  # of a lattice that is small enough to be walked

    def run(self, deadline: Deadline, progress: Progress) -> bool:
        """Search until nothing is left that could win; tell whether that was reached."""
        is_huge = self.lattice.n_nodes > DENSE_NODES
        most = HUGE_LATTICE_CHECKS if is_huge else self.most_counts

        def is_over() -> bool:
            return self.best.node is not None and (deadline.passed or self.lattice.n_checked > most)

        # In a huge lattice some bounds count a node, which must not depend on who listens.
        is_free = not is_huge or self.open_nodes.bound.order_is_bound
        bound = self.remaining_bound if is_free else lambda: np.inf
        tell = ProgressReporter(progress, self.best.objective.name, bound)
        candidates = self.open_nodes.candidates(lambda: self.best.value, is_over)

        def tell_of(visits: int) -> None:
            best = None if self.best.node is None else self.best.value
            share = _share(visits, self.lattice.n_nodes)
            tell(share, f"{self.lattice.n_checked} nodes", best)

        tell_of(0)
        for visits, node in enumerate(candidates):
            self._settle(node)
            tell_of(visits)
        return self.open_nodes.is_exhausted

    def begin(self, deadline: Deadline) -> None:
        """Find a good node: the less the best one costs, the fewer nodes are worth counting."""
        bottom = self.lattice.bottom
        self._settle(bottom)
        chain = self.open_nodes.chain(bottom)
        for n_steps in range(len(chain), 0, -1):
            if not deadline.passed:
                self._least_suppressed(_raised(bottom, chain[:n_steps]))
        self._climb_down(deadline)

    def look_far(self, deadline: Deadline) -> None:
        """Find a better node, and a bound, where the lattice is too large to be walked."""
        problem = self.lattice.problem
        self.proven = blocks_bound(problem, lambda part: _least_cost(part, deadline))
        self._walk(deadline)

    def remaining_bound(self) -> float:
        """Bound the objective of all nodes not yet visited from below."""
        return max(self.open_nodes.remaining_bound(), self.proven)

    def step_down(self, deadline: Deadline) -> None:
        """Move to finer nodes that cost no more than the best one, one step at a time.

        A label that covers one value costs as little as the value. The bound of the finer node is
        then the cost of the best one, so that the search, which looks for less, leaves it out.
        """
        last: Node | None = None
        while self.best.node is not None and self.best.node != last and not deadline.passed:
            last = self.best.node
            as_much = self.best.as_much
            for column, level in enumerate(last):
                lower = (*last[:column], level - 1, *last[column + 1 :])
                is_there = level > self.lattice.bottom[column]
                if is_there and self.open_nodes.is_open(lower, as_much):
                    self._least_suppressed(lower)

    def _climb_down(self, deadline: Deadline) -> None:
        """Improve the best node by single steps and exchanges until none helps."""
        last: Node | None = None
        while self.best.node is not None and self.best.node != last:
            last = self.best.node
            for node in _neighbors(last, self.lattice.bottom, self.lattice.top):
                if deadline.passed:
                    return
                if self.open_nodes.is_open(node, self.best.value):
                    self._least_suppressed(node)

    def _walk(self, deadline: Deadline) -> None:
        """Look for better nodes beyond those that single steps lead to."""
        scale = OVER * abs(self.best.value)
        known: dict[Node, float] = {}

        def cost(node: Node) -> float:
            if node not in known:
                checked = self._count(node)
                over = max(0, checked.n_suppressed - self.open_nodes.budget)
                known[node] = self.best.objective.evaluate(checked) + (
                    scale * over / self.lattice.n_records
                )
            return known[node]

        def floor(node: Node) -> float:
            return self.open_nodes.bound.at_one(self.open_nodes.steps(node), 0, NO_FLOOR)

        slope = Slope(self.lattice.bottom, self.lattice.top, cost, floor, known.__contains__)
        for number in range(DESCENTS):
            if self.best.node is None or deadline.passed:
                return
            descend_from_anywhere(slope, number, lambda: deadline.passed)
        self._climb_down(deadline)
        for number in range(WALKS):
            if self.best.node is None or deadline.passed:
                return
            anneal(slope, self.best.node, WALK_COUNTS, number, lambda: deadline.passed)
            self._climb_down(deadline)

    def _settle(self, node: Node) -> None:
        """Count ``node``, or find a coarser one that shows that it cannot win."""
        chain = self.open_nodes.chain(node)
        low, high = 0, len(chain)
        while low <= high:
            # Coarse nodes are cheap to count, and what they show holds for more nodes.
            middle = (low + 2 * high) // 3
            coarser = _raised(node, chain[:middle])
            if self.open_nodes.would_close(node, self._least_suppressed(coarser), self.best.value):
                low = middle + 1
            else:
                high = middle - 1
        if self.open_nodes.is_open(node, self.best.value):
            # Where nodes come in the order of their bounds, all finer ones were visited.
            self._count(node, is_last=self.open_nodes.bound.order_is_bound)

    def _least_suppressed(self, node: Node) -> int:
        """Count a node once; give the records that it and every finer node suppress."""
        known = self.checked.get(node)
        return self._count(node).n_least_suppressed if known is None else known

    def _count(self, node: Node, *, is_last: bool = False) -> CheckedNode:
        """Count a node, and learn what it shows."""
        checked = self.lattice.check(node, is_last=is_last)
        if not self.open_nodes.would_close(node, checked.n_suppressed, self.best.as_much):
            self.best.offer(checked)
        self.open_nodes.learn(
            node, checked.n_least_suppressed, self.open_nodes.bound.floor_above(checked)
        )
        self.checked[node] = checked.n_least_suppressed
        return checked


def find_optimum(problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
    """Find the node of least objective among those that suppress few enough records.

    Raises
    ------
    NoSolutionError
        when no node does
    """
    lattice = Lattice(problem)
    open_nodes = open_nodes_of(lattice, problem)
    search = OptimalSearch(lattice, open_nodes, Best(problem.objective))
    search.begin(deadline)
    if lattice.n_nodes > DENSE_NODES:
        search.look_far(deadline)
    is_complete = search.run(deadline, progress)
    search.step_down(deadline)
    if search.best.node is None:
        raise NoSolutionError(no_solution(problem))
    facts: dict[str, Any] = {
        "optimal": is_complete,
        "lattice_nodes": lattice.n_nodes,
        "checked_nodes": lattice.n_checked,
    }
    if not is_complete:
        facts["bound"] = min(search.remaining_bound(), search.best.value)
    return SearchResult(lattice.labelled(search.best.node), "the best node found needs", facts)


def _least_cost(problem: Problem, deadline: Deadline) -> float:
    """Return what the nodes of a small lattice cost at least: the optimum, where there is time."""
    lattice = Lattice(problem)
    search = OptimalSearch(
        lattice,
        open_nodes_of(lattice, problem),
        Best(problem.objective),
        most_counts=BLOCK_COUNTS,
    )
    if search.run(deadline, no_progress):
        return search.best.value
    return min(search.remaining_bound(), search.best.value)


def _neighbors(node: Node, bottom: Node, top: Node) -> Iterator[Node]:
    """Yield the nodes one step below, and those with one more step up elsewhere."""
    columns = range(len(node))
    for down in columns:
        if node[down] == bottom[down]:
            continue
        for up in columns:
            moved = list(node)
            moved[down] -= 1
            if up != down and node[up] < top[up]:
                moved[up] += 1
            elif up != down:
                continue
            yield tuple(moved)


def _raised(node: Node, columns: Sequence[int]) -> Node:
    """Raise a node by one level for each column listed."""
    levels = list(node)
    for column in columns:
        levels[column] += 1
    return tuple(levels)


def _share(visits: int, n_nodes: int) -> float:
    """Guess how much of a search is done."""
    return min(1.0, visits / n_nodes)


def descend_from_anywhere(slope: Slope, number: int, is_over: Callable[[], bool]) -> None:
    """Descend from a random node, until no move of many helps, or it is over.

    Parameters
    ----------
    number : of the descent; each begins elsewhere, the same in every run
    """
    chance = np.random.default_rng([number, len(slope.top), 1])
    node = _coarse_node(slope, chance)
    cost = slope.cost(node)
    idle = 0
    while idle < PATIENCE * len(node) and not is_over():
        idle += 1
        moved = _moved(node, slope, chance)
        if moved == node or (not slope.is_known(moved) and slope.floor(moved) >= cost):
            continue
        reached = slope.cost(moved)
        if reached < cost:
            node, cost, idle = moved, reached, 0


def _coarse_node(slope: Slope, chance: np.random.Generator) -> Node:
    """Draw a node whose columns are at the top, or for a random share of them at any level."""
    share = MOST_LOWERED * chance.random()
    return tuple(
        int(chance.integers(low, high + 1)) if chance.random() < share else high
        for low, high in zip(slope.bottom, slope.top, strict=True)
    )


def _moved(node: Node, slope: Slope, chance: np.random.Generator) -> Node:
    """Move one column or two inside the lattice."""
    levels = list(node)
    kind = chance.random()
    one, other = (int(column) for column in chance.integers(len(node), size=2))
    if kind < ONE_COLUMN + ANY_LEVELS:
        for column in (one,) if kind < ONE_COLUMN else (one, other):
            levels[column] = int(chance.integers(slope.bottom[column], slope.top[column] + 1))
    elif levels[one] > slope.bottom[one] and levels[other] < slope.top[other]:
        levels[one] -= 1
        levels[other] += 1
    return tuple(levels)


@final
@dataclass(frozen=True, slots=True)
class Optimal(Algorithm):
    """The best full-domain recoding of all.

    Source: kohlmayer2012 (search on lattices with predictive tagging); the bound is our own.
    """

    name: ClassVar[str] = "optimal"
    in_words: ClassVar[str] = (
        "Of all ways to make whole columns coarser, the one that keeps the promise at the "
        "least loss was searched for among all of them. Every value of a column stands at the"
        " same level of detail."
    )
    divides: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find the node of least objective among those that suppress few enough records."""
        from indistinct.tables.search.lattice.optimal_search import find_optimum

        return find_optimum(problem, deadline, progress)


@final
@dataclass(frozen=True, slots=True)
class Ola(Algorithm):
    """The k-minimal nodes, and the best of them by the objective.

    Source: elemam2009, section "OLA"; the objective should be monotone.
    """

    name: ClassVar[str] = "ola"
    in_words: ClassVar[str] = (
        "The least coarse ways to make whole columns coarser were searched by halving the "
        "possibilities again and again, and the best of them was taken. Every value of a "
        "column stands at the same level of detail."
    )
    divides: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find all k-minimal nodes and choose the cheapest, however long that takes."""
        from indistinct.tables.search.lattice.minimal_nodes import find_best_minimal

        del deadline
        return find_best_minimal(problem, progress)
