"""One table, many promises: what each costs, what risk it leaves, and where the bend is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.former_names import former_names
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, IndistinctError, NoSolutionError, ParameterError, PolicyError
from indistinct.tables.core.protocols import Metric, Progress, Solution, no_progress
from indistinct.tables.counting.objective import objective_of
from indistinct.tables.counting.preparation import Prepared, asked_anew, prepare
from indistinct.tables.counting.table_faults import check_columns
from indistinct.tables.frames.frame import Frame
from indistinct.tables.metrics.pareto import knee, on_frontier
from indistinct.tables.policy.given import GivenPolicy, policy_of
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.publish.combinations import combinations_of
from indistinct.tables.publish.owner_manifest import reached
from indistinct.tables.publish.protect import protect_input
from indistinct.tables.publish.searching import search
from indistinct.tables.publish.sweep_result import Parameters, Point, Sweep, risk_at, words_of
from indistinct.tables.reading import files
from indistinct.tables.search.finish import satisfies

RISKS = ("prosecutor", "journalist", "marketer")


@former_names(positional=("vary",))
def sweep(
    data: Any,
    policy: GivenPolicy,
    *,
    vary: Mapping[str, Iterable[Any]],
    risk: str = "prosecutor",
    progress: Progress = no_progress,
) -> Sweep:
    """Search the same table under every combination of some parameters.

    The data are read, encoded and counted once. A combination without a solution has a row that
    says why, and the others go on.

    Parameters
    ----------
    data : a path, or an eager frame of Polars, pandas or pyarrow
    policy : what is promised where nothing varies; a policy, or the path of its TOML file
    vary : per parameter, its values: a word of ``[method]``, or a model's parameter as ``k``,
        ``k-anonymity.k`` or ``t-closeness.diagnosis.t``
    risk : the figure that cost is compared with: ``prosecutor``, ``journalist`` or ``marketer``
    progress : called with the share done and a message

    Returns
    -------
    a row per combination, the frontier of risk and cost, and a recommendation

    Raises
    ------
    ParameterError
        when a parameter is unknown or a value lies outside its range, all of them named
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no combination has a solution

    Notes
    -----
    What was found for one combination is a release for every weaker promise as well: where it costs
    less than what was found for that one, it takes its place. So no weaker promise costs more.

    The recommendation is the knee of the frontier; see
    :func:`indistinct.tables.metrics.pareto.knee`.
    """
    policy = policy_of(policy)
    combinations = combinations_of(policy, vary)
    _check_risk(policy.people_file, risk)
    if policy.set_names:
        raise PolicyError(
            "a sweep compares searches for classes, and sets are made after them",
            "Leave the column of sets out, or anonymize once for each choice.",
        )
    source = files.read_file(
        data,
        reading=policy.reading,
    )
    given = resolve(policy)
    check_columns(source.frame, given)
    frame = protect_input(source.frame, given, RandomSource()).records
    trials: list[Trial] = []
    errors: list[IndistinctError] = []
    prepared: Prepared | None = None
    for number, (parameters, words) in enumerate(combinations):
        progress_of_trial = _progress_of_trial(progress, number, len(combinations), parameters)
        progress_of_trial(0.0, "")
        trial = Trial(parameters)
        try:
            asked = Policy.from_words(words, policy.path(""))
            prepared = _prepared(frame, resolve(asked), prepared)
            yardstick = _yardstick(given, prepared)
            trial = replace(trial, prepared=prepared, yardstick=yardstick)
            trials.append(_found(trial, progress_of_trial))
        except (NoSolutionError, ParameterError, PolicyError) as error:
            errors.append(error)
            trials.append(replace(trial, faults=error.faults))
    if len(errors) == len(trials):
        raise errors[0]
    progress(1.0, "comparing")
    points = [_point(trial) for trial in shared(trials)]
    return _compared(tuple(vary), points, risk, policy.method.objective, source.native)


def _prepared(frame: Frame, spec: Specification, before: Prepared | None) -> Prepared:
    """Count the table the first time, and ask it anew as long as it has what is read."""
    if before is None or not set(spec.read_names) <= set(before.problem.table.sensitive):
        return prepare(frame, spec)
    return asked_anew(before, spec)


def _yardstick(given: Specification, prepared: Prepared) -> Metric:
    """Return what measures every cost: the objective of the policy as it was given."""
    rules = [given.columns[name] for name in prepared.problem.table.columns]
    return objective_of(given.method, rules)


def _found(trial: Trial, progress: Progress) -> Trial:
    """Search under a combination that was asked."""
    if trial.prepared is None:
        return trial
    solution, seconds = search(trial.prepared, progress)
    return replace(trial, solution=solution, seconds=seconds)


def _point(trial: Trial) -> Point:
    """Measure what was found under one combination."""
    if trial.solution is None or trial.prepared is None:
        return Point(trial.parameters, None, None, trial.seconds, trial.faults)
    found = reached(trial.prepared, trial.solution)
    return Point(
        trial.parameters, found, trial.cost, trial.seconds, found_for=words_of(trial.found_for)
    )


def _progress_of_trial(
    progress: Progress, number: int, total: int, parameters: Parameters
) -> Progress:
    """Return a progress that reports one combination as a part of all."""
    message = f"{words_of(parameters)} ({number + 1} of {total})"
    return lambda share, _: progress((number + min(share, 1.0)) / total, message)


def _compared(
    parameters: tuple[str, ...], points: Sequence[Point], risk: str, cost: str, native: Any
) -> Sweep:
    """Find the frontier and its knee."""
    solved = [number for number, point in enumerate(points) if point.found is not None]
    risks = np.array([risk_at(points[number], risk) for number in solved])
    costs = np.array([points[number].cost for number in solved], np.float64)
    best = np.flatnonzero(on_frontier(risks, costs))
    best = best[np.lexsort((costs[best], risks[best]))]
    place, is_bent = knee(risks[best], costs[best])
    frontier: tuple[int, ...] = tuple(np.array(solved)[best].tolist())
    chosen = points[frontier[place]]
    reason = _reason(chosen, risk, cost, len(frontier), is_bent=is_bent)
    return Sweep(
        *(parameters, tuple(points), risk, cost, frontier, frontier[place], reason, native),
        is_bent=is_bent and len(frontier) > 1,
    )


def _reason(chosen: Point, risk: str, cost: str, n_best: int, *, is_bent: bool) -> str:
    """Return what is recommended, and by which rule."""
    figures = (
        f"{chosen.words()}: {risk} risk {risk_at(chosen, risk):.4g}, {cost} {chosen.cost:.4g}."
    )
    if n_best == 1:
        return f"{figures} No other combination has less of either."
    if not is_bent:
        return (
            f"{figures} The frontier of {n_best} combinations has no knee, so the one of least "
            "risk is marked."
        )
    return (
        f"{figures} Of the {n_best} combinations that no other beats in both, it is the knee: the "
        "bend farthest below the line from the least risk to the least cost."
    )


def _check_risk(people_file: Path | None, risk: str) -> None:
    """Refuse a risk that is not known, or not measured."""
    counts = people_file is not None
    known = [name for name in RISKS if counts or name != "journalist"]
    if risk not in known:
        remedy = f"Choose one of {', '.join(known)}; journalist needs population.data."
        raise ParameterError([Fault("risk", "is not known, or not measured here", remedy)])


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination, and what was found for it.

    Parameters
    ----------
    parameters : of the combination
    prepared : what it asks; None where it cannot be asked
    yardstick : measures the cost
    solution, seconds : what was found, and how long that took; None without a solution
    faults : why there is none
    found_for : the parameters of another combination that it was found for, if any
    """

    parameters: Parameters
    prepared: Prepared | None = None
    yardstick: Metric | None = None
    solution: Solution | None = None
    seconds: float = 0.0
    faults: tuple[Fault, ...] = ()
    found_for: Parameters | None = None

    @property
    def cost(self) -> float | None:
        """What the solution costs; None without one."""
        if self.solution is None or self.yardstick is None:
            return None
        return self.yardstick.evaluate(self.solution.recoding)

    def is_served_by(self, other: Trial) -> bool:
        """Return whether what was found for another combination is a release for this one, too.

        They ask the same method of the same counted table, but for their models and for the share
        of records that may be suppressed.
        """
        if self.prepared is None or other.prepared is None or other.solution is None:
            return False
        mine, others = self.prepared, other.prepared
        if mine.problem.table is not others.problem.table:
            return False
        limit = {"max_suppression": mine.spec.method.max_suppression}
        if mine.spec.method != others.spec.method.model_copy(update=limit):
            return False
        return satisfies(mine.problem, other.solution.recoding)


def shared(trials: Sequence[Trial]) -> Iterator[Trial]:
    """Yield each trial, with the solution of another that serves it at less cost if one does.

    A release that keeps a promise keeps every weaker one, so that no weaker promise costs more.
    """
    for trial in trials:
        best = trial
        for other in sorted(trials, key=_cost):
            if _cost(other) >= _cost(trial):
                break
            if trial.is_served_by(other):
                best = replace(
                    trial,
                    solution=other.solution,
                    found_for=other.parameters,
                    faults=(),
                )
                break
        yield best


def _cost(trial: Trial) -> float:
    """Return what a trial costs, infinity without a solution."""
    cost = trial.cost
    return float("inf") if cost is None else cost
