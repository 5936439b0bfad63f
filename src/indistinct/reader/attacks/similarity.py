"""Similarity: the candidates' sensitive values differ, but mean the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Codes
from indistinct.core.frequencies import SensitiveColumn
from indistinct.metrics.disclosure import exposed_by_similarity, groups_at_level
from indistinct.reader.attacks.candidates import candidates
from indistinct.reader.attacks.entry import ColumnAttack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Similarity(ColumnAttack):
    """Learn the group of everybody whose candidates' values all fall into one.

    Groups are the labels of the first level of the sensitive column's hierarchy that joins values
    without joining all. One outcome per column that has such a hierarchy.

    Source: li2010, section 3 (similarity attack).
    """

    name: ClassVar[str] = "similarity"

    def on_column(self, scene: Scene, column: str) -> Outcome | None:
        """Attack one column; None where no level of its hierarchy has groups."""
        found = candidates(scene, column)
        groups = _groups(found.classes.sensitive[column])
        if groups is None:
            return None
        exposed = exposed_by_similarity(found.classes, column, groups)
        n_groups, n_exposed = len(np.unique(groups)), int(exposed.sum())
        details = {"column": column, "groups": n_groups, "classes": n_exposed}
        return Outcome(self.name, found.rate(scene, exposed), details=details)


def _groups(column: SensitiveColumn) -> Codes | None:
    """Give the code of the group of each value; None where no level has groups."""
    if column.hierarchy is None:
        return None
    for level in range(1, column.hierarchy.n_levels):
        groups = groups_at_level(column, level)
        if 1 < len(np.unique(groups)) < column.n_values:
            return groups
    return None
