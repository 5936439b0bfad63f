"""What the columns of a release that are not generalized tell of the others, counted once more.

The groups of one value are runs of sorted rows, their chances come from logarithms of factorials,
one group size at a time. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.errors import Fault
from indistinct.tables.core.schema import Role
from indistinct.tables.verification.additions import added_up
from indistinct.tables.verification.cell_places import Place, places_of, whole_numbers_in
from indistinct.tables.verification.evidence import CheckedRelease, VerificationInput
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.order_traces import Numbered

FALSE_ALARM, LEAST_BELIEF = 0.001, 0.98
MOST_PAIRS, MOST_TESTED, MOST_CELLS = 200, 20_000, 4_000
STEEPEST, STEPS = 50.0, 60
SLACK = 1e-9
MOST_IN_16_BITS = 2**15 - 1
COUNT_OF = "records with one "
PLACE = "manifest.read_back"
SAME_RUN = "Take the file and the manifest of one run."
DISMISS = "Do not publish this file."


@dataclass(frozen=True, slots=True)
class CountedReadBack:
    """What is read back of a release.

    Parameters
    ----------
    cells : that become finer
    below : share of the records that are then in classes of fewer than the models ask for
    smallest, k_after : records of the smallest class before, and after
    """

    cells: int
    below: float
    smallest: int
    k_after: int


class CellsOfColumn:
    """The cells of a quasi-identifier among all records."""

    def __init__(self, cells: Numbered, places: Mapping[str, Place]) -> None:
        self.own: Ints = cells.codes.astype(np.int64)
        placed = [places[cell] for cell in cells.values.to_list()]
        self.lows: Floats = np.array([low for low, _ in placed], np.float64)
        self.highs: Floats = np.array([high for _, high in placed], np.float64)

    @cached_property
    def around(self) -> tuple[Ints, Ints]:
        """Records of each cell, and of the cells around it, its own included."""
        counts = np.bincount(self.own, minlength=len(self.lows)).astype(np.int64)
        order = np.argsort(-counts, kind="stable")
        if len(order) > MOST_CELLS:  # of those that as many records show, the first of the release
            order = np.lexsort((np.unique(self.own, return_index=True)[1], -counts))[:MOST_CELLS]
        low, high = self.lows[order], self.highs[order]
        outside = (low[:, None] < low) | (high[:, None] > high)
        return counts[order], (counts[order] * ~outside).sum(axis=1)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Rows that have a group, those of a group side by side.

    Parameters
    ----------
    rows : (n_shown,), in the order of the groups, those of a group as they come
    begins : (n_groups,), where in ``rows`` each group begins
    sizes : (n_groups,), rows of each
    of_row : (n_shown,), which of the groups each of ``rows`` is in
    """

    rows: Ints
    begins: Ints
    sizes: Ints
    of_row: Ints

    @classmethod
    def of(cls, groups: Ints) -> _Runs:
        """Sort rows by the numbers of their groups; -1 is none."""
        # NumPy sorts numbers of 16 bits without comparing them.
        few = groups.astype(np.int16) if groups.max(initial=-1) <= MOST_IN_16_BITS else groups
        order = np.argsort(few, kind="stable")
        order = order[int((groups < 0).sum()) :]
        begins = np.flatnonzero(np.diff(groups[order], prepend=-1))
        sizes = np.diff(begins, append=len(order))
        return cls(order, begins, sizes, np.repeat(np.arange(len(begins)), sizes))

    def finest(self, own: Ints, column: CellsOfColumn) -> Ints:
        """Return the cell of each group that lies inside its others; -1 where there is none.

        Parameters
        ----------
        own : the cell of each row

        Returns
        -------
        (n_groups,); the first of several that lie in the same place
        """
        found = np.full(len(self.begins), -1, np.int64)
        if not len(found):
            return found
        cells = own[self.rows]
        lows, highs = column.lows[cells], column.highs[cells]
        low, high = np.maximum.reduceat(lows, self.begins), np.minimum.reduceat(highs, self.begins)
        if (low > high).all():
            return found
        inside = (lows == low[self.of_row]) & (highs == high[self.of_row])
        inside = np.flatnonzero(inside)[::-1]
        found[self.of_row[inside]] = cells[inside]  # the first of each group is written last
        return found


@dataclass(slots=True)
class _Telling:
    """Everything that is asked for each telling column.

    Parameters
    ----------
    columns : per quasi-identifier, its cells
    n_records : of the release
    level : chance below which agreement is believed to be none
    finest : per quasi-identifier, the finest cell of each record that was told
    """

    columns: Mapping[str, CellsOfColumn]
    n_records: int
    level: float
    finest: dict[str, Ints]

    def tell(self, groups: Ints, rows: Ints | None = None, *, keep: bool = True) -> bool:
        """Read cells back by groups of equal numbers; -1 is no group. Return whether any is.

        Parameters
        ----------
        rows : the records that ``groups`` are of; all where left out
        keep : whether what is read back is kept
        """
        told = False
        runs = _Runs.of(groups)
        for name, column in self.columns.items():
            own = column.own if rows is None else column.own[rows]
            found = self._told(runs, own, column)
            if found is None:
                continue
            told = True
            if keep:
                now = self.finest[name]
                is_finer = (column.lows[found] >= column.lows[now]) & (
                    column.highs[found] <= column.highs[now]
                )
                self.finest[name] = np.where(is_finer, found, now)
        return told

    def _told(self, runs: _Runs, own: Ints, column: CellsOfColumn) -> Ints | None:
        """Return the cells after reading back; None where none is told."""
        finest = runs.finest(own, column)
        agrees = (finest >= 0) & (runs.sizes > 1)
        believed = _beliefs(runs.sizes, agrees, column.around, self.n_records, self.level)
        agrees &= believed >= LEAST_BELIEF
        if not agrees.any():
            return None
        known, cells = np.where(agrees, finest, -1)[runs.of_row], own[runs.rows]
        finer = known >= 0
        finer &= (column.lows[known] != column.lows[cells]) | (
            column.highs[known] != column.highs[cells]
        )
        if not finer.any():
            return None
        found = own.copy()
        found[runs.rows[finer]] = known[finer]
        return found


def read_back_faults(
    reading: VerificationInput, evidence: CheckedRelease, household: str = ""
) -> Iterator[Fault]:
    """Find a claim of what is read back that is false, and more than the policy allows.

    Parameters
    ----------
    household : the column of the numbers of households, if the release has one
    """
    spec, manifest = evidence.spec, reading.manifest
    if evidence.weights is not None or reading.columns is not None:
        return  # of distinct rows nobody tells which records have one value
    said = mapping_in(manifest, "read_back")
    yield from _hidden_name_faults(evidence)
    is_limited = spec.release.read_back != "accepted" and not spec.algorithm.republishes
    if not said and (not is_limited or spec.release.form != "table"):
        return
    found = counted_read_back(evidence, household)
    if any(one.startswith("hierarchies.") for one in spec.withheld):
        return  # a label of one value says as much as the value, which its readers do not know
    if said:
        yield from _claim_faults(said, found)
    least = max((model.least_size for model in spec.models), default=1)
    limit = spec.release.max_read_back
    if not is_limited or found is None or found.smallest < least:
        return
    if found.below and found.below >= limit:
        problem = (
            f"{found.cells:,} generalized cells can be read back, after which {found.below:.2%} of "
            f"the records are in classes smaller than {least:,}; the policy allows less than "
            f"{limit:.2%}"
        )
        yield Fault("records.read_back", problem, DISMISS)


def _claim_faults(said: Mapping[str, object], found: CountedReadBack | None) -> Iterator[Fault]:
    """Find figures of the manifest that the file contradicts."""
    counted: dict[str, float] = {"cells": 0, "below": 0.0}
    if found is not None:
        counted = {"cells": found.cells, "below": found.below, "k_after": found.k_after}
    for word, number in counted.items():
        claim = said.get(word)
        if not isinstance(claim, int | float) or abs(claim - number) > SLACK:
            problem = f"is not {number:.6g}, as the released file has it"
            yield Fault(f"{PLACE}.{word}", problem, SAME_RUN)


def _hidden_name_faults(evidence: CheckedRelease) -> Iterator[Fault]:
    """Find columns in which no value may be hidden."""
    for name in sorted(evidence.may_be_hidden):
        rule = evidence.spec.columns.get(name)
        if (
            rule is None
            or rule.words.role not in {Role.SENSITIVE, Role.INSENSITIVE}
            or not rule.words.may_hide
            or name in evidence.spec.protections
        ):
            problem = "names a column in which the policy lets nobody hide values"
            yield Fault(f"{PLACE}.may_be_hidden", problem, DISMISS)


def counted_read_back(evidence: CheckedRelease, household: str = "") -> CountedReadBack | None:
    """Count what is read back of a release; None where nothing may tell anything.

    Parameters
    ----------
    household : the column of the numbers of households, by which nothing is read back
    """
    spec, release = evidence.spec, evidence.release
    generalized = [name for name in spec.class_names if name in release.columns]
    aside = {*generalized, *spec.set_names, household}
    others = [name for name in evidence.typed.columns if name in release.columns]
    others = [name for name in others if name not in aside]
    if not generalized or not others or not release.height:
        return None
    rules = {name: spec.columns[name] for name in generalized}
    shown = {name: evidence.numbered(name).values.to_list() for name in generalized}
    columns = {
        name: CellsOfColumn(evidence.numbered(name), places_of(shown[name], rule))
        for name, rule in rules.items()
    }
    values = {name: _numbers_of(evidence.numbered(name)) for name in others}
    repeating = {name: one for name, one in values.items() if _repeats(one)}
    single = list(_single(repeating))
    pairs = list(islice(combinations(repeating, 2), MOST_PAIRS))
    n_tests = max(1, (len(single) + len(pairs)) * len(columns))
    start = {name: one.own for name, one in columns.items()}
    telling = _Telling(columns, release.height, FALSE_ALARM / n_tests, dict(start))
    warned: set[str] = set()
    for name, groups in single:
        if telling.tell(groups):
            warned.add(name)
    for pair in pairs:
        if warned.intersection(pair):
            continue
        one, other = (values[name] for name in pair)
        some = _whole_groups(one)
        both = np.where((one < 0) | (other < 0), -1, one * (int(other.max()) + 1) + other)
        if len(some) < release.height and not telling.tell(both[some], some, keep=False):
            continue
        if telling.tell(np.where(both < 0, -1, np.unique(both, return_inverse=True)[1])):
            warned.update(pair)
    after = dict(telling.finest)
    units = {name: whole_numbers_in(shown[name], rule) for name, rule in rules.items()}
    for name, rows, numbers in added_up(units, others, evidence.numbered):
        is_new = after[name][rows] < len(columns[name].lows)
        after[name] = after[name].copy()
        after[name][rows[is_new]] = len(columns[name].lows) + numbers[is_new]
    cells = sum(int((after[name] != start[name]).sum()) for name in columns)
    least = max((model.least_size for model in spec.models), default=1)
    before_sizes, sizes = _sizes(start), _sizes(after)
    below = float((sizes < least).sum() / len(sizes))
    return CountedReadBack(cells, below, int(before_sizes.min()), int(sizes.min()))


def _sizes(cells: Mapping[str, Ints]) -> Ints:
    """Return how many records have the cells of each record: (n_records,)."""
    # By their places: a column may be called as a count is, or as a pattern of names.
    frame = pl.DataFrame({str(place): codes for place, codes in enumerate(cells.values())})
    return frame.select(pl.len().over(frame.columns)).to_series().to_numpy().astype(np.int64)


def _numbers_of(column: Numbered) -> Ints:
    """Return a number for each value, -1 for a missing one."""
    is_missing = np.array([not value for value in column.values.to_list()])
    return np.where(is_missing[column.codes], -1, column.codes).astype(np.int64)


def _counts(numbers: Ints) -> Ints:
    """Return how many records have each number from 0 on."""
    return np.bincount(numbers[numbers >= 0]).astype(np.int64)


def _repeats(numbers: Ints) -> bool:
    """Return whether some value has several records, and there are several values."""
    counts = _counts(numbers)
    return int((counts > 0).sum()) > 1 and bool(counts.max() > 1)


def _single(repeating: Mapping[str, Ints]) -> Iterator[tuple[str, Ints]]:
    """Yield the groups of one value, and those of values that as many records have."""
    yield from repeating.items()
    for name, numbers in repeating.items():
        counts = _counts(numbers)
        different, of_value = np.unique(counts, return_inverse=True)
        if (different > 0).sum() < (counts > 0).sum():
            yield f"{COUNT_OF}{name}", np.where(numbers >= 0, of_value[numbers], -1)


def _whole_groups(numbers: Ints) -> Ints:
    """Return the records of some whole groups, of about as many as are tested."""
    n_records = len(numbers)
    if n_records <= MOST_TESTED:
        return np.arange(n_records)
    step = n_records // MOST_TESTED
    known = numbers >= 0
    shown, first, counts = np.unique(numbers[known], return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))[::step]
    drawn = shown[order[np.cumsum(counts[order]) <= 2 * MOST_TESTED]]
    rows = np.flatnonzero(np.isin(numbers, drawn) & known)
    return rows if len(rows) else np.arange(0, n_records, step)


def _beliefs(
    sizes: Ints, agrees: Bools, around: tuple[Ints, Ints], n_records: int, level: float
) -> Floats:
    """Return how surely each group agrees since it is told, by Bayes' rule: (n_groups,)."""
    never = np.zeros(len(sizes))
    tested = sorted(zip(sizes[sizes > 1].tolist(), agrees[sizes > 1].tolist(), strict=True))
    tested = tested[:: max(1, sum(size for size, _ in tested) // MOST_TESTED)]
    reached = sum(size for size, agreed in tested if agreed)
    if not reached:
        return never
    n_groups: dict[int, int] = {}
    for size, _ in tested:
        n_groups[size] = n_groups.get(size, 0) + 1
    by_size = {size: _chance(size, around, n_records) for size in n_groups}
    total = sum(size * n for size, n in n_groups.items())
    expected = sum(size * n * by_size[size] for size, n in n_groups.items())
    if reached <= expected or not _is_rare(n_groups, by_size, reached, math.log(level)):
        return never
    share = (reached - expected) / (total - expected)
    known = np.array(sorted(by_size), np.int64)
    chances = np.array([by_size[size] for size in known.tolist()])
    own = chances[np.maximum(np.searchsorted(known, sizes, side="right") - 1, 0)]
    return share / (share + (1 - share) * own)


def _chance(size: int, around: tuple[Ints, Ints], n_records: int) -> float:
    """Return the chance that so many records, drawn from all, have cells inside each other."""
    every = _log_ways(np.array([n_records]), size)[0]
    counts, enclosing = around
    inside = np.exp(_log_ways(enclosing, size) - every)
    inside -= np.exp(_log_ways(enclosing - counts, size) - every)
    rest = 1 - int(counts.sum()) / n_records  # of cells that were not compared
    return min(1.0, max(0.0, float(inside.sum()) + rest))


def _log_ways(n: Sequence[int] | Ints, size: int) -> Floats:
    """Return the logarithms of the ways to draw so many of n."""
    return np.array(
        [
            math.lgamma(one + 1) - math.lgamma(size + 1) - math.lgamma(one - size + 1)
            if one >= size
            else -math.inf
            for one in np.asarray(n).tolist()
        ]
    )


def _is_rare(
    n_groups: Mapping[int, int], chances: Mapping[int, float], reached: float, level: float
) -> bool:
    """Return whether Chernoff's bound puts the chance of so much agreement below a level.

    Parameters
    ----------
    level : a logarithm
    """
    sizes = np.array([*n_groups], np.float64)
    counts = np.array([*n_groups.values()], np.float64)
    p = np.array([chances[size] for size in n_groups])
    with np.errstate(divide="ignore"):
        yes, no = np.log(p), np.log1p(-p)

    def at(steepness: float) -> float:
        return float((counts * np.logaddexp(no, yes + steepness * sizes)).sum()) - (
            steepness * reached
        )

    if float((counts * yes).sum()) >= level:
        return False  # that every group agrees is no rarer
    low, high = 0.0, STEEPEST / float(sizes.min())
    for _ in range(STEPS):
        third = (high - low) / 3
        ends = at(low + third), at(high - third)
        if min(ends) < level:
            return True
        low, high = (low, high - third) if ends[0] < ends[1] else (low + third, high)
    return at((low + high) / 2) < level
