"""Bits lost: the worked examples of specification D, and the plain definitions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import Coverage, hierarchy_cells
from indistinct.tables.metrics import (
    EntropyLoss,
    KullbackLeibler,
    MonotoneEntropy,
    MutualInformation,
    NonUniformEntropy,
)
from indistinct.tables.metrics.loss import Loss
from indistinct.tables.search.cuts.ranked import RankedNumbers
from indistinct.tables.search.lattice.lattice import Lattice
from oracles import entropy_loss, groups_at, nodes_of
from strategies import hierarchies, problems, table_of

LETTERS = from_levels([list("abc"), ["ab", "ab", "c"], ["*"] * 3])


def merged(counts, level: int):
    """Return one column of the values a, b and c, so often each, at a level; nothing suppressed."""
    rows = [(value, 0) for value, count in enumerate(counts) for _ in range(count)]
    table, chosen = table_of(rows, [LETTERS, LETTERS])
    objective = Loss((1.0,))
    problem = Problem(table, chosen, (None,), (0,), (2,), (), objective, 0.0, (1.0,))
    return Lattice(problem).recoding((level,))


@pytest.mark.parametrize(
    ("kind", "level", "expected"),
    [(EntropyLoss, 1, 2.0), (MonotoneEntropy, 1, 0.5), (NonUniformEntropy, 1, 2.0),
     (EntropyLoss, 2, 8.490225), (MonotoneEntropy, 2, 8.490225), (NonUniformEntropy, 2, 8.490225),
     (MutualInformation, 2, 8.490225 / 8), (MutualInformation, 1, 0.25)],
)  # fmt: skip
def test_a_b_and_six_times_c(kind, level, expected):
    """{a, b} merged, then everything."""
    found = merged((1, 1, 6), level)
    assert kind((1.0,)).evaluate(found) == pytest.approx(expected, abs=1e-6)


def test_what_information_is_left():
    """H(X) - Pi_MI: 0.811278 of the 1.061278 bits; nothing once all are merged."""
    domain = merged((1, 1, 6), 1).domains[0]
    lost = [MutualInformation((1.0,)).evaluate(merged((1, 1, 6), level)) for level in (1, 2)]
    assert domain.entropy - lost[0] == pytest.approx(0.811278, abs=1e-6)
    assert domain.entropy - lost[1] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kind", [NonUniformEntropy, MutualInformation])
def test_no_bits_are_below_nothing(kind):
    """Where a group has the name of a value in one class, its cell covers fewer records than it."""
    found = merged((1, 1, 6), 0)
    domains = tuple(replace(one, counts=np.ones_like(one.counts)) for one in found.domains)
    assert kind((1.0,)).evaluate(replace(found, domains=domains)) == 0.0


def test_entropy_is_not_monotone():
    """Merging a and b with twenty times c lowers the entropy of a record's cell, 1 to 0.530406."""
    domain = merged((1, 1, 20), 1).domains[0]
    ab, whole = domain.labels.index("ab"), domain.labels.index("*")
    assert domain.bits[ab] == 1.0
    assert domain.bits[whole] == pytest.approx(0.530406, abs=1e-6)
    weighted = MonotoneEntropy((1.0,)).cells(domain)
    assert weighted[ab] == pytest.approx(0.090909, abs=1e-6)
    assert weighted[whole] == pytest.approx(0.530406, abs=1e-6)


def test_divergence():
    """Specification F: p = (.5, .25, .25, 0) against (.375, .375, .125, .125): .311278."""
    pairs = from_levels([list("abcd"), ["ab", "ab", "cd", "cd"]])
    rows = [(0, 0), (0, 0), (1, 0), (2, 0)]
    table, (column,) = table_of(rows, [pairs, LETTERS])
    objective = Loss((1.0,))
    problem = Problem(table, (column,), (None,), (0,), (1,), (), objective, 0.0, (1.0,))
    found = Lattice(problem).recoding((1,))
    assert found.sizes.tolist() == [3, 1]
    assert KullbackLeibler().evaluate(found) == pytest.approx(0.311278, abs=1e-6)


@settings(deadline=None)
@given(problems(metrics=("height",)), st.data())
def test_entropy_by_its_definition(problem, data):
    """The sum over records of the entropy under their cells, the whole column's if suppressed."""
    node = data.draw(st.sampled_from(list(nodes_of(problem))))
    metric = EntropyLoss(problem.objective.weights, problem.objective.aggregate)
    expected = entropy_loss(problem, node, groups_at(problem, node))
    assert metric.evaluate(Lattice(problem).recoding(node)) == pytest.approx(expected, abs=1e-9)


@st.composite
def weighted_hierarchies(draw):
    """Draw a hierarchy, and records per value."""
    hierarchy = draw(hierarchies(draw(st.integers(1, 6))))
    n_values = len(hierarchy.values)
    counts = draw(st.lists(st.integers(1, 9), min_size=n_values, max_size=n_values))
    return hierarchy, np.array(counts)


@given(weighted_hierarchies())
def test_a_label_covers_a_run_of_values(drawn):
    """Counts and bits of every label are those of the values below it."""
    hierarchy, counts = drawn
    domain = hierarchy_cells(hierarchy, counts)
    cell = 0
    for level, labels in enumerate(hierarchy.labels):
        for code in range(len(labels)):
            below = counts[hierarchy.codes[level] == code]
            shares = below / below.sum()
            assert domain.counts[cell] == below.sum()
            assert domain.bits[cell] == pytest.approx(-(shares * np.log2(shares)).sum(), abs=1e-9)
            assert domain.volumes[cell] >= len(below)
            cell += 1


@given(st.data())
def test_a_range_covers_the_numbers_between(data):
    """Counts and bits of every range are those of its numbers; missing beside others is all."""
    numbers = np.array(data.draw(st.lists(st.integers(0, 30), min_size=1, max_size=8, unique=True)))
    numbers = np.append(np.sort(numbers).astype(float), np.nan)
    texts = tuple(str(number) for number in numbers)
    counts = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(texts),
                                         max_size=len(texts))))  # fmt: skip
    ends = data.draw(st.lists(st.tuples(*[st.integers(0, len(texts) - 1)] * 2), min_size=1))
    lows, highs = np.sort(np.array(ends, np.int32), axis=1).T
    domain, cells = RankedNumbers.of(numbers, texts).release(lows, highs, counts)
    for low, high, cell in zip(lows, highs, cells, strict=True):
        is_mixed = high == len(texts) - 1 and low < high
        below = counts if is_mixed else counts[low : high + 1]
        shares = below / below.sum()
        assert domain.counts[cell] == below.sum()
        assert domain.bits[cell] == pytest.approx(-(shares * np.log2(shares)).sum(), abs=1e-9)
        assert domain.volumes[cell] >= len(below)


def test_a_cell_without_values_covers_nothing():
    """A label of the hierarchy that the data lack has no records, and no bits."""
    coverage = Coverage(np.array([0, 1], np.int32), *np.array([[0, 0], [1, -1]], np.int32))
    assert coverage.sums(np.array([3, 4])).tolist() == [7, 0]
    assert coverage.entropies(np.array([4, 4])).tolist() == [1.0, 0.0]
