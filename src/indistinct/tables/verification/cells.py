"""Which released cells a policy allows, and which values each covers: a reader's definition.

Verification uses this and nothing of what made the release. A cell is judged by its text alone.
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import final

from indistinct.tables.policy.sections.column import ColumnPolicy
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    are_equal,
    are_one_number,
    as_read,
    digits_of_number,
    has_leading_zero,
    interval_around,
    is_finite,
    is_number,
    is_range,
    step_of_ends,
    value_key,
    with_a_point,
)

HIDDEN = "*"
# Every pattern ends with \Z: $ would let a line end follow, and with it whatever it says.
LIKE_A_RANGE = re.compile(r"^\[[^,]*, [^,]*[\])]\Z")
DAY = re.compile(
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?\Z"
)
PERIODS = {
    "hour": re.compile(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}\Z"),
    "week": re.compile(r"^[0-9]{4}-W(?:0[1-9]|[1-4][0-9]|5[0-3])\Z"),
    "month": re.compile(r"^[0-9]{4}-(?:0[1-9]|1[0-2])\Z"),
    "quarter": re.compile(r"^[0-9]{4}-Q[1-4]\Z"),
    "year": re.compile(r"^[0-9]{4}\Z"),
    "decade": re.compile(r"^[0-9]{3}0s\Z"),
}
# No column without a hierarchy gets these.
LONGER_PERIODS = {
    "half-year": re.compile(r"^[0-9]{4}-H[12]\Z"),
    "five-years": re.compile(r"^([0-9]{3})(?:0-\1[4]|5-\1[9])\Z"),
    "twenty-years": re.compile(
        r"^([0-9]{2})(?:00-\1[1]9|20-\1[3]9|40-\1[5]9|60-\1[7]9|80-\1[9]9)\Z"
    ),
}
ALL_PERIODS = PERIODS | LONGER_PERIODS
# A week lies in no month and in no year, so that no period is made of weeks.
SHORTER_THAN = {
    "quarter": ("month",),
    "half-year": ("month", "quarter"),
    "year": ("month", "quarter"),
    "five-years": ("month", "quarter", "year"),
    "decade": ("month", "quarter", "year"),
    "twenty-years": ("month", "quarter", "year", "decade"),
}
MOST_LEVELS = 64  # of any hierarchy that is made from the data


class Cells(ABC):
    """The cells a column may be released as."""

    @abstractmethod
    def levels(self, cell: str) -> Sequence[int]:
        """Return the levels at which a cell's text may stand, none when it is no cell of these."""

    @abstractmethod
    def covers(self, cell: str, value: str) -> bool:
        """Return whether a cell is a generalization of a value."""

    @abstractmethod
    def above(self, cell: str) -> Sequence[str]:
        """Return the coarser cells that contain a cell, finest first, the root last."""

    @final
    def allows(self, cell: str, column: ColumnPolicy) -> bool:
        """Return whether a cell stands between the levels that a policy allows."""
        high = column.max_level
        return any(
            level >= column.min_level and (high is None or level <= high)
            for level in self.levels(cell)
        )


@final
@dataclass(frozen=True)
class Listed(Cells):
    """Cells from a file or a tree: a path of labels for each value, and for the missing one.

    Parameters
    ----------
    paths : by the key of each value
    missing_path : of the missing value
    as_texts : whether values are texts, so that 6 and 6.0 are two
    are_counted : whether values that read alike are one
    """

    paths: Mapping[str, Sequence[str]]
    missing_path: Sequence[str] = ("",)
    as_texts: bool = False
    are_counted: bool = False

    def levels(self, cell: str) -> Sequence[int]:
        """Look the label up at every level; the root may be added on top."""
        return self._levels.get(cell) or ((0,) if self.path(cell) else ())

    @cached_property
    def _levels(self) -> Mapping[str, Sequence[int]]:
        """The levels of every label, found in one walk: there may be as many cells as values."""
        found: dict[str, set[int]] = {HIDDEN: {max(map(len, self.paths.values()), default=0)}}
        for path in (*self.paths.values(), self.missing_path):
            for level, label in enumerate(path):
                found.setdefault(label, set()).add(level)
        return {label: sorted(levels) for label, levels in found.items()}

    @cached_property
    def _first_paths(self) -> Mapping[str, Sequence[str]]:
        """The first path that holds each label; of a label that is a value, too, its own."""
        found = dict(self.paths)
        for path in (*self.paths.values(), self.missing_path):
            for label in path:
                found.setdefault(label, path)
        return found

    @cached_property
    def _by_number(self) -> Mapping[str, Sequence[str]]:
        """The paths of values with leading zeros, by the numbers that they may be."""
        return {value_key(text): self.paths[text] for text in self.paths if has_leading_zero(text)}

    def path(self, value: str) -> Sequence[str]:
        """Return the labels of a value, itself first, however it is written; none if not listed."""
        found = self.paths.get(value)
        if found is not None:
            return found
        if self.are_counted and (read := self.paths.get(as_read(value))) is not None:
            return read
        if self.as_texts or has_leading_zero(value):
            return self.paths.get(unicodedata.normalize("NFC", value), ())
        own = value_key(with_a_point(value))
        return self.paths.get(own) or self._by_number.get(own, ())

    def covers(self, cell: str, value: str) -> bool:
        """Look the label up above the value."""
        path = self.path(value)
        if cell == HIDDEN or cell in path or cell == value == "":
            return True
        return bool(path) and cell not in self._levels and self.path(cell) is path

    def above(self, cell: str) -> Sequence[str]:
        """Follow the path of a value below."""
        path = self._first_paths.get(cell) or self.path(cell) or (cell,)
        return _to_root(cell, path[path.index(cell) + 1 if cell in path else 1 :])


@final
@dataclass(frozen=True, slots=True)
class Kept(Cells):
    """Values that are kept or hidden, and labels whose values nobody lists.

    Parameters
    ----------
    labels : the level of each label
    missing : how a missing value is written
    """

    labels: Mapping[str, int]
    missing: Container[str] = ("",)

    def levels(self, cell: str) -> Sequence[int]:
        """Look the label up; every other cell is a value."""
        if cell in self.missing:
            return range(MOST_LEVELS)
        if cell == HIDDEN:  # nobody says how many levels lie between the highest label and the root
            return range(max(self.labels.values(), default=0) + 1, MOST_LEVELS)
        return (self.labels.get(cell, 0),)

    def covers(self, cell: str, value: str) -> bool:
        """Compare values; what stands below a label is not known."""
        is_label = self.labels.get(cell, 0) > 0
        return cell in {HIDDEN, value} or is_label or are_one_number(cell, value)

    def above(self, cell: str) -> Sequence[str]:
        """Nothing is known but the root."""
        return _to_root(cell, ())


@final
@dataclass(frozen=True, slots=True)
class Intervals(Cells):
    """Half-open intervals of given widths that start at multiples of their width."""

    widths: Sequence[float]
    missing: Container[str] = ("",)

    def levels(self, cell: str) -> Sequence[int]:
        """Read the interval's ends; it has to be written as a release writes it."""
        if cell == HIDDEN:
            return (len(self.widths) + 1,)
        ends = HALF_OPEN.match(cell)
        if ends is None:
            # A value of its own; the missing one has its own label at every level.
            everywhere = tuple(range(len(self.widths) + 1)) if cell in self.missing else ()
            return (0,) if is_number(cell) else everywhere
        return [
            level
            for level, width in enumerate(self.widths, start=1)
            if interval_around(ends[1], width) == cell
        ]

    def covers(self, cell: str, value: str) -> bool:
        """Compare the value with the ends."""
        ends = HALF_OPEN.match(cell)
        if ends is None or not is_finite(value):
            return cell in {HIDDEN, value} or are_one_number(cell, value)
        return Decimal(ends[1]) <= Decimal(value) < Decimal(ends[2])

    def above(self, cell: str) -> Sequence[str]:
        """Widen the interval; a cell that is no number has the root above it only."""
        ends = HALF_OPEN.match(cell)
        if ends is None and not is_finite(cell):
            return _to_root(cell, ())
        low = cell if ends is None else ends[1]
        length = 0 if ends is None else Decimal(ends[2]) - Decimal(low)
        wider = [width for width in self.widths if Decimal(repr(width)) > length]
        return _to_root(cell, [interval_around(low, width) for width in wider])


@final
@dataclass(frozen=True, slots=True)
class Masks(Cells):
    """Texts with up to so many characters hidden from the right, numbers in plain digits: 4710*.

    Parameters
    ----------
    hidden : characters, at most
    missing : how a missing value is written
    """

    hidden: int
    missing: Container[str] = ("",)

    def levels(self, cell: str) -> Sequence[int]:
        """Count the stars at the end; a text of which nothing is left is hidden."""
        if cell in self.missing or cell == HIDDEN:
            first = 0 if cell in self.missing else 1
            return range(first, self.hidden + 2)
        stars = len(cell) - len(cell.rstrip(HIDDEN))
        is_mask = stars < len(cell) and stars <= self.hidden and HIDDEN not in cell.rstrip(HIDDEN)
        return (stars,) if is_mask else ()

    def covers(self, cell: str, value: str) -> bool:
        """Compare what is not hidden."""
        kept, digits = cell.rstrip(HIDDEN), digits_of_number(value)
        if cell == HIDDEN or (kept and len(cell) == len(digits) and digits.startswith(kept)):
            return True
        return cell == value or are_equal(cell, value)  # a text file's texts may become numbers

    def above(self, cell: str) -> Sequence[str]:
        """Hide more characters; a missing value has none."""
        if cell in self.missing:
            return _to_root(cell, ())
        cell = digits_of_number(cell)
        kept = len(cell.rstrip(HIDDEN))
        stars = range(len(cell) - kept + 1, min(self.hidden, len(cell) - 1) + 1)
        return _to_root(cell, [cell[: len(cell) - count] + HIDDEN * count for count in stars])


@final
@dataclass(frozen=True, slots=True)
class Periods(Cells):
    """Calendar periods of ISO dates, or of shorter periods."""

    steps: Sequence[str]
    missing: Container[str] = ("",)

    def levels(self, cell: str) -> Sequence[int]:
        """Recognize the period by its form; a day may also be a value of its own."""
        if cell == HIDDEN:
            return (len(self.steps) + 1,)
        found = tuple(
            level for level, step in enumerate(self.steps, start=1) if _is_period(cell, step)
        )
        if _is_day(cell):
            return (0, *found)
        if found:
            return found
        everywhere = tuple(range(len(self.steps) + 1)) if cell in self.missing else ()
        return (0,) if self._is_shorter(cell) else everywhere

    def _is_shorter(self, cell: str) -> bool:
        """Return whether a cell is a period that lies within those of the first step."""
        written = cell.removesuffix(".0")
        return any(
            _is_period(written, step)
            for step in SHORTER_THAN.get(self.steps[0] if self.steps else "", ())
        )

    def covers(self, cell: str, value: str) -> bool:
        """Compare the parts of the date that the period keeps."""
        if cell in {HIDDEN, value} or are_equal(cell, value):
            return True
        step = next((step for step in self.steps if _is_period(cell, step)), None)
        if step is None:
            return False
        if step in {"quarter", "week", "hour", *LONGER_PERIODS}:
            # A text that is no date lies in no quarter, and in no week.
            written = value.removesuffix(".0")
            shorter = any(_is_period(written, one) for one in SHORTER_THAN.get(step, ()))
            return (shorter or _is_day(value)) and period_around(written, step) == cell
        return value.startswith(cell[:3] if cell.endswith("s") else cell)

    def above(self, cell: str) -> Sequence[str]:
        """Return the longer periods around a day or a period."""
        levels = self.levels(cell)
        if cell == HIDDEN or cell in self.missing or not levels:
            return _to_root(cell, ())
        return _to_root(cell, [period_around(cell, step) for step in self.steps[levels[-1] :]])


@final
@dataclass(frozen=True, slots=True)
class MadeFromData(Cells):
    """Cells of a column without a hierarchy of its own: recognized by their form alone.

    Parameters
    ----------
    missing : how a missing value is written
    numbers_have_levels : False where numbers are released in ranges made from them, so that a
        number alone is a range too
    rounded_ends : whether the ends of ranges must be round numbers
    """

    missing: Container[str] = ("",)
    numbers_have_levels: bool = True
    rounded_ends: bool = False

    def levels(self, cell: str) -> Sequence[int]:
        """Return the levels that a cell may have: a value's, or all; its form says no more."""
        everywhere = range(MOST_LEVELS)
        if cell in self.missing or cell == HIDDEN:  # a value may be a star
            return everywhere
        if self.rounded_ends and CLOSED.match(cell) and step_of_ends(cell) is None:
            return ()
        if is_range(cell):
            return everywhere  # the input may have had bands already
        if LIKE_A_RANGE.match(cell):
            return ()
        if is_number(cell):
            may_be_year = PERIODS["year"].match(cell) is not None
            return everywhere if may_be_year or not self.numbers_have_levels else (0,)
        # A text may be a value that happens to look like a period or like a mask.
        looks_general = cell.endswith(HIDDEN) or any(form.match(cell) for form in PERIODS.values())
        return everywhere if looks_general else (0,)

    def covers(self, cell: str, value: str) -> bool:
        """Compare as whatever the cell looks like."""
        if cell in {HIDDEN, value}:
            return True
        if is_number(cell) and is_number(value):
            return are_one_number(cell, value)
        closed = CLOSED.match(cell)
        if closed is not None and is_finite(value):
            return Decimal(closed[1]) <= Decimal(value) <= Decimal(closed[2])
        others = (Intervals(()), Masks(len(value)), Periods(tuple(PERIODS)))
        return any(other.covers(cell, value) for other in others)

    def above(self, cell: str) -> Sequence[str]:
        """Nothing is known but the root."""
        return _to_root(cell, ())


def _to_root(cell: str, labels: Sequence[str]) -> list[str]:
    """Leave out what repeats the label below, and end with the root."""
    chain = [cell]
    for label in (*labels, HIDDEN):
        if label != chain[-1]:
            chain.append(label)
    return chain[1:]


def _is_day(cell: str) -> bool:
    """Return whether a text is a day of the calendar, with or without a time of the day."""
    if DAY.match(cell) is None:
        return False
    try:
        date.fromisoformat(cell[:10].replace("0000-", "2000-"))  # Python has no year 0
    except ValueError:
        return False
    return True


def period_around(cell: str, step: str) -> str:
    """Return the period of a step around a day or a shorter period.

    Examples
    --------
    >>> period_around("2021-01-01", "week"), period_around("2021-01-01", "decade")
    ('2020-W53', '2020s')
    """
    if step == "hour":
        return f"{cell[:10]}T{cell[11:13] or '00'}"
    if step == "week":
        year, week, _ = date.fromisoformat(cell[:10]).isocalendar()
        return f"{year:04d}-W{week:02d}"
    if step in {"quarter", "half-year"}:
        quarter = int(cell[-1]) if "Q" in cell else (int(cell[5:7]) + 2) // 3
        return (
            f"{cell[:4]}-Q{quarter}" if step == "quarter" else f"{cell[:4]}-H{(quarter + 1) // 2}"
        )
    if step in {"five-years", "twenty-years"}:
        number = 5 if step == "five-years" else 20
        first = int(cell[:4]) - int(cell[:4]) % number
        return f"{first:04d}-{first + number - 1:04d}"
    if step == "decade":
        return f"{cell[:3]}0s"
    return cell[: {"day": 10, "month": 7, "year": 4}[step]]


def _is_period(cell: str, step: str) -> bool:
    """Return whether a cell is written as the periods of a step are."""
    if step == "day":
        return len(cell) == len("2021-01-01") and _is_day(cell)
    return ALL_PERIODS[step].match(cell) is not None
