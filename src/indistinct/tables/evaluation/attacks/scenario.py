"""What an attacker has before him: the release, people, and for the owner's count, the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.base.parameters import check, parameter
from indistinct.base.randomness import RandomSource
from indistinct.base.success import SuccessRate, success_rate
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.core.protocols import Solution
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.tallies import matched_rows
from indistinct.tables.evaluation.attacks.known import KnownColumn, known_column
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.specification import Specification

REGISTER, ORIGINAL, CONTROL = "register", "original", "control"
REFERENCE = "reference"
UNKNOWN = -2
WHAT_FOR = {
    REGISTER: "a second table with people's names and quasi-identifiers",
    ORIGINAL: "the table that the release was made from",
    CONTROL: "a table of people who are not in the release",
    REFERENCE: "a table of other people that the attacker has",
}


class Search(Protocol):
    """What searches a counted table, as the policy says."""

    def __call__(self, prepared: Prepared, *, chance: RandomSource) -> Solution:
        """Return what is found."""
        ...


@final
@dataclass(frozen=True, slots=True)
class AttackContext:
    """What every attack is told, whatever its own parameters are.

    Parameters
    ----------
    known : columns that the attacker knows; chosen by the attack when left out
    confidence : of the intervals
    """

    known: tuple[str, ...] = parameter(tuple, default=(), help="columns that the attacker knows")
    confidence: float = parameter(
        float, above=0, below=1, default=0.95, help="of the intervals, 0 to 1"
    )

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)


@final
@dataclass(frozen=True, slots=True)
class Truth:
    """Who of the register is which record, as the owner knows it.

    Parameters
    ----------
    is_member : (n_people,), whether each stands in the original
    rows : (n_people,), released record of each, -1 where none is, or None where the crosswalk is
        not at hand
    is_clear : (n_people,), False where identifiers do not tell who it is
    """

    is_member: Bools
    rows: Ints | None
    is_clear: Bools


@final
@dataclass(frozen=True, slots=True)
class AttackTarget:
    """A release, and where its owner's files are at hand, whose records they are.

    Parameters
    ----------
    records : the released records, cells as texts
    spec : by the policy, and by the release's own codebook
    original : the table that it was made from
    rows : (n_records,), row of the original behind each record
    linked : the sensitive table beside the records, where two linked tables were released
    """

    records: Frame
    spec: Specification
    original: Frame | None = None
    rows: Ints | None = None
    linked: Frame | None = None

    __repr__ = short_repr


@final
@dataclass(frozen=True, slots=True)
class AttackScenario:
    """What an attack works on.

    Parameters
    ----------
    spec : tells the roles and hierarchies
    released : the released records, cells as texts
    people : tables of people by what they are: register, original, control
    plan : how the attack is run
    chance : where its guesses come from
    search : what repeats the search that made the release, for the attacks that do
    rows : (n_records,), row of the original behind each record, if the crosswalk is at hand
    earlier : earlier releases of the same table, oldest first
    present : (n_people, n_releases), who of the register was in which release, if anybody says it
    groups : the people of each group of each release, if the history is at hand
    owns : the sensitive value of those people, where the original tells it
    linked : the sensitive table beside the records, where two linked tables were released
    """

    spec: Specification
    released: Frame
    people: Mapping[str, Frame]
    plan: AttackContext
    chance: np.random.Generator
    search: Search
    rows: Ints | None = None
    earlier: tuple[AttackTarget, ...] = ()
    present: Bools | None = None
    groups: Sequence[Sequence[bytes]] | None = None
    owns: Mapping[bytes, str] = field(default_factory=dict[bytes, str])
    linked: Frame | None = None
    _columns: dict[str, KnownColumn] = field(default_factory=dict[str, KnownColumn])

    __repr__ = short_repr

    def rate(self, successes: float, attempts: int) -> SuccessRate:
        """Return the rate of some attempts, with its interval."""
        return success_rate(successes, attempts, self.plan.confidence)

    def rate_by_chance(self, chance: float, attempts: int) -> SuccessRate:
        """Return the rate of attempts that each succeed with the same chance."""
        return self.rate(min(1.0, chance) * attempts, attempts)

    def at(self, shown: AttackTarget) -> AttackScenario:
        """Return the same scenario at another release."""
        people = {name: table for name, table in self.people.items() if name != ORIGINAL}
        if shown.original is not None:
            people[ORIGINAL] = shown.original
        return replace(
            self,
            spec=shown.spec,
            released=shown.records,
            people=people,
            rows=shown.rows,
            linked=shown.linked,
            _columns={},
        )

    def table(self, name: str) -> Frame:
        """Return a table of people.

        Raises
        ------
        ParameterError
            when it was not given
        """
        if name not in self.people:
            raise ParameterError([absent(name)])
        return self.people[name]

    def has(self, name: str) -> bool:
        """Return whether a table of people was given."""
        return name in self.people

    def uncontrolled(self, names: Sequence[str]) -> str | None:
        """Return why these columns cannot be attacked in the control group; None where they can."""
        table = self.people.get(CONTROL)
        missing = [] if table is None else [name for name in names if name not in table.columns]
        if not missing:
            return None
        return f"the control group has no column {', '.join(missing)}"

    def column(self, name: str) -> KnownColumn:
        """Encode a column of the release and of all people who have it; looked up once."""
        if name not in self._columns:
            tables = {kind: t[name] for kind, t in self.people.items() if name in t.columns}
            self._columns[name] = known_column(self.spec.columns[name], self.released[name], tables)
        return self._columns[name]

    def columns(self, names: Sequence[str]) -> list[KnownColumn]:
        """Encode some columns."""
        return [self.column(name) for name in names]

    def covered(self, table: str) -> list[str]:
        """Return the common quasi-identifiers whose cells cover the values of their people.

        Those that a protection changes, in place of generalization, cover nothing.
        """
        masked = {*self.spec.protections, *self.spec.set_names}
        common = self.common(table, Role.QUASI_IDENTIFIER)
        return [name for name in common if name not in masked]

    def common(self, table: str, *roles: Role) -> list[str]:
        """Return the columns of some roles that the release and a table of people both have.

        Raises
        ------
        DataError
            when there is none
        """
        people = self.table(table)
        chosen = self.plan.known or [name for role in roles for name in self.spec.named(role)]
        found = [n for n in chosen if n in people.columns and n in self.released.columns]
        missing = [name for name in self.plan.known if name not in found]
        if missing or not found:
            raise DataError(
                [
                    Fault(
                        f"--{table}",
                        f"has no column of the release to compare by{_listed(missing)}",
                        "Name columns that both tables have.",
                    )
                ]
            )
        return found

    def truth(self) -> Truth | None:
        """Find out who of the register is which record; None where nothing tells it."""
        register = self.table(REGISTER)
        names = [n for n in self.spec.named(Role.IDENTIFIER) if n in register.columns]
        if names and all(name in self.released.columns for name in names):
            rows = rows_of(register, self.released, names)
            return Truth(rows >= 0, np.maximum(rows, -1), rows != UNKNOWN)
        if not self.has(ORIGINAL) or not names:
            return None
        original = self.people[ORIGINAL]
        if any(name not in original.columns for name in names):
            return None
        found = rows_of(register, original, names)
        return Truth(found >= 0, self.records_of(found), found != UNKNOWN)

    def records_of(self, originals: Ints) -> Ints | None:
        """Return the released record of rows of the original; -1 where none is."""
        if self.rows is None:
            return None
        place = np.full(self.people[ORIGINAL].height, -1, np.int64)
        known = self.rows >= 0
        place[self.rows[known]] = np.flatnonzero(known)
        return np.where(originals >= 0, place[np.maximum(originals, 0)], -1).astype(np.int64)


def absent(name: str) -> Fault:
    """Return the fault that a table of people is not at hand."""
    return Fault(f"--{name}", "is missing", f"This attack takes {WHAT_FOR[name]}.")


def rows_of(people: Frame, table: Frame, names: Sequence[str]) -> Ints:
    """Find each person's row in a table: -1 where none is, UNKNOWN where names are shared."""
    rows, are_shared = matched_rows(people, table, names)
    return np.where(are_shared, UNKNOWN, rows)


def _listed(names: Sequence[str]) -> str:
    """Name the columns that are missing."""
    return f": {', '.join(names)}" if names else ""
