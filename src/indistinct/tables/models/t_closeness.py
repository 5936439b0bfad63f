"""t-closeness and (n,t)-closeness: a class must not differ much from the table, or a part of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints, slack
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses, Region, divided
from indistinct.tables.core.distances import BANDWIDTH, GROUNDS, KINDS, SMOOTHINGS, Distance
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import Penalty, distance_penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass, Scope
from indistinct.tables.models.closeness import (
    check_distance,
    plain_distance,
    shares_of,
    transport_doubt,
    words_of,
)
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class TCloseness(SensitiveModel):
    """The sensitive values of every class are distributed like the whole table's, up to ``t``.

    The whole table is the original one, suppressed records included.

    Source: li2010, definition 2.
    """

    t: float = parameter(float, at_least=0, at_most=1, help="greatest distance of a class")
    distance: str = parameter(
        str, choices=KINDS, default="equal", help="how far apart two distributions are"
    )
    ground: str = parameter(
        str, choices=GROUNDS, default="rank", help="distance of two values: ordered and kernel"
    )
    bandwidth: float = parameter(
        float, above=0, default=BANDWIDTH, help="how far kernel smoothing reaches"
    )
    smoothing: str = parameter(
        str, choices=SMOOTHINGS, default="nw", help="weighted means, or mass handed on: kernel"
    )

    name: ClassVar[str] = "t-closeness"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the values of the column {column} are "
        "distributed almost as in the whole table: they differ by a distance of at most {t:g}"
        " on a scale from 0 to 1. Finding somebody's group adds little to what the whole "
        "table tells about everybody."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "It does not hide what the whole table tells about {column}.",
        ("For a rare value of {column}, even a small distance can be a large change of its share."),
    )
    letter: ClassVar[str] = "t"
    compares_with_table: ClassVar[bool] = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter once, and whether they go together."""
        SensitiveModel.__post_init__(self)
        check_distance(self.measured_by)

    @property
    def monotone(self) -> Monotonicity:  # pyright: ignore[reportIncompatibleVariableOverride] - it depends on the distance
        """A mixture of classes is no farther away than they are, if the distance is convex."""
        convex = self.measured_by.is_convex
        return Monotonicity.WITHOUT_SUPPRESSION if convex else Monotonicity.NEVER

    @property
    def measured_by(self) -> Distance:
        """The distance between two distributions."""
        return Distance(self.distance, self.ground, self.bandwidth, self.smoothing)

    def required(self) -> dict[str, Any]:
        """Return the parameters that say something about the distance."""
        words = {"t": self.t, **words_of(self.measured_by)}
        return {"column": self.column, **words, **self.further_words()}

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        return distance_penalty(
            column, self.measured_by, self.t, missing_counts=self.missing_counts
        )

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the distance to the whole table per class, in [0, 1]."""
        return self.measured_by.to_table(
            classes.value_counts[self.column], classes.sizes, classes.sensitive[self.column]
        )

    def least_suppressed_known(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records that every partition leaves too far from the whole table."""
        found, limit = classes.value_counts[self.column], self.t + slack(self.t)
        column = classes.sensitive[self.column]
        return self.measured_by.beyond(found, classes.sizes, column, limit)

    def doubt(self, n_gone: float, n_released: int) -> float:
        """Bound how far the distance to the released records is from that to the input's."""
        return transport_doubt(self.measured_by, n_gone, n_released + n_gone)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the distance of one class to the whole table."""
        table = one.table[self.column]
        held = shares_of(one.counts[self.column])
        return plain_distance(held, shares_of(table.counts), table, self.measured_by)


@final
@dataclass(frozen=True, slots=True)
class NTCloseness(SensitiveModel):
    """Every class lies in a natural superset of ``n`` records or more, at most ``t`` away from it.

    Natural is a set of records in a region of the quasi-identifiers' space that contains the
    class's own: what the classes say of their regions, the class itself, and the whole original
    table. With ``n`` records in the table it is t-closeness.

    Source: li2010, definition 3.
    """

    n: int = parameter(int, at_least=1, help="least records of the superset")
    t: float = parameter(float, at_least=0, at_most=1, help="greatest distance to the superset")
    distance: str = parameter(
        str, choices=KINDS, default="equal", help="how far apart two distributions are"
    )
    ground: str = parameter(
        str, choices=GROUNDS, default="rank", help="distance of two values: ordered and kernel"
    )
    bandwidth: float = parameter(
        float, above=0, default=BANDWIDTH, help="how far kernel smoothing reaches"
    )
    smoothing: str = parameter(
        str, choices=SMOOTHINGS, default="nw", help="weighted means, or mass handed on: kernel"
    )

    name: ClassVar[str] = "nt-closeness"
    promise: ClassVar[str] = (
        "Around every group of records that look alike there is a natural larger set of at "
        "least {n:,} records in which the values of the column {column} are distributed "
        "almost as in the group: they differ by a distance of at most {t:g} on a scale from 0"
        " to 1."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It does not hide what is true of a large set of people: that is what the release is "
            "for."
        ),
    )
    letter: ClassVar[str] = "t"
    compares_with_table: ClassVar[bool] = True
    # The union of classes need not have a large superset in common: nothing is believed.
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    scope: ClassVar[Scope] = Scope.REGION
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter once, and whether they go together."""
        SensitiveModel.__post_init__(self)
        check_distance(self.measured_by)

    @property
    def measured_by(self) -> Distance:
        """The distance between two distributions."""
        return Distance(self.distance, self.ground, self.bandwidth, self.smoothing)

    def required(self) -> dict[str, Any]:
        """Return the parameters that say something about the distance."""
        words = {"n": self.n, "t": self.t, **words_of(self.measured_by)}
        return {"column": self.column, **words, **self.further_words()}

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the greatest distance of a class to the superset found for it."""
        return {"n": self.n, "t": worst if math.isfinite(worst) else None}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the distance to the nearest superset looked at per class, in [0, 1] or infinite.

        No further one is looked at once the distance is within the bound.
        """
        return self._distances(classes, np.ones(classes.n_classes, np.bool_))

    def select(self, classes: EquivalenceClasses, kept: Bools) -> Bools:
        """Return the classes among ``kept`` that satisfy the model; no other is measured."""
        if not self.divides:
            return kept & self.within(self._distances_known(classes, kept))
        found = divided(classes, self.column)
        verdict = self.within(self._distances_known(found.parts, kept[found.owners]))
        return kept & np.logical_and.reduceat(verdict, found.firsts)

    def doubt(self, n_gone: float, n_released: int) -> float:
        """Bound how far the distance to a superset is from that to the same one of the input's.

        All missing records may belong to one superset, which has ``n`` records or more.
        """
        del n_released
        return transport_doubt(self.measured_by, n_gone, self.n)

    def measured_at_best(self, one: PlainClass, n_gone: float) -> float:
        """Return the distance if all missing records were in every superset of a class."""
        n_shown = 1 if math.isinf(n_gone) else max(1, self.n - int(n_gone))
        return replace(self, n=n_shown).measured_plainly(one)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the distance of one class to the nearest superset looked at."""
        if one.size >= self.n:
            return 0.0
        table = one.table[self.column]
        held = shares_of(one.counts[self.column])
        best = math.inf
        if sum(table.counts.values()) >= self.n:
            best = plain_distance(held, shares_of(table.counts), table, self.measured_by)
        for superset in one.supersets():
            if self.within(np.array([best]))[0]:
                break
            if superset.size >= self.n:
                shares = shares_of(superset.counts[self.column])
                best = min(best, plain_distance(held, shares, table, self.measured_by))
        return best

    def _distances_known(self, classes: EquivalenceClasses, wanted: Bools) -> Floats:
        """Measure the wanted classes by their known values; one without any is close to all."""
        unknown = self.measure_unknown(classes.sizes)
        return self.by_known(
            classes, lambda some, held: self._distances(some, wanted[held]), unknown
        )

    def _distances(self, classes: EquivalenceClasses, wanted: Bools) -> Floats:
        """Measure the wanted classes; the others are infinitely far away."""
        measured = np.full(classes.n_classes, np.inf)
        column = classes.sensitive[self.column]
        if column.counts.sum() >= self.n:
            found = classes.value_counts[self.column]
            measured = self.measured_by.to_table(found, classes.sizes, column)
        measured[classes.sizes >= self.n] = 0.0
        measured[~wanted] = np.inf
        unsettled = np.flatnonzero(wanted & ~self.within(measured))
        if classes.regions is None or not len(unsettled):
            return measured
        for region in classes.regions():
            if not len(unsettled):
                break
            self._compare(classes, unsettled, region, measured)
            unsettled = unsettled[~self.within(measured[unsettled])]
        return measured

    def _compare(
        self, classes: EquivalenceClasses, unsettled: Ints, region: Region, measured: Floats
    ) -> None:
        """Lower the measure of the classes that lie in a large part of a region."""
        sizes = region.parts.sizes
        if sizes.max() < self.n:
            return
        parts = region.part_of(unsettled)
        fits = (parts >= 0) & (sizes[parts] >= self.n)
        chosen, parts = unsettled[fits], parts[fits]
        if len(chosen):
            distances = self._between(classes, chosen, region.parts, parts)
            measured[chosen] = np.minimum(measured[chosen], distances)

    def _between(
        self, first: EquivalenceClasses, some: Ints, second: EquivalenceClasses, others: Ints
    ) -> Floats:
        """Return the distance of some classes from some others, pair by pair."""
        return self.measured_by.between(
            _shares(first, self.column, some),
            _shares(second, self.column, others),
            first.sensitive[self.column],
        )


def _shares(classes: EquivalenceClasses, column: str, which: Ints) -> Floats:
    """Return the distribution of some classes, which may repeat: (n_chosen, n_values)."""
    chosen, positions = np.unique(which, return_inverse=True)
    mask = np.zeros(classes.n_classes, np.bool_)
    mask[chosen] = True
    n_values = classes.sensitive[column].n_values
    counts = classes.value_counts[column].chosen(mask).dense(n_values)
    return (counts / classes.sizes[chosen][:, None])[positions]
