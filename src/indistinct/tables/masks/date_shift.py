"""One secret shift for all dates of a person: calendar dates change, intervals do not."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.date_shifts import n_outside, shift_problems
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.frame import Column, Frame, frame_of
from indistinct.tables.frames.shifted_days import day_numbers, n_without_day, shifted
from indistinct.tables.frames.texts import filled_texts
from indistinct.tables.masks.key_file import KEY_BYTES, key_faults, key_of
from indistinct.tables.masks.protection import Context, Masked, Protection

DROP, KEEP = "drop", "keep"
WEEK = 7
# The first and the last day of the calendar, counted from 1970.
FIRST_DAY, LAST_DAY = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))
OTHER_RUN = "Take the release, the crosswalk and the original of one run."


@final
@dataclass(frozen=True, slots=True)
class DateShiftProtection(Protection):
    """All dates of a person are moved by one secret number of days, at most ``days``.

    The number follows from HMAC-SHA-256 of the person with a secret key, which is drawn anew for
    each release or stands in a file. Rows whose shifted date lies outside the days that every
    shift could have brought it to are left out, since they would confine the shift.

    Source: hripcsak2016, shift and truncate.
    """

    days: int = parameter(int, at_least=1, help="greatest shift in either direction", default=365)
    weekday: bool = parameter(bool, help="whether the day of the week stays", default=False)
    edges: str = parameter(
        str,
        choices=(DROP, KEEP),
        help="what becomes of rows at the first and the last days of the column",
        default=DROP,
    )
    key: str | None = parameter(
        str, help="file of the key, where releases are to have the same shifts", default=None
    )
    person: str | None = None
    missing: tuple[str, ...] = ("",)
    folder: Path = Path()
    secret: bytes = b""

    name: ClassVar[str] = "date-shift"
    files: ClassVar[tuple[str, ...]] = ("key",)
    promise: ClassVar[str] = (
        "The dates in {column} were moved by a secret number of days, the same for all dates of "
        "a person. This promises nothing by itself."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "Intervals between the dates of a person, and their order, stay as they were.",
        "Whoever knows one date of a person learns all the others.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = True
    instead_in_parts: ClassVar[str] = "generalize the dates instead"
    public_facts: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        """Return the parameters, and no secret."""
        return f"DateShiftProtection({self.required()})"

    def within(self, context: Context) -> Self:
        """Return the same with the column of persons, and what is missing."""
        return replace(
            self,
            person=context.person,
            missing=("", *context.missing),
            folder=context.folder,
        )

    def with_secret(self, secret: bytes) -> Self:
        """Return the same with what is drawn for the release, unless a key is named."""
        return self if self.key is not None else replace(self, secret=secret)

    @property
    def read_columns(self) -> tuple[str, ...]:
        """The column of persons, which is not masked itself."""
        return () if self.person is None else (self.person,)

    @property
    def withholds(self) -> bool:
        """Whether rows may be left out."""
        return self.edges == DROP

    @property
    def step(self) -> int:
        """Shifts are multiples of so many days."""
        return WEEK if self.weekday else 1

    def agrees_with(self, other: DateShiftProtection) -> bool:
        """Return whether both shift a person by the same number of days."""
        return replace(self, edges=DROP) == replace(other, edges=DROP)

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find cells without a day, dates that are too few, and a key that cannot be used."""
        for column in self._dates(columns):
            place = f"columns.{column.name}.protect"
            strange = n_without_day(column)
            if strange:
                problem = f"{strange:,} cells do not begin with a date such as 2024-01-31"
                yield Fault(place, problem, "Correct them, or say the format of the column.")
                continue
            days = day_numbers(column)
            beyond = int(((days < FIRST_DAY + self.days) | (days > LAST_DAY - self.days)).sum())
            if beyond:
                problem = f"{beyond:,} dates could be moved out of the calendar, which ends in 9999"
                remedy = "If such a date stands for no end, list it in data.missing."
                yield Fault(place, problem, remedy)
            first, last = self._inner(days)
            if self.withholds and first > last:
                problem = f"the dates span fewer than {2 * self.days} days, so no row would be left"
                yield Fault(place, problem, 'Take fewer days, or set edges = "keep".')
        if self.key is not None:
            for problem, remedy in key_faults(self.folder / self.key):
                yield Fault(f"columns.{columns.columns[0]}.protect.key", problem, remedy)

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Shift the dates of each person."""
        del source  # what is drawn is drawn once for all columns of a release
        persons = filled_texts(columns[self.person or ""]).to_list()
        offsets = self.offsets(persons)
        masked: list[Column] = []
        kept = np.ones(columns.height, np.bool_)
        for column in self._dates(columns):
            moved = shifted(column, offsets)
            masked.append(moved)
            kept &= self.is_kept(column, moved)
        return Masked(frame_of({one.name: one for one in masked}), {}, kept)

    def offsets(self, persons: Sequence[str]) -> Ints:
        """Return the shift of each row: (n_rows,), in days.

        Parameters
        ----------
        persons : whose row each one is; missing ones are one and the same
        """
        key = self.secret if self.key is None else key_of(self.folder / self.key)
        assert len(key) == KEY_BYTES  # noqa: S101 - nobody masks before the secret is drawn
        n_steps = self.days // self.step
        drawn: dict[str, int] = {}
        for person in {"" if one in self.missing else one for one in persons}:
            digest = hmac.digest(key, person.encode(), "sha256")
            drawn[person] = self.step * (int.from_bytes(digest) % (2 * n_steps + 1) - n_steps)
        return np.array([drawn["" if one in self.missing else one] for one in persons], np.int64)

    def is_kept(self, before: Column, after: Column) -> Bools:
        """Return which rows every shift could have brought where they are: (n_rows,)."""
        if not self.withholds:
            return np.ones(len(before), np.bool_)
        first, last = self._inner(day_numbers(before))
        moved = day_numbers(after)
        return np.isnan(moved) | ((moved >= first) & (moved <= last))

    def _inner(self, days: Floats) -> tuple[float, float]:
        """Return the first and the last day that says nothing of the shift."""
        known = days[~np.isnan(days)]
        if not len(known):
            return 0.0, 0.0
        return float(known.min()) + self.days, float(known.max()) - self.days

    def _dates(self, columns: Frame) -> Iterator[Column]:
        """Yield the columns to be masked."""
        yield from (column for column in columns if column.name != self.person)

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find nothing: a shifted date looks like any other."""
        del released, facts
        return iter(())

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Find people whose dates were not moved alike, and rows at the edges."""
        names = released.columns
        for name in names:
            first, last = self._inner(day_numbers(original[name]))
            outside = n_outside(released[name].to_list(), first, last) if self.withholds else 0
            if outside:
                problem = f"has {outside} cells at its edges, which give shifts away"
                yield Fault(f"columns.{name}", problem, "Do not publish this file.")
        if rows is None or self.person is None:
            return
        persons = filled_texts(original[self.person]).to_list()
        cells = [
            ("" if persons[row] in self.missing else persons[row], cell, days[row])
            for name in names
            for days in [day_numbers(original[name]).tolist()]
            for row, cell in zip(rows, released[name].to_list(), strict=True)
        ]
        for problem in shift_problems(cells, self.days, self.step):
            yield Fault(f"columns.{', '.join(names)}", problem, OTHER_RUN)
