"""The resolution of a column."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.masks.noise.grid import MOST_STEPS, Grid
from shared import examples


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([160, 170, 185], Fraction(1)),
        ([160.0, 170.0], Fraction(1)),
        ([70.5, 71.0], Fraction(1, 10)),
        ([70.55, 71.0], Fraction(1, 100)),
        ([0.1, 0.7, None], Fraction(1, 10)),
        ([0.1, float("nan"), 0.25], Fraction(1, 100)),
        ([1 / 3], Fraction(1, 10**9)),
        ([], Fraction(1)),
    ],
)
def test_the_step_is_found(values, step):
    """Whole numbers, decimals, and numbers that have more decimals than anyone keeps."""
    assert Grid.of(pl.Series(values, dtype=None if values else pl.Int64)).step == step


def test_large_numbers_keep_fewer_decimals():
    """There are at most 2**50 steps from 0 to the largest value."""
    grid = Grid.of(pl.Series([12345678.123456789]))
    steps = grid.steps(pl.Series([12345678.123456789]))
    assert abs(steps[0]) < MOST_STEPS
    assert grid.step > Fraction(1, 10**9)


def test_the_policy_may_say_the_step():
    """Five of whole numbers stays whole; half of them does not."""
    column = pl.Series("x", [160, 172])
    five, half = Grid.of(column, 5), Grid.of(column, 0.5)
    assert five.numbers("x", five.steps(column)).to_list() == [160, 170]
    assert five.numbers("x", five.steps(column)).dtype == pl.Int64
    assert half.numbers("x", half.steps(column) + 1).to_list() == [160.5, 172.5]


def test_missing_stays_missing():
    """Null and NaN have no step, and come back as null."""
    column = pl.Series("x", [1.5, None, float("nan")])
    grid = Grid.of(column)
    steps = grid.steps(column)
    assert np.isnan(steps).tolist() == [False, True, True]
    assert grid.numbers("x", steps).to_list() == [1.5, None, None]


@examples(100)
@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.integers(0, 4))
def test_released_numbers_are_the_nearest_to_their_decimals(steps, decimals):
    """What is written is what a person would type: no last bits of anything else."""
    column = pl.Series("x", [float(f"{step}e-{decimals}") for step in steps])
    grid = Grid.of(column)
    assert grid.step >= Fraction(1, 10**decimals)
    assert grid.numbers("x", grid.steps(column)).to_list() == column.to_list()
    assert grid.holds(column.to_numpy())


def test_numbers_between_steps_are_seen():
    """A value finer than the step is none of its multiples."""
    grid = Grid(Fraction(1, 10), is_whole=False)
    assert grid.holds(np.array([0.1, 0.3, 170.0]))
    assert not grid.holds(np.array([0.1, 0.30000000000000004]))


def test_strong_noise_leads_to_multiples_that_a_float_holds_just_so():
    """From 2**51 steps on, dividing by the step may be one off; beyond 2**53 nothing is finer."""
    grid = Grid.of(pl.Series([0.5]), 1e-4)
    chance = np.random.default_rng(3)
    for power in (40, 51, 52, 53, 55, 60):
        steps = np.rint(chance.uniform(2.0 ** (power - 1), 2.0**power, 2000)) * [[1.0], [-1.0]]
        assert all(grid.holds(steps.ravel()[[place]] / 1e4) for place in range(steps.size))
    assert not grid.holds(np.array([0.00015]))
    assert not grid.holds((np.array([2.0**50]) + 0.5) / 1e4)
