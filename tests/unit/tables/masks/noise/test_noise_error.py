"""The error of the noise, before any is drawn."""

import numpy as np
import pytest
from hypothesis import given

from indistinct.errors import ParameterError
from indistinct.tables.masks.noise.class_scales import class_scales
from indistinct.tables.masks.noise.noise_error import (
    FLOOR,
    Zero,
    epsilon_for_error,
    expected_error,
)
from noisy_classes import classed, tables
from shared import examples

HEIGHTS, WEIGHTS = [160, 170, 180], [50, 60, 80, 100]


def error(*classes, epsilon, **options):
    """Return the expected error of noise by diameter."""
    values, members = classed(*classes)
    scales = class_scales(values, members, epsilon).scales[:, 0]
    return expected_error(values[:, 0], scales, members, **options)


def test_three_heights():
    """Harmonic mean 169.607390, error 11.79 %."""
    found = error(HEIGHTS, epsilon=1).released
    assert 20 / found == pytest.approx(169.607390, abs=5e-7)
    assert found == pytest.approx(0.11791939, abs=5e-9)


def test_three_heights_by_drawing():
    """The mean of two million draws is within 0.0003 (4 standard errors: false alarm 6e-5)."""
    noise = np.random.default_rng(7).laplace(0, 20, (2_000_000, 3))
    found = float((np.abs(noise) / HEIGHTS).mean())
    assert found == pytest.approx(error(HEIGHTS, epsilon=1).released, abs=3e-4)


def test_two_classes_and_one_of_all():
    """The whole is the mean by size; one global class costs three times as much."""
    found = error(HEIGHTS, WEIGHTS, epsilon=2)
    assert found.of_class == pytest.approx([0.05895969, 0.36979167], abs=5e-9)
    assert found.released == pytest.approx(0.23657796, abs=5e-9)
    assert error(HEIGHTS + WEIGHTS, epsilon=2).released == pytest.approx(0.71364963, abs=5e-9)


def test_equal_values_and_single_records_cost_nothing():
    """Without a diameter there is no noise."""
    assert error([170, 170, 170], epsilon=1).released == 0
    assert error([170], epsilon=1).released == 0
    assert error(epsilon=1).released == 0


def test_suppressed_records_count_as_no_error_among_the_original_ones():
    """Three released of four: three quarters of the error."""
    found = error(HEIGHTS, epsilon=1, n_original=4)
    assert found.original == pytest.approx(0.75 * found.released)


def test_a_value_of_zero_is_a_choice():
    """Floor: over 1e-4; skip: left out and counted; raise: refused. The sign does not matter."""
    values, members = classed([-2, 0, 2])
    sizes = np.array([4.0])
    floor = expected_error(values[:, 0], sizes, members)
    assert floor.released == pytest.approx((2 + 4 / FLOOR + 2) / 3)
    skip = expected_error(values[:, 0], sizes, members, zero=Zero.SKIP)
    assert (skip.released, skip.n_skipped, skip.of_class.tolist()) == (2, 1, [2])
    with pytest.raises(ParameterError, match="1 values are 0"):
        expected_error(values[:, 0], sizes, members, zero=Zero.RAISE)
    assert error(HEIGHTS, epsilon=1, zero=Zero.RAISE).released > 0


def test_the_epsilon_of_a_wanted_error_gives_it():
    """At 5 % for three heights; a target of nothing cannot be reached."""
    values, members = classed(HEIGHTS, WEIGHTS)
    widths = members.spreads(values[:, 0])
    epsilon = epsilon_for_error(values[:, 0], widths, members, 0.05)
    assert epsilon == pytest.approx(2 * 0.23657796 / 0.05, abs=1e-6)
    assert error(HEIGHTS, WEIGHTS, epsilon=epsilon).released == pytest.approx(0.05)
    with pytest.raises(ParameterError, match="target"):
        epsilon_for_error(values[:, 0], widths, members, 0)


@examples(50)
@given(tables())
def test_the_error_is_the_mean_over_the_records(table):
    """Each record: size of its class's noise over its absolute value, floored."""
    values, members, _ = table
    sizes = np.arange(members.n_classes) + 0.5
    each = sizes[members.labels] / np.maximum(np.abs(values[:, 0]), FLOOR)
    found = expected_error(values[:, 0], sizes, members)
    assert found.released == pytest.approx(each.mean())
    for label in range(members.n_classes):
        assert found.of_class[label] == pytest.approx(each[members.labels == label].mean())
