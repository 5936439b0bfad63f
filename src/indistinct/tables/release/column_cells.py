"""What the released cells of a column cover: by its codebook, or, without one, by its rule.

Numbers and dates lie on a scale. The values of other columns stand side by side in the order of
their hierarchy, so that every label covers a run of them. A hidden cell is the whole scale.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self, final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.codebook import CodebookEntry
from indistinct.tables.core.date_hierarchies import NOWHERE, Span, day_spans, moments_of, period_of
from indistinct.tables.frames.encoding import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import (
    hierarchy_of,
    listed_values,
    missing_text,
    suggested_rule,
)
from indistinct.tables.release.cells import CellCoverage, Ends, is_number, read_ends
from indistinct.tables.release.label_rules import (
    IntervalLabels,
    LabelRule,
    MaskLabels,
    PeriodLabels,
    labels_of,
)

OWN_RANGE = -1  # level of a range that was made from the data, and of what is no cell
Run = tuple[int, int]


@final
@dataclass(frozen=True, slots=True)
class ValueOrder:
    """The values of a column of words side by side, those that only its list has included.

    Parameters
    ----------
    texts : (n_places,), the values
    numbers : (n_places,), the number that each is; None for words
    codes : (n_places,), code in the data of each; -1 for one that the data lack
    runs : per level and label, where the values below it stand
    height : level of a hidden cell
    """

    texts: tuple[str, ...]
    numbers: Floats | None
    codes: Ints
    runs: Mapping[tuple[int, str], Sequence[Run]]
    height: int

    __repr__ = short_repr


@final
@dataclass(frozen=True, slots=True)
class ColumnScale:
    """Where the cells of a column lie.

    Parameters
    ----------
    rule : of the column
    values : of the data
    labels : how its labels are written
    kind : whether values are numbers, days from the year 1 on, or words side by side
    whole : where a hidden cell lies
    is_whole : whether the values are whole numbers, each of which covers a length of 1
    order : the values of a column of words; None on a scale
    """

    rule: ColumnRule
    values: EncodedColumn
    labels: LabelRule
    kind: Literal["numbers", "days", "words"]
    whole: Span
    is_whole: bool = True
    order: ValueOrder | None = None

    __repr__ = short_repr

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.rule.name

    @property
    def is_continuous(self) -> bool:
        """Whether values are numbers with a fraction, which have no length."""
        return self.kind == "numbers" and not self.is_whole

    @property
    def has_words(self) -> bool:
        """Whether values are words, or digits that are masked."""
        return self.order is not None and (
            self.order.numbers is None or isinstance(self.labels, MaskLabels)
        )

    @property
    def root_level(self) -> int:
        """The level of a hidden cell."""
        return self.labels.n_levels + 1 if self.order is None else self.order.height


def scale_of(rule: ColumnRule, values: EncodedColumn) -> ColumnScale:
    """Find out how the cells of a column lie.

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
    if given is None or given.ranges is not None:
        suggested = suggested_rule(rule.name, values)
        labels = LabelRule() if suggested is None else labels_of(rule.suggested(suggested))
    else:
        suggested, labels = given, labels_of(rule)
    if isinstance(labels, PeriodLabels):
        days = day_spans(values.texts)[~values.is_missing]
        known = days[~np.isnan(days[:, 0])]
        whole = (known[:, 0].min(), known[:, 1].max()) if len(known) else (0.0, 1.0)
        return ColumnScale(rule, values, labels, "days", whole)
    if isinstance(labels, IntervalLabels) or (suggested is None and values.numbers is not None):
        return _scale_of_numbers(rule, values, labels)
    order = _order_of(rule, values)
    return ColumnScale(rule, values, labels, "words", (0.0, float(len(order.texts))), order=order)


def _scale_of_numbers(rule: ColumnRule, values: EncodedColumn, labels: LabelRule) -> ColumnScale:
    """Make the scale of a column of numbers."""
    numbers = _numbers(values)
    known = numbers[~np.isnan(numbers)]
    is_whole = bool(np.all(known == np.floor(known)))
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    whole = (low, high + 1) if is_whole else (low, math.nextafter(high, math.inf))
    return ColumnScale(rule, values, labels, "numbers", whole, is_whole)


def _order_of(rule: ColumnRule, values: EncodedColumn) -> ValueOrder:
    """Return the values of a column of words side by side."""
    listed = dict.fromkeys(listed_values(rule))
    unlisted = [text for text in values.texts if listed and text not in listed]
    own, known = dict.fromkeys(unlisted), dict.fromkeys(values.texts)
    texts = [text for text in (*values.texts, *listed) if text not in own]
    texts = list(dict.fromkeys(texts))
    if values.numbers is not None:
        ascending: list[int] = np.argsort(_read(texts), kind="stable").tolist()
        texts = [texts[place] for place in ascending]
    nobody = np.zeros(0, np.int32)
    column = EncodedColumn(nobody, tuple(texts), None, np.zeros(len(texts), np.bool_))
    hierarchy = hierarchy_of(rule, column if listed else values)
    order: list[int] = np.lexsort(tuple(hierarchy.codes)).tolist()
    runs: dict[tuple[int, str], list[Run]] = defaultdict(list)
    for level, (labels, codes) in enumerate(zip(hierarchy.labels, hierarchy.codes, strict=True)):
        for label, first, last in _runs(codes[order]):
            runs[level, labels[label]].append((first, last))
    for place, text in enumerate(unlisted, start=len(order)):
        runs[0, text].append((place, place + 1))
    standing = (*(hierarchy.values[place] for place in order), *unlisted)
    code_of = {text: code for code, text in enumerate(known)}
    codes = np.array([code_of.get(text, -1) for text in standing], np.int64)
    numbers = None if values.numbers is None else _read(standing)
    height = hierarchy.height + (hierarchy.labels[-1] != (ROOT,))
    return ValueOrder(standing, numbers, codes, dict(runs), height)


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


@final
@dataclass(frozen=True, slots=True)
class ColumnCells:
    """The different cells of one released column, and what each of them covers.

    Parameters
    ----------
    name : of the column
    texts : (n_cells,), as released
    levels : (n_cells,), the level at which each stands; ``OWN_RANGE`` for a range that was made
        from the data, and for a text that is no cell of the column
    starts, ends : (n_cells,), half-open span on the column's scale; the whole scale for a hidden
        cell, NaN for what lies nowhere: a missing number, and a text that is no cell of the column
    written : ends of those that are numbers or ranges
    cover : the values of the data that each may stand for
    are_cells : (n_cells,), False for a text that is no cell of the column
    hidden, missing : which of them is the hidden cell, and which the missing value; -1 for none
    root_level : the level of a hidden cell
    """

    name: str
    texts: tuple[str, ...]
    levels: Codes
    starts: Floats
    ends: Floats
    written: Ends
    cover: CellCoverage
    are_cells: Bools
    hidden: int
    missing: int
    root_level: int

    __repr__ = short_repr

    @property
    def lengths(self) -> Floats:
        """How much of the scale each cell covers: (n_cells,)."""
        return self.ends - self.starts

    @property
    def middles(self) -> Floats:
        """Middle of each cell: (n_cells,)."""
        return (self.starts + self.ends) / 2


def cells_on(scale: ColumnScale, texts: Sequence[str]) -> ColumnCells:
    """Find out what the cells of a column cover.

    Parameters
    ----------
    texts : (n_cells,), distinct cells, all ways of writing a missing value as one

    Notes
    -----
    A cell that the column's codebook lists is what the codebook says. Where no codebook is known
    it is the label that its form says, if the policy's rule would write it so.
    """
    unwritten = missing_text(scale.rule)
    hidden, missing = _place(ROOT, texts), _place(unwritten, texts)
    written = read_ends(texts)
    for cell in (hidden, missing):
        if cell >= 0:
            written.lows[cell] = written.highs[cell] = np.nan
    entries = [scale.rule.entry_of(text, scale.labels.entry) for text in texts]
    found = _Found.of(texts, entries, written)
    place = {"numbers": _on_numbers, "days": _on_days, "words": _on_words}[scale.kind]
    place(scale, found)
    are_cells = ~np.isnan(found.starts)
    if missing >= 0 and scale.order is None:
        found.starts[missing] = found.ends[missing] = np.nan
        found.levels[missing] = 0
        found.under[missing] = np.flatnonzero(scale.values.is_missing)
        are_cells[missing] = True
    if hidden >= 0:
        found.starts[hidden], found.ends[hidden] = scale.whole
        found.levels[hidden], are_cells[hidden] = scale.root_level, True
        found.under[hidden] = np.arange(len(scale.values.texts))
    return ColumnCells(
        scale.name, tuple(texts), found.levels, found.starts, found.ends, written,
        CellCoverage.of(found.under), are_cells, hidden, missing, scale.root_level,
    )  # fmt: skip


@dataclass(slots=True)
class _Found:
    """What is known of each cell so far: as it is written, by the codebook, and where it lies."""

    texts: Sequence[str]
    entries: Sequence[CodebookEntry | None]
    written: Ends
    starts: Floats
    ends: Floats
    levels: Codes
    under: list[Ints]

    @classmethod
    def of(
        cls, texts: Sequence[str], entries: Sequence[CodebookEntry | None], written: Ends
    ) -> Self:
        """Place no cell yet."""
        nowhere = np.full(len(texts), np.nan)
        levels = np.full(len(texts), OWN_RANGE, np.int32)
        under = [np.zeros(0, np.int64)] * len(texts)
        return cls(texts, entries, written, nowhere, nowhere.copy(), levels, under)

    def cells(self) -> Iterator[tuple[int, str, CodebookEntry | None]]:
        """Yield the number, the text and the entry of each cell."""
        yield from zip(range(len(self.texts)), self.texts, self.entries, strict=True)

    def put(self, cell: int, span: Span, level: int) -> None:
        """Place a cell."""
        self.starts[cell], self.ends[cell] = span
        self.levels[cell] = level


def _on_numbers(scale: ColumnScale, found: _Found) -> None:
    """Place numbers, intervals, and ranges that were made from the data."""
    written = found.written
    lows, after = written.lows.copy(), written.after
    is_single, is_open = written.lows == written.highs, written.is_open.copy()
    found.levels[is_single] = 0
    for cell, _, entry in found.cells():
        span = None if entry is None else scale.labels.span(entry)
        if entry is not None:
            lows[cell], after[cell] = (np.nan, np.nan) if span is None else span
            found.levels[cell], is_open[cell], is_single[cell] = entry.level, True, False
    found.starts[:], found.ends[:] = lows, after
    if scale.is_whole:
        found.starts[:] = np.where(is_single, np.floor(lows), np.ceil(lows))
        last = np.where(is_open, np.ceil(after), np.floor(written.highs) + 1)
        found.ends[:] = np.where(is_single, found.starts + 1, last)
    found.under[:] = _between(_numbers(scale.values), lows, after)


def _on_days(scale: ColumnScale, found: _Found) -> None:
    """Place days and periods; a value stands for itself: beside it may be moments of its day."""
    code_of = {text: code for code, text in enumerate(scale.values.texts)}
    spans = day_spans(found.texts)
    is_wide = np.zeros(len(found.texts), np.bool_)
    for cell, text, entry in found.cells():
        if entry is not None:
            found.put(cell, scale.labels.span(entry) or NOWHERE, entry.level)
            is_wide[cell] = True
        elif text in code_of:
            found.put(cell, tuple(spans[cell]), 0)
            found.under[cell] = np.array([code_of[text]], np.int64)
        else:
            is_period = period_of(text) is not None
            found.put(cell, tuple(spans[cell]), OWN_RANGE if is_period else 0)
            is_wide[cell] = is_period
    wide = np.flatnonzero(is_wide)
    begins = moments_of(scale.values.texts)
    between = _between(begins, found.starts[wide], found.ends[wide])
    for cell, under in zip(wide.tolist(), between, strict=True):
        found.under[cell] = under


def _on_words(scale: ColumnScale, found: _Found) -> None:
    """Look labels and values up; a range of numbers covers the values between its ends."""
    order, written = scale.order, found.written
    assert order is not None  # noqa: S101 - words stand side by side
    for cell, text, entry in found.cells():
        level = 0 if entry is None else entry.level
        runs = order.runs.get((level, text), ())
        places = np.concatenate([np.zeros(0, np.int64), *(np.arange(*run) for run in runs)])
        if not runs and order.numbers is not None and written.are_written[cell]:
            low, after, level = written.lows[cell], written.after[cell], OWN_RANGE
            places = np.flatnonzero((order.numbers >= low) & (order.numbers < after))
        if len(places) and (runs or np.ptp(places) == len(places) - 1):
            found.put(cell, (float(places[0]), float(places[-1] + 1)), level)
        codes = order.codes[places]
        found.under[cell] = np.sort(codes[codes >= 0])


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


def _place(text: str, texts: Sequence[str]) -> int:
    """Return the number of the cell with a text; -1 for none."""
    return texts.index(text) if text in texts else -1
