"""Rows as questions see them: total expressions, bounded values, public codes, c rows a person.

Written once for both engines; what they cast differently is a :class:`PreparationDialect`. A
prepared row depends on its own person's rows alone, so one person more or less changes no one
else's.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from indistinct.database.dataset import MISSING, OTHER, Dataset, Key, Range


class PreparationDialect(Protocol):
    """How an engine reads a column without ever failing on a value."""

    def number(self, column: str) -> str:
        """Write a column as a double, null where it is no number."""
        ...

    def text(self, column: str) -> str:
        """Write a column as a text."""
        ...

    def code_type(self, count: int) -> str:
        """Name the narrowest type for the codes of so many values."""
        ...


def quoted(name: str) -> str:
    """Write an identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Write a text that the declaration holds."""
    return "'" + text.replace("'", "''") + "'"


def double(number: Fraction) -> str:
    """Write a number as the nearest double."""
    return f"CAST({float(number)!r} AS DOUBLE PRECISION)"


def prepare(dataset: Dataset, source: str, dialect: PreparationDialect) -> str:
    """Write the query of all prepared rows, before anybody's rows are limited."""
    columns = ", ".join(_columns(dataset, dialect))
    joins = "".join(_joins(dataset))
    return f"SELECT {columns} FROM ({_typed(dataset, source, dialect)}) AS typed{joins}"  # noqa: S608


def limit(dataset: Dataset, prepared: str) -> str:
    """Write the query that keeps c rows of each person, chosen by lot.

    The lot of a row is a hash of the key, the person and the row's own content, so which rows stay
    depends on nobody else, and, unlike an order by content, on no value either.
    """
    content = [f"coalesce(CAST({name} AS VARCHAR), '-')" for name in ("p", *names(dataset))]
    lot = f"md5({literal(dataset.lot_key)} || {' || chr(124) || '.join(content)})"
    order = ", ".join([lot, *names(dataset)])
    return (
        f"SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY p ORDER BY {order}) AS r "  # noqa: S608
        f"FROM ({prepared}) AS prepared) AS numbered WHERE r <= {dataset.rows_per_person}"
    )


def names(dataset: Dataset) -> list[str]:
    """List the prepared columns but the person, in order."""
    found: list[str] = []
    for position, column in enumerate(dataset.columns.values()):
        if column.kind == "number":
            found.append(f"n{position}")
        elif column.name not in dataset.keys:
            found.append(f"t{position}")
        if column.bounds is not None:
            found.append(f"u{position}")
    return [*found, *(f"k{position}" for position in range(len(dataset.keys)))]


def source_columns(dataset: Dataset) -> list[str]:
    """List the columns that the source must have."""
    return [dataset.person, *dataset.columns]


def _typed(dataset: Dataset, source: str, dialect: PreparationDialect) -> str:
    parts = [f"{quoted(dataset.person)} AS p"]
    for position, column in enumerate(dataset.columns.values()):
        name = quoted(column.name)
        if column.kind == "number":
            parts.append(f"{dialect.number(name)} AS n{position}")
        else:
            parts.append(f"{dialect.text(name)} AS t{position}")
    return f"SELECT {', '.join(parts)} FROM {source} WHERE {quoted(dataset.person)} IS NOT NULL"  # noqa: S608


def _columns(dataset: Dataset, dialect: PreparationDialect) -> Iterator[str]:
    yield "p"
    bounds = [column.bounds for column in dataset.columns.values()]
    keys = list(dataset.keys.values())
    for name in names(dataset):
        position = int(name[1:])
        limits = bounds[position] if name[0] == "u" else None
        if limits is not None:
            yield f"{_units(f'n{position}', limits)} AS {name}"
        elif name[0] == "k":
            kind = dialect.code_type(len(keys[position].labels))
            yield f"CAST({_code(position, keys[position], dataset)} AS {kind}) AS {name}"
        else:
            yield name


def _units(number: str, bounds: Range) -> str:
    """Write a number as whole steps within the bounds; null where only known values count."""
    low, high = double(bounds.low * bounds.step), double(bounds.high * bounds.step)
    within = f"greatest({low}, least({high}, {number}))"
    tiny = f"CASE WHEN abs({within}) < 1e-150 THEN 0 ELSE {within} END"
    steps = f"CAST(floor(({tiny}) / {double(bounds.step)} + 0.5) AS BIGINT)"
    clamped = f"greatest({bounds.low}, least({bounds.high}, {steps}))"
    missing = "NULL" if bounds.missing is None else bounds.missing
    return f"CASE WHEN {number} IS NULL THEN {missing} ELSE {clamped} END"


def _code(position: int, key: Key, dataset: Dataset) -> str:
    """Write the code of a row's public key."""
    value = _value(key, dataset)
    if key.edges:
        steps = " ".join(
            f"WHEN {value} < {double(edge)} THEN {code}" for code, edge in enumerate(key.edges)
        )
        return f"CASE WHEN {value} IS NULL THEN {MISSING} {steps} ELSE {len(key.edges)} END"
    known = f"coalesce(v{position}.code, {OTHER})"
    return f"CASE WHEN {value} IS NULL THEN {MISSING} ELSE {known} END"


def _value(key: Key, dataset: Dataset) -> str:
    position = list(dataset.columns).index(key.column)
    return f"{'n' if dataset.columns[key.column].kind == 'number' else 't'}{position}"


def _joins(dataset: Dataset) -> Iterator[str]:
    for position, key in enumerate(dataset.keys.values()):
        if not key.edges:
            rows = ", ".join(
                f"({literal(value) if isinstance(value, str) else double(value)}, {code})"
                for code, value in enumerate(key.values)
            )
            value = _value(key, dataset)
            # Grouped by what the engine takes for equal, so that a row meets one value at most.
            listed = f"SELECT value, min(code) AS code FROM (VALUES {rows}) AS v(value, code)"  # noqa: S608
            yield (
                f" LEFT JOIN ({listed} GROUP BY value) AS v{position} "
                f"ON {value} = v{position}.value"
            )
