"""Additive noise: its size, its correlations, and what it keeps."""

import numpy as np
import pytest
from scipy.stats import kstest

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.mechanisms.additive_noise import (
    AdditiveNoise,
    standard_normals,
    uniforms,
)

MOST_ERRORS = 4.9  # standard errors: a false alarm in 10^6 draws


def people(n_records=40_000):
    """Make up heights and weights that are correlated, and a constant."""
    generator = np.random.default_rng(11)
    height = generator.normal(170, 10, n_records)
    weight = 70 + 0.8 * (height - 170) + generator.normal(0, 6, n_records)
    return np.column_stack([height, weight, np.full(n_records, 3.0)])


def covariance_errors(noise, expected):
    """Return how many standard errors each covariance of normal noise is off: (d, d)."""
    found = noise.T @ noise / len(noise)
    variances = np.diag(expected)
    spread = np.sqrt((np.outer(variances, variances) + expected**2) / len(noise))
    return np.abs(found - expected) / spread


def masked(seed=1, **parameters):
    points = people()[:, :2]
    return points, AdditiveNoise(**parameters).mask(points, RandomSource(seed))


def test_noise_has_its_share_of_each_spread():
    points, noisy = masked(share=0.3)
    expected = 0.09 * np.diag(points.var(axis=0))
    assert covariance_errors(noisy - points, expected).max() < MOST_ERRORS


def test_correlated_noise_has_its_share_of_the_covariance():
    points, noisy = masked(share=0.3, correlated=True)
    expected = 0.09 * np.cov(points.T, bias=True)
    assert covariance_errors(noisy - points, expected).max() < MOST_ERRORS
    plain = 0.09 * np.diag(points.var(axis=0))
    assert covariance_errors(noisy - points, plain).max() > 30


@pytest.mark.parametrize("factor", [0.9, 1.1])
@pytest.mark.parametrize("correlated", [False, True])
def test_a_wrong_scale_is_found(factor, correlated):
    points, noisy = masked(share=0.3 * factor, correlated=correlated)
    covariance = np.cov(points.T, bias=True)
    expected = 0.09 * (covariance if correlated else np.diag(np.diag(covariance)))
    assert covariance_errors(noisy - points, expected).max() > MOST_ERRORS


@pytest.mark.parametrize("correlated", [False, True])
def test_variances_stay_where_they_are_asked_to(correlated):
    """The variance of 40,000 masked values is within 5 standard errors (3.5 %) of their own."""
    points, noisy = masked(share=0.7, correlated=correlated, keep_variance=True)
    assert noisy.var(axis=0) == pytest.approx(points.var(axis=0), rel=0.035)
    _, grown = masked(share=0.7, correlated=correlated)
    assert grown.var(axis=0) == pytest.approx(1.49 * points.var(axis=0), rel=0.035)
    kept = np.corrcoef(points.T)[0, 1] / (1 if correlated else 1.49)
    assert np.corrcoef(noisy.T)[0, 1] == pytest.approx(kept, abs=0.02)


@pytest.mark.parametrize("correlated", [False, True])
def test_columns_without_spread_and_equal_columns_are_borne(correlated):
    points = people(200)[:, [0, 0, 2]]
    noisy = AdditiveNoise(correlated=correlated).mask(points, RandomSource(3))
    assert (noisy[:, 2] == 3.0).all()
    assert (noisy[:, 0] != points[:, 0]).all()
    if correlated:
        assert noisy[:, 0] == pytest.approx(noisy[:, 1])


def test_units_do_not_matter():
    points = people(50)[:, :2]
    noisy = AdditiveNoise(correlated=True).mask(points, RandomSource(5))
    large = AdditiveNoise(correlated=True).mask(points * [1e200, 1e-200], RandomSource(5))
    assert large == pytest.approx(noisy * [1e200, 1e-200])


def test_normals_are_normal():
    """Shares beyond 1, 2 and 3 of 200,000 draws lie within 4.9 standard errors."""
    drawn = standard_normals((100_000, 2), RandomSource(7)).ravel()
    for bound, share in ((1, 0.3173105), (2, 0.0455003), (3, 0.0026998)):
        error = np.sqrt(share * (1 - share) / drawn.size)
        assert abs(np.mean(np.abs(drawn) > bound) - share) < MOST_ERRORS * error
        assert abs(np.mean(np.abs(1.05 * drawn) > bound) - share) > MOST_ERRORS * error
    assert standard_normals((3, 1), RandomSource(7)).shape == (3, 1)


@pytest.mark.parametrize("scale", [1.0, 1.05])
def test_normals_are_normal_and_independent_of_each_other(scale):
    """Kolmogorov and Smirnov find nothing in 200,000 draws, once in 10^6; 5 % more they find."""
    drawn = scale * standard_normals((100_000, 2), RandomSource(7)).ravel()
    # Each half is one side of pairs, whose angles are alike likely and whose sums are normal.
    one, other = drawn.reshape(2, -1)
    angles = np.arctan2(other, one) / (2 * np.pi) + 0.5
    assert kstest(angles, "uniform").pvalue > 1e-6
    assert (kstest(drawn, "norm").pvalue > 1e-6) == (scale == 1.0)
    assert (kstest((one + other) / np.sqrt(2), "norm").pvalue > 1e-6) == (scale == 1.0)


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (3, 1), (3, 3)])
def test_normals_take_two_words_for_two_numbers(shape):
    """An odd last number takes a pair alone."""
    asked = []

    class Counted(RandomSource):
        def words(self, n):
            asked.append(n)
            return super().words(n)

    n = shape[0] * shape[1]
    assert standard_normals(shape, Counted(1)).shape == shape
    assert asked == [n + n % 2]


def test_chance_is_that_of_the_source():
    points = people(20)
    noise = AdditiveNoise()
    assert (noise.mask(points, RandomSource(1)) == noise.mask(points, RandomSource(1))).all()
    assert (
        noise.mask(points, RandomSource())[:, 0] != noise.mask(points, RandomSource())[:, 0]
    ).any()


def test_a_share_of_nothing_is_refused():
    with pytest.raises(ParameterError, match="share"):
        AdditiveNoise(share=0)


def test_numbers_of_a_part_get_noise_of_the_whole_column():
    """Around the mean, by the column's deviation; a fifth of the spread is divided out again."""
    numbers, noise = np.array([3.0, 5.0, 9.0]), AdditiveNoise(0.2)
    drawn = standard_normals((3, 1), RandomSource(4))[:, 0]
    found = noise.mask_about(numbers, 4.0, 10.0, RandomSource(4))
    assert found == pytest.approx(numbers + 2 * drawn)
    kept = AdditiveNoise(0.2, keep_variance=True).mask_about(numbers, 4.0, 10.0, RandomSource(4))
    assert kept == pytest.approx(4 + (numbers - 4 + 2 * drawn) / np.sqrt(1.04))


def test_the_least_word_is_a_number_above_zero():
    """Its logarithm is taken."""
    least, greatest = uniforms(np.array([0, 2**64 - 1], np.uint64))
    assert 0 < least < 2.0**-52
    assert 1 - 2.0**-52 < greatest <= 1
