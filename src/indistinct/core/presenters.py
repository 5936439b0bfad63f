"""Writers of pages and pictures, which stand above the results that they show.

A result is made by a room that knows none of the rooms above it. The package names the writers when
it is imported (see :mod:`indistinct`); each is loaded when a result is first shown.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

_PLACES: dict[str, tuple[str, str]] = {}


def register(name: str, module: str, function: str) -> None:
    """Name the function of a module that shows results of one kind."""
    _PLACES[name] = module, function


def presenter(name: str) -> Callable[..., Any]:
    """Return the function that shows results of one kind."""
    module, function = _PLACES[name]
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
