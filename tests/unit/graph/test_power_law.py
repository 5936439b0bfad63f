"""Power law: SciPy's zeta function, a grid of exponents, and samples of a known law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from indistinct.graph.loss import power_law
from indistinct.graph.power_law_kernels import likeliest_exponent, zeta


@pytest.mark.parametrize("exponent", [1.05, 1.5, 2.0, 3.7, 11.0])
@pytest.mark.parametrize("least", [1, 2, 10, 300])
def test_zeta_is_scipys(exponent, least):
    assert math.isclose(zeta(exponent, least), special.zeta(exponent, least), rel_tol=1e-9)


def test_the_exponent_is_the_likeliest_of_a_grid():
    values = np.array([3, 3, 3, 4, 4, 5, 7, 12, 30])
    grid = np.arange(1.02, 6, 0.001)
    costs = grid * np.log(values).mean() + np.log(special.zeta(grid, 3))
    found = likeliest_exponent(3, float(np.log(values).mean()))
    assert abs(found - grid[costs.argmin()]) < 0.002


@pytest.mark.parametrize("exponent", [2.0, 2.5, 3.2])
def test_samples_of_a_law_give_its_exponent(exponent):
    """Within four standard errors, a false alarm in 16,000; half a unit off is seen."""
    sample = np.random.default_rng(1).zipf(exponent, 20_000)
    found = power_law(sample)
    size = np.count_nonzero(sample >= found["least"])
    assert abs(found["exponent"] - exponent) < 4 * (exponent - 1) / math.sqrt(size)
    assert abs(found["exponent"] - exponent - 0.5) > 4 * (exponent - 1) / math.sqrt(size)
    assert found["distance"] < 0.02


def test_a_tail_above_noise_is_found():
    chance = np.random.default_rng(1)
    tail = np.round((chance.pareto(1.5, 5000) + 1) * 20).astype(np.int64)
    found = power_law(np.concatenate([chance.integers(1, 20, 5000), tail]))
    assert 18 <= found["least"] <= 40
    assert abs(found["exponent"] - 2.5) < 0.2


@pytest.mark.parametrize("degrees", [[], [0, 0], [3] * 50, [1, 2, 3]])
def test_too_little_for_a_law(degrees):
    assert power_law(np.array(degrees, np.int64))["exponent"] is None
