"""Attribute disclosure: what the release tells of a person's secret, beyond what it teaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.advantage import Advantage
from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.base.success import SuccessRate
from indistinct.errors import DataError, Fault
from indistinct.tables.core.schema import COUNT, GROUP, Role
from indistinct.tables.evaluation.attacks.distinct_records import DistinctRecords, covered_codes
from indistinct.tables.evaluation.attacks.entry import ATTEMPTS, SECRET, TOLERANCE, Attack, Outcome
from indistinct.tables.evaluation.attacks.known import KnownColumn, known_column
from indistinct.tables.evaluation.attacks.matching import expanded
from indistinct.tables.evaluation.attacks.scenario import CONTROL, ORIGINAL, AttackScenario


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

    def run(self, scenario: AttackScenario) -> list[Outcome]:
        """Carry the attack out; one outcome per sensitive column."""
        scenario.table(CONTROL)
        named = [self.secret] if self.secret else scenario.spec.named(Role.SENSITIVE)
        if not named:
            problem = "no column is sensitive"
            raise DataError([Fault("columns", problem, "Name one by --secret.")])
        return [self._outcome(scenario, name) for name in named]

    def _outcome(self, scenario: AttackScenario, secret: str) -> Outcome:
        votes = votes_for(scenario, secret)
        known = self._known(scenario, secret, votes)
        records = DistinctRecords.of(scenario.columns(known))
        ties = scenario.chance.random(len(votes.column.values.texts))
        guesses = votes.guesses(records.row_of, ties)
        for_all = votes.guesses(np.zeros_like(records.row_of), ties)

        def tried(people: str, *, is_blind: bool = False) -> SuccessRate:
            targets = scenario.chance.permutation(scenario.people[people].height)[: self.attempts]
            if is_blind:
                guessed = np.repeat(for_all, len(targets))
            else:
                rows = records.nearest(people, targets, 1, scenario.chance)[:, 0]
                guessed = guesses[rows]
            hits = self._are_right(votes.column, guessed, votes.column.people[people][targets])
            return scenario.rate(float(hits.sum()), len(targets))

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

    def _known(self, scenario: AttackScenario, secret: str, votes: Votes) -> list[str]:
        """Return the columns to compare by: those that the release and all people have."""
        roles = (Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE)
        control = scenario.people[CONTROL].columns
        known = [name for name in scenario.common(ORIGINAL, *roles) if name != secret]
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


@final
@dataclass(frozen=True, slots=True)
class Votes:
    """Votes by holders: records, or groups of two linked tables.

    Parameters
    ----------
    column : the column that is wanted
    begins : (n_holders + 1,), where each holder's cells begin
    cells, weights : (n_votes,), number of the cell and its share of the holder's one vote
    holder_of_record : (n_records,)
    """

    column: KnownColumn
    begins: Ints
    cells: Codes
    weights: Floats
    holder_of_record: Ints

    def guesses(self, row_of_record: Ints, ties: Floats) -> Floats:
        """Return what the records of each row say together: (n_rows,), NaN where they say nothing.

        Of numbers it is the mean of the middles of their cells; else the code of the value with the
        most votes, where the vote of a cell is spread evenly over the values it covers.

        Parameters
        ----------
        row_of_record : (n_records,), from 0
        ties : (n_values,), decide between values of as many votes
        """
        lengths = np.diff(self.begins)[self.holder_of_record]
        owners, votes = expanded(self.begins[self.holder_of_record], lengths)
        rows, cells, weights = row_of_record[owners], self.cells[votes], self.weights[votes]
        n_rows = int(row_of_record.max()) + 1
        if self.column.lows is not None and self.column.highs is not None:
            middle = (self.column.lows + self.column.highs)[cells] / 2
            return _means(rows, middle, weights, n_rows)
        return _elected(self.column, (rows, cells.astype(np.int64), weights), n_rows, ties)


def votes_for(scenario: AttackScenario, name: str) -> Votes:
    """Find out what released records say of a column, in one table or in two linked ones.

    Raises
    ------
    DataError
        when the release does not have the column
    """
    if name in scenario.released.columns:
        column = scenario.column(name)
        n_records = len(column.cells)
        own = np.arange(n_records + 1)
        return Votes(column, own, column.cells, np.ones(n_records), own[:-1])
    if scenario.linked is None or name not in scenario.linked.columns:
        problem = f'"{name}" is neither in the release nor in a sensitive table beside it'
        raise DataError([Fault("columns", problem, "Name another column by --secret.")])
    return _of_groups(scenario, name)


def _of_groups(scenario: AttackScenario, name: str) -> Votes:
    """Let every group vote with the shares of its values."""
    if scenario.linked is None or GROUP not in scenario.released.columns:
        raise DataError([Fault(f"columns.{GROUP}", "is not in the release", "Give both tables.")])
    people = {kind: table[name] for kind, table in scenario.people.items() if name in table.columns}
    column = known_column(scenario.spec.columns[name], scenario.linked[name], people)
    groups = scenario.linked[GROUP].to_numpy().astype(np.str_)
    known, group_of = np.unique(groups, return_inverse=True)
    order = np.argsort(group_of, kind="stable")
    counts = scenario.linked[COUNT].to_numpy().astype(np.float64)
    shares = counts / np.bincount(group_of, counts)[group_of]
    begins = np.searchsorted(group_of[order], np.arange(len(known) + 1))
    own = scenario.released[GROUP].to_numpy().astype(np.str_)
    holder = np.minimum(np.searchsorted(known, own), len(known) - 1)
    if not (known[holder] == own).all():
        problem = "has groups that are not in the sensitive table"
        raise DataError([Fault(f"columns.{GROUP}", problem, "Give the two files of one release.")])
    return Votes(column, begins, column.cells[order], shares[order], holder)


def _elected(
    column: KnownColumn, votes: tuple[Ints, Ints, Floats], n_rows: int, ties: Floats
) -> Floats:
    """Return the code of the value with the most votes in each row."""
    rows, cells, weights = votes
    n_values = len(column.values.texts)
    keys, place = np.unique(rows * len(column.book.texts) + cells, return_inverse=True)
    sums = np.bincount(place, weights, len(keys))
    rows, cells = np.divmod(keys, len(column.book.texts))
    owners, codes = covered_codes(column.cover, cells)
    shares = (sums / np.maximum(column.cover.sizes, 1)[cells])[owners]
    keys, place = np.unique(rows[owners] * n_values + codes, return_inverse=True)
    # Sums of the same shares in another order differ in their last digits.
    votes_of = np.round(np.bincount(place, shares, len(keys)), 9)
    who, value = np.divmod(keys, n_values)
    order = np.lexsort((ties[value], votes_of, who))
    found = np.full(n_rows, np.nan)
    found[who[order]] = value[order]
    return found


def _means(rows: Ints, numbers: Floats, weights: Floats, n_rows: int) -> Floats:
    """Return the weighted mean of the known numbers of each row."""
    known = ~np.isnan(numbers)
    sums = np.bincount(rows[known], (weights * numbers)[known], n_rows)
    total = np.bincount(rows[known], weights[known], n_rows)
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.nan)
