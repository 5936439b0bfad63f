"""Additive noise on columns of numbers, kept inside public bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError, PolicyError
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import (
    as_points,
    like,
    to_numbers,
    with_present,
)
from indistinct.tables.frames.column_facts import Spread, spreads
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.masks.mechanisms.additive_noise import AdditiveNoise
from indistinct.tables.masks.numbers import (
    change_facts,
    no_missing,
    not_a_number,
    only_finite,
    outside,
    summed,
    whole_bounds,
)
from indistinct.tables.masks.protection import Fit, Masked, Protection


@final
@dataclass(frozen=True, slots=True)
class AdditiveNoiseProtection(Protection):
    """Normal noise is added, with a share of the column's standard deviation as its own.

    Whole numbers and dates are rounded to whole ones again.

    Source: kim1986, the transformed noise; hundepool2012, chapter 3.
    """

    share: float = parameter(float, above=0, default=0.1, help="of a column's standard deviation")
    correlated: bool = parameter(bool, default=False, help="noise with the columns' correlations")
    keep_variance: bool = parameter(bool, default=False, help="shrink so that variances stay")
    low: float | None = parameter(float, default=None, help="public least value")
    high: float | None = parameter(float, default=None, help="public greatest value")
    group: str = parameter(str, default="all", help="columns of one word go together")

    name: ClassVar[str] = "noise-additive"
    promise: ClassVar[str] = (
        "Random noise was added to the numbers of {column}, so that exact values are not "
        "recognized."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "If the noise is small compared with the spread of the values, most released "
            "records can be linked to their originals. Outliers remain recognizable."
        ),
        "It is not differential privacy.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = False
    draws_for_each_record: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    jointly: ClassVar[bool] = True
    instead_in_parts: ClassVar[str] = "leave correlated out"

    def __post_init__(self) -> None:
        Protection.__post_init__(self)
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParameterError("low: is not below high", "Give the lower bound as low.")

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find columns without numbers, or with gaps that correlated noise cannot bear."""
        for column in columns:
            yield from not_a_number(column, 'Choose "pram" for categories.')
            yield from no_missing(column) if self.correlated else only_finite(column)
            yield from whole_bounds(column, self.low, self.high)

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Add noise to the columns at once, or to each one's values that are there."""
        noise = AdditiveNoise(self.share, self.correlated, self.keep_variance)
        if self.correlated:
            noisy = noise.mask(as_points(columns), source)
            released = [self._finished(*pair) for pair in zip(noisy.T, columns, strict=True)]
        else:
            released = [self._noisy(noise, column, source) for column in columns]
        masked = Frame(released)
        return Masked(masked, change_facts(columns, masked))

    @property
    def is_fitted(self) -> bool:
        """Noise of one column is drawn by itself when the column's spread is known."""
        return not self.correlated

    def fitted(self, parts: Iterable[Frame]) -> Fit:
        """Measure the spread of each column, and keep it for all parts."""
        found = spreads(map(self._of_numbers, parts), to_numbers)
        noise = AdditiveNoise(self.share, keep_variance=self.keep_variance)

        def noisy(column: Column, spread: Spread, source: RandomSource) -> Column:
            present = column.drop_nulls()
            if not len(present):
                return column
            points = to_numbers(present)
            drawn = noise.mask_about(points, spread.mean, spread.deviation, source)
            return with_present(column, self._finished(drawn, present))

        def mask(columns: Frame, source: RandomSource) -> Masked:
            pairs = zip(columns, found, strict=True)
            masked = [noisy(one, spread, source.apart(one.name)) for one, spread in pairs]
            return Masked(Frame(masked), {"records": columns.height})

        return Fit(mask)

    def _of_numbers(self, part: Frame) -> Frame:
        """Return a part back; refuse one that noise cannot be added to."""
        if faults := list(self.faults(part)):
            raise PolicyError(faults)
        return part

    def facts_of_parts(self, parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Add up the records; the losses would need all of them at once."""
        return summed(parts, ("records",))

    def _noisy(self, noise: AdditiveNoise, column: Column, source: RandomSource) -> Column:
        present = column.drop_nulls()
        points = to_numbers(present)[:, None]
        if not len(present):
            return column
        noisy = noise.mask(points, source.apart(column.name))[:, 0]
        return with_present(column, self._finished(noisy, present))

    def _finished(self, noisy: Floats, column: Column) -> Column:
        """Return numbers inside the bounds, in the type of their column."""
        if self.low is not None or self.high is not None:
            noisy = np.clip(noisy, self.low, self.high)
        return like(noisy, column)

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find numbers outside the bounds."""
        del facts
        for column in released:
            yield from outside(column, self.low, self.high)
