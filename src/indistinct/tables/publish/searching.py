"""The search that a policy asks for, on a counted table, within the time that it allows.

Where rules are suggested, it searches again until they are those that the shown cells suggest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import HierarchyError, NoSolutionError
from indistinct.tables.core.keys import day_of_midnight
from indistinct.tables.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.tables.core.recoding import CellDomain, Recoding
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.counting.suggested_rules import (
    FLAT,
    RulesByColumn,
    rules_of_shown_cells,
    rules_of_typical_values,
)
from indistinct.tables.engines.rehearsal import estimate_seconds
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.specification import Specification
from indistinct.tables.release.presentation import reading_of
from indistinct.tables.search import EXACT_ALGORITHM, algorithm_named
from indistinct.tables.search.finish import finished, solve
from indistinct.tables.search.lattice.feasibility import refuse_beyond_the_table
from indistinct.tables.search.undivided import undivided

RAN = "algorithm"  # the fact that names the algorithm that ran instead of the policy's
INSTEAD = "instead_of"  # the fact that names the default, where it found no release
MOST_RESERVED = 0.5  # of the time left
MOST_ROUNDS = 4  # searches before a column is given up whose rule changes what is shown


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
    spec = prepared.spec
    if not spec.class_names:
        return finished(prepared.problem, undivided(prepared.problem))
    deadline = deadline or Deadline()
    try:
        return _searched_by(spec.algorithm.name, prepared, progress, deadline, chance)
    except NoSolutionError:
        # That an algorithm found nothing may tell of sensitive values; so may asking another one.
        is_resistant = spec.method.replay == "resistant"
        if is_resistant or not spec.is_default or spec.algorithm is EXACT_ALGORITHM:
            raise
    exact = EXACT_ALGORITHM.name
    found = _searched_by(exact, prepared, progress, deadline, chance)
    ran = {RAN: exact, INSTEAD: spec.algorithm.name}
    return replace(found, facts={**found.facts, **ran})


def _searched_by(
    name: str,
    prepared: Prepared,
    progress: Progress,
    deadline: Deadline,
    chance: RandomSource | None,
) -> Solution:
    """Run one algorithm with the words of the policy."""
    spec = prepared.spec
    words = spec.method.model_dump() | spec.release.model_dump()
    algorithm = algorithm_named(name, words)
    reading = reading_of(prepared)
    if spec.method.replay == "resistant":
        # Compiled with the models of classes, which few policies need.
        from indistinct.tables.search.resistant import solve_resistantly

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
    deadline = deadline or Deadline.after(prepared.spec.method.time_limit)
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
    reserve = estimate_seconds(frame)
    left = max(limit - spent - (time.monotonic() - begun), 0.0)
    return Deadline.after(left - min(reserve, MOST_RESERVED * left))


@dataclass(frozen=True, slots=True)
class FoundRecoding:
    """What was found with rules that the shown cells suggest, all written out.

    Parameters
    ----------
    prepared, solution, seconds : the counted table, what was found, and the time that it took
    given_up : columns whose values are kept or hidden, since no rule agreed with what it shows
    """

    prepared: Prepared
    solution: Solution
    seconds: float
    given_up: tuple[str, ...] = ()

    __repr__ = short_repr

    @property
    def recoding(self) -> Recoding:
        """What becomes of each record."""
        return self.solution.recoding


def settle(  # noqa: PLR0913 - what is searched, and how
    frame: Frame,
    spec: Specification,
    prepared_by: Callable[[Specification], Prepared],
    search: Callable[[Prepared], tuple[Solution, float]],
    records: Ints | None = None,
    *,
    has_types: bool = True,
) -> FoundRecoding:
    """Search with suggested rules, and again with those that the shown cells suggest.

    Parameters
    ----------
    frame : the records by which the first rules are suggested
    prepared_by : counts the table by rules that are all written out
    search : searches it; returns what was found, and the seconds that it took
    records : of each row of ``frame``; one each where left out
    has_types : whether its columns have types of their own; else its cells decided them

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy, whatever the rules are
    """
    rules = rules_of_typical_values(frame, spec, records, has_types=has_types)
    given_up: tuple[str, ...] = ()
    seconds, rounds = 0.0, 0
    while True:
        written = spec.with_suggestions(rules)
        changed: RulesByColumn = rules
        rounds += 1
        try:
            prepared = prepared_by(written)
            solution, took = search(prepared)
        except (HierarchyError, NoSolutionError):
            # A rule of some values may not take the others, or leave too many of them alone.
            if not _open(rules, given_up):
                raise
            rounds = MOST_ROUNDS
        else:
            seconds += took
            shown = rules_of_shown_cells(prepared, solution.recoding, has_types=has_types)
            changed = {name: rule for name, rule in shown.items() if rule != rules[name]}
            changed = {name: changed[name] for name in _open(changed, given_up)}
            if not changed:
                return FoundRecoding(prepared, _in_days(solution, spec), seconds, given_up)
        if rounds < MOST_ROUNDS:
            rules = {**rules, **changed}
        else:
            left = _open(changed, given_up)
            given_up += left
            rules = {**rules, **dict.fromkeys(left, FLAT)}


def _open(rules: RulesByColumn, given_up: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns whose rule may still change."""
    return tuple(
        name for name, rule in rules.items() if name not in given_up and rule.ranges is None
    )


def _in_days(solution: Solution, spec: Specification) -> Solution:
    """Return what was found with moments as days in each column that shows midnights alone."""
    recoding, missing = solution.recoding, spec.data.texts_of_missing
    shown = map(np.unique, recoding.cells[recoding.released].T)
    domains = tuple(
        _with_days(domain, cells, missing)
        for domain, cells in zip(recoding.domains, shown, strict=True)
    )
    return replace(solution, recoding=replace(recoding, domains=domains))


def _with_days(domain: CellDomain, shown: Ints, missing: Container[str]) -> CellDomain:
    """Return the cells of a column with days for midnights, where it shows no other moment.

    A label of a whole day keeps its text for itself.

    Parameters
    ----------
    shown : the cells that are released, each once
    missing : the labels of missing values
    """
    values: list[int] = shown[domain.levels[shown] == 0].tolist()
    cells: list[int] = shown.tolist()
    days: dict[str, str] = {}
    for text in (domain.labels[cell] for cell in values):
        day = day_of_midnight(text)
        if day is not None:
            days[text] = day
        elif text not in missing:
            return domain
    if not days or not {*days.values()}.isdisjoint(domain.labels[cell] for cell in cells):
        return domain
    return replace(domain, labels=tuple(days.get(label, label) for label in domain.labels))
