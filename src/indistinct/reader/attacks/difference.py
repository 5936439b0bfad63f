"""Difference: what a class gained from one release to the next belongs to who came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Bools
from indistinct.core.parameters import parameter
from indistinct.reader.attacks.candidates import boxes_of_people, sensitive_columns
from indistinct.reader.attacks.entry import SECRET, Attack
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import Scene
from indistinct.reader.attacks.several import scenes_of, truths


@final
@dataclass(frozen=True, slots=True)
class Difference(Attack):
    """Subtract the sensitive values of classes with the same cells in two following releases.

    Known are those who came in between. A class that lost nothing and gained one kind of value
    tells theirs. An attempt succeeds when one value is left, and where the truth is known, when it
    is right. Without a table of who was in which release there is nobody to attempt.

    Source: byun2006, section 3.
    """

    secret: str | None = parameter(**SECRET)

    name: ClassVar[str] = "difference"
    needs_register: ClassVar[bool] = True

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out; the groups of linked tables have no cells to compare."""
        if any(one.linked is not None for one in scenes_of(scene)):
            return []
        return [_outcome(scene, name) for name in sensitive_columns(scene, self.secret)]


def _outcome(scene: Scene, column: str) -> Outcome:
    """Attack one column."""
    attempts = successes = 0
    is_counted = False
    scenes = list(scenes_of(scene))
    for number in range(1, len(scenes)):
        if scene.present is None:
            continue
        came = scene.present[:, number] & ~scene.present[:, number - 1]
        guesses = _guesses(scenes[number - 1], scenes[number], came, column)
        values: tuple[str, ...] = tuple(sorted(set(guesses.values())))
        own = truths(scene, column, values)
        is_counted |= own is not None
        attempts += int(came.sum())
        for person, value in guesses.items():
            successes += own is None or _is(values, int(own[person]), value)
    return Outcome(
        Difference.name,
        scene.rate(successes, attempts),
        counted=is_counted,
        details={"column": column, "releases": len(scenes)},
    )


def _is(values: Sequence[str], place: int, value: str) -> bool:
    """Tell whether the value at a place, -1 for none, is the one that was guessed."""
    return place >= 0 and values[place] == value


def _guesses(before: Scene, after: Scene, came: Bools, column: str) -> dict[int, str]:
    """Give the value of each comer whose only class tells it."""
    earlier, later = boxes_of_people(before, column), boxes_of_people(after, column)
    n_boxes: list[int] = np.bincount(later.people, minlength=len(came)).tolist()
    guesses: dict[int, str] = {}
    pairs: list[list[int]] = np.column_stack([later.people, later.boxes]).tolist()
    for person, box in pairs:
        cells = later.cells[box]
        if not came[person] or n_boxes[person] != 1 or cells not in earlier.values:
            continue
        had, has = earlier.values[cells], later.values[cells]
        gained = {value for value, count in has.items() if count > had.get(value, 0)}
        lost = any(count > has.get(value, 0) for value, count in had.items())
        if not lost and len(gained) == 1:
            guesses[person] = gained.pop()
    return guesses
