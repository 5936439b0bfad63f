"""Background knowledge: one sensitive value is left after some are ruled out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import exposed_by_background
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.entry import SECRET, Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Background(Attack):
    """Learn the value of everybody of whom ``excluded`` values are ruled out and one is left.

    The attacker is taken to rule out the values that help him most, at least one. One outcome per
    sensitive column.

    Source: machanavajjhala2007, section 2 (background knowledge attack).
    """

    secret: str | None = parameter(**SECRET)
    excluded: int = parameter(
        int, at_least=0, default=0, help="sensitive values that the attacker can rule out"
    )

    name: ClassVar[str] = "background"

    @property
    def leads(self) -> bool:
        """Whether the attacker was said to rule values out."""
        return self.excluded > 0

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        excluded = max(1, self.excluded)
        outcomes: list[Outcome] = []
        for name in sensitive_columns(scene, self.secret):
            found = candidates(scene, name)
            exposed = exposed_by_background(found.classes, name, excluded)
            outcomes.append(
                Outcome(
                    self.name,
                    success_rate(
                        found.count(exposed), int(found.targets.sum()), scene.plan.confidence
                    ),
                    details={
                        "column": name,
                        "excluded": excluded,
                        "classes": int(exposed.sum()),
                    },
                )
            )
        return outcomes
