"""Homogeneity: all records that may be a person's have one sensitive value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import homogeneous
from indistinct.metrics.success import SuccessRate, success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.entry import SECRET, Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import CONTROL, Scene


@final
@dataclass(frozen=True, slots=True)
class Homogeneity(Attack):
    """Learn the sensitive value of everybody whose candidates agree; one outcome per column.

    On a control group an attempt succeeds when the candidates agree and are right by chance.

    Source: machanavajjhala2007, section 2 (homogeneity attack).
    """

    secret: str | None = parameter(**SECRET)

    name: ClassVar[str] = "homogeneity"

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        return [_outcome(scene, name) for name in sensitive_columns(scene, self.secret)]


def _outcome(scene: Scene, name: str) -> Outcome:
    """Attack one column."""
    found = candidates(scene, name)
    exposed = homogeneous(found.classes, name)
    return Outcome(
        "homogeneity",
        success_rate(found.count(exposed), int(found.targets.sum()), scene.plan.confidence),
        control=_control(scene, name),
        details={"column": name, "classes": int(exposed.sum())},
    )


def _control(scene: Scene, name: str) -> SuccessRate | None:
    """Attack people who are not in the release, where their values are known."""
    if not scene.has(CONTROL) or name not in scene.people[CONTROL].columns:
        return None
    found = candidates(scene, name, CONTROL)
    counts = found.classes.value_counts[name]
    firsts = counts.values[counts.starts[:-1]] if found.classes.n_classes else np.zeros(0)
    right = homogeneous(found.classes, name) & (firsts == found.values)
    return success_rate(int(right.sum()), len(found.targets), scene.plan.confidence)
