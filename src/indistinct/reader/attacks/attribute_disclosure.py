"""Attribute disclosure: what the release tells of a person's secret, beyond what it teaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats
from indistinct.core.parameters import parameter
from indistinct.core.schema import Role
from indistinct.errors import DataError, Fault
from indistinct.metrics.advantage import Advantage
from indistinct.metrics.success import SuccessRate
from indistinct.reader.attacks.distinct_records import DistinctRecords
from indistinct.reader.attacks.entry import ATTEMPTS, SECRET, TOLERANCE, Attack
from indistinct.reader.attacks.known import KnownColumn
from indistinct.reader.attacks.outcome import Outcome
from indistinct.reader.attacks.scene import CONTROL, ORIGINAL, Scene
from indistinct.reader.attacks.votes import Votes, votes_for


@final
@dataclass(frozen=True, slots=True)
class AttributeDisclosure(Attack):
    """Guess a secret by the vote of the records nearest on all other columns.

    All records that are equally near by equal cells vote; a generalized cell's vote is spread over
    the values it covers, and a group's over its values. The guess for a number is the mean of the
    voters, right within ``tolerance``. The same guesses on people who are not in the original show
    what the release teaches of everybody; only the difference is disclosed.

    Source: giomi2023, the control group; inan2009, guesses from generalized cells.
    """

    secret: str | None = parameter(**SECRET)
    attempts: int = parameter(**ATTEMPTS)
    tolerance: float = parameter(**TOLERANCE)

    name: ClassVar[str] = "attribute-disclosure"
    needs_original: ClassVar[bool] = True
    reads_midpoints: ClassVar[bool] = True

    def run(self, scene: Scene) -> list[Outcome]:
        """Carry the attack out; one outcome per sensitive column."""
        scene.table(CONTROL)
        named = [self.secret] if self.secret else scene.policy.named(Role.SENSITIVE)
        if not named:
            problem = "no column is sensitive"
            raise DataError([Fault("columns", problem, "Name one by --secret.")])
        return [self._outcome(scene, name) for name in named]

    def _outcome(self, scene: Scene, secret: str) -> Outcome:
        votes = votes_for(scene, secret)
        known = self._known(scene, secret, votes)
        records = DistinctRecords.of(scene.columns(known))
        ties = scene.chance.random(len(votes.column.values.texts))
        guesses = votes.guesses(records.row_of, ties)
        for_all = votes.guesses(np.zeros_like(records.row_of), ties)

        def tried(people: str, *, is_blind: bool = False) -> SuccessRate:
            targets = scene.chance.permutation(scene.people[people].height)[: self.attempts]
            if is_blind:
                guessed = np.repeat(for_all, len(targets))
            else:
                rows = records.nearest(people, targets, 1, scene.chance)[:, 0]
                guessed = guesses[rows]
            hits = self._are_right(votes.column, guessed, votes.column.people[people][targets])
            return scene.rate(float(hits.sum()), len(targets))

        disclosed = Advantage(tried(ORIGINAL), tried(CONTROL))
        return Outcome(
            self.name,
            disclosed.one,
            control=disclosed.other,
            baseline=tried(ORIGINAL, is_blind=True),
            details={
                "column": secret,
                "known": known,
                "disclosed": disclosed.difference,
                "disclosed_interval": list(disclosed.interval),
            },
        )

    def _known(self, scene: Scene, secret: str, votes: Votes) -> list[str]:
        """Give the columns to compare by: those that the release and all people have."""
        roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
        control = scene.people[CONTROL].columns
        known = [name for name in scene.common(ORIGINAL, *roles) if name != secret]
        known = [name for name in known if name in control]
        if not known or not {ORIGINAL, CONTROL} <= set(votes.column.people):
            problem = "does not contain the secret, or has no column by which people can be found"
            raise DataError([Fault("--control", problem, "Give people with the same columns.")])
        return known

    def _are_right(self, column: KnownColumn, guesses: Floats, truth: Codes) -> Bools:
        """Compare guesses, numbers or codes, with the codes of the true values."""
        if column.lows is None or column.numbers is None:
            return guesses == truth
        values = column.numbers[truth]
        near = np.abs(guesses - values) <= self.tolerance * np.abs(values)
        return near | (np.isnan(guesses) & np.isnan(values))
