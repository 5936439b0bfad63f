"""Released columns that tell people apart although no class does: who can be found by them.

The figures are about the released cells, so that a mask counts for what it changes. A cell is known
to somebody who knows the value of a person if it is that value, or follows from it, as a rounded
one does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import Hashes, value_hashes
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.release.entries import WarningEntry
from indistinct.tables.release.ranked_warnings import some_names
from indistinct.tables.release.released import bounds_of

LEAST_SHARE = 0.01  # of the records: below, single people are found by chance in any table
SEED, CLASS_SEED, MULTIPLIER = 5, 1_000, np.uint64(0x9E3779B97F4A7C15)
INSENSITIVE, SENSITIVE = "insensitive-column-singles-out", "sensitive-column-singles-out"
TOGETHER = "columns-together-single-out"


@dataclass(frozen=True, slots=True)
class SingledOut:
    """Which share of the records some columns single out.

    Parameters
    ----------
    code, columns : kind of the warning, and what it is about
    alone, few : share of the records that stand alone, and in groups below the models' least
    """

    code: str
    columns: tuple[str, ...]
    alone: float
    few: float

    def warning(self, n_records: int, unit: str) -> WarningEntry:
        """Return it in words.

        Parameters
        ----------
        n_records : of the release
        unit : what the figures count: ``people``, or ``records`` where a person may have several
        """
        role = "" if self.code == TOGETHER else f" ({self.code.partition('-')[0]})"
        message = (
            f"{round(self.alone * n_records):,} of {n_records:,} {unit} ({self.alone:.1%}) can be "
            f"found by someone who knows {some_names(self.columns)}{role} besides the "
            "quasi-identifiers"
        )
        return WarningEntry(self.code, self.columns, self.alone, message, self.few)


@dataclass(frozen=True)
class FoundByValues:
    """The released records, and what their cells are compared with.

    Parameters
    ----------
    frame : the release
    promised : tells the roles, and how small a group of records may be
    known : per masked column, (n_released,), whether the cell follows from the person's value;
        every cell of a column that is not named
    """

    frame: Frame
    promised: Resolved
    known: Mapping[str, Bools] = field(default_factory=dict[str, Bools])

    @cached_property
    def classes(self) -> Hashes:
        """The class of each record: (n_released,), see :func:`class_keys`."""
        return class_keys(self.frame, self.promised)

    def figures(self) -> Iterator[SingledOut]:
        """Yield who can be found by each column, and by all insensitive ones together.

        Notes
        -----
        Each column is hashed once. One sort of 64-bit numbers for each column, and one for all
        together: O(n log n).
        """
        insensitive = self._columns(Role.INSENSITIVE)
        sensitive = self._columns(Role.SENSITIVE)
        if not self.frame.height or not (insensitive or sensitive):
            return
        keys = {
            name: value_hashes(self.frame[name], SEED + place)
            for place, name in enumerate((*insensitive, *sensitive), start=1)
        }
        classes = self.classes
        greatest = 0.0
        for name in insensitive:
            shares = self._shares(classes * MULTIPLIER + keys[name], [name])
            if shares[0] >= LEAST_SHARE:
                greatest = max(greatest, shares[0])
                yield SingledOut(INSENSITIVE, (name,), *shares)
        for name in sensitive:
            # Values that several people have are what the models protect; a value of nearly nobody
            # else is a name.
            is_rare = group_sizes(keys[name]) < self._least
            shares = self._shares(classes * MULTIPLIER + keys[name], [name], is_rare)
            if shares[0] >= LEAST_SHARE:
                yield SingledOut(SENSITIVE, (name,), *shares)
        if len(insensitive) > 1:
            combined = classes
            for name in insensitive:
                combined = combined * MULTIPLIER + keys[name]
            shares = self._shares(combined, insensitive)
            if shares[0] >= LEAST_SHARE and shares[0] > greatest:
                yield SingledOut(TOGETHER, tuple(insensitive), *shares)

    @property
    def _least(self) -> int:
        """Records that a group has at least, by the models."""
        return max((model.least_size for model in self.promised.models), default=2)

    def _columns(self, role: Role) -> list[str]:
        """Name the released columns of a role some of whose cells are known to others."""
        return [
            name
            for name in self.promised.named(role)
            if name in self.frame.columns and (name not in self.known or self.known[name].any())
        ]

    def _shares(
        self, keys: Hashes, names: Sequence[str], also: Bools | None = None
    ) -> tuple[float, float]:
        """Return the share of records that stand alone, and of those in groups below the least."""
        counted = np.ones(len(keys), np.bool_) if also is None else also.copy()
        for name in names:
            if name in self.known:
                counted &= self.known[name]
        sizes = group_sizes(keys)
        alone = int((counted & (sizes == 1)).sum())
        few = int((counted & (sizes < self._least)).sum())
        return round(alone / len(keys), 6), round(few / len(keys), 6)


def class_keys(frame: Frame, promised: Resolved) -> Hashes:
    """Return a number of 64 bits for each released record's class: (n_released,).

    Hashes in place of codes: two different classes among a million share one with a chance below
    1e-7, and then a count is off by two.
    """
    names = [
        column
        for name in promised.class_names
        for column in (name, *bounds_of(name))
        if column in frame.columns
    ]
    found = np.zeros(frame.height, np.uint64)
    for place, name in enumerate(names):
        found = found * MULTIPLIER + value_hashes(frame[name], CLASS_SEED + place)
    return found


def group_sizes(keys: Hashes) -> Ints:
    """Return how many records have the key of each one: (n_records,)."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    sizes = np.diff(np.append(np.flatnonzero(is_first), len(ordered)))
    found = np.empty(len(keys), np.int64)
    found[order] = np.repeat(sizes, sizes)
    return found
