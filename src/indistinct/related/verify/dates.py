"""Shifted dates of released tables beside those of the input, all dates of a person together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.truth import TrueLinks
from indistinct.tables.core import Role, ShiftedDate, days_within, n_outside, shift_problems
from indistinct.tables.frames import Frame
from indistinct.tables.verification import text_as_read

DISMISS = "Do not publish these files."
LENGTH_OF_DAY = len("2024-01-31")
WEEK = 7
HIDDEN = "*"


def moved_faults(
    spec: RelatedPolicy,
    tables: Mapping[str, Frame],
    before: Mapping[str, Frame],
    links: TrueLinks,
    rows: Mapping[str, Sequence[int]],
) -> Iterator[Fault]:
    """Find people whose dates were not moved alike, and cells that give shifts away.

    Parameters
    ----------
    tables : the released ones, cells as texts
    rows : per table, the row of the input behind each released one
    """
    cells: list[ShiftedDate] = []
    asked: Mapping[str, Any] = {}
    for name in (spec.people, *spec.row_tables):
        if not any(said.protect for said in spec.tables[name].columns.values()):
            continue
        units = [str(links.unit(name, row)) for row in rows[name]]
        for column, said in spec.tables[name].columns.items():
            if said.protect is None:
                continue
            asked = said.protect.required()
            shown, own = (
                tables[name][column].to_list(),
                text_as_read(before[name][column]).to_list(),
            )
            true = [own[row] for row in rows[name]]
            if name != spec.people and asked["edges"] == "drop":
                yield from _edge_faults(name, column, shown, own, asked["days"])
            if said.role is not Role.QUASI_IDENTIFIER:
                yield from _day_faults(name, column, shown, true)
            days = [day_of(value) for value in true]
            cells += [
                (unit, cell, math.nan if day is None else day)
                for unit, cell, day in zip(units, shown, days, strict=True)
            ]
    if asked:
        step = WEEK if asked["weekday"] else 1
        for problem in shift_problems(cells, asked["days"], step):
            yield Fault("tables", problem, "Take the files and the crosswalk of one run.")


def _edge_faults(
    name: str, column: str, shown: Sequence[str], own: Sequence[str], most: int
) -> Iterator[Fault]:
    """Find cells outside the days to which every shift could have brought some date."""
    known = [day for day in map(day_of, own) if day is not None]
    if not known:
        return
    outside = n_outside(shown, min(known) + most, max(known) - most)
    if outside:
        problem = f"has {outside} cells at its edges, which give shifts away"
        yield Fault(f"tables.{name}.columns.{column}", problem, DISMISS)


def _day_faults(
    name: str, column: str, shown: Sequence[str], true: Sequence[str]
) -> Iterator[Fault]:
    """Find cells that are no days, or have another time of the day than their rows."""
    strange = sum(not _is_day_like(*pair) for pair in zip(shown, true, strict=True))
    if strange:
        problem = f"{strange} cells are no shifted dates of their rows"
        yield Fault(f"tables.{name}.columns.{column}", problem, DISMISS)


def day_of(text: str) -> int | None:
    """Return the day that a text begins with, from 1970; None where it is none."""
    span = days_within(text)
    return span[0] if span is not None and span[0] == span[1] else None


def _is_day_like(cell: str, value: str) -> bool:
    """Return whether a cell is a day, followed by what follows the day of a value; or none is."""
    if day_of(value) is None or cell == HIDDEN:
        return cell in {value, HIDDEN}
    return day_of(cell) is not None and cell[LENGTH_OF_DAY:] == value[LENGTH_OF_DAY:]
