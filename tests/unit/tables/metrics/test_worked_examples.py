"""The worked examples of the specification: E1 and F, and the sizes of risk."""

from dataclasses import replace

import numpy as np
import pytest

from indistinct.base.hierarchy import from_levels
from indistinct.base.hierarchy_builders import from_masks
from indistinct.tables.core.protocols import Deadline, Problem, no_progress
from indistinct.tables.core.recoding import CellDomain, Coverage, Recoding
from indistinct.tables.metrics import (
    AGGREGATES,
    Ambiguity,
    AverageClassSize,
    CertaintyPenalty,
    Discernibility,
    MonotoneDiscernibility,
    NonUniformEntropy,
    Precision,
)
from indistinct.tables.metrics.risk import marketer_risk, prosecutor_risk
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.optimal_search import Ola
from strategies import table_of


def recoding(sizes, released, cells=None, domains=()) -> Recoding:
    """Return classes of so many records."""
    labels = np.arange(len(sizes), dtype=np.int32)
    cells = np.zeros((len(sizes), 0), np.int32) if cells is None else np.array(cells, np.int32)
    return Recoding(labels, labels, np.array(sizes), cells, np.array(released), domains)


def domain(levels=None, losses=None, height: float = 1) -> CellDomain:
    """Return cells of so much loss or level."""
    figures = np.array(levels if levels is not None else losses, float)
    zeros = np.zeros(len(figures), np.int64)
    labels = tuple(str(number) for number in range(len(figures)))
    coverage = Coverage(*np.zeros((3, 0), np.int32))
    return CellDomain(
        labels, figures, figures, figures, zeros, height, 0.0, figures, figures, 1.0, 0, coverage
    )


def test_class_sizes():
    """Sizes 3, 4, 5: DM 50, 4 records per class, C_avg 4 / 3; two suppressed of 14: DM 78."""
    whole = recoding([3, 4, 5], [True] * 3)
    assert Discernibility().evaluate(whole) == 50
    assert AverageClassSize().evaluate(whole) / 3 == pytest.approx(1.333333, abs=1e-6)
    part = recoding([3, 4, 5, 2], [True] * 3 + [False])
    assert Discernibility().evaluate(part) == 78
    assert MonotoneDiscernibility().evaluate(part) == 54
    assert AverageClassSize().evaluate(part) == 14 / 4


def test_precision_of_levels():
    """Levels (1/1, 1/2), (0/1, 2/2), (0/1, 0/2): Prec .583333, so its loss is the rest."""
    cells = [[1, 1], [0, 2], [0, 0]]
    domains = (domain(levels=[0, 1], height=1), domain(levels=[0, 1, 2], height=2))
    found = recoding([1, 1, 1], [True] * 3, cells, domains)
    assert 1 - Precision((1.0, 1.0)).evaluate(found) == pytest.approx(0.583333, abs=1e-6)


def test_global_certainty_penalty():
    """3 rows of (.25, .4) and 2 of (0, 1): .395."""
    domains = (domain(losses=[0.25, 0.0]), domain(losses=[0.4, 1.0]))
    found = recoding([3, 2], [True, True], [[0, 0], [1, 1]], domains)
    assert CertaintyPenalty((1.0, 1.0)).evaluate(found) == pytest.approx(0.395)


def test_a_suppressed_record_costs_whole_cells():
    """The same with the second class suppressed: its cells cost 1 each."""
    domains = (domain(losses=[0.25, 0.0]), domain(losses=[0.4, 1.0]))
    found = recoding([3, 2], [True, False], [[0, 0], [1, 1]], domains)
    expected = ((3 * 0.25 + 2) / 5 + (3 * 0.4 + 2) / 5) / 2
    assert CertaintyPenalty((1.0, 1.0)).evaluate(found) == pytest.approx(expected)


@pytest.mark.parametrize(("top", "expected"), [(1, 2.0), (2, 8.490225)])
def test_non_uniform_entropy(top, expected):
    """Values a, b and six times c: {a, b} merged 2.0 bits, all merged 8.490225 (spec D)."""
    hierarchy = from_levels([list("abc"), ["ab", "ab", "c"], ["*"] * 3])
    table, hierarchies = table_of([(0, 0), (1, 0)] + [(2, 0)] * 6, [hierarchy, hierarchy])
    problem = Problem(
        table, hierarchies, (None,), (0,), (2,), (), NonUniformEntropy((1.0,)), 0.0, (1.0,)
    )
    found = Lattice(problem).recoding((top,))
    assert problem.objective.evaluate(found) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("arithmetic-mean", 0.25), ("geometric-mean", 0.5**0.5 * 3**0.5 - 1), ("sum", 0.5),
     ("maximum", 0.5)],
)  # fmt: skip
def test_aggregates(name, expected):
    """Losses 0 and .5 of two columns."""
    assert AGGREGATES[name].combine(np.array([0.0, 0.5])) == pytest.approx(expected)


def test_risks():
    """Classes of 2, 3 and 5: prosecutor 1/2, marketer 3/10; nothing released, no risk."""
    assert prosecutor_risk(np.array([2, 3, 5])) == 0.5
    assert marketer_risk(np.array([2, 3, 5])) == pytest.approx(0.3)
    assert prosecutor_risk(np.array([], int)) == marketer_risk(np.array([], int)) == 0.0


AGES = (21, 23, 25, 28, 31, 34, 36, 39, 42, 44, 58, 61)
ZIPS = ("4761", "4761", "4762", "4762", "4761", "4761", "4762", "4762", *["4790"] * 4)


def twelve(max_suppression: float) -> Problem:
    """Return the twelve rows of specification E1, with k = 2."""
    ages = from_levels([[str(age) for age in AGES], [f"{age // 10}0s" for age in AGES], ["*"] * 12])
    codes = from_masks(["4761", "4762", "4790"], 4)
    keep = [0, 2, 4]
    zips = from_levels(
        [[codes.labels[level][code] for code in codes.codes[level]] for level in keep]
    )
    rows = [(row, zips.values.index(code), 0) for row, code in enumerate(ZIPS)]
    table, hierarchies = table_of(rows, [ages, zips, from_levels([["none"]])])
    objective = Precision((1.0, 1.0))
    return Problem(
        table, hierarchies, (None, None), (0, 0), (2, 2), (KAnonymity(2),), objective,
        max_suppression, (1.0, 1.0),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("node", "suppressed"),
    [((0, 0), 12), ((0, 1), 12), ((0, 2), 12), ((1, 0), 2), ((1, 1), 2), ((1, 2), 2),
     ((2, 0), 0), ((2, 1), 0), ((2, 2), 0)],
)  # fmt: skip
def test_suppressed_rows_of_the_twelve(node, suppressed):
    """As listed in the specification."""
    assert Lattice(twelve(0.0)).check(node).n_suppressed == suppressed


@pytest.mark.parametrize(
    ("limit", "node", "loss", "n_classes"), [(0.0, (2, 0), 0.5, 3), (2 / 12, (1, 0), 0.25, 7)]
)
def test_minimal_nodes_of_the_twelve(limit, node, loss, n_classes):
    """Without suppression only (2, 0); with two rows (1, 0), two of whose classes are single."""
    problem = twelve(limit)
    found = solve(Ola(), problem, Deadline(), no_progress)
    assert found.facts["minimal_nodes"] == [list(node)]
    assert found.recoding.transformation == node
    assert found.recoding.n_classes == n_classes
    heights = np.array(node) / 2
    assert heights.mean() == loss
    if limit:
        assert MonotoneDiscernibility().evaluate(found.recoding) == 22
        assert sorted(found.recoding.sizes[~found.recoding.released]) == [1, 1]


def test_what_a_suppressed_record_adds_to_the_bound_of_coarser_recodings():
    """Of 12 records the largest class has 5; of 6 tuples the largest region has 3."""
    column = replace(domain(losses=[2, 3]), volume=6.0)
    finer = recoding([3, 4, 5], [True] * 3, [[0], [1], [1]], (column,))
    assert Discernibility().rise_above(finer) == 12 - 5
    assert Ambiguity().rise_above(finer) == 6 - 3
    assert MonotoneDiscernibility().rise_above(finer) == 0
    assert AverageClassSize().rise_above(finer) == 0


def test_a_suppressed_record_adds_nothing_where_a_region_is_the_whole_space():
    """It costs no more than the records of that region."""
    column = replace(domain(losses=[2, 6]), volume=6.0)
    assert Ambiguity().rise_above(recoding([3, 4], [True] * 2, [[0], [1]], (column,))) == 0
