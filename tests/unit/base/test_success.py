"""Rates of success, their intervals, and the risk beyond a control group."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binom, binomtest

from indistinct.base.success import ExcessRisk, excess_risk, success_rate


def test_the_worked_example():
    """1000 attacks, 120 hits; 50 hits on the control group; confidence .95."""
    attack, control = success_rate(120, 1000), success_rate(50, 1000)
    assert (attack.center, attack.margin) == pytest.approx((0.121454, 0.020155), abs=5e-7)
    assert (control.center, control.margin) == pytest.approx((0.051722, 0.013592), abs=5e-7)
    found = excess_risk(attack, control)
    assert (found.risk, found.margin) == pytest.approx((0.073536, 0.025061), abs=5e-7)


def test_the_rate_is_the_plain_share_and_lies_inside():
    found = success_rate(3, 20)
    assert found.rate == 0.15
    assert found.interval[0] < found.rate < found.interval[1]


def test_without_attempts_nothing_is_known():
    found = success_rate(0, 0)
    assert (found.rate, found.interval) == (0.0, (0.0, 1.0))


def test_all_and_none_end_at_the_borders():
    assert success_rate(0, 10).interval[0] == 0.0
    assert success_rate(10, 10).interval[1] == 1.0


def test_a_control_group_that_always_succeeds_leaves_nothing_to_compare():
    assert excess_risk(success_rate(5, 10), success_rate(10, 10)) is None
    assert excess_risk(success_rate(5, 10), success_rate(1, 1)) is None


def test_a_risk_below_the_control_group_is_none():
    assert excess_risk(success_rate(5, 100), success_rate(50, 100)).risk == 0.0


@pytest.mark.parametrize(
    ("risk", "margin", "ends"),
    [(0.5, 0.25, (0.25, 0.75)), (0.125, 0.25, (0, 0.375)), (0.75, 0.5, (0.25, 1))],
)
def test_an_excess_ends_within_none_and_all(risk, margin, ends):
    assert ExcessRisk(risk, margin).interval == ends


@given(st.integers(1, 400), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_is_wilson_s(attempts, data, confidence):
    """As scipy has it."""
    successes = data.draw(st.integers(0, attempts))
    found = success_rate(successes, attempts, confidence)
    oracle = binomtest(successes, attempts).proportion_ci(confidence, method="wilson")
    assert found.interval == pytest.approx((oracle.low, oracle.high), abs=1e-12)


@given(st.integers(1, 400), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_exact_limits_are_those_of_clopper_and_pearson(attempts, data, confidence):
    """As scipy has it."""
    successes = data.draw(st.integers(0, attempts))
    found = success_rate(successes, attempts, confidence)
    oracle = binomtest(successes, attempts).proportion_ci(confidence, method="exact")
    assert found.exact_limits == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_exact_limits_without_attempts_leave_all_open():
    assert success_rate(0, 0).exact_limits == (0.0, 1.0)


def covered(chance, attempts, confidence, scale=1.0):
    """Return the chance that the interval covers, exactly; its width may be scaled."""
    rates = [success_rate(hits, attempts, confidence) for hits in range(attempts + 1)]
    inside = [abs(r.center - chance) <= scale * r.margin + 1e-12 for r in rates]
    return float(binom.pmf(np.arange(attempts + 1), attempts, chance)[inside].sum())


@pytest.mark.parametrize("attempts", [20, 100, 1000])
def test_the_interval_covers_as_often_as_it_says(attempts):
    """On average over the chances within 1 %, nowhere below 83 % (exact sums: no false alarm)."""
    chances = np.linspace(0.001, 0.999, 400)
    shares = [covered(chance, attempts, 0.95) for chance in chances]
    assert np.mean(shares) == pytest.approx(0.95, abs=0.01)
    assert min(shares) > 0.83


def test_a_narrower_interval_would_not_cover():
    """The same test fails for four fifths of the width."""
    chances = np.linspace(0.001, 0.999, 400)
    shares = [covered(chance, 100, 0.95, scale=0.8) for chance in chances]
    assert np.mean(shares) < 0.93


def test_sums_of_unequal_chances_are_covered_more_often():
    """Poisson's binomial varies less: 2000 runs cover at least 95 % less 4 deviations (1e-4)."""
    chance = np.random.default_rng(1)
    chances = chance.beta(0.3, 1.0, 300)
    hits = (chance.random((2000, 300)) < chances).sum(axis=1)
    inside = [
        rate.interval[0] <= chances.mean() <= rate.interval[1]
        for rate in (success_rate(int(count), 300) for count in hits)
    ]
    assert np.mean(inside) > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 2000)
