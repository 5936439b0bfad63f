"""Linkage by distance: finds people in perturbed columns, which no cell covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.parameters import parameter
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, NEIGHBORS, Attack, Outcome
from indistinct.tables.evaluation.attacks.nearest import nearest
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, REGISTER, AttackScenario


@final
@dataclass(frozen=True, slots=True)
class NearestNeighbor(Attack):
    """Take the nearest record of each person for that person's.

    Attempts are people of the register who are in the original, drawn at random where there are
    more than asked for. With several neighbors, an attempt succeeds when the person's record is
    among them.

    Raises
    ------
    ParameterError
        when nothing tells which record is whose: the distance alone does not say it

    Source: domingoferrer2001, distance-based record linkage.
    """

    attempts: int = parameter(**ATTEMPTS)
    neighbors: int = parameter(**NEIGHBORS)

    name: ClassVar[str] = "nearest-neighbor"
    needs_register: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        truth = scenario.truth()
        if truth is None or truth.rows is None:
            raise ParameterError([_untold(scenario)])
        names = scenario.common(REGISTER, Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
        targets = np.flatnonzero(truth.is_member & truth.is_clear)
        chosen = scenario.chance.permutation(targets)[: self.attempts]
        found = nearest(scenario.columns(names), REGISTER, chosen, self.neighbors, scenario.chance)
        rows = truth.rows[chosen]
        hits = ((found == rows[:, None]) & (rows[:, None] >= 0)).any(axis=1)
        blind = self.neighbors / max(scenario.released.height, 1)
        return [
            Outcome(
                self.name,
                scenario.rate(float(hits.sum()), len(chosen)),
                baseline=scenario.rate_by_chance(blind, len(chosen)),
                details={"columns": names, "neighbors": self.neighbors},
            )
        ]


def _untold(scenario: AttackScenario) -> Fault:
    """Return the fault that nothing tells which record is whose."""
    if scenario.has(ORIGINAL) and scenario.rows is not None:
        return Fault(
            "--register",
            "has no identifier in common with the original, so that nobody knows who was found",
            'Give the column that names the people in both the role "identifier" in the policy.',
        )
    return Fault(
        "--crosswalk",
        "is missing, but is needed to count who was found",
        "Give --original and --crosswalk, and identifiers in the register.",
    )
