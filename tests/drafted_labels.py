"""Random columns of dates, numbers and codes in twelve writings, each with the truth of its values.

A column's truth is the day, the number or the code that each of its texts was written from. The
functions that judge a label know nothing of the program: they read the few forms of labels that a
draft may have.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

MONTHS = "January February March April May June July August September October November December"
ROWS = 60


@dataclass(frozen=True)
class MadeColumn:
    """A column.

    Parameters
    ----------
    name : in a file
    cells : as they are written
    truths : per cell, a day, a number or a code
    """

    name: str
    cells: Sequence[str]
    truths: Sequence[object]


Maker = Callable[[random.Random], MadeColumn]


def _days(chance: random.Random, write: Callable[[dt.date], str], name: str = "seen") -> MadeColumn:
    """Write days of a random span."""
    span = chance.choice([20, 80, 400, 3000, 20_000])
    last_year = 2028 - span // 365  # years of two digits are read as 1930 to 2029
    first = dt.date(chance.randint(1935, last_year), chance.randint(1, 12), chance.randint(1, 28))
    days = [first + dt.timedelta(days=chance.randrange(span)) for _ in range(ROWS)]
    return MadeColumn(name, [write(day) for day in days], days)


def _numbers(chance: random.Random, write: Callable[[Decimal], str], digits: int) -> MadeColumn:
    """Write numbers of a random size."""
    size = chance.choice([30, 400, 9000, 250_000])
    numbers = [
        Decimal(chance.randint(-size // 10, size) * 10**digits + chance.randrange(10**digits))
        / 10**digits
        for _ in range(ROWS)
    ]
    return MadeColumn("height", [write(number) for number in numbers], numbers)


def _codes(chance: random.Random, name: str, make: Callable[[], str]) -> MadeColumn:
    """Write codes, of which some repeat."""
    kinds = [make() for _ in range(chance.choice([4, 15, 50]))]
    codes = [chance.choice(kinds) for _ in range(ROWS)]
    return MadeColumn(name, codes, codes)


def _named(day: dt.date) -> str:
    return f"{day.day} {MONTHS.split()[day.month - 1]} {day.year}"


def _moments(chance: random.Random) -> MadeColumn:
    return _days(
        chance,
        lambda day: f"{day.isoformat()} {chance.randrange(24):02d}:{chance.randrange(60):02d}",
    )


def _partial(chance: random.Random) -> MadeColumn:
    return _days(chance, lambda day: day.strftime(chance.choice(["%Y-%m-%d", "%Y-%m-%d", "%Y-%m"])))


def _years(chance: random.Random) -> MadeColumn:
    return _days(chance, lambda day: str(day.year), "birth_year")


def _postcodes(chance: random.Random) -> MadeColumn:
    area = chance.choice(["CB", "N", "SW", "B", "G"])

    def one() -> str:
        inward = f"{chance.randint(1, 9)}{chance.choice('ABD')}{chance.choice('EFG')}"
        outward = f"{area}{chance.randint(1, 20)}"
        return chance.choice([f"{outward} {inward}", f"{outward}{inward}".lower(), outward])

    return _codes(chance, "postcode", one)


def _zips(chance: random.Random) -> MadeColumn:
    start = chance.choice(["02", "205", "9"])

    def one() -> str:
        five = start + "".join(chance.choice("0123456789") for _ in range(5 - len(start)))
        return chance.choice([five, f"{five}-{chance.randrange(10**4):04d}"])

    return _codes(chance, "zip", one)


def _diseases(chance: random.Random) -> MadeColumn:
    def one() -> str:
        letter, number = chance.choice("ABCDEFGHIJKLMNOPQRSTVWXYZ"), chance.randrange(100)
        return f"{letter}{number:02d}" + chance.choice(["", f".{chance.randrange(10)}"])

    return _codes(chance, chance.choice(["reg_code", "q3", "district"]), one)


def _parts(chance: random.Random) -> MadeColumn:
    def one() -> str:
        return ".".join(f"{chance.randrange(1, 30):02d}" for _ in range(chance.choice([1, 2, 3])))

    return _codes(chance, "nace", one)


def _bands(chance: random.Random) -> MadeColumn:
    width, unit = chance.choice([5, 10, 20]), chance.choice(["", " years", " años"])
    starts = [chance.randrange(0, 100, width) for _ in range(ROWS)]
    cells = [f"{low}-{low + width - 1}{unit}" for low in starts]
    cells = ["100+" if low >= 90 else cell for low, cell in zip(starts, cells, strict=True)]
    return MadeColumn("age_group", cells, cells)


KINDS: dict[str, Maker] = {
    "iso": lambda chance: _days(chance, dt.date.isoformat),
    "day first": lambda chance: _days(chance, lambda day: day.strftime("%d.%m.%Y")),
    "month first": lambda chance: _days(chance, lambda day: day.strftime("%m/%d/%y")),
    "moments": _moments,
    "named": lambda chance: _days(chance, _named),
    "partial": _partial,
    "years": _years,
    "whole": lambda chance: _numbers(chance, lambda number: str(int(number)), 0),
    "comma": lambda chance: _numbers(chance, lambda number: f"{number:.2f}".replace(".", ","), 2),
    "thousands": lambda chance: _numbers(chance, lambda number: f"{int(number):,}", 0),
    "british": _postcodes,
    "zips": _zips,
    "diseases": _diseases,
    "parts": _parts,
    "bands": _bands,
    "lost zeros": lambda chance: _codes(
        chance, "plz", lambda: str(chance.choice([chance.randint(1067, 9999), 10_115, 80_331]))
    ),
}  # fmt: skip


def is_so(label: str, truth: object, cell: str) -> bool:
    """Return whether a label is true of what a cell was written from."""
    if label in {"*", cell} or label.startswith("other") or label.endswith("(group)"):
        return True
    if isinstance(truth, dt.date):
        return label in _periods(truth) or label.startswith(f"{truth.isoformat()}T")
    if isinstance(truth, Decimal):
        ends = re.fullmatch(r"\[(\S+), (\S+)\)", label)
        if ends is None:
            return label.endswith("*") and cell.startswith(label.rstrip("*"))
        return Decimal(ends[1]) <= truth < Decimal(ends[2])
    return _is_so_of_code(label, str(truth))


def _periods(day: dt.date) -> set[str]:
    """Return all names of the periods in which a day lies."""
    year, week, _ = day.isocalendar()
    quarter = f"{day.year}-Q{(day.month + 2) // 3}"
    decade = f"{day.year // 10}0s"
    return {day.isoformat(), f"{year}-W{week:02d}", f"{day:%Y-%m}", quarter, str(day.year), decade}


def _is_so_of_code(label: str, code: str) -> bool:
    """Return whether a code begins as a label does, or lies between the ends of one."""
    numbers = [int(number) for number in re.findall(r"\d+", label)]
    own = [int(number) for number in re.findall(r"\d+", code)]
    if not label.endswith("*") and numbers and own and re.search(r"\d\s?[-+]", f"{label}+"):
        low, high = numbers[0], numbers[1] if len(numbers) > 1 and "+" not in label else 10**9
        return low <= own[0] and own[-1] <= high
    kept = label.rstrip("*")
    plain = code.upper().replace(" ", "")
    if kept.endswith(" "):  # the first half of a postcode
        first = plain[:-3] if re.fullmatch(r"[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}", plain) else plain
        return first == kept.strip()
    has_zeros = code.isdigit() and len(code) < len(label)
    return plain.startswith(kept.replace(" ", "")) or (
        has_zeros and code.zfill(len(label)).startswith(kept)
    )
