"""How many groups and rows of one person count, and how far a person then moves the counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.scopes import JoinedSources
from indistinct.questions.database.relational.tree import Expression, Name
from indistinct.questions.database.relational.words import refusal, shortened

MOST_LIMIT = 10**6


@final
@dataclass(frozen=True, slots=True)
class PersonLimits:
    """At most so many groups of one person, rows in each, and rows in all.

    Parameters
    ----------
    windows : which limits the query must enforce: all, but for those that reading enforces
    full_groups : instead of groups, for what is added up: the squares of a person's groups are
        together at most those of this many groups with the most that one of them can have
    """

    groups: int
    rows: int
    rows_in_all: int
    windows: frozenset[str] = frozenset()
    full_groups: int | None = None

    def document(self) -> dict[str, int]:
        """Return the limits as JSON has them."""
        found = {"groups": self.groups, "rows": self.rows, "rows_in_all": self.rows_in_all}
        return found if self.full_groups is None else {**found, "full_groups": self.full_groups}

    @property
    def of_sums(self) -> PersonLimits:
        """Return the limits that the rows need before they are added up."""
        return replace(self, windows=self.windows - {"groups"}) if self.full_groups else self


@final
@dataclass(frozen=True, slots=True)
class Reach:
    """How far one person moves the counts of rows: in how many groups, summed, and squared."""

    groups: int
    total: int
    squares: int

    def times(self, most: int) -> Reach:
        """Return how far sums move to which each row adds at most so much."""
        return Reach(self.groups, most * self.total, most**2 * self.squares)


def reach(groups: int, rows: int, rows_in_all: int) -> Reach:
    """Return how far one person moves counts of rows within the limits.

    At most g groups have one of the person's rows, at most r each, and c together. The sum is at
    most min(g r, c). The sum of squares is a convex function of the rows in each group, so it is
    largest at a corner: as many groups as can be have r rows, and one has the rest.

    Examples
    --------
    >>> reach(3, 4, 10)
    Reach(groups=3, total=10, squares=36)
    """
    if rows_in_all >= groups * rows:
        return Reach(groups, groups * rows, groups * rows**2)
    full, rest = divmod(rows_in_all, rows)
    return Reach(min(groups, rows_in_all), rows_in_all, full * rows**2 + rest**2)


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
        for name in ("groups", "rows", "rows_in_all", "full_groups"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MOST_LIMIT:
                option = name.replace("_", "-")
                raise refusal(f"--{option}", "is no number from 1 to 1,000,000", f"--{option} 5")


def limits_of(
    scope: JoinedSources,
    nodes: Sequence[Expression],
    cells: int | None,
    wanted: WantedLimits,
) -> PersonLimits:
    """Decide the limits by declaration, question and options; refuse where none can be known.

    What is concluded from the text, such as that a person has one row in each group, chooses
    defaults alone. The query enforces every limit, but for one that reading enforces.

    Parameters
    ----------
    nodes : what is grouped by
    cells : how many groups there can be, where that is known
    """
    origins = {scope.find(node).origin for node in nodes if isinstance(node, Name)}
    one_group = not nodes or all(scope.is_steady(node) for node in nodes)
    one_row = any(one <= origins for one in scope.unique)
    if frozenset() in scope.unique:
        one_group = one_row = True
    declared = scope.rows
    most_groups = min(one for one in (cells, declared, MOST_LIMIT) if one is not None)
    most_rows = 1 if one_row else declared
    check_known(nodes, wanted, one_group=one_group, one_row=one_row, declared=declared)
    groups = 1 if one_group else min(wanted.groups or most_groups, cells or MOST_LIMIT)
    in_all = wanted.rows_in_all or MOST_LIMIT
    rows = min(wanted.rows or most_rows or in_all, most_rows or MOST_LIMIT, in_all)
    rows_in_all = min(in_all, groups * rows, declared or MOST_LIMIT)
    read = scope.rows_read
    windows = {
        "rows": read is None or rows < read,
        "groups": bool(nodes) and (read is None or groups < read),
        "rows_in_all": rows_in_all < groups * rows and (read is None or rows_in_all < read),
    }
    needed = frozenset(name for name, is_needed in windows.items() if is_needed)
    full = wanted.full_groups if (wanted.full_groups or groups) < groups else None
    return PersonLimits(groups, rows, rows_in_all, needed, full)


def check_known(
    nodes: Sequence[Expression],
    wanted: WantedLimits,
    *,
    one_group: bool,
    one_row: bool,
    declared: int | None,
) -> None:
    """Refuse a question for which nothing limits one person."""
    lacks_groups = not one_group and declared is None and wanted.groups is None
    lacks_rows = (
        not one_row and declared is None and wanted.rows is None and wanted.rows_in_all is None
    )
    if lacks_groups:
        keys = shortened(", ".join(map(str, nodes)))
        raise refusal(
            f"GROUP BY {keys}", "puts a person into several groups",
            "Say into how many at most: --groups 20, or max_groups_contributed = 20 in OPTIONS. "
            "Where rows_per_person is not declared, add --rows 5 or max_rows_per_group = 5.",
        )  # fmt: skip
    if lacks_rows:
        raise refusal(
            "FROM", "may hold any number of rows of a person",
            "Say how many count at most: --rows 5, or max_rows_per_group = 5 in OPTIONS; or the "
            "owner declares rows_per_person.",
        )  # fmt: skip


def limited(  # noqa: PLR0913, PLR0917 - what is limited, to what, and by which lots
    rows: str,
    columns: Sequence[str],
    n_keys: int,
    limits: PersonLimits,
    dialect: QueryDialect,
    key: str,
) -> str:
    """Write the rows that count; which do is decided by lot, for each person alone.

    Lots are drawn for the people alone who are beyond a limit: sorting takes most of the time.

    Parameters
    ----------
    columns : all but the person, the keys first
    key : of the lots
    """
    keys = columns[:n_keys]
    of_rows = ", ".join([dialect.lot(key, ["p", *columns]), *columns])
    of_groups = ", ".join([dialect.lot(key, ["p", *keys]), *keys])
    group = ", ".join(["p", *keys])
    windows = {
        "rows": (f"row_number() OVER (PARTITION BY {group} ORDER BY {of_rows})", limits.rows),
        "groups": (f"dense_rank() OVER (PARTITION BY p ORDER BY {of_groups})", limits.groups),
        "rows_in_all": (
            f"row_number() OVER (PARTITION BY p ORDER BY {of_rows})", limits.rows_in_all,
        ),
    }  # fmt: skip
    needed = [name for name in windows if name in limits.windows]
    if not needed:
        return rows
    listed = ", ".join(["p", *columns])
    exceeded = {"rows": "max(n)", "groups": "count(*)", "rows_in_all": "sum(n)"}
    beyond = " OR ".join(f"{exceeded[name]} > {windows[name][1]}" for name in needed)
    found = "EXISTS (SELECT 1 FROM crowded WHERE crowded.p = given.p)"
    many = f"SELECT {listed} FROM given WHERE {found}"  # noqa: S608 - our own names
    for name in needed:
        many = numbered(many, ["p", *columns], *windows[name])
    is_one = limits.rows == 1 and "rows" not in needed
    counted = (
        "SELECT p, 1 AS n FROM given"
        if is_one
        else (
            f"SELECT p, count(*) AS n FROM given GROUP BY {group}"  # noqa: S608
        )
    )
    return (
        f"WITH given AS MATERIALIZED ({rows}), crowded AS MATERIALIZED (SELECT p FROM "  # noqa: S608
        f"({counted}) AS g GROUP BY p HAVING {beyond}) "
        f"SELECT {listed} FROM given WHERE NOT {found} UNION ALL {many}"
    )


def numbered(rows: str, columns: Sequence[str], window: str, most: int) -> str:
    """Write the rows whose number within a window is small enough."""
    listed = ", ".join(columns)
    return (
        f"SELECT {listed} FROM (SELECT {listed}, {window} AS place FROM ({rows}) AS w) AS w "  # noqa: S608
        f"WHERE place <= {most}"
    )


def cells_of(sizes: Sequence[int | None]) -> int | None:
    """Return how many groups there can be, where all keys have known values."""
    known = [size for size in sizes if size is not None]
    return math.prod(known) if len(known) == len(sizes) else None
