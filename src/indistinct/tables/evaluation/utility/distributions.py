"""The distribution of each column before and after, as somebody who has the release would draw it.

A generalized cell is spread evenly over the values that it covers, for a reader of the release
knows no better.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.core.interval_hierarchies import number_text
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, ValueOrder
from indistinct.tables.release.released import ReleasedTable

MOST_BINS = 12
MOST_VALUES = 9
OTHERS = "all others"
MISSING = "missing"
NICE = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Bins:
    """Parts of a column's line.

    Parameters
    ----------
    labels : of the parts
    starts, ends : (n_spans,), half-open spans on the line that do not overlap
    owner : (n_spans,), part that each span belongs to
    in_order : whether the parts have an order
    """

    labels: tuple[str, ...]
    starts: Floats
    ends: Floats
    owner: Ints
    in_order: bool


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of a column before and after.

    Parameters
    ----------
    column : its name
    labels : of values or ranges; the last one may stand for missing values
    before, after : (n_labels,), shares of the records, in [0, 1]
    in_order : whether the labels have an order
    kept : share of the released records that keep their value exactly
    """

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    in_order: bool
    kept: float


@dataclass(frozen=True, slots=True)
class ValuePrecision:
    """How exactly a released column is known.

    Parameters
    ----------
    column : its name
    exact : share of the released records whose cell is a single value, in [0, 1]
    within : length on the column's line that the cells of ``share`` of the records do not exceed;
        hidden cells are none of them unless all are hidden
    share : of the released records
    hidden : share of the released records whose cell is hidden
    unit : what ``within`` counts: ``values``, ``days``, or nothing for numbers
    """

    column: str
    exact: float
    within: float
    share: float
    hidden: float
    unit: str


def distributions(
    lines: Sequence[ColumnScale], before: ReleasedTable, after: ReleasedTable
) -> tuple[Distribution, ...]:
    """Compare every column by itself.

    Parameters
    ----------
    lines : of the columns
    before, after : the original and the release, counted by these lines
    """
    return tuple(
        _distribution(line, _weighed(before, column), _weighed(after, column))
        for column, line in enumerate(lines)
    )


def precisions(
    lines: Sequence[ColumnScale], after: ReleasedTable, share: float = 0.9
) -> tuple[ValuePrecision, ...]:
    """Return how exactly every column is known, to the share of the records that do not hide it."""
    found: list[ValuePrecision] = []
    for column, line in enumerate(lines):
        book, weights = _weighed(after, column)
        lengths = np.where(np.isnan(book.lengths), 0.0, book.lengths)
        if line.is_continuous:
            lengths = np.where(book.written.lows == book.written.highs, 0.0, lengths)
        total = max(float(weights.sum()), 1.0)
        one = 0.0 if line.is_continuous else 1.0
        hidden = float(weights[book.hidden]) if book.hidden >= 0 else 0.0
        shown = weights.copy()
        if 0.0 < hidden < total:
            shown[book.hidden] = 0.0
        order = np.argsort(lengths, kind="stable")
        covered = np.cumsum(shown[order]) / max(float(shown.sum()), 1.0)
        place = min(int(np.searchsorted(covered, share - 1e-12)), len(order) - 1)
        within = float(lengths[order][place]) if len(order) else 0.0
        exact = float(shown[lengths <= one].sum()) / total
        reached = float(shown[lengths <= within].sum()) / total
        unit = "days" if line.kind == "days" else "values" if line.has_words else ""
        found.append(ValuePrecision(line.name, exact, within, reached, hidden / total, unit))
    return tuple(found)


def associations(lines: Sequence[ColumnScale], table: ReleasedTable) -> Floats:
    """Measure how much each pair of columns has to do with each other, by Cramer's V.

    Parameters
    ----------
    lines : of the columns
    table : counted by these lines

    Returns
    -------
    (n_columns, n_columns), in [0, 1]; NaN where a column has one value only, and on the diagonal

    Notes
    -----
    Columns are cut into the parts that :func:`distributions` shows. Cells that are spread over the
    parts alike are one kind, of which a column has few. Time O(distinct rows) for each pair of
    columns.

    Source: cramer1946, section 21.9
    """
    spread = [
        _shares(parts_of(line, *_weighed(table, column)), table.books[column])
        for column, line in enumerate(lines)
    ]
    kinds = [np.unique(shares, axis=0, return_inverse=True) for shares in spread]
    of_row = [kind.reshape(-1)[table.cells[:, at]] for at, (_, kind) in enumerate(kinds)]
    found = np.full((len(lines), len(lines)), np.nan)
    for first, second in combinations(range(len(lines)), 2):
        left, right = kinds[first][0], kinds[second][0]
        pairs = of_row[first] * len(right) + of_row[second]
        counts = np.bincount(pairs, table.weights, len(left) * len(right))
        joint = left.T @ counts.reshape(len(left), len(right)) @ right
        found[first, second] = found[second, first] = cramers_v(joint)
    return found


def cramers_v(joint: Floats) -> float:
    """Return Cramer's V of a table of counts: (n_rows, n_columns); NaN where it is not defined.

    Source: cramer1946, section 21.9
    """
    joint = joint[joint.sum(axis=1) > 0][:, joint.sum(axis=0) > 0]
    least = min(joint.shape) - 1
    if least < 1:
        return math.nan
    total = joint.sum()
    expected = np.outer(joint.sum(axis=1), joint.sum(axis=0)) / total
    chi_squared = float(((joint - expected) ** 2 / expected).sum())
    return math.sqrt(min(chi_squared / (total * least), 1.0))


def parts_of(line: ColumnScale, book: ColumnCells, weights: Floats) -> Bins:
    """Cut the line of a column into parts: round ranges of numbers, months and years, or values.

    Parameters
    ----------
    book, weights : cells and how many records have them, by which frequent values get their own
    """
    if line.order is not None:
        return _values_of(line.order, book, weights)
    low, high = line.whole
    if line.kind == "days":
        return _dates(low, high)
    return _ranges(low, high, is_whole=line.is_whole)


def _weighed(table: ReleasedTable, column: int) -> tuple[ColumnCells, Floats]:
    """Return the cells of a column and how many records have each."""
    book = table.books[column]
    weights = np.bincount(table.cells[:, column], table.weights, len(book.texts))
    return book, weights.astype(np.float64)


def _distribution(
    line: ColumnScale, before: tuple[ColumnCells, Floats], after: tuple[ColumnCells, Floats]
) -> Distribution:
    """Compare one column, in the parts that suit the original."""
    parts = parts_of(line, *before)
    shares = [_of_parts(parts, *counted) for counted in (before, after)]
    labels = parts.labels
    if any(counted[-1] > 0 for counted in shares) and line.order is None:
        labels = (*labels, MISSING)
    first, second = (tuple(counted[: len(labels)].tolist()) for counted in shares)
    book, weights = after
    kept = float(weights[book.levels == 0].sum()) / max(float(weights.sum()), 1.0)
    return Distribution(line.name, labels, first, second, parts.in_order, kept)


def _of_parts(parts: Bins, book: ColumnCells, weights: Floats) -> Floats:
    """Return the share of records in each part, and last that of cells that lie nowhere."""
    counted = weights @ _shares(parts, book)
    return counted / max(float(weights.sum()), 1.0)


def _shares(parts: Bins, book: ColumnCells) -> Floats:
    """Spread each cell over the parts: (n_cells, n_parts + 1), rows add up to 1."""
    low = np.maximum(book.starts[:, None], parts.starts[None, :])
    high = np.minimum(book.ends[:, None], parts.ends[None, :])
    overlap = np.nan_to_num(np.maximum(high - low, 0.0))
    shares = np.zeros((len(book.texts), len(parts.labels) + 1))
    np.add.at(shares.T, parts.owner, overlap.T)
    total = shares.sum(axis=1, keepdims=True)
    shares[total[:, 0] <= 0, -1] = 1.0
    return shares / np.where(total > 0, total, 1.0)


def _values_of(order: ValueOrder, book: ColumnCells, weights: Floats) -> Bins:
    """Return a part for each value, or for the most frequent ones where there are many."""
    texts = order.texts
    n_values = len(texts)
    if order.numbers is not None and n_values > MOST_BINS:
        return _numbered(order.numbers)
    if n_values <= MOST_BINS:
        chosen = np.arange(n_values)
    else:
        single = Bins(texts, *_edges(n_values), np.arange(n_values), in_order=False)
        frequent = np.argsort(-_of_parts(single, book, weights)[:-1], kind="stable")
        chosen = np.sort(frequent[:MOST_VALUES])
    owner = np.full(n_values, len(chosen), np.int64)
    owner[chosen] = np.arange(len(chosen))
    labels = tuple(texts[place] for place in chosen.tolist())
    labels = labels if len(chosen) == n_values else (*labels, OTHERS)
    return Bins(labels, *_edges(n_values), owner, in_order=order.numbers is not None)


def _edges(n_values: int) -> tuple[Floats, Floats]:
    """Return where each of the values begins and ends."""
    places = np.arange(n_values, dtype=np.float64)
    return places, places + 1


def _numbered(numbers: Floats) -> Bins:
    """Return round ranges for the values that are numbers; those that are none stand last."""
    known = numbers[~np.isnan(numbers)]
    is_whole = bool(np.all(known == np.floor(known)))
    ranges = _ranges(float(known.min()), float(known.max()) + is_whole, is_whole=is_whole)
    owner = np.searchsorted(ranges.starts, numbers, side="right") - 1
    owner = np.clip(owner, 0, len(ranges.labels) - 1)
    owner[np.isnan(numbers)] = len(ranges.labels)
    labels = ranges.labels if len(known) == len(numbers) else (*ranges.labels, MISSING)
    return Bins(labels, *_edges(len(numbers)), owner.astype(np.int64), in_order=True)


def _ranges(low: float, high: float, *, is_whole: bool) -> Bins:
    """Cut a scale at round numbers."""
    step = _round_up(max(high - low, 1e-12) / MOST_BINS)
    step = max(math.ceil(step), 1) if is_whole else step
    first = math.floor(low / step)
    starts = np.arange(first, max(math.ceil(high / step), first + 1)).astype(np.float64) * step
    ends = starts + step
    labels = [
        _range_text(start, end, is_whole=is_whole)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return Bins(tuple(labels), starts, ends, np.arange(len(starts)), in_order=True)


def _range_text(start: float, end: float, *, is_whole: bool) -> str:
    """Write a range; of whole numbers with both its ends."""
    if not is_whole:
        return f"{number_text(round(start, 9))} to {number_text(round(end, 9))}"
    last = end - 1
    return f"{start:.0f}" if last <= start else f"{start:.0f} to {last:.0f}"


def _dates(low: float, high: float) -> Bins:
    """Cut a calendar into periods of equal numbers of years, or of days where it is short."""
    first, last = (dt.date.fromordinal(int(day)) for day in (low, max(high - 1, low)))
    years = last.year - first.year + 1
    if years >= 3:  # noqa: PLR2004 - below, years say too little
        step = int(max(_round_up(years / MOST_BINS), 1))
        begins = list(range(first.year - first.year % step, last.year + 1, step))
        starts = [float(dt.date(max(year, 1), 1, 1).toordinal()) for year in begins]
        end = float(dt.date(min(begins[-1] + step, dt.MAXYEAR), 1, 1).toordinal())
        labels = [f"{year}" if step == 1 else f"{year} to {year + step - 1}" for year in begins]
    else:
        step = max(math.ceil((high - low) / MOST_BINS), 1)
        starts = [float(day) for day in range(int(low), int(high), step)]
        end = starts[-1] + step
        labels = [f"from {dt.date.fromordinal(int(day))}" for day in starts]
    edges = np.array([*starts, end])
    return Bins(tuple(labels), edges[:-1], edges[1:], np.arange(len(starts)), in_order=True)


def _round_up(length: float) -> float:
    """Round up to a round number."""
    power = 10.0 ** math.floor(math.log10(length))
    return next(step * power for step in NICE if step * power >= length * (1 - 1e-9))
