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
from indistinct.questions.database.conventions import BIRTH, date_bounds, number_bounds
from indistinct.questions.database.declared_columns import NUMERIC_TYPE, sql_type
from indistinct.questions.database.found_readings import FoundColumn
from indistinct.questions.database.initialize import (
    check_free,
    column_types,
    relative,
    write,
    written_columns,
)

HEADER = """\
# What may be asked about these tables: a draft. Analysts see everything in this file. Check the
# keys, the references and the bounds of dates and years, which were taken from names alone; dates
# outside of their bounds count as missing. Numbers that are added up need bounds = [low, high],
# or CLAMP in the question. Where a person has many rows, set rows_per_person, or questions say
# how many count. Then start the ledger: indistinct database init"""
DELTA = 1e-6
OF_PEOPLE = re.compile(r"(?i)(^|_)(sex|gender)$|(first|last|sur|family)_?name|geschlecht")
ONLY_PUBLIC = "It is declared without one only if no row of it is about a person (public)."
KEY = "id"  # what each table may call its own key
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
    doubts : per column, as TABLE.COLUMN, why its cells cannot be told
    of_people : the tables of those left out whose columns are named after births, sexes or names
    """

    tables: Sequence[str]
    left_out: Sequence[str]
    rows: Mapping[str, RowsOfPeople]
    types: Sequence[str] = ()
    of_people: Sequence[str] = ()
    doubts: Mapping[str, str] = field(default_factory=dict[str, str])


@final
@dataclass(frozen=True, slots=True)
class FoundTable:
    """One file of a folder, or one table of a database.

    Parameters
    ----------
    path : of the file, or of the database
    types : SQL type per column
    person : the column of the person; empty where there is none
    owner : the column that leads to a table of people, where there is no person
    said : the declared types of the columns that the owner declares
    is_people : whether the person is its key, so that it has one row a person
    written : how the cells of columns are written that are no plain numbers or dates
    primary : the key that a database declares; empty where there is none
    leads : per column, the table that a database declares it to reference
    """

    name: str
    path: str
    types: Mapping[str, str]
    person: str
    owner: str = ""
    said: Mapping[str, str] = field(default_factory=dict[str, str])
    is_people: bool = False
    written: Mapping[str, FoundColumn] = field(default_factory=dict[str, FoundColumn])
    primary: str = ""
    leads: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_owned(self) -> bool:
        """Return whether its rows are about people."""
        return bool(self.person or self.owner)

    @property
    def tells_of_people(self) -> bool:
        """Return whether a column is named after what people have: a birth, a sex, a full name."""
        return any(BIRTH.search(name) or OF_PEOPLE.search(name) for name in self.types)

    @property
    def is_of_persons(self) -> bool:
        """Return whether it has the name of the person's column, so one row a person."""
        return self.is_people or (bool(self.person) and self.is_called(self.person))

    def is_called(self, column: str) -> bool:
        """Return whether a column has the name of the table, as a reference to it may."""
        return thing(column) == thing(self.name)

    @property
    def key(self) -> str:
        """Return the key that is declared, or named like the table; of a public table the first."""
        if self.is_people:
            return self.person
        if self.primary and self.primary != self.person:
            return self.primary
        return self.named_key or ("" if self.is_owned else next(iter(self.types)))

    @property
    def named_key(self) -> str:
        """Return the column that has the table's own name, or none but that of a key."""
        name = self.name.casefold()
        for own in (f"{name}_id", f"{name.removesuffix('s')}_id", name, f"{name}id", "id"):
            for column in self.types:
                if column.casefold() == own and column != self.person:
                    return column
        return ""

    def references(self, tables: Sequence[FoundTable]) -> dict[str, str]:
        """Return per column the table whose key it is.

        A key that is called "id" in each table is referenced by the name of its table.

        Parameters
        ----------
        tables : those with a key that may be referenced
        """
        found: dict[str, str] = {}
        for column in self.types:
            for other in tables:
                if other.name == self.name or not other.key or column in found:
                    continue
                is_declared = self.leads.get(column) == other.name
                is_own = column == self.person and not other.is_people
                is_key = column == self.key and not self.is_people
                if is_declared or not (is_own or is_key or column in self.leads):
                    by_key = other.key.casefold() != KEY and column == other.key
                    if is_declared or by_key or other.is_called(column):
                        found[column] = other.name
        return found

    def read_types(self, tables: Sequence[FoundTable]) -> list[str]:
        """List the columns whose type is taken from the cells, as TABLE.COLUMN.

        Parameters
        ----------
        tables : those that are declared; what a key or a reference is called decides its type
        """
        known = {self.person, self.key, *self.references(tables), *self.said}
        return [f"{self.name}.{column}" for column in self.types if column not in known]


def thing(name: str) -> str:
    """Return what a name of a column or a table stands for: *patient* of patient_id and Patients.

    Examples
    --------
    >>> thing("PATIENT_ID"), thing("patients"), thing("categories")
    ('patient', 'patient', 'category')
    """
    plain = name.casefold()
    plain = plain.removesuffix("_id") if plain.endswith("_id") else plain.removesuffix("id")
    plain = plain.rstrip("_") or name.casefold()
    if plain.endswith("ies"):
        return plain.removesuffix("ies") + "y"
    return plain.removesuffix("s")


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
    folder : with one CSV, TSV or Parquet file per table, or a DuckDB file
    person : the column that tells persons apart; where tables call it otherwise, also
        ``TABLE=COLUMN``, with commas between them
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
    called, of_tables = persons_said(person)
    found = with_persons(list(found_tables(folder, called)), called, of_tables)
    found = with_said_types(found, types or {})
    if not any(table.person for table in found):
        raise SchemaError(
            [Fault(person, "is a column of no table", "Name the column of the person.")]
        )
    found = leading_to_people(found, public)
    declared = [table for table in found if table.is_owned or table.name in public]
    read = [column for table in declared if table.is_owned for column in table.read_types(declared)]
    if agree is not None:
        agree(read)
    about = {"name": out.stem, "data": relative(str(folder), out), "ledger": f"{out.stem}.ledger"}
    lines = [f"{HEADER} {out.name}", "[dataset]"]
    lines += [f"{word} = {as_text(value)}" for word, value in about.items()]
    lines += ["", "[budget]", 'accounting = "zcdp"', 'conversion = "canonne2020"']
    lines += [f"epsilon = {Decimal(str(epsilon)):f}", f"delta = {delta!r}"]
    for table in declared:
        lines += table_lines(table, declared)
    others = [table for table in found if table not in declared]
    left_out = [table.name for table in others]
    of_people = [table.name for table in others if table.tells_of_people]
    lines += [
        f"\n# {one} has no column of the person and leads to no table that has one. Name its "
        f"column: --person {person},{one}=COLUMN." + ("" if one in of_people else " " + ONLY_PUBLIC)
        for one in left_out
    ]
    rows = {
        table.name: rows_of_people(table.path, table.name, table.person, 1)
        for table in declared
        if table.person
    }
    of_persons = {table.name for table in declared if table.is_of_persons}
    rows = {name: found for name, found in rows.items() if found.most > 1 or name not in of_persons}
    write(out, "\n".join(lines) + "\n")
    doubts = {
        f"{table.name}.{name}": one.doubt
        for table in declared
        for name, one in table.written.items()
        if one.doubt and name not in table.said
    }
    names = [table.name for table in declared]
    return DraftedTables(names, left_out, rows, read, of_people, doubts)


def persons_said(person: str) -> tuple[str, dict[str, str]]:
    """Return the column of the person, and the columns of single tables that are called otherwise.

    Parameters
    ----------
    person : ``COLUMN``, or ``TABLE=COLUMN``, several with commas between them
    """
    parts = [part.strip() for part in person.split(",")]
    of_tables = dict(part.split("=", 1) for part in parts if "=" in part)
    called = next((part for part in parts if "=" not in part), "")
    return called, {table.strip(): column.strip() for table, column in of_tables.items()}


def with_persons(
    tables: Sequence[FoundTable], called: str, of_tables: Mapping[str, str]
) -> list[FoundTable]:
    """Return tables with the columns of the person that are called otherwise in them.

    A table with the name of the person's column has one row a person, and its key is the person; so
    is that of a table to which a database declares the column to lead.

    Raises
    ------
    SchemaError
        when a table or a column that was named is not there
    """
    known = {table.name: table for table in tables}
    faults = [
        Fault(f"{name}={column}", "names no column of a table", "Write --person TABLE=COLUMN.")
        for name, column in of_tables.items()
        if name not in known or column not in known[name].types
    ]
    if faults:
        raise SchemaError(faults)
    led = {table.leads[table.person] for table in tables if table.person in table.leads}
    found: list[FoundTable] = []
    for table in tables:
        key = of_tables.get(table.name, "")
        if not key and not table.person and (table.name in led or table.is_called(called)):
            key = table.primary or table.named_key
        if key:
            is_people = key in {table.primary, table.named_key} or key != called
            found.append(replace(table, person=key, is_people=is_people))
        else:
            found.append(table)
    people = [table for table in found if table.is_people]
    return [
        table if table.person else replace(table, person=next(iter(table.references(people)), ""))
        for table in found
    ]


def leading_to_people(tables: Sequence[FoundTable], public: Container[str]) -> list[FoundTable]:
    """Return tables of which those without a person lead to people, where a key stands in them.

    One table may lead to another one that does.
    """
    found = list(tables)
    for _ in found:
        owners = [one for one in found if one.is_owned and one.key]
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
    """List the tables of a folder, or of a DuckDB file, in the order of their names."""
    from indistinct.questions.database.engines.tables import (
        DATABASES,
        SUFFIXES,
        file_of,
        tables_of_database,
    )

    if folder.suffix.lower() in DATABASES:
        for one in tables_of_database(folder):
            same = [name for name in one.types if name.casefold() == person.casefold()]
            yield FoundTable(
                one.name, str(folder), one.types, same[0] if same else "",
                primary=one.key, leads=one.references,
            )  # fmt: skip
        return
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
        written = written_columns(path, types)
        types = {**types, **{column: one.type for column, one in written.items()}}
        same = [one for one in types if one.casefold() == person.casefold()]
        yield FoundTable(name, path, types, same[0] if same else "", written=written)


def table_lines(table: FoundTable, tables: Sequence[FoundTable]) -> Iterator[str]:
    """Write one table.

    Parameters
    ----------
    tables : all that are declared
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
    references = table.references(tables)
    if references:
        pairs = ", ".join(f"{as_key(own)} = {as_text(to)}" for own, to in references.items())
        yield f"references = {{ {pairs} }}"
    yield f"[{place}.columns]"
    owned = {one.name: one.is_owned for one in tables}
    for name, kind in table.types.items():
        if name != table.person:
            drafted = kind_of(kind)
            if name in references or name == table.key:
                drafted = "id" if owned[references.get(name, table.name)] else "code"
            declared = table.said.get(name, drafted)
            one = table.written.get(name)
            is_so = one is not None and declared == kind_of(one.type)
            words: Mapping[str, Any] = one.words if one is not None and is_so else {}
            yield f"{as_key(name)} = {column(name, declared, words)}"


def as_text(value: Any) -> str:
    """Write texts and lists as TOML has them, whose escapes know no surrogates."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def as_key(name: str) -> str:
    """Write a name as TOML has it before an equals sign."""
    return name if BARE.fullmatch(name) else as_text(name)


def kind_of(sql_type: str) -> str:
    """Return the type of a column that the engine calls so."""
    if NUMERIC_TYPE.match(sql_type):
        return "number"
    kinds = {"DATE": "date", "TIME": "timestamp", "BOOL": "bool"}
    return next((kind for word, kind in kinds.items() if sql_type.startswith(word)), "text")


def column(name: str, kind: str, words: Mapping[str, Any]) -> str:
    """Write the type of a column, with bounds where there is a convention.

    Parameters
    ----------
    words : that say how its cells are written
    """
    bounds: Sequence[Any] = ()
    if kind in {"date", "timestamp"}:
        bounds = date_bounds(name)
    elif kind == "number":
        bounds = number_bounds(name)
    said = {**words, **({"bounds": list(bounds)} if bounds else {})}
    if not said:
        return as_text(kind)
    listed = "".join(f", {word} = {as_text(one)}" for word, one in said.items())
    return f'{{ type = "{kind}"{listed} }}'
