"""Projections against the worked examples and a general solver."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import LinearConstraint, minimize

from indistinct.questions.checks.projections import distance_to_nearest
from indistinct.questions.synthesis.projection import onto_margins, onto_total

NUMBERS = st.floats(-30, 30).map(lambda x: round(x, 3))


def test_the_worked_example_of_a_total() -> None:
    found = onto_total(np.array([9.0, 4.0, -2.0]), np.array([1.0, 1.0, 4.0]), 10.0)
    assert np.allclose(found, [7.5, 2.5, 0.0])


def test_the_worked_example_of_margins() -> None:
    noisy = np.array([[12.0, -3.0, 1.0], [2.0, 6.0, 4.0]])
    found = onto_margins(noisy, np.array([10.0, 12.0]), np.array([12.0, 5.0, 5.0]))
    assert np.allclose(found, [[10, 0, 0], [2, 5, 5]], atol=1e-4)


@given(st.lists(NUMBERS, min_size=1, max_size=8), st.floats(0, 50), st.data())
def test_a_total_satisfies_the_conditions_of_the_optimum(noisy, total, data) -> None:
    noisy = np.array(noisy)
    variances = np.array(
        data.draw(st.lists(st.floats(0.5, 9), min_size=len(noisy), max_size=len(noisy)))
    )
    found = onto_total(noisy, variances, total)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(total, abs=1e-8)
    slopes = (found - noisy) / variances
    if (found > 0).any():
        level = slopes[found > 0].max()
        assert np.allclose(slopes[found > 0], level, atol=1e-8)
        assert (slopes[found == 0] >= level - 1e-8).all()


@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_margins_agree_with_a_general_solver(n_rows, n_columns, seed) -> None:
    chance = np.random.default_rng(seed)
    noisy = chance.normal(5, 8, (n_rows, n_columns))
    target = chance.integers(0, 12, (n_rows, n_columns)).astype(float) + 0.5
    rows, columns = target.sum(axis=1), target.sum(axis=0)
    found = onto_margins(noisy, rows, columns)
    assert np.abs(found.sum(axis=1) - rows).max() <= 1e-5 * rows.sum()
    assert np.abs(found.sum(axis=0) - columns).max() <= 1e-5 * rows.sum()
    margins = np.vstack(
        [
            np.kron(np.eye(n_rows), np.ones(n_columns)),
            np.kron(np.ones(n_rows), np.eye(n_columns)),
        ]
    )
    wanted = np.concatenate([rows, columns])
    solved = minimize(
        lambda x: ((x - noisy.ravel()) ** 2).sum(),
        target.ravel(),
        jac=lambda x: 2 * (x - noisy.ravel()),
        bounds=[(0, None)] * noisy.size,
        constraints=LinearConstraint(margins, wanted, wanted),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    assert ((found - noisy) ** 2).sum() <= solved.fun + 1e-3 * max(1.0, solved.fun)


@pytest.mark.parametrize("seed", range(12))
def test_few_records_over_many_cells_meet_their_sums(seed) -> None:
    """A rare code of the focus: climbing by coordinates alone misses the sums by a record."""
    chance = np.random.default_rng(seed)
    n_rows, n_columns = chance.integers(10, 50, 2)
    total = float(chance.choice([1, 10, 100]))
    rows = onto_total(chance.normal(0, 5, n_rows), np.ones(n_rows), total)
    columns = onto_total(chance.normal(0, 5, n_columns), np.ones(n_columns), total)
    noisy = np.rint(chance.normal(0, 300, (n_rows, n_columns)))
    found = onto_margins(noisy, rows, columns)
    assert np.abs(found.sum(axis=1) - rows).max() <= 1e-6 * total
    assert np.abs(found.sum(axis=0) - columns).max() <= 1e-6 * total
    assert distance_to_nearest(found, noisy, rows, columns) < 0.5
