"""Draft the declaration of several tables: of their names, columns and types alone.

Keys and references follow from names, bounds of dates and years from convention, and no value of
the data is looked at but to tell numbers, dates and texts of a text file apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, final

from indistinct.base.billionths import billionths
from indistinct.errors import DataError, Fault, SchemaError
from indistinct.questions.database.cells import RowsOfPeople, rows_of_people
from indistinct.questions.database.conventions import date_bounds, number_bounds
from indistinct.questions.database.initialize import (
    NUMBERS,
    check_free,
    column_types,
    relative,
    write,
)

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
    """

    tables: Sequence[str]
    left_out: Sequence[str]
    rows: Mapping[str, RowsOfPeople]


@final
@dataclass(frozen=True, slots=True)
class FoundTable:
    """One file of a folder.

    Parameters
    ----------
    path : of the file
    types : SQL type per column
    person : the column of the person; empty where there is none
    """

    name: str
    path: str
    types: Mapping[str, str]
    person: str

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
        return "" if self.person else next(iter(self.types))

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


def draft_tables(  # noqa: PLR0913 - each is a keyword of one declaration
    folder: str | Path,
    *,
    person: str,
    epsilon: Any,
    out: str | Path,
    public: Container[str] = (),
    delta: float = DELTA,
) -> DraftedTables:
    """Write a declaration of all tables in a folder, for its owner to check; no ledger is started.

    Parameters
    ----------
    folder : with one CSV, TSV or Parquet file per table
    person : the column that tells persons apart, of one name in all tables
    epsilon, delta : what all answers together may cost
    out : the TOML file, which must not exist
    public : tables without people in them

    Raises
    ------
    DataError, SchemaError, ParameterError, OutputError
        If a file cannot be read, no table has the person, or ``out`` exists.
    """
    folder, out = Path(folder), Path(out)
    billionths(epsilon)
    check_free(out)
    found = list(found_tables(folder, person))
    if not any(table.person for table in found):
        raise SchemaError(
            [Fault(person, "is a column of no table", "Name the column of the person.")]
        )
    declared = [table for table in found if table.person or table.name in public]
    keys = {table.key: table.name for table in declared if table.key}
    types = {table.key: "id" if table.person else "code" for table in declared if table.key}
    about = {"name": out.stem, "data": relative(str(folder), out), "ledger": f"{out.stem}.ledger"}
    lines = [f"{HEADER} {out.name}", "[dataset]"]
    lines += [f"{word} = {json.dumps(value)}" for word, value in about.items()]
    lines += ["", "[budget]", 'accounting = "zcdp"', 'conversion = "canonne2020"']
    lines += [f"epsilon = {Decimal(str(epsilon)):f}", f"delta = {delta!r}"]
    for table in declared:
        lines += table_lines(table, keys, types)
    left_out = [table.name for table in found if table not in declared]
    lines += [
        f"\n# {one} has no column {person}: it is declared only if no people are in it (public)."
        for one in left_out
    ]
    rows = {
        table.name: rows_of_people(table.path, "", table.person, 1)
        for table in declared
        if table.person and not table.is_of_persons
    }
    write(out, "\n".join(lines) + "\n")
    return DraftedTables([table.name for table in declared], left_out, rows)


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
    yield f"person = {json.dumps(table.person)}" if table.person else "public = true"
    if table.is_of_persons:
        yield "rows_per_person = 1"
    if table.key:
        yield f"key = {json.dumps(table.key)}"
    references = table.references(keys)
    if references:
        pairs = ", ".join(f"{as_key(own)} = {json.dumps(to)}" for own, to in references.items())
        yield f"references = {{ {pairs} }}"
    yield f"[{place}.columns]"
    for name, kind in table.types.items():
        if name != table.person:
            is_key = name in references or name == table.key
            yield f"{as_key(name)} = {column(name, types[name] if is_key else kind_of(kind))}"


def as_key(name: str) -> str:
    """Write a name as TOML has it before an equals sign."""
    return name if BARE.fullmatch(name) else json.dumps(name)


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
        return json.dumps(kind)
    return f'{{ type = "{kind}", bounds = {json.dumps(list(bounds))} }}'
