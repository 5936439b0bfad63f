"""l-diversity: a class must not give its sensitive value away, in four readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints, slack
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.partitions import beyond_greatest
from indistinct.tables.core.penalties import (
    ENTROPY,
    TAIL,
    Penalty,
    distinct_penalty,
    limits_penalty,
    own_bins,
)
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class DistinctLDiversity(SensitiveModel):
    """Every class holds at least ``l`` distinct sensitive values.

    Source: machanavajjhala2007, section 4; li2010, section 2.
    """

    l: int = parameter(int, at_least=1, help="least distinct values per class")  # noqa: E741

    name: ClassVar[str] = "distinct-l-diversity"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the column {column} has at least {l} "
        "different values, if it has any, so that the group alone does not tell which of them "
        "is a person's."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "One value of {column} may be far more frequent in a group than the others, so "
            "that a guess is often right without being certain."
        ),
        "It does not consider that different values of {column} may mean almost the same.",
    )
    letter: ClassVar[str] = "l"

    @property
    def monotone(self) -> Monotonicity:  # pyright: ignore[reportIncompatibleVariableOverride] - it depends on the others
        """A class only gains values; but one that fails may bring a part of its own, or the first.

        A class without a known value holds, and fails together with one that has too few.
        """
        may_fail = self.divides or self.meets_missing
        return Monotonicity.WITHOUT_SUPPRESSION if may_fail else Monotonicity.ALWAYS

    @property
    def least_known(self) -> int:
        """Distinct values need as many records."""
        return self.l

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the fewest distinct values of a class."""
        return {"l": int(worst) if math.isfinite(worst) else None}

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        return distinct_penalty(sensitive[self.column], self.l, missing_counts=self.missing_counts)

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the number of distinct values per class."""
        return np.diff(classes.value_counts[self.column].starts).astype(np.float64)

    def measure_plainly(self, one: PlainClass) -> float:
        """Count the values of one class."""
        return len(one.counts[self.column])


@final
@dataclass(frozen=True, slots=True)
class ProbabilisticLDiversity(SensitiveModel):
    """No sensitive value takes more than the share ``1/l`` of a class.

    Source: li2010, section 2 (probabilistic l-diversity).
    """

    l: float = parameter(float, at_least=1, help="records per record of the commonest value")  # noqa: E741

    name: ClassVar[str] = "probabilistic-l-diversity"
    promise: ClassVar[str] = (
        "In every group of records that look alike, no value of the column {column} takes "
        "more than one record in {l:g}, so that the best guess is right at most that often."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "It does not consider that different values of {column} may mean almost the same.",
        "Somebody who can rule values out guesses better among those that are left.",
    )
    letter: ClassVar[str] = "l"
    # A union's commonest value is at most as common as in its worse part, but suppressed classes
    # need not stay suppressed alone.
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION

    @property
    def least_known(self) -> int:
        """One record of a value needs l records in the class."""
        return math.ceil(self.l - 1e-9)

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        limits = np.full(column.n_values, 1 / self.l)
        return limits_penalty(
            column, np.zeros_like(limits), limits, missing_counts=self.missing_counts
        )

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return size / records of the commonest value, per class."""
        found = classes.value_counts[self.column]
        return classes.sizes / np.maximum.reduceat(found.counts, found.starts[:-1])

    def least_suppressed_known(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records by the share of the commonest value, which is convex."""
        shares = 1 / self.measure(classes)
        least = max(self.l - slack(self.l), 1.0)
        return beyond_greatest(classes.sizes, shares, 1 / least, np.ones_like(shares))

    def measure_plainly(self, one: PlainClass) -> float:
        """Divide the size of one class by its commonest value."""
        return one.size / max(one.counts[self.column].values())


@final
@dataclass(frozen=True, slots=True)
class EntropyLDiversity(SensitiveModel):
    """The entropy of the sensitive values of every class is at least ``ln(l)``.

    Source: machanavajjhala2007, definition 4.1.
    """

    l: float = parameter(float, at_least=1, help="least effective number of values per class")  # noqa: E741

    name: ClassVar[str] = "entropy-l-diversity"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the values of the column {column} are as "
        "uncertain as {l:g} equally frequent values would be."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It considers only how frequent the values of {column} are, and not which of them "
            "would harm a person."
        ),
    )
    letter: ClassVar[str] = "l"
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION

    @property
    def least_known(self) -> int:
        """The entropy of N records is at most ln(N)."""
        return math.ceil(self.l - 1e-9)

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        bins = own_bins(column, missing_counts=self.missing_counts)
        return Penalty(column.name, ENTROPY, bins, math.log(self.l))

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return exp(entropy) per class: its effective number of values."""
        found = classes.value_counts[self.column]
        owners = found.owners
        shares = found.counts / classes.sizes[owners]
        entropy = np.bincount(owners, -shares * np.log(shares), classes.n_classes)
        return np.exp(entropy)

    def least_suppressed_known(self, classes: EquivalenceClasses) -> Ints:
        """Bound the records by the entropy, which is concave and at least 0."""
        lost = -np.log(self.measure(classes))
        least = max(self.l - slack(self.l), 1.0)
        return beyond_greatest(classes.sizes, lost, -math.log(least), np.zeros_like(lost))

    def measure_plainly(self, one: PlainClass) -> float:
        """Return exp(entropy) of one class."""
        shares = [count / one.size for count in one.counts[self.column].values()]
        return math.exp(-sum(share * math.log(share) for share in shares))


@final
@dataclass(frozen=True, slots=True)
class RecursiveCLDiversity(SensitiveModel):
    """The commonest value of a class is rarer than ``c`` times all from the ``l``-th on.

    With counts r_1 >= r_2 >= ... >= r_s: ``s >= l`` and ``r_1 < c * (r_l + ... + r_s)``.

    Source: machanavajjhala2007, definition 4.2.
    """

    c: float = parameter(float, above=0, help="how much the commonest value may outweigh the tail")
    l: int = parameter(int, at_least=1, help="where the tail of rarer values begins")  # noqa: E741

    name: ClassVar[str] = "recursive-cl-diversity"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the most frequent value of the column "
        "{column} is rarer than {c:g} times all values from the {l}th most frequent on, so "
        "that it does not stand out even when somebody rules some values out."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "It does not consider that different values of {column} may mean almost the same.",
    )
    letter: ClassVar[str] = "c"
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION
    grows: ClassVar[bool] = False
    strict: ClassVar[bool] = True

    @property
    def least_known(self) -> int:
        """A tail that begins at the l-th value needs l values."""
        return self.l

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the value that c must exceed for this l."""
        return {"c": worst if math.isfinite(worst) else None, "l": self.l}

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        bins = own_bins(column, missing_counts=self.missing_counts)
        return Penalty(column.name, TAIL, bins, self.c, rank=self.l)

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return r_1 / (r_l + ... + r_s) per class, infinite where s < l."""
        found = classes.value_counts[self.column]
        owners = found.owners
        order = np.lexsort((-found.counts, owners))
        counts = found.counts[order]
        rank = np.arange(len(counts)) - found.starts[owners]
        tail = np.bincount(owners, np.where(rank >= self.l - 1, counts, 0), classes.n_classes)
        first = counts[found.starts[:-1]].astype(np.float64)
        return np.divide(first, tail, out=np.full_like(first, np.inf), where=tail > 0)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return r_1 / (r_l + ... + r_s) of one class."""
        counts = sorted(one.counts[self.column].values(), reverse=True)
        tail = sum(counts[self.l - 1 :])
        return counts[0] / tail if tail else math.inf
