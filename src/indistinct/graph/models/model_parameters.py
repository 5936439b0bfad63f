"""The words of all graph models: what a shell offers, and which model they make."""

from __future__ import annotations

import dataclasses
import numbers
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, final

from indistinct.base.parameters import Bounds, bounds_of
from indistinct.errors import Fault, ParameterError
from indistinct.graph.models import GRAPH_MODELS, GRAPH_MODELS_BY_NAME
from indistinct.graph.models.model import GraphModel, ModelConversion

if TYPE_CHECKING:
    from indistinct.base.hierarchy import GeneralizationHierarchy


class GraphModelParameters(TypedDict, total=False):
    """The parameters of the models of graphs; each model says which are its own."""

    k: int | None
    mode: Literal["add", "delete", "mixed"]
    realization: Literal["repair", "supergraph", "probing", "construct", "priority"]
    greedy: bool
    labels: str | None
    hierarchy: GeneralizationHierarchy | str | Path | None
    label_weight: float
    time_limit: float
    max_loss: float
    max_certain: float | None
    share: float


@final
@dataclass(frozen=True, slots=True)
class ModelParameter:
    """A word that one or more models have.

    Parameters
    ----------
    name : of the field
    kind : ``int``, ``float``, ``bool``, ``str``, or ``Path`` for a file that is read
    help : one line for users
    default : when it is left out; None where the model must be told, or does without
    bounds : the values it may take; None for a file
    elsewhere : what becomes of it where a model is asked for that does not have it
    models : names of those that have it
    """

    name: str
    kind: type
    help: str
    default: Any
    bounds: Bounds | None
    elsewhere: ModelConversion
    models: tuple[str, ...]

    def faults(self, value: object) -> Iterator[Fault]:
        """Yield what is wrong with a value."""
        if self.bounds is not None and not self.bounds.allows(value):
            wanted = self.bounds.sentence()
            yield Fault(self.name, f"must be {wanted}", f"Set {self.name} to {wanted}.")

    def converted(self, value: Any) -> Any:
        """Return a value in its kind: 2 for 2.0; a file, or what was read from it, as it is."""
        return value if self.bounds is None else self.kind(value)

    def faults_elsewhere(self, value: object) -> Iterator[Fault]:
        """Yield what is wrong with a value for a model that does not have the word."""
        if self.elsewhere is ModelConversion.REFUSED:
            owners = " or ".join(self.models)
            problem = f"belongs to the model {owners}"
            yield Fault(self.name, problem, f"Leave it out, or set model to {owners}.")
        elif self.elsewhere is ModelConversion.CHECKED:
            yield from self.faults(value)


def words(*, trials: bool = False) -> dict[str, ModelParameter]:
    """Return every word of every model, in the order of the models.

    Parameters
    ----------
    trials : whether the defaults are those of attacks, which publish many times
    """
    found: dict[str, ModelParameter] = {}
    for model in GRAPH_MODELS:
        for field in dataclasses.fields(model):
            known = found.get(field.name) or declared_word(field)
            default = model.in_trials.get(field.name, known.default) if trials else known.default
            models = (*known.models, model.name)
            found[field.name] = dataclasses.replace(known, models=models, default=default)
    return found


def declared_word(field: dataclasses.Field[Any]) -> ModelParameter:
    """Return the word of a field."""
    default = None if field.default is MISSING else field.default
    if "file" in field.metadata:
        text = str(field.metadata["file"])
        return ModelParameter(field.name, Path, text, None, None, ModelConversion.REFUSED, ())
    bounds = bounds_of(field)
    return ModelParameter(
        field.name, bounds.kind, bounds.help, default, bounds, field.metadata["elsewhere"], ()
    )


def model_of(name: str, given: Mapping[str, object], *, trials: bool = False) -> GraphModel:
    """Make a model from user words; those that are None are left out.

    Parameters
    ----------
    name : of the model
    given : its words, and those of others, as they are said
    trials : see :func:`words`

    Raises
    ------
    ParameterError : the model is unknown, or a word is unknown, missing, out of range or belongs to
        another model; names all of them
    """
    kind = GRAPH_MODELS_BY_NAME.get(name)
    if kind is None:
        known = ", ".join(GRAPH_MODELS_BY_NAME)
        raise ParameterError("the model is unknown", f"Known models: {known}.")
    offered = words()
    said = dict(kind.in_trials) if trials else {}
    said |= {word: plain(value) for word, value in given.items() if value is not None}
    faults: list[Fault] = []
    for word, value in said.items():
        if word not in offered:
            problem = "is not a recognized setting of a graph model"
            faults.append(Fault(word, problem, f"Known words: {', '.join(offered)}."))
        elif name in offered[word].models:
            faults += offered[word].faults(value)
        else:
            faults += offered[word].faults_elsewhere(value)
    for field in dataclasses.fields(kind):
        if field.default is MISSING and field.name not in said:
            wanted = bounds_of(field).sentence()
            faults.append(Fault(field.name, f"is missing; {name} needs it", f"Set it to {wanted}."))
    if faults:
        raise ParameterError(faults)
    own = {word: value for word, value in said.items() if name in offered[word].models}
    return kind(**{word: offered[word].converted(value) for word, value in own.items()})


def plain(value: object) -> object:
    """Return numbers of any library as Python's own."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return value
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def check_seed(seed: int | None) -> None:
    """Raise a :class:`ParameterError` when the seed is below 0."""
    if seed is not None and seed < 0:
        raise ParameterError("the seed must be a whole number at least 0", "Set it to 1, say.")
