"""Draft the declaration of several tables: of their names, columns and types alone.

Keys and references follow from names, bounds of dates and years from convention. Values of the data
are looked at only to tell numbers, dates and texts apart: the owner is told of which columns, since
one person's cell may decide it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import billionths
from indistinct.errors import DataError, Fault, SchemaError
from indistinct.questions.database.cells import RowsOfPeople, rows_of_people
from indistinct.questions.database.conventions import date_bounds, number_bounds
from indistinct.questions.database.declared_columns import NUMBERS, sql_type
from indistinct.questions.database.initialize import check_free, column_types, relative, write

HEADER = """\
# What may be asked about these tables: a draft. Analysts see everything in this file. Check the
# keys, the references and the bounds of dates and years, which were taken from names alone; dates
# outside of their bounds count as missing. Numbers that are added up need bounds = [low, high],
# or CLAMP in the question. Where a person has many rows, set rows_per_person, or questions say
# how many count. Then start the ledger: indistinct database init"""
DELTA = 1e-6
BARE = re.compile(r"[A-Za-z0-9_-]+")


@final
@dataclass(frozen=True, slots=True)
class DraftedTables:
    """What was drafted, for the owner alone.

    Parameters
    ----------
    tables : that are declared
    left_out : tables without the column of the person, of which nobody said that they are public
    rows : per table of people without a limit, how many rows people have
    types : columns of tables with people whose type was taken from the data, as TABLE.COLUMN
    """

    tables: Sequence[str]
    left_out: Sequence[str]
    rows: Mapping[str, RowsOfPeople]
    types: Sequence[str] = ()


@final
@dataclass(frozen=True, slots=True)
class FoundTable:
    """One file of a folder.

    Parameters
    ----------
    path : of the file
    types : SQL type per column
    person : the column of the person; empty where there is none
    owner : the column that leads to a table of people, where there is no person
    said : the declared types of the columns that the owner declares
    """

    name: str
    path: str
    types: Mapping[str, str]
    person: str
    owner: str = ""
    said: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_owned(self) -> bool:
        """Return whether its rows are about people."""
        return bool(self.person or self.owner)

    @property
    def is_of_persons(self) -> bool:
        """Return whether it has the name of the person's column, so one row a person."""
        own = self.person.casefold().removesuffix("_id").removesuffix("id")
        return bool(self.person) and self.name.casefold().removesuffix("s") == own.removesuffix("s")

    @property
    def key(self) -> str:
        """Return the column that has the table's own name; of a public table else the first."""
        name = self.name.casefold()
        for own in (f"{name}_id", f"{name.removesuffix('s')}_id", name, f"{name}id", "id"):
            for column in self.types:
                if column.casefold() == own and column != self.person:
                    return column
        return "" if self.is_owned else next(iter(self.types))

    def references(self, keys: Mapping[str, str]) -> dict[str, str]:
        """Return per column the table whose key it is.

        Parameters
        ----------
        keys : table per key
        """
        return {
            column: keys[column]
            for column in self.types
            if column in keys and keys[column] != self.name and column != self.person
        }

    def read_types(self, keys: Mapping[str, str]) -> list[str]:
        """List the columns whose type is taken from the cells, as TABLE.COLUMN.

        Parameters
        ----------
        keys : table per key; what a key or a reference is called decides its type
        """
        known = {self.person, self.key, *self.references(keys), *self.said}
        return [f"{self.name}.{column}" for column in self.types if column not in known]


def draft_tables(  # noqa: PLR0913 - each is a keyword of one declaration
    folder: str | Path,
    *,
    person: str,
    epsilon: Any,
    out: str | Path,
    public: Container[str] = (),
    delta: float = DELTA,
    types: Mapping[str, str] | None = None,
    agree: Callable[[Sequence[str]], None] | None = None,
) -> DraftedTables:
    """Write a declaration of all tables in a folder, for its owner to check; no ledger is started.

    Parameters
    ----------
    folder : with one CSV, TSV or Parquet file per table
    person : the column that tells persons apart, of one name in all tables
    epsilon, delta : what all answers together may cost
    out : the TOML file, which must not exist
    public : tables without people in them
    types : number, text, date, timestamp, bool or code per column, or per TABLE.COLUMN; what is
        left out is taken from the data, without noise
    agree : told the columns whose types are taken from the data before anything is written; raises
        to refuse it

    Raises
    ------
    DataError, SchemaError, ParameterError, OutputError
        If a file cannot be read, no table has the person, or ``out`` exists.
    """
    folder, out = Path(folder), Path(out)
    billionths(epsilon)
    check_free(out)
    found = with_said_types(list(found_tables(folder, person)), types or {})
    if not any(table.person for table in found):
        raise SchemaError(
            [Fault(person, "is a column of no table", "Name the column of the person.")]
        )
    found = leading_to_people(found, public)
    declared = [table for table in found if table.is_owned or table.name in public]
    keys = {table.key: table.name for table in declared if table.key}
    of_keys = {table.key: "id" if table.is_owned else "code" for table in declared if table.key}
    read = [column for table in declared if table.is_owned for column in table.read_types(keys)]
    if agree is not None:
        agree(read)
    about = {"name": out.stem, "data": relative(str(folder), out), "ledger": f"{out.stem}.ledger"}
    lines = [f"{HEADER} {out.name}", "[dataset]"]
    lines += [f"{word} = {as_text(value)}" for word, value in about.items()]
    lines += ["", "[budget]", 'accounting = "zcdp"', 'conversion = "canonne2020"']
    lines += [f"epsilon = {Decimal(str(epsilon)):f}", f"delta = {delta!r}"]
    for table in declared:
        lines += table_lines(table, keys, of_keys)
    left_out = [table.name for table in found if table not in declared]
    lines += [
        f"\n# {one} has no column {person}: it is declared only if no row of it is about a "
        "person (public)."
        for one in left_out
    ]
    rows = {
        table.name: rows_of_people(table.path, "", table.person, 1)
        for table in declared
        if table.person
    }
    of_persons = {table.name for table in declared if table.is_of_persons}
    rows = {name: found for name, found in rows.items() if found.most > 1 or name not in of_persons}
    write(out, "\n".join(lines) + "\n")
    return DraftedTables([table.name for table in declared], left_out, rows, read)


def leading_to_people(tables: Sequence[FoundTable], public: Container[str]) -> list[FoundTable]:
    """Return tables of which those without a person lead to people, where a key stands in them.

    One table may lead to another one that does.
    """
    found = list(tables)
    for _ in found:
        owners = {one.key: one.name for one in found if one.is_owned and one.key}
        for at, table in enumerate(found):
            if not table.is_owned and table.name not in public:
                found[at] = replace(table, owner=next(iter(table.references(owners)), ""))
    return found


def with_said_types(tables: Sequence[FoundTable], types: Mapping[str, str]) -> list[FoundTable]:
    """Return tables with the types that the owner declares.

    Parameters
    ----------
    types : per column, in all tables that have it, or per TABLE.COLUMN

    Raises
    ------
    ParameterError, SchemaError
        when a type is none, or no table has the column
    """
    for kind in types.values():
        sql_type(kind)
    names = {
        name for table in tables for one in table.types for name in (one, f"{table.name}.{one}")
    }
    faults = [
        Fault(
            name, "is a column of no table", "Write --types COLUMN=number or TABLE.COLUMN=number."
        )
        for name in types
        if name not in names
    ]
    if faults:
        raise SchemaError(faults)
    return [
        replace(
            table,
            said={
                column: types.get(f"{table.name}.{column}", types.get(column, ""))
                for column in table.types
                if not {column, f"{table.name}.{column}"}.isdisjoint(types)
            },
        )
        for table in tables
    ]


def found_tables(folder: Path, person: str) -> Iterator[FoundTable]:
    """List the tables of a folder in the order of their names."""
    from indistinct.questions.database.engines.tables import SUFFIXES, file_of

    names = {
        path.name[: -len(suffix)]
        for path in folder.iterdir()
        for suffix in SUFFIXES
        if path.name.endswith(suffix)
    }
    if not names:
        raise DataError(
            f"{folder.name}: holds no table",
            f"Put files there that end with {', '.join(SUFFIXES)}.",
        )
    for name in sorted(names):
        path = str(file_of(folder, name))
        types = column_types(path, name)
        same = [one for one in types if one.casefold() == person.casefold()]
        yield FoundTable(name, path, types, same[0] if same else "")


def table_lines(
    table: FoundTable, keys: Mapping[str, str], types: Mapping[str, str]
) -> Iterator[str]:
    """Write one table.

    Parameters
    ----------
    keys : table per key
    types : of all keys
    """
    place = f"tables.{as_key(table.name)}"
    yield f"\n[{place}]"
    if table.owner:
        yield f"owner = {as_text(table.owner)}"
    else:
        yield f"person = {as_text(table.person)}" if table.person else "public = true"
    if table.is_of_persons:
        yield "rows_per_person = 1"
    if table.key:
        yield f"key = {as_text(table.key)}"
    references = table.references(keys)
    if references:
        pairs = ", ".join(f"{as_key(own)} = {as_text(to)}" for own, to in references.items())
        yield f"references = {{ {pairs} }}"
    yield f"[{place}.columns]"
    for name, kind in table.types.items():
        if name != table.person:
            is_key = name in references or name == table.key
            drafted = types[name] if is_key else kind_of(kind)
            yield f"{as_key(name)} = {column(name, table.said.get(name, drafted))}"


def as_text(value: Any) -> str:
    """Write texts and lists as TOML has them, whose escapes know no surrogates."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_key(name: str) -> str:
    """Write a name as TOML has it before an equals sign."""
    return name if BARE.fullmatch(name) else as_text(name)


def kind_of(sql_type: str) -> str:
    """Return the type of a column that the engine calls so."""
    if NUMBERS.match(sql_type):
        return "number"
    kinds = {"DATE": "date", "TIME": "timestamp", "BOOL": "bool"}
    return next((kind for word, kind in kinds.items() if sql_type.startswith(word)), "text")


def column(name: str, kind: str) -> str:
    """Write the type of a column, with bounds where there is a convention."""
    bounds: Sequence[Any] = ()
    if kind in {"date", "timestamp"}:
        bounds = date_bounds(name)
    elif kind == "number":
        bounds = number_bounds(name)
    if not bounds:
        return as_text(kind)
    return f'{{ type = "{kind}", bounds = {as_text(list(bounds))} }}'
