"""Intersection: the sensitive values that every release of a table leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.metrics.success import SuccessRate
from indistinct.reader.attacks.entry import ColumnAttack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene
from indistinct.reader.attacks.several import sights_of, truths


@final
@dataclass(frozen=True, slots=True)
class Intersection(ColumnAttack):
    """Intersect the sensitive values that each release shows around a person.

    An attempt succeeds when one value is left, and where the truth is known, when it is right. The
    baseline is the same with the last release alone.

    Source: byun2006, section 3; ganta2008, section 2.
    """

    name: ClassVar[str] = "intersection"
    needs_register: ClassVar[bool] = True
    reads_linked: ClassVar[bool] = True

    def on_column(self, scene: Scene, column: str) -> Outcome:
        """Attack one column."""
        sights = sights_of(scene, column)
        targets = np.ones(len(sights.each[0].is_present), np.bool_)
        left = np.ones((len(targets), len(sights.values)), np.bool_)
        for sight in sights.each:
            # Who was not in a release is not looked for in it.
            known = np.ones_like(targets) if scene.present is None else sight.is_present
            left &= (sight.counts > 0) | ~known[:, None]
            targets &= sight.is_covered | ~known
        if scene.present is not None:
            targets &= np.any([sight.is_present for sight in sights.each], axis=0)
        own = truths(scene, column, sights.values)
        sizes = left.sum(axis=1)
        open_ = sizes[targets & (sizes > 0)]
        last = sights.each[-1]
        alone = (last.counts > 0) & last.is_present[:, None]
        details = {
            "column": column,
            "releases": len(sights.each),
            "smallest": int(open_.min()) if len(open_) else 0,
            "mean_chance": _mean_chance(left, targets),
            "alone": [_mean_chance(sight.counts > 0, targets) for sight in sights.each],
        }
        return Outcome(
            self.name,
            _successes(left, targets, own, scene),
            counted=own is not None,
            baseline=_successes(alone, last.is_present & last.is_covered, own, scene),
            details=details,
            baseline_is="the last release alone",
        )


def _mean_chance(left: Bools, targets: Bools) -> float:
    """Give the mean chance to guess the value of a target by the values that are left."""
    sizes = left[targets].sum(axis=1)
    return float((1 / sizes[sizes > 0]).mean()) if sizes.any() else 0.0


def _successes(left: Bools, targets: Bools, own: Ints | None, scene: Scene) -> SuccessRate:
    """Count the targets of whom one value is left, and it is right."""
    is_one = (left.sum(axis=1) == 1) & targets
    if own is not None:
        is_one &= left[np.arange(len(left)), np.maximum(own, 0)] & (own >= 0)
    return scene.rate(int(is_one.sum()), int(targets.sum()))
