"""What noise by class gives away, measured: epsilon, and no more."""

import math

import numpy as np
import pytest

from indistinct.base.randomness import RandomSource
from indistinct.tables.masks.noise.class_scales import BudgetSplit, class_scales
from indistinct.tables.masks.noise.linking import add_noise
from indistinct.tables.masks.noise.members import Members

DRAWS = 1_000_000
ERRORS = 6  # standard errors of the logarithm: false alarm 1e-9 on each side


def measured(rows, epsilon, budget, factor=1.0):
    """Return the log-odds of two records, the ends of a class, and its standard error.

    The event is that every column lies at or beyond the first record's value: where the second is
    least likely to be released.
    """
    values = np.array(rows, dtype=float)
    scales = class_scales(values, Members.together(len(values)), epsilon, budget).scales * factor
    chances = []
    for turn, row in enumerate((values[0], values[-1])):
        many = np.tile(row, (DRAWS, 1))
        noisy = add_noise(many, scales, Members.together(DRAWS), RandomSource(turn + 1))
        chances.append((noisy >= values[0]).all(axis=1).mean())
    error = math.sqrt(sum((1 - p) / p / DRAWS for p in chances))
    return math.log(chances[0] / chances[1]), error


ENDS = [[180], [170], [160]]


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_one_column_gives_away_epsilon(epsilon):
    """The loss between both ends of a class is epsilon."""
    loss, error = measured(ENDS, epsilon, BudgetSplit.VECTOR)
    assert abs(loss - epsilon) < ERRORS * error


@pytest.mark.parametrize("factor", [0.97, 1.03])
def test_a_scale_3_percent_off_is_seen(factor):
    """With 3 % less or more noise the loss is no longer epsilon."""
    wrong, error = measured(ENDS, 1.0, BudgetSplit.VECTOR, factor)
    assert abs(wrong - 1.0) > ERRORS * error


@pytest.mark.parametrize("budget", [BudgetSplit.VECTOR, BudgetSplit.SPLIT])
def test_a_column_and_its_copy_give_away_no_more_than_one(budget):
    """Two equal columns together stay within epsilon; each with all of it would give away twice."""
    rows = [[180, 180], [170, 170], [160, 160]]
    loss, error = measured(rows, 1.0, budget)
    assert loss < 1.0 + ERRORS * error
    assert loss > 1.0 - ERRORS * error
    double, error = measured(rows, 1.0, BudgetSplit.PER_ATTRIBUTE)
    assert double == pytest.approx(2.0, abs=ERRORS * error)
