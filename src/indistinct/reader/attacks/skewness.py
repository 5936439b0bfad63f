"""Skewness: a value is much more frequent among the candidates than in the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.metrics.disclosure import skewness as skewness_of
from indistinct.reader.attacks.candidates import candidates
from indistinct.reader.attacks.entry import ColumnAttack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene


@final
@dataclass(frozen=True, slots=True)
class Skewness(ColumnAttack):
    """Raise the belief in some value of everybody whose candidates have it often.

    An attempt succeeds when the share of some value among the candidates exceeds its share in the
    whole table by at least ``gain``. One outcome per sensitive column.

    Source: li2010, section 3 (skewness attack); the threshold is ours.
    """

    gain: float = parameter(
        float, above=0, at_most=1, default=0.25, help="rise of a belief that counts, 0 to 1"
    )

    name: ClassVar[str] = "skewness"

    def on_column(self, scene: Scene, column: str) -> Outcome:
        """Attack one column."""
        found = candidates(scene, column)
        skewed = skewness_of(found.classes, column)
        exposed = skewed.difference >= self.gain - 1e-12
        details = {
            "column": column,
            "gain": self.gain,
            "greatest_difference": float(skewed.difference.max(initial=0.0)),
            "greatest_ratio": float(skewed.ratio.max(initial=1.0)),
        }
        return Outcome(self.name, found.rate(scene, exposed), details=details)
