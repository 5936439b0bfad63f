"""Declare a dataset: look at the names and types of a table's columns, and write one TOML file."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, cast, final

import tomli_w

from indistinct.base.billionths import billionths
from indistinct.base.files.confidential import refuse_obstacle
from indistinct.base.files.postgres_address import is_postgres
from indistinct.base.files.writing import atomic
from indistinct.base.former_names import former_names
from indistinct.base.inputs import toml_words
from indistinct.errors import (
    AccessError,
    DataError,
    Fault,
    OutputError,
    ParameterError,
    PolicyError,
    SchemaError,
)
from indistinct.questions.database.cells import RowsOfPeople, rows_of_people
from indistinct.questions.database.claims import holder, identities, kept_elsewhere
from indistinct.questions.database.dataset import Dataset
from indistinct.questions.database.declaration_faults import address_faults
from indistinct.questions.database.declared_columns import (
    NUMERIC_TYPE,
    decimal,
    declare_columns,
    sql_type,
)
from indistinct.questions.database.draft import DeclarationDraft, draft
from indistinct.questions.database.found_readings import FoundColumn, found_columns
from indistinct.questions.database.loading import build, load
from indistinct.questions.database.session import ledger_of, open_engine, open_store
from indistinct.questions.database.unread_cells import UnreadCells, unread_faults
from indistinct.questions.mechanisms.accountant import Conversion

WITHOUT_DRAFT = frozenset({"date", "timestamp", "bool"})  # bounds by convention, or none
TEXT_FILE = re.compile(r"(?i)\.[ct]sv(\.gz)?$")
HEADER = """\
# What may be asked about this table. Analysts see everything in this file, so take nothing from
# the data unless it may be known. A number that is to be added up needs
# bounds = [low, high]; a column to group by needs values = [...] or, of a number, a column of type
# "bins" with of = "..." and edges = [...].
"""


@former_names(positional=("person", "epsilon", "out"))
def init(  # noqa: PLR0913 - each is a keyword of one declaration
    data: str | Path,
    *,
    person: str,
    epsilon: Any,
    out: str | Path,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
    values: Mapping[str, Sequence[Any]] | None = None,
    rows_per_person: int = 1,
    table: str | None = None,
    ledger: str | None = None,
    delta: float | None = None,
    types: Mapping[str, str] | None = None,
    steps: Mapping[str, Any] | None = None,
    draft_from_data: bool = False,
    unreadable: str = "refuse",
    agree: Callable[[Read], None] | None = None,
) -> Dataset:
    """Declare a dataset and start its ledger.

    Records whose budget is kept in a ledger beside them, or beside ``out``, keep it: the new
    declaration gets the name and the ledger of the old one.

    Parameters
    ----------
    data : a CSV, TSV or Parquet file, or the URL of a PostgreSQL database
    person : the column that tells persons apart
    epsilon : what all answers together may cost
    out : the TOML file, which must not exist
    bounds : public low and high end per number that may be added up
    values : public values per column that answers may be grouped by
    rows_per_person : rows of one person that count, at most
    table : the name in questions; the file's name if left out
    ledger : a SQLite file beside ``out`` if left out, or the URL of a PostgreSQL database
    delta : given, the budget is counted in rho (zCDP) at this delta
    types : number, text, date, timestamp, bool or code per column; what is left out is read off
        the data, without noise
    steps : step per number with bounds; what is left out is read off the type and the bounds
    draft_from_data : whether bounds and values that are left out are read off the data, too: no
        noise and no budget covers them, and analysts see them
    unreadable : ``refuse`` numbers, dates, timestamps and truth values with cells that cannot be
        read as such, or take these cells for ``missing``
    agree : told what is read off the data before anything is written; raises to refuse it

    Raises
    ------
    DataError, PolicyError, ParameterError, OutputError
        If the data cannot be read, the declaration contradicts them, or ``out`` exists.
    """
    out, data = Path(out), str(data)
    billionths(epsilon)
    check_free(out)
    check_addresses({"data": data, "ledger": ledger or ""})
    name = plain_name(table or Path(data).stem)
    found = column_types(data, table or name)
    check_names(
        found, person, {**(bounds or {}), **(values or {}), **(types or {}), **(steps or {})}
    )
    described = {*(types or {}), *(steps or {})}
    undeclared = tuple(column for column in found if column != person and column not in described)
    written = written_columns(data, {name: kind for name, kind in found.items() if name != person})
    found = {**found, **{name: one.type for name, one in written.items()}}
    found = {**found, **{column: sql_type(kind) for column, kind in (types or {}).items()}}
    moments = {name: kind for name, kind in (types or {}).items() if kind in WITHOUT_DRAFT}
    drafted = DeclarationDraft({}, {})
    if draft_from_data:
        drafted = _drafted(data, person, found, {**(bounds or {}), **(values or {}), **moments})
        bounds, values = {**drafted.bounds, **(bounds or {})}, {**drafted.values, **(values or {})}
    columns = dict(declare_columns(found, person, bounds or {}, values or {}))
    declared: dict[str, Any] = {
        "dataset": {
            "name": out.stem,
            "data": data if is_postgres(data) else relative(data, out),
            "table": table or name,
            "person": person,
            "rows_per_person": rows_per_person,
            "lot_key": secrets.token_hex(8),
            "ledger": ledger or f"{out.stem}.ledger",
        },
        "budget": {
            "accounting": "pure" if delta is None else "zcdp",
            "epsilon": Decimal(str(epsilon)),
        },
        "columns": columns,
    }
    _say_words(columns, {name: one for name, one in written.items() if found[name] == one.type})
    for column, step in (steps or {}).items():
        declared["columns"].get(column, {})["step"] = decimal(step, f"step of {column}")
    if delta is not None:
        declared["budget"] |= {"delta": delta, "conversion": Conversion.CANONNE2020.value}
    dataset = build(declared, out.parent)
    way = "declare a text: --types {}=text"
    refuse(unread_faults(dataset, unreadable, lambda one: one.column, way))
    if agree is not None:
        rows = rows_of_people(data, table or name, person, rows_per_person)
        agree(Read(undeclared, tuple(drafted.bounds), tuple(drafted.values), rows))
    found = holder(dataset, (out.parent, Path(data).parent))
    if found is not None:
        if ledger is not None:
            raise kept_elsewhere(dataset, found)
        shared = {"name": found.name, "ledger": relative(str(found.ledger), out)}
        declared["dataset"] |= shared
        dataset = build(declared, out.parent)
    try:
        start_ledger(dataset)
    except DataError:
        if found is None:
            raise
        raise kept_elsewhere(dataset, found) from None
    text = f"{HEADER}\n{tomli_w.dumps(as_written(declared), indent=2)}"
    try:
        toml_words(text)
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"the declaration: {error}", "Use other bounds or values.") from None
    write(out, text)
    return dataset


def begin(
    path: str | Path,
    *,
    unreadable: str = "refuse",
    shared: str = "refuse",
    tell: Callable[[str], None] | None = None,
) -> Dataset:
    """Start the ledger of a declaration that was written by hand, and give it the key of its lots.

    Parameters
    ----------
    unreadable : ``refuse`` declared numbers, dates, timestamps and truth values with cells that
        cannot be read as such, in all tables, or take these cells for ``missing``
    shared : ``refuse`` rows that lead to several people, or ``keep`` them, a copy for each
    tell : told what the owner alone may know: how many rows lead to nobody, and to several

    Raises
    ------
    DataError, SchemaError, PolicyError, EngineError
        If the data cannot be read, or the declaration or the ledger has a fault.
    """
    path = Path(path)
    dataset = load(path)
    if not dataset.lot_key:
        text = path.read_text(encoding="utf-8")
        key = f'[dataset]\nlot_key = "{secrets.token_hex(8)}"'
        write(path, re.sub(r"^\[dataset\]$", key, text, count=1, flags=re.MULTILINE))
        dataset = load(path)
    elsewhere = holder(dataset, (path.parent,))
    if elsewhere is not None:
        raise kept_elsewhere(dataset, elsewhere)
    with closing(open_engine(dataset)) as engine:
        found = engine.leading()

    def place(one: UnreadCells) -> str:
        columns = "columns" if dataset.is_flat else f"tables.{one.table}.columns"
        return f"{columns}.{one.column}"

    way = 'declare a text: {} = "text"'
    refuse([*shared_faults(found, shared), *unread_faults(dataset, unreadable, place, way)])
    if tell is not None:
        for line in leading_lines(found):
            tell(line)
    start_ledger(dataset)
    return dataset


def _say_words(columns: Mapping[str, dict[str, Any]], written: Mapping[str, FoundColumn]) -> None:
    """Add to declared columns how their cells are written."""
    for name, one in written.items():
        if columns[name]["type"] != "text":
            columns[name].update(one.words)


def refuse(faults: Sequence[Fault]) -> None:
    """Raise :class:`SchemaError` with all faults, if there are any."""
    if faults:
        raise SchemaError(faults)


def shared_faults(found: Mapping[str, Sequence[int]], shared: str) -> list[Fault]:
    """List the tables with rows that lead to several people, unless these are kept.

    Parameters
    ----------
    found : per table, how many of its rows lead to nobody, and how many to several people
    """
    if shared not in {"refuse", "keep"}:
        raise ParameterError(
            'shared: must be "refuse" or "keep"', "Kept, each of these people has a copy of a row."
        )
    return [
        Fault(
            f"tables.{table}.owner",
            f"{several:,} rows lead to several people",
            "Correct the keys in the data, or give each of these people a copy: --shared keep.",
        )
        for table, (_, several) in found.items()
        if several and shared == "refuse"
    ]


def leading_lines(found: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Write how many rows lead to nobody, and how many to several people, where there are any."""
    for table, (nobody, several) in found.items():
        if nobody:
            yield f"{table}: {nobody:,} rows lead to nobody and are left out."
        if several:
            yield f"{table}: {several:,} rows lead to several people, each of whom has a copy."


@final
@dataclass(frozen=True, slots=True)
class Read:
    """What a declaration has from the data: names of columns.

    Parameters
    ----------
    types : columns whose type and step were read off the data
    bounds, values : columns whose bounds or values were drafted from the data
    rows : how many rows people have, for the owner alone
    """

    types: tuple[str, ...]
    bounds: tuple[str, ...]
    values: tuple[str, ...]
    rows: RowsOfPeople


def _drafted(
    data: str, person: str, types: Mapping[str, str], declared: Container[str]
) -> DeclarationDraft:
    """Draft what is not declared: bounds of numbers, values of texts."""
    columns = {name: kind for name, kind in types.items() if name != person}
    left = [name for name in columns if name not in declared]
    numbers = [name for name in left if NUMERIC_TYPE.match(columns[name])]
    return draft(data, person, numbers, [name for name in left if name not in numbers])


def check_free(out: Path) -> None:
    """Raise :class:`OutputError` where a declaration stands already, or nothing can be written."""
    if out.exists():
        raise OutputError(
            f"{out.name}: exists already",
            "Change it with an editor, or give another name: its budget stays.",
        )
    refuse_obstacle(out)
    if not out.parent.is_dir():
        raise OutputError(f"{out.name}: its folder does not exist", "Make the folder first.")


def check_addresses(locations: Mapping[str, str]) -> None:
    """Raise :class:`PolicyError` for every PostgreSQL address that a declaration may not hold."""
    if faults := list(address_faults(locations)):
        raise PolicyError(faults)


def check_names(types: Mapping[str, str], person: str, named: Mapping[str, Any]) -> None:
    """Raise :class:`SchemaError` for every column that the data lack."""
    from indistinct.questions.database.engines.files import known_columns

    faults = [
        Fault(name, "is not a column of the data", known_columns(types, (person, *named)))
        for name in (person, *named)
        if name not in types
    ]
    if faults:
        raise SchemaError(faults)


def plain_name(words: str) -> str:
    """Make a name that needs no quotes."""
    name = re.sub(r"\W", "_", words, flags=re.ASCII).strip("_")
    return name if re.match(r"[A-Za-z]", name) else f"data_{name}".rstrip("_")


def relative(data: str, out: Path) -> str:
    """Write the path of the data as seen from the declaration."""
    return os.path.relpath(Path(data).resolve(), out.parent.resolve())


def column_types(data: str, table: str) -> dict[str, str]:
    """Return name and SQL type of every column; of a CSV as its content suggests."""
    if is_postgres(data):
        from indistinct.questions.database.engines.postgres import column_types as types_in_postgres

        return types_in_postgres(data, table)
    from indistinct.questions.database.engines.files import connect, guessed_types, unreadable

    if not Path(data).is_file():
        raise unreadable(data)
    with connect() as connection:
        return guessed_types(connection, data)


def written_columns(data: str, types: Mapping[str, str]) -> dict[str, FoundColumn]:
    """Return the columns of a file of text whose cells are numbers or dates in another writing."""
    from indistinct.questions.database.engines.files import connect, readable

    if is_postgres(data) or not TEXT_FILE.search(data):
        return {}
    with connect() as connection, readable(data) as source:
        return found_columns(connection, source, types)


def start_ledger(dataset: Dataset) -> None:
    """Make the ledger if there is none, and make the dataset known to it."""
    with closing(open_store(dataset.ledger, create=True)) as store:
        ledger = ledger_of(dataset, store, identities(dataset))
        ledger.register()
        for problem, remedy in ledger.problems():
            raise DataError(problem, remedy)


@former_names(positional=("name",))
def add_analyst(path: str | Path, *, name: str, role: str = "analyst", epsilon: Any = None) -> str:
    """Add somebody to a declaration and give their token, which is written nowhere.

    Parameters
    ----------
    role : analyst, or owner, who also sees the whole ledger
    epsilon : what this analyst may spend; what the declaration says of everybody if left out
    """
    path = Path(path)
    dataset = load(path)
    if role not in {"analyst", "owner"}:
        raise ParameterError(
            'role: must be "analyst" or "owner"', "Analysts ask; owners see all charges."
        )
    if name in dataset.analysts or not re.fullmatch(r"[A-Za-z0-9_.@-]{1,100}", name):
        raise ParameterError(
            "name: is taken, or holds more than letters, digits and . _ @ -", "Choose another name."
        )
    token = secrets.token_urlsafe(32)
    who: dict[str, Any] = {"role": role, "token_sha256": token_hash(token)}
    if epsilon is not None:
        billionths(epsilon)
        who["epsilon"] = Decimal(str(epsilon))
    added = tomli_w.dumps(as_written({"analysts": {name: who}}), indent=2)
    write(path, f"{path.read_text(encoding='utf-8')}\n{added}")
    return token


def end_token(path: str | Path, *, name: str) -> bool:
    """End somebody's token; the analyst and what was charged to them stay.

    Returns
    -------
    whether there was a token

    Raises
    ------
    AccessError
        If the declaration names nobody of that name.
    """
    path = Path(path)
    who = load(path).analysts.get(name)
    if who is None:
        raise AccessError("name: is no analyst of this declaration", "Look into the file.")
    if not who.token_sha256:
        return False
    write(path, path.read_text(encoding="utf-8").replace(who.token_sha256, ""))
    return True


def token_hash(token: str) -> str:
    """Return the form in which tokens are kept: they are long and random, so one hash will do."""
    return hashlib.sha256(token.encode()).hexdigest()


def as_written(value: Any) -> Any:
    """Return the parts of a declaration as people write them: 3 and not 3.0, 0.0000001 as it is."""
    if isinstance(value, Mapping):
        tables = cast("Mapping[str, Any]", value).items()
        return {name: as_written(part) for name, part in tables}
    if isinstance(value, list):
        return [as_written(part) for part in cast("list[Any]", value)]
    is_whole = isinstance(value, Decimal) and value == value.to_integral_value()
    return int(value) if is_whole else value


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all; a new one can be read by its owner alone."""
    refuse_obstacle(path)
    with atomic(path, private=not path.exists()) as temporary:
        temporary.write_text(text, encoding="utf-8")
