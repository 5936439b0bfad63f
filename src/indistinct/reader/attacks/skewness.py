"""Skewness: a value is much more frequent among the candidates than in the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import skewness as skewness_of
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.entry import SECRET, Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Skewness(Attack):
    """Raise the belief in some value of everybody whose candidates have it often.

    An attempt succeeds when the share of some value among the candidates exceeds its share in the
    whole table by at least ``gain``. One outcome per sensitive column.

    Source: li2010, section 3 (skewness attack); the threshold is ours.
    """

    secret: str | None = parameter(**SECRET)
    gain: float = parameter(
        float, above=0, at_most=1, default=0.25, help="rise of a belief that counts, 0 to 1"
    )

    name: ClassVar[str] = "skewness"

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        outcomes: list[Outcome] = []
        for name in sensitive_columns(scene, self.secret):
            found = candidates(scene, name)
            skewed = skewness_of(found.classes, name)
            exposed = skewed.difference >= self.gain - 1e-12
            outcomes.append(
                Outcome(
                    self.name,
                    success_rate(
                        found.count(exposed), int(found.targets.sum()), scene.plan.confidence
                    ),
                    details={
                        "column": name,
                        "gain": self.gain,
                        "greatest_difference": float(skewed.difference.max(initial=0.0)),
                        "greatest_ratio": float(skewed.ratio.max(initial=1.0)),
                    },
                )
            )
        return outcomes
