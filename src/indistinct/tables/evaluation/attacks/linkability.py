"""Linkability: two sets of columns of one person lead to the same released record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, NEIGHBORS, Attack, Outcome
from indistinct.tables.evaluation.attacks.nearest import nearest
from indistinct.tables.evaluation.attacks.scenario import CONTROL, ORIGINAL, AttackScenario

LEAST_COLUMNS = 2


@final
@dataclass(frozen=True, slots=True)
class Linkability(Attack):
    """Link what two sources know of a person, by the release.

    Targets are people of the original. The nearest records to the columns of the first source, and
    to those of the second, are looked up; an attempt succeeds when they have a record in common.
    Equally near records are chosen among at random.

    Source: giomi2023, linkability.
    """

    second_source: tuple[str, ...] = parameter(
        tuple, default=(), help="columns that the attacker knows from a second source"
    )
    attempts: int = parameter(**ATTEMPTS)
    neighbors: int = parameter(**NEIGHBORS)

    name: ClassVar[str] = "linkability"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        first, second = _sources(scenario, self.second_source)
        targets = _targets(scenario, ORIGINAL, self.attempts)
        hits = self._linked(scenario, ORIGINAL, targets, first, second)
        blind = _share_in_common(
            scenario.chance, len(targets), scenario.released.height, self.neighbors
        )
        return [
            Outcome(
                self.name,
                scenario.rate(float(hits.sum()), len(targets)),
                control=self._control(scenario, first, second),
                baseline=scenario.rate(float(blind.sum()), len(targets)),
                details={"first": first, "second": second, "neighbors": self.neighbors},
                uncontrolled=scenario.uncontrolled([*first, *second]),
            )
        ]

    def _linked(
        self,
        scenario: AttackScenario,
        people: str,
        targets: Ints,
        first: list[str],
        second: list[str],
    ) -> Bools:
        """Return which targets' nearest records have one in common."""
        found = [
            nearest(scenario.columns(names), people, targets, self.neighbors, scenario.chance)
            for names in (first, second)
        ]
        return _in_common(*found)

    def _control(
        self, scenario: AttackScenario, first: list[str], second: list[str]
    ) -> SuccessRate | None:
        """Link people who are not in the release."""
        if not scenario.has(CONTROL):
            return None
        if any(name not in scenario.people[CONTROL].columns for name in (*first, *second)):
            return None
        targets = _targets(scenario, CONTROL, self.attempts)
        hits = self._linked(scenario, CONTROL, targets, first, second)
        return scenario.rate(float(hits.sum()), len(targets))


def _sources(scenario: AttackScenario, second_source: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns of both sources: those that were named, or every other column."""
    roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
    known = scenario.common(ORIGINAL, *roles)
    if not second_source:
        if len(known) < LEAST_COLUMNS:
            raise ParameterError(
                [Fault("--known", "leaves no column for a second source", "Name --second-source.")]
            )
        return known[::2], known[1::2]
    shared = sorted(set(known) & set(second_source)) if scenario.plan.known else []
    there = [*scenario.people[ORIGINAL].columns]
    missing = [
        name for name in second_source if name not in there or name not in scenario.released.columns
    ]
    if shared or missing:
        listed = ", ".join([*shared, *missing])
        raise ParameterError(
            [
                Fault(
                    "--second-source", f"cannot take {listed}", "Name other columns of both tables."
                )
            ]
        )
    second = list(second_source)
    return [name for name in known if name not in second], second


def _targets(scenario: AttackScenario, people: str, attempts: int) -> Ints:
    """Draw the people that are attacked."""
    drawn = scenario.chance.permutation(scenario.people[people].height)
    return drawn[:attempts].astype(np.int64)


def _in_common(first: Ints, second: Ints) -> Bools:
    """Return in which rows two lists of records share one."""
    same = (first[:, :, None] == second[:, None, :]) & (first >= 0)[:, :, None]
    return same.any(axis=(1, 2))


def _share_in_common(
    chance: np.random.Generator, count: int, n_records: int, neighbors: int
) -> Bools:
    """Guess two lists of records blindly, and tell where they share one."""
    drawn = [chance.integers(0, max(n_records, 1), (count, neighbors)) for _ in range(2)]
    return _in_common(*drawn)
