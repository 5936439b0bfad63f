"""From a page's values to its HTML: what every page shows besides its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from starlette.responses import HTMLResponse

from indistinct.base.statements.number_texts import capitalized
from indistinct.errors import Fault
from indistinct.frontends.app.coded_texts import fault_text, spoken
from indistinct.frontends.app.job_messages import sentence
from indistinct.frontends.app.number_words import FILTERS, chance, figure, percent
from indistinct.frontends.app.project import PEOPLE
from indistinct.frontends.app.state import AppState
from indistinct.frontends.app.texts import FILES, catalogue, language, text
from indistinct.frontends.app.ways import buttons_of
from indistinct.frontends.report.pages import seen, templates as report_templates

STEPS = (
    "data", "people", "roles", "hierarchies", "promise", "search", "explore", "compare", "release",
)  # fmt: skip
MOST_PROMISES = 2  # that the bar names before it counts the others
FURTHER = ("script", "history", "related", "graph", "questions")


@dataclass(frozen=True, slots=True)
class BarFigure:
    """One figure of the bar on top; ``is_known`` once something was searched for."""

    label: str
    value: str
    is_known: bool = True


@cache
def templates() -> Environment:
    """Return the templates of the application and the components of the reports; all is escaped."""
    loaders = {
        "app": PackageLoader("indistinct.frontends.app"),
        "report": PackageLoader("indistinct.frontends.report"),
    }
    environment = Environment(
        loader=PrefixLoader(loaders),
        autoescape=True,
        finalize=seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Typed loosely by Jinja.
    filters: dict[str, Any] = environment.filters
    filters |= {**FILTERS, "stage": _stage, "spoken": spoken, "fault_text": fault_text}
    filters["buttons"] = buttons_of
    shared: dict[str, Any] = environment.globals
    shared["t"] = text
    return environment


def _stage(told: Mapping[str, Any], kind: str) -> str:
    """Return what a job of a kind does."""
    return sentence(kind, told)


@cache
def style() -> str:
    """Return the style sheet: that of the reports, and what the application adds."""
    own = report_templates().get_template("style.css").render()
    from importlib.resources import files

    added = files("indistinct.frontends.app").joinpath("static/app.css").read_text(encoding="utf-8")
    return f"{own}\n{added}"


def shown(
    state: AppState,
    page: str,
    *,
    faults: Sequence[Fault] = (),
    said: str = "",
    status: int | None = None,
    **values: Any,
) -> HTMLResponse:
    """Show a page.

    Parameters
    ----------
    page : its name, as in ``templates/``
    faults : that its form was refused for
    said : what was just done
    """
    body = (
        templates()
        .get_template(f"app/{page}.html")
        .render(page=page, faults=faults, said=said, **_shared(state, page), **values)
    )
    return HTMLResponse(body, status or (422 if faults else 200))


def piece(state: AppState, name: str, **values: Any) -> HTMLResponse:
    """Show a part of a page."""
    del state
    return HTMLResponse(templates().get_template(f"app/{name}.html").render(**values))


def _shared(state: AppState, page: str) -> Mapping[str, Any]:
    """Return what every page shows."""
    project = state.shown_project
    job = state.jobs.poll()
    history = None if project is None else project.history
    return {
        "steps": [(step, _state(state, step)) for step in STEPS],
        "further": FURTHER,
        "current": page.partition("-")[0],
        "language": language.get(),
        "languages": [(name, text(f"language.{name}")) for name in FILES],
        "project": project,
        "bar": _bar(state),
        "job": job,
        "can_undo": history is not None and history.back() is not None,
        "can_redo": history is not None and history.forth() is not None,
    }


def _bar(state: AppState) -> list[BarFigure]:
    """Return the four figures on top, of the policy as it stands."""
    if state.shown_project is None:
        return []
    kind, outcome = state.outcome()
    none = text("bar.not_searched")
    values = [none] * 3
    if outcome is not None:
        information = none if outcome.information is None else percent(outcome.information)
        values = [percent(outcome.kept), information, chance(outcome.risk)]
    names = [text(f"bar.{name}") for name in ("kept", "information", "risk")]
    if kind == "trial":
        values = [text("bar.of_sample", value=value) for value in values]
    is_known = outcome is not None
    figures = [BarFigure(name, value, is_known) for name, value in zip(names, values, strict=True)]
    return [BarFigure(text("bar.promise"), promise_of(state.shown_project.words)), *figures]


def promise_of(words: Mapping[str, Any]) -> str:
    """Write the first models of a policy shortly, and how many more there are."""
    models = words.get("models", [])
    said = [_short(model) for model in models[:MOST_PROMISES]]
    if n_more := len(models) - len(said):
        said.append(text("bar.more", number=n_more))
    return capitalized("; ".join(said)) or text("bar.no_promise")


def _short(model: Mapping[str, Any]) -> str:
    """Write a model shortly, in plain words where there are some; else its name and numbers."""
    plain = f"short.{model['name']}"
    if plain in catalogue():
        return text(plain, **model)
    rest = [f"{w} = {figure(v)}" for w, v in model.items() if w not in {"name", "column"}]
    column = [str(model["column"])] if "column" in model else []
    return ", ".join([str(model["name"]), *column, *rest[:2]])


def _state(state: AppState, step: str) -> str:
    """Return how far a step is: ``done``, ``open`` or nothing yet."""
    if state.shown_project is None:
        return "open" if step == "data" else "later"
    if step == "data":
        return "done"
    if step == "people":
        return "done" if PEOPLE in state.shown_project.confirmed else "open"
    if step == "roles":
        return "open" if state.shown_project.unconfirmed() else "done"
    has_run = state.current_run() is not None
    if step in {"hierarchies", "promise", "search"}:
        return "done" if has_run else "open"
    return "open" if has_run else "later"


def options(names: Iterable[str], prefix: str) -> list[tuple[str, str]]:
    """Return choices with their texts."""
    return [(name, text(f"{prefix}.{name}")) for name in names]
