"""The exponential mechanism."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from indistinct.base.billionths import BILLION, billionths
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.mechanisms.selection import Selection, calibrate

DRAWS = 20_000


@pytest.mark.parametrize("accounting", list(Accounting))
@pytest.mark.parametrize("sensitivity", [1, 3, 100])
@pytest.mark.parametrize("budget", ["0.01", "1", "5"])
def test_the_proof_charges_at_most_what_was_asked(accounting, sensitivity, budget):
    """The charge is the measurement's own map, and close to what was granted."""
    mechanism = calibrate(sensitivity, billionths(budget), accounting)
    assert billionths(budget) - 1 <= mechanism.charge() <= billionths(budget)


def permute_and_flip(scores, scale):
    """Return the probabilities of permute-and-flip, over every order of the candidates."""
    n = len(scores)
    chosen = np.zeros(n)
    for order in itertools.permutations(range(n)):
        alive = 1.0
        for candidate in order:
            heads = math.exp((scores[candidate] - max(scores)) / scale)
            chosen[candidate] += alive * heads
            alive *= 1 - heads
    return chosen / math.factorial(n)


def test_draws_follow_the_named_distribution_and_no_other_scale():
    """Permute-and-flip at the right scale passes; at nine tenths and eleven tenths it fails."""
    scores = [0, -1, -3, -4]
    mechanism = Selection(1, 2.0, Accounting.PURE)
    seen = np.bincount([mechanism.choose(scores) for _ in range(DRAWS)], minlength=4)

    def p_value(scale):
        return stats.chisquare(seen, permute_and_flip(scores, scale) * DRAWS).pvalue

    assert p_value(2.0) > 1e-6
    assert p_value(1.7) < 1e-6
    assert p_value(2.3) < 1e-6


def test_slack_covers_the_drawn_score():
    """Scores below the slack come up more seldom than the risk (false alarm below 1e-6)."""
    mechanism = calibrate(1, BILLION, Accounting.PURE)
    scores = [0, *[-mechanism.slack(50, 0.05) - 1] * 49]
    misses = sum(mechanism.choose(scores) != 0 for _ in range(4000))
    assert stats.binom.sf(misses, 4000, 0.05) > 1e-6
