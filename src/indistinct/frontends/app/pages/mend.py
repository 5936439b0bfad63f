"""Buttons beside what is wrong: each makes one edit of the policy that an engine named."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import UsageError
from indistinct.frontends.app.edits import with_way
from indistinct.frontends.app.pages.answers import said, then
from indistinct.frontends.app.pages.search import start_search
from indistinct.frontends.app.screen import STEPS
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text
from indistinct.frontends.app.ways import way_label, ways_of


def mend(state: AppState, form: FormData) -> Response:
    """Make the edits of a button, and search again where the button stands beside a search."""
    project = state.opened()
    ways = ways_of(said(form, "ways"))
    words, confirmed = project.words, set(project.confirmed)
    try:
        for way in ways:
            words = with_way(words, way)
            confirmed |= {way.place[1]} if way.place[-1] == "role" else set()
    except (KeyError, TypeError, ValueError, IndexError):
        raise UsageError(text("problem.no_way"), text("problem.no_way_remedy")) from None
    state.change(words, "; ".join(map(way_label, ways)), frozenset(confirmed))
    if said(form, "then") == "search":
        return start_search(state)
    page = said(form, "page")
    return then(f"/{page}" if page in STEPS else "/promise")
