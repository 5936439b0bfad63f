"""Additive noise: normal noise in proportion to the spread of each column, or to all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import check, parameter
from indistinct.base.randomness import RandomSource


@final
@dataclass(frozen=True, slots=True)
class AdditiveNoise:
    """Add normal noise whose standard deviation is a share of the column's own.

    Parameters
    ----------
    share : a, greater than 0
    correlated : covariance a**2 Cov(X) for all columns at once, so that correlations are kept in
        expectation; otherwise each column has noise of its own
    keep_variance : shrink the result about the mean by sqrt(1 + a**2), so that means and, in
        expectation, variances (correlated: covariances) stay as they are

    Notes
    -----
    A mask of statistical disclosure control: it bounds no odds and costs no epsilon. O(n d**2).

    Source: kim1986, the transformed noise; hundepool2012, chapter 3.
    """

    share: float = parameter(float, above=0, default=0.1, help="of a column's standard deviation")
    correlated: bool = parameter(bool, default=False, help="whether noise follows correlations")
    keep_variance: bool = parameter(bool, default=False, help="whether variances stay")

    name: ClassVar[str] = "additive-noise"

    def __post_init__(self) -> None:
        """Check the parameters."""
        check(self)

    def mask(self, points: Floats, source: RandomSource) -> Floats:
        """Add noise.

        Parameters
        ----------
        points : (n, d)
        source : where chance comes from

        Returns
        -------
        (n, d)
        """
        centre = points.mean(axis=0)
        scale = np.abs(points - centre).max(axis=0, initial=0.0)
        scale[scale == 0] = 1.0
        gaps = (points - centre) / scale
        noisy = gaps + standard_normals(gaps.shape, source) @ self._factor(gaps).T
        if self.keep_variance:
            noisy = noisy / math.sqrt(1 + self.share**2)
        return centre + noisy * scale

    def mask_about(
        self, numbers: Floats, mean: float, deviation: float, source: RandomSource
    ) -> Floats:
        """Add noise to some numbers of one column, whose mean and spread are known.

        Parameters
        ----------
        numbers : (n,)
        mean, deviation : of the whole column
        source : where chance comes from
        """
        drawn = standard_normals((len(numbers), 1), source)[:, 0]
        gaps = numbers - mean + self.share * deviation * drawn
        if self.keep_variance:
            gaps = gaps / math.sqrt(1 + self.share**2)
        return mean + gaps

    def _factor(self, gaps: Floats) -> Floats:
        """Return a matrix F with F F' = a**2 Cov, or only its diagonal: (d, d)."""
        if not self.correlated:
            return self.share * np.diag(gaps.std(axis=0))
        covariance = gaps.T @ gaps / len(gaps)
        values, vectors = np.linalg.eigh(covariance)
        return self.share * vectors * np.sqrt(np.maximum(values, 0))


def standard_normals(shape: tuple[int, int], source: RandomSource) -> Floats:
    """Draw independent standard normal numbers by the Box-Muller transform."""
    n_pairs = (math.prod(shape) + 1) // 2
    one, other = uniforms(source.words(2 * n_pairs)).reshape(2, n_pairs)
    radius = np.sqrt(-2 * np.log(one))
    angle = 2 * np.pi * other
    drawn = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    return drawn[: math.prod(shape)].reshape(shape)


def uniforms(words: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> Floats:
    """Return words as numbers in the open interval from 0 to 1, by their upper 53 bits."""
    return ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
