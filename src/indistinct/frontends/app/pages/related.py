"""The page of related tables: confirm how they hang together, promise, release, read the risk."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from indistinct.base.coded_text import read_sentences
from indistinct.errors import Fault, PolicyError, UsageError
from indistinct.frontends.app.coded_texts import finding_text, spoken
from indistinct.frontends.app.number_words import count, figure, percent
from indistinct.frontends.app.pages.answers import said, then, whole
from indistinct.frontends.app.related_picture import tables_chart
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.sources import is_owners
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.related import RelatedPolicy
from indistinct.tables.core import Role
from indistinct.tables.drafting import profile_names
from indistinct.tables.findings import Finding

FOLDER = "related-releases"
TABLES, RESULT = "related-tables", "related"
FEWEST_FILES, MOST_M = 2, 3
ROLES = tuple(role.value for role in Role)


def show(state: AppState) -> Response:
    """Show the tables of a folder and the latest release of them."""
    return _page(state)


def _page(state: AppState, faults: tuple[Fault, ...] = ()) -> Response:
    """Show the page, with what its form was refused for."""
    tables = state.jobs.results.get(TABLES)
    found = state.jobs.results.get(RESULT)
    chart = None
    if tables is not None:
        rows = {name: int(one["rows"]) for name, one in tables["tables"].items()}
        chart = tables_chart(tables["words"], rows)
    return shown(
        state,
        "related",
        faults=faults,
        folders=_folders(state),
        profiles=profile_names(),
        tables=tables,
        chart=chart,
        roles=[(role, text(f"role.{role}")) for role in ROLES],
        reasons={} if tables is None else _reasons(tables["tables"]),
        tried=[] if tables is None else [_tried(*one) for one in tables["tried"]],
        found=found,
        rows=[] if found is None else _rows(found["document"], found["figures"]),
        warnings=[] if found is None else [*map(_warning, found["warnings"])],
        beyond=[] if found is None else _beyond(found["document"]),
        files=[] if found is None else _files(state, found["number"]),
        folder=FOLDER,
    )


def _reasons(tables: Mapping[str, Any]) -> dict[str, dict[str, Markup]]:
    """Return why each column of each table has its role."""
    return {
        table: {name: spoken(read_sentences(said)) for name, said in one["reasons"].items()}
        for table, one in tables.items()
    }


def _warning(document: Mapping[str, Any]) -> Markup:
    """Return what was found in a release."""
    return finding_text(Finding.read(document))


def _folders(state: AppState) -> list[str]:
    """List the folders with several tables, the start folder as a dot."""
    numbers: dict[str, int] = {}
    listed = (name for name in state.start.files() if not is_owners(state.start.root / name))
    for name in listed:
        place = name.rpartition("/")[0] or "."
        numbers[place] = numbers.get(place, 0) + 1
    return [
        name
        for name, number in numbers.items()
        if number >= FEWEST_FILES and not name.startswith(FOLDER)
    ]


def _tried(m: int, deleted: float | None) -> str:
    """Return what came of a promise that was tried."""
    if deleted is None:
        return text("related.tried_no", m=m)
    return text("related.tried", m=m, share=percent(deleted))


def look(state: AppState, form: FormData) -> Response:
    """Look at the tables of a folder.

    Raises
    ------
    UsageError
        when it is not one of the start folder
    """
    name, profile = said(form, "folder"), said(form, "profile")
    if name not in _folders(state):
        raise UsageError(text("related.no_folder"), text("related.no_folder_remedy"))
    arguments = {
        "folder": str(state.start.inside(name)),
        "name": name,
        "profile": profile if profile in profile_names() else None,
    }
    state.jobs.start(TABLES, TABLES, "/related", arguments)
    state.jobs.results.pop(RESULT, None)
    return then("/related")


def release(state: AppState, form: FormData) -> Response:
    """Make a release by what was confirmed, or redraw the picture by it."""
    tables = state.jobs.results.get(TABLES)
    if tables is None:
        raise UsageError(text("related.no_folder"), text("related.no_folder_remedy"))
    words = words_of(tables, form)
    state.jobs.results[TABLES] = {**tables, "words": words}
    try:
        RelatedPolicy.from_words(copy.deepcopy(words))
    except PolicyError as error:
        return _page(state, error.faults)
    if said(form, "do") != "release":
        return then("/related")
    arguments = {
        "folder": tables["folder"],
        "words": words,
        "hierarchy_files": tables["hierarchy_files"],
        "title": text("related.chart"),
        "heads": [text(f"related.{name}") for name in ("known", "before", "after")],
        "out": str(state.start.next_number(state.start.root / FOLDER)),
    }
    state.jobs.start(RESULT, RESULT, "/related", arguments)
    return then("/related")


def words_of(tables: Mapping[str, Any], form: FormData) -> dict[str, Any]:
    """Return the words of a policy as the form says them; what it does not say stays."""
    words = copy.deepcopy(dict(tables["words"]))
    words["related"] = {"people": said(form, "people")}
    words["models"] = [
        {"name": "joint-anonymity", "k": whole(said(form, "k")), "m": whole(said(form, "m"))}
    ]
    words["method"] = {
        "max_deleted": whole(said(form, "deleted")) / 100,
        "max_suppression": whole(said(form, "vanished")) / 100,
    }
    for number, (name, one) in enumerate(tables["tables"].items()):
        words["tables"][name] = _table(words["tables"][name], one["columns"], number, form)
    return words


def _table(
    words: Mapping[str, Any], columns: list[str], number: int, form: FormData
) -> dict[str, Any]:
    """Return the words of one table as the form says them."""
    if said(form, f"public-{number}") == "yes":
        return {"public": True}
    own: dict[str, Any] = {}
    if key := said(form, f"key-{number}"):
        own["key"] = key
    references = {
        column: above
        for place, column in enumerate(columns)
        if (above := said(form, f"leads-{number}-{place}"))
    }
    if references:
        own["references"] = references
    if key and said(form, f"release-{number}") == "yes":
        own["release_key"] = True
    known: Mapping[str, Any] = words.get("columns", {})
    own["columns"] = {
        column: _column(known.get(column, {}), said(form, f"role-{number}-{place}"))
        for place, column in enumerate(columns)
        if column != key and column not in references
    }
    return own


def _column(words: Mapping[str, Any], role: str) -> dict[str, Any]:
    """Return the words of a column in another role; a hierarchy is kept for quasi-identifiers."""
    if role not in ROLES:
        return dict(words)
    generalized = {Role.QUASI_IDENTIFIER.value, Role.UNDECIDED.value}
    kept = {
        word: one
        for word, one in words.items()
        if word in {"reason", "protect"} or (role in generalized and word != "role")
    }
    return {"role": role, **kept}


def _rows(
    document: Mapping[str, Any], figures: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, ...]]:
    """List what became of each table of events, and what the owner alone knows of it."""
    return [
        (
            name,
            count(entry["rows"]),
            percent(figures[name]["deleted"]),
            ", ".join(f"{column} {figure(loss)}" for column, loss in figures[name]["loss"].items()),
        )
        for name, entry in document["related"]["tables"].items()
    ]


def _beyond(document: Mapping[str, Any]) -> list[str]:
    """Return whom more events than promised leave with too few candidates."""
    k = document["models"][0]["required"]["k"]
    return [
        text("related.beyond", number=number, share=percent(share), k=k)
        for number, share in document["related"]["beyond"].items()
        if share is not None
    ]


def _files(state: AppState, number: int) -> list[str]:
    """Name the files of a release."""
    return state.start.plain_files(state.start.root / FOLDER / f"{number:04}" / "release")


def download(state: AppState, request: Request) -> Response:
    """Return a file of the latest release."""
    number, name = whole(request.path_params["number"]), request.path_params["name"]
    found = state.jobs.results.get(RESULT)
    if found is None or number != found["number"] or name not in _files(state, number):
        raise UsageError(text("problem.no_file"), text("problem.no_file_remedy"))
    return FileResponse(state.start.file(f"{FOLDER}/{number:04}/release/{name}"), filename=name)
