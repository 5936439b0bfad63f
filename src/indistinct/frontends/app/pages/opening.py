"""A table is opened: its first rows as they are read, and everything that says how."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import Fault, IndistinctError
from indistinct.frontends.app.edits import drafted_again
from indistinct.frontends.app.pages.answers import said, then
from indistinct.frontends.app.pages.chooser import chooser_of
from indistinct.frontends.app.pages.reading_form import (
    RawLines,
    ReadingSettings,
    raw_lines,
    said_of,
)
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.screen import options, shown
from indistinct.frontends.app.sources import place_of, sheets_of, shown as named
from indistinct.frontends.app.state import AppState, OpeningFile, settled
from indistinct.frontends.app.texts import text
from indistinct.tables.policy import TYPES, DataPolicy
from indistinct.tables.reading import SET, is_address

SEPARATORS = {"": "found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = (
    "", "utf-8", "cp1252", "iso-8859-15", "cp1250", "cp1251", "utf-16", "shift_jis", "gb18030",
)  # fmt: skip
DECIMALS = {"": "found", ".": "point", ",": "comma"}
MISSING_WAYS = ("value", "suppress", "refuse")
# A small table is read meanwhile; of a larger one the page says how far that is.
OPENING_SECONDS = 1.5


def begin(state: AppState, path: str) -> Response:
    """Begin to read a table; a large one goes on being read while the page says so.

    Raises
    ------
    UsageError
        when the path leads out of the start folder, or to nothing
    """
    place = place_of(state.start, path)
    is_file = place.file is not None and not is_address(path)
    name = state.start.relative(Path(place.read)) if is_file else path
    state.enter(None)  # nothing of the table before is shown beside this one
    return _look(state, OpeningFile(name))


def read_again(state: AppState, form: FormData) -> Response:
    """Read the table in another way."""
    opening = state.opening or OpeningFile(
        state.opened().data, state.opened().reading, state.project
    )
    try:
        reading = said_of(opening, _names(state, opening), form)
        reading.given()
    except IndistinctError as error:
        state.opening = _refused(state, opening, error)
        return page(state, status=422)
    missing_as = said(form, "missing_as") or opening.missing_as
    return _look(state, OpeningFile(opening.path, reading, opening.project, missing_as=missing_as))


def show_lines(state: AppState) -> Response:
    """Show lines of a file that cannot be read yet, to its owner who asks for them."""
    return page(state, lines=True)


def close(state: AppState) -> Response:
    """Leave a table that cannot be read."""
    state.opening = None
    return then("/data")


def page(state: AppState, *, status: int = 200, lines: bool = False) -> Response:
    """Show the table that is open, or is being opened."""
    finish_reading(state)
    opening = state.opening
    settings, faults = _read(state) if opening is None else _not_read(opening)
    return shown(
        state,
        "data-opening",
        status=status,
        faults=faults,
        settings=settings,
        name=named(settings.path),
        path=settings.path,
        pending=state.pending is not None,
        refused=bool(faults),
        counting=state.looks.progress,
        sheets=sheets_of(state.start, settings.path),
        raw=_lines(state, settings, faults) if lines else RawLines(),
        separators=[(value, text(f"separator.{name}")) for value, name in SEPARATORS.items()],
        encodings=[(value, value or text("opening.found")) for value in ENCODINGS],
        decimals=[(value, text(f"decimal.{name}")) for value, name in DECIMALS.items()],
        missing_ways=options(MISSING_WAYS, "missing"),
        types=[(kind, text(f"cells.{kind}")) for kind in TYPES if kind != SET],
        chooser=chooser_of(state),
    )


def finish_reading(state: AppState) -> None:
    """Begin a project when its table was read: roles and hierarchies are suggestions at first."""
    with state.lock:
        opening = state.opening
        if opening is None or opening.faults:
            return
        try:
            place = place_of(state.start, opening.path)
            found = settled(state.looks.inspection(place, opening.reading), 0)
            if found is None:
                return
            _begin_project(state, opening, tomllib.loads(found.draft()))
        except IndistinctError as error:
            state.opening = _refused(state, opening, error)
            return
        state.opening = None
        # With the evidence for what was found; the policy has only what follows from it.
        state.looks.first_rows(place, opening.reading)
        state.looks.is_read(place, opening.reading, state.opened().reading)


def _begin_project(state: AppState, opening: OpeningFile, drafted: dict[str, Any]) -> None:
    """Begin a project by a draft, or go on with one whose table is read in another way."""
    data: dict[str, Any] = drafted.get("data", {})
    if "missing" in opening.reading.data:
        data["missing"] = list(opening.reading.data["missing"])
    if opening.missing_as:
        data["missing_as"] = opening.missing_as
    words = {**drafted, "data": data} if data else drafted
    project = opening.project
    if project is None:
        state.project = Project.create(state.start, opening.path, words, text("did.opened"))
        return
    state.project = project
    merged = drafted_again(project.words, words)
    kept = {
        name
        for name in project.confirmed
        if merged["columns"].get(name) == project.words["columns"].get(name)
    }
    project.change(merged, frozenset(kept), text("did.reading"))


def _look(state: AppState, opening: OpeningFile) -> Response:
    """Read a table, and show what was found, or why it cannot be read."""
    state.opening = opening
    try:
        place = place_of(state.start, opening.path)
        settled(state.looks.inspection(place, opening.reading), OPENING_SECONDS)
    except IndistinctError as error:
        state.opening = _refused(state, opening, error)
    finish_reading(state)
    return page(state, status=422) if state.is_refused else then("/data")


def _refused(state: AppState, opening: OpeningFile, error: IndistinctError) -> OpeningFile:
    """Return the opening with why a table cannot be read, named from the start folder."""
    root = f"{state.start.root}/"
    faults = (replace(fault, place=fault.place.removeprefix(root)) for fault in error.faults)
    return replace(opening, faults=tuple(faults))


def _read(state: AppState) -> tuple[ReadingSettings, tuple[Fault, ...]]:
    """Describe the table that is open, or say why it cannot be read any more."""
    project = state.opened()
    reading, place = project.reading, project.source
    missing_as = DataPolicy(**project.words.get("data", {})).missing_as
    settings = ReadingSettings(project.data, reading, missing_as=missing_as)
    try:
        first = settled(state.looks.first_rows(place, reading))
        found = settled(state.looks.inspection(place, reading), 0)
    except IndistinctError as error:
        return settings, error.faults
    _prepare_questions(state)
    doubts = () if found is None else tuple(f"{one.columns}: {one.text}" for one in found.doubts)
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


def _names(state: AppState, opening: OpeningFile) -> list[str]:
    """Name the columns as the page counts them; none where the table cannot be read."""
    if opening.project is None:
        return []
    first = settled(state.looks.first_rows(opening.project.source, opening.project.reading))
    return [] if first is None else list(first.preview.names)


def _lines(state: AppState, settings: ReadingSettings, faults: Sequence[Fault]) -> RawLines:
    """Return the lines of the file of a table that are in doubt, else the first ones."""
    if is_address(settings.path):
        return RawLines()
    file = place_of(state.start, settings.path).file
    encodings = [one for one in ENCODINGS if one not in {"", "utf-8", "utf-16"}]
    return RawLines() if file is None else raw_lines(file, settings, faults, encodings)


def _prepare_questions(state: AppState) -> None:
    """Read the types for the page of questions in the background, since it loads a database."""
    if state.project is not None and not is_address(state.project.data):
        state.looks.sql_types(state.project.source)
