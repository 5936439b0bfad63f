"""What a column is probably called like: bounds that no value of the data decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

OLDEST, FIRST = 1900, 1970
BIRTH = re.compile(r"(?i)birth|born|dob|geburt|^geb")
YEAR = re.compile(r"(?i)(^|_)(year|jahr)$")
AGE = re.compile(r"(?i)^(age|alter)$")
OLDEST_AGE = 120


def this_year() -> int:
    """Return the year of the clock."""
    return datetime.now(UTC).year


def date_bounds(name: str) -> list[str]:
    """Return bounds of a date: of births from 1900 to now, of others from 1970 to next year.

    Examples
    --------
    >>> date_bounds("birth_date")[0], date_bounds("admitted")[0]
    ('1900-01-01', '1970-01-01')
    """
    if BIRTH.search(name):
        return [f"{OLDEST}-01-01", f"{this_year()}-12-31"]
    return [f"{FIRST}-01-01", f"{this_year() + 1}-12-31"]


def number_bounds(name: str) -> Sequence[int]:
    """Return bounds of a year or an age; nothing for other numbers.

    Examples
    --------
    >>> number_bounds("age"), number_bounds("cost")
    ([0, 120], [])
    """
    if YEAR.search(name):
        return [OLDEST, this_year() + 1]
    return [0, OLDEST_AGE] if AGE.search(name) else []
