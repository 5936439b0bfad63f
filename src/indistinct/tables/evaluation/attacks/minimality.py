"""Minimality: the attacker repeats the search for every way in which people can own the values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import factorial, prod
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.tables.evaluation.attacks.candidates import sensitive_columns
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, SECRET, Attack, Outcome
from indistinct.tables.evaluation.attacks.replay import REPLAYS, Replay, replay, replay_of_release
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, AttackScenario
from indistinct.tables.frames.frame import with_cells
from indistinct.tables.frames.texts import coded_texts, text_rows

Left = tuple[int, ...]  # values that no person has yet, per place and value, one after the other
ROUNDING = 1e-9
LISTED = 100  # people; listing goes down a step for each, and keeps what each choice leaves open
TOLD_TOO_MUCH = (
    "people with the same quasi-identifiers are in different classes, because of secret random "
    "numbers that this attack is given; an attacker without them finds less"
)
AgreesWithCodes = Callable[[Codes], bool]


@final
@dataclass(frozen=True, slots=True)
class Minimality(Attack):
    """Rule out the values that would have led the search to another release.

    The attacker knows the policy, the program, everybody's quasi-identifiers and how often each
    sensitive value occurs. A *world* gives each person a value so that the released classes come
    out. Repeating the search on it tells whether it would have made this very release; all worlds
    that do are equally likely to him. The policy keeps *m-confidentiality* where no chance that he
    computes in this way is above 1/m.

    Where there are few worlds, all are tried, and the answer is exact: an attempt is a person, and
    succeeds when the most probable value is right. Where there are more than ``replays``, the
    attacker is one who knows everybody's value, except which of two people of one class has which
    of two values: an attempt is such a pair, and one repeated search decides it or does not.

    Source: wong2007, sections 3 and 4.
    """

    secret: str | None = parameter(**SECRET)
    attempts: int = parameter(**ATTEMPTS)
    replays: int = parameter(**REPLAYS)

    name: ClassVar[str] = "minimality"
    needs_original: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        made, seed = replay_of_release(scenario)
        return [
            self._outcome(scenario, made, name, seed)
            for name in sensitive_columns(scenario, self.secret)
        ]

    def _outcome(self, scenario: AttackScenario, made: Replay, name: str, seed: int) -> Outcome:
        """Attack one column."""
        values, owned = coded_texts(scenario.table(ORIGINAL)[name][made.prepared.rows])
        agrees = _agreement(scenario, made, name, owned, seed)
        few = self._few_worlds(made, owned, len(values))
        if few is not None:
            found = _exact(made, few, owned, len(values), agrees)
        else:
            tried = min(self.attempts, self.replays)
            found = _by_pairs(made, owned, tried, agrees, scenario.chance)
        right, guessed, attempts, details = found
        return Outcome(
            self.name,
            scenario.rate(right, attempts),
            baseline=scenario.rate(guessed, attempts),
            details={"column": name, **details},
            warnings=(TOLD_TOO_MUCH,) if _divides_equal_people(scenario, made) else (),
        )

    def _few_worlds(self, made: Replay, owned: Codes, n_values: int) -> list[Codes] | None:
        """List all worlds; None where they are too many to replay, or too long to list."""
        slots = _slots(made, owned, n_values)
        if len(owned) > LISTED or least_worlds(slots) > self.replays:
            return None
        few = list(islice(worlds_of_values(_covers(made), slots), self.replays + 1))
        return few if len(few) <= self.replays else None


def _divides_equal_people(scenario: AttackScenario, made: Replay) -> bool:
    """Return whether a resistant search divided people with the same quasi-identifiers."""
    if scenario.spec.method.replay == "allowed":
        return False
    codes = made.codes()
    alike = np.unique(codes, axis=0)
    return len(np.unique(np.column_stack([codes, made.classes]), axis=0)) > len(alike)


AgreementFigures = tuple[float, float, int, dict[str, Any]]


def _covers(made: Replay) -> Bools:
    """Return which released classes cover each person; the last place is that of those left out."""
    codes = made.codes()
    released = np.flatnonzero(made.recoding.released)
    covers = np.ones((len(codes), len(released) + 1), np.bool_)
    for place, index in enumerate(released.tolist()):
        for column in range(codes.shape[1]):
            covers[:, place] &= np.isin(codes[:, column], made.covered(column, index))
    return covers


def _slots(made: Replay, owned: Codes, n_values: int) -> Ints:
    """Count the values in each released class, and last those of the people left out."""
    released = np.flatnonzero(made.recoding.released)
    slots = np.zeros((len(released) + 1, n_values), np.int64)
    place = np.full(made.recoding.n_classes, len(released))
    place[released] = np.arange(len(released))
    np.add.at(slots, (place[made.classes], owned), 1)
    return slots


def _agreement(
    scenario: AttackScenario, made: Replay, name: str, owned: Codes, seed: int
) -> AgreesWithCodes:
    """Return what repeats the search on another world, and compares what it releases."""
    frame = scenario.table(ORIGINAL)
    rows = made.prepared.rows
    one_of = np.unique(owned, return_index=True)[1]
    values = frame[name][rows[one_of]]
    shown = [name, *(one for one in scenario.spec.counted if one != name)]

    wanted = made.released_values(text_rows(frame, shown))

    def agrees(world: Codes) -> bool:
        changed = with_cells(frame, rows, {name: values[world]})
        found = replay(scenario, changed, seed)
        return found is not None and found.released_values(text_rows(changed, shown)) == wanted

    return agrees


def _exact(
    made: Replay, worlds: list[Codes], owned: Codes, n_values: int, agrees: AgreesWithCodes
) -> AgreementFigures:
    """Try all worlds."""
    kept = [world for world in worlds if agrees(world)]
    before, after = _chances(worlds, n_values), _chances(kept, n_values)
    share = _class_shares(_covers(made), _slots(made, owned, n_values))
    in_class = made.kept
    gain = (after - share)[in_class]
    certain = (after.max(axis=1) > 1 - ROUNDING) & (share.max(axis=1) < 1 - ROUNDING)
    details = {
        "exact": True,
        "worlds": len(worlds),
        "possible": len(kept),
        "certain": int((certain & in_class).sum()),
        "certain_of_left_out": int((certain & ~in_class).sum()),
        "greatest_gain": max(float(gain.max(initial=0.0)), 0.0),
        "highest_chance": float(after.max(initial=0.0)),
    }
    return _right(after, owned), _right(before, owned), len(owned), details


def _chances(worlds: list[Codes], n_values: int) -> Floats:
    """Return each person's chance of each value where all worlds are equally likely."""
    table = np.array(worlds)
    return np.stack([(table == value).mean(axis=0) for value in range(n_values)], axis=1)


def _class_shares(covers: Bools, slots: Ints) -> Floats:
    """Return the greatest share of each value in a released class that covers the person.

    Whoever does not repeat the search takes a class that may be the person's at its word; the last
    place is of those who were left out, of whom a release says nothing.
    """
    sizes = np.maximum(slots[:-1].sum(axis=1, keepdims=True), 1)
    shares = (slots[:-1] / sizes)[None, :, :] * covers[:, :-1, None]
    return shares.max(axis=1, initial=0.0)


def _right(chances: Floats, owned: Codes) -> float:
    """Return how many best guesses are right; among equally good ones chance decides."""
    best = chances > chances.max(axis=1, keepdims=True) - ROUNDING
    return float((best[np.arange(len(owned)), owned] / best.sum(axis=1)).sum())


def _by_pairs(
    made: Replay, owned: Codes, tried: int, agrees: AgreesWithCodes, chance: np.random.Generator
) -> AgreementFigures:
    """Let two people of a class change their values, again and again."""
    people = chance.permutation(np.flatnonzero(made.kept))
    decided = attempts = 0
    for person in people.tolist():
        if attempts == tried:
            break
        same = made.classes == made.classes[person]
        others = np.flatnonzero(same & (owned != owned[person]))
        if len(others) == 0:
            continue
        other = int(chance.choice(others))
        world = owned.copy()
        world[[person, other]] = owned[[other, person]]
        attempts += 1
        decided += not agrees(world)
    details = {"exact": False, "pairs": attempts, "decided": decided}
    return decided + (attempts - decided) / 2, attempts / 2, attempts, details


def worlds_of_values(covers: Bools, slots: Ints) -> Iterator[Codes]:
    """List every assignment of values to people that agrees with the released classes.

    Parameters
    ----------
    covers : (n_people, n_places), whether a person may be in a place: a class whose cells cover the
        person, or the place of those who were left out, which covers everybody
    slots : (n_places, n_values), records of each place with each value; they sum to ``n_people``

    Yields
    ------
    (n_people,), value of each person; each assignment once

    Notes
    -----
    Walks over the people and keeps, for the values chosen so far, all sets of places that may still
    be free, so that no assignment comes twice. Exponential in the people: for small tables.
    """
    n_people = len(covers)
    n_values = slots.shape[1]
    chosen = np.zeros(n_people, np.int32)
    places: list[list[int]] = [np.flatnonzero(row).tolist() for row in covers]

    def walk(person: int, states: frozenset[Left]) -> Iterator[Codes]:
        if person == n_people:
            yield chosen.copy()
            return
        for value in range(n_values):
            at = [place * n_values + value for place in places[person]]
            after = frozenset(
                _without(state, index) for state in states for index in at if state[index]
            )
            if after:
                chosen[person] = value
                yield from walk(person + 1, after)

    yield from walk(0, frozenset({tuple(int(count) for count in slots.ravel())}))


def least_worlds(slots: Ints) -> int:
    """Return a number of assignments that there are at least: those that change places in no class.

    Parameters
    ----------
    slots : (n_places, n_values), records of each place with each value
    """
    rows: list[list[int]] = slots.tolist()
    return prod(factorial(sum(row)) // prod(map(factorial, row)) for row in rows)


def _without(state: Left, index: int) -> Left:
    """Return what is left without one value of one place."""
    return (*state[:index], state[index] - 1, *state[index + 1 :])
