"""What columns that are not generalized give back of the cells that are.

Records with one value of such a column often have one value of a quasi-identifier, too: a survey
weight is computed from the region, and all members of a household have its income. If the cells of
such a group lie inside each other, all of them can be replaced by the finest, and classes of k
records fall apart.

A column is only held against a release if its groups agree more often than chance allows, and a
group of such a column only if it more likely agrees because the column tells the cells than by
chance: the share of the records that the column tells is estimated from all of its groups, so that
a small group counts in a column that tells nearly all cells, and not in one that is merely related
to the quasi-identifier. The chance that m records, drawn from all, agree is exact: the finest of
their cells is v where all of them lie around v and at least one is v, so that it is the sum over v
of (C(a, m) - C(a - n, m)) / C(N, m) with the n records of v and the a records whose cells lie
around v, its own included. How likely so many agreeing records are is then bounded by Chernoff's
inequality, in place of permutations of the column, which would take a thousand times as long.

What follows from numbers by arithmetic, :mod:`indistinct.tables.release.derivable` finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.grouping import group_few_rows
from indistinct.tables.release.cell_spans import (
    MOST_TESTED,
    RECORDS_WITH,
    CellSpans,
    groups,
    paired,
    pairs,
    whole_groups,
)
from indistinct.tables.release.derivable import Units, UnitSpans, derived_cells

__all__ = [
    "RECORDS_WITH",
    "CellSpans",
    "GeneralizedColumn",
    "GivenBack",
    "ReadBack",
    "Units",
    "read_back",
]

FALSE_ALARM = 1e-3  # of all columns of a release together
LEAST_BELIEF = 0.98  # that a group agrees because its column tells the cells
STEEPEST, STEPS = 50.0, 60  # of the exponent of a bound, and of the search for the best one
MOST_CELLS = 4_000  # different cells whose spans are compared with each other
CELLS_AT_ONCE = 1 << 16  # of groups of several sizes, whose chances are computed together


@dataclass(frozen=True, slots=True)
class GeneralizedColumn:
    """The cells of a quasi-identifier.

    Parameters
    ----------
    codes : (n_rows,), number of each row's cell
    spans : (n_cells,), where they lie
    units : per unit, where they lie in whole units; of numbers and dates
    """

    codes: Codes
    spans: CellSpans
    units: Mapping[str, UnitSpans] = field(default_factory=dict[str, UnitSpans])

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What some columns give back together.

    Parameters
    ----------
    columns : that are not generalized
    cells : number of cells, over all records, that become finer; per quasi-identifier
    sizes : (n_classes,), records of each class once these cells are read back
    finer : per quasi-identifier, (n_rows,), number of the cell that is read; those of derived
        values come after those of all cells
    groups : (n_rows,), number of each row's value, or pair of values; -1 where it is missing
    is_derived : whether the cells follow by arithmetic
    """

    columns: tuple[str, ...]
    cells: Mapping[str, int]
    sizes: Ints = field(repr=False)
    finer: Mapping[str, Codes] = field(default_factory=dict[str, Codes], repr=False)
    groups: Codes = field(default_factory=lambda: np.zeros(0, np.int32), repr=False)
    is_derived: bool = False

    def document(self) -> dict[str, object]:
        """Return what is given back as JSON has it; sizes of classes as the least of them."""
        return {"columns": [*self.columns], "cells": dict(self.cells), "k_after": self.k_after}

    @property
    def k_after(self) -> int:
        """Records of the smallest class."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    def share_below(self, k: int) -> float:
        """Return the share of the records that are in classes of fewer than k."""
        return float(self.sizes[self.sizes < k].sum() / max(int(self.sizes.sum()), 1))

    @property
    def n_cells(self) -> int:
        """Cells of all quasi-identifiers."""
        return sum(self.cells.values())


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What a release gives back.

    Parameters
    ----------
    k : records of the smallest class as it is released
    warned : what each column, or pair of columns, gives back that agrees more than by chance, or
        by arithmetic
    together : what all of them give back; None where there are none
    classes : (n_rows,), the class of each row once all of it is read back; a place of
        ``together.sizes``
    """

    k: int
    warned: tuple[GivenBack, ...] = ()
    together: GivenBack | None = None
    classes: Codes = field(default_factory=lambda: np.zeros(0, np.int32), repr=False)

    @property
    def k_after(self) -> int:
        """Records of the smallest class after reading back."""
        return self.k if self.together is None else self.together.k_after

    @property
    def n_cells(self) -> int:
        """Cells that are read back."""
        return 0 if self.together is None else self.together.n_cells

    def share_below(self, k: int) -> float:
        """Return the share of the records that are then in classes of fewer than k."""
        return 0.0 if self.together is None else self.together.share_below(k)


@dataclass(slots=True)
class _Rows:
    """The distinct released rows.

    Parameters
    ----------
    generalized : per quasi-identifier, its cells
    records : (n_rows,), records of each row
    log_factorials : (n_records + 1,)
    around : per quasi-identifier that was tested, see :func:`_around`
    """

    generalized: Mapping[str, GeneralizedColumn]
    records: Ints
    log_factorials: Floats
    around: dict[str, tuple[Ints, Ints]] = field(default_factory=dict[str, tuple[Ints, Ints]])

    def around_of(self, name: str) -> tuple[Ints, Ints]:
        """Return what is known of the cells of a quasi-identifier among all records."""
        if name not in self.around:
            self.around[name] = _around(self.generalized[name], self.records)
        return self.around[name]

    def among(self, some: Ints) -> _Rows:
        """Return some of the rows; the chances stay those among all records."""
        around = {name: self.around_of(name) for name in self.generalized}
        generalized = {
            name: GeneralizedColumn(one.codes[some], one.spans, one.units)
            for name, one in self.generalized.items()
        }
        return _Rows(generalized, self.records[some], self.log_factorials, around)


def read_back(
    generalized: Mapping[str, GeneralizedColumn],
    others: Mapping[str, Codes],
    records: Ints,
    numbers: Mapping[str, Units] = MappingProxyType({}),
) -> ReadBack:
    """Find what columns that are not generalized give back of the others.

    Parameters
    ----------
    generalized : per quasi-identifier, the cell of each row
    others : per column that is not generalized, (n_rows,), number of each row's value; -1 where it
        is missing
    records : (n_rows,), records of each row
    numbers : per column that is not generalized and holds numbers or dates, per unit its values:
        (n_rows,)

    Notes
    -----
    One sort of the rows for each column, and one pass for each column and quasi-identifier. Pairs
    are tried on whole groups of their first column of at most 20,000 records, and on all records
    only if they agree there.
    """
    logs = np.cumsum(np.log(np.maximum(np.arange(int(records.sum()) + 1), 1)))
    rows = _Rows(generalized, records, logs)
    own = {name: one.codes for name, one in generalized.items()}
    sizes = _class_sizes(own, records)[0]
    k = int(sizes.min()) if len(sizes) else 0
    warned = [*_told_in_groups(rows, others, own), *_told_by_arithmetic(rows, numbers, own)]
    if not warned:
        return ReadBack(k)
    every = _finest(rows, warned)
    cells = _changed(every, generalized, records)
    names = tuple(dict.fromkeys(name for one in warned for name in one.columns))
    sizes, classes = _class_sizes(every, records)
    return ReadBack(k, tuple(warned), GivenBack(names, cells, sizes, every), classes)


def _told_in_groups(
    rows: _Rows, others: Mapping[str, Codes], own: Mapping[str, Codes]
) -> Iterator[GivenBack]:
    """Yield what each column, or pair of columns, gives back that agrees more than by chance."""
    records = rows.records
    alone, together = list(groups(others, records)), pairs(others, records)
    alpha = FALSE_ALARM / max(1, (len(alone) + len(together)) * len(rows.generalized))
    told: set[str] = set()
    for names, codes in alone:
        if finer := dict(_read_by(rows, codes, alpha)):
            told.update(names)
            yield replace(_given_back(names, finer, rows, own), groups=codes)
    for names in together:
        if told.intersection(names):
            continue  # a pair tells no more than the column of it that is already warned of
        both = [others[name] for name in names]
        some = whole_groups(both[0], records)
        if len(some) < len(records) and not any(
            _read_by(rows.among(some), paired(both, some), alpha)
        ):
            continue
        codes = paired(both, np.arange(len(records)))
        if finer := dict(_read_by(rows, codes, alpha)):
            told.update(names)
            yield replace(_given_back(names, finer, rows, own), groups=codes)


def _told_by_arithmetic(
    rows: _Rows, numbers: Mapping[str, Units], own: Mapping[str, Codes]
) -> Iterator[GivenBack]:
    """Yield what columns give back by arithmetic."""
    for name, column in rows.generalized.items() if numbers else ():
        seen: set[tuple[str, ...]] = set()
        for one in derived_cells(column.codes, column.units, numbers, rows.records):
            key = tuple(sorted(one.columns))
            if key in seen or not len(one.rows):
                continue
            seen.add(key)
            finer = column.codes.copy()
            first = len(column.spans.lows)
            finer[one.rows] = first + np.unique(one.values, return_inverse=True)[1]
            yield replace(_given_back(one.columns, {name: finer}, rows, own), is_derived=True)


def _given_back(
    names: tuple[str, ...], finer: Mapping[str, Codes], rows: _Rows, own: Mapping[str, Codes]
) -> GivenBack:
    """Return what some columns give back, and the classes that are left of it."""
    sizes = _class_sizes({**own, **finer}, rows.records)[0]
    return GivenBack(names, _changed(finer, rows.generalized, rows.records), sizes, finer)


def _changed(
    finer: Mapping[str, Codes], generalized: Mapping[str, GeneralizedColumn], records: Ints
) -> dict[str, int]:
    """Count the cells that become finer, over all records, per quasi-identifier that has some."""
    counts = {
        name: int(records[codes != generalized[name].codes].sum()) for name, codes in finer.items()
    }
    return {name: count for name, count in counts.items() if count}


def _finest(rows: _Rows, warned: Sequence[GivenBack]) -> dict[str, Codes]:
    """Return the finest cell of each row that is told; a derived one is finer than any other."""
    every = {name: one.codes for name, one in rows.generalized.items()}
    for one in warned:
        for name, codes in one.finer.items():
            column = rows.generalized[name]
            if one.is_derived:
                is_new = (codes != column.codes) & (every[name] < len(column.spans.lows))
                every[name] = np.where(is_new, codes, every[name])
            else:
                every[name] = _finer_of(column.spans, every[name], codes)
    return every


def _read_by(rows: _Rows, codes: Codes, alpha: float) -> Iterator[tuple[str, Codes]]:
    """Yield the finest cells that groups of one value tell, per quasi-identifier that they tell."""
    order = np.argsort(codes, kind="stable")
    order = order[np.searchsorted(codes[order], 0) :]
    if not len(order):
        return
    labels, records = codes[order], rows.records[order]
    starts = np.flatnonzero(np.append([True], labels[1:] != labels[:-1]))
    lengths = np.diff(np.append(starts, len(order)))
    sizes = np.add.reduceat(records, starts)
    for name, column in rows.generalized.items():
        cells = column.codes[order]
        lows, highs = column.spans.lows[cells], column.spans.highs[cells]
        low, high = np.maximum.reduceat(lows, starts), np.minimum.reduceat(highs, starts)
        is_finest = (lows == np.repeat(low, lengths)) & (highs == np.repeat(high, lengths))
        agrees = np.logical_or.reduceat(is_finest, starts) & (sizes > 1)
        first = np.minimum.reduceat(np.where(is_finest, np.arange(len(order)), len(order)), starts)
        finest = cells[np.minimum(first, len(order) - 1)]
        agrees &= _belief(rows, name, sizes, agrees, alpha) >= LEAST_BELIEF
        known_cells = np.where(np.repeat(agrees, lengths), np.repeat(finest, lengths), cells)
        spans = column.spans
        is_finer = (spans.lows[known_cells] != lows) | (spans.highs[known_cells] != highs)
        if is_finer.any():
            found = column.codes.copy()
            found[order[is_finer]] = known_cells[is_finer]
            yield name, found


def _belief(rows: _Rows, name: str, sizes: Ints, agrees: Bools, alpha: float) -> Floats:
    """Return how likely each group agrees because the column tells the cells, and not by chance.

    Parameters
    ----------
    sizes : (n_groups,), records of each group
    agrees : (n_groups,), whether its cells lie inside each other
    alpha : chance of believing anything of a column that has nothing to do with the cells, at most

    Returns
    -------
    (n_groups,), in [0, 1]; for a group that agrees. All are 0 where chance alone explains as much
    agreement as there is

    Notes
    -----
    If the column tells a share s of the records, and a group that it does not tell agrees with the
    chance p of its size, Bayes' rule gives s / (s + (1 - s) p).
    """
    nothing = np.zeros(len(sizes))
    is_group = sizes > 1
    tested, found = sizes[is_group], agrees[is_group]
    step = max(1, int(tested.sum()) // MOST_TESTED)
    if step > 1:  # some of each size, whatever the values are called
        some = np.lexsort((found, tested))[::step]
        tested, found = tested[some], found[some]
    if not found.any():
        return nothing
    different, counts = np.unique(tested, return_counts=True)
    chances = _chances(different, *rows.around_of(name), rows.log_factorials)
    reached, expected = float(tested[found].sum()), float((different * counts) @ chances)
    if reached <= expected:
        return nothing
    if not _is_beyond_chance(different, counts, chances, reached, alpha):
        return nothing
    share = (reached - expected) / (float(tested.sum()) - expected)
    # Groups of sizes that were not drawn have the chance of the next smaller one, which is larger.
    place = np.maximum(np.searchsorted(different, sizes, side="right") - 1, 0)
    return share / (share + (1 - share) * chances[place])


def _is_beyond_chance(
    sizes: Ints, counts: Ints, chances: Floats, reached: float, alpha: float
) -> bool:
    """Return whether groups hardly agree with so many records by chance: Chernoff's inequality.

    Parameters
    ----------
    sizes, counts, chances : (n_sizes,), records of a group, groups of that size, and the chance
        that one of them agrees
    alpha : what the bound of the chance has to be below

    Notes
    -----
    The bound is exp(-t s) times the product of 1 - p + p exp(t m) over all groups, for any t above
    0. Its logarithm is convex in t, so that a search by thirds finds the least, and ends as soon as
    one is low enough. None is below the chance that all groups agree.
    """
    with np.errstate(divide="ignore"):
        with_it, without = np.log(chances), np.log1p(-chances)
    enough = float(np.log(alpha))
    if float(counts @ with_it) >= enough:
        return False

    def log_bound(t: float) -> float:
        return float(counts @ np.logaddexp(without, with_it + t * sizes)) - t * reached

    low, high = 0.0, STEEPEST / float(sizes.min())
    for _ in range(STEPS):
        third = (high - low) / 3
        lower, upper = log_bound(low + third), log_bound(high - third)
        if min(lower, upper) < enough:
            return True
        if lower < upper:
            high -= third
        else:
            low += third
    return log_bound((low + high) / 2) < enough


def _around(column: GeneralizedColumn, records: Ints) -> tuple[Ints, Ints]:
    """Count, per cell, its records and those of the cells that it lies inside of, its own too."""
    lows, highs = column.spans.lows, column.spans.highs
    own = np.bincount(column.codes, records, len(lows)).astype(np.int64)
    shown = np.flatnonzero(own)[np.argsort(-own[own > 0], kind="stable")][:MOST_CELLS]
    inside = (lows[shown][None, :] <= lows[shown][:, None]) & (
        highs[shown][None, :] >= highs[shown][:, None]
    )
    return own[shown], inside @ own[shown]


def _chances(sizes: Ints, own: Ints, around: Ints, logs: Floats) -> Floats:
    """Return the chance that as many records, drawn from all, agree: (n_sizes,).

    Parameters
    ----------
    own, around : (n_cells,), see :func:`_around`
    logs : (n_records + 1,), logarithms of the factorials
    """
    n_records = len(logs) - 1
    drawn, chances = sizes[:, None], np.empty(len(sizes))

    def ways(n: Ints, m: Ints, every: Floats) -> Floats:
        """Return the share of the ways to draw m of all records that draw them of n."""
        log_ways = logs[n] - logs[m] - logs[np.maximum(n - m, 0)]
        return np.where(n >= m, np.exp(log_ways - every), 0.0)

    every = logs[n_records] - logs[drawn] - logs[n_records - drawn]
    at_once = max(1, CELLS_AT_ONCE // max(1, len(own)))
    for first in range(0, len(sizes), at_once):
        some = slice(first, first + at_once)
        with_it = ways(around, drawn[some], every[some])
        chances[some] = (with_it - ways(around - own, drawn[some], every[some])).sum(axis=1)
    # Cells that were not compared count as agreeing with all others.
    return np.clip(chances + 1 - int(own.sum()) / n_records, 0.0, 1.0)


def _finer_of(spans: CellSpans, one: Codes, other: Codes) -> Codes:
    """Return the finer of two cells of each row, the first where neither lies inside the other."""
    lies_inside = (spans.lows[other] >= spans.lows[one]) & (spans.highs[other] <= spans.highs[one])
    return np.where(lies_inside, other, one)


def _class_sizes(cells: Mapping[str, Codes], records: Ints) -> tuple[Ints, Codes]:
    """Count the records of each class of equal cells: (n_classes,); and its rows': (n_rows,)."""
    columns: Sequence[Codes] = list(cells.values())
    if not columns or not len(records):
        return np.zeros(0, np.int64), np.zeros(len(records), np.int32)
    labels, first, _ = group_few_rows(
        np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))
    )
    return np.bincount(labels, records, len(first)).astype(np.int64), labels
