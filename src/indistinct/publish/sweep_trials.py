"""What was found under each combination of a sweep, and which of it serves others better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from indistinct.core.protocols import Metric, Solution
from indistinct.counting.prepare import Prepared
from indistinct.publish.sweep_result import Parameters
from indistinct.search.finish import satisfies


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination, and what was found for it.

    Parameters
    ----------
    parameters : of the combination
    prepared : what it asks; None where it cannot be asked
    yardstick : measures the cost
    solution, seconds : what was found, and how long that took; None without a solution
    no_solution : why there is none, in words
    found_for : the parameters of another combination that it was found for, if any
    """

    parameters: Parameters
    prepared: Prepared | None = None
    yardstick: Metric | None = None
    solution: Solution | None = None
    seconds: float = 0.0
    no_solution: str | None = None
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
        limit = {"max_suppression": mine.resolved.method.max_suppression}
        if mine.resolved.method != others.resolved.method.model_copy(update=limit):
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
                    no_solution=None,
                )
                break
        yield best


def _cost(trial: Trial) -> float:
    """Return what a trial costs, infinity without a solution."""
    cost = trial.cost
    return float("inf") if cost is None else cost
