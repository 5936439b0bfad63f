"""The Laplace mechanism on integers."""

from __future__ import annotations

import math
import multiprocessing

import numpy as np
import pytest

from indistinct.base.billionths import BILLION, billionths
from indistinct.errors import ParameterError
from indistinct.questions.mechanisms.laplace import Laplace, calibrate
from noise import discrete_laplace, fit

DRAWS = 60_000
FALSE_ALARM = 1e-6  # of each goodness-of-fit test


def density(x, scale):
    return math.exp(-abs(x) / scale) / (2 * scale)


@pytest.mark.parametrize(
    ("scale", "peak", "deviation"),
    [(1, 0.5, 1.414214), (6, 0.083333, 8.485281), (7, 0.071429, 9.899495)],
)
def test_the_slides_densities(scale, peak, deviation):
    """Peak and standard deviation of the Laplace density for lambda 1, 6 and 7."""
    assert calibrate(scale, BILLION).scale == pytest.approx(scale, rel=1e-12)
    assert density(0, scale) == pytest.approx(peak, abs=5e-7)
    assert math.sqrt(2) * scale == pytest.approx(deviation, abs=5e-7)


@pytest.mark.parametrize("sensitivity", [1, 2, 7, 1000, 2**53])
@pytest.mark.parametrize("epsilon", ["0.000000001", "0.1", "0.3", "1", "12.345678901"])
def test_the_proof_charges_what_was_asked_and_no_more(sensitivity, epsilon):
    """The charge is the measurement's own map; the scale is the least that keeps within it."""
    mechanism = calibrate(sensitivity, billionths(epsilon))
    assert mechanism.charge() == billionths(epsilon)
    assert mechanism.scale == pytest.approx(sensitivity / float(epsilon), rel=1e-9)


def test_a_hand_made_scale_is_charged_by_its_proof():
    """Half the scale costs twice the epsilon, whatever anyone wished for."""
    assert Laplace(1, 1.0).charge() == BILLION
    assert Laplace(1, 0.5).charge() == 2 * BILLION


@pytest.mark.parametrize("sensitivity", [None, 0, -1, math.inf, math.nan, 1.5, 2**53 + 1, "1"])
def test_a_missing_bound_never_means_no_noise(sensitivity):
    """What does not bound a person's part is refused before anything is drawn."""
    with pytest.raises(ParameterError, match="sensitivity"):
        calibrate(sensitivity, BILLION)


@pytest.mark.parametrize("budget", [0, -1, None, 0.5])
def test_without_a_budget_nothing_is_drawn(budget):
    """A budget is a positive number of billionths."""
    with pytest.raises(ParameterError, match="epsilon"):
        calibrate(1, budget)


@pytest.mark.parametrize("scale", [0.4, 1.0, 3.0, 10.0])
def test_draws_follow_the_named_distribution_and_no_other_scale(scale):
    """The right scale passes; a tenth less and a tenth more fail (false alarm 1e-6 each)."""
    draws = Laplace(1, scale).sample([0] * DRAWS)
    reach = math.ceil(12 * scale)
    assert fit(draws, discrete_laplace(scale), reach) > FALSE_ALARM
    assert fit(draws, discrete_laplace(0.9 * scale), reach) < FALSE_ALARM
    assert fit(draws, discrete_laplace(1.1 * scale), reach) < FALSE_ALARM


def rounded(scale, number):
    """Draw continuous Laplace noise and round it: wrong at every scale, most at small ones."""
    return np.rint(np.random.default_rng(7).laplace(0, scale, number)).astype(int)


def doubled_zero(scale, number):
    """Draw discrete Laplace noise, but keep a zero of either sign: zero is too likely."""
    chance = np.random.default_rng(8)
    size = chance.geometric(1 - math.exp(-1 / scale), number) - 1
    return size * chance.choice((-1, 1), number)


def whole_scale(scale, number):
    """Draw with the scale's fraction lost, as a sampler does that divides in whole numbers."""
    chance = np.random.default_rng(9)
    ratio = 1 - math.exp(-1 / max(1, math.floor(scale)))
    return chance.geometric(ratio, number) - chance.geometric(ratio, number)


@pytest.mark.parametrize("scale", [0.5, 1.5, 2.5, 3.5])
def test_draws_at_half_integer_scales_are_not_biased(scale):
    """Scales n/2, where samplers have gone wrong: ours fits, three wrong ones do not.

    The false alarm of ours is 1e-6 per scale; the wrong ones have fixed seeds.
    """
    reach = math.ceil(12 * scale)
    expected = discrete_laplace(scale)
    assert fit(Laplace(1, scale).sample([0] * DRAWS), expected, reach) > FALSE_ALARM
    for wrong in (rounded, doubled_zero, whole_scale):
        assert fit(wrong(scale, DRAWS), expected, reach) < FALSE_ALARM, wrong.__name__


@pytest.mark.parametrize("scale", [0.2, 1.0, 7.0, 30.5])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_half_widths_are_exact(scale, confidence):
    """The width reaches the confidence, and one less does not."""
    width = Laplace(1, scale).half_width(confidence)
    probability = discrete_laplace(scale)
    within = [
        float(probability(0)) + 2 * sum(map(probability, range(1, w + 1)))
        for w in (width, width - 1)
    ]
    assert within[0] >= confidence
    assert width == 0 or within[1] < confidence


@pytest.mark.parametrize("exact", [2**63 - 1, -(2**63), 0])
def test_the_limits_of_64_bits_are_answered(exact):
    """Noise at the edge of the integers stays an integer of 64 bits."""
    for answer in Laplace(1, 10.0).sample([exact] * 200):
        assert -(2**63) <= answer < 2**63


def draw(_):
    return tuple(Laplace(1, 1e6).sample([0] * 4))


def test_forked_processes_never_share_noise():
    """A parent that drew before the fork leaves no generator behind for its children to repeat."""
    draw(0)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        drawn = pool.map(draw, range(200), chunksize=5)
    assert len(set(drawn)) == len(drawn)
