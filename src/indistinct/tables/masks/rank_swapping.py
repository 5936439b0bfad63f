"""Rank swapping of a column: its values stay as a set, and change their records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import released_numbers, to_numbers, with_present
from indistinct.tables.frames.frame import Frame
from indistinct.tables.masks.mechanisms.rank_swapping import RankSwapping
from indistinct.tables.masks.numbers import change_facts, not_a_number, only_finite
from indistinct.tables.masks.protection import Masked, Protection


@final
@dataclass(frozen=True, slots=True)
class RankSwappingProtection(Protection):
    """Values change places with others whose rank lies at most so many percent away.

    Every statistic of the column alone stays exactly as it is. Missing values stay where they are.

    Source: moore1996, rank swapping.
    """

    percent: float = parameter(
        float, above=0, at_most=100, default=5.0, help="greatest distance of ranks"
    )

    name: ClassVar[str] = "swap"
    promise: ClassVar[str] = (
        "The values of {column} changed places with values of similar rank, so that the value"
        " beside a record is most often another person's."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "A person's value is still known roughly.",
        "Extreme values of {column} stay in the release, beside another record.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = False
    draws_for_each_record: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    checks_records: ClassVar[bool] = False

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find columns without order, and too few records for a window."""
        for column in columns:
            yield from not_a_number(column, 'Choose "pram" for categories.')
            yield from only_finite(column)
            n_values = len(column) - column.null_count()
            if RankSwapping(self.percent).window(n_values) < 1:
                yield Fault(
                    f"columns.{column.name}.protect",
                    f"{self.percent:g} % of {n_values:,} values are less than one rank",
                    "Choose a greater percent.",
                )

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Swap the values of one column."""
        column = columns.to_series()
        present = column.drop_nulls()
        ranks = present.rank("dense").to_numpy().astype(np.int64)
        partners = RankSwapping(self.percent).partners(ranks, source)
        masked = with_present(column, present.gather(partners)).to_frame()
        return Masked(masked, change_facts(columns, masked))

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find nothing: that values moved cannot be seen without the original."""
        del released, facts
        return iter(())

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Compare the values as a set with those of the original."""
        del rows
        column = original.to_series()
        own = to_numbers(column)
        found = released_numbers(released.to_series(), column)
        place = f"columns.{column.name}"
        if not _is_part(found, own):
            yield Fault(
                place,
                "has values that the original has not so often",
                "Take the release and the original of one run.",
            )


def _is_part(found: Floats, own: Floats) -> bool:
    """Return whether numbers, each as often as it stands there, are among others."""
    values, counts = np.unique(own[~np.isnan(own)], return_counts=True)
    seen, times = np.unique(found[~np.isnan(found)], return_counts=True)
    places = np.searchsorted(values, seen)
    if (places >= len(values)).any() or (values[places] != seen).any():
        return False
    return bool((times <= counts[places]).all())
