"""The released rows of a table as an engine counts them: what detectors look at.

A detector asks for the rows of a few columns, each with its number of records, and compares cells
for equality. Whether a table in memory or an engine counted them makes no difference to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.schema import GROUP, Role
from indistinct.tables.engines.tallies import value_hashes
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.policy.specification import Specification

SEED = 5
DENSE = 4  # numbers for each of the rows that have them: so many are marked, more are sorted
PEOPLE, HOUSEHOLDS, RECORDS = "people", "households", "records"


@dataclass(frozen=True)
class CountedCells:
    """Rows of some released columns, and what stands beside them; no row need be there once only.

    Parameters
    ----------
    frame : (n_rows, n_columns), the cells
    records : (n_rows,), records of each
    classes : (n_rows,), number of the class of each
    units : (n_rows,), number of the person or household of each; None where records are counted
    before : per column of the input that is at hand, (n_rows,), the cells behind the rows
    is_real : (n_rows,), whether the input has the record; all of them where left out
    """

    frame: Frame
    records: Ints
    classes: Ints
    units: Ints | None = None
    before: Mapping[str, Column] = field(default_factory=dict[str, Column])
    is_real: Bools | None = None
    _codes: dict[str, Ints] = field(default_factory=dict[str, Ints])

    __repr__ = short_repr

    def codes(self, name: str) -> Ints:
        """Return the number of the value of each row in a column: (n_rows,)."""
        if name not in self._codes:
            self._codes[name] = numbered(value_hashes(self.frame[name], SEED))
        return self._codes[name]

    def groups(self, names: Sequence[str]) -> Ints:
        """Return the number of each row's group of equal class and equal cells: (n_rows,)."""
        found = self.classes
        for name in names:
            found = both(found, self.codes(name))
        return found

    def texts(self, name: str) -> tuple[list[str | None], Ints]:
        """Return the different cells of a column as texts, and the records of each."""
        codes = self.codes(name)
        first = np.unique(codes, return_index=True)[1]
        texts = cell_texts(self.frame[name][first]).to_list()
        return texts, np.bincount(codes, self.records, len(first)).astype(np.int64)


class CloserLook(Protocol):
    """What takes more than to count cells: the rules of drafts, and what columns tell of others."""

    def looks_like_an_identifier(self, table: CountedTable, name: str) -> bool:
        """Return whether a column names people or numbers records, by its name and its cells."""
        ...

    def naming_somebody(self, table: CountedTable, name: str) -> frozenset[str]:
        """Return the texts of a column that hold a telephone number, an address or the like."""
        ...

    def read_back(self, table: CountedTable) -> tuple[tuple[str, ...], int, int, int] | None:
        """Return the columns that give cells back, how many of how many, and the least class."""
        ...

    def repeats_people(self, table: CountedTable, name: str) -> bool:
        """Return whether the repeated values of an identifier of the input may be people."""
        ...


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What whoever made a release knows of it; None for what nobody says.

    Parameters
    ----------
    given_up, renamed : quasi-identifiers without a suggested hierarchy, and with labels that got
        another name
    shared_keys : pseudonyms whose key was there before
    composed : sensitive columns, people who share their classes of two releases with too few, and
        people who are in both
    returning : the column that says who is who, people of earlier releases among those of this
        one, and all of this one
    left_out : of one of several tables with rows of people, those that are left out or show
        nothing, all of the input, and the share of all tables that may be
    """

    given_up: tuple[str, ...] | None = None
    renamed: tuple[str, ...] | None = None
    shared_keys: tuple[str, ...] | None = None
    composed: tuple[tuple[str, ...], int, int] | None = None
    returning: tuple[str, int, int] | None = None
    left_out: tuple[int, int, float] | None = None


@dataclass(frozen=True)
class CountedTable:
    """A released table, and what there is to count it by.

    Parameters
    ----------
    spec : what was promised of it
    columns : that it has
    count : returns the rows of some columns, and of those of the input that stand beside them.
        Raises CapacityError where they do not fit
    n_records : that it has
    n_units, unit : what is found: people, households or records, and how many there are
    are_units_shown : whether the release itself says whose records they are
    table : of related tables, its name
    identifiers : columns of the input that name people and are not released, where the input and
        the row behind each released one are at hand; else None
    has_true_values : whether the input at hand has the values of masked columns
    values_before : returns the different cells of a column of the input as texts; None without it
    facts, closer : what the maker knows, and who looks more closely
    """

    spec: Specification
    columns: tuple[str, ...]
    count: Callable[[Sequence[str], Sequence[str]], CountedCells]
    n_records: int
    n_units: int
    unit: str = RECORDS
    are_units_shown: bool = True
    table: str = ""
    identifiers: tuple[str, ...] | None = None
    has_true_values: bool = True
    values_before: Callable[[str], Column] | None = None
    facts: KnownFacts = field(default_factory=KnownFacts)
    closer: CloserLook | None = None

    __repr__ = short_repr

    @cached_property
    def least(self) -> int:
        """Units of a class, by the models; 2 without one."""
        return max((model.least_size for model in self.spec.models), default=2)

    @cached_property
    def random_masks(self) -> frozenset[str]:
        """The columns whose cells nobody knows who knows the value: a mask drew them."""
        masks = self.spec.protections.items()
        return frozenset(name for name, mask in masks if not mask.follows_from_value)

    def shown(self, role: Role) -> list[str]:
        """Name the released columns of a role."""
        return [name for name in self.spec.named(role) if name in self.columns]

    def shown_as_they_are(self) -> list[str]:
        """Name the released columns that are neither generalized nor masked."""
        names = [*self.shown(Role.INSENSITIVE), *self.shown(Role.SENSITIVE)]
        aside = {*self.spec.protections, *self.spec.set_names}
        return [name for name in names if name not in aside]

    def cells(self, names: Sequence[str]) -> CountedCells:
        """Return the rows of some released columns."""
        return self.count(names, ())


def in_records(table: CountedTable) -> CountedTable:
    """Return a table of which nobody knows whose records they are, unless it says so itself."""
    if table.are_units_shown:
        return table

    def count(names: Sequence[str], before: Sequence[str]) -> CountedCells:
        return replace(table.count(names, before), units=None)

    return replace(table, count=count, n_units=table.n_records, unit=RECORDS)


def numbered(values: np.ndarray) -> Ints:
    """Return the number of each value among the different ones: (n_rows,)."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def both(first: Ints, second: Ints) -> Ints:
    """Return the number of each pair of two numbers from 0 on: (n_rows,)."""
    width = int(second.max(initial=0)) + 1
    pairs = first * width + second
    n_pairs = (int(first.max(initial=0)) + 1) * width
    if n_pairs > DENSE * len(pairs):
        return numbered(pairs)
    # To mark those that occur takes a third of the time of sorting them.
    occurs = np.zeros(n_pairs, np.bool_)
    occurs[pairs] = True
    return (np.cumsum(occurs) - 1)[pairs]


def class_columns(spec: Specification, columns: Sequence[str]) -> list[str]:
    """Name the released columns of the quasi-identifiers, pairs of bounds among them."""
    known = {*columns}
    if spec.release.form == "anatomy":
        return [GROUP]
    return [
        shown
        for name in spec.class_names
        for shown in (name, f"{name}_min", f"{name}_max")
        if shown in known
    ]


def classes_in(frame: Frame, names: Sequence[str]) -> Ints:
    """Return the number of each row's class of equal cells: (n_rows,).

    Hashes in place of codes: two different classes among a million share one with a chance below
    1e-7.
    """
    found = np.zeros(frame.height, np.uint64)
    for place, name in enumerate(names):
        found = found * np.uint64(0x9E3779B97F4A7C15) + value_hashes(frame[name], 1_000 + place)
    return numbered(found)


def household_classes(classes: Ints, households: Ints) -> Ints:
    """Return a class of each row in which whole households are alike: (n_rows,).

    Parameters
    ----------
    classes : (n_rows,), by the cells of the row
    """
    sums = np.zeros(int(households.max(initial=-1)) + 1, np.uint64)
    np.add.at(sums, households, value_hashes(classes, SEED))
    return both(classes, numbered(sums[households]))
