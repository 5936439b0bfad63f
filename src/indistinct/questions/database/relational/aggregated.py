"""Aggregates over the rows of one person and keys, in a subquery.

Numbers are clipped, counted in whole steps and added as integers, so that the order of rows changes
nothing; the rows that tie for ARG_MIN and ARG_MAX are told apart by value.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational.functions import Writer
from indistinct.questions.database.relational.tree import Call, Constant
from indistinct.questions.database.relational.typed import Value, wrong
from indistinct.questions.database.relational.units import Units, units_of

ONE = Fraction(1)


def aggregate(call: Call, writer: Writer, rows: int | None) -> Value:
    """Write an aggregate over the rows of one person and keys."""
    where = ""
    if call.filtered is not None:
        where = f" FILTER (WHERE {writer.where(call.filtered)})"
    most = None if rows is None else Fraction(rows)
    double_type = "DOUBLE PRECISION"
    if call.name == "COUNT":
        inner = "*"
        if call.arguments:
            inner = ("DISTINCT " if call.distinct else "") + writer.whole(call.arguments[0]).sql
        sql = f"CAST(count({inner}){where} AS {double_type})"
        return Value(sql, "number", Fraction(0) if most else None, most, ONE, nullable=False)
    value = writer.whole(call.arguments[0])
    plain = replace(value, declared=("", ""), nullable=True)
    match call.name:
        case "MIN" | "MAX":
            if value.kind in {"bool", "id", "person"}:
                raise wrong(
                    call, f"takes the {call.name} of no number, date or text", "Use a number."
                )
            return replace(plain, sql=f"{call.name.lower()}({value.sql}){where}")
        case "BOOL_OR":
            condition = writer.where(call.arguments[0])
            return Value(f"bool_or({condition}){where}", "bool", values=(False, True))
        case "ARG_MIN" | "ARG_MAX":
            return argument(call, writer, plain)
        case "SUM" | "AVG":
            return added(call, writer, rows, where)
        case _:
            raise wrong(call, "is not answered in a subquery", "Use SUM, AVG, COUNT, MIN or MAX.")


def argument(call: Call, writer: Writer, value: Value) -> Value:
    """Write the value of the row where another one is least or greatest."""
    by = writer.whole(call.arguments[1])
    known = f"{by.sql} IS NOT NULL"
    if call.filtered is not None:
        known = f"{known} AND {writer.where(call.filtered)}"
    sql = value.sql
    if isinstance(call.arguments[0], Constant):  # a constant alone is no order
        sql = writer.dialect.as_kind(sql, value.kind)
    down = call.name == "ARG_MAX"
    return replace(value, sql=writer.dialect.first(sql, by.sql, known, down=down))


def added(call: Call, writer: Writer, rows: int | None, where: str) -> Value:
    """Write a sum or mean of whole steps."""
    (node,) = call.arguments
    value = writer.tried(node, writer.number(node))
    units: Units = units_of(value, call)
    total = f"CAST(sum({units.sql(value.sql)}){where} AS DOUBLE PRECISION) * {double(units.step)}"
    low, high = units.low * units.step, units.high * units.step
    if call.name == "SUM":
        bounded = rows is not None
        return Value(
            f"({total})", "number",
            min(Fraction(0), low * (rows or 0)) if bounded else None,
            max(Fraction(0), high * (rows or 0)) if bounded else None,
            units.step,
        ).checked()  # fmt: skip
    sql = f"({total} / NULLIF(count({value.sql}){where}, 0))"
    return Value(sql, "number", low, high).checked()
