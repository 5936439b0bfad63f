"""Homogeneity: all records that may be a person's have one sensitive value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.metrics.disclosure import homogeneous
from indistinct.metrics.success import SuccessRate
from indistinct.reader.attacks.candidates import candidates
from indistinct.reader.attacks.entry import ColumnAttack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import CONTROL, Scene


@final
@dataclass(frozen=True, slots=True)
class Homogeneity(ColumnAttack):
    """Learn the sensitive value of everybody whose candidates agree; one outcome per column.

    On a control group an attempt succeeds when the candidates agree and are right by chance.

    Source: machanavajjhala2007, section 2 (homogeneity attack).
    """

    name: ClassVar[str] = "homogeneity"

    def on_column(self, scene: Scene, column: str) -> Outcome:
        """Attack one column."""
        found = candidates(scene, column)
        exposed = homogeneous(found.classes, column)
        return Outcome(
            self.name,
            found.rate(scene, exposed),
            control=_control(scene, column),
            details={"column": column, "classes": int(exposed.sum())},
        )


def _control(scene: Scene, name: str) -> SuccessRate | None:
    """Attack people who are not in the release, where their values are known."""
    if not scene.has(CONTROL) or name not in scene.people[CONTROL].columns:
        return None
    found = candidates(scene, name, CONTROL)
    counts = found.classes.value_counts[name]
    firsts = counts.values[counts.starts[:-1]] if found.classes.n_classes else np.zeros(0)
    right = homogeneous(found.classes, name) & (firsts == found.values)
    return scene.rate(int(right.sum()), len(found.targets))
