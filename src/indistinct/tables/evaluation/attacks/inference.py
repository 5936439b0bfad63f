"""Inference: the nearest released record tells a person's secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.errors import DataError, Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, TOLERANCE, ColumnAttack, Outcome
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.nearest import nearest
from indistinct.tables.evaluation.attacks.scenario import CONTROL, ORIGINAL, AttackScenario


@final
@dataclass(frozen=True, slots=True)
class Inference(ColumnAttack):
    """Guess the secret of people of the original from the nearest released record.

    An attempt succeeds when the guess is the value; of numbers, when it is wrong by at most
    ``tolerance`` times the value. A released range counts as its middle, any other generalized cell
    as no guess. One outcome per sensitive column.

    Source: giomi2023, attribute inference.
    """

    attempts: int = parameter(**ATTEMPTS)
    tolerance: float = parameter(**TOLERANCE)

    name: ClassVar[str] = "inference"
    needs_original: ClassVar[bool] = True

    def on_column(self, scenario: AttackScenario, column: str) -> Outcome:
        """Guess one column."""
        if column not in scenario.table(ORIGINAL).columns:
            raise DataError(
                [Fault("--original", f'has no column "{column}"', "Name the table it came from.")]
            )
        roles = (Role.QUASI_IDENTIFIER, Role.INSENSITIVE)
        known = [name for name in scenario.common(ORIGINAL, *roles) if name != column]
        targets = scenario.chance.permutation(scenario.people[ORIGINAL].height)[: self.attempts]
        found = _guessed(scenario, ORIGINAL, targets, known)
        secret = scenario.column(column)
        hits = _is_right(secret, found, secret.people[ORIGINAL][targets], self.tolerance)
        blind = scenario.chance.integers(0, max(scenario.released.height, 1), len(targets))
        luck = _is_right(secret, blind, secret.people[ORIGINAL][targets], self.tolerance)
        return Outcome(
            self.name,
            scenario.rate(float(hits.sum()), len(targets)),
            control=self._control(scenario, secret, known),
            baseline=scenario.rate(float(luck.sum()), len(targets)),
            details={"column": column, "known": known},
            uncontrolled=scenario.uncontrolled([column, *known]),
        )

    def _control(
        self, scenario: AttackScenario, column: KnownColumn, known: list[str]
    ) -> SuccessRate | None:
        """Guess the secret of people who are not in the release."""
        if not scenario.has(CONTROL) or CONTROL not in column.people:
            return None
        if any(name not in scenario.people[CONTROL].columns for name in known):
            return None
        targets = scenario.chance.permutation(scenario.people[CONTROL].height)[: self.attempts]
        found = _guessed(scenario, CONTROL, targets, known)
        hits = _is_right(column, found, column.people[CONTROL][targets], self.tolerance)
        return scenario.rate(float(hits.sum()), len(targets))


def _guessed(scenario: AttackScenario, people: str, targets: Ints, known: list[str]) -> Ints:
    """Find the nearest record of each target."""
    return nearest(scenario.columns(known), people, targets, 1, scenario.chance)[:, 0]


def _is_right(column: KnownColumn, records: Ints, truth: Codes, tolerance: float) -> Bools:
    """Compare the cells of records with values."""
    cells = column.cells[np.maximum(records, 0)]
    if column.lows is None or column.highs is None or column.numbers is None:
        sizes, starts = column.cover.sizes[cells], column.cover.starts[:-1][cells]
        lows = np.append(column.cover.lows, -1)
        return (records >= 0) & (sizes == 1) & (lows[starts] == truth)
    guesses = (column.lows[cells] + column.highs[cells]) / 2
    values = column.numbers[truth]
    near = np.abs(guesses - values) <= tolerance * np.abs(values)
    return (records >= 0) & (near | (np.isnan(guesses) & np.isnan(values)))
