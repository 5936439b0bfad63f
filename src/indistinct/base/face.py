"""A face: the names that others may take of a house or a room; each is loaded when first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def face(
    package: str,
    homes: Mapping[str, str],
    other: Callable[[str], object] | None = None,
) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that loads its public names.

    Parameters
    ----------
    package : its dotted name
    homes : per name, the module below the package that defines it
    other : loads a name that is not listed
    """

    def load(name: str) -> object:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        if other is not None:
            return other(name)
        raise AttributeError(f"{package} has no name {name}")

    return load
