"""Bounds and help on dataclass fields; one check, one sentence when it fails."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, cast

from indistinct.base.inputs import LARGEST_INTEGER
from indistinct.base.nearest_words import nearest
from indistinct.errors import Fault, ParameterError

Built = TypeVar("Built")

NOUNS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list of different texts",
    bool: "true or false",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values a parameter may take, and how to speak of it."""

    kind: type
    at_least: float | None
    above: float | None
    at_most: float | None
    choices: tuple[str, ...]
    help: str
    infinite: bool = False
    in_policy: bool = True
    below: float | None = None
    word: str | None = None

    def sentence(self) -> str:
        """Return in words what the parameter must be."""
        if self.choices:
            return "one of " + ", ".join(f'"{choice}"' for choice in self.choices)
        noun = NOUNS[self.kind]
        limits = [
            f"{words} {bound:g}"
            for words, bound in (
                ("at least", self.at_least),
                ("greater than", self.above),
                ("at most", self.at_most),
                ("less than", self.below),
            )
            if bound is not None
        ]
        said = " ".join([noun, " and ".join(limits)]).strip()
        return said if self.word is None else f'{said}, or "{self.word}"'

    def allows(self, value: object) -> bool:
        """Return whether ``value`` has the right type and lies in the range."""
        if self.choices:
            return value in self.choices
        if self.word is not None and value == self.word:
            return True
        if self.kind is str:
            return isinstance(value, str) and value != ""
        if self.kind is tuple:
            return _are_different_texts(value)
        if self.kind is bool or isinstance(value, bool):
            return self.kind is bool and isinstance(value, bool)
        return isinstance(value, int | float) and self._includes(value)

    def _includes(self, number: float) -> bool:
        """Return whether a number lies in the range."""
        if isinstance(number, int) and abs(number) >= LARGEST_INTEGER:
            return False  # no floating-point number, nor a number of an array
        if math.isinf(number) and not self.infinite:
            return False
        if math.isnan(number) or (self.kind is int and number != int(number)):
            return False
        return (
            (self.at_least is None or number >= self.at_least)
            and (self.above is None or number > self.above)
            and (self.at_most is None or number <= self.at_most)
            and (self.below is None or number < self.below)
        )


def parameter(  # noqa: PLR0913 - each is a keyword of one declaration
    kind: type,
    *,
    help: str,  # noqa: A002 - the word users and documentation tools know
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    choices: Iterable[str] = (),
    default: Any = MISSING,
    by_name: bool = False,
    infinite: bool = False,
    in_policy: bool = True,
    word: str | None = None,
) -> Any:
    """Declare a dataclass field with its range and its help text.

    Parameters
    ----------
    kind : ``int``, ``float``, ``bool``, ``str``, or ``tuple`` for a list of texts
    help : one line for users
    at_least, above, at_most, below : limits of a number; ``above`` and ``below`` exclusive
    choices : the words allowed, for a text
    default : value when it is left out; without one the parameter is required, with None it may
        stay unset
    by_name : whether it is given by its name only
    infinite : whether a number may be infinite, for limits that can be lifted
    in_policy : whether it is a word of a policy; otherwise only Python code sets it
    word : what may be said in place of a number

    Notes
    -----
    The return type is ``Any`` as that of :func:`dataclasses.field`, which this function wraps.
    """
    bounds = Bounds(
        kind, at_least, above, at_most, tuple(choices), help, infinite, in_policy, below, word
    )
    return dataclasses.field(default=default, kw_only=by_name, metadata={"bounds": bounds})


def bounds_of(field: Field[Any]) -> Bounds:
    """Return the bounds that :func:`parameter` declared for ``field``."""
    return cast("Bounds", field.metadata["bounds"])


def declared(kind: type[Any]) -> dict[str, Bounds]:
    """Return name and bounds of every parameter of a dataclass, in order."""
    return {
        field.name: bounds_of(field)
        for field in dataclasses.fields(kind)
        if "bounds" in field.metadata
    }


def _are_different_texts(value: object) -> bool:
    """Return whether ``value`` is a list of texts, none twice."""
    if not isinstance(value, list | tuple):
        return False
    texts = cast("list[object] | tuple[object, ...]", value)
    return all(isinstance(text, str) for text in texts) and len(set(texts)) == len(texts)


def _is_text(bounds: Bounds, value: object) -> bool:
    """Return whether a value that the bounds allow stays a text."""
    return bounds.kind is str or (bounds.word is not None and value == bounds.word)


def check(instance: Any) -> None:
    """Raise one :class:`ParameterError` naming every field of ``instance`` outside its bounds."""
    absent = {
        field.name
        for field in dataclasses.fields(instance)
        if field.default is None and getattr(instance, field.name) is None
    }
    faults = [
        Fault(name, f"must be {bounds.sentence()}", f"Set {name} to {bounds.sentence()}.")
        for name, bounds in declared(cast("type[Any]", type(instance))).items()
        if name not in absent and not bounds.allows(getattr(instance, name))
    ]
    if faults:
        raise ParameterError(faults)


def _meant(name: str, known: Iterable[str]) -> str:
    """Ask for the nearest parameter, where one is like the name."""
    found = nearest(name, known)
    return "" if found is None else f"; did you mean {found}?"


def refusing_in_words(made: Callable[..., None]) -> Callable[..., None]:
    """Return the ``__init__`` of a dataclass, with errors of ours for arguments that it has not.

    Python itself raises a TypeError, which names the class and not what is right.
    """
    known = signature(made)

    @wraps(made)
    def init(self: Any, *given: Any, **words: Any) -> None:
        try:
            known.bind(self, *given, **words)
        except TypeError:
            kind = cast("type[Any]", type(self))
            named = [*list(declared(kind))[: len(given)], *words]
            problem = "a parameter is given twice, or there are too many"
            twice = Fault("", problem, _listed(declared(kind)))
            raise ParameterError(_misfits(kind, named) or [twice]) from None
        made(self, *given, **words)

    return init


def _misfits(kind: type[Any], given: Iterable[str], start: str = "") -> list[Fault]:
    """Return which parameters of a dataclass are unknown and which are missing."""
    known, given = declared(kind), [*given]
    needed = [f.name for f in dataclasses.fields(kind) if f.default is MISSING and f.name in known]
    faults = [
        Fault(start + name, "is not a parameter here" + _meant(name, known), _listed(known))
        for name in given
        if name not in known
    ]
    return faults + [
        Fault(start + name, "is missing", f"Set it to {known[name].sentence()}.")
        for name in needed
        if name not in given
    ]


def _listed(known: Iterable[str]) -> str:
    """List the parameters that there are."""
    return f"Known parameters: {', '.join(known) or 'none'}."


def build(kind: type[Built], given: Mapping[str, object], place: str) -> Built:
    """Make a ``kind`` from user words; raise :class:`ParameterError` with all faults at once."""
    known = declared(cast("type[Any]", kind))
    faults = _misfits(cast("type[Any]", kind), given, f"{place}.")
    faults += [
        Fault(f"{place}.{name}", f"must be {known[name].sentence()}", known[name].help)
        for name, value in given.items()
        if name in known and not known[name].allows(value)
    ]
    if faults:
        raise ParameterError(faults)
    converted = {
        name: value if _is_text(known[name], value) else known[name].kind(value)
        for name, value in given.items()
    }
    return kind(**converted)
