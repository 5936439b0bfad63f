"""A question as a tree of our own words; every node writes itself in one way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

Scalar = Fraction | str | bool | None


@final
@dataclass(frozen=True, slots=True)
class Name:
    """A column, perhaps with the name of its source."""

    column: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.source}.{self.column}" if self.source else self.column


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number, text, truth or NULL, or the date that a text after DATE is."""

    value: Scalar
    kind: str = ""

    def __str__(self) -> str:
        match self.value:
            case None:
                return "NULL"
            case bool():
                return str(self.value).upper()
            case str():
                quoted = "'" + self.value.replace("'", "''") + "'"
                return f"{self.kind} {quoted}" if self.kind else quoted
            case number:
                return str(number.numerator) if number.denominator == 1 else f"{float(number)!r}"


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A function or measure.

    Parameters
    ----------
    word : a keyword argument, such as YEAR in EXTRACT
    """

    name: str
    arguments: tuple[Expression, ...] = ()
    word: str = ""
    distinct: bool = False
    filtered: Expression | None = None

    def __str__(self) -> str:
        inner = ", ".join([*([self.word] if self.word else []), *map(str, self.arguments)])
        inner = inner or ("*" if self.name == "COUNT" else "")
        where = "" if self.filtered is None else f" FILTER (WHERE {self.filtered})"
        return f"{self.name}({'DISTINCT ' if self.distinct else ''}{inner}){where}"


@final
@dataclass(frozen=True, slots=True)
class Operation:
    """An operator between two expressions: AND, OR, a comparison, LIKE or arithmetic."""

    operator: str
    left: Expression
    right: Expression

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@final
@dataclass(frozen=True, slots=True)
class Negation:
    """NOT or the sign minus."""

    operator: str
    inner: Expression

    def __str__(self) -> str:
        return f"({self.operator} {self.inner})"


@final
@dataclass(frozen=True, slots=True)
class IsNull:
    """Whether a value is missing."""

    inner: Expression

    def __str__(self) -> str:
        return f"({self.inner} IS NULL)"


@final
@dataclass(frozen=True, slots=True)
class Among:
    """Whether a value is one of some constants."""

    inner: Expression
    values: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"({self.inner} IN ({', '.join(map(str, self.values))}))"


@final
@dataclass(frozen=True, slots=True)
class Occurs:
    """Whether a person occurs in a select."""

    inner: Expression
    select: Select

    def __str__(self) -> str:
        return f"({self.inner} IN ({self.select}))"


@final
@dataclass(frozen=True, slots=True)
class Case:
    """The first expression whose condition holds, else another one or missing."""

    whens: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None

    def __str__(self) -> str:
        whens = " ".join(f"WHEN {one} THEN {then}" for one, then in self.whens)
        rest = "" if self.otherwise is None else f" ELSE {self.otherwise}"
        return f"CASE {whens}{rest} END"


Expression = Name | Constant | Call | Operation | Negation | IsNull | Among | Occurs | Case


@final
@dataclass(frozen=True, slots=True)
class Item:
    """What is selected, and its alias."""

    expression: Expression
    alias: str = ""

    def __str__(self) -> str:
        return f"{self.expression} AS {self.alias}" if self.alias else str(self.expression)


@final
@dataclass(frozen=True, slots=True)
class NamedSource:
    """A table or a select, under a name."""

    table: str = ""
    select: Select | None = None
    alias: str = ""

    def __str__(self) -> str:
        what = self.table if self.select is None else f"({self.select})"
        return f"{what} {self.alias}" if self.alias else what


@final
@dataclass(frozen=True, slots=True)
class Join:
    """A source joined to those before it."""

    kind: str
    source: NamedSource
    on: Expression | None = None
    using: tuple[str, ...] = ()

    def __str__(self) -> str:
        how = f"ON {self.on}" if self.on is not None else f"USING ({', '.join(self.using)})"
        return f"{self.kind} JOIN {self.source} {how}"


@final
@dataclass(frozen=True, slots=True)
class Select:
    """A select, with all its clauses."""

    items: tuple[Item, ...]
    source: NamedSource
    joins: tuple[Join, ...] = ()
    where: Expression | None = None
    groups: tuple[Expression, ...] = ()
    having: Expression | None = None
    order: tuple[tuple[Expression, bool], ...] = ()
    limit: int | None = None

    def __str__(self) -> str:
        words = [f"SELECT {', '.join(map(str, self.items))} FROM {self.source}"]  # noqa: S608 - no query
        words += map(str, self.joins)
        words += [] if self.where is None else [f"WHERE {self.where}"]
        words += [f"GROUP BY {', '.join(map(str, self.groups))}"] if self.groups else []
        words += [] if self.having is None else [f"HAVING {self.having}"]
        ordered = ", ".join(f"{one}{' DESC' if down else ''}" for one, down in self.order)
        words += [f"ORDER BY {ordered}"] if ordered else []
        words += [] if self.limit is None else [f"LIMIT {self.limit}"]
        return " ".join(words)


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """A whole question: named selects, and the one that is answered.

    Parameters
    ----------
    options : of the statement itself, as BigQuery writes them
    """

    select: Select
    named: tuple[tuple[str, Select], ...] = ()
    options: tuple[tuple[str, Fraction], ...] = ()
