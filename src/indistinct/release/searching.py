"""The search that a policy asks for, on a counted table, within the time that it allows."""

from __future__ import annotations

import time
from dataclasses import replace

from indistinct.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared
from indistinct.errors import NoSolutionError
from indistinct.release.presentation import reading_of
from indistinct.search import EXACT_ALGORITHM, algorithm_named
from indistinct.search.finish import finished, solve
from indistinct.search.lattice.feasibility import refuse_beyond_the_table
from indistinct.search.undivided import undivided

RAN = "algorithm"  # the fact that names the algorithm that ran instead of the policy's
INSTEAD = "instead_of"  # the fact that names the default, where it found no release
AFTERWARDS = 8.0  # time of writing and verification at most, by that of reading and counting
MOST_RESERVED = 0.5  # of the time left: a slow reading tells little about what follows


def searched(
    prepared: Prepared,
    progress: Progress = no_progress,
    deadline: Deadline | None = None,
    chance: RandomSource | None = None,
) -> Solution:
    """Run the policy's algorithm; where no column forms classes, all records are one.

    Parameters
    ----------
    chance : breaks ties where nobody shall be able to repeat the search; secret when left out

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    resolved = prepared.resolved
    if not resolved.class_names:
        return finished(prepared.problem, undivided(prepared.problem))
    deadline = deadline or Deadline()
    try:
        return _searched_by(resolved.algorithm.name, prepared, progress, deadline, chance)
    except NoSolutionError:
        # That an algorithm found nothing may tell of sensitive values; so may asking another one.
        is_resistant = resolved.method.replay == "resistant"
        if is_resistant or not resolved.is_default or resolved.algorithm is EXACT_ALGORITHM:
            raise
    exact = EXACT_ALGORITHM.name
    found = _searched_by(exact, prepared, progress, deadline, chance)
    ran = {RAN: exact, INSTEAD: resolved.algorithm.name}
    return replace(found, facts={**found.facts, **ran})


def _searched_by(
    name: str,
    prepared: Prepared,
    progress: Progress,
    deadline: Deadline,
    chance: RandomSource | None,
) -> Solution:
    """Run one algorithm with the words of the policy."""
    resolved = prepared.resolved
    words = resolved.method.model_dump() | resolved.release.model_dump()
    algorithm = algorithm_named(name, words)
    reading = reading_of(prepared)
    if resolved.method.replay == "resistant":
        # Compiled with the models of classes, which few policies need.
        from indistinct.search.resistant import solve_resistantly

        source = chance or RandomSource()
        return solve_resistantly(algorithm, prepared.problem, deadline, progress, source, reading)
    return solve(algorithm, prepared.problem, deadline, progress, reading)


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


def search_deadline(limit: float | None, spent: float) -> Deadline:
    """Return the moment when the search has to end, so that the whole run keeps its time limit.

    Parameters
    ----------
    limit : seconds for the whole run; None for none
    spent : seconds that reading and counting took

    Notes
    -----
    Writing and verification cannot be cut short. Their time is foreseen as a multiple of what
    reading and counting took, on this machine and as busy as it is now, but the search has at least
    half of the time left. A search whose time is over before it begins still makes a whole release.
    """
    if limit is None:
        return Deadline()
    left = max(limit - spent, 0.0)
    return Deadline.after(left - min(AFTERWARDS * spent, MOST_RESERVED * left))
