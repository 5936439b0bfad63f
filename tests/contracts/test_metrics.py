"""What every registered metric must satisfy."""

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from indistinct.tables.metrics import METRICS, ClassSizeMetric, SeparableMetric
from indistinct.tables.search.lattice.lattice import Lattice
from oracles import METRIC_DEFINITIONS, groups_at, nodes_of
from strategies import problems

each_metric = pytest.mark.parametrize("name", METRICS)


@st.composite
def problems_at_a_node(draw, name):
    """Draw a problem with an objective, and a node of its lattice."""
    problem = draw(problems(metrics=(name,)))
    return problem, draw(st.sampled_from(list(nodes_of(problem))))


@each_metric
def test_search_and_report_agree(name):
    """The cost of a counted node is the cost of its recoding."""

    @given(problems_at_a_node(name))
    def check(drawn):
        problem, node = drawn
        lattice = Lattice(problem)
        counted = problem.objective.evaluate(lattice.check(node))
        written = problem.objective.evaluate(lattice.recoding(node))
        assert counted == pytest.approx(written, rel=1e-9, abs=1e-9)
        assert np.isfinite(counted)

    check()


@each_metric
def test_it_agrees_with_the_oracle(name):
    """The cost is the definition's, added up record by record."""
    define = METRIC_DEFINITIONS[name]

    @given(problems_at_a_node(name))
    def check(drawn):
        problem, node = drawn
        found = problem.objective.evaluate(Lattice(problem).recoding(node))
        expected = define(problem, node, groups_at(problem, node))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)

    check()


@each_metric
def test_what_bounds_it_never_exceeds_it(name):
    """A separable metric's columns without suppression, and what finer classes show, are floors.

    What finer classes show includes what each suppressed record adds.
    """
    kind = METRICS[name]
    if not issubclass(kind, SeparableMetric | ClassSizeMetric):
        pytest.skip(f"{name} gives the search no bound")

    @given(problems_at_a_node(name), st.data())
    def check(drawn, data):
        problem, node = drawn
        lattice = Lattice(problem)
        cost = problem.objective.evaluate(lattice.recoding(node))
        assert _floor(problem, lattice, node, data) <= cost + 1e-9 * max(1.0, abs(cost))

    check()


def _floor(problem, lattice, node, data) -> float:
    """Bound the cost of a node from below, as the search does."""
    metric = problem.objective
    if isinstance(metric, ClassSizeMetric):
        finer = tuple(
            data.draw(st.integers(low, level))
            for low, level in zip(problem.min_levels, node, strict=True)
        )
        shown = lattice.check(finer)
        n_suppressed = lattice.recoding(node).n_suppressed
        return metric.floor_above(shown) + metric.rise_above(shown) * n_suppressed
    values = lattice.values_of(metric.cells)
    floors = [
        float(
            metric.column_floor(
                values.totals[column][level : level + 1], domain, lattice.n_records
            )[0]
        )
        for column, (level, domain) in enumerate(zip(node, lattice.domains, strict=True))
    ]
    return metric.aggregate.combine(np.array(floors) * np.asarray(metric.weights))


@st.composite
def steps_up(draw, name):
    """Draw a problem that suppresses nothing, a node, and the node one level up in one column."""
    problem = dataclasses.replace(draw(problems(metrics=(name,))), models=())
    lowest, highest = problem.min_levels, problem.max_levels
    movable = [n for n, (low, high) in enumerate(zip(lowest, highest, strict=True)) if low < high]
    assume(movable)
    column = draw(st.sampled_from(movable))
    node = [
        draw(st.integers(low, high - (n == column)))
        for n, (low, high) in enumerate(zip(lowest, highest, strict=True))
    ]
    above = [level + (n == column) for n, level in enumerate(node)]
    return problem, tuple(node), tuple(above)


@each_metric
def test_generalizing_without_suppression_never_makes_it_cheaper(name):
    """One level up in one column costs at least as much when nothing is suppressed."""

    @given(steps_up(name))
    def check(drawn):
        problem, node, above = drawn
        lattice = Lattice(problem)
        lower, upper = lattice.recoding(node), lattice.recoding(above)
        assert lower.n_suppressed == upper.n_suppressed == 0
        cheap, dear = problem.objective.evaluate(lower), problem.objective.evaluate(upper)
        assert cheap <= dear + 1e-9 * max(1.0, abs(dear))

    check()
