"""Names of the version before, which work for one more version with a warning."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

LAST = "0.3"  # the last version that knows the names of the one before

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def former_names(
    *, positional: Sequence[str] = (), **renamed: str
) -> Callable[[Callable[Given, Returned]], Callable[Given, Returned]]:
    """Return a decorator that lets a function be called as in the version before.

    Parameters
    ----------
    positional : keywords, in order, that could be given without their names
    renamed : per former keyword, what it is called now
    """

    def decorated(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
        kinds = inspect.signature(function).parameters.values()
        n_positional = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in kinds)
        name = function.__name__

        @wraps(function)
        def called(*given: Given.args, **words: Given.kwargs) -> Returned:
            if len(given) <= n_positional and renamed.keys().isdisjoint(words):
                return function(*given, **words)
            named: dict[str, Any] = dict(words)
            kept, beyond = given[:n_positional], given[n_positional:]
            if len(beyond) > len(positional):
                return function(*given, **words)  # too many were given: Python says how many
            for keyword, value in zip(positional, beyond, strict=False):
                _take(named, keyword, value, name)
                _warn(f"Give {keyword} of {name}() by its name: {keyword}=...")
            for former in renamed.keys() & words.keys():
                _take(named, renamed[former], named.pop(former), name)
                _warn(f"{former} of {name}() is called {renamed[former]}.")
            return function(*kept, **named)  # pyright: ignore[reportCallIssue] - as it is declared

        called.__former__ = {"positional": tuple(positional), **renamed}  # pyright: ignore[reportAttributeAccessIssue] - for the page of names
        return called

    return decorated


def _warn(text: str) -> None:
    """Warn whoever called the decorated function."""
    message = f"{text} The former way works up to version {LAST}."
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def _take(named: dict[str, Any], keyword: str, value: Any, name: str) -> None:
    """Set a value's keyword, which must not be given already."""
    if keyword in named:
        raise TypeError(f"{name}() got {keyword} twice, once by its former name or place")
    named[keyword] = value
