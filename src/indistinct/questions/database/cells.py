"""What the owner is told of the cells before a declaration is written; nothing of it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from indistinct.questions.database.countable_table import opened
from indistinct.questions.database.preparation import quoted

OFFERED = (1, 2, 5, 10, 20, 50)


@final
@dataclass(frozen=True, slots=True)
class RowsOfPeople:
    """How many people have how many rows.

    Parameters
    ----------
    people : per number of rows, how many people have so many
    kept : rows of one person that the declaration lets count
    """

    people: Mapping[int, int]
    kept: int

    @property
    def most(self) -> int:
        """Return the largest number of rows of one person."""
        return max(self.people, default=0)

    def share(self, kept: int) -> float:
        """Return the share of all rows that count where each person keeps so many."""
        rows = sum(n * people for n, people in self.people.items())
        counting = sum(min(n, kept) * people for n, people in self.people.items())
        return counting / rows if rows else 1.0

    def lines(self) -> list[str]:
        """Return which share of the rows does not count; nothing where all count."""
        if self.most <= self.kept:
            return []
        word = "row" if self.kept == 1 else "rows"
        lost = percent(1 - self.share(self.kept))
        offered = self.offered()
        sentence = (
            f"People have up to {self.most} rows. With {self.kept} {word} per person, {lost} of "
            "the rows do not count; which ones count is decided by lot."
        )
        return [sentence, f"Share of the rows that count, by --rows-per-person: {offered}."]

    def offered(self) -> str:
        """Write the share of the rows that count, by how many of a person do."""
        numbers = [n for n in OFFERED if n < self.most] + [self.most]
        return ", ".join(f"{n}: {percent(self.share(n))}" for n in numbers)


def percent(share: float) -> str:
    """Write a share in whole percent, and never a small one as none."""
    return "less than 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"  # noqa: PLR2004


def rows_of_people(data: str, table: str, person: str, kept: int) -> RowsOfPeople:
    """Count the rows of each person, and how many people have so many."""
    with opened(data, table) as found:
        rows = found.read(
            f"SELECT n, count(*) FROM (SELECT count(*) AS n FROM {found.source} "  # noqa: S608 - quoted
            f"WHERE {quoted(person)} IS NOT NULL GROUP BY {quoted(person)}) AS counted GROUP BY n"
        )
    return RowsOfPeople({int(n): int(people) for n, people in rows}, kept)
