"""Where the values and the released cells of a column lie.

Numbers and dates lie on a scale. The values of other columns stand side by side in the order of
their hierarchy, so that every label covers a run of them. A hidden cell is the whole scale.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.periods import Span, day_spans
from indistinct.tables.frames.encoding import EncodedColumn
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import hierarchy_of, listed_values, suggested_rule
from indistinct.tables.policy.label_rules import (
    IntervalLabels,
    LabelRule,
    MaskLabels,
    PeriodLabels,
    labels_of,
)
from indistinct.tables.release.cells import is_number

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
    numbers = numbers_of(values)
    known = numbers[~np.isnan(numbers)]
    is_whole = bool(np.all(known == np.floor(known)))
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    whole = (low, high + 1) if is_whole else (low, math.nextafter(high, math.inf))
    return ColumnScale(rule, values, labels, "numbers", whole, is_whole)


def _order_of(rule: ColumnRule, values: EncodedColumn) -> ValueOrder:
    """Put the values of a column of words side by side."""
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


def numbers_of(values: EncodedColumn) -> Floats:
    """Return the number of each value; NaN for what is none."""
    return _read(values.texts) if values.numbers is None else values.numbers


def _read(texts: Sequence[str]) -> Floats:
    """Read texts as numbers; NaN for what is none."""
    return np.array([float(text) if is_number(text) else math.nan for text in texts], np.float64)
