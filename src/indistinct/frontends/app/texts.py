"""Every text of the application: a catalogue for each language, and the one that is asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import Any

ENGLISH, GERMAN = "en", "de"
# The texts of the pages, and what the engine says by its codes.
FILES = {
    ENGLISH: ("texts.toml", "codes.en.toml"),
    GERMAN: ("texts.de.toml", "codes.de.toml"),
}
# Of the request that is answered; a job and the start of the application speak English.
language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def catalogue(name: str | None = None) -> Mapping[str, str]:
    """Return every text of a language by its name, as in ``roles.title``.

    Parameters
    ----------
    name : of the language; left out, that of the request
    """
    return _catalogue(language.get() if name is None else name)


@cache
def _catalogue(name: str) -> Mapping[str, str]:
    """Read the files of a language, once."""
    place = files("indistinct.frontends.app")
    sources = [place.joinpath(one).read_text(encoding="utf-8") for one in FILES[name]]
    return dict(pair for source in sources for pair in _flat(tomllib.loads(source), ""))


class CatalogueText(str):
    """A text of the catalogue: it is in the language of the request already."""

    __slots__ = ()


def text(name: str, /, **words: Any) -> CatalogueText:
    """Return a text with its words put in.

    Raises
    ------
    KeyError
        when the catalogue has no such text
    """
    found = catalogue()[name]
    return CatalogueText(found.format(**words) if words else found)


def spoken(name: str, english: str) -> str:
    """Return a sentence of the definitions in the language of the request.

    Parameters
    ----------
    name : of its translation
    english : the sentence as the definition has it
    """
    return catalogue().get(name, english)


def preferred(accepted: str) -> str:
    """Return the language that a browser asks for first, of those there are.

    Parameters
    ----------
    accepted : the header ``Accept-Language``, as in ``de-CH,de;q=0.9,en;q=0.8``
    """
    wishes: list[tuple[float, str]] = []
    for part in accepted.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((float(weight or 1), tag.partition("-")[0].lower()))
        except ValueError:
            continue
    ranked = sorted(wishes, key=lambda wish: -wish[0])
    return next((name for weight, name in ranked if name in FILES and weight > 0), ENGLISH)


def _flat(tables: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    """Join the names of tables and texts by dots."""
    pairs: list[tuple[str, str]] = []
    for name, said in tables.items():
        if isinstance(said, str):
            pairs.append((prefix + name, said))
        else:
            pairs += _flat(said, f"{prefix}{name}.")
    return pairs
