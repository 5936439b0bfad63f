"""What the same attackers find in every contestant, less what they find in a table of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.tables.evaluation.attacks.attribute_disclosure import AttributeDisclosure
from indistinct.tables.evaluation.attacks.membership import MembershipByNearest, MembershipByRatio
from indistinct.tables.evaluation.attacks.scenario import AttackScenario

TARGETS = 2000  # inside and outside together
MEMBERSHIP = (MembershipByNearest.name, MembershipByRatio.name)


@final
@dataclass(frozen=True, slots=True)
class AttackResult:
    """What one attack found in one table.

    Parameters
    ----------
    advantage : how much more often it is right, or says yes, for people inside, in [-1, 1]
    interval : of 95 %
    auc : area under the curve of an attack on membership; None for one on an attribute
    """

    advantage: float
    interval: tuple[float, float]
    auc: float | None = None


RiskFindings = Mapping[str, AttackResult]


def attacked(scenario: AttackScenario, target: str, seed: int) -> RiskFindings:
    """Run all attackers, on the same targets in every table."""
    return dict(_attacked(scenario, target, seed))


def _attacked(
    scenario: AttackScenario, target: str, seed: int
) -> Iterator[tuple[str, AttackResult]]:
    for attack in (MembershipByNearest(TARGETS), MembershipByRatio(TARGETS)):
        details = attack.run(_anew(scenario, seed))[0].details
        low, high = details["advantage_interval"]
        yield attack.name, AttackResult(details["advantage"], (low, high), details["auc"])
    guessing = AttributeDisclosure(target, TARGETS // 2)
    details = guessing.run(_anew(scenario, seed))[0].details
    low, high = details["disclosed_interval"]
    yield guessing.name, AttackResult(details["disclosed"], (low, high))


def _anew(scenario: AttackScenario, seed: int) -> AttackScenario:
    """Return the scenario with its chance started anew: every attack draws the same targets."""
    return replace(scenario, chance=np.random.default_rng(seed))


def measured(found: RiskFindings, control: RiskFindings) -> tuple[float, float]:
    """Return what the best attacker gains beyond the control, and the upper end of it: in [0, 1].

    Parameters
    ----------
    control : what the same attackers find in a table of people who are no targets: their luck
    """
    gains = [
        (one.advantage, one.interval[1], control[name].advantage) for name, one in found.items()
    ]
    gain = max(advantage - luck for advantage, _, luck in gains)
    upper = max(high - luck for _, high, luck in gains)
    return float(np.clip(gain, 0.0, 1.0)), float(np.clip(upper, 0.0, 1.0))
