"""Measures of masked numbers against plain definitions."""

import numpy as np
import pytest

from indistinct.tables.metrics.masking import (
    absolute_loss,
    correlation_change,
    correlations,
    eigenvalue_change,
    interval_disclosure,
    record_linkage,
    squared_loss,
)

POINTS = np.array([[1.0, 10.0, 7.0], [2.0, 30.0, 7.0], [3.0, 20.0, 7.0], [6.0, 60.0, 7.0]])


def noisy(scale, n_records=300):
    generator = np.random.default_rng(4)
    points = generator.normal(size=(n_records, 3)) * [1, 20, 300]
    return points, points + scale * generator.normal(size=(n_records, 3)) * [1, 20, 300]


def test_nothing_changed_costs_nothing():
    assert absolute_loss(POINTS, POINTS) == 0
    assert squared_loss(POINTS, POINTS) == 0
    assert correlation_change(POINTS, POINTS) == 0
    assert eigenvalue_change(POINTS, POINTS) == 0
    assert record_linkage(POINTS, POINTS) == 1
    assert interval_disclosure(POINTS, POINTS) == 1


def test_columns_without_spread_cost_nothing_whatever_is_done():
    """They take no part, even where there is no other column."""
    constant = np.full((3, 2), 7.0)
    for measure in (absolute_loss, squared_loss, eigenvalue_change):
        assert measure(constant, constant + 1) == 0
    assert correlation_change(constant[:, :1], constant[:, :1] + 1) == 0


def test_one_cell_changed_costs_what_the_definitions_say():
    """The variance of 1, 2, 3, 6 is 3.5; the column without spread takes no part."""
    masked = POINTS.copy()
    masked[3, 0] = 9.0
    assert absolute_loss(POINTS, masked) == pytest.approx(3 / np.sqrt(2 * 3.5) / 8)
    assert squared_loss(POINTS, masked) == pytest.approx(9 / (4 * 3.5) / 2)


def test_means_of_groups_lose_their_share_of_the_spread():
    """The worked example: 1, 2, 3, 10, 11, 12, 20, 21 in groups of two, SSE / SST = .061905."""
    original = np.array([[1, 2, 3, 10, 11, 12, 20, 21]], dtype=float).T
    masked = np.array([[1.5, 1.5, 6.5, 6.5, 11.5, 11.5, 20.5, 20.5]]).T
    assert squared_loss(original, masked) == pytest.approx(0.061905, abs=1e-6)


def test_correlations_are_those_of_numpy_and_zero_without_spread():
    points, _ = noisy(1)
    assert correlations(points) == pytest.approx(np.corrcoef(points.T))
    assert correlations(POINTS)[2].tolist() == [0, 0, 1]
    turned = points * [1, 1, -1]
    expected = 2 * np.abs(np.corrcoef(points.T)[[0, 1], 2]).sum() / 3
    assert correlation_change(points, turned) == pytest.approx(expected)


def test_eigenvalues_grow_with_the_spread():
    points, _ = noisy(1)
    centre = points.mean(axis=0)
    assert eigenvalue_change(points, centre + 2 * (points - centre)) == pytest.approx(3)
    assert eigenvalue_change(points, np.repeat([centre], len(points), axis=0)) == pytest.approx(1)


def plain_linkage(original, masked):
    spread = original.std(axis=0)
    total = 0.0
    for row, record in enumerate(masked):
        far = [float((((other - record) / spread) ** 2).sum()) for other in original]
        nearest = [other for other, distance in enumerate(far) if distance == min(far)]
        total += (row in nearest) / len(nearest)
    return total / len(masked)


@pytest.mark.parametrize("scale", [0.05, 0.3, 2.0])
def test_linkage_is_that_of_the_definition(scale):
    original, masked = noisy(scale, 120)
    assert record_linkage(original, masked) == pytest.approx(plain_linkage(original, masked))
    some = np.arange(0, 120, 7)
    assert 0 <= record_linkage(original, masked, some) <= 1


def test_equal_records_share_the_chance():
    original = np.array([[0.0], [0.0], [5.0], [9.0]])
    assert record_linkage(original, original) == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)
    assert record_linkage(original * 0, original * 0) == pytest.approx(1 / 4)
    assert record_linkage(original[:1], original[:1]) == 1


def test_intervals_reach_so_many_ranks_to_both_sides():
    """Ten ranks, 10 %: one rank up and down; the two records that changed places by three miss."""
    original = np.arange(10.0)[:, None]
    masked = original.copy()
    masked[[2, 5]] = masked[[5, 2]]
    masked[[7, 8]] = masked[[8, 7]]
    assert interval_disclosure(original, masked) == pytest.approx(0.8)
    assert interval_disclosure(original, masked, 0) == pytest.approx(0.6)
    assert interval_disclosure(original, masked, 30) == 1
