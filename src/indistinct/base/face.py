"""A face: the names that others may take of a house or a room; each is loaded when first used.

A registry is the same for a family of classes, whose names users know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

Kind = TypeVar("Kind")


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


class Registry(Mapping[str, Kind], Generic[Kind]):
    """The classes of a family by the names that users know; each is loaded when first asked for.

    Parameters
    ----------
    package : its dotted name
    homes : per name, the module below the package and the class in it: ``"rounding:Rounding"``
    """

    def __init__(self, package: str, homes: Mapping[str, str]) -> None:
        self._package = package
        self._homes = homes

    def __getitem__(self, name: str) -> Kind:
        """Return the class of a name; raise KeyError where there is none."""
        module, kind = self._homes[name].split(":")
        return cast("Kind", getattr(import_module(f"{self._package}.{module}"), kind))

    def __iter__(self) -> Iterator[str]:
        """Yield the names, and load nothing."""
        return iter(self._homes)

    def __len__(self) -> int:
        """Return how many classes there are."""
        return len(self._homes)
