"""Background knowledge: one sensitive value is left after some are ruled out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import exposed_by_background
from indistinct.reader.attacks.candidates import candidates
from indistinct.reader.attacks.entry import ColumnAttack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Background(ColumnAttack):
    """Learn the value of everybody of whom ``excluded`` values are ruled out and one is left.

    The attacker is taken to rule out the values that help him most, at least one. One outcome per
    sensitive column.

    Source: machanavajjhala2007, section 2 (background knowledge attack).
    """

    excluded: int = parameter(
        int, at_least=0, default=0, help="sensitive values that the attacker can rule out"
    )

    name: ClassVar[str] = "background"

    @property
    def leads(self) -> bool:
        """Whether the attacker was said to rule values out."""
        return self.excluded > 0

    def on_column(self, scene: Scene, column: str) -> Outcome:
        """Attack one column."""
        excluded = max(1, self.excluded)
        found = candidates(scene, column)
        exposed = exposed_by_background(found.classes, column, excluded)
        details = {"column": column, "excluded": excluded, "classes": int(exposed.sum())}
        return Outcome(self.name, found.rate(scene, exposed), details=details)
