"""How many groups and rows of one person count in full, and how far a person moves the counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from indistinct.questions.database.relational.from_ import QuestionScope
from indistinct.questions.database.relational.tree import Bound, BoundColumn
from indistinct.questions.database.relational.words import refusal, shortened

MOST_LIMIT = 10**6
LIMITS = ("groups", "rows", "rows_in_all", "full_groups")
MANY_GROUPS = (
    "puts a person into several groups",
    ("Say into how many at most: --groups 20, or max_groups_contributed = 20 in OPTIONS. "
     "Where rows_per_person is not declared, add --rows 5 or max_rows_per_group = 5."),
)  # fmt: skip
MANY_ROWS = (
    "may hold any number of rows of a person",
    ("Say how many count at most: --rows 5, or max_rows_per_group = 5 in OPTIONS; or the owner "
     "declares rows_per_person."),
)  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class PersonLimits:
    """At most so many groups of one person, rows in each, and rows in all.

    Parameters
    ----------
    read : rows of one person that reading leaves at most, where that is known of the rows asked for
    full_groups : instead of groups, for what is added up: the squares of a person's groups are
        together at most those of this many groups with the most that one of them can have
    is_grouped : whether there are keys; else all rows are one group
    """

    groups: int
    rows: int
    rows_in_all: int
    read: int | None = None
    full_groups: int | None = None
    is_grouped: bool = True

    def document(self) -> dict[str, int]:
        """Return the limits as JSON has them."""
        found = {"groups": self.groups, "rows": self.rows, "rows_in_all": self.rows_in_all}
        return found if self.full_groups is None else {**found, "full_groups": self.full_groups}


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """How far one person moves a vector: in sum (L1), and in the sum of squares (L2, squared)."""

    total: int
    squares: int

    def times(self, most: int) -> Reach:
        """Return how far sums move to which each row adds at most so much."""
        return Reach(most * self.total, most**2 * self.squares)


def reach(groups: int, rows: int, rows_in_all: int) -> Reach:
    """Return how far one person moves counts of rows who is within the limits.

    At most g groups have one of the person's rows, at most r each, and c together. The sum is at
    most min(g r, c). The sum of squares is a convex function of the rows in each group, so it is
    largest at a corner: as many groups as can be have r rows, and one has the rest.

    Examples
    --------
    >>> reach(3, 4, 10)
    Reach(total=10, squares=36)
    """
    if rows_in_all >= groups * rows:
        return Reach(groups * rows, groups * rows**2)
    full, rest = divmod(rows_in_all, rows)
    return Reach(rows_in_all, full * rows**2 + rest**2)


@final
@dataclass(frozen=True, slots=True)
class WantedLimits:
    """The limits that a question asks for; None where the declaration decides."""

    groups: int | None = None
    rows: int | None = None
    rows_in_all: int | None = None
    full_groups: int | None = None

    def __post_init__(self) -> None:
        """Check that each is a whole number from 1 on."""
        for name in LIMITS:
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MOST_LIMIT:
                option = name.replace("_", "-")
                raise refusal(f"--{option}", "is no number from 1 to 1,000,000", f"--{option} 5")


def limits_of(
    scope: QuestionScope, nodes: Sequence[Bound], cells: int | None, wanted: WantedLimits
) -> PersonLimits:
    """Decide the limits by declaration, question and options; refuse where none can be known.

    What is guessed from the text, such as in how many groups a person is, chooses defaults alone.
    The query enforces every limit, but for people whom reading keeps within it.

    Parameters
    ----------
    nodes : what is grouped by
    cells : how many groups there can be, where that is known
    """
    declared, few = scope.rows, scope.groups(nodes)
    one_group, one_row = few == 1, has_one_row(scope, nodes)
    most_groups = min(one for one in (cells, few, MOST_LIMIT) if one is not None)
    most_rows = 1 if one_row else declared
    if few is wanted.groups is None:
        raise refusal(
            f"GROUP BY {shortened(', '.join(map(str, nodes)))}", *MANY_GROUPS
        )  # fmt: skip
    if not one_row and declared is wanted.rows is wanted.rows_in_all is None:
        raise refusal("FROM", *MANY_ROWS)
    groups = 1 if one_group else min(wanted.groups or most_groups, cells or MOST_LIMIT)
    in_all = wanted.rows_in_all or MOST_LIMIT
    rows = min(wanted.rows or most_rows or in_all, most_rows or MOST_LIMIT, in_all)
    rows_in_all = min(in_all, groups * rows, declared or MOST_LIMIT)
    full = wanted.full_groups if (wanted.full_groups or groups) < groups else None
    return PersonLimits(groups, rows, rows_in_all, declared, full, bool(nodes))


def has_one_row(scope: QuestionScope, nodes: Sequence[Bound]) -> bool:
    """Return whether no two rows of a person have the same values of what is grouped by."""
    return scope.key is not None and scope.key <= {
        one.at for one in nodes if isinstance(one, BoundColumn)
    }


def cells_of(sizes: Sequence[int | None]) -> int | None:
    """Return how many groups there can be, where all keys have known values."""
    known = [size for size in sizes if size is not None]
    return math.prod(known) if len(known) == len(sizes) else None
