"""The tables that a declaration speaks of, and what is wrong with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction

from indistinct.base.cells.cell_reading import CellReading
from indistinct.base.cells.date_formats import DateFormat
from indistinct.errors import Fault
from indistinct.questions.database.dataset import bin_labels
from indistinct.questions.database.declaration import (
    OTHER_TYPES,
    ColumnDeclared,
    DatasetDeclared,
    Declaration,
    TableDeclared,
)
from indistinct.questions.database.tables import DeclaredTable, TypedColumn

FINE = 2**20
NOTHING: frozenset[str] = frozenset()
TEXTS = frozenset({"id", "code", "text"})


def tables_of(declared: Declaration) -> Iterator[tuple[str, DeclaredTable]]:
    """Yield the tables by name; a dataset of one table has that one."""
    about = declared.dataset
    if not declared.tables:
        columns = dict(columns_of(declared.columns, about.missing_words))
        yield about.table, DeclaredTable(
            about.table, columns, about.person, about.rows_per_person,
            person_reading=CellReading(about.missing_words),
        )  # fmt: skip
        return
    for name, table in declared.tables.items():
        owner = owner_of(name, declared)
        yield name, DeclaredTable(
            name, dict(columns_of(table.columns, about.missing_words)), person_of(name, declared),
            table.rows_per_person, table.keys, dict(table.references), owner,
            CellReading(about.missing_words),
        )  # fmt: skip


def owner_of(name: str, declared: Declaration) -> str:
    """Return the column of a table without a person that leads to people; empty if there is none.

    Where one reference alone leads to a table of people, it need not be named.
    """
    table = declared.tables[name]
    if table.person or table.public:
        return ""
    leading = leading_columns(name, declared)
    return table.owner or (leading[0] if len(leading) == 1 else "")


def leading_columns(name: str, declared: Declaration, seen: frozenset[str] = NOTHING) -> list[str]:
    """List the columns of a table that lead to people, perhaps through other tables."""
    table, seen = declared.tables[name], seen | {name}
    return [
        column
        for column, other in table.references.items()
        if other in declared.tables and other not in seen and table.owner in {"", column}
        and (declared.tables[other].person or leading_columns(other, declared, seen))
    ]  # fmt: skip


def person_of(name: str, declared: Declaration) -> str:
    """Return what the person of a table is called: as in the table that it leads to."""
    table = declared.tables[name]
    owner = owner_of(name, declared)
    return person_of(table.references[owner], declared) if owner else table.person


def columns_of(
    columns: Mapping[str, ColumnDeclared], missing: tuple[str, ...] = ()
) -> Iterator[tuple[str, TypedColumn]]:
    """Yield the columns of one table that questions may name.

    Parameters
    ----------
    missing : words for a missing value, of columns that have none of their own
    """
    for name, column in columns.items():
        if column.type == "bins":
            edges = tuple(Fraction(edge) for edge in column.edges)
            labels = tuple(bin_labels(edges))
            of = columns.get(column.of or "", column)
            reading = reading_of(of, missing)
            yield (
                name,
                TypedColumn(
                    name, "text", values=labels, reading=reading, of=column.of or "", edges=edges
                ),
            )
        elif column.type is not None:
            yield name, typed_column(name, column, missing)


def reading_of(column: ColumnDeclared, missing: tuple[str, ...] = ()) -> CellReading:
    """Return how the cells of a declared column are read."""
    form = None if column.format is None else DateFormat.of(column.format)
    if form is not None and column.last_year is not None:
        form = replace(form, last_year=column.last_year)
    words = missing if column.missing_words is None else column.missing_words
    return CellReading(tuple(one.strip() for one in words), form, column.decimal or "")


def typed_column(
    name: str, column: ColumnDeclared, missing_words: tuple[str, ...] = ()
) -> TypedColumn:
    """Return a declared column."""
    values = tuple(one if isinstance(one, str) else Fraction(one) for one in column.values)
    low: Fraction | date | None = None
    high: Fraction | date | None = None
    if column.bounds is not None:
        low, high = (Fraction(end) for end in column.bounds)
    elif column.dates is not None:
        low, high = column.dates
    step = None
    if column.type == "number":
        step = step_of(column)
    missing = None if column.missing is None else Fraction(column.missing)
    reading = reading_of(column, missing_words)
    return TypedColumn(name, column.type or "text", low, high, step, values, missing, reading)


def step_of(column: ColumnDeclared) -> Fraction | None:
    """Return the declared step; else 1 between whole bounds, or a fine one between others."""
    if "step" in column.model_fields_set or column.bounds is None:
        return Fraction(column.step) if "step" in column.model_fields_set else None
    low, high = (Fraction(end) for end in column.bounds)
    if low.denominator == high.denominator == 1:
        return Fraction(1)
    return Fraction(2) ** math.floor(math.log2((high - low) / FINE)) if high > low else Fraction(1)


def table_faults(declared: Declaration) -> Iterator[Fault]:
    """Find what is wrong between the words of tables."""
    about = declared.dataset
    if not declared.tables:
        yield from flat_faults(about)
    elif declared.columns or about.table or about.person:
        yield Fault(
            "dataset", "declares one table and several",
            "Write table, person and columns under [tables.NAME] alone.",
        )  # fmt: skip
    names = [name.casefold() for name in declared.tables]
    if len(set(names)) < len(names):
        yield Fault("tables", "differ in case only", "Rename one of them.")
    for name, table in declared.tables.items():
        yield from one_table_faults(name, table, declared)
    if declared.tables and all(table.public for table in declared.tables.values()):
        yield Fault("tables", "have no people in them", 'Set person = "..." for one of them.')


def flat_faults(about: DatasetDeclared) -> Iterator[Fault]:
    """Find what a dataset of one table lacks."""
    for word in ("table", "person"):
        if not getattr(about, word):
            yield Fault(f"dataset.{word}", "field required", "Name it, or declare [tables.NAME].")


def one_table_faults(name: str, table: TableDeclared, declared: Declaration) -> Iterator[Fault]:
    """Find what is wrong in one of several tables."""
    place = f"tables.{name}"
    known = {one.casefold() for one in (*table.columns, *([table.person] if table.person else []))}
    if len(known) < len(table.columns) + bool(table.person):
        yield Fault(place, "has two columns of one name", "Name each column once.")
    yield from people_faults(name, table, declared)
    if table.public and not table.keys:
        yield Fault(f"{place}.key", "is needed for a public table", 'Set key = "...".')
    if table.public and table.rows_per_person is not None:
        yield Fault(f"{place}.rows_per_person", "means nothing without a person", "Leave it out.")
    for column in table.keys:
        if column.casefold() not in known:
            yield Fault(f"{place}.key", f"{column} is no declared column", "Declare it.")
    for column, other in table.references.items():
        if column.casefold() not in known:
            yield Fault(f"{place}.references", f"{column} is no declared column", "Declare it.")
        if other not in declared.tables or not declared.tables[other].keys:
            yield Fault(
                f"{place}.references", f"{other} is no table with a key", "Declare its key."
            )


def people_faults(name: str, table: TableDeclared, declared: Declaration) -> Iterator[Fault]:
    """Find what is wrong with the people of a table: its own, those that it leads to, or none."""
    place, leading = f"tables.{name}", leading_columns(name, declared)
    if sum([table.public, bool(table.person), bool(table.owner)]) > 1:
        way = "Write one of person, owner and public = true."
        yield Fault(f"{place}.person", "is said twice", way)
    elif table.person or table.public:
        return
    elif not leading and not table.owner:
        yield Fault(
            f"{place}.person",
            "is needed, unless the table leads to a table of people, or has no people in it",
            'Set person = "..."; or references = { COLUMN = "TABLE" } to such a table; or '
            "public = true where no row of it is about a person.",
        )
    elif len(leading) != 1:
        ways = [f'owner = "{one}"' for one in leading or table.references]
        way = f"Write {' or '.join(ways) or 'references, and owner'}."
        yield Fault(f"{place}.owner", "is needed: a column that leads to a table of people", way)
    else:
        yield from owner_faults(name, leading[0], declared)


def owner_faults(name: str, owner: str, declared: Declaration) -> Iterator[Fault]:
    """Find what is wrong between a column that leads to people and the key of their table."""
    table, place = declared.tables[name], f"tables.{name}"
    other = declared.tables[table.references[owner]]
    if len(other.keys) != 1:
        way = "Declare a key of one column, or the person of this table."
        yield Fault(f"{place}.owner", f"{owner} leads to a key of several columns", way)
        return
    sides = ((table, owner), (other, other.keys[0]))
    kinds = {one.columns[column].type for one, column in sides if column in one.columns}
    if len(kinds) > 1 and not kinds <= TEXTS:
        yield Fault(f"{place}.columns.{owner}", "is of another type than the key", "Use one type.")
    person = person_of(name, declared)
    if person.casefold() in {one.casefold() for one in table.columns}:
        way = f'Set person = "{person}".'
        yield Fault(f"{place}.columns.{person}", "is the person of the table it leads to", way)


def reading_faults(column: ColumnDeclared) -> Iterator[tuple[str, str]]:
    """Find what is wrong with the words that say how the cells of a column are written."""
    form = None if column.format is None else DateFormat.of(column.format)
    if column.format is not None and column.type not in {"date", "timestamp"}:
        yield "has a format, which only dates and timestamps have", "Leave it out."
    elif column.format is not None and form is None:
        yield (
            f"has the format {column.format}, which is not a format of dates",
            "Write dd, mm (or mmmm for names of months) and yyyy (or yy), such as dd/mm/yyyy.",
        )
    if column.last_year is not None and (form is None or not form.short):
        yield "has a last_year, which only years of two digits have", "Leave it out."
    if column.decimal is not None and column.type != "number":
        yield "has a decimal mark, which only numbers have", "Leave it out."
    if column.missing_words is not None and column.type == "bins":
        yield "has missing_words, which the number has that it is of", "Move them to the number."


def type_faults(column: ColumnDeclared) -> Iterator[tuple[str, str]]:
    """Find what is wrong with a column of a type that only questions know."""
    if column.type in {"date", "timestamp"}:
        if column.dates is not None and column.dates[0] >= column.dates[1]:
            yield "has an upper bound that is not above the lower one", "Write [low, high]."
        if column.values or column.edges:
            yield "is a date, so it has no values or edges", "Group by EXTRACT or DATE_TRUNC."
    elif column.type in OTHER_TYPES and (column.bounds or column.edges):
        yield "has bounds or edges, which only numbers and dates have", "Leave them out."
    if column.type in {"bool", "id"} and column.values:
        yield "has values, which only numbers, texts and codes have", "Leave them out."
    if column.type == "code" and not all(isinstance(one, str) for one in column.values):
        yield "is a code, so its values are texts", 'Write values = ["a", "b"].'
