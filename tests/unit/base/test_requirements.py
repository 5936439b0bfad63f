"""Requirements such as k>=5, read in one place."""

import math

import pytest

from indistinct.base.requirements import meets
from indistinct.errors import ParameterError

FIGURES = {"k": 5.0, "t_equal(in come)": 0.3, "c": math.inf, "sum": 0.1 + 0.2}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("k>=5", True),
        (" k > 5 ", False),
        ("k<=4.9", False),
        ("k<6", True),
        ("k=5", True),
        ("k==5.5", False),
        ("t_equal(in come)<=3e-1", True),
        ("c<=1e300", False),
        ("sum<=0.3", True),
        ("sum<0.3", False),
    ],
)
def test_figures_are_compared(text, holds):
    """Rounding errors of a sum decide nothing; an infinite figure is above every bound."""
    assert meets(text, FIGURES, "k>=5") is holds


@pytest.mark.parametrize("text", ["k", "k>=", "k=>5", "K>=5", "l>=2", "k>=5 or so", "5<=k"])
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(ParameterError) as caught:
        meets(text, FIGURES, "k>=5")
    assert "k>=5" in caught.value.faults[0].remedy


def test_a_sign_that_means_nothing_here_is_refused():
    """Nobody requires a risk to be large."""
    with pytest.raises(ParameterError, match="<= or <"):
        meets("k>=5", FIGURES, "k<=5", ("<=", "<"))
