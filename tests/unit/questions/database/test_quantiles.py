"""The interval of a quantile holds it as often as it says, however few or equal the rows are."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from indistinct.base.billionths import BILLION
from indistinct.questions.database.dataset import Range
from indistinct.questions.database.relational.quantiles import candidates, quantile, ranks, stride
from indistinct.questions.mechanisms import selection
from indistinct.questions.mechanisms.accountant import Accounting
from shared import longer

BOUNDS = Range(Fraction(1), 0, 100, 0)
WIDE = Range(Fraction(1), -5_000, 5_000, 0)
CHANCE = random.Random(3)
GROUPS = {
    "nobody": [],
    "one": [70],
    "three": [3, 90, 91],
    "at the bound": [100] * 8,
    "forty": [CHANCE.randint(0, 100) for _ in range(40)],
    "equal": [40] * 100,
    "many equal": [40] * 4000,
    "skewed": [0] * 990 + [100] * 10,
    "two values": [0] * 600 + [100] * 400,
    "many": [CHANCE.randint(0, 100) for _ in range(5000)],
}
SHARES = (Fraction(1, 2), Fraction(9, 10), Fraction(1, 100))


def noises(share, epsilon, accounting):
    """Calibrate the three selections of a quantile, as a plan does."""
    most = max(share.numerator, share.denominator - share.numerator)
    parts = epsilon * BILLION // 2, epsilon * BILLION // 4, epsilon * BILLION // 4
    return [selection.calibrate(most, int(part), accounting) for part in parts]


def counted(values, bounds):
    """Count the rows per candidate."""
    offered = candidates(bounds)
    counts = np.zeros(len(offered), np.int64)
    for value in values:
        counts[(value - bounds.low) // stride(bounds)] += 1
    return counts


def hits(values, share, epsilon, bounds=BOUNDS, *, draws=120, accounting=Accounting.PURE):
    """Count the draws whose interval holds the exact quantile, and give their mean width."""
    exact = int(np.quantile(values, float(share), method="inverted_cdf")) if values else 0
    counts, made = counted(values, bounds), noises(share, epsilon, accounting)
    ends = [quantile(made, share, counts, bounds) for _ in range(draws)]
    assert all(low <= value <= high for value, low, high in ends)
    held = sum(low <= exact <= high for _, low, high in ends)
    return held, sum(high - low for _, low, high in ends) / draws


def check_coverage(held, draws):
    """Refuse what a coverage of 95 % gives once in a thousand times; see the test that it bites."""
    assert stats.binom.cdf(held, draws, 0.95) > 0.001


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1)])
@pytest.mark.parametrize("share", longer(SHARES, SHARES[:2]))
@pytest.mark.parametrize("group", longer(GROUPS, ("three", "at the bound", "equal", "skewed")))
def test_the_interval_holds_the_exact_quantile(group, share, epsilon):
    """In 95 % of draws."""
    held, _ = hits(GROUPS[group], share, epsilon)
    check_coverage(held, 120)


@pytest.mark.slow
@pytest.mark.parametrize("accounting", list(Accounting))
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("group", GROUPS)
def test_the_lower_bound_of_the_coverage_is_above_93_percent(group, share, accounting):
    """By the lower 99.9 % bound of 3,000 draws; the shorter test above watches every day."""
    held, _ = hits(GROUPS[group], share, Fraction(1, 2), draws=3000, accounting=accounting)
    assert stats.beta.ppf(0.001, held, 3000 - held + 1) > 0.93


def test_an_interval_of_too_few_draws_is_noticed():
    """What the test refuses: 86 % instead of 95 %."""
    with pytest.raises(AssertionError):
        check_coverage(round(0.86 * 120), 120)


def test_where_the_noise_is_larger_than_the_group_the_bounds_are_the_interval():
    """Three rows under noise of scale four tell nothing."""
    _, width = hits(GROUPS["three"], SHARES[0], Fraction(1))
    assert width > 95


def test_where_the_rows_are_many_the_interval_is_narrow():
    """Equal rows and spread ones; the bound is drawn in one of a hundred at each end."""
    for group in ("many equal", "many"):
        _, width = hits(GROUPS[group], SHARES[0], Fraction(1))
        assert width < 12, group


def test_a_wide_range_is_covered_between_its_candidates(tmp_path):
    """The value 1 of the range lies within a candidate's stretch, not on it."""
    del tmp_path
    values = [-4_997] * 2000
    held, width = hits(values, SHARES[0], Fraction(1), WIDE, draws=30)
    check_coverage(held, 30)
    assert width < 1000


@pytest.mark.parametrize("number", range(30))
def test_one_row_moves_no_score_further_than_declared(number):
    """Neither end of a candidate's ranks, for any share: what the noise is made for."""
    chance = random.Random(number)
    share = Fraction(chance.randint(1, 99), 100)
    values = [chance.randint(0, 100) for _ in range(chance.randint(0, 30))]
    one = ranks(counted(values, BOUNDS), share.numerator, share.denominator)
    other = ranks(
        counted([*values, chance.randint(0, 100)], BOUNDS), share.numerator, share.denominator
    )
    most = max(share.numerator, share.denominator - share.numerator)
    assert max(np.abs(a - b).max() for a, b in zip(one, other, strict=True)) <= most
