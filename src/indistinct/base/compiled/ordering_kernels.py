"""The order of numbers, for compiled loops."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

LEAST_SPLIT = 15  # shorter runs are sorted by insertion


@compiled
def ascending(scores: Floats) -> Ints:
    """List the places of scores from the least on: quicksort, below 16 scores by insertion.

    Notes
    -----
    Which of equal scores comes first decides what a seed gives. The exchanges are therefore those
    of ``numpy.argsort`` as numba has it, which takes a second and a half to compile.
    """
    order = np.empty(len(scores), np.int64)
    for place in range(len(scores)):
        order[place] = place
    # The longer part waits, so that no more than log2(n) parts do.
    lows = np.empty(64, np.int64)
    highs = np.empty(64, np.int64)
    lows[0], highs[0] = 0, len(scores) - 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        low, high = lows[waiting], highs[waiting]
        while high - low >= LEAST_SPLIT:
            middle = (low + high) >> 1
            exchange_descent(scores, order, low, middle)
            exchange_descent(scores, order, middle, high)
            exchange_descent(scores, order, low, middle)
            pivot = scores[order[middle]]
            order[high], order[middle] = order[middle], order[high]
            left, right = low, high - 1
            while True:
                while left < high and scores[order[left]] < pivot:
                    left += 1
                while right >= low and pivot < scores[order[right]]:
                    right -= 1
                if left >= right:
                    break
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
            order[left], order[high] = order[high], order[left]
            if high - left > left - low:
                lows[waiting], highs[waiting] = left + 1, high
                high = left - 1
            else:
                lows[waiting], highs[waiting] = low, left - 1
                low = left + 1
            waiting += 1
        for place in range(low + 1, high + 1):
            item, slot = order[place], place
            while slot > low and scores[item] < scores[order[slot - 1]]:
                order[slot] = order[slot - 1]
                slot -= 1
            order[slot] = item
    return order


@compiled_part
def exchange_descent(scores: Floats, order: Ints, one: int, other: int) -> None:
    """Exchange two places of an order if the score of the second is less."""
    if scores[order[other]] < scores[order[one]]:
        order[one], order[other] = order[other], order[one]
