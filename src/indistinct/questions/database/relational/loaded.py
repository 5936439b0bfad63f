"""Declared tables as they are read: typed, without rows of nobody, and unique by lot."""

from __future__ import annotations

from collections.abc import Callable

from indistinct.questions.database.preparation import double, literal, quoted
from indistinct.questions.database.relational.dialect import FIRST_DATE, LAST_DATE, QueryDialect
from indistinct.questions.database.relational.lots import numbered
from indistinct.questions.database.tables import DeclaredTable, TypedColumn

Cast = Callable[[str, str], str]


def typed(table: DeclaredTable, source: str, cast: Cast) -> str:
    """Write the rows of a table with columns p, c0, c1...; every cast gives null where it fails."""
    written: list[str] = []
    if table.person:
        written.append(f"{cast(quoted(table.person), 'id')} AS p")
    for at, column in enumerate(table.columns.values()):
        written.append(f"{read(column, cast)} AS c{at}")
    where = f" WHERE {quoted(table.person)} IS NOT NULL" if table.person else ""
    return f"SELECT {', '.join(written)} FROM {source}{where}"  # noqa: S608 - quoted


def read(column: TypedColumn, cast: Cast) -> str:
    """Write a column as a value of its type."""
    if column.edges:
        number = cast(quoted(column.of), "number")
        cases = " ".join(
            f"WHEN {number} < {double(edge)} THEN {literal(str(label))}"
            for edge, label in zip(column.edges, column.values, strict=False)
        )
        last = literal(str(column.values[-1]))
        return f"CASE WHEN {number} IS NULL THEN NULL {cases} ELSE {last} END"
    value = cast(quoted(column.name), column.kind)
    if column.missing is not None:
        return f"coalesce({value}, {double(column.missing)})"
    if column.kind in {"date", "timestamp"}:
        low, high = column.low or FIRST_DATE, column.high or LAST_DATE
        day = f"CAST({value} AS DATE)"
        return f"CASE WHEN {day} BETWEEN DATE '{low}' AND DATE '{high}' THEN {value} END"
    return value


def unique(table: DeclaredTable, rows: str, dialect: QueryDialect, key: str) -> str:
    """Write the rows that stay: one per person and key, and so many per person, by lot.

    Which rows of a person stay depends on that person's rows alone. Of a public table, one row per
    key stays.
    """
    columns = [f"c{at}" for at in range(len(table.columns))]
    person = ["p"] if table.person else []
    order = ", ".join([dialect.lot(key, [*person, *columns]), *columns])
    places = {name.casefold(): f"c{at}" for at, name in enumerate(table.columns)}
    if table.key:
        own = [places[one.casefold()] for one in table.key if one != table.person]
        window = f"row_number() OVER (PARTITION BY {', '.join([*person, *own])} ORDER BY {order})"
        rows = numbered(rows, [*person, *columns], window, 1)
    most = table.rows_per_person
    if most is not None:
        window = f"row_number() OVER (PARTITION BY p ORDER BY {order})"
        rows = numbered(rows, [*person, *columns], window, most)
    return rows
