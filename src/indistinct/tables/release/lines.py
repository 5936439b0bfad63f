"""From a column's values and its policy to the book of its cells.

Each column is a line on which a cell is a span. Numbers and dates lie on a scale. The values of
other columns stand side by side in the order of their hierarchy, so that every label covers a run
of them. A hidden cell is the whole line.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.base.hierarchy_builders import in_plain_digits
from indistinct.tables.frames.encoding import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import (
    hierarchy_of,
    listed_values,
    missing_text,
    suggested_rule,
)
from indistinct.tables.release.cells import CellCoverage, ColumnCodebook, Ends, is_number, read_ends
from indistinct.tables.release.day_spans import Span, day_spans, moments_of, step_of

ROUNDING = 1e-9  # of widths and steps, which are written and read


@dataclass(frozen=True, slots=True)
class Placed:
    """What a line says of some cells.

    Parameters
    ----------
    starts, ends : (n_cells,), where they lie; NaN for what is no cell of the column
    levels : (n_cells, n_levels), where each may stand; the last level is the root's alone
    under : per cell, codes of the values that it may stand for, ascending
    """

    starts: Floats
    ends: Floats
    levels: Bools
    under: Sequence[Ints]


@dataclass(frozen=True, slots=True)
class Axis(ABC):
    """The line of a column.

    Parameters
    ----------
    rule : of the column
    values : of the data
    whole : where a hidden cell lies
    reads_forms : whether a cell of no known label is told by its form: no hierarchy is written down
    """

    rule: ColumnRule
    values: EncodedColumn
    whole: Span
    reads_forms: bool

    has_scale: ClassVar[bool]  # on which a missing value lies nowhere

    __repr__ = short_repr

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.rule.name

    @abstractmethod
    def place(self, texts: Sequence[str], written: Ends) -> Placed:
        """Find cells that are neither hidden nor, on a scale, missing.

        Parameters
        ----------
        texts, written : how they are written, and as ends of ranges
        """


@final
@dataclass(frozen=True, slots=True)
class NumberAxis(Axis):
    """Numbers.

    Parameters
    ----------
    is_whole : whether the values are whole numbers, each of which covers a length of 1
    widths : of the intervals at each level above the numbers
    """

    is_whole: bool
    widths: tuple[float, ...]

    has_scale: ClassVar[bool] = True

    __repr__ = short_repr

    def place(self, texts: Sequence[str], written: Ends) -> Placed:
        """Read numbers and ranges."""
        single = written.lows == written.highs
        starts, ends = written.lows.copy(), written.after
        if self.is_whole:
            starts = np.where(single, np.floor(starts), np.ceil(starts))
            last = np.where(written.is_open, np.ceil(ends), np.floor(written.highs) + 1)
            ends = np.where(single, starts + 1, last)
        levels = np.zeros((len(texts), len(self.widths) + 2), np.bool_)
        levels[:, 0] = single
        for level, width in enumerate(self.widths, start=1):
            steps = written.lows / width
            is_step = _close(written.highs - written.lows, width) & _close(steps, np.round(steps))
            levels[:, level] = written.is_open & is_step
        return Placed(
            starts, ends, levels, _between(_numbers(self.values), written.lows, written.after)
        )


@final
@dataclass(frozen=True, slots=True)
class DateAxis(Axis):
    """Days, counted from the year 1.

    Parameters
    ----------
    steps : the periods at each level above the days
    """

    steps: tuple[str, ...]

    has_scale: ClassVar[bool] = True

    __repr__ = short_repr

    def place(self, texts: Sequence[str], written: Ends) -> Placed:
        """Read days and periods."""
        del written
        spans = day_spans(texts)
        levels = np.zeros((len(texts), len(self.steps) + 2), np.bool_)
        code_of = {text: code for code, text in enumerate(self.values.texts)}
        periods = [step_of(text) for text in texts]
        # A value stands for itself as it is written: beside it may be moments of the same day.
        is_value = np.array(
            [text in code_of or one is None for text, one in zip(texts, periods, strict=True)],
            np.bool_,
        )
        is_day = np.array([one is None for one in periods], np.bool_)
        levels[:, 0] = is_value & ~np.isnan(spans[:, 0])
        for cell, (text, period) in enumerate(zip(texts, periods, strict=True)):
            step = "day" if period is None and text not in code_of else period
            if step in self.steps:
                levels[cell, 1 + self.steps.index(step)] = True
        are_days = is_day & levels[:, 1:].any(axis=1)
        wide = np.where((is_value & ~are_days)[:, None], np.nan, spans)
        under = _between(moments_of(self.values.texts), wide[:, 0], wide[:, 1])
        own = [np.array([code_of[t]] if t in code_of else [], np.int64) for t in texts]
        narrow = is_value & ~are_days
        chosen = [a if one else b for a, b, one in zip(own, under, narrow, strict=True)]
        return Placed(spans[:, 0], spans[:, 1], levels, chosen)


@final
@dataclass(frozen=True, slots=True)
class CategoryAxis(Axis):
    """Values side by side, those of a file or tree that the data lack included.

    Parameters
    ----------
    labels : per label, its levels, and where it lies at each of them
    n_levels : number of levels, the last one for a root of its own
    codes : (n_places,), value code of the data at each place; -1 for one that the data lack
    numbers : (n_places,), the number of the value at each place; None for words
    """

    labels: Mapping[str, Sequence[tuple[int, int, int]]]
    n_levels: int
    codes: Ints
    numbers: Floats | None

    has_scale: ClassVar[bool] = False

    __repr__ = short_repr

    def place(self, texts: Sequence[str], written: Ends) -> Placed:
        """Look labels up; a range of numbers covers the values between its ends."""
        spans = np.full((len(texts), 2), np.nan)
        levels = np.zeros((len(texts), self.n_levels), np.bool_)
        under: list[Ints] = []
        for cell, text in enumerate(texts):
            runs = [range(first, last) for _, first, last in self.labels.get(text, ())]
            levels[cell, [level for level, _, _ in self.labels.get(text, ())]] = True
            places = np.unique(np.concatenate([np.zeros(0, np.int64), *map(np.array, runs)]))
            if not runs and self.numbers is not None and written.are_written[cell]:
                low, after = written.lows[cell], written.after[cell]
                places = np.flatnonzero((self.numbers >= low) & (self.numbers < after))
            if len(places) and (runs or np.ptp(places) == len(places) - 1):
                spans[cell] = places[0], places[-1] + 1
            codes = self.codes[places.astype(np.int64)]
            under.append(np.sort(codes[codes >= 0]))
        return Placed(spans[:, 0], spans[:, 1], levels, under)


def line_of(rule: ColumnRule, values: EncodedColumn) -> Axis:
    """Make the line of a column.

    Parameters
    ----------
    rule : tells the hierarchy; where it has none, the values suggest one
    values : of the data; those that a file or a tree lacks stand beside all others

    Raises
    ------
    HierarchyError
        when the hierarchy does not fit the values
    """
    given = rule.hierarchy
    given = None if given is not None and given.ranges is not None else given
    written = given or suggested_rule(rule.name, values)
    by_form = given is None or given.mask is not None
    if written is not None and written.dates is not None:
        days = day_spans(values.texts)[~values.is_missing]
        known = days[~np.isnan(days[:, 0])]
        whole = (known[:, 0].min(), known[:, 1].max()) if len(known) else (0.0, 1.0)
        return DateAxis(rule, values, whole, by_form, written.dates)
    if written is None and values.numbers is not None:
        return _scale(rule, values, (), by_form=by_form)
    if written is not None and written.intervals is not None:
        return _scale(rule, values, written.intervals, by_form=by_form)
    return _values(rule, values, by_form=by_form)


def cell_book(line: Axis, texts: Sequence[str]) -> ColumnCodebook:
    """Find out what the cells of a column cover.

    Parameters
    ----------
    line : of the column
    texts : (n_cells,), distinct cells, all ways of writing a missing value as one
    """
    unwritten = missing_text(line.rule)
    hidden, missing = _cell(ROOT, texts), _cell(unwritten, texts)
    written = read_ends(texts)
    for cell in (hidden, missing):
        if cell >= 0:
            written.lows[cell] = written.highs[cell] = np.nan
    placed = line.place(texts, written)
    under = list(placed.under)
    if line.reads_forms:
        _read_forms(line, texts, placed.levels, under)
    if missing >= 0 and line.has_scale:
        placed.starts[missing] = placed.ends[missing] = np.nan
        placed.levels[missing] = True
        placed.levels[missing, -1] = False
        under[missing] = np.flatnonzero(np.array(line.values.texts, np.object_) == unwritten)
    if hidden >= 0:
        placed.starts[hidden], placed.ends[hidden] = line.whole
        placed.levels[hidden, -1] = True
        under[hidden] = np.arange(len(line.values.texts))
    are_cells = ~np.isnan(placed.starts)
    if missing >= 0:
        are_cells[missing] |= line.has_scale
    return ColumnCodebook(
        line.name, tuple(texts), placed.levels, placed.starts, placed.ends, written,
        CellCoverage.of(under), are_cells, hidden, missing,
    )  # fmt: skip


def _cell(text: str, texts: Sequence[str]) -> int:
    """Return the number of the cell with a text; -1 for none."""
    return texts.index(text) if text in texts else -1


def _scale(
    rule: ColumnRule, values: EncodedColumn, widths: tuple[float, ...], *, by_form: bool
) -> NumberAxis:
    """Make the line of a column of numbers."""
    numbers = _numbers(values)
    known = numbers[~np.isnan(numbers)]
    is_whole = bool(np.all(known == np.floor(known)))
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    whole = (low, high + 1) if is_whole else (low, math.nextafter(high, math.inf))
    return NumberAxis(rule, values, whole, by_form, is_whole, widths)


def _values(rule: ColumnRule, values: EncodedColumn, *, by_form: bool) -> CategoryAxis:
    """Make the line of a column of words."""
    listed = listed_values(rule)
    known = set(values.texts)
    unlisted = [text for text in values.texts if listed and text not in set(listed)]
    lacking = [text for text in listed if text not in known]
    texts = [*(text for text in values.texts if text not in unlisted), *lacking]
    if values.numbers is not None:
        ascending: list[int] = np.argsort(_read(texts), kind="stable").tolist()
        texts = [texts[place] for place in ascending]
    nobody = np.zeros(0, np.int32)
    column = EncodedColumn(nobody, tuple(texts), None, np.zeros(len(texts), np.bool_))
    hierarchy = hierarchy_of(rule, column if listed else values)
    order: list[int] = np.lexsort(tuple(hierarchy.codes)).tolist()
    labels: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for level, (of_level, codes) in enumerate(zip(hierarchy.labels, hierarchy.codes, strict=True)):
        for label, first, last in _runs(codes[order]):
            labels[of_level[label]].append((level, first, last))
    standing = [*(hierarchy.values[place] for place in order), *unlisted]
    for place, text in enumerate(unlisted, start=len(order)):
        labels[text].append((0, place, place + 1))
    code_of = {text: code for code, text in enumerate(values.texts)}
    codes = np.array([code_of.get(text, -1) for text in standing], np.int64)
    numbers = None if values.numbers is None else _read(standing)
    whole = (0.0, float(len(standing)))
    n_levels = hierarchy.n_levels + (0 if hierarchy.labels[-1] == (ROOT,) else 1)
    return CategoryAxis(rule, values, whole, by_form, dict(labels), n_levels, codes, numbers)


def _read_forms(line: Axis, texts: Sequence[str], levels: Bools, under: list[Ints]) -> None:
    """Find the values under masks and periods that no hierarchy over the values has."""
    unknown = [
        cell for cell, codes in enumerate(under) if not len(codes) and not levels[cell].any()
    ]
    masks: dict[str, list[int]] = defaultdict(list)
    if any(texts[cell].endswith(ROOT) for cell in unknown):
        for code, text in enumerate(map(in_plain_digits, line.values.texts)):
            for kept in range(len(text)):
                masks[text[:kept] + ROOT * (len(text) - kept)].append(code)
    periods = [cell for cell in unknown if step_of(texts[cell])]
    for cell in unknown:
        under[cell] = np.array(masks.get(texts[cell], ()), np.int64)
    if periods:
        spans = day_spans([texts[cell] for cell in periods])
        days = day_spans(line.values.texts)[:, 0]
        for cell, found in zip(periods, _between(days, spans[:, 0], spans[:, 1]), strict=True):
            under[cell] = found


def _between(numbers: Floats, lows: Floats, after: Floats) -> list[Ints]:
    """List, per range, the numbers that are at least its low end and below the other.

    Parameters
    ----------
    numbers : (n_values,), NaN for what is none
    lows, after : (n_ranges,), NaN for no range
    """
    order = np.argsort(numbers, kind="stable")[: int(np.count_nonzero(~np.isnan(numbers)))]
    first = np.searchsorted(numbers[order], lows)
    last = np.searchsorted(numbers[order], after)
    last[np.isnan(after)] = first[np.isnan(after)]
    return [np.sort(order[low:high]) for low, high in zip(first, last, strict=True)]


def _runs(codes: Codes) -> list[tuple[int, int, int]]:
    """Return each code with where its run begins and ends."""
    present, starts, counts = np.unique(codes, return_index=True, return_counts=True)
    return np.stack([present, starts, starts + counts], axis=1).tolist()


def _numbers(values: EncodedColumn) -> Floats:
    """Return the number of each value; NaN for what is none."""
    return _read(values.texts) if values.numbers is None else values.numbers


def _read(texts: Sequence[str]) -> Floats:
    """Read texts as numbers; NaN for what is none."""
    return np.array([float(text) if is_number(text) else math.nan for text in texts], np.float64)


def _close(found: Floats, wanted: Floats | float) -> Bools:
    """Compare numbers that were written and read."""
    scale = np.maximum(1.0, np.maximum(np.abs(found), np.abs(wanted)))
    return np.abs(found - wanted) <= ROUNDING * scale
