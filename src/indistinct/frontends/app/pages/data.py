"""Step 1: choose a table. How it is read is said on the page of the table itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import IndistinctError, UsageError
from indistinct.frontends.app.pages import opening
from indistinct.frontends.app.pages.answers import said, then
from indistinct.frontends.app.pages.chooser import projects_of
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.sources import (
    SERVERS,
    address_in,
    place_of,
    server_table,
    shown as named,
)
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.tables.publish import sample
from indistinct.tables.reading import is_address, write_file

SAMPLE, SAMPLE_ROWS = "patients.csv", 20_000


def open_table(state: AppState, form: FormData) -> Response:
    """Begin a project for a table of the start folder."""
    return begin(state, said(form, "path"), is_new=said(form, "new") == "yes")


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
        return opening.choose(state, error.faults, address_fault=True)


def choose_folder(state: AppState, form: FormData) -> Response:
    """List the tables of another folder below the start folder."""
    name = said(form, "folder")
    state.folder = name if state.start.has_folder(name) else ""
    return opening.choose(state)


def open_sample(state: AppState) -> Response:
    """Make up a table to try things on, and open it."""
    place = state.start.inside(SAMPLE)
    if not place.exists():
        write_file(sample("patients", rows=SAMPLE_ROWS, seed=1), str(place), "csv")
    return begin(state, SAMPLE)


def open_project(state: AppState, form: FormData) -> Response:
    """Open a project that is there."""
    project = Project.load(state.start, state.start.inside(said(form, "folder")))
    state.enter(project)
    return then("/roles" if project.unconfirmed() else "/search")


def begin(state: AppState, path: str, *, is_new: bool = False) -> Response:
    """Open a table; that of a server goes on where it was left.

    Parameters
    ----------
    is_new : whether a project is begun although the table has one already
    """
    try:
        place = place_of(state.start, path)
        name = path if is_address(path) else state.start.relative(Path(place.read))
        known = [] if is_new else projects_of(state, name)
        if place.file is None and known:
            state.enter(known[0])
            return then("/data")
        if known:
            return _ask(state, name, known)
        return opening.begin(state, path)
    except IndistinctError as error:
        return opening.choose(state, error.faults)


def _ask(state: AppState, path: str, known: Sequence[Project]) -> Response:
    """Ask which project of a table is meant."""
    projects = [
        (one.folder.name, one.name, one.history.entries[-1].when, len(one.history.entries))
        for one in known
    ]
    return shown(state, "data-known", name=named(path), path=path, projects=projects)
