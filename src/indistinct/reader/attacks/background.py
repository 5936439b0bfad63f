"""Background knowledge: one sensitive value is left after some are ruled out."""

from __future__ import annotations

from indistinct.metrics.disclosure import exposed_by_background
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


def background(scene: Scene) -> list[Outcome]:
    """Learn the value of everybody of whom ``excluded`` values are ruled out and one is left.

    The attacker is taken to rule out the values that help him most, at least one. One outcome per
    sensitive column.

    Source: machanavajjhala2007, section 2 (background knowledge attack).
    """
    excluded = max(1, scene.plan.excluded)
    outcomes: list[Outcome] = []
    for name in sensitive_columns(scene):
        found = candidates(scene, name)
        exposed = exposed_by_background(found.classes, name, excluded)
        outcomes.append(
            Outcome(
                "background",
                success_rate(found.count(exposed), int(found.targets.sum()), scene.plan.confidence),
                details={
                    "column": name,
                    "excluded": excluded,
                    "classes": int(exposed.sum()),
                },
            )
        )
    return outcomes
