"""Downcoding: replace cells by finer ones that must be true of a search that hides least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.parameters import parameter
from indistinct.tables.evaluation.attacks.entry import Attack, Outcome
from indistinct.tables.evaluation.attacks.replay import REPLAYS
from indistinct.tables.evaluation.attacks.scenario import AttackScenario
from indistinct.tables.evaluation.attacks.tuple_worlds import PosteriorClass, Refined, refined


@final
@dataclass(frozen=True, slots=True)
class Downcoding(Attack):
    """Write a finer table that is true wherever the release is true.

    The attacker knows what he knows in ``refinement``. A search that never generalizes more than it
    must gives away that a class has records on both sides of every division that its cells hide:
    he writes one record under each side. A cell is *downcoded* when, in all tables that give this
    release, at least so many records of the class lie under the finer cell as he writes there.

    An attempt is a released record whose cells cover more than one tuple; it succeeds when one of
    its cells is downcoded, in the one column and at the one level where most are. Before the replay
    no cell can be. Where tables are drawn, a finer cell is written when all drawn tables that gave
    the release have it, and counts where it is true; ``claimed`` is how many were written. Some are
    true by chance alone: the baseline writes what as many drawn tables have that nobody replayed.

    Source: cohen2022, section 4: every minimal hierarchical algorithm can be downcoded.
    """

    replays: int = parameter(**REPLAYS)

    name: ClassVar[str] = "downcoding"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        found = refined(scenario, self.replays)
        claims = [best_claim(found, one, one.after) for one in found.classes]
        attempts = sum(len(one.tuples.rows) for one in found.classes)
        right = float(sum(true for _, true in claims))
        guessed = 0.0 if found.is_exact else _by_chance(found)
        return [
            Outcome(
                self.name,
                scenario.rate(right, attempts),
                baseline=scenario.rate(guessed, attempts),
                details={
                    "exact": found.is_exact,
                    "worlds": found.tried,
                    "possible": found.possible,
                    "claimed": sum(claimed for claimed, _ in claims),
                    "classes": sum(claimed > 0 for claimed, _ in claims),
                    "unsettled": found.unsettled,
                },
            )
        ]


def best_claim(found: Refined, one: PosteriorClass, worlds: Ints) -> tuple[int, int]:
    """Return how many records of a class he writes finer, and of how many that is true.

    Parameters
    ----------
    worlds : (n_worlds, n_members), the tables of the class that he takes for possible
    """
    parts = divisions(found, one)
    return max((_claim(part_of, one, worlds) for part_of in parts), default=(0, 0))


def _by_chance(found: Refined) -> float:
    """Count what is true of finer cells from as many drawn tables as gave the release."""
    return float(
        sum(best_claim(found, one, one.before[: len(one.after)])[1] for one in found.classes)
    )


def divisions(found: Refined, one: PosteriorClass) -> Iterator[Codes]:
    """List the ways to divide the tuples of a class by finer cells of one column: (n_tuples,)."""
    codes = one.tuples.codes
    for column, hierarchy in enumerate(found.made.prepared.problem.hierarchies):
        for level in range(hierarchy.n_levels):
            part_of = hierarchy.codes[level][codes[:, column]]
            if len(np.unique(part_of)) > 1:
                yield part_of


def _claim(part_of: Codes, one: PosteriorClass, worlds: Ints) -> tuple[int, int]:
    """Count what all tables have under each part, and how much of it is true."""
    n_parts = int(part_of.max()) + 1
    least = np.min([_counts(part_of, world, n_parts) for world in worlds], axis=0)
    true = np.minimum(least, _counts(part_of, one.tuples.own, n_parts))
    return int(least.sum()), int(true.sum())


def _counts(part_of: Codes, world: Ints, n_parts: int) -> Ints:
    """Count the records of a class under each part."""
    return np.bincount(part_of[world], minlength=n_parts)
