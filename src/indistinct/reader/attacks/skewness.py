"""Skewness: a value is much more frequent among the candidates than in the whole table."""

from __future__ import annotations

from indistinct.metrics.disclosure import skewness as skewness_of
from indistinct.metrics.success import success_rate
from indistinct.reader.attacks.candidates import candidates, sensitive_columns
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


def skewness(scene: Scene) -> list[Outcome]:
    """Raise the belief in some value of everybody whose candidates have it often.

    An attempt succeeds when the share of some value among the candidates exceeds its share in the
    whole table by at least ``gain``. One outcome per sensitive column.

    Source: li2010, section 3 (skewness attack); the threshold is ours.
    """
    outcomes: list[Outcome] = []
    for name in sensitive_columns(scene):
        found = candidates(scene, name)
        skewed = skewness_of(found.classes, name)
        exposed = skewed.difference >= scene.plan.gain - 1e-12
        outcomes.append(
            Outcome(
                "skewness",
                success_rate(found.count(exposed), int(found.targets.sum()), scene.plan.confidence),
                details={
                    "column": name,
                    "gain": scene.plan.gain,
                    "greatest_difference": float(skewed.difference.max(initial=0.0)),
                    "greatest_ratio": float(skewed.ratio.max(initial=1.0)),
                },
            )
        )
    return outcomes
