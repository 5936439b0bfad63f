"""Discrete Laplace noise for many numbers at once, each with a scale of its own; drawn exactly.

The draws need nothing but random words and integer arithmetic, so that no rounding of a logarithm
leaves traces of the exact value in the last bits of the noisy one.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints, Words
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.tables.masks.mechanisms.discrete_laplace_kernels import draw

# A scale is written with this many bits: products with random words then stay within 64 bits.
SCALE_BITS = 31
LARGEST_SCALE = 2.0**52
# A draw uses as many words as chance wants; this many nearly always suffice for all of a round, and
# words that are left over serve the next one.
DRAWS_AT_ONCE = 1 << 17
WORDS_PER_DRAW = 13


def sample(scales: Floats, source: RandomSource) -> Ints:
    """Draw one integer per scale, Pr[x] proportional to exp(-abs(x)/scale).

    Parameters
    ----------
    scales : (n,), in the unit of the integers, from 0 to 2**52; 0 draws no noise
    source : secure, or seeded for tests

    Returns
    -------
    (n,), independent

    Raises
    ------
    ParameterError
        when a scale is out of its range

    Notes
    -----
    A scale is rounded up by less than one part in 2**30, never down: the noise is at no time less
    than what was asked for, whatever the last bits of the scale.

    Source: ghosh2009, definition 2.1; canonne2020, algorithm 2.
    """
    tops, shifts = _as_ratios(scales)
    out = np.zeros(len(tops), np.int64)
    words: Words = np.zeros(0, np.uint64)
    done, round_number = 0, 0
    while done < len(tops):
        wanted = min(len(tops) - done, DRAWS_AT_ONCE) * WORDS_PER_DRAW + WORDS_PER_DRAW
        fresh = source.apart(f"round {round_number}").words(wanted)
        words = np.concatenate([words, fresh])
        done, used = draw(tops, shifts, words, out, done)
        words = words[used:]
        round_number += 1
    return out


def mean_size(scales: Floats) -> Floats:
    """Return the mean of abs(noise): 1 / sinh(1 / scale), just below the scale; 0 without noise."""
    inverse = np.divide(1.0, scales, out=np.full(np.shape(scales), np.inf), where=scales > 0)
    return 2 * np.exp(-inverse) / -np.expm1(-2 * inverse)


def tail(scales: Floats, beyond: Floats | Ints) -> Floats:
    """Return Pr[noise >= beyond], for whole numbers ``beyond`` or plus or minus infinity.

    With a = exp(-1/scale) that is a**beyond / (1 + a) above 0, and its complement below.
    """
    beyond = np.asarray(beyond, np.float64)
    inverse = np.divide(1.0, scales, out=np.full(np.shape(scales), np.inf), where=scales > 0)
    steps = np.where(beyond > 0, beyond, 1 - beyond)
    share = np.exp(-inverse * steps) / (1 + np.exp(-inverse))
    return np.where(beyond > 0, share, 1 - share)


def half_width(scales: Floats, confidence: float) -> Ints:
    """Return the least w with Pr[abs(noise) <= w] >= confidence.

    Pr[abs(noise) > w] = 2 a**(w+1) / (1+a) with a = exp(-1/scale).
    """
    with np.errstate(divide="ignore"):
        inverse = np.divide(1.0, scales)
    needed = -np.log((1 - confidence) * (1 + np.exp(-inverse)) / 2)
    # Without the factor a product that is a whole number but for rounding would give one step more.
    steps = np.ceil(needed * np.asarray(scales) * (1 - 1e-15)) - 1
    return np.maximum(steps, 0).astype(np.int64)


def _as_ratios(scales: Floats) -> tuple[Ints, Ints]:
    """Write scales as top / 2**shift, rounded up: (n,) and (n,)."""
    if not bool(((scales >= 0) & (scales <= LARGEST_SCALE)).all()):
        raise ParameterError(
            [Fault("scale", "is not between 0 and 2**52", "Give finite values a coarser step.")]
        )
    _, exponents = np.frexp(scales)
    shifts = np.clip(SCALE_BITS + 1 - exponents, 0, 52)
    # One more than the floor rounds up; the second makes up for a scale that was rounded down.
    tops = np.floor(np.ldexp(scales, shifts)).astype(np.int64) + 2
    return np.where(scales > 0, tops, 0), shifts.astype(np.int64)
