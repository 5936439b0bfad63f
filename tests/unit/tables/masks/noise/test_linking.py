"""Linking noisy records to the nearest original."""

import numpy as np
import pytest
from hypothesis import given

from indistinct.base.randomness import RandomSource
from indistinct.tables.masks.mechanisms.discrete_laplace import tail
from indistinct.tables.masks.noise.class_scales import class_scales
from indistinct.tables.masks.noise.linking import (
    Ties,
    expected_linking_on_grid,
    linked,
    simulated_linking,
)
from noisy_classes import classed, plain_link, plain_link_chances, tables
from shared import examples


def exact(*classes, epsilon=1.0):
    """Return the exact chance of each record under continuous noise by diameter."""
    values, members = classed(*classes)
    scales = class_scales(values, members, epsilon).scales[:, 0]
    return plain_link_chances(values[:, 0], scales, members)


def test_three_heights():
    """The ends are linked with 61 %, the middle with 22 %."""
    found = exact([160, 170, 180])
    assert found == pytest.approx([0.61059961, 0.22119922, 0.61059961], abs=5e-9)
    assert found.mean() == pytest.approx(0.48079948, abs=5e-9)


def test_alone_always_linked_and_equal_values_by_lot():
    """One record: 1. Four equal ones: 1/4 expected, 1 counted, 0 strictly."""
    assert exact([170]).tolist() == [1]
    assert exact([170] * 4).tolist() == [0.25] * 4
    values, members = classed([170] * 4)
    for ties, share in ((Ties.EXPECTED, 0.25), (Ties.COUNT, 1), (Ties.STRICT, 0)):
        assert linked(values, values, members, ties=ties).tolist() == [share] * 4
    values, members = classed([170])
    assert linked(values + 30, values, members, ties=Ties.STRICT).tolist() == [1]


def test_much_noise_leaves_the_ends():
    """As epsilon falls, three records are linked with 1/3 on average."""
    assert exact([160, 170, 180], epsilon=1e-6) == pytest.approx([0.5, 0, 0.5], abs=1e-6)


def test_an_exact_midpoint_is_a_tie():
    """Noise of half the gap leaves two nearest records."""
    values, members = classed([160, 170])
    noisy = np.array([[165.0], [165.0]])
    assert linked(noisy, values, members).tolist() == [0.5, 0.5]
    assert linked(noisy, values, members, ties=Ties.COUNT).tolist() == [1, 1]
    assert linked(noisy, values, members, ties=Ties.STRICT).tolist() == [0, 0]


def test_the_chance_on_a_grid_is_a_sum_over_its_points():
    """Every noisy value, its chance and its link: summed up, also over ties."""
    values, members = classed([1, 2, 2, 6], [3, 3, 9])
    scales = np.array([3.0, 1.5])
    expected = np.zeros(7)
    for noise in range(-200, 201):
        here = np.array([noise])
        noisy = values + noise
        chance = tail(scales, here) - tail(scales, here + 1)
        shares = linked(noisy.astype(float), values, members)
        expected += shares * chance[members.labels]
    assert expected_linking_on_grid(values[:, 0], scales, members) == pytest.approx(expected)


def test_simulation_agrees_with_the_exact_chance():
    """A hundred repetitions of 300 heights: within 5 standard errors (false alarm 6e-7)."""
    rng = np.random.default_rng(2)
    values, members = classed(rng.normal(175, 7, 200).round(), rng.normal(162, 7, 100).round())
    for epsilon in (0.5, 8):
        scales = class_scales(values, members, epsilon).scales
        found = simulated_linking(values, scales, members, RandomSource(1), repetitions=100)
        exact_risk = expected_linking_on_grid(values[:, 0], scales[:, 0], members).mean()
        assert abs(found.mean - exact_risk) < 5 * found.standard_error
        assert found.standard_error < 0.003


def test_a_fine_grid_is_like_continuous_noise():
    """Heights in micrometres: both expectations agree."""
    values, members = classed([160, 170, 180])
    fine = expected_linking_on_grid(values[:, 0] * 1e6, np.array([20e6]), members)
    assert fine == pytest.approx(exact([160, 170, 180]), abs=1e-6)


@examples(80)
@given(tables())
def test_links_are_the_definition(table):
    """Every record compared with every other of its class, one column or several."""
    values, members, noisy = table
    for ties in Ties:
        found = linked(noisy, values, members, ties=ties)
        plain = [plain_link(noisy, values, members, i, ties.value) for i in range(len(values))]
        assert found == pytest.approx(plain)


def test_some_records_may_be_chosen():
    """The links of chosen records are those among all."""
    rng = np.random.default_rng(3)
    values = rng.integers(0, 50, (60, 2)).astype(float)
    _, members = classed(range(40), range(20))
    noisy = values + rng.integers(-5, 6, values.shape)
    chosen = np.array([3, 17, 45])
    for width in (1, 2):
        every = linked(noisy[:, :width], values[:, :width], members)
        some = linked(noisy[:, :width], values[:, :width], members, targets=chosen)
        assert some.tolist() == every[chosen].tolist()
