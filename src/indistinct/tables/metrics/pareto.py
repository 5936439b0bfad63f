"""Which choices are worth a thought, and which of them to look at first: risk against cost."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Floats

STRAIGHT = 1e-9


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
    """Choose the knee of a frontier: the choice that lies farthest below its chord.

    Parameters
    ----------
    risks, costs : (n_choices,), of the choices on the frontier, at least one

    Returns
    -------
    its place, and whether the frontier bends there; where it does not, the least risk is chosen
    """
    depth = bends(risks, costs)
    is_bent = bool(depth.max() > STRAIGHT) and len(np.unique(risks)) > 1
    candidates = (
        np.flatnonzero(depth >= depth.max() - STRAIGHT) if is_bent else np.arange(len(risks))
    )
    return int(candidates[np.argmin(risks[candidates])]), is_bent


def _scaled(values: Floats) -> Floats:
    """Return the numbers scaled so that the least is 0 and the greatest 1."""
    span = np.ptp(values)
    return (values - values.min()) / span if span else np.zeros(len(values))
