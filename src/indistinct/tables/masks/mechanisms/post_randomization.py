"""Post-randomization (PRAM): categories change by a matrix of transition probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.tables.masks.mechanisms.additive_noise import uniforms

# How far a row that somebody typed as decimals may be from the sum 1.
ROUNDING = 1e-9


@final
@dataclass(frozen=True, slots=True, eq=False)
class PostRandomization:
    """Replace each category by one drawn from its row of a transition matrix.

    Parameters
    ----------
    matrix : (k, k), probability of each released category (columns) per own one (rows)

    Raises
    ------
    ParameterError
        If it is not square, or a row is not a distribution.

    Source: gouweleeuw1998, definition of PRAM.
    """

    matrix: Floats

    name: ClassVar[str] = "post-randomization"

    def __post_init__(self) -> None:
        """Check that every row is a distribution."""
        faults = list(_faults(self.matrix))
        if faults:
            raise ParameterError(faults)

    def randomize(self, codes: Ints, source: RandomSource) -> Ints:
        """Draw a category for each record.

        Parameters
        ----------
        codes : (n,), 0 <= code < k, the own categories
        source : where chance comes from

        Returns
        -------
        (n,), the released ones
        """
        chance = uniforms(source.words(len(codes)))
        steps = np.cumsum(self.matrix, axis=1)
        released = np.empty(len(codes), np.int64)
        for code, thresholds in enumerate(steps):
            rows = codes == code
            drawn = np.searchsorted(thresholds[:-1], chance[rows], side="right")
            released[rows] = drawn
        return released

    def estimate(self, counts: Any) -> Floats:
        """Return unbiased estimates of the true counts from the released ones: (k,).

        Notes
        -----
        counts times the inverse of the matrix.
        """
        solved = np.linalg.solve(self.matrix.T, np.asarray(counts, dtype=np.float64))
        return np.asarray(solved, dtype=np.float64)


def mixing_matrix(n_categories: int, truth: float) -> Floats:
    """Return the matrix that keeps a category with probability ``truth``, else draws uniformly.

    Parameters
    ----------
    n_categories : k, at least 1
    truth : in [0, 1]
    """
    drawn = (1 - truth) / n_categories
    return np.full((n_categories, n_categories), drawn) + truth * np.eye(n_categories)


def invariant(matrix: Floats, counts: Any) -> Floats:
    """Follow a transition by the one that draws the own category back: counts stay in expectation.

    Parameters
    ----------
    matrix : (k, k), P
    counts : (k,), t, records per category, not all 0

    Returns
    -------
    (k, k), R = P Q with Q[b, a] = P[a, b] t[a] / sum_c P[c, b] t[c], so that t R = t

    Source: gouweleeuw1998, invariant PRAM.
    """
    joint = matrix * np.asarray(counts, dtype=np.float64)[:, None]
    reached = joint.sum(axis=0)
    back = np.divide(joint.T, reached[:, None], out=np.eye(len(matrix)), where=reached[:, None] > 0)
    return matrix @ back


def _faults(matrix: Floats) -> list[Fault]:
    """Find why a matrix is no transition matrix."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:  # noqa: PLR2004 - rows and columns
        return [Fault("matrix", "is not square", "Give a row and a column per category.")]
    wrong = (matrix < 0).any(axis=1) | ~(np.abs(matrix.sum(axis=1) - 1) < ROUNDING)
    return [
        Fault(
            "matrix",
            f"row {row} is not a distribution",
            "Its parts are at least 0 and add up to 1.",
        )
        for row in np.flatnonzero(wrong)
    ]
