"""Step 6: what other promises would cost, and what stands a step beside what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.errors import Fault, UsageError
from indistinct.frontends.app.coded_texts import fault_text
from indistinct.frontends.app.edits import pinned, with_models, with_table
from indistinct.frontends.app.lattice_picture import lattice_chart
from indistinct.frontends.app.number_words import figure
from indistinct.frontends.app.pages.answers import column_of, said, then, whole
from indistinct.frontends.app.pages.search import where
from indistinct.frontends.app.runs import records_kept
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.shape_picture import shape_chart
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import text

SUPPRESSION = "max_suppression"
LETTERS = ("k", "l", "t", "beta", "delta", "threshold")
AROUND: Mapping[str, tuple[float, ...]] = {
    "k": (2, 3, 5, 10, 20), "l": (2, 3, 4), "t": (0.1, 0.2, 0.3, 0.5), "beta": (0.5, 1, 2, 4),
    "delta": (0.5, 1, 2), "threshold": (0.05, 0.1, 0.2), SUPPRESSION: (0.0, 0.02, 0.05, 0.1),
}  # fmt: skip


def show(state: AppState) -> Response:
    """Show the frontier and the steps around what was found."""
    project = state.opened()
    run = state.current_run()
    sweep = state.jobs.results.get(_key(state, "sweep"))
    around = state.jobs.results.get(_key(state, "around"))
    shape = None if run is None else state.jobs.results.get(f"shape {run.number}")
    columns = list(project.words["columns"])
    neighbors = [] if around is None else [_step(row, around, columns) for row in around["rows"]]
    kept = None if run is None else _by_search(run.document)
    return shown(
        state,
        "explore",
        run=run,
        levels=None if run is None else run.document["method"].get("transformation"),
        parameters=_parameters(state, sweep),
        sweep=sweep,
        recommended="" if sweep is None else _recommended(sweep["document"]),
        reason="" if sweep is None else text(_why(sweep["document"])),
        rows=[] if sweep is None else list(map(_row, sweep["document"]["rows"], sweep["faults"])),
        neighbors=neighbors,
        lattice=lattice_chart(kept, neighbors) if neighbors else None,
        shape=None if shape is None else shape_chart(shape),
    )


def start_sweep(state: AppState, form: FormData) -> Response:
    """Search under many parameters."""
    vary = {name: _numbers(said(form, name)) for name, _, _ in _parameters(state, None)}
    vary = {name: values for name, values in vary.items() if values}
    if not vary:
        raise UsageError(text("explore.nothing"), text("explore.nothing_remedy"))
    state.jobs.start("sweep", _key(state, "sweep"), "/explore", {**where(state), "vary": vary})
    return then("/explore")


def start_around(state: AppState) -> Response:
    """Look at one step more and one less of every column."""
    run = state.current_run()
    levels = None if run is None else run.document["method"].get("transformation")
    if not levels:
        raise UsageError(text("problem.no_release"), text("problem.no_run_remedy"))
    state.jobs.start(
        "around", _key(state, "around"), "/explore", {**where(state), "levels": levels}
    )
    return then("/explore")


def start_shape(state: AppState) -> Response:
    """Look at the levels of the groups of a release."""
    run = state.searched()
    arguments = {**where(state), "release": str(run.release)}
    state.jobs.start("shape", f"shape {run.number}", "/explore", arguments)
    return then("/explore")


def pick(state: AppState, form: FormData) -> Response:
    """Promise what one of the points promises."""
    project = state.opened()
    sweep = state.jobs.results.get(_key(state, "sweep"))
    rows: list[Any] = [] if sweep is None else sweep["document"]["rows"]
    number = whole(said(form, "row"))
    if not 0 <= number < len(rows):
        raise UsageError(text("explore.nothing"), text("explore.nothing_remedy"))
    parameters: Mapping[str, Any] = rows[number]["parameters"]
    words = project.words
    models = [dict(model) for model in words.get("models", [])]
    for name, value in parameters.items():
        if name == SUPPRESSION:
            words = with_table(words, "method", {SUPPRESSION: value})
        for model in models:
            if name in model:
                model[name] = value
    what = text("did.picked", words=_words(parameters))
    state.change(with_models(words, models), what, project.confirmed)
    return then("/search")


def pin(state: AppState, form: FormData) -> Response:
    """Fix the level of a column, so that the next search keeps it."""
    project = state.opened()
    name, level = column_of(state, said(form, "column")), whole(said(form, "level"))
    what = text("did.pin", column=name, level=level)
    state.change(pinned(project.words, {name: level}), what, project.confirmed)
    return then("/search")


def _key(state: AppState, kind: str) -> str:
    """Return a key that tells one exploration from another."""
    return f"{kind} {state.opened().fingerprint()}"


def _parameters(state: AppState, sweep: Mapping[str, Any] | None) -> list[tuple[str, str, str]]:
    """Return what may vary: its name, a label, and the values of the form."""
    models = state.opened().words.get("models", [])
    letters = [word for word in LETTERS if any(word in model for model in models)]
    asked: Mapping[str, Any] = {} if sweep is None else sweep["vary"]
    rows: list[tuple[str, str, str]] = []
    for number, name in enumerate((*letters, SUPPRESSION)):
        # At first one thing varies, which is quick and easy to read.
        usual = AROUND[name] if number == 0 else ()
        values = asked.get(name, () if asked else usual)
        rows.append((name, text(f"explore.vary_{name}"), ", ".join(f"{v:g}" for v in values)))
    return rows


def _numbers(given: str) -> list[float]:
    """Read numbers, separated by commas."""
    try:
        found = [float(part) for part in given.replace(";", ",").split(",") if part.strip()]
    except ValueError:
        raise UsageError(text("problem.number"), text("problem.number_remedy")) from None
    return [int(value) if value == int(value) and value >= 1 else value for value in found]


def _words(parameters: Mapping[str, Any]) -> str:
    """Write parameters."""
    return ", ".join(f"{name} = {figure(value)}" for name, value in parameters.items())


def _row(row: Mapping[str, Any], faults: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return what the page says of one point."""
    words = _words(row["parameters"])
    if faults:
        return {"words": words, "why": _why_not(faults)}
    note = "frontier" if row["frontier"] else "beaten"
    return {
        "words": words,
        "why": "",
        "kept": records_kept(row),
        "information": _by_search(row),
        "risk": row["risk"]["prosecutor"],
        "note": text(f"explore.{note}"),
    }


def _recommended(document: Mapping[str, Any]) -> str:
    """Name the point to look at first; none where no point stands out."""
    if not document["recommended"]["is_bent"]:
        return ""
    return _words(document["rows"][document["recommended"]["row"]]["parameters"])


def _why(document: Mapping[str, Any]) -> str:
    """Name the text that says why one point is looked at first, or why none is."""
    if document["recommended"]["is_bent"]:
        return "explore.first_why"
    return "explore.one_best" if len(document["frontier"]) == 1 else "explore.no_knee"


def _step(
    row: Mapping[str, Any], around: Mapping[str, Any], columns: list[str]
) -> Mapping[str, Any]:
    """Return what the page says of one step."""
    before = around["levels"][row["column"]]
    way = "explore.coarser" if row["up"] else "explore.finer"
    base = {
        "column": row["column"],
        "number": columns.index(row["column"]),
        "level": row["level"],
        "up": row["up"],
        "words": text(way, before=before, after=row["level"]),
        "why": _why_not(row.get("faults", ())),
    }
    if base["why"]:
        return base
    said = {"information": _by_search(row), "risk": row["risk"]["prosecutor"]}
    return {**base, "kept": records_kept(row), **said}


def _why_not(faults: Sequence[Mapping[str, Any]]) -> Markup:
    """Return why there is no release."""
    return Markup(" ").join(fault_text(Fault.read(one)) for one in faults)


def _by_search(document: Mapping[str, Any]) -> float | None:
    """Return the detail that the search measures, of which nothing was written; in [0, 1]."""
    penalty = document["loss"].get("ncp")
    return None if penalty is None else max(1.0 - float(penalty), 0.0)
