"""A table is opened: its rows as they are read, and everything that says how or is asked."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.base.panics import kind_and_place, panics_as
from indistinct.errors import DataError, Fault, IndistinctError
from indistinct.frontends.app.edits import drafted_again
from indistinct.frontends.app.pages.answers import said, several, then, whole
from indistinct.frontends.app.pages.chooser import chooser_of
from indistinct.frontends.app.pages.reading_form import (
    ReadingSettings,
    lines_in_doubt,
    said_of,
)
from indistinct.frontends.app.pages.reading_questions import (
    Question,
    question_of,
    without_options,
)
from indistinct.frontends.app.project import Project
from indistinct.frontends.app.screen import options, shown
from indistinct.frontends.app.sources import place_of, sheets_of, shown as named
from indistinct.frontends.app.state import AppState, OpeningFile, settled
from indistinct.frontends.app.texts import text
from indistinct.tables.drafting import Doubt
from indistinct.tables.policy import TYPES, DataPolicy
from indistinct.tables.publish import Inspection
from indistinct.tables.reading import SET, is_address

SEPARATORS = {"": "found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
ENCODINGS = (
    "", "utf-8", "cp1252", "iso-8859-15", "cp1250", "cp1251", "utf-16", "shift_jis", "gb18030",
)  # fmt: skip
DECIMALS = {"": "found", ".": "point", ",": "comma"}
MISSING_WAYS = ("value", "suppress", "refuse")
# A small table is read meanwhile; of a larger one the page says how far that is.
OPENING_SECONDS = 1.5
ENCODING, NOTHING_READ = "encoding", 1  # a kind of question, and the order of those of a file
OF_READING = frozenset({ENCODING, "dialect", "date-order", "century", "type", "missing", "unit"})


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
    return _look(state, OpeningFile(name))


def read_again(state: AppState, form: FormData) -> Response:
    """Read the table in another way."""
    opening = _opening(state)
    try:
        reading = said_of(opening, _names(state, opening), form)
        reading.given()
    except IndistinctError as error:
        state.opening = _refused(state, opening, error)
        return page(state, status=422)
    missing_as = said(form, "missing_as") or opening.missing_as
    return _look(state, replace(opening, reading=reading, missing_as=missing_as))


def settle(state: AppState, form: FormData) -> Response:
    """Read the table as an answer to one of its questions says."""
    opening = _opening(state)
    asked = [opening.asked] if opening.asked is not None else open_questions(state)
    number, answer = whole(said(form, "question")), whole(said(form, "answer"))
    if not (0 <= number < len(asked) and answer in {0, 1}):
        return then("/data")
    reading = opening.reading.with_words(asked[number].candidates[answer].settle)
    return _look(state, replace(opening, reading=reading))


def leave_out(state: AppState, form: FormData) -> Response:
    """Leave out the ticked rows, which are those at the start or at the end.

    Between two records, a reader leaves out no row.
    """
    opening = _opening(state)
    given: dict[str, int] = {}
    for word in ("skip_rows", "skip_last"):
        usual = opening.reading.data.get(word) or 0
        ticked = sorted({whole(one) for one in several(form, word)})
        if ticked and ticked != list(range(usual + 1, ticked[-1] + 1)):
            fault = Fault("", text("opening.between"), text("opening.between_remedy"))
            return page(state, status=422, refused=(fault,))
        given |= {word: ticked[-1]} if ticked else {}
    return _look(state, replace(opening, reading=opening.reading.with_words(given)))


def call_a_value(state: AppState, form: FormData) -> Response:
    """Read a word of a column as a value."""
    opening, name, word = _opening(state), said(form, "column"), said(form, "word")
    words = opening.reading.given().reading.words.of(name)
    kept = [one for one in words if one != word]
    return _look(
        state,
        replace(opening, reading=opening.reading.with_words({f"columns.{name}.missing": kept})),
    )


def close(state: AppState) -> Response:
    """Leave a table that cannot be read, or is not read yet."""
    state.opening = None
    return then("/data")


def page(state: AppState, *, status: int = 200, refused: tuple[Fault, ...] = ()) -> Response:
    """Show the table that is open, or is being opened; else what can be opened.

    Parameters
    ----------
    refused : why a form was refused
    """
    finish_reading(state)
    opening = state.opening
    if opening is None and state.project is None:
        return choose(state)
    if opening is None:
        settings, faults = _read(state)
    else:
        settings = ReadingSettings(
            opening.path, opening.reading, missing_as=opening.missing_as or "value"
        )
        faults = opening.faults
    if opening is not None and opening.faults and opening.project is None:
        return choose(state, faults, settings=settings)
    return shown(
        state,
        "data-opening",
        status=status,
        faults=(*faults, *refused),
        pending=state.pending is not None,
        counting=state.looks.progress,
        sheets=sheets_of(state.start, settings.path),
        chooser=chooser_of(state),
        **_about_reading(state, settings, opening),
    )


def choose(
    state: AppState,
    faults: tuple[Fault, ...] = (),
    *,
    address_fault: bool = False,
    settings: ReadingSettings | None = None,
) -> Response:
    """Show what can be opened, with what a form was refused for.

    Parameters
    ----------
    settings : of a file that cannot be read as it was tried
    """
    about: dict[str, Any] = {"settings": None}
    if settings is not None:
        about = _about_reading(state, settings, None)
    chooser = chooser_of(state, has_fault=address_fault)
    return shown(state, "data", faults=faults, chooser=chooser, **about)


def _about_reading(
    state: AppState, settings: ReadingSettings, opening: OpeningFile | None
) -> dict[str, Any]:
    """Return what the pages show of how a table is read, and what they ask."""
    asked = None if opening is None or opening.asked is None else opening.asked
    return {
        "settings": settings,
        "name": named(settings.path),
        "path": settings.path,
        "asked": None if asked is None else _question(state, settings, 0, asked),
        "refused": state.is_refused,
        "separators": [(value, text(f"separator.{name}")) for value, name in SEPARATORS.items()],
        "encodings": [(value, value or text("opening.found")) for value in ENCODINGS],
        "decimals": [(value, text(f"decimal.{name}")) for value, name in DECIMALS.items()],
        "missing_ways": options(MISSING_WAYS, "missing"),
        "types": [(kind, text(f"cells.{kind}")) for kind in TYPES if kind != SET],
    }


def _question(state: AppState, settings: ReadingSettings, number: int, doubt: Doubt) -> Question:
    """Return a question about the reading, with cells or lines as each answer reads them."""
    if doubt.kind == ENCODING and not is_address(settings.path):
        file = place_of(state.start, settings.path).file
        first, second = (str(one.settle[ENCODING]) for one in doubt.candidates)
        return question_of(
            number, doubt, () if file is None else lines_in_doubt(file, first, second)
        )
    answers = tuple(one.answer for one in doubt.candidates)
    project = state.opened()
    first = settled(state.looks.first_rows(project.source, project.first_reading))
    found = () if first is None else first.preview.open
    shown_cells = next((cells[1:] for cells in found if cells[0] == answers), ())
    return question_of(number, doubt, [(0, pair) for pair in shown_cells])


def open_questions(state: AppState) -> list[Doubt]:
    """Return what is still asked of the reading of the open table, by what the policy says."""
    project = state.opened()
    found = settled(state.looks.inspection(project.source, project.first_reading), 0)
    doubts = () if found is None else found.doubts
    known = project.words["columns"].keys()
    return [
        one
        for one in doubts
        if one.kind in OF_READING and one.is_open(project.words) and known >= {*one.about}
    ]


def finish_reading(state: AppState) -> None:
    """Begin a project when its table was read: roles and hierarchies are suggestions at first."""
    with state.lock:
        opening = state.opening
        if opening is None or not opening.is_pending:
            return
        try:
            place = place_of(state.start, opening.path)
            with panics_as(RuntimeError):
                found = settled(state.looks.inspection(place, opening.reading), 0)
            if found is None:
                return
            asked = _asked_first(found)
            if asked is not None:
                state.opening = replace(opening, asked=asked)
                return
            _begin_project(state, opening, tomllib.loads(found.draft()))
        except Exception as error:  # noqa: BLE001 - whatever the bytes, the page says it
            state.opening = _refused(state, opening, error)
            return
        # With the evidence for what was found; the policy has only what follows from it.
        state.looks.first_rows(place, opening.reading)
        project = state.opened()
        state.looks.is_read(place, opening.reading, project.reading, project.first_reading)
        state.looks.hidden(place, project.reading, project.roles)  # which the page of roles says


def _asked_first(found: Inspection) -> Doubt | None:
    """Return the question without whose answer nothing can be read; None where there is none."""
    open_ones = (one for one in found.doubts if one.order == NOTHING_READ and one.chosen is None)
    return next(open_ones, None)


def _begin_project(state: AppState, opening: OpeningFile, drafted: dict[str, Any]) -> None:
    """Begin a project by a draft, or go on with one whose table is read in another way."""
    data: dict[str, Any] = drafted.get("data", {})
    if "missing" in opening.reading.data:
        data["missing"] = list(opening.reading.data["missing"])
    if opening.missing_as:
        data["missing_as"] = opening.missing_as
    words = {**drafted, "data": data} if data else drafted
    for name, said_of_it in opening.reading.columns.items():
        if name in words["columns"]:
            words["columns"][name] |= said_of_it
    project = opening.project
    if project is None:
        state.enter(Project.create(state.start, opening.path, words, text("did.opened")))
        return
    merged = drafted_again(project.words, words)
    kept = {
        name
        for name in project.confirmed
        if merged["columns"].get(name) == project.words["columns"].get(name)
    }
    project.change(merged, frozenset(kept), text("did.reading"))
    state.enter(project)


def _look(state: AppState, opening: OpeningFile) -> Response:
    """Read a table, and show what was found, or why it cannot be read."""
    state.opening = opening = replace(opening, faults=(), asked=None)
    try:
        place = place_of(state.start, opening.path)
        with panics_as(RuntimeError):
            settled(state.looks.inspection(place, opening.reading), OPENING_SECONDS)
    except Exception as error:  # noqa: BLE001 - as above
        state.opening = _refused(state, opening, error)
    finish_reading(state)
    return page(state, status=422) if state.is_refused else then("/data")


def _refused(state: AppState, opening: OpeningFile, error: Exception) -> OpeningFile:
    """Return the opening with why a table cannot be read, in the words of the page."""
    if not isinstance(error, IndistinctError):
        error = DataError(text("opening.broken", error=kind_and_place(error)), "")
    faults = [without_options(fault, f"{state.start.root}/") for fault in error.faults]
    return replace(opening, faults=tuple(faults))


def _opening(state: AppState) -> OpeningFile:
    """Return the table that is being opened, else the one that is open."""
    if state.opening is not None:
        return state.opening
    project = state.opened()
    return OpeningFile(project.data, project.reading, project)


def _read(state: AppState) -> tuple[ReadingSettings, tuple[Fault, ...]]:
    """Describe the table that is open, or say why it cannot be read any more."""
    project = state.opened()
    reading, place = project.reading, project.source
    missing_as = DataPolicy(**project.words.get("data", {})).missing_as
    settings = ReadingSettings(project.data, reading, missing_as=missing_as)
    try:
        first = settled(state.looks.first_rows(place, reading))
        settings = replace(settings, first=first)
        doubts = enumerate(open_questions(state))
        asked = [_question(state, settings, number, one) for number, one in doubts]
        missing = settled(state.looks.missing_words(place, reading))
    except IndistinctError as error:
        root = f"{state.start.root}/"
        return settings, tuple(without_options(fault, root) for fault in error.faults)
    _prepare_questions(state)
    return replace(settings, asked=asked, missing_words=missing), ()


def _names(state: AppState, opening: OpeningFile) -> list[str]:
    """Name the columns as the page counts them; none where the table cannot be read."""
    if opening.project is None:
        return []
    first = settled(state.looks.first_rows(opening.project.source, opening.project.reading))
    return [] if first is None else list(first.preview.names)


def _prepare_questions(state: AppState) -> None:
    """Read the types for the page of questions in the background, since it loads a database."""
    if state.project is not None and not is_address(state.project.data):
        state.looks.sql_types(state.project.source)
