"""Step 4: what is promised, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from indistinct.app.desk import Desk
from indistinct.app.edits import model_from_form, with_models, with_table
from indistinct.app.pages.answers import said, then, whole
from indistinct.app.screen import shown
from indistinct.app.texts import text
from indistinct.core.parameters import Bounds, declared
from indistinct.core.schema import Role
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.models import MODELS, MODELS_BY_NAME, BoundedModel
from indistinct.report.promises import ALWAYS_OPEN
from indistinct.report.thresholds import DEFAULT

LARGEST = {"k": 50, "l": 10, "n": 1000}
SMALLEST = {"k": 2, "l": 2, "n": 10}
STEP_OF_SHARES = 0.01
# Of a new promise: the least that is useful, to be moved by the sliders.
START: Mapping[str, Any] = {
    "k": 5, "l": 2, "t": 0.2, "c": 3.0, "d": 2.0, "n": 100, "alpha": 0.5, "beta": 1.0,
    "delta": 1.0, "delta_min": 0.0, "delta_max": 0.5, "threshold": 0.09,
}  # fmt: skip
HEALTH_GROUP = round(1 / DEFAULT.risk)
PRESETS: Mapping[str, tuple[int, int, float]] = {
    "health": (HEALTH_GROUP, 2, 0.05),
    "research": (5, 2, 0.05),
    "open": (20, 3, 0.10),
    "statistics": (3, 2, 0.02),
}


@dataclass(frozen=True, slots=True)
class Word:
    """One parameter of a promise, as a form asks for it."""

    name: str
    label: str
    value: Any
    choices: Sequence[str]
    slider: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Promise:
    """One model of the policy, as the page shows it."""

    number: int
    name: str
    sentence: str
    leaves_open: list[str]
    words: list[Word]


def show(desk: Desk, request: Request) -> Response:
    """Show what is promised."""
    del request
    return page(desk)


def page(desk: Desk, faults: tuple[Fault, ...] = ()) -> Response:
    """Show the page, with what its form was refused for."""
    policy = desk.opened().policy()
    models = [_promise(number, model) for number, model in enumerate(policy.models)]
    return shown(
        desk,
        "promise",
        faults=faults,
        presets=list(PRESETS),
        models=models,
        kinds=[(kind.name, kind.name) for kind in MODELS],
        sensitive=policy.named(Role.SENSITIVE),
        always_open=ALWAYS_OPEN,
    )


def change(desk: Desk, request: Request, form: FormData) -> Response:
    """Change the parameters of one promise, or take it away."""
    models = list(desk.opened().policy().words()["models"])
    number = whole(request.path_params["number"])
    if not 0 <= number < len(models):
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    name = models[number]["name"]
    if said(form, "remove"):
        del models[number]
        return _changed(desk, models, text("did.removed", name=name))
    given = {word: value for word, value in form.items() if isinstance(value, str)}
    try:
        models[number] = model_from_form(name, {**_texts(models[number]), **given}, name)
    except IndistinctError as error:
        return page(desk, error.faults)
    return _changed(desk, models, text("did.promise", name=name))


def add(desk: Desk, request: Request, form: FormData) -> Response:
    """Promise something more."""
    del request
    name = said(form, "name")
    if name not in MODELS_BY_NAME:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    known = declared(MODELS_BY_NAME[name])
    model: dict[str, Any] = {"name": name}
    model |= {word: START[word] for word in known if word in START}
    if "column" in known:
        model["column"] = said(form, "column")
    models = [*desk.opened().policy().words()["models"], model]
    return _changed(desk, models, text("did.added", name=name))


def preset(desk: Desk, request: Request, form: FormData) -> Response:
    """Take a preset: group size, variety of sensitive values, and share that may be left out."""
    del request
    name = said(form, "preset")
    if name not in PRESETS:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    k, variety, limit = PRESETS[name]
    project = desk.opened()
    columns = project.words["columns"]
    sensitive = [c for c, one in columns.items() if one["role"] == Role.SENSITIVE.value]
    models: list[dict[str, Any]] = [{"name": "k-anonymity", "k": k}]
    models += [{"name": "distinct-l-diversity", "column": c, "l": variety} for c in sensitive]
    words = with_table(with_models(project.words, models), "method", {"max_suppression": limit})
    what = text("did.preset", name=text(f"preset.{name}.name"))
    try:
        desk.change(words, what, project.confirmed)
    except IndistinctError as error:
        return page(desk, error.faults)
    return then("/promise")


def _changed(desk: Desk, models: Sequence[Mapping[str, Any]], what: str) -> Response:
    """Promise other models, or say why that cannot be."""
    project = desk.opened()
    try:
        desk.change(with_models(project.words, models), what, project.confirmed)
    except IndistinctError as error:
        return page(desk, error.faults)
    return then("/promise")


def _promise(number: int, model: BoundedModel) -> Promise:
    """Put together what the page says of a model."""
    required: Mapping[str, Any] = model.required()
    return Promise(
        number,
        model.name,
        model.promise.format(**required),
        [item.format(**required) for item in model.leaves_open],
        [
            _word(word, bounds, required.get(word, ""))
            for word, bounds in declared(type(model)).items()
            if word != "column" and word in required
        ],
    )


def _word(name: str, bounds: Bounds, value: Any) -> Word:
    """Ask for a parameter: a slider where its range is known."""
    said = bounds.help[:1].upper() + bounds.help[1:]
    label = text("promise.word", word=name, help=said) if said else name
    slider = None if bounds.choices else _slider(name, bounds, value)
    return Word(name, label, value, bounds.choices, slider)


def _slider(name: str, bounds: Bounds, value: Any) -> tuple[float, float, float] | None:
    """Give the range of a slider: least, largest, step; None where a plain field is better."""
    if bounds.kind is int and name in LARGEST:
        low = max(SMALLEST[name], int(bounds.at_least or 0))
        return min(low, value), max(LARGEST[name], value), 1
    if bounds.kind is float and bounds.at_most == 1:
        return (STEP_OF_SHARES if bounds.above is not None else 0.0), 1.0, STEP_OF_SHARES
    return None


def _texts(model: Mapping[str, Any]) -> dict[str, str]:
    """Write the parameters of a model as a form does."""
    return {word: str(value) for word, value in model.items() if word != "name"}
