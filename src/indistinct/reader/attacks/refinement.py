"""Refinement: what the choices of a search say of the exact values under the cells of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.parameters import parameter
from indistinct.models import SetModel
from indistinct.reader.attacks.entry import Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.replay import REPLAYS
from indistinct.reader.attacks.scene import Scene
from indistinct.reader.attacks.set_refinement import refined_sets, set_replay
from indistinct.reader.attacks.tuple_worlds import Believed, Tuples, refined

ROUNDING = 1e-9


@final
@dataclass(frozen=True, slots=True)
class Refinement(Attack):
    """Guess the exact quasi-identifiers of a record from its class and from how classes are chosen.

    The attacker knows the policy, the program, the release, and which values occur in each column;
    he knows nobody. Each record of a class can have every *tuple*, one value per column, that the
    class's cells cover. Tables of such tuples on which the search, repeated, does not give this
    release are ruled out; all others are equally likely to him, as ordered tables.

    An attempt is a released record whose cells cover more than one tuple; it succeeds when it has
    the tuple that is most probable in its class. Records that were left out are known to him.

    Where there are more than ``replays`` tables, he knows all classes but one, of which tables are
    drawn; classes of which no drawn table gives the release are passed over.

    Of a column of sets, he knows everybody's items but one: an attempt is an item that stands
    under a label of several items, and is replaced by each other one that occurs in the column.
    Those with which the search gives the same release stay possible; one of them is guessed.

    Source: chhillar2025, sections 3 and 4, which refines by a linear program for one algorithm;
    replaying rules out as much as any such program can.
    """

    replays: int = parameter(**REPLAYS)

    name: ClassVar[str] = "refinement"
    needs_original: ClassVar[bool] = True

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out."""
        if scene.policy.set_names and not scene.policy.class_names:
            models = [model for model in scene.policy.models if isinstance(model, SetModel)]
            return [self._of_sets(scene, model) for model in models]
        found = refined(scene, self.replays)
        stars_fit_all = scene.policy.release.suppressed_cell == "any"
        right = guessed = 0.0
        attempts = passed = certain = n_tuples = 0
        for one in found.classes:
            tuples, size = one.tuples, len(one.tuples.rows)
            before = chances(tuples, one.before, one.weights_before)
            after = chances(tuples, one.after, one.weights_after)
            right += size * _right(tuples, after)
            guessed += size * _right(tuples, before)
            attempts += size
            n_tuples += len(after)
            alike = found.made.compatible(tuples.index) if stars_fit_all else size
            limit = 1 / alike + ROUNDING
            passed += int(((after > limit) & (before <= limit)).sum())
            certain += int((after.max() > 1 - ROUNDING) and (before.max() < 1 - ROUNDING))
        return [
            Outcome(
                self.name,
                scene.rate(right, attempts),
                baseline=scene.rate(guessed, attempts),
                details={
                    "exact": found.is_exact,
                    "worlds": found.tried,
                    "possible": found.possible,
                    "tuples": n_tuples,
                    "passed": passed,
                    "certain": certain,
                    "unsettled": found.unsettled,
                },
            )
        ]

    def _of_sets(self, scene: Scene, model: SetModel) -> Outcome:
        """Attack a column of sets: an attempt is an item under a label of several items."""
        made, labels = set_replay(scene, model)
        found = refined_sets(made, labels, self.replays, scene.chance)
        attempts = len(found.possible)
        return Outcome(
            self.name,
            scene.rate(float((1 / found.possible).sum()), attempts),
            counted=False,
            baseline=scene.rate(float((1 / found.candidates).sum()), attempts),
            details={"column": model.column, **found.details},
        )


def chances(tuples: Tuples, worlds: Ints, weights: Floats) -> Floats:
    """Give the chance that a record of a class has each tuple: (n_tuples,), sums to 1."""
    share = np.zeros(len(tuples.codes))
    for world, weight in zip(worlds, weights, strict=True):
        share += weight * np.bincount(world, minlength=len(share)) / len(world)
    return share / weights.sum()


def _right(tuples: Tuples, believed: Floats) -> float:
    """Give the share of records that have the most probable tuple; among equals chance decides."""
    best = believed > believed.max() - ROUNDING
    return float(tuples.shares[best].mean())


__all__ = ["Believed", "Refinement", "chances"]
