"""Step 1: choose a table, and say how it is read."""

from __future__ import annotations

import contextlib
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.app.desk import AppState, settled
from indistinct.app.edits import with_table
from indistinct.app.pages.answers import said, then
from indistinct.app.project import ENDING, Project
from indistinct.app.screen import options, shown
from indistinct.app.sources import KINDS, SERVERS, address_in, place_of, server_table, tables
from indistinct.app.sources import shown as named
from indistinct.app.texts import text
from indistinct.engines import files
from indistinct.engines.addresses import is_address
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.policy.sections.data import DataPolicy
from indistinct.publish.inspection import Inspection
from indistinct.publish.sample import sample

SEPARATORS = ("", ",", ";", "\t", "|")
ENCODINGS = ("", "utf-8", "windows-1252", "iso-8859-15", "utf-16")
MISSING_WAYS = ("value", "suppress", "refuse")
# A small table is read meanwhile; of a larger one the page says how far that is.
OPENING_SECONDS = 1.5
SAMPLE, SAMPLE_ROWS = "patients.csv", 20_000


def page(
    desk: AppState, faults: tuple[Fault, ...] = (), *, address_fault: bool = False
) -> Response:
    """Show the page, with what its form was refused for."""
    preview, reading = None, DataPolicy()
    with desk.lock:
        try:
            finish_reading(desk)
        except IndistinctError as error:
            desk.pending, faults = None, (*faults, *error.faults)
    if desk.project is not None:
        reading = desk.reading()
        try:
            preview = settled(desk.looks.preview(desk.project.source, reading))
        except IndistinctError as error:
            faults = (*faults, *error.faults)
        else:
            _prepare_questions(desk)
    return shown(
        desk,
        "data",
        doubts=_doubts(desk),
        faults=faults,
        preview=preview,
        types=_types(desk),
        pending=None if desk.pending is None else named(desk.pending),
        counting=desk.looks.told,
        reading=reading,
        files=tables(desk.start),
        databases=desk.start.files(KINDS),
        address_fault=address_fault,
        projects=_projects(desk),
        separators=[(value, text(f"separator.{_name(value)}")) for value in SEPARATORS],
        encodings=[(value, value or text("data.found")) for value in ENCODINGS],
        missing_ways=options(MISSING_WAYS, "missing"),
    )


def _prepare_questions(desk: AppState) -> None:
    """Read the types for the page of questions in the background, since it loads a database."""
    if desk.project is not None and not is_address(desk.project.data):
        desk.looks.sql_types(desk.project.source)


def open_table(desk: AppState, form: FormData) -> Response:
    """Begin a project for a table of the start folder."""
    return begin(desk, said(form, "path"))


def open_database(desk: AppState, form: FormData) -> Response:
    """Begin a project for a table of a database."""
    file, server, table = (said(form, name).strip() for name in ("database", "server", "table"))
    try:
        if not table:
            raise UsageError(text("data.no_table"), text("data.no_table_remedy"))
        if file:
            desk.start.file(file)
            return begin(desk, address_in(file, table))
        if not server.startswith(tuple(f"{kind}://" for kind in SERVERS)):
            raise UsageError(text("data.no_database"), text("data.no_database_remedy"))
        return begin(desk, server_table(server, table))
    except IndistinctError as error:
        return page(desk, error.faults, address_fault=True)


def open_sample(desk: AppState) -> Response:
    """Make up a table to try things on, and open it."""
    place = desk.start.inside(SAMPLE)
    if not place.exists():
        files.write(sample("patients", rows=SAMPLE_ROWS, seed=1), str(place), "csv")
    return begin(desk, SAMPLE)


def open_project(desk: AppState, form: FormData) -> Response:
    """Open a project that is there."""
    desk.project = Project.load(desk.start, desk.start.inside(said(form, "folder")))
    return then("/roles" if desk.project.unconfirmed() else "/search")


def read_again(desk: AppState, form: FormData) -> Response:
    """Read the table in another way."""
    project = desk.opened()
    missing = [word.strip() for word in said(form, "missing").split(",")]
    reading = {
        "separator": said(form, "separator") or None,
        "encoding": said(form, "encoding") or None,
        "missing": list(dict.fromkeys(missing)),
        "missing_as": said(form, "missing_as") or "value",
    }
    words = with_table(project.words, "data", reading)
    try:
        desk.change(words, text("did.reading"), project.confirmed)
    except IndistinctError as error:
        return page(desk, error.faults)
    return then("/data")


def begin(desk: AppState, path: str) -> Response:
    """Begin to read a table; a large one goes on being read while the page says so."""
    try:
        place = place_of(desk.start, path)
        if place.file is None and (known := _project_on(desk, path)) is not None:
            desk.project = known
            return then("/data")
        is_file = place.file is not None and not is_address(path)
        desk.pending = desk.start.relative(Path(place.read)) if is_file else path
        settled(desk.looks.inspection(place), OPENING_SECONDS)
        finish_reading(desk)
    except IndistinctError as error:
        desk.pending = None
        return page(desk, error.faults)
    return then("/data")


def finish_reading(desk: AppState) -> None:
    """Begin a project when its table was read: roles and hierarchies are suggestions at first.

    Raises
    ------
    DataError
        when the table cannot be read
    """
    if desk.pending is None:
        return
    name = desk.pending
    found = settled(desk.looks.inspection(place_of(desk.start, name)), 0)
    if found is not None:
        words = tomllib.loads(found.draft())
        desk.project = Project.create(desk.start, name, words, text("did.opened"))
        desk.pending = None


def _project_on(desk: AppState, address: str) -> Project | None:
    """Open the project of a table on a server again; None where there is none."""
    for name in _projects(desk):
        with contextlib.suppress(UsageError):
            project = Project.load(desk.start, desk.start.inside(name), address)
            if project.data == address:
                return project
    return None


def _types(desk: AppState) -> Mapping[str, str]:
    """Name the types of the columns, as far as they are known yet."""
    found = _inspected(desk)
    columns = () if found is None else found.columns
    known = {column.name: text(f"type.{column.type}") for column in columns}
    return defaultdict(str, known)


def _doubts(desk: AppState) -> tuple[str, ...]:
    """Return what is doubtful about how missing values are written."""
    found = _inspected(desk)
    return () if found is None else found.doubts


def _inspected(desk: AppState) -> Inspection | None:
    """Return what is known of the table as it was read first."""
    if desk.project is None:
        return None
    try:
        return settled(desk.looks.inspection(desk.project.source), 0)
    except IndistinctError:
        return None


def _projects(desk: AppState) -> list[str]:
    """List the projects of the start folder."""
    return sorted(
        place.name
        for place in desk.start.root.glob(f"*{ENDING}")
        if not place.is_symlink() and (place / "project.toml").is_file()
    )


def _name(separator: str) -> str:
    """Name a separator."""
    names = {"": "found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
    return names[separator]
