"""Edge-private degree sequences: what may be told of degrees without telling of any one edge."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.graph.graph_files import as_graph

# An edge changes two positions of the sorted sequence by one each.
SENSITIVITY = 2


def private_degrees(graph: object, *, epsilon: float, seed: int | None = None) -> Floats:
    """Estimate the sorted degrees with epsilon-differential privacy for edges.

    Parameters
    ----------
    graph : a graph, a networkx graph, or a path
    epsilon : privacy loss for the presence of one edge, above 0; the number of vertices is public
    seed : makes the run repeatable, for tests; then nothing is private

    Returns
    -------
    (n_vertices,), ascending, between 0 and n_vertices - 1

    Raises
    ------
    ParameterError : epsilon is not a number above 0

    Notes
    -----
    Two-sided geometric noise of scale 2 / epsilon on each position of the sorted sequence, sampled
    without rounding, then the nearest ascending sequence, which is post-processing. It does not
    hide a whole vertex: that needs noise of the size of the graph.

    Source: hay2009, section 3; noise by canonne2020, algorithm 2.
    """
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise ParameterError("epsilon must be a number above 0", "Set epsilon to 1.0, say.")
    given = as_graph(graph)
    degrees = np.sort(given.degrees)
    noise = laplace_noise(len(degrees), Fraction(epsilon) / SENSITIVITY, RandomSource(seed))
    return np.clip(nearest_ascending(degrees + noise), 0, max(given.n_vertices - 1, 0))


def laplace_noise(count: int, rate: Fraction, source: RandomSource) -> Ints:
    """Draw whole numbers whose chance is proportional to exp(-rate * |number|), exactly.

    Source: canonne2020, algorithm 2.
    """
    chance = random.SystemRandom() if source.seed is None else random.Random(source.seed)  # noqa: S311 - seeded for tests only
    return np.array([laplace(rate, chance) for _ in range(count)], np.int64)


def laplace(rate: Fraction, chance: random.Random) -> int:
    """Draw one such number."""
    while True:
        step = chance.randrange(rate.denominator)
        if not happens(Fraction(step, rate.denominator), chance):
            continue
        whole = 0
        while happens(Fraction(1), chance):
            whole += 1
        size = (step + rate.denominator * whole) // rate.numerator
        negative = chance.randrange(2) == 1
        # Zero has two signs and would come twice as often.
        if not (negative and size == 0):
            return -size if negative else size


def happens(exponent: Fraction, chance: random.Random) -> bool:
    """Draw yes with chance exp(-exponent), 0 <= exponent <= 1."""
    # The first n whose draw of chance exponent / n fails is odd with just this chance (its series).
    count = 1
    while chance.randrange(exponent.denominator * count) < exponent.numerator:
        count += 1
    return count % 2 == 1


def nearest_ascending(values: Ints | Floats) -> Floats:
    """Return the ascending sequence with the least sum of squared differences.

    Notes
    -----
    Pool adjacent violators: O(n).
    """
    means: list[float] = []
    sizes: list[int] = []
    # Blocks of one mean; a block that falls below the one before it is pooled with it.
    for value in np.asarray(values, np.float64).tolist():
        mean, size = value, 1
        while means and means[-1] > mean:
            total = means.pop() * sizes[-1] + mean * size
            size += sizes.pop()
            mean = total / size
        means.append(mean)
        sizes.append(size)
    return np.repeat(np.array(means, np.float64), np.array(sizes, np.int64))
