"""Codes whose noisy counts drown in the noise are joined before pairs are looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.questions.synthesis.counts import ColumnDomain

# How many standard deviations above 0 a count must lie to stand alone.
CLEAR = 3.0


@final
@dataclass(frozen=True, slots=True)
class Joined:
    """The joined codes of one column.

    Parameters
    ----------
    groups : joined code of every code, shape (codes,)
    """

    groups: Ints

    @property
    def n_groups(self) -> int:
        """How many codes are left."""
        return int(self.groups.max()) + 1

    @property
    def widths(self) -> Ints:
        """How many codes each joined code stands for."""
        return np.bincount(self.groups)

    def sums(self, counts: Ints) -> Ints:
        """Add up the counts of codes, along the first axis, to those of joined codes."""
        summed = np.zeros((self.n_groups, *counts.shape[1:]), np.int64)
        np.add.at(summed, self.groups, counts)
        return summed


def join(
    attribute: ColumnDomain, noisy: Ints, scale: float, families: Ints | None = None
) -> Joined:
    """Join neighboring bins, and rare words, until each count stands out of its noise.

    Parameters
    ----------
    noisy : counts, shape (codes, focus), each with noise of standard deviation ``scale``
    families : number of every code's family; only codes of one family are joined. None: all are one

    Notes
    -----
    Depends on noisy counts alone, and so costs nothing. Source: mckenna2021, section 4.2, where
    only words are joined; here neighboring bins are, too.
    """
    totals = noisy.sum(axis=1)
    spread = CLEAR * scale * math.sqrt(noisy.shape[1])
    of = np.zeros(len(totals), np.int64) if families is None else families
    if attribute.in_order:
        return Joined(_in_order(totals, spread, attribute.in_order, of))
    rare = totals < spread
    groups = np.cumsum(~rare) - 1
    _, numbers = np.unique(of[rare], return_inverse=True)
    groups[rare] = (~rare).sum() + numbers
    return Joined(groups.astype(np.int64))


def _in_order(totals: Ints, spread: float, in_order: int, families: Ints) -> Ints:
    """Join neighboring bins of one family; what follows the bins stays alone."""
    ends = np.flatnonzero(np.diff(families[:in_order])) + 1
    groups: list[Ints] = []
    n_groups = 0
    for part in np.split(totals[:in_order], ends):
        groups.append(n_groups + _neighbors(part, spread))
        n_groups = int(groups[-1][-1]) + 1
    alone = n_groups + np.arange(len(totals) - in_order)
    return np.concatenate([*groups, alone])


def _neighbors(totals: Ints, spread: float) -> Ints:
    """Return the numbers of joined bins, lowest first."""
    in_order = len(totals)
    groups = np.empty(in_order, np.int64)
    group, first, total = 0, 0, 0
    for code in range(in_order):
        groups[code] = group
        total += int(totals[code])
        if total >= spread * math.sqrt(code + 1 - first):
            group, first, total = group + 1, code + 1, 0
    if first < in_order and group > 0:
        # The rest at the upper end is too few on its own: it goes to the bins below it.
        groups[first:in_order] = group - 1
    return groups
