"""The shape that models of one sensitive column share: they look at its known values alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses, known_values
from indistinct.tables.core.frequencies import TOGETHER
from indistinct.tables.core.protocols import MISSING, PlainClass
from indistinct.tables.models.bounded import BoundedModel

SEPARATE = "separate"
OTHERS = (SEPARATE, "quasi-identifiers")


@dataclass(frozen=True, slots=True)
class ColumnModel(BoundedModel):
    """A privacy model of the known values of one sensitive column.

    A missing value is no value unless ``missing_counts`` says so: ``measure`` sees the records with
    a known value alone, in a class and in the whole table. A class without any gives no value away.
    ``meets_missing`` is what a search is told of its table: whether some records are left out.
    """

    column: str = parameter(str, help="the sensitive column")
    missing_counts: bool = parameter(
        bool, default=False, by_name=True, help="whether a missing value counts as a value"
    )
    meets_missing: bool = field(default=False, kw_only=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """The sensitive column it reads."""
        return (self.column,)

    @property
    def least_size(self) -> int:
        """The smallest size of a class that can satisfy it; one record without a value may do."""
        return 1 if self.meets_missing else self.least_known

    @property
    def usual_size(self) -> int:
        """The size that a search grows classes to: few hold records without a value alone."""
        return max(self.least_size, self.least_known)

    @property
    def least_known(self) -> int:
        """The fewest records with a known value that can satisfy it, of a class that has some."""
        return 1

    def with_missing_columns(self, columns: Collection[str]) -> Self:
        """Return the same model, told whether its column has missing values that do not count."""
        return replace(self, meets_missing=self.column in columns and not self.missing_counts)

    def required(self) -> dict[str, Any]:
        """Return the parameters as the manifest names them, without defaults that say nothing."""
        return {**BoundedModel.required(self), **self.further_words()}

    def further_words(self) -> dict[str, Any]:
        """Return what a policy says of missing values, if anything."""
        return {"missing_counts": True} if self.missing_counts else {}

    @final
    def by_known(
        self,
        classes: EquivalenceClasses,
        measure: Callable[[EquivalenceClasses, Bools], Floats],
        unknown: Floats,
    ) -> Floats:
        """Measure classes by the records with a known value, or by all where missing ones count.

        Parameters
        ----------
        measure : takes classes with known values, and which of all they are
        unknown : (n_classes,), for those that have none
        """
        column = classes.sensitive.get(self.column)
        if self.missing_counts or column is None or not column.has_missing:
            return measure(classes, np.ones(classes.n_classes, np.bool_))
        known, held = known_values(classes, self.column)
        if held.any():
            unknown[held] = measure(known, held)
        return unknown

    @final
    def measure_known(self, classes: EquivalenceClasses) -> Floats:
        """Return the quantity per class by the records with a known value: (n_classes,)."""
        unknown = self.measure_unknown(classes.sizes)
        return self.by_known(classes, lambda known, _: self.measure(known), unknown)

    @final
    def measure_known_plainly(self, one: PlainClass) -> float:
        """Return the quantity of one class by the records with a known value."""
        known = one if self.missing_counts else known_plainly(one, self.column)
        if known.size == 0:
            return float(self.measure_unknown(np.array([one.size], np.int64))[0])
        return self.measure_plainly(known)

    def measure_unknown(self, sizes: Ints) -> Floats:
        """Return the quantity of classes without a known value, the best there is: (n_classes,)."""
        return np.full(len(sizes), np.inf if self.grows else 0.0)

    @final
    def least_suppressed(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records of each class that are suppressed in every partition of it."""
        nothing = np.zeros(classes.n_classes)
        if self.divides:
            return nothing.astype(np.int64)
        bounds = self.by_known(
            classes, lambda known, _: self.least_suppressed_known(known).astype(np.float64), nothing
        )
        return bounds.astype(np.int64)

    def least_suppressed_known(self, classes: EquivalenceClasses) -> Ints:
        """Bound them among the records with a known value, of which each class has some."""
        return np.zeros(classes.n_classes, np.int64)


@dataclass(frozen=True, slots=True)
class SensitiveModel(ColumnModel):
    """A privacy model of one sensitive column, beside which a table may have others.

    Where a table has several, ``measure`` sees each class whole, or, with ``others`` among the
    quasi-identifiers, divided by the values of the others: then an attacker who knows these learns
    no more either.

    Source: machanavajjhala2007, section 4.3 (multiple sensitive attributes).
    """

    others: str = parameter(
        str,
        choices=OTHERS,
        default=SEPARATE,
        by_name=True,
        help="whether each other sensitive column counts among the quasi-identifiers",
    )

    @property
    def divides(self) -> bool:
        """Whether it counts all sensitive columns but its own among the quasi-identifiers."""
        return self.others != SEPARATE

    def divides_by(self, sensitive: Iterable[str]) -> bool:
        """Return whether it divides classes by others among the sensitive columns."""
        return self.divides and any(
            name != self.column and not name.startswith(TOGETHER) for name in sensitive
        )

    def further_words(self) -> dict[str, Any]:
        """Return what a policy says of other columns and of missing values, if anything."""
        return ({"others": self.others} if self.divides else {}) | ColumnModel.further_words(self)


def known_plainly(one: PlainClass, column: str) -> PlainClass:
    """Leave the records of a class without a value of a column out: it may then be empty."""
    whole = one.table[column]
    if MISSING not in whole.counts and MISSING not in one.counts[column]:
        return one
    counts = {value: n for value, n in one.counts[column].items() if value != MISSING}

    def supersets() -> Iterator[PlainClass]:
        return (known_plainly(larger, column) for larger in one.supersets())

    return replace(
        one,
        size=one.known_sizes.get(column, sum(counts.values())),
        counts={column: counts},
        table={**one.table, column: whole.known},
        supersets=supersets,
        whole_size=one.size,
    )
