"""The estimators of population uniques against each other: one quick, one written out."""

import math

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from handmade import plain_from, sizes_only
from indistinct.tables.core.uniqueness import ESTIMATORS, population_uniqueness
from indistinct.tables.models import PopulationUniqueness
from indistinct.tables.models.bounded import Population
from indistinct.tables.models.uniqueness_plainly import plain_share

SPARSE = {1: 400, 2: 80, 3: 30, 4: 15, 5: 10, 10: 5}
DENSE = {1: 200, 2: 90, 3: 40, 4: 20, 5: 10, 10: 5}


def spread(counts):
    return [size for size, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "population", "estimator", "expected"),
    [
        ({1: 3, 2: 2, 3: 1}, 100, "zayatz", 9.875814),
        (SPARSE, 10_000, "zayatz", 2710.618),
        (SPARSE, 10_000, "pitman", 1466.92),
        (SPARSE, 10_000, "snb", 2029.094),
        (SPARSE, 10_000, "dankar", 1466.92),
        (DENSE, 3000, "zayatz", 374.7377),
        (DENSE, 3000, "pitman", 320.089),
        (DENSE, 3000, "snb", 191.4906),
        (DENSE, 3000, "dankar", 191.4906),
    ],
)
def test_worked_examples(counts, population, estimator, expected):
    found = plain_share(spread(counts), population, estimator) * population
    assert found == pytest.approx(expected, rel=1e-5)


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=25),
    st.floats(1, 60),
    st.sampled_from(sorted(ESTIMATORS)),
)
@example([1, 1, 1], 2.0, "pitman")
@example([2, 2, 2], 10.0, "pitman")
@example([2, 3], 2.0, "zayatz")
@example([1, 3], 5.0, "snb")
@example([1, 1, 1, 1, 1, 1, 2, 2], 5.0, "snb")
def test_both_definitions_agree(sizes, times, estimator):
    """Where one has no answer the other has none either."""
    population = math.ceil(sum(sizes) * times)
    quick = population_uniqueness(np.array(sizes), population, estimator)
    assert plain_share(sizes, population, estimator) == pytest.approx(quick, rel=1e-8, nan_ok=True)


@pytest.mark.parametrize("estimator", sorted(ESTIMATORS))
def test_large_classes_and_populations(estimator):
    """A class of 20,000 people, and a population of 300 million."""
    sizes = [*spread(SPARSE), 500, 20_000]
    quick = population_uniqueness(np.array(sizes), 300_000_000, estimator)
    assert plain_share(sizes, 300_000_000, estimator) == pytest.approx(quick, rel=1e-6, nan_ok=True)


def test_verification_does_not_use_the_quick_definition(monkeypatch):
    """An error in the one is found by the other."""
    monkeypatch.setattr("indistinct.tables.models.uniqueness.population_uniqueness", lambda *_: 0.0)
    model = PopulationUniqueness(0.01, "zayatz").among(Population(100, 10))
    classes = sizes_only([1, 1, 1, 2, 2, 3])
    assert model.measure(classes)[0] == 0
    assert model.measure_plainly(plain_from(classes)[0]) == pytest.approx(0.09875814)
