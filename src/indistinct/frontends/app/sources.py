"""Where the table of a project is: a file of the start folder, or a table of a database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from indistinct.base.inputs import open_regular
from indistinct.errors import UsageError
from indistinct.frontends.app.folder import TEXTS, StartFolder
from indistinct.frontends.app.texts import text
from indistinct.tables.reading import file_of, is_address, names_of_sheets, sheet_of

# Kinds of databases in a file, by its ending.
KINDS = {".duckdb": "duckdb", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite"}
SERVERS = ("postgresql", "postgres")
# What the address of a server may say of the way there: the folder of a socket, how to encrypt.
OPTIONS = frozenset({"host", "sslmode"})
WORKBOOK = ".xlsx"
PEEKED = 16_384  # bytes at each end of a file that tell what wrote it
# What stands in the files that a run writes for their owner: all words of one of these.
OWNERS = (
    (b"output_row", b"input_row"),  # crosswalks
    (b"output_id", b"input_id"),  # of a graph
    (b"SQLite format 3", b"TABLE releases", b"TABLE signatures"),  # a history
    (b"SQLite format 3", b"TABLE charges", b"TABLE claims"),  # a ledger
)
KEY = re.compile(rb"[0-9a-f]{64}\s*")
OTHERS_RIGHTS = 0o077


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


def tables(start: StartFolder, folder: str = "") -> list[str]:
    """List the tables in the files of a folder; of a workbook with several, each sheet.

    What earlier runs released comes last. What they wrote for their owner is not listed.

    Parameters
    ----------
    folder : below the start folder; empty for that one
    """
    names = [name for name in start.files(below=folder) if not is_owners(start.root / name)]
    names.sort(key=lambda name: is_released(start, name))
    return [table for name in names for table in _tables_in(start, name)]


def is_released(start: StartFolder, name: str) -> bool:
    """Return whether a file was written by a run for others."""
    place = start.root / name
    return place.with_name(f"{place.name}.manifest.json").is_file()


def is_owners(place: Path) -> bool:
    """Return whether a run wrote a file for its owner alone: a crosswalk, a history, a key ...

    A crosswalk is known by the names of its columns, whatever its format, a database of histories
    or charges by those of its tables, and the hierarchies of a draft by the policy beside them.
    """
    stem, is_text = place.name.partition(".")[0], place.suffix.lower() in TEXTS
    try:
        status = place.stat()
        with open_regular(place) as file:
            found = file.read(PEEKED)
            if not is_text:
                file.seek(max(status.st_size - PEEKED, 0))  # where Parquet and Arrow have the names
                found += file.read(PEEKED)
    except OSError:
        return False
    if is_text and not KEY.fullmatch(found):
        found = found.partition(b"\n")[0]
    is_hidden = not status.st_mode & OTHERS_RIGHTS
    is_of_a_draft = place.suffix == ".csv" and place.name.count(".") > 1
    return (
        any(all(word in found for word in words) for words in OWNERS)
        or KEY.fullmatch(found) is not None
        or (is_hidden and "crosswalk" in stem)
        or (is_hidden and is_of_a_draft and place.with_name(f"{stem}.toml").is_file())
    )


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
