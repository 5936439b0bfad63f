"""Step 7: original beside release, two releases side by side, and an attack."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.errors import UsageError
from indistinct.frontends.app.number_words import chance, percent
from indistinct.frontends.app.pages.answers import said, several, then, whole
from indistinct.frontends.app.pages.search import where
from indistinct.frontends.app.runs import ReleaseRun
from indistinct.frontends.app.screen import promise_of, shown
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text


def show(state: AppState, request: Request) -> Response:
    """Show a release beside its original."""
    state.opened()
    run, runs = state.current_run(), state.runs()
    if run is None:
        return shown(state, "compare", run=None)
    other = request.query_params.get("with")
    other_run = state.run(whole(other)) if other else None
    attack = state.jobs.results.get(f"attack {run.number}")
    compared = state.jobs.results.get(f"compare {run.number}")
    known = state.opened().policy().class_names
    return shown(
        state,
        "compare",
        run=run,
        runs=runs,
        other_run=other_run,
        other_rows=[] if other_run is None else side_by_side(state, run, other_run),
        pair=None if other_run is None else state.jobs.results.get(_pair_key(run, other_run)),
        compared=compared,
        rows=None
        if compared is None
        else state.jobs.results.get(_records_key(run), compared["rows"]),
        attack=attack,
        known_columns=known,
        chosen=known if attack is None else attack["known"],
    )


def measure(state: AppState) -> Response:
    """Compare a release with its original."""
    run = state.searched()
    state.jobs.start("compare", f"compare {run.number}", "/compare", _files(state, run))
    return then("/compare")


def records(state: AppState, form: FormData) -> Response:
    """Read further records of the release, from a number on."""
    run = state.searched()
    first = max(whole(said(form, "next") or said(form, "from")), 1)
    arguments = {**_files(state, run), "start": first - 1}
    state.jobs.start("records", _records_key(run), "/compare", arguments)
    return then("/compare")


def pair(state: AppState, form: FormData) -> Response:
    """Compare two releases column by column."""
    run, other_run = state.searched(), state.run(whole(said(form, "with")))
    project = state.opened()
    names = [text("compare.run", number=one.number) for one in (run, other_run)]
    arguments = {
        "folder": str(project.folder),
        "data": project.source.read,
        "first": [project.at(run.entry)[0], str(run.release)],
        "second": [project.at(other_run.entry)[0], str(other_run.release)],
        "heads": [text("compare.value"), *names],
    }
    page = f"/compare?with={other_run.number}"
    state.jobs.start("pair", _pair_key(run, other_run), page, arguments)
    return then(page)


def attack(state: AppState, form: FormData) -> Response:
    """Look for everybody in the release, knowing some columns of each."""
    run = state.searched()
    names = state.opened().policy().class_names
    chosen = [
        names[number] for given in several(form, "known") if (number := whole(given)) < len(names)
    ]
    if not chosen:
        raise UsageError(text("compare.nothing_known"), text("compare.nothing_known_remedy"))
    arguments = {**_files(state, run), "known": chosen}
    state.jobs.start("attack", f"attack {run.number}", "/compare", arguments)
    return then("/compare")


def side_by_side(
    state: AppState, first: ReleaseRun, second: ReleaseRun
) -> list[tuple[str, str, str]]:
    """List the figures of two runs."""
    columns = [_figures(state, run) for run in (first, second)]
    names = dict.fromkeys([*columns[0], *columns[1]])
    return [(name, columns[0].get(name, ""), columns[1].get(name, "")) for name in names]


def _records_key(run: ReleaseRun) -> str:
    """Return a key of the records of a run that are looked at."""
    return f"records {run.number}"


def _pair_key(first: ReleaseRun, second: ReleaseRun) -> str:
    """Return a key that tells one comparison of two releases from another."""
    return f"pair {first.number} {second.number}"


def _figures(state: AppState, run: ReleaseRun) -> dict[str, str]:
    """List the figures of one run, and the levels of its columns."""
    words, _ = state.opened().at(run.entry)
    outcome, method = run.outcome(), run.document["method"]
    levels: dict[str, int] = method.get("transformation") or {}
    return {
        text("bar.promise"): promise_of(words),
        text("bar.kept"): percent(outcome.kept),
        text("bar.information"): percent(outcome.information),
        text("bar.risk"): chance(outcome.risk),
        text("search.algorithm"): str(method["algorithm"]),
        **{text("compare.level_of", column=name): str(level) for name, level in levels.items()},
    }


def _files(state: AppState, run: ReleaseRun) -> dict[str, Any]:
    """Return the files of a run, as a job needs them."""
    return {**where(state), "release": str(run.release), "crosswalk": str(run.crosswalk)}
