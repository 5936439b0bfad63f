"""Dates of which not all is known: months, years, weeks, and days among them.

Such a column stays text. Of each cell the year is sure, and a hierarchy of years and decades is
true of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from indistinct.base.cells.centuries import LAST_YEAR, whole_year
from indistinct.base.cells.shares import NEARLY, some_of
from indistinct.base.coded_text import CodedText, sentence

LOOK = 8  # cells by which most columns are told apart from dates
ISO_PART = r"^[0-9]{4}(?:[-/][0-9]{2}(?:[-/][0-9]{2})?)?$"
FULL = r"^[0-9]{4}[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12][0-9]|3[01])$"
MONTH = r"^(?:(?:1[89]|20)[0-9]{2}[-/](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])/(?:1[89]|20)[0-9]{2})$"
WEEK = r"^(?:19|20)[0-9]{2}-?W(?:0[1-9]|[1-4][0-9]|5[0-3])(?:-?[1-7])?$"
QUARTER = r"^(?:19|20)[0-9]{2}[- ]?Q[1-4]$"
KINDS = {"months": MONTH, "ISO weeks": WEEK, "quarters": QUARTER}
LIKE = re.compile(rf"{ISO_PART[:-1]}$|{MONTH[:-1]}$|{WEEK[:-1]}$|{QUARTER[:-1]}$")
YEAR_FIRST = re.compile(r"(\d{4})(?:$|[-/. ]?(?:W|Q)?\d)")
YEAR_LAST = re.compile(r"(?:\d{1,2}[-/. ]{1,2})?\d{1,2}[-/. ]{1,2}(\d{4}|\d{2})(?:[ T,].*)?$")


def like_partial_dates(texts: Sequence[str]) -> bool:
    """Return whether some cells of a column look like dates of which a part is known."""
    return sum(LIKE.match(text) is not None for text in texts) >= NEARLY * len(texts) > 0


def find_partial_dates(counted: Mapping[str, int]) -> CodedText | None:
    """Return how dates are known in part, in a sentence; None where these are none.

    Parameters
    ----------
    counted : the different cells, none missing, each with its records
    """
    counted = some_of(counted)
    first = [*counted][:LOOK]
    for name, pattern in KINDS.items():
        if _are_all(first, pattern) and _are_all(counted, pattern):
            return sentence("parts-of-dates", "Its values are {what}.", what=name)
    if not _are_all(first, ISO_PART) or not _are_all(counted, ISO_PART):
        return None
    total = sum(counted.values())
    full = sum(count for text, count in counted.items() if re.match(FULL, text))
    if full in {0, total} or 2 * full < total:
        return None
    return sentence(
        "full-dates",
        "{count:,} of {of:,} values are full dates, {others:,} are not (month or day unknown).",
        count=full,
        of=total,
        others=total - full,
    )


def _are_all(texts: Iterable[str], pattern: str) -> bool:
    """Return whether all texts have a form."""
    return all(re.match(pattern, text) for text in texts)


def year_of(text: str) -> int | None:
    """Return the year of a date, a part of one, or a date whose day and month cannot be told.

    Examples
    --------
    >>> year_of("1987-00-00"), year_of("03/04/1987"), year_of("2024-W05"), year_of("a")
    (1987, 1987, 2024, None)
    """
    text = text.strip()
    found = YEAR_FIRST.match(text) or YEAR_LAST.match(text)
    if found is None:
        return None
    year = int(found[1])
    if len(found[1]) == 2:  # noqa: PLR2004 - digits
        year = whole_year(year, LAST_YEAR)
    return year
