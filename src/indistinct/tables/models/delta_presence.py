"""delta-presence: whether a person is in the table must stay uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.bounded import BoundedModel, Needs


@final
@dataclass(frozen=True, slots=True)
class DeltaPresence(BoundedModel):
    """Of the people that look like a class, a share between two bounds is in the table.

    The bounds are ``delta_min`` and ``delta_max``. Measured is that share; where it is too small,
    two less the share, which exceeds every bound. Without a population the table is the
    population, and everybody is in it.

    Source: nergiz2007, definition 3.
    """

    delta_min: float = parameter(float, at_least=0, at_most=1, help="least share of people present")
    delta_max: float = parameter(float, at_least=0, at_most=1, help="greatest share present")

    name: ClassVar[str] = "delta-presence"
    promise: ClassVar[str] = (
        "From the release, the chance that a person of the population is in the table lies "
        "between {delta_min:.0%} and {delta_max:.0%}."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It assumes that others know the same table of the population as the owner, and "
            "no better one."
        ),
        "It does not protect sensitive values.",
    )
    letter: ClassVar[str] = "delta_max"
    needs: ClassVar[Needs] = Needs.POPULATION
    counts_people: ClassVar[bool] = True
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check every parameter once, and their order."""
        BoundedModel.__post_init__(self)
        if self.delta_min > self.delta_max:
            raise ParameterError([Fault("delta_min", "is above delta_max", "Swap them.")])

    @property
    def monotone(self) -> Monotonicity:  # pyright: ignore[reportIncompatibleVariableOverride] - it depends on delta_min
        """A union has a share between those of its parts, unless it takes in people of no part."""
        only_above = self.delta_min == 0
        return Monotonicity.WITHOUT_SUPPRESSION if only_above else Monotonicity.NEVER

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the greatest share, or the least where it is too small."""
        if 1 < worst <= 2:  # noqa: PLR2004 - two less the share
            return {"delta_min": 2 - worst, "delta_max": None}
        return BoundedModel.achieved(self, worst)

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return records / people per class; infinite where the population has none."""
        people = classes.sizes if classes.population is None else classes.population
        shares = np.full(classes.n_classes, np.inf)
        np.divide(classes.sizes, people, out=shares, where=people >= classes.sizes)
        return np.where(shares < self.delta_min - 1e-12, 2 - shares, shares)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return records / people of one class."""
        people = one.size if one.population is None else one.population
        if people < one.size:
            return float("inf")
        share = one.size / people
        return 2 - share if share < self.delta_min - 1e-12 else share
