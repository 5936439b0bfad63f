"""Representations of values that hold records: sizes and counts, no cell.

Writers of pages and pictures stand above the results that they show. The package names them when it
is imported (see :mod:`indistinct`); each is loaded when a result is first shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set as AbstractSet
from dataclasses import fields
from importlib import import_module
from typing import Any, Self, cast

_PLACES: dict[str, tuple[str, str]] = {}


def short_repr(self: Any) -> str:
    """Represent a dataclass by the sizes of what it holds: a notebook shows no record by accident.

    Taken as ``__repr__`` by the classes that hold frames, arrays or labels of somebody's data.
    """
    shown = (f"{one.name}={size_of(getattr(self, one.name))}" for one in fields(self))
    return f"{type(self).__name__}({', '.join(shown)})"


def size_of(value: Any) -> str:
    """Represent a value: numbers as they are, all else by its kind and size."""
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    kind = type(value).__name__
    shape: object = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        sizes = cast("tuple[object, ...]", shape)
        return f"<{kind} of {' x '.join(map(str, sizes)) or 1}>"
    if isinstance(value, Mapping | AbstractSet | list | tuple):
        return f"<{kind} of {len(cast('list[object]', value))}>"
    return f"<{kind}>"


class Confidential:
    """What the owner of the data alone may have: in no representation, pickle or dictionary.

    Parameters
    ----------
    held : anything; None when it came out of a pickle, which leaves it out
    """

    __slots__ = ("held",)

    def __init__(self, held: Any = None) -> None:
        self.held = held

    def __repr__(self) -> str:
        return "<for the owner alone>"

    def __reduce__(self) -> tuple[type[Confidential], tuple[()]]:
        return Confidential, ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        del memo
        return self


def in_notebook(self: Any) -> str:
    """Show a result in a notebook: the answer first, and no value of any record.

    Taken as ``_repr_html_`` by the classes of results.
    """
    shown: str = presenter("notebook")(self)
    return shown


def models_in_words(models: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Write models and their parameters in a few words."""
    return (
        ", ".join(
            f"{name} ({', '.join(f'{word}={value}' for word, value in words.items())})"
            for name, words in models
        )
        or "no model"
    )


def register(name: str, module: str, function: str) -> None:
    """Name the function of a module that shows results of one kind."""
    _PLACES[name] = module, function


def presenter(name: str) -> Callable[..., Any]:
    """Return the function that shows results of one kind."""
    module, function = _PLACES[name]
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
