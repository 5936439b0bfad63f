"""The sources of a select under names of ours, and what is known of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, cast, final

from indistinct.questions.database.relational.constants import wrong
from indistinct.questions.database.relational.tree import (
    Expression,
    Item,
    Join,
    Name,
    NamedSource,
    Operation,
    Select,
)
from indistinct.questions.database.relational.values import Value
from indistinct.questions.database.relational.words import refusal

Unique = frozenset[frozenset[str]]


@final
@dataclass(frozen=True, slots=True)
class Relation:
    """A source under a name of ours.

    Parameters
    ----------
    sql : what stands in FROM, with the name
    name : ours
    columns : by name in small letters
    rows : of one person, at most; None if not known
    unique : sets of columns, each of which tells the rows of one person apart
    table : the declared table that it is, if it is one
    factors : columns whose product bounds the rows of a person
    read : rows of a person that reading leaves, at most; None if not declared
    """

    sql: str
    name: str
    columns: Mapping[str, Value]
    owned: bool
    rows: int | None
    unique: Unique
    table: str = ""
    factors: tuple[str, ...] = ()
    read: int | None = 1


@final
@dataclass(frozen=True, slots=True)
class JoinedSources:
    """The sources of a select, joined.

    Parameters
    ----------
    person : where the person stands
    sources : by the name in the question
    steady : sources of which all rows of a person have the same values
    factors : columns of the person whose product bounds the rows of that person
    read : rows of one person that reading leaves at most; None if not declared
    """

    sql: str
    person: str
    sources: Mapping[str, Relation]
    owned: bool
    rows: int | None
    unique: Unique
    steady: frozenset[str]
    factors: tuple[str, ...] = ()
    read: int | None = 1
    using: Mapping[str, Value] = field(default_factory=dict[str, Value])

    @property
    def anchor(self) -> str:
        """Return the source whose rows are never missing."""
        return self.person.partition(".")[0]

    def find(self, name: Name) -> Value:
        """Find the value of a name."""
        column, source = name.column.casefold(), name.source.casefold()
        if source and source not in self.sources:
            raise refusal(str(name), "names no source of the question", "Check the alias.")
        if not source and column in self.using:
            return self.using[column]
        places = [self.sources[source]] if source else list(self.sources.values())
        found = [one.columns[column] for one in places if column in one.columns]
        if len(found) > 1 and all(one.kind == "person" for one in found):
            found = found[:1]
        if not found:
            raise refusal(
                str(name), "is no declared column here",
                "The owner of the data declares columns: [columns.NAME] with a type.",
            )  # fmt: skip
        if len(found) > 1:
            raise refusal(str(name), "stands in several sources", "Write its source before it.")
        return found[0]

    def is_steady(self, node: Expression) -> bool:
        """Return whether an expression is the same for all rows of a person."""
        return all(
            self.find(name).kind == "person" or self.find(name).origin.split(".")[0] in self.steady
            for name in names_in(node)
        )


def alone(relation: Relation, name: str) -> JoinedSources:
    """Return the scope of one source."""
    steady = relation.owned and frozenset() in relation.unique
    return JoinedSources(
        relation.sql, f"{relation.name}.p", {name: relation}, relation.owned, relation.rows,
        relation.unique, frozenset({relation.name} if steady else ()),
        relation.factors, relation.read,
    )  # fmt: skip


def is_same_for_all_rows(
    left: JoinedSources, right: Relation, pairs: Sequence[tuple[Value, Value]], *, is_left: bool
) -> bool:
    """Return whether all rows of a person get the same values from a source.

    Of a table of people with one row a person they do, unless a condition on other columns gives
    some rows a match and others none; of a public table where what is looked up is the same.
    """
    if not right.owned:
        return all(a.origin.split(".")[0] in left.steady for a, _ in pairs)
    only_persons = all(b.kind == "person" for _, b in pairs)
    return frozenset() in right.unique and (not is_left or only_persons)


def outputs(
    name: str, items: Sequence[Item], values: Sequence[Value]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Name the columns of a subquery; give where each column of its sources went."""
    columns: dict[str, Value] = {}
    moved: dict[str, str] = {}
    for place, (item, value) in enumerate(zip(items, values, strict=True)):
        node = item.expression
        called_ = item.alias or (node.column if isinstance(node, Name) else "")
        if not called_:
            raise wrong(node, "has no name in a subquery", "Give it one: ... AS n.")
        if called_.casefold() in columns:
            raise wrong(node, "has the name of another column", "Give it another alias.")
        at = f"{name}.c{place}"
        if value.kind == "person" and not value.nullable:
            at = f"{name}.p"
        kind = "text" if value.kind == "null" else value.kind
        columns[called_.casefold()] = replace(value, kind=kind, sql=at, origin=at)
        if value.origin:
            moved[value.origin] = at
    return columns, moved


def written(values: Sequence[Value]) -> str:
    """Write the columns of a subquery; one that is always missing is a text, as it is called."""
    listed = ["CAST(NULL AS VARCHAR)" if value.kind == "null" else value.sql for value in values]
    return ", ".join(f"{sql} AS c{place}" for place, sql in enumerate(listed))


def called(source: NamedSource) -> str:
    """Return the name of a source in the question."""
    name = source.alias or source.table.rpartition(".")[2]
    if not name:
        raise refusal("a subquery", "has no name", "Give it an alias: (SELECT ...) AS t.")
    return name.casefold()


def conjuncts(join: Join) -> Iterator[Expression]:
    """List the conditions of a join that all must hold."""
    pending = [] if join.on is None else [join.on]
    while pending:
        node = pending.pop()
        if isinstance(node, Operation) and node.operator == "AND":
            pending += [node.left, node.right]
        else:
            yield node


def is_equation(node: Expression) -> bool:
    """Return whether a condition equates two columns."""
    return (
        isinstance(node, Operation)
        and node.operator == "="
        and isinstance(node.left, Name)
        and isinstance(node.right, Name)
    )


def equated(
    both: JoinedSources, left: JoinedSources, right: Relation, join: Join
) -> Iterator[tuple[Value, Value]]:
    """List the pairs of a column of the left and one of the right that a join equates."""
    for one in join.using:
        column = one.casefold()
        if column not in right.columns:
            raise refusal(one, "is no column of both sources", "Write ON a.x = b.y.")
        yield left.find(Name(one)), right.columns[column]
    for node in conjuncts(join):
        if is_equation(node) and isinstance(node, Operation):
            pair = [both.find(one) for one in (node.left, node.right) if isinstance(one, Name)]
            pair.sort(key=lambda value: value.origin.startswith(f"{right.name}."))
            a, b = pair
            is_across = not a.origin.startswith(f"{right.name}.")
            if is_across and b.origin.startswith(f"{right.name}."):
                yield a, b


def names_in(node: Any) -> Iterator[Name]:
    """List the names in an expression; those in a select are not its own."""
    if isinstance(node, Name):
        yield node
    elif isinstance(node, tuple):
        for part in cast("tuple[Any, ...]", node):
            yield from names_in(part)
    elif is_dataclass(node) and not isinstance(node, Select):
        for part in fields(node):
            yield from names_in(getattr(node, part.name))
