"""Declared tables as they are read, in one order of steps of which none undoes another.

Cells are cast, gaps are filled, dates outside of their bounds are missing, rows of nobody are out,
tables that lead to the people of another table get these, one row stays per person and key, and so
many rows per person: both by lot. Only then are rows counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from typing import Protocol

from indistinct.base.cells.cell_reading import AS_WRITTEN, CellReading
from indistinct.questions.database.preparation import double, literal, quoted
from indistinct.questions.database.relational.dialect import FIRST_DATE, LAST_DATE, QueryDialect
from indistinct.questions.database.relational.keys import GroupKey, key_of
from indistinct.questions.database.relational.lots import numbered
from indistinct.questions.database.relational.tree import Name
from indistinct.questions.database.relational.typed import TEXTS, Value, column_value
from indistinct.questions.database.relational.units import units_between
from indistinct.questions.database.tables import DeclaredTable, TypedColumn


class Cast(Protocol):
    """Writes a column as a value of a type; null where a cell is none."""

    def __call__(self, column: str, kind: str, reading: CellReading = AS_WRITTEN) -> str:
        """Write a column, whose cells are read in some way."""
        ...


def in_order(tables: Mapping[str, DeclaredTable]) -> Iterator[tuple[int, DeclaredTable]]:
    """List the tables with their places, each after the one whose people own its rows."""
    places = {name: at for at, name in enumerate(tables)}
    leads = {
        name: [table.references[table.owner]] if table.owner else []
        for name, table in tables.items()
    }
    for name in TopologicalSorter(leads).static_order():
        yield places[name], tables[name]


def typed(table: DeclaredTable, source: str, cast: Cast) -> str:
    """Write the rows of a table with columns p, c0, c1...; every cast gives null where it fails."""
    written: list[str] = []
    where = ""
    if table.person_column:
        person = cast(quoted(table.person), "id", table.person_reading)
        written.append(f"{person} AS p")
        is_plain = table.person_reading == AS_WRITTEN
        where = f" WHERE {quoted(table.person) if is_plain else person} IS NOT NULL"
    for at, column in enumerate(table.columns.values()):
        written.append(f"{read(column, cast)} AS c{at}")
    return f"SELECT {', '.join(written)} FROM {source}{where}"  # noqa: S608 - quoted


def read(column: TypedColumn, cast: Cast) -> str:
    """Write a column as a value of its type."""
    if column.edges:
        number = cast(quoted(column.of), "number", column.reading)
        cases = " ".join(
            f"WHEN {number} < {double(edge)} THEN {literal(str(label))}"
            for edge, label in zip(column.edges, column.values, strict=False)
        )
        last = literal(str(column.values[-1]))
        return f"CASE WHEN {number} IS NULL THEN NULL {cases} ELSE {last} END"
    value = cast(quoted(column.name), column.kind, column.reading)
    if column.missing is not None:
        return f"coalesce({value}, {double(column.missing)})"
    if column.kind in {"date", "timestamp"}:
        low, high = column.low or FIRST_DATE, column.high or LAST_DATE
        day = f"CAST({value} AS DATE)"
        return f"CASE WHEN {day} BETWEEN DATE '{low}' AND DATE '{high}' THEN {value} END"
    return value


def owned(table: DeclaredTable, rows: str, other: DeclaredTable, people: str) -> str:
    """Write the rows of a table that leads to people: each once for everybody whom it leads to.

    Without a person, copies of that person alone are gone.

    Parameters
    ----------
    other, people : the table with the people, and where its rows are stored
    """
    at, key = place_of(table, table.owner), place_of(other, other.key[0])
    listed = ", ".join(f"r.{one}" for one in columns_of(table))
    return (
        f"SELECT o.p, {listed} FROM ({rows}) AS r "  # noqa: S608 - our own names
        f"JOIN (SELECT DISTINCT p, {key} AS k FROM {people}) AS o ON r.{at} = o.k"
    )


def leading(table: DeclaredTable, rows: str, other: DeclaredTable, people: str) -> str:
    """Write the query that counts the rows which lead to nobody, and those to several people.

    Parameters
    ----------
    rows : of a table that leads to people, as they are in the data
    other, people : as of :func:`owned`
    """
    at, key = place_of(table, table.owner), place_of(other, other.key[0])
    return (
        f"SELECT count(*) FILTER (WHERE o.n IS NULL), count(*) FILTER (WHERE o.n > 1) "  # noqa: S608
        f"FROM ({rows}) AS r LEFT JOIN (SELECT {key} AS k, count(DISTINCT p) AS n FROM {people} "
        f"GROUP BY {key}) AS o ON r.{at} = o.k"
    )


def unique(
    table: DeclaredTable, rows: str, dialect: QueryDialect, key: str, *, is_apart: bool = False
) -> str:
    """Write the rows that stay: one per person and key, and so many per person, by lot.

    Which rows of a person stay depends on that person's rows alone. Of a public table, one row per
    key stays.

    Parameters
    ----------
    key : of the lots
    is_apart : whether the table itself forbids a person two rows with one key
    """
    columns = columns_of(table)
    person = ["p"] if table.person else []
    order = ", ".join([dialect.lot(key, [*person, *columns]), *columns])
    if table.key and not is_apart:
        own = keys_of(table)
        window = f"row_number() OVER (PARTITION BY {', '.join([*person, *own])} ORDER BY {order})"
        rows = numbered(rows, [*person, *columns], window, 1)
    most = table.rows_per_person
    if most is not None:
        window = f"row_number() OVER (PARTITION BY p ORDER BY {order})"
        rows = numbered(rows, [*person, *columns], window, most)
    return rows


def crowded(table: DeclaredTable, name: str) -> Sequence[str]:
    """Write the queries that find a key that stands twice, or a person with too many rows."""
    queries: list[str] = []
    if table.key:
        by = ", ".join([*(["p"] if table.person else []), *keys_of(table)])
        queries.append(f"SELECT 1 FROM {name} GROUP BY {by} HAVING count(*) > 1 LIMIT 1")  # noqa: S608
    if table.rows_per_person is not None:
        most = table.rows_per_person
        queries.append(f"SELECT 1 FROM {name} GROUP BY p HAVING count(*) > {most} LIMIT 1")  # noqa: S608
    return queries


def people(rows: Mapping[str, str], lot_key: str) -> str:
    """Write the table of all people: number, text, hash, and rows in each table.

    A person's number depends on who else is there, so that it is compared with numbers of people
    alone, and lots are drawn from the hash.

    Parameters
    ----------
    rows : of tables of people, and what the count is called
    """
    each = " UNION ALL ".join(
        f"SELECT p AS t, '{count}' AS place, count(*) AS n FROM {name} GROUP BY p"  # noqa: S608
        for count, name in rows.items()
    )
    counts = ", ".join(
        f"CAST(coalesce(sum(n) FILTER (WHERE place = '{one}'), 0) AS DOUBLE) AS {one}"
        for one in rows
    )
    return (
        f"SELECT row_number() OVER (ORDER BY t) - 1 AS p, t, hash({literal(lot_key)}, t) AS h, "  # noqa: S608
        f"{counts} FROM ({each}) AS e GROUP BY t"
    )


def stored(table: DeclaredTable, rows: str, carried: Sequence[str]) -> str:
    """Write the rows with what is known of the person, numbers in whole steps and codes of keys.

    Parameters
    ----------
    carried : columns of the table of people that each row carries
    """
    listed = [f"r.{one}" for one in columns_of(table)]
    for at, column in enumerate(table.columns.values()):
        listed += [
            f"{compact(column, sql) if name[0] == 'd' else sql} AS {name}"
            for name, sql in prepared(column, "r", at)
        ]
    if not table.person:
        return f"SELECT {', '.join(listed)} FROM {rows} AS r"  # noqa: S608 - our own names
    listed = [f"who.{one}" for one in ("p", *carried)] + listed
    return f"SELECT {', '.join(listed)} FROM {rows} AS r JOIN who ON r.p = who.t ORDER BY who.p"  # noqa: S608


def prepared(column: TypedColumn, source: str, at: int) -> Iterator[tuple[str, str]]:
    """Yield what is stored beside a column: a name, and how it is written of the column."""
    value = column_value(f"{source}.c{at}", column, "")
    if value.interval is not None:
        yield f"w{at}", units_between(*value.interval, value.step).sql(value.sql)
    if value.kind in TEXTS and column.values and not column.edges:
        yield f"d{at}", coded(column, value).code(value.sql)


def coded(column: TypedColumn, value: Value) -> GroupKey:
    """Return what a column is as a key."""
    return key_of(Name(column.name), value, "")


def compact(column: TypedColumn, code: str) -> str:
    """Write a code as a number for each declared text, by which an engine groups more quickly."""
    labels = coded(column, column_value("", column, "")).labels or {}
    listed = ", ".join(literal(str(one)) for one in labels if one is not None)
    return f"CAST({code} AS ENUM({listed}))"


def columns_of(table: DeclaredTable) -> list[str]:
    """List the columns as they are stored."""
    return [f"c{at}" for at in range(len(table.columns))]


def keys_of(table: DeclaredTable) -> list[str]:
    """List the columns of the key as they are stored, but the person."""
    return [place_of(table, one) for one in table.key if one != table.person]


def place_of(table: DeclaredTable, name: str) -> str:
    """Return what a column is called as it is stored."""
    places = {column.casefold(): f"c{at}" for at, column in enumerate(table.columns)}
    return places[name.casefold()]
