"""The search that a policy asks for, on a counted table: for the maker, and for who repeats it."""

from __future__ import annotations

from dataclasses import replace

from indistinct.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared
from indistinct.errors import NoSolutionError
from indistinct.policy.policy import Policy
from indistinct.release.presentation import reading_of
from indistinct.search import EXACT_ALGORITHM, algorithm_named
from indistinct.search.finish import finished, solve
from indistinct.search.undivided import undivided

RAN = "algorithm"  # the fact that names the algorithm that ran instead of the policy's
INSTEAD = "instead_of"  # the fact that names the default, where it found no release


def searched(
    prepared: Prepared,
    policy: Policy,
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
    if not policy.class_names:
        return finished(prepared.problem, undivided(prepared.problem))
    deadline = deadline or Deadline()
    try:
        return _searched_by(policy.algorithm.name, prepared, policy, progress, deadline, chance)
    except NoSolutionError:
        # That an algorithm found nothing may tell of sensitive values; so may asking another one.
        is_resistant = policy.method.replay == "resistant"
        if is_resistant or policy.names_algorithm or policy.algorithm is EXACT_ALGORITHM:
            raise
    exact = EXACT_ALGORITHM.name
    found = _searched_by(exact, prepared, policy, progress, deadline, chance)
    ran = {RAN: exact, INSTEAD: policy.algorithm.name}
    return replace(found, facts={**found.facts, **ran})


def _searched_by(  # noqa: PLR0913, PLR0917 - what a search takes
    name: str,
    prepared: Prepared,
    policy: Policy,
    progress: Progress,
    deadline: Deadline,
    chance: RandomSource | None,
) -> Solution:
    """Run one algorithm with the words of the policy."""
    words = policy.method.model_dump() | policy.release.model_dump()
    algorithm = algorithm_named(name, words)
    reading = reading_of(prepared, policy)
    if policy.method.replay == "resistant":
        # Compiled with the models of classes, which few policies need.
        from indistinct.search.resistant import solve_resistantly

        source = chance or RandomSource()
        return solve_resistantly(algorithm, prepared.problem, deadline, progress, source, reading)
    return solve(algorithm, prepared.problem, deadline, progress, reading)
