"""Estimators of population uniques, against worked figures, SciPy and simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import minimize
from scipy.special import gammaln
from scipy.stats import hypergeom

from indistinct.tables.core.uniqueness import (
    dankar,
    pitman,
    pitman_parameters,
    population_uniqueness,
    shlosser,
    slide_negative_binomial,
    slide_negative_binomial_parameters,
    zayatz,
)


def spread(counts):
    """Return the sizes of classes from the number of classes per size."""
    return np.repeat(list(counts), list(counts.values())).astype(np.int64)


TINY = spread({1: 3, 2: 2, 3: 1})
SPARSE = spread({1: 400, 2: 80, 3: 30, 4: 15, 5: 10, 10: 5})
DENSE = spread({1: 200, 2: 90, 3: 40, 4: 20, 5: 10, 10: 5})


def log_likelihood(theta, alpha, sizes):
    """Return the likelihood of Pitman's formula from its definition."""
    u, n = len(sizes), int(sizes.sum())
    repeats = sum(math.log(i - alpha) for size in sizes.tolist() for i in range(1, size))
    return (
        np.log(theta + alpha * np.arange(1, u)).sum()
        - np.log(theta + np.arange(1, n)).sum()
        + repeats
    )


def test_zayatz_of_six_classes():
    assert zayatz(TINY, 100) == pytest.approx(9.875814, abs=5e-7)


def test_zayatz_equals_the_hypergeometric_definition():
    values, counts = np.unique(SPARSE, return_counts=True)
    n, population = int(SPARSE.sum()), 10_000
    once = hypergeom(population, values, n).pmf(1)
    expected = counts[0] * (counts[0] * once[0] / (counts @ once)) * population / n
    assert zayatz(SPARSE, population) == pytest.approx(expected)


def test_the_sparse_sample():
    theta, alpha = pitman_parameters(SPARSE)
    assert alpha == pytest.approx(0.443957, abs=5e-7)
    assert theta == pytest.approx(316.6253, abs=5e-5)
    assert log_likelihood(theta, alpha, SPARSE) == pytest.approx(-1969.8434, abs=5e-5)
    assert pitman(SPARSE, 10_000) == pytest.approx(1466.92, abs=5e-3)
    assert zayatz(SPARSE, 10_000) == pytest.approx(2710.618, abs=5e-4)
    found = slide_negative_binomial_parameters(SPARSE, 10_000)
    assert found == pytest.approx((2967.755, 0.127075, 0.050183), rel=1e-5)
    assert slide_negative_binomial(SPARSE, 10_000) == pytest.approx(2029.094, abs=5e-4)
    assert dankar(SPARSE, 10_000) == pitman(SPARSE, 10_000)


def test_the_dense_sample():
    found = slide_negative_binomial_parameters(DENSE, 3000)
    assert found == pytest.approx((697.9695, 0.608432, 0.119351), rel=1e-5)
    assert slide_negative_binomial(DENSE, 3000) == pytest.approx(191.4906, abs=5e-5)
    assert zayatz(DENSE, 3000) == pytest.approx(374.7377, abs=5e-5)
    assert pitman_parameters(DENSE)[1] == 0
    assert pitman(DENSE, 3000) == pytest.approx(320.089, abs=5e-4)
    assert dankar(DENSE, 3000) == slide_negative_binomial(DENSE, 3000)


def expected_in_sample(n_classes, alpha, beta, f):
    """Return the expected uniques and pairs of a sample, and the uniques of the population."""
    q, z = 1 - beta, 1 - f
    rest = 1 - q * z
    once = n_classes * f * (beta / rest) ** alpha * (1 + alpha * q * z / rest)
    twice = n_classes * f**2 * alpha * q * beta**alpha * (2 - (1 - alpha) * q * z)
    return once, twice / (2 * rest ** (alpha + 2)), n_classes * beta**alpha


@pytest.mark.parametrize(("sizes", "population"), [(SPARSE, 10_000), (DENSE, 3000)])
def test_the_slide_negative_binomial_expects_what_the_sample_has(sizes, population):
    found = slide_negative_binomial_parameters(sizes, population)
    once, twice, uniques = expected_in_sample(*found, sizes.sum() / population)
    assert once == pytest.approx(np.count_nonzero(sizes == 1))
    assert twice == pytest.approx(np.count_nonzero(sizes == 2))
    assert uniques == pytest.approx(slide_negative_binomial(sizes, population))


def test_its_equations_expect_what_a_drawn_sample_has():
    """Six standard errors: a false alarm less than once in 10**8 runs; off by 10 % fails."""
    chance = np.random.default_rng(5)
    population = 1 + chance.negative_binomial(1.3, 0.3, 200_000)
    drawn = chance.binomial(population, 0.25)
    once, twice, uniques = expected_in_sample(200_000, 1.3, 0.3, 0.25)
    for expected, printed, seen in (
        (once, 67_043, np.count_nonzero(drawn == 1)),
        (twice, 29_925, np.count_nonzero(drawn == 2)),
        (uniques, 41_811, np.count_nonzero(population == 1)),
    ):
        assert expected == pytest.approx(printed, abs=0.5)
        assert abs(seen - expected) < 6 * math.sqrt(expected)
        assert abs(seen - 1.1 * expected) > 6 * math.sqrt(expected)


def test_dankar_falls_back_on_zayatz_where_the_equations_fail():
    sizes = spread({1: 5, 3: 5})
    assert math.isnan(slide_negative_binomial(sizes, 100))
    assert dankar(sizes, 100) == zayatz(sizes, 100)


def test_the_number_of_classes_equals_the_estimator_as_written():
    f, total = 0.2, [0.0] * 4
    for i, count in ((1, 200), (2, 90), (3, 40), (4, 20), (5, 10), (10, 5)):
        total[0] += i * f**2 * (1 - f**2) ** (i - 1) * count
        total[1] += (1 - f) ** i * ((1 + f) ** i - 1) * count
        total[2] += (1 - f) ** i * count
        total[3] += i * f * (1 - f) ** (i - 1) * count
    expected = 365 + 200 * total[0] / total[1] * (total[2] / total[3]) ** 2
    assert shlosser(DENSE, f) == pytest.approx(expected)


def test_no_uniques_in_the_sample_are_none_in_the_population():
    for estimator in ("dankar", "pitman", "zayatz", "snb"):
        assert population_uniqueness(np.array([2, 3]), 100, estimator) == 0


def test_a_sample_as_large_as_the_population_is_the_population():
    assert population_uniqueness(TINY, 10, "snb") == pytest.approx(0.3)


def test_a_sample_of_uniques_only_comes_from_a_population_of_uniques():
    assert pitman(np.ones(7, np.int64), 100) == 100


@given(
    st.dictionaries(st.integers(2, 30), st.integers(1, 40), min_size=1, max_size=5),
    st.integers(1, 200),
)
def test_pitmans_parameters_are_at_least_as_likely_as_any_that_scipy_finds(counts, n_once):
    sizes = spread({1: n_once, **counts})
    values, numbers = np.unique(sizes, return_counts=True)
    u, n = len(sizes), int(sizes.sum())

    def cost(point):
        alpha = 1 / (1 + math.exp(-point[1]))
        theta = math.exp(point[0]) - alpha
        last = numbers @ (gammaln(values - alpha) - gammaln(1 - alpha))
        first = np.log(theta + alpha * np.arange(1, u)).sum()
        return -(first - gammaln(theta + n) + gammaln(theta + 1) + last)

    theirs = -minimize(cost, [math.log(u), -1.0], method="Nelder-Mead").fun
    ours = log_likelihood(*pitman_parameters(sizes), sizes)
    assert ours >= theirs - 1e-6 * abs(theirs)
