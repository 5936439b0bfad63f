"""A table is opened: its first rows as they are read, and everything that says how."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.app.desk import AppState, OpeningFile, settled
from indistinct.app.edits import drafted_again
from indistinct.app.pages.answers import said, then
from indistinct.app.pages.chooser import chooser_of
from indistinct.app.pages.reading_form import ReadingSettings, first_lines, said_of
from indistinct.app.project import Project
from indistinct.app.screen import options, shown
from indistinct.app.sources import place_of, sheets_of
from indistinct.app.sources import shown as named
from indistinct.app.texts import text
from indistinct.engines.addresses import is_address
from indistinct.engines.reading import SET
from indistinct.errors import Fault, IndistinctError
from indistinct.policy.sections.column import TYPES
from indistinct.policy.sections.data import DataPolicy

SEPARATORS = {"": "found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = (
    "", "utf-8", "cp1252", "iso-8859-15", "cp1250", "cp1251", "utf-16", "shift_jis", "gb18030",
)  # fmt: skip
DECIMALS = {"": "found", ".": "point", ",": "comma"}
MISSING_WAYS = ("value", "suppress", "refuse")
# A small table is read meanwhile; of a larger one the page says how far that is.
OPENING_SECONDS = 1.5


def begin(desk: AppState, path: str) -> Response:
    """Begin to read a table; a large one goes on being read while the page says so.

    Raises
    ------
    UsageError
        when the path leads out of the start folder, or to nothing
    """
    place = place_of(desk.start, path)
    is_file = place.file is not None and not is_address(path)
    name = desk.start.relative(Path(place.read)) if is_file else path
    desk.project = None  # nothing of the table before is shown beside this one
    return _look(desk, OpeningFile(name))


def read_again(desk: AppState, form: FormData) -> Response:
    """Read the table in another way."""
    opening = desk.opening or OpeningFile(desk.opened().data, desk.opened().reading, desk.project)
    try:
        reading = said_of(opening, _names(desk, opening), form)
        reading.given()
    except IndistinctError as error:
        desk.opening = _refused(desk, opening, error)
        return page(desk, status=422)
    missing_as = said(form, "missing_as") or opening.missing_as
    return _look(desk, OpeningFile(opening.path, reading, opening.project, missing_as=missing_as))


def show_lines(desk: AppState) -> Response:
    """Show the first lines of a file that cannot be read yet, to its owner who asks for them."""
    return page(desk, lines=True)


def close(desk: AppState) -> Response:
    """Leave a table that cannot be read."""
    desk.opening = None
    return then("/data")


def page(desk: AppState, *, status: int = 200, lines: bool = False) -> Response:
    """Show the table that is open, or is being opened."""
    finish_reading(desk)
    opening = desk.opening
    settings, faults = _read(desk) if opening is None else _not_read(opening)
    return shown(
        desk,
        "data-opening",
        status=status,
        faults=faults,
        settings=settings,
        name=named(settings.path),
        path=settings.path,
        pending=desk.pending is not None,
        refused=bool(faults),
        counting=desk.looks.told,
        sheets=sheets_of(desk.start, settings.path),
        lines=_lines(desk, settings) if lines else [],
        separators=[(value, text(f"separator.{name}")) for value, name in SEPARATORS.items()],
        encodings=[(value, value or text("opening.found")) for value in ENCODINGS],
        decimals=[(value, text(f"decimal.{name}")) for value, name in DECIMALS.items()],
        missing_ways=options(MISSING_WAYS, "missing"),
        types=[(kind, text(f"cells.{kind}")) for kind in TYPES if kind != SET],
        chooser=chooser_of(desk),
    )


def finish_reading(desk: AppState) -> None:
    """Begin a project when its table was read: roles and hierarchies are suggestions at first."""
    with desk.lock:
        opening = desk.opening
        if opening is None or opening.faults:
            return
        try:
            place = place_of(desk.start, opening.path)
            found = settled(desk.looks.inspection(place, opening.reading), 0)
            if found is None:
                return
            _begin_project(desk, opening, tomllib.loads(found.draft()))
        except IndistinctError as error:
            desk.opening = _refused(desk, opening, error)
            return
        desk.opening = None
        desk.looks.is_read(place, opening.reading, desk.opened().reading)


def _begin_project(desk: AppState, opening: OpeningFile, drafted: dict[str, Any]) -> None:
    """Begin a project by a draft, or go on with one whose table is read in another way."""
    data: dict[str, Any] = drafted.get("data", {})
    if "missing" in opening.reading.data:
        data["missing"] = list(opening.reading.data["missing"])
    if opening.missing_as:
        data["missing_as"] = opening.missing_as
    words = {**drafted, "data": data} if data else drafted
    project = opening.project
    if project is None:
        desk.project = Project.create(desk.start, opening.path, words, text("did.opened"))
        return
    desk.project = project
    merged = drafted_again(project.words, words)
    kept = {
        name
        for name in project.confirmed
        if merged["columns"].get(name) == project.words["columns"].get(name)
    }
    project.change(merged, frozenset(kept), text("did.reading"))


def _look(desk: AppState, opening: OpeningFile) -> Response:
    """Read a table, and show what was found, or why it cannot be read."""
    desk.opening = opening
    try:
        place = place_of(desk.start, opening.path)
        settled(desk.looks.inspection(place, opening.reading), OPENING_SECONDS)
    except IndistinctError as error:
        desk.opening = _refused(desk, opening, error)
    finish_reading(desk)
    return page(desk, status=422) if desk.is_refused else then("/data")


def _refused(desk: AppState, opening: OpeningFile, error: IndistinctError) -> OpeningFile:
    """Return the opening with why a table cannot be read, named from the start folder."""
    root = f"{desk.start.root}/"
    faults = (replace(fault, place=fault.place.removeprefix(root)) for fault in error.faults)
    return replace(opening, faults=tuple(faults))


def _read(desk: AppState) -> tuple[ReadingSettings, tuple[Fault, ...]]:
    """Describe the table that is open, or say why it cannot be read any more."""
    project = desk.opened()
    reading, place = project.reading, project.source
    missing_as = DataPolicy(**project.words.get("data", {})).missing_as
    settings = ReadingSettings(project.data, reading, missing_as=missing_as)
    try:
        first = settled(desk.looks.first_rows(place, reading))
        found = settled(desk.looks.inspection(place, reading), 0)
    except IndistinctError as error:
        return settings, error.faults
    _prepare_questions(desk)
    doubts = () if found is None else found.doubts
    if first is not None:
        unclear = [f"{name}: {one.said}" for name, one in first.formats.items() if one.doubt]
        doubts = (*doubts, *unclear)
    return replace(settings, first=first, doubts=doubts), ()


def _not_read(opening: OpeningFile) -> tuple[ReadingSettings, tuple[Fault, ...]]:
    """Describe a table that is being read, or cannot be."""
    settings = ReadingSettings(
        opening.path, opening.reading, missing_as=opening.missing_as or "value"
    )
    return settings, opening.faults


def _names(desk: AppState, opening: OpeningFile) -> list[str]:
    """Name the columns as the page counts them; none where the table cannot be read."""
    if opening.project is None:
        return []
    first = settled(desk.looks.first_rows(opening.project.source, opening.project.reading))
    return [] if first is None else list(first.preview.names)


def _lines(desk: AppState, settings: ReadingSettings) -> list[str]:
    """Return the first lines of the file of a table."""
    if is_address(settings.path):
        return []
    file = place_of(desk.start, settings.path).file
    return [] if file is None else first_lines(file, settings)


def _prepare_questions(desk: AppState) -> None:
    """Read the types for the page of questions in the background, since it loads a database."""
    if desk.project is not None and not is_address(desk.project.data):
        desk.looks.sql_types(desk.project.source)
