"""The history: every policy there was, to go back to, to branch from and to compare."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.frontends.app.edits import differences
from indistinct.frontends.app.history import PolicyHistory
from indistinct.frontends.app.number_words import chance, percent
from indistinct.frontends.app.pages.answers import said, then, whole
from indistinct.frontends.app.pages.compare import side_by_side
from indistinct.frontends.app.project import entries_with_policies
from indistinct.frontends.app.runs import ReleaseRun
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text


def show(state: AppState, request: Request) -> Response:
    """List the policies, and compare two of them."""
    project = state.opened()
    chosen = [request.query_params.get(name) for name in ("first", "second")]
    first, second = (whole(number) if number else None for number in chosen)
    runs = {run.fingerprint: run for run in reversed(state.runs())}
    listed = entries_with_policies(project)
    rows = [
        {
            "number": entry.number,
            "what": entry.what,
            "parent": entry.parent or "",
            "current": entry.number == project.history.current,
            "result": _result(runs.get(fingerprint)),
        }
        for entry, fingerprint in listed
    ]
    both = first is not None and second is not None
    found = {entry.number: runs.get(fingerprint) for entry, fingerprint in listed}
    pair = (found.get(first or 0), found.get(second or 0))
    return shown(
        state,
        "history",
        rows=rows,
        first=first if both else None,
        second=second,
        marked=_marked(project.history, first, second),
        changes=_changes(state, first, second),
        figures=side_by_side(state, pair[0], pair[1]) if both and pair[0] and pair[1] else [],
    )


def undo(state: AppState) -> Response:
    """Go back to the policy before."""
    return _gone(state, PolicyHistory.back)


def redo(state: AppState) -> Response:
    """Go forth again."""
    return _gone(state, PolicyHistory.forth)


def take_back(state: AppState) -> Response:
    """Go back to the policy before, whose release is there."""
    return _gone(state, PolicyHistory.back, "/search")


def _gone(
    state: AppState, chosen: Callable[[PolicyHistory], int | None], following: str = "/history"
) -> Response:
    """Make a policy of the history the current one, if there is one, and show a page."""
    project = state.opened()
    with state.lock:
        if (number := chosen(project.history)) is not None:
            project.go(number)
    return then(following)


def go(state: AppState, form: FormData) -> Response:
    """Make any policy of the history the current one; the next edit then branches off."""
    number = whole(said(form, "number"))
    return _gone(state, lambda _: number)


def _marked(history: PolicyHistory, first: int | None, second: int | None) -> tuple[int, int]:
    """Return the two steps that the form marks: those compared, else the current and the former.

    A button that needs a choice first would be a dead end.
    """
    return first or history.back() or history.current, second or history.current


def _changes(state: AppState, first: int | None, second: int | None) -> list[tuple[str, str, str]]:
    """List what differs between two policies."""
    if first is None or second is None:
        return []
    project = state.opened()
    return differences(project.at(first)[0], project.at(second)[0])


def _result(run: ReleaseRun | None) -> str:
    """Return what a search under a policy found."""
    if run is None:
        return text("bar.not_searched")
    outcome = run.outcome()
    return text(
        "history.found",
        number=run.number,
        kept=percent(outcome.kept),
        information=percent(outcome.information),
        risk=chance(outcome.risk),
    )
