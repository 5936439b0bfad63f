"""A subquery with GROUP BY: one row per person and keys.

Numbers are clipped, counted in whole steps and added as integers, so that the order of rows changes
nothing; the rows that tie for ARG_MIN and ARG_MAX are told apart by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, cast

from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational.constants import wrong
from indistinct.questions.database.relational.expressions import Writer
from indistinct.questions.database.relational.scopes import (
    JoinedSources,
    Relation,
    outputs,
    written,
)
from indistinct.questions.database.relational.tree import (
    Call,
    Constant,
    Expression,
    Item,
    Name,
    Select,
)
from indistinct.questions.database.relational.units import Units, units_of
from indistinct.questions.database.relational.values import Value
from indistinct.questions.database.relational.vocabulary import MEASURES
from indistinct.questions.database.relational.words import refusal

ONE = Fraction(1)
WriterOf = Callable[[JoinedSources, Mapping[str, Value] | None], Writer]


def group_nodes(select: Select, scope: JoinedSources) -> list[Expression]:
    """Return what a select groups by; a number or an alias stands for what is selected."""
    found: list[Expression] = []
    for node in select.groups:
        one = node
        if isinstance(node, Constant) and isinstance(node.value, Fraction):
            place = int(node.value)
            if node.value.denominator != 1 or not 1 <= place <= len(select.items):
                raise wrong(node, "is no place of what is selected", "Write GROUP BY 1.")
            one = select.items[place - 1].expression
        elif isinstance(node, Name) and not node.source and not has_column(scope, node):
            one = aliased(select.items, node)
        if str(one) not in map(str, found):
            found.append(one)
    return found


def has_column(scope: JoinedSources, name: Name) -> bool:
    """Return whether a name is a column of a source."""
    column = name.column.casefold()
    return any(column in one.columns for one in scope.sources.values())


def aliased(items: Sequence[Item], name: Name) -> Expression:
    """Return what an alias stands for; the name itself where it is none."""
    for item in items:
        if item.alias.casefold() == name.column.casefold():
            return item.expression
    return name


def measures_in(node: Any) -> Iterator[Call]:
    """List the measures in an expression, from the outside."""
    if isinstance(node, Call) and node.name in MEASURES:
        yield node
    elif isinstance(node, tuple):
        for part in cast("tuple[Any, ...]", node):
            yield from measures_in(part)
    elif is_dataclass(node):
        for part in fields(node):
            yield from measures_in(getattr(node, part.name))


def grouped(  # noqa: PLR0913, PLR0917 - the words, the scope, and what writes them
    select: Select,
    scope: JoinedSources,
    where: str,
    fresh: Callable[[], str],
    writer_of: WriterOf,
    carried: Sequence[str],
) -> Relation:
    """Make the relation of a subquery that groups by the person.

    Parameters
    ----------
    fresh : makes a name of our own
    writer_of : makes the writer of a scope, in which some expressions are written already
    carried : what is stored of the person beside each row
    """
    writer = writer_of(scope, None)
    nodes = group_nodes(select, scope)
    values = [writer.write(node) for node in nodes]
    if not any(value.kind == "person" and not value.nullable for value in values):
        raise refusal(
            "GROUP BY in a subquery", "must name the person",
            "Add the person column to GROUP BY and SELECT.",
        )  # fmt: skip
    inner, name = fresh(), fresh()
    selected = [f"{scope.person} AS p", *(f"min({scope.anchor}.{one}) AS {one}" for one in carried)]
    known: dict[str, Value] = {}
    keys: list[tuple[str, Value]] = []
    for node, value in zip(nodes, values, strict=True):
        at = f"{inner}.p" if value.kind == "person" else f"{inner}.k{len(keys)}"
        if value.kind != "person":
            selected.append(f"{value.sql} AS k{len(keys)}")
            keys.append((value.sql, value))
        known[str(node)] = replace(value, sql=at, origin=at)
    parts = (select.items, select.having)
    for place, call in enumerate(dict.fromkeys(measures_in(parts))):
        value = aggregate(call, writer, scope.rows)
        selected.append(f"{value.sql} AS a{place}")
        known[str(call)] = replace(value, sql=f"{inner}.a{place}", origin=f"{inner}.a{place}")
    by = ", ".join([scope.person, *(sql for sql, _ in keys)])
    body = f"(SELECT {', '.join(selected)} FROM {scope.sql}{where} GROUP BY {by}) AS {inner}"  # noqa: S608

    def find(node: Name) -> Value:
        return lost(node, scope, known)

    outer = replace(writer_of(scope, known), find=find)
    found = [outer.write(item.expression) for item in select.items]
    having = "" if select.having is None else f" WHERE {outer.condition(select.having).sql}"
    listed = written(found)
    columns, moved = outputs(name, select.items, found)
    all_keys = frozenset(f"{inner}.k{place}" for place in range(len(keys)))
    unique = frozenset(
        frozenset(moved[one] for one in all_keys) for _ in [0] if all_keys <= moved.keys()
    )
    rows = 1 if not keys else scope.rows
    of_person = ", ".join(f"{inner}.{one} AS {one}" for one in ("p", *carried))
    sql = f"(SELECT {of_person}, {listed} FROM {body}{having}) AS {name}"  # noqa: S608
    return Relation(
        sql, name, columns, owned=True, rows=rows, unique=unique,
        factors=scope.factors if keys else (), read=scope.read if keys else 1,
    )  # fmt: skip


def lost(node: Name, scope: JoinedSources, known: dict[str, Value]) -> Value:
    """Find a key by its column, however it is written; refuse what is no key."""
    value = scope.find(node)
    for text, one in known.items():
        if one.declared == value.declared != ("", "") and text.split(".")[-1] == node.column:
            return one
    raise wrong(node, "is neither grouped by nor within a measure", "Add it to GROUP BY.")


def aggregate(call: Call, writer: Writer, rows: int | None) -> Value:
    """Write an aggregate over the rows of one person and keys."""
    where = ""
    if call.filtered is not None:
        where = f" FILTER (WHERE {writer.condition(call.filtered).sql})"
    most = None if rows is None else Fraction(rows)
    double_type = "DOUBLE PRECISION"
    if call.name == "COUNT":
        inner = "*"
        if call.arguments:
            inner = ("DISTINCT " if call.distinct else "") + writer.write(call.arguments[0]).sql
        sql = f"CAST(count({inner}){where} AS {double_type})"
        return Value(sql, "number", Fraction(0) if most else None, most, ONE, nullable=False)
    value = writer.write(call.arguments[0])
    plain = replace(value, origin="", declared=("", ""), nullable=True)
    match call.name:
        case "MIN" | "MAX":
            if value.kind in {"bool", "id", "person"}:
                raise wrong(
                    call, f"takes the {call.name} of no number, date or text", "Use a number."
                )
            return replace(plain, sql=f"{call.name.lower()}({value.sql}){where}")
        case "BOOL_OR":
            condition = writer.condition(call.arguments[0])
            return Value(f"bool_or({condition.sql}){where}", "bool", values=(False, True))
        case "ARG_MIN" | "ARG_MAX":
            return argument(call, writer, plain)
        case "SUM" | "AVG":
            return added(call, writer, rows, where)
        case _:
            raise wrong(call, "is not answered in a subquery", "Use SUM, AVG, COUNT, MIN or MAX.")


def argument(call: Call, writer: Writer, value: Value) -> Value:
    """Write the value of the row where another one is least or greatest."""
    by = writer.write(call.arguments[1])
    known = f"{by.sql} IS NOT NULL"
    if call.filtered is not None:
        known = f"{known} AND {writer.condition(call.filtered).sql}"
    down = call.name == "ARG_MAX"
    return replace(value, sql=writer.dialect.first(value.sql, by.sql, known, down=down))


def added(call: Call, writer: Writer, rows: int | None, where: str) -> Value:
    """Write a sum or mean of whole steps."""
    value = writer.number(call.arguments[0])
    units: Units = units_of(value, call)
    total = f"CAST(sum({units.sql(value.sql)}){where} AS DOUBLE PRECISION) * {double(units.step)}"
    low, high = units.low * units.step, units.high * units.step
    if call.name == "SUM":
        bounded = rows is not None
        return Value(
            f"({total})", "number",
            min(Fraction(0), low * (rows or 0)) if bounded else None,
            max(Fraction(0), high * (rows or 0)) if bounded else None,
            units.step, size=1e30,
        ).checked()  # fmt: skip
    sql = f"({total} / NULLIF(count({value.sql}){where}, 0))"
    return Value(sql, "number", low, high, size=1e15).checked()
