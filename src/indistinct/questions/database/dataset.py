"""What may be asked of which table."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Literal, final

from indistinct.base.files import postgres_address
from indistinct.base.files.postgres_address import is_postgres
from indistinct.errors import AccessError
from indistinct.questions.database.periods import PeriodName
from indistinct.questions.database.tables import DeclaredTable
from indistinct.questions.mechanisms.accountant import Accounting, Conversion
from indistinct.questions.mechanisms.meaning import OF_BUDGETS, EpsilonMeaning

# Codes of values that are not declared and of missing ones; declared values count from 0.
OTHER = -1
MISSING = -2
OWNER = "owner"
LEAVE_OUT = "leave-out"
READING = 4  # of this program: what was answered by another reading is not given again
DELTAS = 10**18  # thresholds are paid for in units of 1e-18 of delta
Scalar = str | Fraction


@final
@dataclass(frozen=True, slots=True)
class Range:
    """The public bounds of a number, in whole steps: value = units * step.

    Every value is moved into the bounds before it is added up.

    Parameters
    ----------
    missing : what a missing value counts as; None where only known values count
    """

    step: Fraction
    low: int
    high: int
    missing: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Column:
    """A column that questions may name.

    Parameters
    ----------
    kind : number or text
    bounds : of a number that may be added up
    """

    name: str
    kind: Literal["number", "text"]
    bounds: Range | None = None


@final
@dataclass(frozen=True, slots=True)
class Key:
    """A public set of values that answers may be grouped by.

    A row has the code of its value, -1 for any other value and -2 where it is missing.

    Parameters
    ----------
    column : whose values are looked at
    values : the public values, in code order; empty for bins
    edges : of bins of a number: below the first, between each two, from the last upwards
    labels : what an answer calls each code
    code_of : the code of each value, or of each bin's label
    """

    name: str
    column: str
    values: tuple[Scalar, ...] = ()
    edges: tuple[Fraction, ...] = ()
    labels: tuple[str | int | float, ...] = field(init=False, repr=False, compare=False)
    code_of: Mapping[Scalar, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        bins = tuple(bin_labels(self.edges)) if self.edges else ()
        put = object.__setattr__  # the way of frozen dataclasses
        put(self, "labels", bins or tuple(plain(value) for value in self.values))
        put(self, "code_of", {one: code for code, one in enumerate(bins or self.values)})

    @property
    def codes(self) -> range:
        """The codes that answers are grouped by."""
        return range(len(self.labels))


def plain(value: Scalar) -> str | int | float:
    """Return a value as JSON writes it."""
    if isinstance(value, str):
        return value
    return value.numerator if value.denominator == 1 else float(value)


def bin_labels(edges: Sequence[Fraction]) -> Iterator[str]:
    """Name bins that are disjoint and complete."""
    words = [str(plain(edge)) for edge in edges]
    yield f"< {words[0]}"
    yield from (f"[{low}, {high})" for low, high in pairwise(words))
    yield f">= {words[-1]}"


@final
@dataclass(frozen=True, slots=True)
class Analyst:
    """Somebody who may ask, known by the hash of a token.

    Parameters
    ----------
    role : ``analyst`` asks and sees what was charged to them, ``owner`` also sees the whole ledger
    cap : billionths
    per : the period of the calendar in which the cap renews; None if it never does
    """

    name: str
    role: Literal["analyst", "owner"]
    cap: int
    token_sha256: str = ""
    per: PeriodName | None = None


@final
@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent, in billionths of the accounting's unit.

    Parameters
    ----------
    cap : by all analysts together, over all versions of the data
    per_version : by all analysts together, of one version of the data
    delta : of the whole budget
    threshold_delta : the part of it that thresholds of unknown groups may spend
    """

    accounting: Accounting
    cap: int
    per_analyst: int
    per_version: int
    delta: float | None = None
    conversion: Conversion = Conversion.BUN2016
    threshold_delta: Fraction = Fraction(0)

    @property
    def converted_delta(self) -> float | None:
        """Return the delta at which an epsilon is meant: what thresholds leave of it."""
        if self.delta is None:
            return None
        return float(Fraction(repr(self.delta)) - self.threshold_delta) or None

    def meaning(self, version: int = OF_BUDGETS) -> EpsilonMeaning:
        """Return what an epsilon means in a ledger of this version."""
        return EpsilonMeaning(self.accounting, self.converted_delta, self.conversion, version)

    def threshold_share(self, price: int) -> int:
        """Return a question's share of the delta of thresholds, in units of 1e-18, rounded down.

        By default it is that of its price, so that both run out together.
        """
        return math.floor(self.threshold_delta * DELTAS * price / self.cap)


@final
@dataclass(frozen=True, slots=True)
class Lookup:
    """A column that made-up records look up in a public table.

    Parameters
    ----------
    column : whose value is looked up
    path : of the CSV file; its header names both columns
    """

    column: str
    path: str


@final
@dataclass(frozen=True, slots=True)
class Forbidden:
    """Pairs of values of two columns that no made-up record has, as they are declared."""

    columns: tuple[str, str]
    pairs: tuple[tuple[Scalar, Scalar], ...]


@final
@dataclass(frozen=True, slots=True)
class SynthesisWords:
    """How made-up records of a table are to be drawn.

    Parameters
    ----------
    columns : those to be made up, in order; None for all that have public codes
    focus : the column that every marginal keeps, or None
    bins : of a number with bounds, at most
    other : what a value that is not declared is called
    points : per number, the steps that are codes of their own
    complete : columns without codes for missing and other values
    declared : all columns in the order of the declaration
    rules : pairs of columns of which the first is at most the second, where both are known
    """

    columns: tuple[str, ...] | None = None
    focus: str | None = None
    bins: int = 32
    algorithm: Literal["mst", "independent"] = "mst"
    other: str = "other"
    points: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    complete: frozenset[str] = frozenset()
    declared: tuple[str, ...] = ()
    lookups: Mapping[str, Lookup] = field(default_factory=dict[str, Lookup])
    forbidden: tuple[Forbidden, ...] = ()
    rules: tuple[tuple[str, str], ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Dataset:
    """A table and what may be asked of it.

    Parameters
    ----------
    data : path of a file, or a PostgreSQL URL
    table : the name that questions use; in PostgreSQL also that of the table or view
    rows_per_person : c, the rows of one person that count
    version : of data in PostgreSQL; a file is known by its content
    is_frozen : whether the rows of one version never change, so that nobody moves to another group
    reply_seconds : the service's replies leave at multiples of this; see ``server``
    ledger : path of a file, or a PostgreSQL URL
    misfits : what is done about lines of a text file that do not fit its header
    tables : what questions may name; of a dataset of one table, that one
    min_people : groups of fewer people are never shown
    lot_key : decides, with a row's own content, which rows of a person count; no secret
    """

    name: str
    data: str
    table: str
    person: str
    rows_per_person: int
    version: str
    columns: Mapping[str, Column]
    keys: Mapping[str, Key]
    budget: Budget
    analysts: Mapping[str, Analyst]
    ledger: str
    misfits: Literal["refuse", "leave-out"] = "refuse"
    is_frozen: bool = True
    reply_seconds: float = 1.0
    lot_key: str = ""
    min_people: int = 1
    tables: Mapping[str, DeclaredTable] = field(default_factory=dict[str, DeclaredTable])
    synthesis: SynthesisWords = field(default_factory=SynthesisWords)

    @property
    def reading(self) -> str:
        """Return what tells one way to read the rows from another.

        Answers, and charges confined to the codes of a key, are the same only where persons,
        bounds, values and edges are.
        """
        read = (
            READING,
            self.person,
            self.rows_per_person,
            self.lot_key,
            list(self.columns.values()),
        )
        asked = (list(self.tables.values()), self.min_people)
        text = repr((*read, list(self.keys.values()), asked))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def is_flat(self) -> bool:
        """Return whether it is one table, declared without the word tables."""
        return bool(self.table)

    @property
    def source(self) -> str:
        """Return what tells one table from another, across all states of its rows.

        A file's rows are known by their content, and a file may move; so may a database server.
        """
        where = "file"
        if is_postgres(self.data):
            where = postgres_address.place(self.data).rpartition("/")[2]
        people = [(one.name, one.person) for one in self.tables.values() if one.person]
        table = self.table or repr(people)
        text = repr((where, table, self.person))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def analyst(self, name: str) -> Analyst:
        """Find an analyst; the owner is always known.

        Raises
        ------
        AccessError
            If there is none of that name.
        """
        if name in self.analysts:
            return self.analysts[name]
        if name == OWNER:
            return Analyst(OWNER, "owner", self.budget.cap)
        raise AccessError("the analyst is not known here", "Ask the owner for a token.")
