"""Linkage by a register: which released record is whose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.errors import Fault, ParameterError
from indistinct.tables.evaluation.attacks.entry import Attack, Outcome
from indistinct.tables.evaluation.attacks.matching import Matches, match
from indistinct.tables.evaluation.attacks.people_linkage import (
    WITHOUT_PEOPLE,
    Attempts,
    Persons,
    guess_by_class,
    guess_by_register,
    persons_of_scenario,
)
from indistinct.tables.evaluation.attacks.scenario import REGISTER, AttackScenario, Truth


@final
@dataclass(frozen=True, slots=True)
class ProsecutorLinkage(Attack):
    """Look for the record of each person who is known to be in the release.

    The attacker guesses one of the records that cover what the register says of the person.
    Attempts are the persons with such a record, without those of whom the truth says that they are
    not in the original.

    Source: dankar2010, section 2 (prosecutor).
    """

    name: ClassVar[str] = "prosecutor-linkage"
    needs_register: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        found = _matches(scenario)
        persons = persons_of_scenario(scenario)
        if persons is not None:
            guesses = guess_by_register(found, persons, scenario.chance, members_only=True)
            return [_outcome_in_people(scenario, self.name, guesses)]
        truth = scenario.truth()
        records = found.records
        targets = records > 0
        if truth is not None:
            targets &= truth.is_member & truth.is_clear
        chances = np.divide(1.0, records, out=np.zeros(len(records)), where=targets)
        rows = None if truth is None else truth.rows
        if rows is not None:
            # Without this a record that does not cover its own person would count as found.
            chances[~found.covers(np.arange(len(rows)), rows)] = 0.0
        hits = (
            None
            if rows is None
            else targets & _is_right(found.guess_records(scenario.chance), rows)
        )
        return [_outcome(scenario, self.name, targets, chances, hits, _seen(found, truth))]


@final
@dataclass(frozen=True, slots=True)
class JournalistLinkage(Attack):
    """Look for anybody, by the better of two ways: from persons to records, or back.

    The attacker does not know who is in the release. From persons he guesses one of the covering
    records of each; from records one of the covered persons of each.

    Source: dankar2010, section 2 (journalist).
    """

    name: ClassVar[str] = "journalist-linkage"
    needs_register: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        found, persons = _matches(scenario), persons_of_scenario(scenario)
        if persons is None:
            truth = scenario.truth()
            _check_larger(scenario)
            ways = [_from_people(scenario, found, truth), _from_records(scenario, found, truth)]
        else:
            _check_larger(scenario, persons)
            by_register = guess_by_register(found, persons, scenario.chance, members_only=False)
            by_class = guess_by_class(found, persons, scenario.chance)
            ways = [
                _outcome_in_people(scenario, "from persons", by_register),
                _outcome_in_people(scenario, "from records", by_class),
            ]
        best = max(ways, key=lambda way: way.found.rate)
        return [replace(best, attack=self.name, details={**best.details, "way": best.attack})]


@final
@dataclass(frozen=True, slots=True)
class MarketerLinkage(Attack):
    """Look for the person of every released record; what counts is the average.

    Source: dankar2010, section 2 (marketer).
    """

    name: ClassVar[str] = "marketer-linkage"
    needs_register: ClassVar[bool] = True
    counts_people: ClassVar[bool] = True

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out."""
        found, persons = _matches(scenario), persons_of_scenario(scenario)
        if persons is not None:
            guesses = guess_by_class(found, persons, scenario.chance)
            return [_outcome_in_people(scenario, self.name, guesses)]
        return [replace(_from_records(scenario, found, scenario.truth()), attack=self.name)]


def _outcome_in_people(scenario: AttackScenario, name: str, guesses: Attempts) -> Outcome:
    """Count the people that were found."""
    attempts = len(guesses.chances)
    return Outcome(
        name,
        scenario.rate(float(guesses.hits.sum()), attempts),
        baseline=scenario.rate_by_chance(1.0 / max(guesses.n_people, 1), attempts),
        details={
            "people": guesses.n_people,
            "members": guesses.n_members,
            "expected_rate": float(guesses.chances.mean()) if attempts else 0.0,
            "highest_chance": float(guesses.chances.max(initial=0.0)),
        },
    )


def _matches(scenario: AttackScenario) -> Matches:
    """Find the records that cover each person of the register."""
    return match(scenario.columns(scenario.covered(REGISTER)), REGISTER)


def _from_people(scenario: AttackScenario, found: Matches, truth: Truth | None) -> Outcome:
    """Guess a record for each person of the register that some record covers."""
    targets = found.records > 0
    if truth is not None:
        targets &= truth.is_clear
    if truth is not None and truth.rows is not None:
        hits = targets & _is_right(found.guess_records(scenario.chance), truth.rows)
        covered = found.covers(np.arange(len(truth.rows)), truth.rows)
        chances = np.where(covered, 1.0 / np.maximum(found.records, 1), 0.0)
    else:
        hits, people = None, found.people
        # A record is this person's with the chance 1 / people that it covers.
        share = found.sizes[found.boxes] / np.maximum(people[found.boxes], 1)
        chances = np.bincount(found.owners, share, len(targets)) / np.maximum(found.records, 1)
    return _outcome(scenario, "from persons", targets, chances, hits, _seen(found, truth))


def _from_records(scenario: AttackScenario, found: Matches, truth: Truth | None) -> Outcome:
    """Guess a person for each released record."""
    people = found.people[found.box_of_record]
    every = np.ones(len(people), np.bool_)
    chances = np.divide(1.0, people, out=np.zeros(len(people)), where=people > 0)
    hits = None
    if truth is not None and truth.rows is not None:
        owner = np.full(len(people), -1, np.int64)
        listed = np.flatnonzero(truth.rows >= 0)
        owner[truth.rows[listed]] = listed
        hits = _is_right(found.guess_people(scenario.chance), owner)
        chances = np.where(
            (owner >= 0) & found.covers(np.maximum(owner, 0), np.arange(len(people))), chances, 0.0
        )
    return _outcome(scenario, "from records", every, chances, hits, _seen(found, truth))


def _is_right(guesses: Ints, truth: Ints) -> Bools:
    """Compare guesses with the truth; -1 is no guess and no truth."""
    return (guesses >= 0) & (guesses == truth)


def _outcome(  # noqa: PLR0913, PLR0917 - the parts of one result
    scenario: AttackScenario,
    name: str,
    targets: Bools,
    chances: Floats,
    hits: Bools | None,
    details: dict[str, Any],
) -> Outcome:
    """Count what was hit, or add up the chances where the truth is not known."""
    attempts = int(targets.sum())
    hoped = float(chances[targets].sum())
    successes = hoped if hits is None else float(hits.sum())
    blind = 1.0 / max(scenario.released.height, 1)
    if name == "from records":
        blind = 1.0 / max(scenario.table(REGISTER).height, 1)
    return Outcome(
        name,
        scenario.rate(min(successes, attempts), attempts),
        hits is not None,
        baseline=scenario.rate_by_chance(blind, attempts),
        details={
            **details,
            "expected_rate": hoped / attempts if attempts else 0.0,
            "highest_chance": float(chances[targets].max(initial=0.0)),
        },
        warnings=() if scenario.spec.data.person is None else (WITHOUT_PEOPLE,),
    )


def _seen(found: Matches, truth: Truth | None) -> dict[str, Any]:
    """Return how many people there were, and how many are covered by some record."""
    covered = found.records > 0
    return {
        "people": len(covered),
        "covered": int(covered.sum()),
        "members": None if truth is None else int(truth.is_member.sum()),
        "unclear": None if truth is None else int((~truth.is_clear).sum()),
    }


def _check_larger(scenario: AttackScenario, persons: Persons | None = None) -> None:
    """Refuse a register that cannot stand for the population."""
    people, released, unit = scenario.table(REGISTER).height, scenario.released.height, "records"
    if persons is not None:
        people = len(np.unique(persons.of_register))
        released, unit = len(np.unique(persons.of_record)), "people"
    if people <= released:
        raise ParameterError(
            [
                Fault(
                    "--register",
                    f"has {people:,} people, not more than the {released:,} released {unit}",
                    "The journalist's register represents the population. Use a larger one, or "
                    "choose the prosecutor.",
                )
            ]
        )
