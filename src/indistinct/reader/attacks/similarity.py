"""Similarity: the candidates' sensitive values differ, but mean the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Codes
from indistinct.core.frequencies import SensitiveColumn
from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import exposed_by_similarity, groups_at_level
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.entry import SECRET, Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Similarity(Attack):
    """Learn the group of everybody whose candidates' values all fall into one.

    Groups are the labels of the first level of the sensitive column's hierarchy that joins values
    without joining all. One outcome per column that has such a hierarchy.

    Source: li2010, section 3 (similarity attack).
    """

    secret: str | None = parameter(**SECRET)

    name: ClassVar[str] = "similarity"

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        outcomes: list[Outcome] = []
        for name in sensitive_columns(scene, self.secret):
            found = candidates(scene, name)
            groups = _groups(found.classes.sensitive[name])
            if groups is None:
                continue
            exposed = exposed_by_similarity(found.classes, name, groups)
            outcomes.append(
                Outcome(
                    self.name,
                    success_rate(
                        found.count(exposed), int(found.targets.sum()), scene.plan.confidence
                    ),
                    details={
                        "column": name,
                        "groups": len(np.unique(groups)),
                        "classes": int(exposed.sum()),
                    },
                )
            )
        return outcomes


def _groups(column: SensitiveColumn) -> Codes | None:
    """Give the code of the group of each value; None where no level has groups."""
    if column.hierarchy is None:
        return None
    for level in range(1, column.hierarchy.n_levels):
        groups = groups_at_level(column, level)
        if 1 < len(np.unique(groups)) < column.n_values:
            return groups
    return None
