"""Optimal lattice anonymization: the k-minimal nodes, and the best of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from indistinct.base.coded_text import sentence
from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Problem, Progress
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.lattice.feasibility import no_solution
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.nodes import Node


@dataclass(slots=True)
class MinimalNodes:
    """The search for the nodes that satisfy the models and have no such node below.

    Tags spread upwards from satisfying nodes and downwards from the others, which presumes models
    that generalization never breaks.
    """

    lattice: Lattice
    known: dict[Node, bool] = field(default_factory=dict[Node, bool])
    satisfying: list[Node] = field(default_factory=list[Node])
    failing: list[Node] = field(default_factory=list[Node])
    visited: set[tuple[Node, Node]] = field(default_factory=set[tuple[Node, Node]])
    minimal: set[Node] = field(default_factory=set[Node])

    def collect(self, low: Node, high: Node) -> None:
        """Search the sublattice between two nodes, the upper of which satisfies or is unknown."""
        if (low, high) in self.visited:
            return
        self.visited.add((low, high))
        if sum(high) - sum(low) <= 1:
            if self.satisfies(low):
                self.minimal.add(low)
            elif self.satisfies(high):
                self.minimal.add(high)
            return
        for node in nodes_at(low, high, (sum(low) + sum(high)) // 2):
            if self.satisfies(node):
                self.collect(low, node)
            else:
                self.collect(node, high)

    def satisfies(self, node: Node) -> bool:
        """Return whether a node suppresses few enough records, by tag where one is known."""
        verdict = self.known.get(node)
        if verdict is None:
            if any(is_below(other, node) for other in self.satisfying):
                verdict = True
            elif any(is_below(node, other) for other in self.failing):
                verdict = False
            else:
                checked = self.lattice.check(node)
                verdict = checked.n_suppressed <= self.lattice.problem.budget
                (self.satisfying if verdict else self.failing).append(node)
            self.known[node] = verdict
        return verdict

    def found(self) -> list[Node]:
        """Return the satisfying nodes that have none below, in order of height."""
        nodes = sorted(self.minimal, key=lambda node: (sum(node), node))
        kept: list[Node] = []
        for node in nodes:
            if not any(is_below(other, node) for other in kept):
                kept.append(node)
        return kept


def find_best_minimal(problem: Problem, progress: Progress) -> SearchResult:
    """Find all k-minimal nodes and choose the cheapest.

    Raises
    ------
    NoSolutionError
        when even the top suppresses too many records
    """
    lattice = Lattice(problem)
    search = MinimalNodes(lattice)
    if not search.satisfies(lattice.top):
        raise NoSolutionError(no_solution(problem))
    search.collect(lattice.bottom, lattice.top)
    n_checked = lattice.n_checked
    minimal = search.found()
    progress(1.0, sentence("minimal_nodes", "{number} minimal nodes", number=len(minimal)))
    costs = [problem.objective.evaluate(lattice.check(node)) for node in minimal]
    best = minimal[costs.index(min(costs))]
    facts = {
        "optimal": False,
        "lattice_nodes": lattice.n_nodes,
        "checked_nodes": n_checked,
        "minimal_nodes": [list(node) for node in minimal],
    }
    return SearchResult(lattice.labelled(best), "the best minimal node needs", facts)


def is_below(low: Node, high: Node) -> bool:
    """Return whether no level of ``low`` is above that of ``high``."""
    return all(a <= b for a, b in zip(low, high, strict=True))


def nodes_at(low: Node, high: Node, height: int) -> Iterator[Node]:
    """Yield the nodes between two nodes whose levels add up to ``height``, in a fixed order."""
    if not low:
        if height == 0:
            yield ()
        return
    rest_low, rest_high = low[1:], high[1:]
    first = max(low[0], height - sum(rest_high))
    last = min(high[0], height - sum(rest_low))
    for level in range(first, last + 1):
        for rest in nodes_at(rest_low, rest_high, height - level):
            yield (level, *rest)
