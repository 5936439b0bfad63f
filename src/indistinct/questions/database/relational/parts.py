"""Measures -> parts: vectors of whole numbers that noise is added to, each named once."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from indistinct.questions.database.relational.functions import Writer
from indistinct.questions.database.relational.limits import PersonLimits, Reach, reach
from indistinct.questions.database.relational.tree import Call, Constant
from indistinct.questions.database.relational.typed import Value, wrong
from indistinct.questions.database.relational.units import NO_UNITS, Units, units_of
from indistinct.questions.database.relational.words import PERSON_FIRST
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.mechanisms.calibration import LARGEST_SENSITIVITY

OF_ONE_ROW = frozenset({"MIN", "MAX", "BOOL_OR", "ARG_MIN", "ARG_MAX"})
MEANS = {"AVG": "mean", "VARIANCE": "variance", "VAR_POP": "variance", "VAR_SAMP": "variance",
         "STDDEV": "deviation", "STDDEV_POP": "deviation", "STDDEV_SAMP": "deviation"}  # fmt: skip
LABELS = {"people": "persons"}
FINEST_SHARE = 10**4
LARGEST_SUM = 2**50
GRID = 2**10  # units of a whole number, so that cutting a person's numbers off loses little
Number = tuple[str, Units]  # as it is written, and in which steps it is added up


@final
@dataclass(frozen=True, slots=True)
class Part:
    """One vector of whole numbers over the groups.

    Parameters
    ----------
    kind : count, people, sum, squares or ranks
    number : the number that is added up, as it is written; empty where rows are counted
    condition : of the rows that count, as it is written; empty for all
    units : of that number
    most : what one row adds at most
    worth : of one whole number in the answer
    grid : units that are counted for one whole number
    """

    kind: str
    number: str = ""
    condition: str = ""
    units: Units = NO_UNITS
    most: int = 1
    worth: float = 1.0
    share: Fraction = Fraction(0)
    grid: int = 1

    @property
    def name(self) -> str:
        """Return what tells it from all other parts over the same rows, keys and limits."""
        text = repr((self.kind, self.number, self.condition, self.units, self.share, self.grid))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def weight(self) -> int:
        """Return the part's share of the price, against that of a count."""
        return 2 if self.kind in {"centred", "squares", "ranks"} else 1

    @property
    def unit(self) -> float:
        """Return what one unit is worth in the answer."""
        return self.worth / self.grid

    def whole(self, units: int) -> int:
        """Return units as a whole number, rounded half up."""
        return (units + self.grid // 2) // self.grid

    def on_grid(self, limits: PersonLimits) -> Part:
        """Count it in units of the grid, unless nobody is scaled or they would be too many."""
        fine = replace(self, grid=GRID)
        is_large = self.most >= GRID and self.kind != "ranks"
        is_coarse = is_large or fine.reach(limits).total > LARGEST_SENSITIVITY
        return self if is_coarse or self.is_within(limits) else fine

    def reach(self, limits: PersonLimits) -> Reach:
        """Return how far one person moves the vector, in units."""
        sizes = self.sizes(limits)
        wholes = sizes if self.kind == "sum" else sizes.times(self.most)
        return wholes.times(self.grid)

    def sizes(self, limits: PersonLimits) -> Reach:
        """Return the norms of what a person may have in all groups together: see :meth:`size`."""
        rows = self.rows_per_group(limits)
        most = self.most if self.kind == "sum" else 1
        if limits.full_groups is None:
            return reach(limits.groups, rows, limits.rows_in_all).times(most)
        # A whole number is at most its square, so that sizes add up to no more than their squares.
        squares = limits.full_groups * (rows * most) ** 2
        return Reach(squares, squares)

    def rows_per_group(self, limits: PersonLimits) -> int:
        """Return how many rows of a person count in one group at most."""
        return 1 if self.kind == "people" else min(limits.rows, limits.rows_in_all)

    def is_within(self, limits: PersonLimits) -> bool:
        """Return whether reading leaves nobody more rows than count in full.

        All rows of a person may be in one group, or each in a group of its own. People count once
        in a group, so that nobody is beyond the limit where all rows are one group.
        """
        if self.kind == "people" and not limits.is_grouped:
            return True
        if limits.read is None:
            return False
        if self.kind == "ranks":
            return limits.read <= self.rows_per_group(limits)
        if self.kind == "people":
            return limits.read <= self.sizes(limits).squares
        return limits.read**2 <= replace(self, kind="count").sizes(limits).squares

    def exempt(self, limits: PersonLimits, accounting: Accounting) -> int:
        """Return with how many rows in all a person counts in full, however they lie.

        A sum is at most as many times what a row adds. Rows are counted for people, so that they
        are the same for people of one row alone.
        """
        if self.kind == "people":
            return 1
        sizes = replace(self, kind="count").sizes(limits)
        is_pure = accounting is Accounting.PURE
        return sizes.total if is_pure else math.isqrt(sizes.squares)

    def size(self, numbers: dict[Number, str], conditions: dict[str, str]) -> str:
        """Write what the norm of a person is of: of a sum itself, else the rows that count.

        A mean and its count are then scaled alike, whatever the person's numbers are.
        """
        kind = "sum" if self.kind == "sum" else "count"
        return replace(self, kind=kind).aggregate(numbers, conditions)

    def of_person(self, numbers: dict[Number, str], conditions: dict[str, str]) -> str:
        """Write what the engine counts of one person in one group; rows for people."""
        kind = "count" if self.kind == "people" else self.kind
        return replace(self, kind=kind).aggregate(numbers, conditions)

    def bounded(self, column: str) -> str:
        """Write what :meth:`of_person` counted: once for people, and sums with room for squares."""
        match self.kind:
            case "people":
                return f"least({column}, 1)"
            case "sum":
                return f"CAST(greatest(-{LARGEST_SUM}, least({LARGEST_SUM}, {column})) AS BIGINT)"
            case _:
                return column

    def aggregate(self, numbers: dict[Number, str], conditions: dict[str, str]) -> str:
        """Write what the engine counts.

        Parameters
        ----------
        numbers, conditions : the columns in which they stand
        """
        where = f" FILTER (WHERE {conditions[self.condition]})" if self.condition else ""
        x = numbers.get((self.number, self.units), "")
        match self.kind:
            case "people":
                return f"count(DISTINCT p){where}"
            case "sum":
                return f"coalesce(sum({x}){where}, 0)"
            case "centred":
                return f"coalesce(sum({x} - {self.units.middle}){where}, 0)"
            case "squares":
                centred, off = f"({x} - {self.units.middle})", self.units.half_square
                return f"coalesce(sum({centred} * {centred} - {off}){where}, 0)"
            case _:
                return f"count({x or '*'}){where}"


@final
@dataclass(frozen=True, slots=True)
class Measure:
    """A measure and the parts that it is made of.

    Parameters
    ----------
    kind : count, people, sum, mean, variance, deviation or quantile
    """

    kind: str
    parts: tuple[Part, ...]

    @property
    def label(self) -> str:
        """Name it where the question does not."""
        is_median = self.kind == "quantile" and self.parts[0].share == Fraction(1, 2)
        return "median" if is_median else LABELS.get(self.kind, self.kind)


def measure_of(call: Call, writer: Writer) -> Measure:
    """Return the parts of a measure; refuse what would show one person."""
    if call.name in OF_ONE_ROW:
        (inner,) = call.arguments[:1]
        share = "0.01" if call.name.endswith("MIN") else "0.99"
        is_end = call.name in {"MIN", "MAX"}
        way = f"Write QUANTILE({inner}, {share})." if is_end else PERSON_FIRST
        raise wrong(call.name, "would show one person", way)
    condition = "" if call.filtered is None else writer.where(call.filtered)
    if call.name == "COUNT":
        return counted(call, writer, condition)
    node = call.arguments[0]
    value = writer.tried(node, writer.number(node))
    units = units_of(value, call)
    number, step = value.sql, float(units.step)
    count = Part("count", "", known(value, condition))
    if call.name == "SUM":
        return Measure("sum", (Part("sum", number, condition, units, units.farthest, step),))
    if call.name in {"MEDIAN", "QUANTILE"}:
        return Measure("quantile", (ranks(call, value, units, condition),))
    centred = Part("centred", number, condition, units, units.radius, step)
    if call.name == "AVG":
        return Measure("mean", (count, centred))
    most = max(units.half_square, units.radius**2 - units.half_square, 1)
    squares = Part("squares", number, condition, units, most, step**2)
    return Measure(MEANS[call.name], (count, centred, squares))


def counted(call: Call, writer: Writer, condition: str) -> Measure:
    """Return the part of a count of rows, of known values or of people."""
    if not call.arguments:
        return Measure("count", (Part("count", "", condition),))
    value = writer.whole(call.arguments[0])
    if call.distinct and value.kind != "person":
        raise wrong(
            call, "is not answered: one person can have many values",
            "Write COUNT(DISTINCT person), or group by it and count the groups shown.",
        )  # fmt: skip
    kind = "people" if call.distinct else "count"
    return Measure(kind, (Part(kind, "", known(value, condition)),))


def known(value: Value, condition: str) -> str:
    """Write the condition that a value is known, beside another one."""
    if not value.nullable:
        return condition
    is_known = f"({value.sql} IS NOT NULL)"
    return f"({condition} AND {is_known})" if condition else is_known


def ranks(call: Call, value: Value, units: Units, condition: str) -> Part:
    """Return the part of a quantile: ranks, counted in shares of rows."""
    share = Fraction(1, 2)
    if call.name == "QUANTILE":
        given = call.arguments[1]
        number = given.value if isinstance(given, Constant) else None
        share = number if isinstance(number, Fraction) else Fraction(0)
        if not 0 < share < 1 or share.denominator > FINEST_SHARE:
            raise wrong(call, "has no share between 0 and 1", "Write QUANTILE(x, 0.9).")
    most = max(share.numerator, share.denominator - share.numerator)
    return Part("ranks", value.sql, condition, units, most, 1 / share.denominator, share)
