"""How a cell is written, told without any of its digits and letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOST_SHOWN = 24
DAY = re.compile(
    r"(?P<first>[0-9]{1,4})(?P<mark>[-/. ])(?P<second>[0-9]{1,2})(?P=mark)(?P<third>[0-9]{1,4})"
    r"(?P<rest>.*)"
)
MONTHS = 12
YEAR_DIGITS = 4


def shape_of(cells: Sequence[str]) -> str:
    """Return how the first of some cells is written, without any of its digits and letters.

    Parameters
    ----------
    cells : of one column, at least one; days among them say whether the month comes first

    Examples
    --------
    >>> shape_of(["28/01/2023"]), shape_of(["21,20"]), shape_of(["12 kg"]), shape_of(["?"])
    ('dd/mm/yyyy', 'nn,nn', 'nn letters', 'signs alone')
    """
    cell = " ".join(cells[0].split())
    day = DAY.fullmatch(cell)
    if day is not None:
        parts = _parts_of_day(day, cells)
        return _brief(f"{day['mark'].join(parts)}{_plain(day['rest'])}")
    return _brief(_plain(cell)) if any(one.isalnum() for one in cell) else "signs alone"


def _parts_of_day(day: re.Match[str], cells: Sequence[str]) -> list[str]:
    """Return the parts of a day: the year has four digits, and no month is above 12."""
    if len(day["first"]) == YEAR_DIGITS:
        return ["yyyy", "mm", "dd"]
    others = [found for found in map(DAY.match, (one.strip() for one in cells)) if found]
    is_month_first = any(int(one["second"]) > MONTHS for one in others)
    year = "yyyy" if len(day["third"]) == YEAR_DIGITS else "yy"
    return ["mm", "dd", year] if is_month_first else ["dd", "mm", year]


def _plain(text: str) -> str:
    """Write n for each digit, and one word for letters beside each other."""
    words = re.sub(r"[^\W\d_]+", "\0", text)
    return re.sub(r"\d", "n", words).replace("\0", "letters")


def _brief(text: str) -> str:
    """Return a short text; escapes and signs beyond ASCII show as question marks."""
    shown = re.sub(r"[^ -~]", "?", text)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}..."
