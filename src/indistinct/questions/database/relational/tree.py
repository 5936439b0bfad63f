"""A question as a tree of our own words; every node writes itself in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any, cast, final

from indistinct.questions.database.relational.typed import Value
from indistinct.questions.database.relational.words import MEASURES

Scalar = Fraction | str | bool | None
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}


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
class BoundColumn:
    """What a name stands for: a column of a source, whatever the question calls both.

    Parameters
    ----------
    at : its place, which alone tells it from other columns
    column, source : as it was written
    """

    at: str
    column: str = field(compare=False)
    source: str = field(compare=False)
    value: Value = field(compare=False, repr=False)

    @property
    def of(self) -> str:
        """Return the source, as we call it."""
        return self.at.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.source}.{self.column}" if self.source else self.column


@final
@dataclass(frozen=True, slots=True)
class Constant:
    """A number, text, truth or NULL, or the date that a text after DATE is.

    Parameters
    ----------
    kind : DATE, TIMESTAMP, or BOOLEAN, so that true is not 1; else empty
    """

    value: Scalar
    kind: str = ""

    @property
    def place(self) -> int:
        """Return a whole number as one; 0 for all else."""
        is_whole = isinstance(self.value, Fraction) and self.value.denominator == 1
        return int(self.value) if is_whole and isinstance(self.value, Fraction) else 0

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


Expression = (
    Name | BoundColumn | Constant | Call | Operation | Negation | IsNull | Among | Occurs | Case
)
Bound = Expression  # that holds columns for names


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


def mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree with each node changed, from the inside out; selects stay as they are."""
    if isinstance(node, Select):
        return node
    return change(with_parts(node, lambda part: mapped(part, change)))


def with_parts(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node or several with all that they hold changed; what holds no nodes is as it is."""
    if isinstance(node, tuple):
        return tuple(change(one) for one in cast("tuple[Any, ...]", node))
    if not is_dataclass(node) or isinstance(node, type | Name | BoundColumn | Constant):
        return node
    return replace(node, **{one.name: change(getattr(node, one.name)) for one in fields(node)})


def walked(node: Any, within: Callable[[Any], bool] = lambda _: True) -> Iterator[Any]:
    """List the nodes of a tree from the outside; those in a select are not its own.

    Parameters
    ----------
    within : whether the inside of a node is listed, too
    """
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            pending += reversed(cast("tuple[Any, ...]", one))
        elif is_dataclass(one) and not isinstance(one, Select):
            yield one
            if not isinstance(one, Name | BoundColumn | Constant) and within(one):
                pending += [getattr(one, part.name) for part in reversed(fields(one))]


def is_measure(node: Any) -> bool:
    """Return whether a node is a measure."""
    return isinstance(node, Call) and node.name in MEASURES


def measures_in(node: Any) -> Iterator[Call]:
    """List the measures in an expression, from the outside; none within another one."""
    return (one for one in walked(node, lambda one: not is_measure(one)) if is_measure(one))


def conjuncts(node: Expression, word: str = "AND") -> Iterator[Expression]:
    """List the parts of a chain of AND, or of OR."""
    pending = [node]
    while pending:
        one = pending.pop()
        if isinstance(one, Operation) and one.operator == word:
            pending += [one.right, one.left]
        else:
            yield one


def normal(node: Any) -> Any:
    """Return a question in one writing, so that what was paid for is found again.

    The conditions of a chain stand in an order of their own, each once.
    """
    if isinstance(node, Operation) and node.operator in {"AND", "OR"}:
        parts = {normal(part) for part in conjuncts(node, node.operator)}
        first, *rest = sorted(parts, key=str)
        return reduce(lambda left, right: Operation(node.operator, left, right), rest, first)
    match with_parts(node, normal):
        case Operation(operator, Constant() as left, right) if (
            operator in MIRRORED and not isinstance(right, Constant)
        ):
            return Operation(MIRRORED[operator], right, left)
        case Among(inner, values):
            listed = tuple(sorted(set(values), key=str))
            return Operation("=", inner, listed[0]) if len(listed) == 1 else Among(inner, listed)
        case other:
            return other
