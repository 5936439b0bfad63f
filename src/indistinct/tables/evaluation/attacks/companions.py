"""Companions: how many people one leaked value tells of, once groups chain over releases."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.tables.evaluation.attacks.entry import Attack, Outcome
from indistinct.tables.evaluation.attacks.scenario import AttackScenario

PAIR = 2

Side = tuple[list[bytes], list[bytes]]


@final
@dataclass(frozen=True, slots=True)
class Companions(Attack):
    """Link people who shared a group in any release, and see how far one leaked value reaches.

    The history says who shared a group. With m = 2, where everybody is released with one signature,
    the people linked to a person have one of two values each, so that one value tells all; and the
    guess that the smaller side has the rarer value is tried. An attempt is a person.

    Source: bu2008, section 3 (role composition).
    """

    name: ClassVar[str] = "companions"

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out; without a history there is nothing to link."""
        if scenario.groups is None:
            return []
        found = components(scenario.groups)
        sizes = [len(one) + len(other) for one, other, _ in found]
        n_people = sum(sizes)
        details: dict[str, Any] = {
            "people": n_people,
            "components": len(sizes),
            "mean_reach": sum(size**2 for size in sizes) / n_people if n_people else 0.0,
        }
        n_right, n_guessed = _guessed(found, scenario.owns)
        rate = scenario.rate(n_right, n_guessed)
        return [Outcome(self.name, rate, counted=bool(scenario.owns), details=details)]


def components(groups: Sequence[Sequence[bytes]]) -> list[tuple[list[bytes], list[bytes], bool]]:
    """Return the people linked by groups, by the two sides that they stand on.

    Returns
    -------
    per component, both sides, and whether every group has people of both sides only once
    """
    linked: dict[bytes, set[bytes]] = defaultdict(set)
    for group in groups:
        for person in group:
            linked[person].update(other for other in group if other != person)
    side: dict[bytes, int] = {}
    found: list[tuple[list[bytes], list[bytes], bool]] = []
    for start in linked:
        if start in side:
            continue
        sides: Side = ([], [])
        side[start], waiting, is_even = 0, deque([start]), True
        while waiting:
            person = waiting.popleft()
            sides[side[person]].append(person)
            for other in linked[person]:
                if other not in side:
                    side[other] = 1 - side[person]
                    waiting.append(other)
                is_even &= side[other] != side[person]
        found.append((*sides, is_even))
    return found


def _guessed(
    found: Sequence[tuple[list[bytes], list[bytes], bool]], owns: Mapping[bytes, str]
) -> tuple[int, int]:
    """Count the people of whom "the smaller side has the rarer value" is right, and all tried."""
    total: dict[str, int] = defaultdict(int)
    for value in owns.values():
        total[value] += 1
    n_right = n_guessed = 0
    for one, other, is_even in found:
        smaller, larger = sorted((one, other), key=len)
        values = {owns[person] for person in (*one, *other) if person in owns}
        if not is_even or len(smaller) == len(larger) or len(values) != PAIR:
            continue
        rarer = min(values, key=lambda value: (total[value], value))
        for side, wanted in ((smaller, True), (larger, False)):
            n_guessed += sum(person in owns for person in side)
            n_right += sum((owns.get(p) == rarer) == wanted for p in side if p in owns)
    return n_right, n_guessed
