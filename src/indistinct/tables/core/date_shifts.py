"""Whether released dates are those of an input, each person's moved by one shift of their own."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

FALSE_ALARM = 1e-6
MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
EPOCH = dt.date(1970, 1, 1).toordinal()
PERIOD = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[T ].*)?\Z|(?P<week>\d{4}-W\d\d)\Z|(?P<month>\d{4}-\d\d)\Z"
    r"|(?P<quarter>\d{4}-Q[1-4])\Z|(?P<half>\d{4}-H[12])\Z|(?P<year>\d{4})\Z|(?P<decade>\d{3}0s)\Z"
    r"|(?P<years>\d{4}-\d{4})\Z"
)
ShiftedDate = tuple[
    str, str, float
]  # person, released cell, true day counted from 1970; NaN for none


@lru_cache(maxsize=1 << 16)
def days_within(cell: str) -> tuple[int, int] | None:
    """Return the first and the last day of a released cell, from 1970; None where it has none.

    Examples
    --------
    >>> days_within("1970-02"), days_within("1970-01-02 10:00"), days_within("*")
    ((31, 58), (1, 1), None)
    """
    found = PERIOD.match(cell)
    if found is None:
        return None
    try:
        first, last = _period(cell, found.lastgroup or "")
    except ValueError:
        return None
    return first.toordinal() - EPOCH, last.toordinal() - EPOCH


def _period(cell: str, kind: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a day or a period."""
    if kind == "day":
        day = dt.date.fromisoformat(cell[:10])
        return day, day
    if kind == "week":
        monday = dt.date.fromisocalendar(int(cell[:4]), int(cell[6:]), 1)
        return monday, monday + dt.timedelta(6)
    if kind == "years":
        return dt.date(int(cell[:4]), 1, 1), dt.date(int(cell[5:]), 12, 31)
    month = 1
    if kind == "month":
        month = int(cell[5:])
    elif kind in {"quarter", "half"}:
        month = MONTHS[kind] * (int(cell[6]) - 1) + 1
    first = dt.date(int(cell[:4].rstrip("s")), month, 1)
    after = first.year * 12 + first.month - 1 + MONTHS[kind]
    return first, dt.date(after // 12, after % 12 + 1, 1) - dt.timedelta(1)


def n_outside(cells: Iterable[str], first: float, last: float) -> int:
    """Count the cells that lie wholly outside some days."""
    spans = (days_within(cell) for cell in cells)
    return sum(one is not None and (one[1] < first or one[0] > last) for one in spans)


def shift_problems(cells: Iterable[ShiftedDate], days: int, step: int) -> Iterator[str]:
    """Find what one shift per person does not explain.

    Parameters
    ----------
    cells : of all people
    days, step : shifts are multiples of ``step``, at most ``days`` in either direction

    Notes
    -----
    If one shift explains all people, as it does where nothing was moved, its chance among honest
    shifts is at most the product of the shares of the shifts that explain each person, times the
    number of shifts.
    """
    most = days // step
    own: dict[str, tuple[int, int]] = {}
    for person, cell, day in cells:
        span = days_within(cell)
        if span is None:
            continue
        low, high = own.get(person, (-most, most))
        if math.isnan(day):
            own[person] = (1, 0)
            continue
        own[person] = (
            max(low, math.ceil((span[0] - day) / step)),
            min(high, math.floor((span[1] - day) / step)),
        )
    n_torn = sum(low > high for low, high in own.values())
    if n_torn:
        yield f"{n_torn} people have dates that no shift of at most {days} days explains"
        return
    if not own:
        return
    n_shifts = 2 * most + 1
    logs = sum(math.log((high - low + 1) / n_shifts) for low, high in own.values())
    has_common = max(low for low, _ in own.values()) <= min(high for _, high in own.values())
    if has_common and math.log(n_shifts) + logs < math.log(FALSE_ALARM):
        yield "one shift explains the dates of all people"
