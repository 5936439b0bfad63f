"""Times of day, without a date."""

from __future__ import annotations

import re

TIME = re.compile(
    r"(?P<hour>\d{1,2})(?::|h)(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
)
HOURS, NOON = 24, 12


def hour_of(text: str) -> int | None:
    """Return the hour of a time of day, 0 to 23; None for other texts.

    Examples
    --------
    >>> hour_of("08:25"), hour_of("8:25 pm"), hour_of("12:05 AM"), hour_of("25:00")
    (8, 20, 0, None)
    """
    found = TIME.fullmatch(text.strip())
    if found is None:
        return None
    hour = int(found["hour"])
    if found["half"]:
        if not 0 < hour <= NOON:
            return None
        hour = hour % NOON + (NOON if found["half"][0] in "Pp" else 0)
    return hour if hour < HOURS else None
