"""Models of a release as a whole: the mean chance of a guess, and how many stand alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.core.uniqueness import ESTIMATORS, population_uniqueness
from indistinct.tables.models.bounded import Needs, Population, ReleaseModel
from indistinct.tables.models.uniqueness_plainly import plain_share


@final
@dataclass(frozen=True, slots=True)
class AverageRisk(ReleaseModel):
    """A guess at the person behind a record is right with a chance of at most ``threshold``.

    The mean of 1 / class size over the released records: classes / records.

    Source: dankar2010, section 2; prasser2014.
    """

    threshold: float = parameter(float, above=0, at_most=1, help="greatest mean chance of a guess")

    name: ClassVar[str] = "average-risk"
    promise: ClassVar[str] = (
        "On average over all released records, the chance to find the right person behind a "
        "record is at most {threshold:.1%}."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "Single records may be found far more easily than the average.",
    )
    letter: ClassVar[str] = "threshold"
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS

    def risk(self, sizes: Ints) -> float:
        """Return classes / records."""
        return len(sizes) / float(sizes.sum())

    def measure_plainly(self, one: PlainClass) -> float:
        """Average the chance of a guess over the records."""
        sizes = _all_sizes(one)
        return sum(size * (1 / size) for size in sizes) / sum(sizes)


@final
@dataclass(frozen=True, slots=True)
class SampleUniqueness(ReleaseModel):
    """At most the share ``threshold`` of the released records is like no other.

    Source: dankar2012, section "Definitions".
    """

    threshold: float = parameter(float, at_least=0, at_most=1, help="greatest share of uniques")

    name: ClassVar[str] = "sample-uniqueness"
    promise: ClassVar[str] = (
        "At most {threshold:.1%} of the released records are unique in the release: no "
        "other record has the same values in the columns that others may know."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "The unique records that remain can be found with certainty, and groups of two "
            "records are not counted at all."
        ),
    )
    letter: ClassVar[str] = "threshold"
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS

    def risk(self, sizes: Ints) -> float:
        """Return classes of one record / records."""
        return float(np.count_nonzero(sizes == 1)) / float(sizes.sum())

    def measure_plainly(self, one: PlainClass) -> float:
        """Count the classes of one record."""
        sizes = _all_sizes(one)
        return sum(size == 1 for size in sizes) / sum(sizes)


@final
@dataclass(frozen=True, slots=True)
class PopulationUniqueness(ReleaseModel):
    """At most the share ``threshold`` of the population is estimated to be like nobody else.

    Where an estimator fails, the risk is unknown and the model does not hold.

    Source: dankar2012.
    """

    threshold: float = parameter(float, at_least=0, at_most=1, help="greatest share of uniques")
    estimator: str = parameter(
        str, choices=ESTIMATORS, default="dankar", help="how the population's uniques are estimated"
    )
    population: Population | None = None

    name: ClassVar[str] = "population-uniqueness"
    promise: ClassVar[str] = (
        "By a statistical estimate, at most {threshold:.1%} of the released records belong to"
        " people who are the only ones of their kind in the population."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        ("It is an estimate, and it assumes that the table is a random sample of the population."),
        "Somebody who knows that a person is in the table may still find a unique record.",
    )
    letter: ClassVar[str] = "threshold"
    needs: ClassVar[Needs] = Needs.SIZE
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER

    def among(self, population: Population) -> Self:
        """Estimate for a population of this size; without one the table is the population."""
        return replace(self, population=population)

    def risk(self, sizes: Ints) -> float:
        """Return estimated uniques / people of the population."""
        size = int(sizes.sum()) if self.population is None else self.population.size
        return population_uniqueness(sizes, size, self.estimator)

    def measure_plainly(self, one: PlainClass) -> float:
        """Estimate from the sizes, the equations of the estimators written out."""
        sizes = _all_sizes(one)
        size = sum(sizes) if self.population is None else self.population.size
        return plain_share(sizes, size, self.estimator)


def _all_sizes(one: PlainClass) -> Sequence[int]:
    """Return the records of every released class."""
    return one.sizes or (one.size,)
