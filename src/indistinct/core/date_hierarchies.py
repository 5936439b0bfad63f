"""Hierarchies of dated labels over ISO dates: months, quarters, years and decades."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence

from indistinct.core.hierarchy import MAX_EXAMPLES, ROOT, GeneralizationHierarchy, from_levels
from indistinct.errors import Fault, HierarchyError

DATE_LEVELS = ("month", "quarter", "year", "decade")
ISO_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


def from_dates(texts: Sequence[str], steps: Sequence[str]) -> GeneralizationHierarchy:
    """Return the dated labels of ISO dates as a hierarchy, with the root on top.

    Parameters
    ----------
    texts : (n_values,), ISO dates; the empty text stands for the missing value
    steps : some of ``month``, ``quarter``, ``year``, ``decade``, from fine to coarse

    Raises
    ------
    HierarchyError
        when a value is no ISO date, or a step is unknown or out of order
    """
    order = [DATE_LEVELS.index(step) if step in DATE_LEVELS else -1 for step in steps]
    if -1 in order or sorted(set(order)) != order or not steps:
        raise HierarchyError(
            [
                Fault(
                    "dates",
                    "the steps are not in order from fine to coarse",
                    f"Choose some of {', '.join(DATE_LEVELS)}, in this order.",
                )
            ]
        )
    parsed = [_date(text) for text in texts]
    unread = tuple(t for t, d in zip(texts, parsed, strict=True) if d is None and t != "")
    if unread:
        raise HierarchyError(
            [
                Fault(
                    "dates",
                    f"{len(unread)} of {len(texts)} distinct values are not ISO dates",
                    "Write dates as YYYY-MM-DD.",
                    unread[:MAX_EXAMPLES],
                )
            ]
        )
    levels = [tuple(texts)] + [
        tuple(dated_label(d, step) if d else t for t, d in zip(texts, parsed, strict=True))
        for step in steps
    ]
    return from_levels([*levels, (ROOT,) * len(texts)])


def is_date(text: str) -> bool:
    """Return whether a text is an ISO date."""
    return _date(text) is not None


def _date(text: str) -> dt.date | None:
    """Read an ISO date, or a timestamp's date."""
    if not ISO_DATE.fullmatch(text):
        return None
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError:
        return None


_DATED_LABELS: Mapping[str, Callable[[dt.date], str]] = {
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month - 1) // 3 + 1}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
}


def dated_label(day: dt.date, step: str) -> str:
    """Return the dated label of a day: its month, quarter, year or decade."""
    return _DATED_LABELS[step](day)
