"""Calendar periods as a reader knows them: how each is written, and what lies around a day.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

DAY = re.compile(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\Z"
)
# Every pattern ends with \Z: $ would let a line end follow, and with it whatever it says.
FORMS = {
    "hour": re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}\Z"),
    "week": re.compile(r"^[0-9]{4}-W(?:0[1-9]|[1-4][0-9]|5[0-3])\Z"),
    "month": re.compile(r"^[0-9]{4}-(?:0[1-9]|1[0-2])\Z"),
    "quarter": re.compile(r"^[0-9]{4}-Q[1-4]\Z"),
    "half-year": re.compile(r"^[0-9]{4}-H[12]\Z"),
    "year": re.compile(r"^[0-9]{4}\Z"),
    "five-years": re.compile(r"^([0-9]{3})(?:0-\1[4]|5-\1[9])\Z"),
    "decade": re.compile(r"^[0-9]{3}0s\Z"),
    "twenty-years": re.compile(
        r"^([0-9]{2})(?:00-\1[1]9|20-\1[3]9|40-\1[5]9|60-\1[7]9|80-\1[9]9)\Z"
    ),
}
# The periods of which each step is made, from fine to coarse. A week lies in no month and in no
# year, so that no period is made of weeks.
PARTS: Mapping[str, tuple[str, ...]] = {
    "": (),
    "hour": (),
    "day": (),
    "week": (),
    "month": (),
    "quarter": ("month",),
    "half-year": ("month", "quarter"),
    "year": ("month", "quarter"),
    "five-years": ("month", "quarter", "year"),
    "decade": ("month", "quarter", "year"),
    "twenty-years": ("month", "quarter", "year", "decade"),
}
MONTHS = {"Q1": "01", "Q2": "04", "Q3": "07", "Q4": "10", "H1": "01", "H2": "07"}


def is_day(text: str) -> bool:
    """Return whether a text is a day of the calendar, with or without a time of the day."""
    if DAY.match(text) is None:
        return False
    try:
        date.fromisoformat(text[:10].replace("0000-", "2000-"))  # Python has no year 0
    except ValueError:
        return False
    return True


def step_of(text: str) -> str | None:
    """Return the step whose periods are written as a text; None for none."""
    if is_day(text):
        return "day"
    return next((step for step, form in FORMS.items() if form.match(text)), None)


def first_day(text: str) -> str | None:
    """Return the first day of a period; of an hour the hour, of a day itself."""
    step = step_of(text)
    if step in {None, "day", "hour"}:
        return text if step else None
    if step == "week":
        try:
            return date.fromisocalendar(int(text[:4]), int(text[6:]), 1).isoformat()
        except ValueError:
            return None
    month = text[5:7] if step == "month" else MONTHS.get(text[5:], "01")
    return f"{text[:4]}-{month}-01"


def period_around(text: str, step: str) -> str | None:
    """Return the period of a step around a day or a shorter period; None where there is none.

    Examples
    --------
    >>> period_around("2021-01-01", "week"), period_around("2021-Q3", "decade")
    ('2020-W53', '2020s')
    """
    own = step_of(text)
    if own not in {"day", "hour"}:
        return _around_period(text, step) if own in PARTS[step] else None
    if step == "day":
        return text[:10]
    if step == "hour":
        return f"{text[:10]}T{text[11:13] or '00'}"
    if step == "week":
        if text.startswith("0000"):
            return None
        year, week, _ = date.fromisoformat(text[:10]).isocalendar()
        return f"{year:04d}-W{week:02d}"
    return _around_period(text, step)


def _around_period(text: str, step: str) -> str:
    """Return the month or longer period around a day, or around a shorter period."""
    if step == "month":
        return text[:7]
    if step in {"quarter", "half-year"}:
        quarter = int(text[-1]) if "Q" in text else (int(text[5:7]) + 2) // 3
        return (
            f"{text[:4]}-Q{quarter}" if step == "quarter" else f"{text[:4]}-H{(quarter + 1) // 2}"
        )
    if step in {"five-years", "twenty-years"}:
        number = 5 if step == "five-years" else 20
        first = int(text[:4]) - int(text[:4]) % number
        return f"{first:04d}-{first + number - 1:04d}"
    return f"{text[:3]}0s" if step == "decade" else text[:4]
