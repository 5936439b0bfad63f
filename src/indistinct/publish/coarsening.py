"""Count the distinct rows of a table; by labels in place of values where too many differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from indistinct.core.brief import briefly
from indistinct.counting.weighted import CoarseColumn, Counted, counted_names
from indistinct.engines.sources import Capacity, Coarse, Key, Profile, Source
from indistinct.errors import CapacityError
from indistinct.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class Counting:
    """The distinct rows of a table, and how they were counted.

    Parameters
    ----------
    counted : the rows
    coarse : per column that was counted by labels
    marked : the columns whose hashes were summed
    """

    counted: Counted
    coarse: Mapping[str, Coarse] = field(default_factory=dict[str, Coarse])
    marked: tuple[str, ...] = ()

    __repr__ = briefly

    @property
    def levels(self) -> dict[str, int]:
        """The level of each column that was counted by labels."""
        return {name: one.level for name, one in self.coarse.items()}


def count_within(
    source: Source, policy: Policy, capacity: Capacity, profile: Profile, marked: tuple[str, ...]
) -> Counting:
    """Count the distinct rows, as finely as memory allows.

    Raises
    ------
    CapacityError
        when they do not fit at any level that the policy allows
    """
    names = counted_names(policy)
    at_most = capacity.rows(len(names))
    found = source.count([Key(name) for name in names], at_most, marked)
    if found is not None:
        return Counting(Counted(found, profile.n_records), marked=marked)
    raise CapacityError("", "")
