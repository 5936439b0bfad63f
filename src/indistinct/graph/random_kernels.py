"""Random numbers inside compiled loops; the state is an argument and begins with a drawn word."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Words
from indistinct.base.compiled.kernels import compiled_part


@compiled_part
def next_word(state: Words) -> np.uint64:
    """Advance the state, (1,), and give a uniform 64-bit word.

    Source: steele2014, splitmix64.
    """
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled_part
def below(state: Words, count: int) -> int:
    """Draw a number 0 <= number < count.

    Notes
    -----
    From 53 bits: no number's probability is off by more than one part in 2**53 / count.
    """
    return np.int64(np.float64(next_word(state) >> np.uint64(11)) / 9007199254740992.0 * count)


@compiled_part
def uniform(state: Words) -> float:
    """Draw a number in [0, 1)."""
    return np.float64(next_word(state) >> np.uint64(11)) / 9007199254740992.0
