"""Which choices no other beats, and which of them is the knee."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.metrics.pareto import bends, knee, on_frontier

FIGURES = st.lists(
    st.tuples(st.sampled_from([0, 0.1, 0.25, 0.5, 1]), st.sampled_from([0, 0.2, 0.4, 0.7, 1])),
    min_size=1,
    max_size=12,
)


def beats(one, other):
    """A plain definition."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and one != other


@given(FIGURES)
def test_the_frontier_is_what_nothing_beats(points):
    """By comparing each pair."""
    risks, costs = np.array(points).T
    expected = [not any(beats(other, one) for other in points) for one in points]
    assert on_frontier(risks, costs).tolist() == expected


@given(FIGURES)
def test_the_knee_is_the_sharp_point_farthest_from_the_chord(points):
    """As geometry says it: the distance of a point from the line through two others.

    A point is sharp where its step to the left costs twice, per risk, what that to the right does.
    """
    best = sorted({one for one in points if not any(beats(other, one) for other in points)})
    risks, costs = np.array(best).T
    place, is_bent = knee(risks, costs)
    if len(best) == 1:
        assert (place, is_bent) == (0, False)
        return
    (x1, y1), (x2, y2) = best[0], best[-1]
    scaled = [((x - x1) / (x2 - x1), (y - y2) / (y1 - y2)) for x, y in best]
    signed = [(1 - x - y) / np.sqrt(2) for x, y in scaled]
    slopes = [(y - v) / (u - x) for (x, y), (u, v) in pairwise(best)]
    sharp = [left >= 2 * right - 1e-9 for left, right in pairwise(slopes)]
    signed = [one if is_sharp else 0 for one, is_sharp in zip(signed, [0, *sharp, 0], strict=True)]
    assert is_bent == (max(signed) > 1e-9)
    if is_bent:
        assert signed[place] == pytest.approx(max(signed))
        assert all(value < max(signed) - 1e-10 for value in signed[:place])
    else:
        assert place == 0


def test_a_worked_example():
    """Risks 1/2, 1/5, 1/10 at losses .2, .25, .7: the second bends most."""
    risks, costs = np.array([0.1, 0.2, 0.5]), np.array([0.7, 0.25, 0.2])
    assert bends(risks, costs).tolist() == pytest.approx([0, 0.65, 0])
    assert knee(risks, costs) == (1, True)


@pytest.mark.parametrize(
    ("risks", "costs"),
    [
        ([0.1, 0.5], [0.7, 0.2]),
        ([0.5, 0.1, 0.3], [0.0, 1.0, 0.5]),
        ([0.1, 0.45, 0.5], [1, 0.9, 0]),
        ([0.1, 0.2, 0.3], [1.0, 0.4, 0.05]),
    ],
)
def test_a_frontier_that_does_not_bend_has_no_knee(risks, costs):
    """Two points, a straight line, a hump, a bend of 6 to 3.5: the least risk is chosen."""
    place, is_bent = knee(np.array(risks), np.array(costs, float))
    assert not is_bent
    assert risks[place] == min(risks)
