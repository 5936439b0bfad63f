"""Lattices too large to walk: the walk by annealing, and the bound by blocks of columns."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.metrics import AGGREGATES
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice import best_first, blocks, optimal_search
from indistinct.tables.search.lattice.annealing import Slope, anneal
from indistinct.tables.search.lattice.blocks import blocks_bound, blocks_of
from indistinct.tables.search.lattice.optimal_search import Optimal, descend_from_anywhere
from oracles import feasible
from strategies import JUDGED_ALONE, problems, seeded_problem, table_of

MEANS = ("loss", "ncp", "precision")


def least_of_all(problem):
    """Enumerate the nodes of a problem; infinity where none is allowed."""
    return min((judged.value for judged in feasible(problem)), default=math.inf)


@pytest.mark.parametrize("most", [1, 4, 2**16])
def test_blocks_bound_every_node_from_below(most, monkeypatch):
    """Whatever the models, weights, aggregate and limits, no node costs less than the bound."""
    monkeypatch.setattr(blocks, "MOST_NODES", most)

    @given(problems(kinds=JUDGED_ALONE, metrics=MEANS, max_rows=12))
    def check(problem):
        bound = blocks_bound(problem, least_of_all)
        assert bound <= least_of_all(problem) + 1e-9

    check()


def test_one_block_is_the_optimum():
    """Where all columns fit into one block, and size alone counts, the bound is the optimum."""
    for seed in (0, 1, 3, 4, 6):
        problem = seeded_problem(seed, names=MEANS)
        assert blocks_bound(problem, least_of_all) == pytest.approx(least_of_all(problem))


def test_two_blocks_add_up(monkeypatch):
    """Each of two columns tells all records apart: each must go to its root, so all is lost."""
    monkeypatch.setattr(blocks, "MOST_NODES", 2)
    rows = [(row, row, 0) for row in range(4)]
    problem = seeded_problem(1, names=("loss",))
    whole = from_levels([["a", "b", "c", "d"], ["*"] * 4])
    table, chosen = table_of(rows, [whole, whole, from_levels([["x"]])])
    problem = replace(
        problem,
        table=table,
        hierarchies=chosen,
        numbers=(None, None),
        min_levels=(0, 0),
        max_levels=(1, 1),
        objective=replace(problem.objective, weights=(1.0, 1.0)),
        weights=(1.0, 1.0),
        max_suppression=0.0,
    )
    assert blocks_bound(problem, least_of_all) == pytest.approx(1.0)


@given(
    st.sampled_from(sorted(AGGREGATES)),
    st.lists(st.floats(0, 1), min_size=2, max_size=6),
    st.data(),
)
def test_disjoint_sets_of_columns_give_the_whole(name, losses, data):
    """Losses of disjoint sets, the others being 0, merge to the loss of all columns."""
    aggregate = AGGREGATES[name]
    cut = data.draw(st.integers(0, len(losses)))
    whole = np.array(losses)
    first, second = whole.copy(), whole.copy()
    first[cut:] = 0.0
    second[:cut] = 0.0
    parts = np.array([aggregate.combine(first), aggregate.combine(second)])
    assert aggregate.combine_sets(parts) == pytest.approx(aggregate.combine(whole), abs=1e-12)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(1, 200))
def test_blocks_hold_every_column_once(levels, most):
    """Blocks are disjoint, in order, and small, unless one column alone is too large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "MOST_NODES", most)
        found = list(blocks_of((0,) * len(levels), tuple(level - 1 for level in levels)))
    assert [column for block in found for column in block] == list(range(len(levels)))
    assert all(len(block) == 1 or math.prod(levels[c] for c in block) <= most for block in found)


def walk(cost, top, counts, start=None):
    """Walk over a made-up cost; give the nodes counted."""
    seen = {}

    def counted(node):
        return seen.setdefault(node, cost(node))

    slope = Slope((0,) * len(top), top, counted, lambda _: -math.inf, seen.__contains__)
    anneal(slope, start or top, counts, 0, lambda: False)
    return seen


def test_a_walk_leaves_a_dead_end():
    """A node that no step nor exchange betters is left for the best one, behind a small rise."""
    top = (3,) * 6

    def cost(node):
        far = sum(node) / 18
        trap = 0.02 if sum(node) <= 15 else 0.0
        return 0.5 + 0.3 * far + trap

    seen = walk(cost, top, 600)
    assert min(seen, key=seen.get) == (0,) * 6


def test_a_walk_keeps_its_limits_and_can_be_repeated():
    """Levels stay in the lattice, no more nodes are counted than allowed, twice the same ones."""
    top = (2, 1, 3, 2)
    seen = walk(lambda node: 1.0 + sum(node), top, 20)
    assert len(seen) <= 21
    assert all(0 <= level <= high for node in seen for level, high in zip(node, top, strict=True))
    assert list(seen) == list(walk(lambda node: 1.0 + sum(node), top, 20))


def test_a_huge_search_that_stops_says_true_things(monkeypatch):
    """Stopped after its walks, a search has a feasible node, and a bound below the optimum."""
    for module in (best_first, optimal_search):
        monkeypatch.setattr(module, "DENSE_NODES", 0)
    monkeypatch.setattr(best_first, "MOST_REACHED", 0)
    monkeypatch.setattr(blocks, "MOST_NODES", 6)
    reached = 0
    for seed in range(24):
        problem = seeded_problem(seed, names=MEANS)
        best = least_of_all(problem)
        if best == math.inf:
            continue
        solution = solve(Optimal(), problem, Deadline(), no_progress)
        value = problem.objective.evaluate(solution.recoding)
        assert solution.facts["bound"] <= best + 1e-9
        assert value >= best - 1e-9
        reached += value <= best + 1e-9
    assert reached >= 20


def ridges(seen):
    """Make a slope of 16 columns where every other one is best at 0, and worse just above it."""

    def cost(node):
        ridged = sum(1 + (3 - level) / 10 if level else 0 for level in node[::2])
        seen[node] = ridged + sum(3 - level for level in node[1::2])
        return seen[node]

    return Slope((0,) * 16, (3,) * 16, cost, lambda _: 0.0, seen.__contains__)


def test_descents_cross_the_ridges_of_single_columns():
    seen: dict[tuple[int, ...], float] = {}

    descend_from_anywhere(ridges(seen), 0, lambda: False)

    assert seen[(0, 3) * 8] == 0.0
    assert all(0 <= level <= 3 for node in seen for level in node)


def test_descents_take_their_own_ways_which_are_the_same_in_every_run():
    def ways(number):
        seen: dict[tuple[int, ...], float] = {}
        descend_from_anywhere(ridges(seen), number, lambda: False)
        return list(seen)

    assert ways(1) == ways(1)
    assert ways(1) != ways(2)


def test_a_descent_ends_when_time_is_over():
    seen: dict[tuple[int, ...], float] = {}
    descend_from_anywhere(ridges(seen), 0, lambda: len(seen) >= 3)
    assert len(seen) == 3
