"""How the labels of a column are written and read: the one place that knows both.

A label is written from its level and from where it begins, and read only if it would be written
so: whatever else looks like one is a value. Verification writes labels by its own definitions, in
:mod:`indistinct.tables.verification.rendering`; a property test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, final

from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.codebook import CodebookEntry
from indistinct.tables.core.date_hierarchies import (
    CalendarPeriod,
    PeriodStep,
    Span,
    begins_at,
    dated_label,
    period_of,
)
from indistinct.tables.core.interval_hierarchies import interval_at, interval_between
from indistinct.tables.core.keys import number_key
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import label_levels

BEGINNING = re.compile(r"\[([^,]+), ")


class LabelRule:
    """How the labels of a column are written; of one whose values are kept or hidden, not at all.

    ``n_levels`` counts levels of labels: the values below and the root above are left out.
    """

    kind: ClassVar[str] = "values"

    @property
    def n_levels(self) -> int:
        """Levels of labels."""
        return 0

    def render(self, entry: CodebookEntry) -> str | None:
        """Return the label of a level that begins so; None where there is none."""
        del entry

    def entry(self, text: str) -> CodebookEntry | None:
        """Return what a cell is that is such a label; None for other cells."""
        del text

    def span(self, entry: CodebookEntry) -> Span | None:
        """Return where a label lies on a scale, half open; None where there is no scale."""
        del entry


@final
@dataclass(frozen=True, slots=True)
class IntervalLabels(LabelRule):
    """Half-open intervals: ``[20, 30)``, of one width a level."""

    widths: tuple[float, ...]
    kind: ClassVar[str] = "intervals"

    @property
    def n_levels(self) -> int:
        """One a width."""
        return len(self.widths)

    def render(self, entry: CodebookEntry) -> str | None:
        """Write both ends; an interval begins at a multiple of its width."""
        ends = self._ends(entry)
        return None if ends is None else interval_between(*ends)

    def entry(self, text: str) -> CodebookEntry | None:
        """Find the width at which the interval that begins so is written so."""
        found = BEGINNING.match(text)
        if found is None:
            return None
        entries = (CodebookEntry(text, level, found[1]) for level in range(1, self.n_levels + 1))
        return next((entry for entry in entries if self.render(entry) == text), None)

    def span(self, entry: CodebookEntry) -> Span | None:
        """Read both ends as numbers."""
        ends = self._ends(entry)
        return None if ends is None else (float(ends[0]), float(ends[1]))

    def _ends(self, entry: CodebookEntry) -> tuple[Decimal, Decimal] | None:
        """Return both ends; None where no interval of the level begins so."""
        low = entry.low or ""
        is_level = 1 <= entry.level <= self.n_levels and number_key(low) == low
        return interval_at(low, self.widths[entry.level - 1]) if is_level else None


@final
@dataclass(frozen=True, slots=True)
class PeriodLabels(LabelRule):
    """Periods of the calendar, of one step a level."""

    steps: tuple[PeriodStep, ...]
    kind: ClassVar[str] = "dates"

    @property
    def n_levels(self) -> int:
        """One a step."""
        return len(self.steps)

    def render(self, entry: CodebookEntry) -> str | None:
        """Write the period that begins on a day."""
        period = self._period(entry)
        return None if period is None else dated_label(period.begins, period.step)

    def entry(self, text: str) -> CodebookEntry | None:
        """Find the step of a period; a day is one where days are a step."""
        period = period_of(text) or begins_at("day", text)
        if period is None or period.step not in self.steps:
            return None
        return CodebookEntry(text, self.steps.index(period.step) + 1, period.begins)

    def span(self, entry: CodebookEntry) -> Span | None:
        """Return the days of the period."""
        period = self._period(entry)
        return None if period is None else period.span

    def _period(self, entry: CodebookEntry) -> CalendarPeriod | None:
        """Return the period of the level that begins so."""
        is_level = 1 <= entry.level <= self.n_levels
        return begins_at(self.steps[entry.level - 1], entry.low or "") if is_level else None


@final
@dataclass(frozen=True, slots=True)
class MaskLabels(LabelRule):
    """Texts whose last characters are stars: ``4710*``, one more a level."""

    characters: int
    kind: ClassVar[str] = "mask"

    @property
    def n_levels(self) -> int:
        """One a star."""
        return self.characters

    def render(self, entry: CodebookEntry) -> str | None:
        """Write what is kept, and a star for each character that is not."""
        return f"{entry.low}{ROOT * entry.level}" if entry.low else None

    def entry(self, text: str) -> CodebookEntry | None:
        """Count the stars at the end of a text of which something is left."""
        kept = text.rstrip(ROOT)
        return CodebookEntry(text, len(text) - len(kept), kept) if kept not in {text, ""} else None


@final
@dataclass(frozen=True)  # without slots, so that its levels are found once
class ListedLabels(LabelRule):
    """Labels of a list, each at the lowest level that the policy allows."""

    rule: ColumnRule
    kind: ClassVar[str] = "labels"

    @cached_property
    def levels(self) -> Mapping[str, int]:
        """The level of each label."""
        return label_levels(self.rule)

    @property
    def n_levels(self) -> int:
        """The highest level of a label."""
        return max(self.levels.values(), default=0)

    def render(self, entry: CodebookEntry) -> str | None:
        """Return the text itself."""
        return entry.text if self.levels.get(entry.text) == entry.level else None

    def entry(self, text: str) -> CodebookEntry | None:
        """Look a label up."""
        level = self.levels.get(text)
        return None if level is None else CodebookEntry(text, level)


def labels_of(rule: ColumnRule) -> LabelRule:
    """Return how the labels of a column are written.

    Raises
    ------
    HierarchyError
        when labels are asked for, and the file of a list cannot be read
    """
    written = rule.hierarchy
    if written is None or written.ranges is not None:
        return LabelRule()
    if written.intervals is not None:
        return IntervalLabels(written.intervals)
    if written.dates is not None:
        return PeriodLabels(written.dates)
    return MaskLabels(written.mask) if written.mask is not None else ListedLabels(rule)
