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
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.grouping import group_few_rows
from indistinct.tables.release.cell_spans import (
    MOST_TESTED,
    CellSpans,
    groups,
    paired,
    pairs,
    whole_groups,
)

FALSE_ALARM = 1e-3  # of all columns of a release together
LEAST_BELIEF = 0.98  # that a group agrees because its column tells the cells
STEEPEST, STEPS = 50.0, 60  # of the exponent of a bound, and of the search for the best one
MOST_CELLS = 4_000  # different cells whose spans are compared with each other


@dataclass(frozen=True, slots=True)
class GeneralizedColumn:
    """The cells of a quasi-identifier.

    Parameters
    ----------
    codes : (n_rows,), number of each row's cell
    spans : (n_cells,), where they lie
    """

    codes: Codes
    spans: CellSpans

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What some columns give back together.

    Parameters
    ----------
    columns : that are not generalized
    cells : number of cells, over all records, that become finer; per quasi-identifier
    sizes : (n_classes,), records of each class once these cells are read back
    """

    columns: tuple[str, ...]
    cells: Mapping[str, int]
    sizes: Ints = field(repr=False)

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
    warned : what each column, or pair of columns, gives back that agrees more than by chance
    together : what all of them give back; None where there are none
    """

    k: int
    warned: tuple[GivenBack, ...] = ()
    together: GivenBack | None = None

    @property
    def k_after(self) -> int:
        """Records of the smallest class after reading back."""
        return self.k if self.together is None else self.together.k_after


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
            name: GeneralizedColumn(one.codes[some], one.spans)
            for name, one in self.generalized.items()
        }
        return _Rows(generalized, self.records[some], self.log_factorials, around)


def read_back(
    generalized: Mapping[str, GeneralizedColumn],
    others: Mapping[str, Codes],
    records: Ints,
) -> ReadBack:
    """Find what columns that are not generalized give back of the others.

    Parameters
    ----------
    generalized : per quasi-identifier, the cell of each row
    others : per column that is not generalized, (n_rows,), number of each row's value; -1 where it
        is missing
    records : (n_rows,), records of each row

    Notes
    -----
    One sort of the rows for each column, and one pass for each column and quasi-identifier. Pairs
    are tried on whole groups of their first column of at most 20,000 records, and on all records
    only if they agree there.
    """
    logs = np.cumsum(np.log(np.maximum(np.arange(int(records.sum()) + 1), 1)))
    rows = _Rows(generalized, records, logs)
    own = _finest(rows, {})
    sizes = _class_sizes(rows, own)
    k = int(sizes.min()) if len(sizes) else 0
    alone, together = list(groups(others, records)), pairs(others, records)
    alpha = FALSE_ALARM / max(1, (len(alone) + len(together)) * len(generalized))
    warned: list[GivenBack] = []
    found_back: list[dict[str, Codes]] = []

    def hold_against(names: tuple[str, ...], codes: Codes) -> None:
        finer = dict(_read_by(rows, codes, alpha))
        if finer:
            cells = {one: int(records[finer[one] != generalized[one].codes].sum()) for one in finer}
            warned.append(GivenBack(names, cells, _class_sizes(rows, {**own, **finer})))
            found_back.append(finer)

    for names, codes in alone:
        hold_against(names, codes)
    for names in together:
        if set(names) & {name for one in warned for name in one.columns}:
            continue  # a pair tells no more than the column of it that is already warned of
        both = [others[name] for name in names]
        some = whole_groups(both[0], records)
        if len(some) == len(records) or any(_read_by(rows.among(some), paired(both, some), alpha)):
            hold_against(names, paired(both, np.arange(len(records))))
    if not warned:
        return ReadBack(k)
    every = dict(own)
    for finer in found_back:
        for name, codes in finer.items():
            every[name] = _finer_of(generalized[name].spans, every[name], codes)
    cells = {
        name: int(records[every[name] != one.codes].sum())
        for name, one in generalized.items()
        if (every[name] != one.codes).any()
    }
    names = tuple(dict.fromkeys(name for one in warned for name in one.columns))
    return ReadBack(k, tuple(warned), GivenBack(names, cells, _class_sizes(rows, every)))


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
    tested, found = tested[::step], found[::step]
    if not found.any():
        return nothing
    different, counts = np.unique(tested, return_counts=True)
    chances = _chances(different, *rows.around_of(name), rows.log_factorials)
    reached, expected = float(tested[found].sum()), float((different * counts) @ chances)
    if reached <= expected:
        return nothing
    if _log_chance(different, counts, chances, reached) >= np.log(alpha):
        return nothing
    share = (reached - expected) / (float(tested.sum()) - expected)
    # Groups of sizes that were not drawn have the chance of the next smaller one, which is larger.
    place = np.maximum(np.searchsorted(different, sizes, side="right") - 1, 0)
    return share / (share + (1 - share) * chances[place])


def _log_chance(sizes: Ints, counts: Ints, chances: Floats, reached: float) -> float:
    """Bound the chance that groups agree with at least so many records, by Chernoff's inequality.

    Parameters
    ----------
    sizes, counts, chances : (n_sizes,), records of a group, groups of that size, and the chance
        that one of them agrees

    Returns
    -------
    the natural logarithm of the bound

    Notes
    -----
    The bound is exp(-t s) times the product of 1 - p + p exp(t m) over all groups, for any t above
    0. Its logarithm is convex in t, so that a search by thirds finds the least.
    """
    with np.errstate(divide="ignore"):
        with_it, without = np.log(chances), np.log1p(-chances)

    def log_bound(t: float) -> float:
        return float(counts @ np.logaddexp(without, with_it + t * sizes)) - t * reached

    low, high = 0.0, STEEPEST / float(sizes.min())
    for _ in range(STEPS):
        third = (high - low) / 3
        if log_bound(low + third) < log_bound(high - third):
            high -= third
        else:
            low += third
    return log_bound((low + high) / 2)


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

    def log_ways(n: Ints, m: int) -> Floats:
        ways = np.full(len(n), -np.inf)
        enough = n >= m
        ways[enough] = logs[n[enough]] - logs[m] - logs[n[enough] - m]
        return ways

    chances: list[float] = []
    for m in sizes.tolist():
        every = logs[n_records] - logs[m] - logs[n_records - m]
        with_it, without = log_ways(around, m), log_ways(around - own, m)
        chances.append(float((np.exp(with_it - every) - np.exp(without - every)).sum()))
    # Cells that were not compared count as agreeing with all others.
    return np.clip(np.array(chances) + 1 - int(own.sum()) / n_records, 0.0, 1.0)


def _finer_of(spans: CellSpans, one: Codes, other: Codes) -> Codes:
    """Return the finer of two cells of each row, the first where neither lies inside the other."""
    lies_inside = (spans.lows[other] >= spans.lows[one]) & (spans.highs[other] <= spans.highs[one])
    return np.where(lies_inside, other, one)


def _finest(rows: _Rows, finer: Mapping[str, Codes]) -> dict[str, Codes]:
    """Return the cell of each row as it is released, or as some columns tell it."""
    return {name: finer.get(name, one.codes) for name, one in rows.generalized.items()}


def _class_sizes(rows: _Rows, cells: Mapping[str, Codes]) -> Ints:
    """Count the records of each class of equal cells."""
    columns: Sequence[Codes] = list(cells.values())
    if not columns or not len(rows.records):
        return np.zeros(0, np.int64)
    labels, first, _ = group_few_rows(
        np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))
    )
    return np.bincount(labels, rows.records, len(first)).astype(np.int64)
