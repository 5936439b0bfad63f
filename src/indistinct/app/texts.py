"""Every text of the application, from one catalogue: ``texts.toml``, ready for translation."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def catalogue() -> Mapping[str, str]:
    """Return every text by its name, as in ``roles.title``."""
    source = files("indistinct.app").joinpath("texts.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(source), ""))


def text(name: str, /, **words: Any) -> str:
    """Return a text with its words put in.

    Raises
    ------
    KeyError
        when the catalogue has no such text
    """
    found = catalogue()[name]
    return found.format(**words) if words else found


def _flat(tables: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    """Join the names of tables and texts by dots."""
    pairs: list[tuple[str, str]] = []
    for name, said in tables.items():
        if isinstance(said, str):
            pairs.append((prefix + name, said))
        else:
            pairs += _flat(said, f"{prefix}{name}.")
    return pairs
