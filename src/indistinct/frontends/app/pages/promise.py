"""Step 4: what is promised, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.responses import Response

from indistinct.base.parameters import Bounds, declared
from indistinct.base.statements.number_texts import capitalized
from indistinct.errors import Fault, IndistinctError, UsageError
from indistinct.frontends.app.checks import checks_of
from indistinct.frontends.app.edits import model_from_form, with_models, with_table
from indistinct.frontends.app.number_words import listed, percent
from indistinct.frontends.app.pages.answers import SEE_OTHER, said, several, then, whole
from indistinct.frontends.app.pages.search import where
from indistinct.frontends.app.screen import shown
from indistinct.frontends.app.state import AppState, settled
from indistinct.frontends.app.texts import catalogue, spoken, text
from indistinct.frontends.report.promises import ALWAYS_OPEN, without_promise
from indistinct.frontends.report.thresholds import DEFAULT
from indistinct.tables.core import Role
from indistinct.tables.models import MODELS, MODELS_BY_NAME, SET_MODEL_NAMES, BoundedModel, SetModel

LARGEST = {"k": 50, "l": 10, "n": 1000}
SMALLEST = {"k": 2, "l": 2, "n": 10}
STEP_OF_SHARES = 0.01
# Of a new promise: the least that is useful, to be moved by the sliders.
START: Mapping[str, Any] = {
    "k": 5, "l": 2, "t": 0.2, "c": 3.0, "d": 2.0, "n": 100, "alpha": 0.5, "beta": 1.0,
    "delta": 1.0, "delta_min": 0.0, "delta_max": 0.5, "threshold": 0.09,
}  # fmt: skip
# The smallest group in which the risk is at most the number that the documents are read with.
HEALTH_GROUP = ceil(1 / float(DEFAULT.written))
# For a sensitive column while its values are still being counted.
START_OF_COLUMN: Mapping[str, Any] = {"name": "distinct-l-diversity", "l": 2}
PRESETS: Mapping[str, tuple[int, int, float]] = {
    "health": (HEALTH_GROUP, 2, 0.05),
    "research": (5, 2, 0.05),
    "open": (20, 3, 0.10),
    "statistics": (3, 2, 0.02),
}


@dataclass(frozen=True, slots=True)
class ParameterField:
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
    sentence: Markup
    leaves_open: list[str]
    price: str
    words: list[ParameterField]


def page(state: AppState, faults: tuple[Fault, ...] = ()) -> Response:
    """Show the page, with what its form was refused for."""
    policy = state.opened().policy()
    prices = state.jobs.results.get(_prices_key(state))
    models = [_promise(n, one, _price(prices, n)) for n, one in enumerate(policy.models)]
    return shown(
        state,
        "promise",
        faults=faults,
        presets=list(PRESETS),
        preset=_chosen(state.opened().words),
        models=models,
        counts_people=policy.data.person is not None,
        checks=checks_of(state),
        priced=prices is not None,
        kinds=[(kind.name, _kind(kind.name)) for kind in MODELS],
        sensitive=policy.named(Role.SENSITIVE),
        always_open=[
            spoken(f"always_open.open_{place}", item) for place, item in enumerate(ALWAYS_OPEN, 1)
        ],
    )


def change(state: AppState, form: FormData) -> Response:
    """Change the parameters of all promises at once, and perhaps take one away."""
    before = list(state.opened().policy().words()["models"])
    given = {word: value for word, value in form.items() if isinstance(value, str)}
    faults: list[Fault] = []
    models: list[dict[str, Any]] = []
    for number, model in enumerate(before):
        own = _own(given, number)
        try:
            models.append(model_from_form(model["name"], {**_texts(model), **own}, model["name"]))
        except IndistinctError as error:
            faults += error.faults
    if faults:
        return page(state, tuple(faults))
    if removed := said(form, "remove"):
        if not 0 <= (number := whole(removed)) < len(models):
            raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
        gone = models.pop(number)
        return _changed(state, models, text("did.removed", name=gone["name"]))
    changed = [new["name"] for old, new in zip(before, models, strict=True) if old != new]
    # As the policy stands, the words that were not said stay unsaid.
    kept = models if changed else state.opened().words.get("models", [])
    answer = _changed(state, kept, text("did.promise", name=listed(dict.fromkeys(changed))))
    if answer.status_code != SEE_OTHER:
        return answer
    if said(form, "then") == "prices":
        return _start_prices(state)
    return then("/search") if said(form, "then") == "search" else answer


def add(state: AppState, form: FormData) -> Response:
    """Promise something more."""
    name = said(form, "name")
    if name not in MODELS_BY_NAME:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    known = declared(MODELS_BY_NAME[name])
    model: dict[str, Any] = {"name": name}
    model |= {word: START[word] for word in known if word in START}
    if "column" in known:
        model["column"] = said(form, "column")
    models = [*state.opened().policy().words()["models"], model]
    return _changed(state, models, text("did.added", name=name))


def cover(state: AppState, form: FormData) -> Response:
    """Promise something for sensitive columns without a promise, as a draft would."""
    project = state.opened()
    names = several(form, "column")
    if not names or not {*names} <= {*without_promise(project.policy())}:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    evidence = settled(state.looks.inspection(project.source, project.reading))
    added = [
        {**(START_OF_COLUMN if evidence is None else evidence.model_for(name)), "column": name}
        for name in names
    ]
    models = [*project.policy().words()["models"], *added]
    kinds = dict.fromkeys(str(one["name"]) for one in added)
    return _changed(state, models, text("did.added", name=listed(kinds)))


def preset(state: AppState, form: FormData) -> Response:
    """Set a preset: group size, variety of sensitive values, and share that may be left out."""
    name = said(form, "preset")
    if name not in PRESETS:
        raise UsageError(text("problem.no_model"), text("problem.no_model_remedy"))
    project = state.opened()
    models = with_models(project.words, _models(PRESETS[name], project.words))
    words = with_table(models, "method", {"max_suppression": PRESETS[name][2]})
    what = text("did.preset", name=text(f"preset.{name}.name"))
    try:
        state.change(words, what, project.confirmed)
    except IndistinctError as error:
        return page(state, error.faults)
    return then("/promise")


def _start_prices(state: AppState) -> Response:
    """Measure what each promise costs, on a sample."""
    state.jobs.start("prices", _prices_key(state), "/promise", where(state))
    return then("/promise")


def _prices_key(state: AppState) -> str:
    """Return a key that tells the prices of one policy from those of another."""
    return f"prices {state.opened().fingerprint()}"


def _price(prices: Mapping[str, Any] | None, number: int) -> str:
    """Return in a sentence what a promise costs; nothing where it was not measured."""
    if prices is None:
        return ""
    kept, without = prices["kept"], prices["without"][number]
    if kept is None:
        return text("promise.price_none")
    if without is None:
        return text("promise.price_unknown", kept=percent(kept))
    return text("promise.price", kept=percent(kept), without=percent(without))


def _chosen(words: Mapping[str, Any]) -> str:
    """Name the preset that the policy follows; empty where it follows none."""
    limit = words.get("method", {}).get("max_suppression")
    return next(
        (
            name
            for name, preset in PRESETS.items()
            if _models(preset, words) == words.get("models") and preset[2] == limit
        ),
        "",
    )


def _models(preset: tuple[int, int, float], words: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the models of a preset for the private columns of a policy."""
    columns = words["columns"]
    sensitive = [c for c, one in columns.items() if one["role"] == Role.SENSITIVE.value]
    models: list[dict[str, Any]] = [{"name": "k-anonymity", "k": preset[0]}]
    of_sets = [one for one in words.get("models", []) if one["name"] in SET_MODEL_NAMES]
    return [
        *models,
        *({**one, "k": preset[0]} for one in of_sets),
        *({"name": "distinct-l-diversity", "column": c, "l": preset[1]} for c in sensitive),
    ]


def _kind(name: str) -> str:
    """Name a kind of promise in plain words, its formal name behind."""
    plain = catalogue().get(f"kind.{name}")
    return name if plain is None else text("promise.kind_of", plain=plain, name=name)


def _own(given: Mapping[str, str], number: int) -> dict[str, str]:
    """Return the fields of one promise."""
    start = f"{number}-"
    return {
        word.removeprefix(start): value for word, value in given.items() if word.startswith(start)
    }


def _changed(state: AppState, models: Sequence[Mapping[str, Any]], what: str) -> Response:
    """Promise other models, or say why that cannot be."""
    project = state.opened()
    try:
        state.change(with_models(project.words, models), what, project.confirmed)
    except IndistinctError as error:
        return page(state, error.faults)
    return then("/promise")


def _promise(number: int, model: BoundedModel, price: str) -> Promise:
    """Return what the page says of a model."""
    required: Mapping[str, Any] = model.required()
    return Promise(
        number,
        model.name,
        _sentence(model, number),
        [
            spoken(f"model.{model.name}.open_{place}", item).format(**required)
            for place, item in enumerate(model.leaves_open, 1)
        ],
        price,
        [
            _word(word, bounds, required.get(word, ""), of_sets=isinstance(model, SetModel))
            for word, bounds in declared(type(model)).items()
            if word != "column" and word in required
        ],
    )


def _sentence(model: BoundedModel, number: int) -> Markup:
    """Write a promise as a sentence whose numbers follow the sliders below it."""
    required: Mapping[str, Any] = model.required()
    said = spoken(f"model.{model.name}.promise", model.promise)
    return Markup(said).format(  # noqa: S704 - a text of the program; values are escaped
        **{word: _Followed(f"{number}-{word}", value) for word, value in required.items()}
    )


@dataclass(frozen=True, slots=True)
class _Followed:
    """A value in a sentence that follows the slider of its field, in the sentence's own format."""

    field: str
    value: Any

    def __html_format__(self, form: str) -> Markup:
        """Return the value as the sentence formats it, marked for the script."""
        shown = format(self.value, form)
        return Markup('<b data-of="{field}">{shown}</b>').format(field=self.field, shown=shown)


def _word(name: str, bounds: Bounds, value: Any, *, of_sets: bool = False) -> ParameterField:
    """Ask for a parameter: a slider where its range is known.

    Models of sets have words of their own: their k is not the size of a group.
    """
    said = spoken(f"model.word.{name}", capitalized(bounds.help))
    plain = said if of_sets else catalogue().get(f"word.{name}", said)
    label = text("promise.word", word=name, help=plain) if plain else name
    slider = None if bounds.choices else _slider(name, bounds, value)
    return ParameterField(name, label, value, bounds.choices, slider)


def _slider(name: str, bounds: Bounds, value: Any) -> tuple[float, float, float] | None:
    """Return the range of a slider: least, largest, step; None where a plain field is better."""
    if bounds.kind is int and name in LARGEST:
        low = max(SMALLEST[name], int(bounds.at_least or 0))
        return min(low, value), max(LARGEST[name], value), 1
    if bounds.kind is float and bounds.at_most == 1:
        return (STEP_OF_SHARES if bounds.above is not None else 0.0), 1.0, STEP_OF_SHARES
    return None


def _texts(model: Mapping[str, Any]) -> dict[str, str]:
    """Write the parameters of a model as a form does."""
    return {word: str(value) for word, value in model.items() if word != "name"}
