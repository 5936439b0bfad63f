"""The parameters that a sweep varies: what their names mean, and all their combinations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from pydantic import ValidationError

from indistinct.base.parameters import build, declared
from indistinct.errors import Fault, ParameterError
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.sections.method import MethodPolicy
from indistinct.tables.publish.sweep_result import Parameters


def combinations_of(
    policy: Policy, vary: Mapping[str, Iterable[Any]]
) -> list[tuple[Parameters, dict[str, Any]]]:
    """Return the parameters and the policy's words of each combination.

    Raises
    ------
    ParameterError
        when a parameter is unknown or a value lies outside its range, all of them named
    """
    values = {name: list(dict.fromkeys(given)) for name, given in vary.items()}
    faults = [] if values else [Fault("vary", "names no parameter", "Name one, such as k.")]
    for name, given in values.items():
        faults += _faults(policy.models, name, given)
    if faults:
        raise ParameterError(faults)
    combinations: list[tuple[Parameters, dict[str, Any]]] = []
    for chosen in product(*values.values()):
        parameters = dict(zip(values, chosen, strict=True))
        words = policy.words()
        for name, value in parameters.items():
            _put(words, _place(policy.models, name), value)
        combinations.append((parameters, words))
    return combinations


def _faults(models: Sequence[BoundedModel], name: str, given: Sequence[Any]) -> Iterable[Fault]:
    """Find what is wrong with a parameter and its values."""
    try:
        place = _place(models, name)
    except ParameterError as error:
        yield from error.faults
        return
    if not given:
        yield Fault(f"vary.{name}", "has no value", f"Give one, as in {name}=2,3.")
    for value in given:
        yield from _value_faults(models, name, place, value)


def _value_faults(
    models: Sequence[BoundedModel], name: str, place: tuple[int | str, str], value: object
) -> Iterable[Fault]:
    """Find what is wrong with one value, whatever the others are."""
    owner, word = place
    try:
        if isinstance(owner, int):
            model = models[owner]
            build(type(model), {**model.required(), word: value}, model.name)
        else:
            MethodPolicy.model_validate({word: value})
    except ParameterError as error:
        yield from (Fault(f"vary.{name}", f"{value}: {f.problem}", f.remedy) for f in error.faults)
    except ValidationError as error:
        said = "; ".join(detail["msg"] for detail in error.errors())
        yield Fault(f"vary.{name}", f"{value}: {said}", "Give a value that the policy may have.")


def _place(models: Sequence[BoundedModel], name: str) -> tuple[int | str, str]:
    """Find what a name means: a word of a table, or a parameter of a model by its number.

    Raises
    ------
    ParameterError
        when it means nothing, or several things
    """
    word = name.removeprefix("method.")
    if word in MethodPolicy.model_fields:
        return "method", word
    known = {
        full: (number, letter)
        for number, model in enumerate(models)
        for letter in _letters(model)
        for full in [_full_name(model, letter)]
    }
    owner, _, letter = name.rpartition(".")
    meant = [
        full
        for full, (number, its_letter) in known.items()
        if its_letter == letter and owner in {"", models[number].name, full.rpartition(".")[0]}
    ]
    if len(meant) == 1:
        return known[meant[0]]
    if meant:
        problem, offered = "may mean several parameters", meant
    else:
        problem = "is neither a setting of [method] nor a parameter of a model of this policy"
        offered = [*known, *MethodPolicy.model_fields]
    raise ParameterError([Fault(f"vary.{name}", problem, f"Choose one of {', '.join(offered)}.")])


def _letters(model: BoundedModel) -> list[str]:
    """Return the parameters that may vary: all but the column, which is counted once for all."""
    return [name for name in declared(type(model)) if name != "column"]


def _full_name(model: BoundedModel, letter: str) -> str:
    """Return the name of a parameter that no other model of a policy has."""
    return ".".join([model.name, *model.columns, letter])


def _put(words: dict[str, Any], place: tuple[int | str, str], value: object) -> None:
    """Set a value in its place among the words of a policy."""
    owner, word = place
    if isinstance(owner, int):
        words["models"][owner][word] = value
    else:
        words.setdefault(owner, {})[word] = value
