"""Step 1: choose a table, and say how it is read."""

from __future__ import annotations

import contextlib
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.app.edits import with_table
from indistinct.app.pages.answers import said, then
from indistinct.app.project import ENDING, Project
from indistinct.app.screen import options, shown
from indistinct.app.sources import KINDS, SERVERS, address_in, place_of, server_table, tables
from indistinct.app.sources import shown as named
from indistinct.app.state import AppState, settled
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
    state: AppState, faults: tuple[Fault, ...] = (), *, address_fault: bool = False
) -> Response:
    """Show the page, with what its form was refused for."""
    preview, reading = None, DataPolicy()
    with state.lock:
        try:
            finish_reading(state)
        except IndistinctError as error:
            state.pending, faults = None, (*faults, *error.faults)
    if state.project is not None:
        reading = state.reading()
        try:
            preview = settled(state.looks.preview(state.project.source, reading))
        except IndistinctError as error:
            faults = (*faults, *error.faults)
        else:
            _prepare_questions(state)
    return shown(
        state,
        "data",
        doubts=_doubts(state),
        faults=faults,
        preview=preview,
        types=_types(state),
        pending=None if state.pending is None else named(state.pending),
        counting=state.looks.told,
        reading=reading,
        files=tables(state.start),
        databases=state.start.files(KINDS),
        address_fault=address_fault,
        projects=_projects(state),
        separators=[(value, text(f"separator.{_name(value)}")) for value in SEPARATORS],
        encodings=[(value, value or text("data.found")) for value in ENCODINGS],
        missing_ways=options(MISSING_WAYS, "missing"),
    )


def _prepare_questions(state: AppState) -> None:
    """Read the types for the page of questions in the background, since it loads a database."""
    if state.project is not None and not is_address(state.project.data):
        state.looks.sql_types(state.project.source)


def open_table(state: AppState, form: FormData) -> Response:
    """Begin a project for a table of the start folder."""
    return begin(state, said(form, "path"))


def open_database(state: AppState, form: FormData) -> Response:
    """Begin a project for a table of a database."""
    file, server, table = (said(form, name).strip() for name in ("database", "server", "table"))
    try:
        if not table:
            raise UsageError(text("data.no_table"), text("data.no_table_remedy"))
        if file:
            state.start.file(file)
            return begin(state, address_in(file, table))
        if not server.startswith(tuple(f"{kind}://" for kind in SERVERS)):
            raise UsageError(text("data.no_database"), text("data.no_database_remedy"))
        return begin(state, server_table(server, table))
    except IndistinctError as error:
        return page(state, error.faults, address_fault=True)


def open_sample(state: AppState) -> Response:
    """Make up a table to try things on, and open it."""
    place = state.start.inside(SAMPLE)
    if not place.exists():
        files.write(sample("patients", rows=SAMPLE_ROWS, seed=1), str(place), "csv")
    return begin(state, SAMPLE)


def open_project(state: AppState, form: FormData) -> Response:
    """Open a project that is there."""
    state.project = Project.load(state.start, state.start.inside(said(form, "folder")))
    return then("/roles" if state.project.unconfirmed() else "/search")


def read_again(state: AppState, form: FormData) -> Response:
    """Read the table in another way."""
    project = state.opened()
    missing = [word.strip() for word in said(form, "missing").split(",")]
    reading = {
        "separator": said(form, "separator") or None,
        "encoding": said(form, "encoding") or None,
        "missing": list(dict.fromkeys(missing)),
        "missing_as": said(form, "missing_as") or "value",
    }
    words = with_table(project.words, "data", reading)
    try:
        state.change(words, text("did.reading"), project.confirmed)
    except IndistinctError as error:
        return page(state, error.faults)
    return then("/data")


def begin(state: AppState, path: str) -> Response:
    """Begin to read a table; a large one goes on being read while the page says so."""
    try:
        place = place_of(state.start, path)
        if place.file is None and (known := _project_on(state, path)) is not None:
            state.project = known
            return then("/data")
        is_file = place.file is not None and not is_address(path)
        state.pending = state.start.relative(Path(place.read)) if is_file else path
        settled(state.looks.inspection(place), OPENING_SECONDS)
        finish_reading(state)
    except IndistinctError as error:
        state.pending = None
        return page(state, error.faults)
    return then("/data")


def finish_reading(state: AppState) -> None:
    """Begin a project when its table was read: roles and hierarchies are suggestions at first.

    Raises
    ------
    DataError
        when the table cannot be read
    """
    if state.pending is None:
        return
    name = state.pending
    found = settled(state.looks.inspection(place_of(state.start, name)), 0)
    if found is not None:
        words = tomllib.loads(found.draft())
        state.project = Project.create(state.start, name, words, text("did.opened"))
        state.pending = None


def _project_on(state: AppState, address: str) -> Project | None:
    """Open the project of a table on a server again; None where there is none."""
    for name in _projects(state):
        with contextlib.suppress(UsageError):
            project = Project.load(state.start, state.start.inside(name), address)
            if project.data == address:
                return project
    return None


def _types(state: AppState) -> Mapping[str, str]:
    """Name the types of the columns, as far as they are known yet."""
    found = _inspected(state)
    columns = () if found is None else found.columns
    known = {column.name: text(f"type.{column.type}") for column in columns}
    return defaultdict(str, known)


def _doubts(state: AppState) -> tuple[str, ...]:
    """Return what is doubtful about how missing values are written."""
    found = _inspected(state)
    return () if found is None else found.doubts


def _inspected(state: AppState) -> Inspection | None:
    """Return what is known of the table as it was read first."""
    if state.project is None:
        return None
    try:
        return settled(state.looks.inspection(state.project.source), 0)
    except IndistinctError:
        return None


def _projects(state: AppState) -> list[str]:
    """List the projects of the start folder."""
    return sorted(
        place.name
        for place in state.start.root.glob(f"*{ENDING}")
        if not place.is_symlink() and (place / "project.toml").is_file()
    )


def _name(separator: str) -> str:
    """Name a separator."""
    names = {"": "found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
    return names[separator]
