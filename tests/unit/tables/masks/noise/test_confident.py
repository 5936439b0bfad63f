"""Confident k-anonymity: the linking range, and who is suppressed after the noise."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.noise.confident import (
    candidates_of,
    confident_suppression,
    reach_on_grid,
)
from indistinct.tables.masks.noise.linking import add_noise
from noisy_classes import classed, plain_candidates, plain_suppression_chances, tables
from shared import examples

FIVE = [150, 160, 170, 180, 190]


@pytest.mark.parametrize(
    ("confidence", "expected"), [(0.90, 46.051702), (0.95, 59.914645), (0.99, 92.103404), (0, 0)]
)
def test_the_linking_range(confidence, expected):
    """The worked examples at a scale of 20, on a grid up to the next step."""
    on_grid = reach_on_grid(np.array([[20.0]]), confidence)[0, 0]
    assert abs(on_grid - expected) <= 1


@pytest.mark.parametrize("confidence", [-0.1, 1.0, 2.0])
def test_certainty_has_no_range(confidence):
    """Noise is unbounded: a confidence of 1 is refused."""
    with pytest.raises(ParameterError, match="confidence"):
        reach_on_grid(np.array([[20.0]]), confidence)


def test_columns_together_reach_the_confidence():
    """Two columns at 0.81 each get 0.9; one without noise takes no part."""
    both = reach_on_grid(np.array([[20.0, 40.0], [20.0, 0.0]]), 0.81)
    alone = reach_on_grid(np.array([[20.0], [40.0]]), 0.9)[:, 0]
    assert both[0].tolist() == alone.tolist()
    assert both[1].tolist() == [reach_on_grid(np.array([[20.0]]), 0.81)[0, 0], 0]


@pytest.mark.parametrize(
    ("epsilon", "reach", "chances", "mean"),
    [
        (1, 184.206807, [0.00443686, 0.00405829, 0.00393469, 0.00405829, 0.00443686], 0.00418500),
        (2, 92.103404, None, 0.00801708),
        (4, 46.051702, None, 0.02007847),
    ],
)
def test_the_chance_of_being_suppressed(epsilon, reach, chances, mean):
    """Five heights at k = 3 and 99 %: the worked examples, and the closed form."""
    values, scale, k = np.array(FIVE, float), 40 / epsilon, 3
    assert abs(reach_on_grid(np.array([[scale]]), 0.99)[0, 0] - reach) <= 1
    found = plain_suppression_chances(values, scale, reach, k)
    if chances is not None:
        assert found == pytest.approx(chances, abs=5e-9)
    assert found.mean() == pytest.approx(mean, abs=5e-9)
    assert found == pytest.approx(closed_form(values, scale, -scale * math.log(0.01), k))


def closed_form(values, scale, reach, k):
    """Return the chances for a range of at least the diameter."""

    def below(x):
        return np.where(x > 0, 1 - np.exp(-np.abs(x) / scale) / 2, np.exp(-np.abs(x) / scale) / 2)

    v, m = values, len(values)
    high = below(v[m - 1] + reach - v) - below(v[m - k] + reach - v)
    return high + below(v[k - 1] - reach - v) - below(v[0] - reach - v)


def test_the_chance_agrees_with_draws():
    """200,000 noisy classes: within 5 standard errors (false alarm 6e-7 each)."""
    n_classes = 200_000
    values, members = classed(*[FIVE] * n_classes)
    noisy = add_noise(values, np.full((n_classes, 1), 20.0), members, RandomSource(8))
    reach = reach_on_grid(np.full((n_classes, 1), 20.0), 0.99)
    counts = candidates_of(noisy, values, members, reach, 3).reshape(n_classes, 5)
    few = ((counts >= 1) & (counts < 3)).mean(axis=0)
    # The grid's own range: windows of whole numbers end half a step further out.
    chances = plain_suppression_chances(np.array(FIVE, float), 20.0, reach[0, 0] + 0.5, 3)
    assert np.abs(few - chances).max() < 5 * math.sqrt(0.01 / n_classes)


@pytest.mark.parametrize(("noisy", "count"), [(205, 1), (300, 0), (170, 5)])
def test_one_noisy_record(noisy, count):
    """Range 20: one candidate is suppressed, none is kept, five are kept."""
    values, members = classed(FIVE)
    moved = values.copy()
    moved[2] = noisy
    reach = np.array([[20.0]])
    assert candidates_of(moved, values, members, reach, 9)[2] == count
    found = confident_suppression(moved, values, members, reach, 3)
    assert bool(found.suppressed[2]) is (count == 1)


def test_a_class_that_becomes_too_small_is_suppressed_whole():
    """Five records at k = 5: one for its own sake, four with it; another class stays."""
    values, members = classed([*FIVE], [*FIVE])
    noisy = values.copy()
    noisy[2] = 225
    found = confident_suppression(noisy, values, members, np.array([[40.0], [40.0]]), 5)
    assert found.suppressed.tolist() == [True] * 5 + [False] * 5 or found.n_records > 1
    wide = confident_suppression(noisy, values, members, np.array([[74.0], [74.0]]), 5)
    assert wide.suppressed.tolist() == [True] * 5 + [False] * 5
    assert (wide.n_records, wide.n_in_classes, wide.total) == (1, 4, 5)


def test_without_noise_nobody_is_suppressed():
    """A class of equal values: no range, and everyone stands for all."""
    values, members = classed([170] * 4)
    reach = reach_on_grid(np.array([[0.0]]), 0.99)
    assert confident_suppression(values, values, members, reach, 4).total == 0


def test_more_confidence_suppresses_fewer():
    """A wider range holds more originals, or lets a record stand for some instead of none."""
    values, members = classed(*[range(150, 190)] * 500)
    noisy = add_noise(values, np.full((500, 1), 20.0), members, RandomSource(2))
    totals = [
        confident_suppression(
            noisy, values, members, reach_on_grid(np.full((500, 1), 20.0), confidence), 5
        ).total
        for confidence in (0.9, 0.99, 0.999)
    ]
    assert totals[0] > totals[1] > totals[2] > 0


@examples(80)
@given(tables(), st.sampled_from([0, 1, 3, 60]), st.integers(2, 6))
def test_candidates_are_the_definition(table, reach, k):
    """Every noisy record compared with every original of its class, one column or several."""
    values, members, noisy = table
    limits = np.full((members.n_classes, values.shape[1]), float(reach))
    plain = [plain_candidates(noisy, values, members, limits, i) for i in range(len(values))]
    assert candidates_of(noisy, values, members, limits, 99).tolist() == plain
    capped = np.minimum(plain, k).tolist()
    assert candidates_of(noisy, values, members, limits, k).tolist() == capped
    found = confident_suppression(noisy, values, members, limits, k)
    few = np.array([1 <= count < k for count in plain])
    assert found.n_records == few.sum()
    for label in range(members.n_classes):
        chosen = members.labels == label
        left = int((chosen & ~found.suppressed).sum())
        assert left == 0 or left >= k
        if (chosen & ~few).sum() >= k:
            assert (found.suppressed[chosen] == few[chosen]).all()
