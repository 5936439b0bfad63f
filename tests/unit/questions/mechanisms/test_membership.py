"""What a proof says of everybody who guesses who is in the data."""

import math

import pytest
from scipy.optimize import linprog

from indistinct.questions.mechanisms.membership import membership_bound

NO_RHO = 1e9


@pytest.mark.parametrize(
    ("epsilon", "rho", "delta", "expected"),
    [
        (math.log(3), NO_RHO, 0.0, 0.5),
        (math.log(3), NO_RHO, 0.1, 0.55),
        (0.0, NO_RHO, 0.25, 0.25),
        (5.0, 0.02, 0.0, 0.1),
        (5000.0, NO_RHO, 0.0, 1.0),
        (5000.0, NO_RHO, 0.5, 1.0),
        (1.0, 0.0, 0.0, 0.0),
    ],
)
def test_worked_examples(epsilon, rho, delta, expected):
    """(e**x - 1 + 2 d) / (e**x + 1), or sqrt(rho / 2) where that is less, and never above 1."""
    assert membership_bound(epsilon, rho, delta) == pytest.approx(expected)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.05])
def test_it_is_the_greatest_gap_that_the_definition_allows(epsilon, delta):
    """Rates t and f with t <= e f + d and 1 - f <= e (1 - t) + d: the most of t - f."""
    times = math.exp(epsilon)
    rows, limits = [[1, -times], [times, -1]], [delta, times - 1 + delta]
    found = linprog([-1, 1], A_ub=rows, b_ub=limits, bounds=[(0, 1), (0, 1)])
    assert membership_bound(epsilon, NO_RHO, delta) == pytest.approx(-found.fun)
