"""What all contestants share, and how one table of a contestant is measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.brief import short_repr
from indistinct.tables.evaluation.attacks.attack import released_texts
from indistinct.tables.evaluation.attacks.scenario import (
    CONTROL,
    ORIGINAL,
    REFERENCE,
    AttackContext,
    AttackScenario,
    Search,
)
from indistinct.tables.evaluation.contestants.people import DividedPeople
from indistinct.tables.evaluation.contestants.risk import RiskFindings, attacked, measured
from indistinct.tables.evaluation.contestants.usefulness import (
    ComparisonWorkload,
    InterpretedTable,
    answers_to,
    area_of_learning,
    draw_workload,
    query_errors,
    read_scenario,
    variation,
)
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification, resolve


@final
@dataclass(frozen=True, slots=True)
class ContestantRun:
    """One table of a contestant, measured.

    Parameters
    ----------
    losses : by the words of ``COSTS``; those that it has
    range_error : median absolute error of range queries, in records
    findings : what each attack found; None where there is nothing to attack
    risk, upper : of the best attacker beyond the control, and the upper end of 95 %
    """

    losses: Mapping[str, float]
    range_error: float
    findings: RiskFindings | None
    risk: float | None
    upper: float | None


@final
@dataclass(frozen=True, slots=True)
class ComparisonSetup:
    """What all contestants share.

    Parameters
    ----------
    policy, spec : tell roles and hierarchies
    target : the column that models predict and attackers guess
    names : the compared columns
    truth : those inside, as a reader of the raw table understands them
    counts : the true answers to the range and to the point queries
    control : what attackers find in a table of people who are no targets
    seed : of the attackers' targets
    search : what repeats a search, for attacks that do
    """

    policy: Policy
    spec: Specification
    people: DividedPeople
    target: str
    names: Sequence[str]
    truth: InterpretedTable
    workload: ComparisonWorkload
    counts: tuple[Floats, Floats]
    control: RiskFindings
    seed: int
    search: Search

    __repr__ = short_repr

    @classmethod
    def of(  # noqa: PLR0913, PLR0917 - all that contestants share
        cls,
        policy: Policy,
        people: DividedPeople,
        target: str,
        names: Sequence[str],
        seed: int,
        search: Search,
    ) -> Self:
        """Read the raw table, and draw what everybody is asked."""
        spec = resolve(policy)
        scenario = scenario_of(spec, people, people.inside, search)
        truth = read_scenario(scenario, names, None)
        in_order = [
            column.line.order is None or column.line.order.numbers is not None
            for column in scenario.columns(names)
        ]
        workload = draw_workload(truth, in_order, seed)
        counts = answers_to(truth, workload.ranges), answers_to(truth, workload.points)
        reference = scenario_of(spec, people, people.reference, search)
        control = attacked(reference, target, seed)
        return cls(
            policy,
            spec,
            people,
            target,
            names,
            truth,
            workload,
            counts,
            control,
            seed,
            search,
        )

    @property
    def n_questions(self) -> int:
        """How many queries everybody is asked."""
        return len(self.workload.ranges) + len(self.workload.points)

    def measure(self, table: Any, n_published: int | None) -> ContestantRun:
        """Measure one table.

        Parameters
        ----------
        n_published : records that it was made from; None where none is left out
        """
        scenario = scenario_of(self.spec, self.people, table, self.search)
        reading = read_scenario(scenario, self.names, n_published)
        load = self.workload
        # A table of another size is read as shares of those inside.
        scale = self.truth.n_records / max(reading.n_records, 1.0)
        ranges, points = (
            query_errors(truth, answers_to(reading, asked) * scale, self.truth.n_records)
            for truth, asked in zip(self.counts, (load.ranges, load.points), strict=True)
        )
        losses = {
            f"marginals-{ways}": variation(self.truth, reading, sets)
            for ways, sets in load.sets.items()
        }
        losses |= {"ranges": ranges["relative"], "points": points["relative"]}
        known = [name for name in self.names if name != self.target]
        area = area_of_learning(scenario, known, self.target, CONTROL)
        if area is not None:
            losses["learning"] = 1.0 - area
        found = attacked(scenario, self.target, self.seed)
        return ContestantRun(losses, ranges["absolute"], found, *measured(found, self.control))

    def answered(self, sigma: float, runs: int) -> Iterator[ContestantRun]:
        """Answer all questions with Gaussian noise, again and again."""
        truth = np.concatenate(self.counts)
        n_ranges, n_records = len(self.workload.ranges), self.truth.n_records
        for run in range(runs):
            chance = np.random.default_rng([self.seed, run])
            answers = truth + np.rint(chance.normal(0.0, sigma, len(truth)))
            ranges = query_errors(truth[:n_ranges], answers[:n_ranges], n_records)
            points = query_errors(truth[n_ranges:], answers[n_ranges:], n_records)
            losses = {"ranges": ranges["relative"], "points": points["relative"]}
            yield ContestantRun(losses, ranges["absolute"], None, None, None)


def scenario_of(
    spec: Specification, people: DividedPeople, table: Any, search: Search
) -> AttackScenario:
    """Return the scenario in which attackers have a table."""
    tables = {ORIGINAL: people.inside, CONTROL: people.outside, REFERENCE: people.reference}
    texts, _ = released_texts(table, spec, midpoints=True)
    chance = np.random.default_rng(0)
    return AttackScenario(spec, texts, tables, AttackContext(), chance, search)
