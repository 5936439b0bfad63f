"""Where the table of a project is: a file of the start folder, or a table of a database."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from indistinct.errors import UsageError
from indistinct.frontends.app.folder import StartFolder
from indistinct.frontends.app.texts import text
from indistinct.tables.reading import file_of, is_address, names_of_sheets, sheet_of

# Kinds of databases in a file, by its ending.
KINDS = {".duckdb": "duckdb", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite"}
SERVERS = ("postgresql", "postgres")
# What the address of a server may say of the way there: the folder of a socket, how to encrypt.
OPTIONS = frozenset({"host", "sslmode"})
WORKBOOK = ".xlsx"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is.

    Parameters
    ----------
    read : what a reader is given: a path or an address, both absolute
    file : the file that it lies in; None where it lies on a server
    """

    read: str
    file: Path | None

    def state(self) -> tuple[object, ...]:
        """Return what changes whenever the table does; a server does not tell."""
        if self.file is None:
            return (self.read,)
        status = self.file.stat()
        return self.read, status.st_size, status.st_mtime_ns


def place_of(start: StartFolder, data: str) -> Place:
    """Find the table of a project.

    Parameters
    ----------
    data : a path from the start folder, with a sheet behind the path of a workbook; or an address
        whose path is one

    Raises
    ------
    UsageError
        when it leads out of the start folder, or is not there
    """
    if not is_address(data):
        whole, sheet = sheet_of(str(start.root / data))
        file = start.file(whole)
        return Place(str(file) if sheet is None else f"{file}#{sheet}", file)
    parts = urlsplit(data)
    inner = file_of(data)
    if inner is None:
        if parts.password is not None:
            raise UsageError(text("data.password"), text("data.password_remedy"))
        return Place(data, None)
    file = start.file(inner)
    table = parse_qs(parts.query).get("table", [""])[0]
    return Place(address(parts.scheme, f"/{quote(str(file))}", table), file)


def tables(start: StartFolder) -> list[str]:
    """List the tables in the files of the start folder; of a workbook with several, each sheet.

    What earlier runs wrote comes last.
    """
    names = sorted(start.files(), key=lambda name: is_of_a_run(start, name))
    return [table for name in names for table in _tables_in(start, name)]


def is_of_a_run(start: StartFolder, name: str) -> bool:
    """Return whether a file was written by a run: a release, or the crosswalk of one."""
    place = start.root / name
    if place.with_name(f"{place.name}.manifest.json").is_file():
        return True
    return place.suffix == ".csv" and "crosswalk" in place.stem


def _tables_in(start: StartFolder, name: str) -> list[str]:
    """List the tables of one file."""
    if not name.lower().endswith(WORKBOOK):
        return [name]
    place = start.root / name
    sheets = _sheets(str(place), place.stat().st_mtime_ns)
    return [f"{name}#{sheet}" for sheet in sheets] if len(sheets) > 1 else [name]


def sheets_of(start: StartFolder, data: str) -> list[str]:
    """List the sheets of the workbook that a table is in, as tables; none of other files."""
    if is_address(data):
        return []
    whole, _ = sheet_of(str(start.root / data))
    file = start.file(whole)
    found = _tables_in(start, start.relative(file))
    return found if len(found) > 1 else []


@cache
def _sheets(path: str, time: int) -> list[str]:
    """Name the sheets of a workbook, looked up once for each time that it was changed."""
    del time
    return names_of_sheets(path)


def server_table(given: str, table: str) -> str:
    """Write the address of a table on a server; of what was given only what is known is kept."""
    place, _, options = given.partition("?")
    kept = {name: value[-1] for name, value in parse_qs(options).items() if name in OPTIONS}
    return f"{place}?{urlencode({**kept, 'table': table})}"


def address_in(file: str, table: str) -> str:
    """Write the address of a table in a database file of the start folder."""
    return address(KINDS[Path(file).suffix.lower()], f"/{quote(file)}", table)


def address(kind: str, rest: str, table: str) -> str:
    """Write the address of a table."""
    return f"{kind}://{rest}?table={quote(table, safe='')}"


def stem_of(data: str) -> str:
    """Name a table shortly: its file without endings, or its name in the database."""
    if not is_address(data):
        return Path(data).name.partition(".")[0]
    return parse_qs(urlsplit(data).query).get("table", [""])[0].rpartition(".")[2]


def shown(data: str) -> str:
    """Name a table for people: its path, or its name and that of its database."""
    if not is_address(data):
        return data
    parts = urlsplit(data)
    inner = file_of(data)
    database = parts.path.removeprefix("/") if inner is None else Path(inner).name
    return text("data.in_database", table=stem_of(data), database=database)
