"""Search a counted table for what a policy asks, within the time that it allows."""

from __future__ import annotations

import time

from indistinct.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared
from indistinct.engines.frames import Frame
from indistinct.engines.rehearsal import foreseen
from indistinct.release.searching import searched
from indistinct.search.lattice.feasibility import refuse_beyond_the_table

MOST_RESERVED = 0.5  # of the time left


def search(
    prepared: Prepared,
    progress: Progress = no_progress,
    deadline: Deadline | None = None,
    chance: RandomSource | None = None,
) -> tuple[Solution, float]:
    """Search a counted table for what a policy asks; it can be asked again and again.

    Parameters
    ----------
    deadline : when it returns the best it has; the policy's time limit from now when left out
    chance : breaks ties where the policy asks for that; secret when left out

    Returns
    -------
    what was found, and the seconds it took

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    started = time.perf_counter()
    refuse_beyond_the_table(prepared.problem)
    deadline = deadline or Deadline.after(prepared.resolved.method.time_limit)
    solution = searched(prepared, progress, deadline, chance)
    return solution, time.perf_counter() - started


def search_deadline(limit: float | None, spent: float, frame: Frame) -> Deadline:
    """Return the moment when the search has to end, so that the whole run keeps its time limit.

    Parameters
    ----------
    limit : seconds for the whole run; None for none
    spent : seconds that reading took
    frame : the records

    Notes
    -----
    Writing and verification cannot be cut short. Their time is foreseen by a trial with a part of
    the records, and kept free, but the search has at least half of the time left. A search whose
    time is over before it begins still makes a whole release.
    """
    if limit is None:
        return Deadline()
    begun = time.monotonic()
    reserve = foreseen(frame)
    left = max(limit - spent - (time.monotonic() - begun), 0.0)
    return Deadline.after(left - min(reserve, MOST_RESERVED * left))
