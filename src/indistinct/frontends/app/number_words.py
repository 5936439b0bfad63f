"""Numbers as the pages write them: those of the reports, in the language of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from indistinct.base.statements import number_texts as english
from indistinct.frontends.app.texts import GERMAN, language

MARKS = str.maketrans({",": ".", ".": ","})
# What the reports write for what is no plain number.
WORDS = {
    "not known": "nicht bekannt",
    "yes": "ja",
    "no": "nein",
    "none": "keine",
    "certain": "sicher",
}


def count(number: int | None) -> str:
    """Write a whole number."""
    return _spoken(english.count(number))


def figure(value: object) -> str:
    """Write any figure with at most four digits that matter; a text stays as it is."""
    return value if isinstance(value, str) else _spoken(english.figure(value))


def typed(said: str) -> str:
    """Return a number that somebody typed as the engine reads it: 0,2 is 0.2 on a German page."""
    given = said.strip()
    return given.replace(",", ".") if language.get() == GERMAN and "." not in given else given


def percent(share: float | None) -> str:
    """Write a share."""
    said = _spoken(english.percent(share))
    if language.get() != GERMAN:
        return said
    said = said.replace("less than", "weniger als").replace("more than", "mehr als")
    return said.replace("%", "\N{NO-BREAK SPACE}%")


def chance(risk: float | None) -> str:
    """Write a risk as one in so many."""
    said = _spoken(english.chance(risk))
    return said.replace(" in ", " von ") if language.get() == GERMAN else said


def listed(names: Iterable[str]) -> str:
    """Write names as in a sentence."""
    found = list(names)
    if language.get() != GERMAN or len(found) < 2:  # noqa: PLR2004 - nothing to join
        return english.listed(found)
    return f"{', '.join(found[:-1])} und {found[-1]}"


def _spoken(said: str) -> str:
    """Write a number in the language of the request."""
    if language.get() != GERMAN:
        return said
    return WORDS.get(said) or said.translate(MARKS)


FILTERS: dict[str, Callable[[Any], str]] = {
    "chance": chance,
    "count": count,
    "figure": figure,
    "percent": percent,
    "listed": listed,
    "capitalized": english.capitalized,
}
