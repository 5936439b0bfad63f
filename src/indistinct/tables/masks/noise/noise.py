"""Noise per equivalence class for a column of numbers, in place of generalization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.cell_numbers import floats_of, numbers_in_texts
from indistinct.tables.frames.frame import Frame
from indistinct.tables.masks.noise.class_scales import class_scales
from indistinct.tables.masks.noise.grid import MOST_STEPS, Grid
from indistinct.tables.masks.noise.linking import add_noise
from indistinct.tables.masks.noise.members import Members
from indistinct.tables.masks.protection import ClassProtection, Context, Masked

GUARANTEE = (
    "inside a class, the released value multiplies the odds between any two of its records by at "
    "most e^epsilon; between classes k-anonymity alone holds; this is not differential privacy of "
    "the release"
)
LOCAL_GUARANTEE = (
    "the released value alone multiplies the odds between any two values within the public bounds "
    "by at most e^epsilon, whatever else is known: local differential privacy of this column"
)


@final
@dataclass(frozen=True, slots=True)
class NoiseProtection(ClassProtection):
    """Each value gets discrete Laplace noise of the diameter of its class over ``epsilon``.

    The classes come from the other quasi-identifiers. With ``lower`` and ``upper``, bounds known
    before the data, the noise is that of the bounds in every class.

    Source: holohan2017, algorithm 1.
    """

    lower: float | None = parameter(
        float, help="least value that there may be, known before the data", default=None
    )
    upper: float | None = parameter(
        float, help="greatest value that there may be, known before the data", default=None
    )
    resolution: float | None = parameter(
        float, above=0, help="step of the released values", default=None
    )
    epsilon: float = Context().epsilon

    name: ClassVar[str] = "noise"
    promise: ClassVar[str] = (
        "The numbers of {column} were not made coarser but got random noise as wide as their "
        "group, so that the records of a group can hardly be told apart by them."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It is not differential privacy of the release: the groups and the width of the noise"
            " come from the data."
        ),
        "A group whose values are all equal gets no noise.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset({Role.QUASI_IDENTIFIER})
    checked_facts: ClassVar[tuple[str, ...]] = ("epsilon", "resolution")
    public_facts: ClassVar[frozenset[str]] = frozenset(
        {"epsilon", "total_epsilon", "budget", "resolution", "guarantee"}
    )
    rounded_facts: ClassVar[frozenset[str]] = frozenset({"linking_risk", "expected_error"})

    def __post_init__(self) -> None:
        ClassProtection.__post_init__(self)
        if (self.lower is None) != (self.upper is None):
            raise ParameterError("lower and upper: belong together", "Give both bounds, or none.")
        if self.width is not None and self.width <= 0:
            raise ParameterError("upper: must be above lower", "Swap them.")

    @property
    def width(self) -> float | None:
        """The width of the public bounds, where there are any."""
        if self.lower is None or self.upper is None:
            return None
        return self.upper - self.lower

    @property
    def guarantee(self) -> str:
        """What the noise promises, in words."""
        return GUARANTEE if self.width is None else LOCAL_GUARANTEE

    def within(self, context: Context) -> Self:
        """Return the same with the epsilon of ``[noise]``."""
        return replace(self, epsilon=context.epsilon)

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find what noise cannot hide: words, infinite values, values outside the bounds."""
        for column in columns:
            place = f"columns.{column.name}.protect"
            if not column.dtype.is_numeric():
                yield Fault(place, "noise needs numbers", "Generalize this column instead.")
                continue
            numbers = floats_of(column)
            numbers = numbers[~np.isnan(numbers)]
            if not np.isfinite(numbers).all():
                yield Fault(place, "some values are infinite", "Correct them.")
            elif (np.abs(numbers) > MOST_STEPS * Grid.of(column, self.resolution).resolution).any():
                yield Fault(place, "has too many steps", "Give a coarser resolution.")
            # Noise of the width of the bounds hides no value outside them.
            elif n_outside := self._n_outside(numbers):
                yield Fault(
                    place,
                    f"{n_outside} values are outside the public bounds",
                    "Widen lower and upper to what there may be at all.",
                )

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Add noise to the records of one class."""
        column = columns.to_series()
        grid = Grid.of(column, self.resolution)
        every = grid.steps(column)
        # A missing value stays missing: noise does not hide that somebody has none.
        is_known = ~np.isnan(every)
        steps = every[is_known][:, None]
        members = Members.together(len(steps))
        width = None if self.width is None else self.width / grid.resolution
        scales = class_scales(steps, members, self.epsilon, bounds=(width,)).scales
        every[is_known] = add_noise(steps, scales, members, source)[:, 0]
        facts = {"epsilon": self.epsilon, "resolution": grid.resolution}
        return Masked(grid.numbers(column.name, every).to_frame(), facts)

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find values that are not numbers of the resolution, and an epsilon above the policy's."""
        column = released.to_series()
        place = f"columns.{column.name}"
        numbers = numbers_in_texts(column.filter(column != ""))
        if numbers.null_count():
            yield Fault(place, "has values that are not numbers", "Do not publish this file.")
            return
        resolution = self.resolution or (None if facts is None else float(facts["resolution"]))
        if resolution is not None:
            grid = Grid(Fraction(repr(resolution)), is_whole=False)
            if not grid.holds(numbers.to_numpy()):
                yield Fault(
                    place, "has values finer than its resolution", "Do not publish this file."
                )
        if facts is not None and float(facts["epsilon"]) > self.epsilon:
            yield Fault(
                f"manifest.protection.{column.name}",
                "has a greater epsilon than the policy",
                "Take the file, the manifest and the policy of one run.",
            )

    def _n_outside(self, numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
        """Count the values outside the public bounds."""
        if self.lower is None or self.upper is None:
            return 0
        return int(((numbers < self.lower) | (numbers > self.upper)).sum())
