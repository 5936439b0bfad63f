"""k-map: nobody stands alone among those who may be meant."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.bounded import BoundedModel, Needs, Population


@final
@dataclass(frozen=True, slots=True)
class KMap(BoundedModel):
    """At least ``k`` people of the population look like each released record.

    They are counted where a table of the population is given. Where only its size is known, a class
    must be so large that its people are ``k`` or more with a probability of about ``1 - sigma``,
    the table being a random sample: their number is taken to be Poisson distributed with mean
    ``k * sample / population`` in the sample.

    Source: elemam2008 (k-map and its estimation).
    """

    k: int = parameter(int, at_least=2, help="least people of the population per class")
    sigma: float = parameter(
        float, above=0, at_most=1, default=0.05, help="chance to err, where k is estimated"
    )
    estimate: str = parameter(
        str, choices=("poisson", "truncated"), default="poisson", help="how k is estimated"
    )
    population: Population | None = None

    name: ClassVar[str] = "k-map"
    promise: ClassVar[str] = (
        "At least {k} people of the population look like each released record, whether or not"
        " they are in the table."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It does not protect against somebody who knows that a person is in the table: a "
            "group of the table may be smaller than {k}."
        ),
        (
            "Where the people were estimated and not counted, it assumes that the table is a "
            "random sample of the population."
        ),
    )
    letter: ClassVar[str] = "k"
    needs: ClassVar[Needs] = Needs.SIZE
    counts_people: ClassVar[bool] = True
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS

    @property
    def is_estimated(self) -> bool:
        """Return whether only the size of the population is known."""
        return self.population is not None and not self.population.is_counted

    @property
    def bound(self) -> float:
        """The people a class needs in the population, or the records that speak for so many."""
        return float(self._records_for(self.k))

    @property
    def least_size(self) -> int:
        """An estimate is about the records of a class; counted people need not be in the table."""
        return self._records_for(self.k) if self.is_estimated else 1

    def among(self, population: Population) -> Self:
        """Count or estimate in this population; without one the table is the population."""
        return replace(self, population=population)

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the largest k that the smallest class satisfies."""
        if not self.is_estimated:
            return {"k": int(worst)}
        return {"k": self._largest_k(int(worst))}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the people that look like each class, or its records if they are not counted."""
        counted = classes.sizes if classes.population is None else classes.population
        return counted.astype(np.float64)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the people that look like one class, or its records."""
        return one.size if one.population is None else one.population

    def _records_for(self, k: int) -> int:
        """Return the records that speak for k people."""
        if self.population is None or self.population.is_counted:
            return k
        return estimated_size(k, self.population.fraction, self.sigma, self.estimate)

    def _largest_k(self, size: int) -> int:
        """Return the largest k for which so many records suffice."""
        low, high = 1, self.population.size if self.population is not None else size
        while low < high:
            middle = (low + high + 1) // 2
            if self._records_for(middle) <= size:
                low = middle
            else:
                high = middle - 1
        return low


def estimated_size(k: int, fraction: float, sigma: float, estimate: str) -> int:
    """Return the records that a class of a sample needs to speak for k people of the population.

    Parameters
    ----------
    k : people
    fraction : share of the population that is in the sample
    sigma : chance to err
    estimate : ``poisson``, or ``truncated`` at zero, since a class that is seen is not empty

    Source: elemam2008; prasser2014 for the variants.
    """
    mean = fraction * k
    is_truncated = estimate == "truncated"
    total = 0.0 if is_truncated else math.exp(-mean)
    whole = -math.expm1(-mean) if is_truncated else 1.0
    count = 0
    while count < k and (total < (1 - sigma) * whole or (is_truncated and count == 0)):
        count += 1
        total += math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    return min(k, count + (1 if is_truncated else 2))
