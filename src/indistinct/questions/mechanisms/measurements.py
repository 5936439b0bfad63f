"""OpenDP's measurements on 64-bit integers, built once per scale.

The only file that knows OpenDP. Only its scalar and vector measurements are used: they come with
proofs, draw exactly, take their bits from the operating system, and their ``map`` is what a
release costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, cast


class Divergence(StrEnum):
    """How far apart neighbours' answers are measured to be: epsilon, or rho."""

    MAX = "MaxDivergence"
    CONCENTRATED = "ZeroConcentratedDivergence"


@lru_cache(maxsize=1)
def opendp() -> Any:
    """Load OpenDP when noise is first needed."""
    from opendp import prelude

    cast("Any", prelude).enable_features("contrib")
    return prelude


@lru_cache(maxsize=1024)
def laplace(scale: float) -> Any:
    """Build the discrete Laplace measurement on vectors, L1 sensitivity."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale)


@lru_cache(maxsize=1024)
def gaussian(scale: float) -> Any:
    """Build the discrete Gaussian measurement on vectors, L2 sensitivity."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    return dp.m.make_gaussian(*space, scale, MO=Divergence.CONCENTRATED.value)


@lru_cache(maxsize=1024)
def noisy_max(scale: float, divergence: Divergence) -> Any:
    """Build the selection of the highest of integer scores, L-infinity sensitivity."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    measures = {
        Divergence.MAX: dp.max_divergence,
        Divergence.CONCENTRATED: dp.zero_concentrated_divergence,
    }
    return dp.m.make_noisy_max(*space, measures[divergence](), scale)


def loss(measurement: Any, sensitivity: float) -> float:
    """Return what a measurement's own map says a release costs, rounded up by OpenDP."""
    return float(measurement.map(sensitivity))


def release(measurement: Any, exact: Sequence[int]) -> list[int]:
    """Draw one noisy vector."""
    return cast("list[int]", measurement(list(exact)))


def select(measurement: Any, scores: Sequence[int]) -> int:
    """Draw one index."""
    return int(measurement(list(scores)))
