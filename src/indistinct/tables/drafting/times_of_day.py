"""Hours and parts of a day above times of day."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.base.cells.clock_times import hour_of
from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.drawn import DraftedHierarchy

PART = 6  # hours
FEWEST = 3  # different times


def of_times(texts: Sequence[str]) -> DraftedHierarchy | None:
    """Draw hours, and quarters of a day, above times of day; None for other texts."""
    if len(texts) < FEWEST:
        return None
    hours = [hour_of(text) for text in texts]
    known = [hour for hour in hours if hour is not None]
    if len(known) < len(texts):
        return None
    rows = [
        (text, _span(hour, 1), _span(hour - hour % PART, PART), ROOT)
        for text, hour in zip(texts, known, strict=True)
    ]
    return DraftedHierarchy("Hours, then quarters of a day; then hidden.", rows=rows)


def _span(first: int, hours: int) -> str:
    """Name some hours: 08:00-08:59."""
    return f"{first:02d}:00-{first + hours - 1:02d}:59"
