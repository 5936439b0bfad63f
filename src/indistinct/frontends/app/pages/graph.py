"""The page of graphs: what an edge list gives away, and a release of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from indistinct.base.files.writing import atomic
from indistinct.errors import UsageError
from indistinct.frontends.app.pages.answers import said, then, whole
from indistinct.frontends.app.pages.script import graph_commands
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.sources import is_owners
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.frontends.report.components import Code
from indistinct.graph import GRAPH_MODELS_BY_NAME
from indistinct.tables.publish import sample

ENDINGS = (".csv", ".tsv", ".txt", ".edges", ".gz", ".graphml", ".graph", ".metis")
MODELS = ("k-degree", "k-neighborhood", "naive")
KNOWLEDGE = ("degree", "h2", "h3", "neighborhood")
FOLDER, RESULT = "graph-releases", "graph"
EXAMPLE, PEOPLE = "friends.csv", 300
LONGEST_LINE, MOST_WORDS = 1000, 3


def show(state: AppState) -> Response:
    """Show the latest release of a graph."""
    found = state.jobs.results.get(RESULT)
    rows = [] if found is None else _rows(found["before"], found["after"])
    return shown(
        state,
        "graph",
        files=[
            name
            for name in state.start.files(ENDINGS, state.folder)
            if _may_be_a_graph(state, name) and not is_owners(state.start.root / name)
        ],
        models=[name for name in MODELS if name in GRAPH_MODELS_BY_NAME],
        found=found,
        rows=rows,
        folder=FOLDER,
        commands=None if found is None else _commands(state, found),
    )


def _commands(state: AppState, found: Mapping[str, Any]) -> Code:
    """Show the same as commands."""
    return Code(text("script.commands"), graph_commands(state.start, found))


def example(state: AppState) -> Response:
    """Make up a graph to try things on."""
    place = state.start.inside(EXAMPLE)
    if not place.exists():
        with atomic(place, private=True) as temporary:
            sample("friends", rows=PEOPLE).write_csv(temporary)
    return then("/graph")


def _may_be_a_graph(state: AppState, name: str) -> bool:
    """Return whether a file may hold a graph: a graph format, or lines of two or three names."""
    if not name.endswith((".csv", ".tsv", ".txt")):
        return True
    try:
        with state.start.file(name).open(encoding="utf-8", errors="replace") as file:
            line = file.readline(LONGEST_LINE)
    except (OSError, UsageError):
        return False
    return 1 < len(re.split(r"[,;\t ]+", line.strip())) <= MOST_WORDS


def start(state: AppState, form: FormData) -> Response:
    """Make a release of a graph."""
    edges = state.start.file(said(form, "edges"))
    model = said(form, "model")
    if model not in MODELS:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    arguments = {
        "edges": str(edges),
        "model": model,
        "k": whole(said(form, "k")),
        "title": text("graph.chart"),
        "heads": [text(f"graph.{name}") for name in ("degree", "before", "after")],
        "out": str(state.start.next_number(state.start.root / FOLDER)),
    }
    state.jobs.start("graph", RESULT, "/graph", arguments)
    return then("/graph")


def download(state: AppState, request: Request) -> Response:
    """Return a file of the latest release of a graph."""
    number, name = whole(request.path_params["number"]), request.path_params["name"]
    found = state.jobs.results.get(RESULT)
    if found is None or number != found["number"] or name not in found["files"]:
        raise UsageError(text("problem.no_file"), text("problem.no_file_remedy"))
    return FileResponse(state.start.file(f"{FOLDER}/{number:04}/{name}"), filename=name)


def _rows(
    before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]
) -> list[tuple[str, str, str]]:
    """List the levels of anonymity before and after."""
    return [
        (text(f"graph.knows_{name}"), str(before["levels"][name]), str(after["levels"][name]))
        for name in KNOWLEDGE
        if name in before["levels"]
    ]
