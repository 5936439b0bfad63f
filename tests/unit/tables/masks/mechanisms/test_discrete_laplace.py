"""Exact discrete Laplace noise, many draws at once."""

import math
from fractions import Fraction

import numpy as np
import pytest

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.mechanisms.discrete_laplace import (
    _as_ratios,
    half_width,
    mean_size,
    sample,
    tail,
)
from indistinct.tables.masks.mechanisms.discrete_laplace_kernels import draw
from noise import discrete_laplace, fit

DRAWS = 1_000_000
FALSE_ALARM = 1e-6  # of each goodness-of-fit test


@pytest.mark.parametrize("scale", [0.4, 1.0, 20.0, 184.2])
def test_a_million_draws_follow_their_scale_and_none_that_is_3_percent_off(scale):
    """The right scale passes; 3 % less and 3 % more fail (false alarm 1e-6 each)."""
    draws = sample(np.full(DRAWS, scale), RandomSource(int(10 * scale)))
    reach = math.ceil(8 * scale)
    assert fit(draws, discrete_laplace(scale), reach) > FALSE_ALARM
    assert fit(draws, discrete_laplace(0.97 * scale), reach) < FALSE_ALARM
    assert fit(draws, discrete_laplace(1.03 * scale), reach) < FALSE_ALARM


def test_secret_draws_follow_the_same_distribution():
    """Without a seed the words come from the operating system (false alarm 1e-6)."""
    draws = sample(np.full(100_000, 3.0), RandomSource())
    assert fit(draws, discrete_laplace(3.0), 30) > FALSE_ALARM


def test_each_draw_has_its_own_scale():
    """Scales may alternate, 0 among them: the parts then follow their own (false alarm 1e-6)."""
    scales = np.tile([0.0, 2.0, 50.0], 100_000)
    draws = sample(scales, RandomSource(5))
    assert not draws[scales == 0].any()
    for scale in (2.0, 50.0):
        assert fit(draws[scales == scale], discrete_laplace(scale), int(8 * scale)) > FALSE_ALARM


def test_draws_do_not_depend_on_one_another():
    """Neighbors in one call are uncorrelated: |r| beyond 5/sqrt(n) has chance 6e-7."""
    draws = sample(np.full(200_000, 10.0), RandomSource(9)).astype(float)
    assert abs(np.corrcoef(draws[::2], draws[1::2])[0, 1]) < 5 / math.sqrt(100_000)


@pytest.mark.parametrize("at_once", [1, 3, 50])
def test_running_out_of_words_changes_nothing(at_once):
    """Words in small portions give the draws that all words at once give."""
    tops, shifts = np.full(200, 20 << 20), np.full(200, 20)
    stream = RandomSource(4).words(10_000)
    whole = np.zeros(200, np.int64)
    assert draw(tops, shifts, stream, whole, 0)[0] == 200
    parts, words, done, read = np.zeros(200, np.int64), stream[:0], 0, 0
    while done < 200:
        words = np.concatenate([words, stream[read : read + at_once]])
        read += at_once
        done, used = draw(tops, shifts, words, parts, done)
        words = words[used:]
    assert parts.tolist() == whole.tolist()


def test_a_seed_repeats_the_noise():
    """Two calls with one seed agree, and another seed does not."""
    scales = np.full(50, 9.0)
    assert sample(scales, RandomSource(1)).tolist() == sample(scales, RandomSource(1)).tolist()
    assert sample(scales, RandomSource(1)).tolist() != sample(scales, RandomSource(2)).tolist()


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 2.0**31, 2.0**40, 2.0**52])
def test_extreme_scales_give_noise_of_their_size(scale):
    """Tiny scales give zeros; the mean size of huge ones is theirs within 5 standard errors."""
    draws = sample(np.full(10_000, scale), RandomSource(3))
    assert abs(np.abs(draws).mean() - scale) <= max(5 * scale / 100, 1e-3)


@pytest.mark.parametrize("scale", [-1.0, math.nan, math.inf, 2.0**53])
def test_a_scale_out_of_range_is_refused(scale):
    """Noise that cannot be drawn exactly is not drawn."""
    with pytest.raises(ParameterError, match="scale"):
        sample(np.array([1.0, scale]), RandomSource(1))


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.5, 40.0])
def test_moments_and_tails_are_those_of_the_distribution(scale):
    """Mean size, tails and half widths agree with sums over the probabilities."""
    probability = discrete_laplace(scale)
    points = np.arange(-2000, 2001)
    chances = probability(points)
    assert mean_size(np.array([scale]))[0] == pytest.approx(np.abs(points) @ chances, rel=1e-9)
    for beyond in (-30, -1, 0, 1, 2, 30):
        expected = chances[points >= beyond].sum()
        assert tail(np.array([scale]), np.array([beyond]))[0] == pytest.approx(expected, abs=1e-12)
    for confidence in (0.0, 0.5, 0.95, 0.99):
        width = int(half_width(np.array([scale]), confidence)[0])
        assert chances[np.abs(points) <= width].sum() >= confidence - 1e-12
        assert width == 0 or chances[np.abs(points) <= width - 1].sum() < confidence


def test_without_noise_everything_is_at_zero():
    """Scale 0: no size, no tail, no width."""
    none = np.zeros(2)
    assert mean_size(none).tolist() == [0, 0]
    assert tail(none, np.array([1.0, -math.inf])).tolist() == [0, 1]
    assert tail(none, np.array([0.0, math.inf])).tolist() == [1, 0]
    assert half_width(none, 0.99).tolist() == [0, 0]


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_a_half_width_that_is_just_reached_is_not_one_more(steps):
    """With a = 1/2, Pr[abs(noise) > w] is 2 (1/2)**(w+1) / 1.5, which rounding must not miss."""
    confidence = 1 - 2 * 0.5 ** (steps + 1) / 1.5
    assert half_width(np.array([1 / math.log(2)]), confidence).tolist() == [steps]


def test_a_scale_is_drawn_from_a_fraction_that_is_never_smaller():
    """Less noise than promised would give more away; more costs at most a billionth."""
    scales = np.random.default_rng(3).uniform(1e-3, 1e6, 500)
    for scale, top, shift in zip(scales, *_as_ratios(scales), strict=True):
        drawn = Fraction(int(top), 2 ** int(shift))
        assert Fraction(scale) <= drawn <= Fraction(scale) * (1 + Fraction(3, 2**31))
