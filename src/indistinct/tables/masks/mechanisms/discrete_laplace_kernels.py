"""Exact draws of discrete Laplace noise from random words: integers throughout, no logarithm."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Ints, Words
from indistinct.base.compiled.kernels import compiled, compiled_part

ONE = np.uint64(1)
ZERO = np.uint64(0)


@compiled_part
def below(limit: np.uint64, words: Words, place: int) -> tuple[np.uint64, int]:
    """Draw uniformly from 0 to ``limit`` - 1; without words give 0 and a place beyond them."""
    if limit == ONE:
        return ZERO, place
    unfair = (ZERO - limit) % limit  # 2**64 modulo limit: as many words are drawn again
    while place < len(words):
        word = words[place]
        place += 1
        if word >= unfair:
            return word % limit, place
    return ZERO, len(words) + 1


@compiled_part
def happens(
    numerator: np.uint64, denominator: np.uint64, words: Words, place: int
) -> tuple[bool, int]:
    """Decide with probability exp(-numerator / denominator), for a ratio of at most 1.

    Source: canonne2020, algorithm 1.
    """
    # Invariant: trial - 1 trials have succeeded, the n-th with probability ratio / n. All of the
    # first n succeed with probability ratio**n / n!, so that the number of the first that fails is
    # odd with probability 1 - ratio + ratio**2 / 2! - ..., which is exp(-ratio).
    trial = ONE
    while True:
        chosen, place = below(denominator, words, place)
        if chosen < numerator and trial > ONE:
            chosen, place = below(trial, words, place)
            if chosen != ZERO:
                break
        elif chosen >= numerator:
            break
        if place > len(words):
            break
        trial += ONE
    return (trial & ONE) == ONE, place


@compiled_part
def one(top: np.uint64, shift: np.uint64, words: Words, place: int) -> tuple[np.int64, int]:
    """Draw one integer; a place beyond the words means that they did not suffice."""
    while True:
        remainder, place = below(top, words, place)
        is_kept, place = happens(remainder, top, words, place)
        if place > len(words):
            return np.int64(0), place
        if not is_kept:
            continue
        whole = 0
        while True:
            goes_on, place = happens(ONE, ONE, words, place)
            if not goes_on or place > len(words):
                break
            whole += 1
        # top is below 2**53: the product overflows after 2**11 successes of exp(-1), thus never.
        size = np.int64((remainder + top * np.uint64(whole)) >> shift)
        sign, place = below(np.uint64(2), words, place)
        if place > len(words):
            return np.int64(0), place
        if sign == ZERO:
            return size, place
        if size != 0:  # else 0 would be drawn twice as often: as itself, and as -0
            return -size, place


@compiled
def draw(tops: Ints, shifts: Ints, words: Words, out: Ints, first: int) -> tuple[int, int]:
    """Draw one integer per place of ``out`` until the words are used up.

    Pr[x] is proportional to exp(-abs(x) * 2**shift / top), exactly.

    Parameters
    ----------
    tops, shifts : (n,), each scale is top / 2**shift; top 0 draws no noise;
        0 <= top < 2**53, 0 <= shift <= 52
    words : independent uniform 64-bit words
    out : (n,), written from ``first`` on
    first : the first to draw

    Returns
    -------
    the first that is not drawn, n when all are; and the words used up to there. A draw that lacked
    words must begin with the same words again: to give it others would favor short draws.

    Source: canonne2020, algorithm 2.
    """
    used = 0
    for index in range(first, len(tops)):
        if tops[index] == 0:
            out[index] = 0
            continue
        value, place = one(np.uint64(tops[index]), np.uint64(shifts[index]), words, used)
        if place > len(words):
            return index, used
        out[index] = value
        used = place
    return len(tops), used
