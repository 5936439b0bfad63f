"""Which choices are worth a thought, and which of them to look at first: risk against cost."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Floats

STRAIGHT = 1e-9
SHARP = 2.0  # times the price of the step to the right that the step to the left costs


def on_frontier(risks: Floats, costs: Floats) -> Bools:
    """Return which choices no other beats: (n_choices,).

    A choice is beaten by one that has no more risk and no more cost, and less of one of them.

    Parameters
    ----------
    risks, costs : (n_choices,), less is better

    Notes
    -----
    O(n_choices^2).
    """
    no_worse = (risks[:, None] <= risks) & (costs[:, None] <= costs)
    better = (risks[:, None] < risks) | (costs[:, None] < costs)
    is_beaten: Bools = np.any(no_worse & better, axis=0)
    return ~is_beaten


def bends(risks: Floats, costs: Floats) -> Floats:
    """Return how far each choice lies below the chord of a frontier: (n_choices,), at most 1.

    The frontier is scaled so that its ends, the least risk and the least cost, lie at (0, 1) and
    (1, 0). On the line between them a little less risk costs everywhere the same; a choice below
    it gives more of both than that line. 1 would be the least risk at the least cost.

    Parameters
    ----------
    risks, costs : (n_choices,), of the choices on the frontier

    Source: das1999, section 3: the knee is the point farthest from the hyperplane of the minima
    """
    return 1 - _scaled(risks) - _scaled(costs)


def knee(risks: Floats, costs: Floats) -> tuple[int, bool]:
    """Choose the knee of a frontier: the bend that lies farthest below its chord.

    Parameters
    ----------
    risks, costs : (n_choices,), of the choices on the frontier, at least one

    Returns
    -------
    its place, and whether the frontier bends anywhere; where it does not, the least risk is chosen
    """
    depth = np.where(are_sharp(risks, costs), bends(risks, costs), 0.0)
    is_bent = bool(depth.max() > STRAIGHT)
    candidates = (
        np.flatnonzero(depth >= depth.max() - STRAIGHT) if is_bent else np.arange(len(risks))
    )
    return int(candidates[np.argmin(risks[candidates])]), is_bent


def are_sharp(risks: Floats, costs: Floats) -> Bools:
    """Return at which choices a frontier bends: (n_choices,).

    There the step to the next smaller risk costs, for each unit of risk, at least twice what the
    step to the next greater risk saves. The two ends are none, as one step is missing there.

    Parameters
    ----------
    risks, costs : (n_choices,), of the choices on the frontier
    """
    levels, first, place = np.unique(risks, return_index=True, return_inverse=True)
    if len(levels) < 3:  # noqa: PLR2004 - two ends
        return np.zeros(len(risks), np.bool_)
    prices = -np.diff(costs[first]) / np.diff(levels)
    sharp = np.zeros(len(levels), np.bool_)
    sharp[1:-1] = prices[:-1] >= SHARP * prices[1:] * (1 - STRAIGHT)
    return sharp[place]


def _scaled(values: Floats) -> Floats:
    """Return the numbers scaled so that the least is 0 and the greatest 1."""
    span = np.ptp(values)
    return (values - values.min()) / span if span else np.zeros(len(values))
