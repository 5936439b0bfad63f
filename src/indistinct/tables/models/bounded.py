"""The shape that privacy models share: a measure per equivalence class and a bound."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Self, cast, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints, slack
from indistinct.base.parameters import check, declared, refusing_in_words
from indistinct.tables.core.classes import EquivalenceClasses, divided
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import Penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass, Scope

BESIDE = frozenset({"others", "missing_counts"})  # named only where they say something


class Needs(StrEnum):
    """What a model must know of those who may be meant by a record."""

    TABLE = "table"  # nothing but the table
    SIZE = "size"  # how many they are
    POPULATION = "population"  # their quasi-identifiers


@dataclass(frozen=True, slots=True)
class Population:
    """Who else there is.

    Parameters
    ----------
    size : people in the population
    sample : records of the table, before any is suppressed
    is_counted : whether the people that look like a class are counted, from a table of them
    """

    size: int
    sample: int
    is_counted: bool = False

    @property
    def fraction(self) -> float:
        """Share of the population that is in the table, in (0, 1]."""
        return min(self.sample / self.size, 1.0)


@dataclass(frozen=True, slots=True)
class BoundedModel(ABC):
    """A privacy model: ``measure`` per class, compared with ``bound``.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    name: ClassVar[str]
    promise: ClassVar[str]  # for lay people, its parameters in braces
    leaves_open: ClassVar[tuple[str, ...]]  # what it does not protect against, likewise
    letter: ClassVar[str]  # the parameter that is the bound
    monotone: ClassVar[Monotonicity]
    scope: ClassVar[Scope] = Scope.CLASS
    needs: ClassVar[Needs] = Needs.TABLE
    counts_people: ClassVar[bool] = False  # whether it counts them where a table lists them
    compares_with_table: ClassVar[bool] = False  # whether it needs the whole table's distribution
    republishes: ClassVar[bool] = False  # speaks of all releases of a table
    suppresses_later: ClassVar[bool] = False  # whether it takes records out after the search
    grows: ClassVar[bool] = True
    strict: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Refuse unknown and missing parameters in our words."""
        if "__init__" in vars(cls):
            cls.__init__ = refusing_in_words(cls.__init__)

    def __post_init__(self) -> None:
        """Check every parameter once."""
        check(self)

    @property
    def bound(self) -> float:
        """The value that ``measure`` is compared with."""
        return float(getattr(self, self.letter))

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive columns it reads."""
        return ()

    @property
    def divides(self) -> bool:
        """Whether it counts all sensitive columns but its own among the quasi-identifiers."""
        return False

    @property
    def least_size(self) -> int:
        """The smallest size of a class that can satisfy it."""
        return 1

    @property
    def usual_size(self) -> int:
        """The size that a search grows classes to."""
        return self.least_size

    def required(self) -> dict[str, Any]:
        """Return the parameters as the manifest names them."""
        names = declared(cast("type[Any]", type(self)))
        return {name: getattr(self, name) for name in names if name not in BESIDE}

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return what the worst measure means, by parameter; None where nothing would."""
        return {self.letter: worst if math.isfinite(worst) else None}

    def among(self, population: Population) -> Self:
        """Return the same model for a table drawn from a population; most do not look at it."""
        del population
        return self

    def with_missing_columns(self, columns: Collection[str]) -> Self:
        """Return the same model for a table in which some columns have missing values.

        Parameters
        ----------
        columns : those that have some
        """
        del columns
        return self

    def doubt(self, n_gone: float, n_released: int) -> float:
        """Bound how far a measure against the released records is from that against the input.

        Of divergences and ratios nothing is known: they may be any distance away.

        Parameters
        ----------
        n_gone : records of the input that may be missing from the release; infinity where unknown
        n_released : records of the release that the model counts

        Returns
        -------
        at least 0; infinity where nothing is known
        """
        del n_released
        return math.inf if self.compares_with_table and n_gone else 0.0

    def measured_at_best(self, one: PlainClass, n_gone: float) -> float:
        """Return the best measure that one class can have, wherever the missing records belong.

        Parameters
        ----------
        n_gone : records of the input that may be missing from the release; infinity where unknown
        """
        del n_gone
        return self.measured_plainly(one)

    def least_suppressed(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records of each class that are suppressed in every partition of it.

        For models that a partition of a failing class may satisfy in part.

        Returns
        -------
        (n_classes,), at most its size; 0 where nothing is proven
        """
        return np.zeros(classes.n_classes, np.int64)

    @abstractmethod
    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the model's quantity per class: (n_classes,)."""

    @abstractmethod
    def measure_plainly(self, one: PlainClass) -> float:
        """Return the model's quantity of one class, from the definition."""

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where it has no price, or size alone matters.

        Parameters
        ----------
        sensitive : the sensitive columns of the whole table
        """
        del sensitive
        return None

    @final
    def measured(self, classes: EquivalenceClasses) -> Floats:
        """Return the measure per class; of a class that is divided that of its worst part."""
        if not self.divides:
            return self.measure_known(classes)
        if classes.n_classes == 0:
            return np.zeros(0)
        found = divided(classes, *self.columns)
        worst = np.minimum if self.grows else np.maximum
        return worst.reduceat(self.measure_known(found.parts), found.firsts)

    def measure_known(self, classes: EquivalenceClasses) -> Floats:
        """Return the quantity per class by what the model counts: (n_classes,)."""
        return self.measure(classes)

    def measure_known_plainly(self, one: PlainClass) -> float:
        """Return the quantity of one class by what the model counts."""
        return self.measure_plainly(one)

    @final
    def measured_plainly(self, one: PlainClass) -> float:
        """Return the measure of one class; where it is divided that of its worst part."""
        if not self.divides:
            return self.measure_known_plainly(one)
        measures = [self.measure_known_plainly(part) for part in one.divided(*self.columns)]
        return min(measures) if self.grows else max(measures)

    @final
    def holds(self, classes: EquivalenceClasses) -> Bools:
        """Return per class whether the measure is within the bound: (n_classes,)."""
        return self.within(self.measured(classes))

    @final
    def within(self, measured: Floats) -> Bools:
        """Compare measures with the bound."""
        margin = -slack(self.bound) if self.strict else slack(self.bound)
        if self.grows:
            return measured >= self.bound - margin
        return measured <= self.bound + margin

    def select(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Return the classes among ``kept`` that satisfy the model: (n_classes,).

        Where most classes are out already, the others alone are measured.
        """
        if self.scope != Scope.CLASS or 2 * np.count_nonzero(kept) > len(kept):
            return kept & self.holds(classes)
        found = kept.copy()
        found[kept] = self.holds(classes.chosen(kept))
        return found


@dataclass(frozen=True, slots=True)
class SizeModel(BoundedModel):
    """A privacy model that measures the size of each class: it needs ``k`` records."""

    letter: ClassVar[str] = "k"

    @property
    def least_size(self) -> int:
        """A class needs k records."""
        return int(self.bound)

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the size of the smallest class."""
        return {"k": int(worst)}

    @final
    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the size of each class."""
        return classes.sizes.astype(float)

    @final
    def measure_plainly(self, one: PlainClass) -> float:
        """Return the size of one class."""
        return one.size


@dataclass(frozen=True, slots=True)
class ReleaseModel(BoundedModel):
    """A privacy model of the release as a whole: one risk, by the sizes of its classes.

    Where the risk is too high, the smallest classes are suppressed until it is not.

    Source: prasser2014, the suppression of classes for models of samples.
    """

    scope: ClassVar[Scope] = Scope.TABLE
    grows: ClassVar[bool] = False

    @abstractmethod
    def risk(self, sizes: Ints) -> float:
        """Return the risk of a release: (n_classes,), records per class, at least one class."""

    @final
    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the risk of all classes together, the same for each: (n_classes,)."""
        if classes.n_classes == 0:
            return np.zeros(0)
        return np.full(classes.n_classes, self.risk(classes.sizes))

    @final
    def select(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Suppress the fewest classes so that the risk of the others is within the bound.

        In ascending order of size, then of the cost of their cells, then of their first record;
        the number is found by binary search. Nothing released is no risk.
        """
        if not kept.any() or self._suffices(classes.sizes[kept]):
            return kept
        order = _suppression_order(classes, kept)
        sizes = classes.sizes[order]
        low, high = 1, len(order)
        while low < high:
            middle = (low + high) // 2
            if self._suffices(sizes[middle:]):
                high = middle
            else:
                low = middle + 1
        chosen = kept.copy()
        chosen[order[:high]] = False
        return chosen

    def _suffices(self, sizes: Ints) -> bool:
        """Return whether a release of classes of these sizes is within the bound."""
        return bool(self.within(np.array([self.risk(sizes)]))[0])


def _suppression_order(classes: EquivalenceClasses, kept: Bools) -> Ints:
    """Sort the kept classes, those to be suppressed first in front."""
    chosen = np.flatnonzero(kept)
    costs = np.zeros(len(chosen)) if classes.costs is None else classes.costs[chosen]
    return chosen[np.lexsort((chosen, costs, classes.sizes[chosen]))]
