"""Post-randomization: transition probabilities, invariance, estimates."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.mechanisms.post_randomization import (
    PostRandomization,
    invariant,
    mixing_matrix,
)

MOST_ERRORS = 4.9  # standard errors: a false alarm in 10^6 draws
COUNTS = np.array([60_000, 30_000, 10_000])


def drawn(matrix, seed=3):
    codes = np.repeat(np.arange(3), COUNTS)
    return codes, PostRandomization(matrix).randomize(codes, RandomSource(seed))


def errors_of_marginals(matrix, expected):
    """Return how many standard errors each released count is off."""
    _, released = drawn(matrix)
    variance = (COUNTS[:, None] * matrix * (1 - matrix)).sum(axis=0)
    return np.abs(np.bincount(released, minlength=3) - expected) / np.sqrt(variance)


def test_transitions_have_their_probabilities():
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])
    codes, released = drawn(matrix)
    for own in range(3):
        found = np.bincount(released[codes == own], minlength=3) / COUNTS[own]
        error = np.sqrt(matrix[own] * (1 - matrix[own]) / COUNTS[own])
        assert (np.abs(found - matrix[own]) <= MOST_ERRORS * error).all()
    assert errors_of_marginals(matrix, COUNTS @ matrix).max() < MOST_ERRORS
    assert errors_of_marginals(matrix, 1.02 * COUNTS @ matrix).max() > MOST_ERRORS


def test_an_invariant_matrix_keeps_the_marginals():
    matrix = invariant(mixing_matrix(3, 0.5), COUNTS)
    assert errors_of_marginals(matrix, COUNTS).max() < MOST_ERRORS
    assert errors_of_marginals(mixing_matrix(3, 0.5), COUNTS).max() > 50


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any),
    st.floats(0, 1),
)
def test_invariance_is_that_of_expected_counts(counts, truth):
    matrix = invariant(mixing_matrix(len(counts), truth), counts)
    assert matrix.min() >= 0
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(counts)))
    assert counts @ matrix == pytest.approx(np.array(counts, dtype=float), abs=1e-9)


def test_a_worked_invariant_matrix():
    """Counts 3 and 1, P = [[.8, .2], [.4, .6]]: Q = [[6/7, 1/7], [1/2, 1/2]]."""
    matrix = invariant(np.array([[0.8, 0.2], [0.4, 0.6]]), [3, 1])
    expected = [
        [0.8 * 6 / 7 + 0.1, 0.8 / 7 + 0.1],
        [0.4 * 6 / 7 + 0.3, 0.4 / 7 + 0.3],
    ]
    assert matrix == pytest.approx(np.array(expected))


def test_estimates_undo_the_matrix():
    matrix = mixing_matrix(3, 0.6)
    assert PostRandomization(matrix).estimate(COUNTS @ matrix) == pytest.approx(COUNTS)


@pytest.mark.parametrize(
    "matrix", [[[1.0, 0.0]], [[0.5, 0.4], [0.5, 0.5]], [[1.5, -0.5], [0, 1]], [[np.nan]]]
)
def test_rows_must_be_distributions(matrix):
    with pytest.raises(ParameterError):
        PostRandomization(np.array(matrix, dtype=np.float64))
