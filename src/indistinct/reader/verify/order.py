"""Whether the rows of a release stand in the input's order, wholly or in part."""

from __future__ import annotations

import math

import numpy as np

from indistinct.core.arrays import Floats, Ints

SHORTEST_ORDER = 10
FARTHEST_CHANCE = 7.0  # standard deviations: a shuffled release is farther once in 4e11
LEAST_SURPRISE = 27.0  # natural logarithm of 5e11: one in so many shuffled releases is refused


def keeps_order(places: Ints) -> bool:
    """Tell whether records stand in the order of the input, or the reverse, or in runs of it.

    Parameters
    ----------
    places : (n_rows,), place in the input of each record, all different

    Notes
    -----
    In a shuffled release the number of ascents has mean (n - 1) / 2 and variance (n + 1) / 12.
    """
    n_rows = len(places)
    if n_rows < SHORTEST_ORDER:
        return False
    ascents = int((np.diff(places) > 0).sum())
    if ascents in {0, n_rows - 1}:
        return True
    far = abs(ascents - (n_rows - 1) / 2) / math.sqrt((n_rows + 1) / 12)
    return far > FARTHEST_CHANCE or follows_order(places.astype(np.float64))


def follows_order(places: Floats) -> bool:
    """Tell whether places in the input go up or down with the rows of the release.

    Parameters
    ----------
    places : (n_rows,), place of each record in the input, or the mean place of those like it

    Notes
    -----
    Whatever the places are, their correlation with the rows of a shuffled release has mean 0 and
    variance 1 / (n - 1). Rows that are alike may stand together, as they do in a release that is
    sorted by a hash: such a run counts as one row.
    """
    places = places[np.append(True, np.diff(places) != 0.0)] if len(places) else places
    n_rows = len(places)
    if n_rows < SHORTEST_ORDER or float(np.ptp(places)) == 0.0:
        return False
    correlation = float(np.corrcoef(places, np.arange(n_rows))[0, 1])
    return abs(correlation) * math.sqrt(n_rows - 1) > FARTHEST_CHANCE


def repeats_sequence(released: Ints, before: Ints) -> bool:
    """Tell whether a release reads like its input with some rows left out, or like its reverse.

    Parameters
    ----------
    released, before : (n_rows,) and (n_input,), number of the combination of cells of each row

    Notes
    -----
    Nobody need stand out for that: a column of two values in the input's order tells which row is
    whose. Of all orders of the released cells, at most ``comb(n_input, n_rows)`` can be read in the
    input; the chance that a shuffled release is one of them is below their share of all orders.
    """
    n_rows, n_input = len(released), len(before)
    if n_rows < SHORTEST_ORDER or n_rows > n_input:
        return False
    # The runs of rows that are alike may be in any order, and so may all rows: whatever is less.
    runs = released[np.append(True, np.diff(released) != 0)]
    n_orders = min(_log_orders(released), _log_orders(runs))
    n_readings = _log_factorial(n_input) - _log_factorial(n_rows)
    n_readings -= _log_factorial(n_input - n_rows)
    if n_orders - n_readings < LEAST_SURPRISE:
        return False
    return any(_is_read_in(order, before) for order in (released, released[::-1]))


def _is_read_in(released: Ints, before: Ints) -> bool:
    """Tell whether some numbers stand in others in the same order, whatever is between them."""
    rest = iter(before.tolist())
    return all(number in rest for number in released.tolist())


def _log_orders(numbers: Ints) -> float:
    """Give the natural logarithm of the number of orders that numbers can stand in."""
    times = np.unique(numbers, return_counts=True)[1].tolist()
    return _log_factorial(len(numbers)) - sum(map(_log_factorial, times))


def _log_factorial(number: int) -> float:
    """Give the natural logarithm of a factorial."""
    return math.lgamma(number + 1)
