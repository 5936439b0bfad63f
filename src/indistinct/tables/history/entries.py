"""What a history holds: facts, releases, and who had which signature when."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from indistinct.base.brief import short_repr

KEY_BYTES = 32
VERSION = "1"

TextTuple = tuple[str, ...]


class ReleaseState(StrEnum):
    """What became of a release."""

    PENDING = "pending"  # written down before its file had its name
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"  # it never left the house


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What is the same for all releases of a table.

    Parameters
    ----------
    person : the column that says who is who
    sensitive : the sensitive column of m-invariance; empty under other models
    m : of m-invariance; 0 under other models
    companions : ``fixed`` or ``mixed``; empty under other models
    key : of the codes that stand for people
    ids : what the cells are that say who is who, such as ``whole`` numbers or ``text``; empty where
        the history does not know
    """

    person: str
    sensitive: str = ""
    m: int = 0
    companions: str = ""
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False)
    ids: str = ""

    @property
    def is_invariant(self) -> bool:
        """Return whether the history keeps signatures."""
        return self.m > 0


@dataclass(frozen=True, slots=True)
class Made:
    """A release as the history lists it."""

    number: int
    made: str
    input_sha256: str
    output_sha256: str
    policy_sha256: str
    rows: int
    counterfeits: int
    state: ReleaseState
    output: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """A signature that a person had or has.

    Parameters
    ----------
    values : of the signature, sorted
    since, until : release in which the person first had it, and in which another took its place;
        None while it is in force
    cohort : of fixed companions, else None
    value : the person's own, with fixed companions
    """

    values: TextTuple
    since: int
    until: int | None = None
    cohort: int | None = None
    value: str | None = None

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ReleasedClass:
    """A class, or group, of a release.

    Parameters
    ----------
    number : of the class
    values : per sensitive column the values that the class shows, sorted
    cells : released labels
    real, counterfeits : records with and without a person
    """

    number: int
    values: Mapping[str, TextTuple]
    cells: TextTuple
    real: int
    counterfeits: int = 0

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Step:
    """What a release adds to the history.

    Parameters
    ----------
    facts : of the history, which is made where there is none
    base : number of the last release that the plan knew of, 0 for none
    input_sha256, policy_sha256, rows, counterfeits : of the release
    ended : people whose signature is no longer in force
    ties : new signatures by person
    members : class of each person who is released
    classes : the classes
    """

    facts: TableFacts
    base: int
    input_sha256: str
    policy_sha256: str
    rows: int
    counterfeits: int
    ended: Sequence[bytes]
    ties: Sequence[tuple[bytes, Tie]]
    members: Sequence[tuple[bytes, int]]
    classes: Sequence[ReleasedClass]

    __repr__ = short_repr

    @property
    def number(self) -> int:
        """The release's own number."""
        return self.base + 1


@dataclass(frozen=True, slots=True)
class Past:
    """What a history says when a release is planned.

    Parameters
    ----------
    facts : None where there is no history yet
    base : number of the last release, 0 for none
    ties : per person, the signatures, oldest first
    releases : those that count, oldest first
    """

    facts: TableFacts | None
    base: int
    ties: Mapping[bytes, Sequence[Tie]]
    releases: Sequence[Made]

    __repr__ = short_repr

    @classmethod
    def empty(cls) -> Self:
        """Return the past of a table that was never released."""
        return cls(None, 0, {}, ())
