"""Step 5: a trial on a sample, then the search over the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.frontends.app.checks import checks_of
from indistinct.frontends.app.confirmations import ranks_of
from indistinct.frontends.app.edits import with_table
from indistinct.frontends.app.losses import change_of, losses_of
from indistinct.frontends.app.number_words import chance, count, figure, percent
from indistinct.frontends.app.pages.answers import said, then, whole
from indistinct.frontends.app.runs import RunFigures, next_run, outcome_of
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import catalogue, spoken, text
from indistinct.frontends.report.components import Figure, Figures
from indistinct.frontends.report.levels import WORDS, level_blocks
from indistinct.frontends.report.promises import model_table
from indistinct.frontends.report.sets import set_blocks
from indistinct.tables.search import ALGORITHMS, DEFAULT_ALGORITHM

LOSS = "loss"  # the objective whose bound people understand


def page(state: AppState, faults: tuple[Fault, ...] = ()) -> Response:
    """Show the page, with what its form was refused for."""
    project = state.opened()
    method = project.words.get("method", {})
    run = state.current_run()
    document = None if run is None else run.document
    words = {one: spoken(f"levels.{one}", english) for one, english in WORDS.items()}
    return shown(
        state,
        "search",
        faults=faults,
        checks=checks_of(state),
        limit=round(100 * method.get("max_suppression", 0.0)),
        algorithm=method.get("algorithm") or DEFAULT_ALGORITHM.name,
        algorithms=[(kind.name, _algorithm(kind.name)) for kind in ALGORITHMS],
        changed=bool(faults) or _is_unusual(method),
        time_limit=f"{method['time_limit']:g}" if "time_limit" in method else "",
        trial=_trial(state),
        run=run,
        figures=None if document is None else figures_of(document),
        models=None if document is None else model_table(document["models"]),
        levels=[] if document is None else level_blocks(document["method"], words, percent),
        sets=[]
        if document is None
        else set_blocks(document.get("sets", {}), project.policy().columns),
        quality="" if document is None else _quality(document),
        ranks=[] if run is None else ranks_of(run.about["warnings"]),
        losses=[] if run is None else losses_of(state, run),
        change=None if run is None else change_of(state, run),
    )


def set_method(state: AppState, form: FormData) -> Response:
    """Return how to search; then try it or search, where that was asked for."""
    project = state.opened()
    seconds = said(form, "time_limit")
    try:
        method = {
            "algorithm": said(form, "algorithm"),
            "max_suppression": whole(said(form, "max_suppression")) / 100,
            "time_limit": whole(seconds) if seconds else None,
        }
        words = with_table(project.words, "method", method)
        what = text("did.method", algorithm=method["algorithm"])
        state.change(words, what, project.confirmed)
        follow = {"run": start_search, "trial": start_trial}.get(said(form, "then"))
        return then("/search") if follow is None else follow(state)
    except IndistinctError as error:
        return page(state, error.faults)


def start_trial(state: AppState) -> Response:
    """Search on a sample."""
    project = state.opened()
    key = f"trial {project.fingerprint()}"
    state.jobs.start("trial", key, "/search", where(state))
    return then("/search")


def start_search(state: AppState) -> Response:
    """Search over the whole table; only when every role was confirmed and nothing is refused."""
    project = state.opened()
    if project.unconfirmed():
        raise UsageError(
            [
                Fault(f"columns.{name}.role", text("search.not_confirmed"), text("search.confirm"))
                for name in project.unconfirmed()
            ]
        )
    if refused := checks_of(state).refused:
        raise UsageError(refused)
    about = {"fingerprint": project.fingerprint(), "entry": project.history.current}
    arguments = {**where(state), "run": str(next_run(state.start, project.folder)), "about": about}
    state.jobs.start("search", f"search {about['fingerprint']}", "/search", arguments)
    return then("/search")


def where(state: AppState) -> dict[str, Any]:
    """Return what every job must know."""
    project = state.opened()
    project.policy()  # no job is given one that names a file outside the start folder
    return {"words": project.words, "folder": str(project.folder), "data": project.source.read}


def figures_of(document: Mapping[str, Any]) -> Figures:
    """Return the figures of a release."""
    records, outcome = document["records"], outcome_of(document)
    return Figures(_figures(outcome, int(records["suppressed"]), document))


def _figures(outcome: RunFigures, left_out: int, document: Mapping[str, Any]) -> list[Figure]:
    """Return four figures with a sentence each."""
    smallest, names = document["classes"]["smallest"], ", ".join(document.get("sets", {}))
    is_of_people = document.get("people") is not None
    note = text("figure.smallest_note_people" if is_of_people else "figure.smallest_note")
    if names:
        note = text("figure.smallest_note_sets", names=names)
    return [
        Figure(
            text("bar.kept"), percent(outcome.kept), text("figure.kept", left_out=count(left_out))
        ),
        Figure(text("bar.information"), percent(outcome.information), text("figure.information")),
        Figure(text("bar.risk"), chance(outcome.risk), text("figure.risk")),
        Figure(text("figure.smallest"), count(smallest), note),
    ]


def _is_unusual(method: Mapping[str, Any]) -> bool:
    """Return whether somebody chose how to search, so that the choice is shown at once."""
    usual = DEFAULT_ALGORITHM.name
    return "time_limit" in method or method.get("algorithm", usual) != usual


def _algorithm(name: str) -> str:
    """Name an algorithm, with what it is good for where the catalogue says so."""
    good_for = catalogue().get(f"algorithm.{name}")
    return name if good_for is None else f"{name}: {good_for}"


def _trial(state: AppState) -> Mapping[str, Any] | None:
    """Return what the trial found."""
    found = state.trial()
    if found is None:
        return None
    return {**found, "figures": figures_of(found["document"])}


def _quality(document: Mapping[str, Any]) -> str:
    """Return how good the release is among all that keep the promise."""
    method, loss = document["method"], document["loss"]
    seconds = figure(round(float(method.get("seconds", 0.0)), 1))
    if method.get("optimal"):
        return text("search.optimal", seconds=seconds)
    bound: Mapping[str, Any] | None = loss.get("lower_bound")
    if bound is None or bound["value"] is None or method.get("objective") != LOSS:
        return text("search.heuristic", seconds=seconds)
    least = min(float(bound["value"]), float(loss[LOSS]))
    return text(
        "search.bounded",
        seconds=seconds,
        loss=percent(float(loss[LOSS])),
        bound=percent(least),
    )
