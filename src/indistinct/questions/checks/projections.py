"""Is a projection the nearest one? Judged by its conditions, not by doing it the same way again."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats

CLOSE = 1e-5
ROUNDED = 1e-6  # what a stored count is off at most
LITTLE = 0.01  # of a record


def is_nearest_to_total(found: Floats, noisy: Floats, variances: Floats, total: float) -> bool:
    """Return whether counts are the nearest ones that are at least 0 and add up to a total.

    Notes
    -----
    The conditions of Karush, Kuhn and Tucker: one level L with x = e + L v where x is above 0, and
    e + L v at most 0 where x is 0.
    """
    allowed = CLOSE * max(1.0, total)
    if bool((found < 0).any()) or abs(float(found.sum()) - total) > allowed:
        return False
    above = found > 0
    if not above.any():
        return total <= allowed
    levels = (found - noisy)[above] / variances[above]
    level = float(np.median(levels))
    expected = noisy + level * variances
    return bool(
        (np.abs(found - expected)[above] <= allowed).all() and (expected[~above] <= allowed).all()
    )


def is_nearest_within_reach(table: Floats, wanted: Floats, allowed: Bools) -> bool:
    """Return whether no table of allowed cells with these sums of rows comes nearer to wanted sums.

    Parameters
    ----------
    table : shape (a, b)
    wanted : sums of columns, shape (b,)

    Notes
    -----
    What a row holds lies where the sums of columns exceed the wanted ones least: the conditions
    of Karush, Kuhn and Tucker of least squares over these tables.
    """
    close = 10 * CLOSE * max(1.0, float(wanted.sum()))
    excess = table.sum(axis=0) - wanted
    least = np.where(allowed, excess, np.inf).min(axis=1)
    held = table > close
    return bool((np.where(held, excess, -np.inf).max(axis=1) <= least + close).all())


def distance_to_nearest(
    found: Floats, noisy: Floats, rows: Floats, columns: Floats, allowed: Bools | None = None
) -> float:
    """Return how far a table is from the nearest one with these sums of rows and columns.

    Only cells that are ``allowed`` hold something in both; None: all are. Infinite where the
    nearest one was not found.

    Notes
    -----
    Whatever the levels of rows and columns are, the noisy counts raised by them and cut off at 0
    are the nearest table with the sums that it has: the conditions of Karush, Kuhn and Tucker. The
    levels are looked for with which these are the sums asked for.
    """
    n_rows, n_columns = noisy.shape
    kept_cells = np.ones(noisy.shape, bool) if allowed is None else allowed

    def raised(levels: Floats) -> Floats:
        return np.maximum(0.0, noisy + levels[:n_rows, np.newaxis] + levels[n_rows:]) * kept_cells

    def falling(levels: Floats) -> tuple[float, Floats]:
        kept = raised(levels)
        value = 0.5 * float((kept**2).sum()) - float(
            levels[:n_rows] @ rows + levels[n_rows:] @ columns
        )
        slope = np.concatenate([kept.sum(axis=1) - rows, kept.sum(axis=0) - columns])
        return value, slope

    # Sums that are rounded have two totals, which no levels meet.
    rounding = ROUNDED * (n_rows + n_columns)
    solved: Any = _scipy().minimize(
        falling,
        np.zeros(n_rows + n_columns),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 3000, "maxfun": 6000, "ftol": 1e-15, "gtol": rounding, "maxcor": 30},
    )
    _, off = falling(solved.x)
    if float(np.abs(off).max()) > max(LITTLE, CLOSE * float(rows.sum())):
        return np.inf
    return float(np.linalg.norm(found - raised(solved.x)))


def _scipy() -> Any:
    """Load SciPy's optimizers where they are needed: they have no types, and take a while."""
    return import_module("scipy.optimize")
