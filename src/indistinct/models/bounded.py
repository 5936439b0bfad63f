"""The shape that privacy models share: a measure per equivalence class and a bound."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.core.arrays import Bools, Floats, slack
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.parameters import check
from indistinct.core.protocols import Monotonicity, PlainClass


@dataclass(frozen=True, slots=True)
class BoundedModel(ABC):
    """A privacy model: ``measure`` per class, compared with ``bound``.

    Raises
    ------
    ParameterError
        when a parameter lies outside its range, all of them named
    """

    name: ClassVar[str]
    letter: ClassVar[str]  # the parameter that is the bound
    monotone: ClassVar[Monotonicity]
    grows: ClassVar[bool] = True
    strict: ClassVar[bool] = False

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
        column = getattr(self, "column", None)
        return () if column is None else (column,)

    @property
    def least_size(self) -> int:
        """The smallest size of a class that can satisfy it."""
        return 1

    @final
    def required(self) -> dict[str, Any]:
        """Give the parameters as the manifest names them."""
        return dataclasses.asdict(self)

    def achieved(self, worst: float) -> dict[str, Any]:
        """Say what the worst measure means, in the parameters' names."""
        return {self.letter: worst}

    @abstractmethod
    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the model's quantity per class: (n_classes,)."""

    @abstractmethod
    def measure_plainly(self, one: PlainClass) -> float:
        """Give the model's quantity of one class, from the definition."""

    @final
    def holds(self, classes: EquivalenceClasses) -> Bools:
        """Tell per class whether the measure is within the bound: (n_classes,)."""
        measured = self.measure(classes)
        margin = -slack(self.bound) if self.strict else slack(self.bound)
        if self.grows:
            return measured >= self.bound - margin
        return measured <= self.bound + margin
