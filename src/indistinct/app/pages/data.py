"""Step 1: choose a table. How it is read is said on the page of the table itself."""

from __future__ import annotations

import contextlib

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.app.desk import AppState
from indistinct.app.pages import opening
from indistinct.app.pages.answers import said, then
from indistinct.app.pages.chooser import chooser_of, projects_in
from indistinct.app.project import Project
from indistinct.app.screen import shown
from indistinct.app.sources import SERVERS, address_in, place_of, server_table
from indistinct.app.texts import text
from indistinct.engines import files
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.publish.sample import sample

SAMPLE, SAMPLE_ROWS = "patients.csv", 20_000


def page(desk: AppState) -> Response:
    """Show the table that is open, or is being opened; else what can be opened."""
    if desk.opening is not None or desk.project is not None:
        return opening.page(desk)
    return choose(desk)


def choose(
    desk: AppState, faults: tuple[Fault, ...] = (), *, address_fault: bool = False
) -> Response:
    """Show what can be opened, with what a form was refused for."""
    chooser = chooser_of(desk, has_fault=address_fault)
    return shown(desk, "data", faults=faults, chooser=chooser)


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
        return choose(desk, error.faults, address_fault=True)


def open_sample(desk: AppState) -> Response:
    """Make up a table to try things on, and open it."""
    place = desk.start.inside(SAMPLE)
    if not place.exists():
        files.write(sample("patients", rows=SAMPLE_ROWS, seed=1), str(place), "csv")
    return begin(desk, SAMPLE)


def open_project(desk: AppState, form: FormData) -> Response:
    """Open a project that is there."""
    desk.project = Project.load(desk.start, desk.start.inside(said(form, "folder")))
    desk.opening = None
    return then("/roles" if desk.project.unconfirmed() else "/search")


def begin(desk: AppState, path: str) -> Response:
    """Open a table; that of a server goes on where it was left."""
    try:
        place = place_of(desk.start, path)
        if place.file is None and (known := _project_on(desk, path)) is not None:
            desk.project, desk.opening = known, None
            return then("/data")
        return opening.begin(desk, path)
    except IndistinctError as error:
        return choose(desk, error.faults)


def _project_on(desk: AppState, address: str) -> Project | None:
    """Open the project of a table on a server again; None where there is none."""
    for name in projects_in(desk):
        with contextlib.suppress(UsageError):
            project = Project.load(desk.start, desk.start.inside(name), address)
            if project.data == address:
                return project
    return None
