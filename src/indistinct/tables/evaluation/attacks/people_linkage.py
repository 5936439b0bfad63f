"""Linkage where several records belong to one person: attempts are people.

The attacker of :mod:`indistinct.tables.evaluation.attacks.linkage` guesses records; here he guesses
people. A guess is right when it names the right person, whichever of the person's records led to
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.counting.persons import person_codes
from indistinct.tables.evaluation.attacks.matching import Matches, expanded
from indistinct.tables.evaluation.attacks.scenario import ORIGINAL, REGISTER, AttackScenario
from indistinct.tables.frames.encoding import texts_beneath

MOST_PAIRS = 5_000_000  # pairs of an attempt and a person held at once
WITHOUT_PEOPLE = (
    "records were counted, not people: the attack needs the person of each record of the "
    "register and of the release, which the original and the crosswalk provide"
)


@final
@dataclass(frozen=True, slots=True)
class Persons:
    """Who stands behind the rows of the register and behind the released records.

    Parameters
    ----------
    of_register : (n_rows,), number of the person
    of_record : (n_records,), the same numbers
    """

    of_register: Ints
    of_record: Ints


@final
@dataclass(frozen=True, slots=True)
class Attempts:
    """Guesses at people.

    Parameters
    ----------
    chances : (n_attempts,), that a guess is right
    hits : (n_attempts,), whether it was
    n_people : distinct people of the register
    n_members : of them those of whom a record is released
    """

    chances: Floats
    hits: Bools
    n_people: int
    n_members: int


def persons_of_scenario(scenario: AttackScenario) -> Persons | None:
    """Find the person behind each row and record; None where something does not tell them."""
    name, register = scenario.spec.data.person, scenario.table(REGISTER)
    if name is None or name not in register.columns:
        return None
    if name in scenario.released.columns:
        behind = scenario.released[name]
    elif scenario.rows is not None and scenario.has(ORIGINAL):
        original = scenario.people[ORIGINAL]
        if name not in original.columns or (scenario.rows < 0).any():
            return None
        behind = original[name][scenario.rows]
    else:
        return None
    texts = texts_beneath([register[name], behind])
    codes = person_codes(texts, scenario.spec.data.missing).astype(np.int64)
    return Persons(codes[: register.height], codes[register.height :])


def guess_by_register(
    found: Matches, persons: Persons, chance: np.random.Generator, *, members_only: bool
) -> Attempts:
    """Guess which of the people behind the covering records each person of the register is.

    An attempt is a person of the register with a covering record. The attacker knows the person's
    first row there, and one of the people behind the covering records is as likely as another.

    Parameters
    ----------
    members_only : leave out people of whom no record is released
    """
    boxed = _distinct(found.box_of_record.astype(np.int64), persons.of_record, len(found.sizes))
    everyone, first = np.unique(persons.of_register, return_index=True)
    is_member = np.isin(everyone, persons.of_record)
    targets = first[is_member] if members_only else first
    targets = targets[found.records[targets] > 0]
    chances = np.zeros(len(targets))
    lengths = _pairs_of(found, boxed, targets)
    for some in np.split(np.arange(len(targets)), _batches(lengths)):
        chances[some] = _chances(found, boxed, targets[some], persons.of_register)
    hits = chance.random(len(targets)) < chances
    return Attempts(chances, hits, len(everyone), int(is_member.sum()))


def guess_by_class(found: Matches, persons: Persons, chance: np.random.Generator) -> Attempts:
    """Guess which covered person of the register each person in each class of records is.

    An attempt is a person in a class; the people of the register that the class covers are as
    likely as one another.
    """
    n_people = int(max(persons.of_register.max(), persons.of_record.max())) + 1
    inside = np.unique(found.box_of_record.astype(np.int64) * n_people + persons.of_record)
    covered = np.unique(found.boxes.astype(np.int64) * n_people + persons.of_register[found.owners])
    per_box = np.bincount(covered // n_people, minlength=len(found.sizes))
    there = np.isin(inside, covered)
    chances = np.where(there, 1.0 / np.maximum(per_box[inside // n_people], 1), 0.0)
    everyone = np.unique(persons.of_register)
    n_members = int(np.isin(everyone, persons.of_record).sum())
    return Attempts(chances, chance.random(len(chances)) < chances, len(everyone), n_members)


@dataclass(frozen=True, slots=True)
class _Boxed:
    """The distinct people behind the records of each box.

    Parameters
    ----------
    starts : (n_boxes + 1,)
    people : (n_pairs,)
    """

    starts: Ints
    people: Ints


def _distinct(boxes: Ints, people: Ints, n_boxes: int) -> _Boxed:
    """List the distinct people of each box."""
    width = int(people.max(initial=0)) + 1
    pairs = np.unique(boxes * width + people)
    starts = np.searchsorted(pairs // width, np.arange(n_boxes + 1)).astype(np.int64)
    return _Boxed(starts, pairs % width)


def _pairs_of(found: Matches, boxed: _Boxed, targets: Ints) -> Ints:
    """Count the people behind the boxes of each target, once per box: (n_targets,)."""
    of_pair = np.diff(boxed.starts)[found.boxes]
    upto = np.concatenate([[0], np.cumsum(of_pair)])
    return (upto[found.begins[targets + 1]] - upto[found.begins[targets]]).astype(np.int64)


def _batches(lengths: Ints) -> Ints:
    """Return where to cut a list so that each part has about as many pairs as are held at once."""
    parts = np.cumsum(lengths) // MOST_PAIRS
    return (np.flatnonzero(np.diff(parts)) + 1).astype(np.int64)


def _chances(found: Matches, boxed: _Boxed, targets: Ints, person: Ints) -> Floats:
    """Return 1 / people behind the covering records of each target; 0 where the own one is not."""
    n_boxes = found.begins[targets + 1] - found.begins[targets]
    owners, pairs = expanded(found.begins[targets], n_boxes)
    boxes = found.boxes[pairs]
    n_inside = boxed.starts[boxes + 1] - boxed.starts[boxes]
    of_pair, places = expanded(boxed.starts[boxes], n_inside)
    owners, people = owners[of_pair], boxed.people[places]
    width = max(int(boxed.people.max(initial=0)), int(person.max(initial=0))) + 1
    candidates = np.unique(owners * width + people)
    counts = np.bincount(candidates // width, minlength=len(targets))
    own = np.isin(np.arange(len(targets)) * width + person[targets], candidates)
    return np.where(own, 1.0 / np.maximum(counts, 1), 0.0)
