"""The vocabulary on one page: models, metrics, problems, and what passes between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import FrequencyTable, PopulationTable, SensitiveColumn
from indistinct.tables.core.penalties import Penalty
from indistinct.tables.core.recoding import CellDomain, Recoding, hierarchy_cells

MISSING = ""  # how a reader of a file writes a missing value


class Monotonicity(StrEnum):
    """When generalizing further can never break a model."""

    ALWAYS = "always"
    WITHOUT_SUPPRESSION = "without suppression"
    NEVER = "never"


class Scope(IntEnum):
    """What a model looks at to judge a class, the least work first."""

    CLASS = 0
    REGION = 1  # the class, and larger sets of records that contain it
    TABLE = 2  # all released classes together


@dataclass(frozen=True)  # without slots, so that it is made without missing values once
class PlainColumn:
    """A sensitive column of the whole table as a reader of the file sees it.

    Parameters
    ----------
    counts : records per value
    order : the values from least to greatest
    numbers : the number each value stands for, where it has one
    paths : the labels above each value, finest first, where the policy has a hierarchy
    """

    counts: Mapping[str, int]
    order: Sequence[str]
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    paths: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    __repr__ = short_repr

    @cached_property
    def known(self) -> PlainColumn:
        """The column without the missing value."""
        return replace(
            self,
            counts={value: count for value, count in self.counts.items() if value != MISSING},
            order=[value for value in self.order if value != MISSING],
            paths={value: path for value, path in self.paths.items() if value != MISSING},
        )


Combination = tuple[tuple[str, str], ...]


def no_supersets() -> Iterator[PlainClass]:
    """Return none."""
    return iter(())


@dataclass(frozen=True, slots=True)
class PlainClass:
    """One equivalence class as a reader of the file counts it.

    Parameters
    ----------
    size : records
    counts : per sensitive column, records per value
    table : the sensitive columns of the whole table
    sizes : records of every released class; left out, this class is the only one
    population : records of the population that look like this class, if known
    supersets : gives the natural supersets of the class one after another, the small ones first
    together : records per combination of values of all sensitive columns, where some model asks;
        a combination is a tuple of (column, value) pairs
    known_sizes : per sensitive column, people with a known value, where they are not the sum of the
        counts
    whole_size : size with those who have no known value, where ``size`` leaves them out; else 0
    """

    size: int
    counts: Mapping[str, Mapping[str, int]]
    table: Mapping[str, PlainColumn]
    sizes: Sequence[int] = ()
    population: int | None = None
    supersets: Callable[[], Iterator[PlainClass]] = no_supersets
    together: Mapping[Combination, int] = field(default_factory=dict[Combination, int])
    known_sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    whole_size: int = 0

    __repr__ = short_repr

    def divided(self, column: str) -> list[PlainClass]:
        """Divide the class by the values of all sensitive columns but one."""
        parts: dict[Combination, dict[str, int]] = {}
        for combination, records in self.together.items():
            others = tuple(pair for pair in combination if pair[0] != column)
            held = parts.setdefault(others, {})
            value = dict(combination)[column]
            held[value] = held.get(value, 0) + records

        def supersets() -> Iterator[PlainClass]:
            yield self
            yield from self.supersets()

        return [
            PlainClass(sum(held.values()), {column: held}, self.table, supersets=supersets)
            for held in parts.values()
        ]


class PrivacyModel(Protocol):
    """What must hold in each equivalence class.

    ``measured`` and ``holds`` are the definition on arrays, used by every search.
    ``measured_plainly`` is the same definition once more, on one class counted by hand:
    verification uses it alone, so that an error in the first is found by the second.
    """

    name: ClassVar[str]
    monotone: ClassVar[Monotonicity]
    scope: ClassVar[Scope]
    grows: ClassVar[bool]  # True: a greater measure protects more

    @property
    def bound(self) -> float:
        """The value that ``measure`` is compared with."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns it reads."""
        ...

    @property
    def least_size(self) -> int:
        """The smallest size of a class that can satisfy it."""
        ...

    @property
    def usual_size(self) -> int:
        """The size that a search grows classes to; no class needs it, so that no bound uses it."""
        ...

    def required(self) -> dict[str, Any]:
        """Return the parameters as the manifest names them."""
        ...

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return what the worst measure means, in the parameters' names."""
        ...

    @property
    def divides(self) -> bool:
        """Whether it counts all sensitive columns but its own among the quasi-identifiers."""
        ...

    def measured(self, classes: EquivalenceClasses) -> Floats:
        """Return the model's quantity per class: (n_classes,)."""
        ...

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where it has no price, or size alone matters."""
        ...

    def holds(self, classes: EquivalenceClasses) -> Bools:
        """Return per class whether it satisfies the model: (n_classes,)."""
        ...

    def least_suppressed(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records of each class that every partition suppresses: (n_classes,)."""
        ...

    def select(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Return the classes among ``kept`` that may be released: (n_classes,)."""
        ...

    def measured_plainly(self, one: PlainClass) -> float:
        """Return the model's quantity of one class, from the definition."""
        ...


def is_sized(model: PrivacyModel) -> bool:
    """Return whether a model is the demand for ``least_size`` records and nothing more."""
    if model.columns or model.monotone != Monotonicity.ALWAYS:
        return False
    smallest = EquivalenceClasses(np.array([model.least_size], np.int64))
    return bool(model.holds(smallest)[0])


class JudgedRecoding(Protocol):
    """What a recoding did to the records, as metrics need it; the search and reports provide it."""

    @property
    def n_records(self) -> int:
        """Records, suppressed ones included."""
        ...

    @property
    def n_suppressed(self) -> int:
        """Records that are not released."""
        ...

    @property
    def sizes(self) -> Ints:
        """Records per class, suppressed classes included: (n_classes,)."""
        ...

    @property
    def released(self) -> Bools:
        """False where a class is suppressed: (n_classes,)."""
        ...

    @property
    def domains(self) -> tuple[CellDomain, ...]:
        """Per column, the cells it may be released as."""
        ...

    def cell_counts(self, column: int, *, released: bool) -> Ints:
        """Return the released, or the suppressed, records per cell of a column: (n_cells,)."""
        ...

    def released_sums(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Add up a value per cell over the released records: (n_columns,)."""
        ...

    def class_values(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Return a value per class and column, suppressed classes included."""
        ...

    @property
    def tuple_bits(self) -> float:
        """Sum over records of log2(records with the same original quasi-identifiers)."""
        ...


class Metric(Protocol):
    """What a recoding cost; the smaller the better."""

    name: ClassVar[str]

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the cost, suppressed records included."""
        ...


Progress = Callable[[float, str], None]


def no_progress(share: float, message: str) -> None:
    """Report progress to nobody."""
    del share, message


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment after which a search returns the best it has."""

    moment: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the deadline ``seconds`` from now; None for none."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def passed(self) -> bool:
        """Return whether the moment is over."""
        return self.moment is not None and time.monotonic() >= self.moment


@dataclass(frozen=True, slots=True)
class Problem:
    """All that an algorithm may know.

    Parameters
    ----------
    table : the distinct tuples
    hierarchies : per quasi-identifier, over the values of the data, in code order
    numbers : per quasi-identifier, (n_values,), the numbers of a column that has no hierarchy of
        its own and is released in ranges where the algorithm can; else None
    min_levels, max_levels : per quasi-identifier, the levels allowed, both included
    models : what must hold in each class
    objective : what is to be as small as possible
    max_suppression : records that may be suppressed, as a share in [0, 1]
    weights : per quasi-identifier, its importance, the greatest 1
    population : who else there is, where some model counts them
    rounds_ends : whether ranges that are made from the data end at round numbers
    without_root : columns that may rise to the top of their hierarchy, but to no root above it
    """

    table: FrequencyTable
    hierarchies: tuple[GeneralizationHierarchy, ...]
    numbers: tuple[Floats | None, ...]
    min_levels: tuple[int, ...]
    max_levels: tuple[int, ...]
    models: tuple[PrivacyModel, ...]
    objective: Metric
    max_suppression: float
    weights: tuple[float, ...]
    population: PopulationTable | None = None
    rounds_ends: bool = False
    without_root: frozenset[int] = frozenset()

    __repr__ = short_repr

    def is_limited(self, column: int) -> bool:
        """Return whether the policy keeps a column below the root, even one added on top."""
        is_below_top = self.max_levels[column] < self.hierarchies[column].height
        return is_below_top or column in self.without_root

    @property
    def least_size(self) -> int:
        """Fewest records of a class that can satisfy every model."""
        return max((model.least_size for model in self.models), default=1)

    @property
    def budget(self) -> int:
        """Records that may be suppressed."""
        return int(np.floor(self.max_suppression * self.table.n_records + 1e-9))

    def domains(self) -> tuple[CellDomain, ...]:
        """List the cells of every hierarchy."""
        return tuple(
            hierarchy_cells(hierarchy, self.table.value_weights(column))
            for column, hierarchy in enumerate(self.hierarchies)
        )

    def holds(self, classes: EquivalenceClasses) -> Bools:
        """Return per class whether it satisfies every model that can judge it: (n_classes,).

        Models of the whole release take no part; see :meth:`released`.
        """
        everything = np.ones(classes.n_classes, dtype=np.bool_)
        return self.selected(classes, self.selected(classes, everything, Scope.CLASS), Scope.REGION)

    def released(self, classes: EquivalenceClasses) -> Bools:
        """Choose the classes to release so that every model is satisfied: (n_classes,).

        A model of the whole release suppresses further classes, which may break another one:
        they take turns until nothing changes.
        """
        return self.released_together(classes, self.holds(classes))

    def selected(self, classes: EquivalenceClasses, kept: Bools, scope: Scope) -> Bools:
        """Choose among ``kept`` the classes that satisfy the models of a scope: (n_classes,)."""
        for model in self.models:
            if model.scope == scope:
                kept = model.select(classes, kept)
        return kept

    def released_together(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Choose among ``kept`` so that the models of the whole release are satisfied."""
        of_table = [model for model in self.models if model.scope == Scope.TABLE]
        while True:
            before = kept
            for model in of_table:
                kept = model.select(classes, kept)
            if len(of_table) < 2 or np.array_equal(kept, before):  # noqa: PLR2004 - no turns
                return kept

    @property
    def reads_all_classes(self) -> bool:
        """Return whether some model judges all classes together."""
        return any(model.scope == Scope.TABLE for model in self.models)

    @property
    def reads_regions(self) -> bool:
        """Return whether some model looks at larger sets that contain a class."""
        return any(model.scope == Scope.REGION for model in self.models)

    @property
    def reads_beyond_classes(self) -> bool:
        """Return whether some model asks for more than the records of a class."""
        return self.reads_regions or self.population is not None


@dataclass(frozen=True, slots=True)
class Solution:
    """What an algorithm found.

    Parameters
    ----------
    recoding : the decision
    facts : what the manifest says of the search: nodes, checks, optimality
    """

    recoding: Recoding
    facts: Mapping[str, Any]

    __repr__ = short_repr
