"""What earlier releases demand of the people of a version, and the groups that answer it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr

NOBODY = -1
NONE = -1


@dataclass(frozen=True, slots=True)
class Cohort:
    """People who share a group in every release.

    Parameters
    ----------
    number : in the history
    values : of its signature, ascending
    members : the person of this version at the place of each value, -1 where a counterfeit stands
    """

    number: int
    values: tuple[int, ...]
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PersonHistory:
    """The people of a version, and what earlier releases said of them.

    Parameters
    ----------
    values : (n_people,), sensitive value of each person
    n_values : values that occur in this version or in the history
    signatures : values of each signature that is in force, ascending
    signature : (n_people,), signature of each person that is in force, -1 for none
    past : (n_people,), row of ``forbidden`` with the values of all signatures of a person, the one
        in force included
    forbidden : (n_pasts, n_values), row 0 for people without a past
    cohorts : with fixed companions, those with somebody who is present and unchanged
    """

    values: Codes
    n_values: int
    signatures: tuple[tuple[int, ...], ...]
    signature: Ints
    past: Ints
    forbidden: Bools
    cohorts: tuple[Cohort, ...] = ()

    __repr__ = short_repr

    @classmethod
    def first(cls, values: Codes, n_values: int) -> PersonHistory:
        """Return the history of people of whom nothing was released yet."""
        n_people = len(values)
        nothing = np.zeros(n_people, np.int64)
        return cls(values, n_values, (), nothing - 1, nothing, np.zeros((1, n_values), np.bool_))

    @property
    def n_people(self) -> int:
        """People of this version."""
        return len(self.values)

    @property
    def in_signature(self) -> Bools:
        """Return who has a signature that contains the present value: (n_people,)."""
        table = np.zeros((len(self.signatures) + 1, self.n_values), np.bool_)
        for number, values in enumerate(self.signatures):
            table[number, list(values)] = True
        return table[self.signature, self.values]


@dataclass(slots=True)
class GroupDraft:
    """Groups as they are put together: a place per value, with a person or a counterfeit.

    Parameters
    ----------
    values, members : per group, the values of its signature and who stands at each
    cohorts : per group, its cohort in the history, -1 for a new one
    left_out : people who cannot be released
    """

    values: list[tuple[int, ...]]
    members: list[list[int]]
    cohorts: list[int]
    left_out: list[int]

    def add(self, values: tuple[int, ...], members: list[int], cohort: int = NONE) -> None:
        """Add a group."""
        self.values.append(values)
        self.members.append(members)
        self.cohorts.append(cohort)


@dataclass(frozen=True, slots=True)
class SignatureGroups:
    """The groups of a release.

    Parameters
    ----------
    starts : (n_groups + 1,), where the places of each group begin
    values : (n_places,), sensitive value of each place
    members : (n_places,), person at each place, -1 for a counterfeit
    cohorts : (n_groups,), its cohort in the history, -1 for a new one
    labels : (n_groups, n_columns), the released label of each group
    left_out : people who are not released
    """

    starts: Ints
    values: Ints
    members: Ints
    cohorts: Ints
    labels: Codes
    left_out: tuple[int, ...]

    __repr__ = short_repr

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Ints:
        """Group of each place: (n_places,)."""
        return np.repeat(np.arange(self.n_groups), np.diff(self.starts))

    @property
    def real(self) -> Ints:
        """People in each group: (n_groups,)."""
        return np.bincount(self.owners, self.members != NOBODY, self.n_groups).astype(np.int64)

    @property
    def counterfeits(self) -> Ints:
        """Counterfeits in each group: (n_groups,)."""
        return np.diff(self.starts) - self.real
