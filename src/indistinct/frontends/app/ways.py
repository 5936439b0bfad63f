"""Edits of the policy that end a fault: what a button says, and what it sends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from indistinct.errors import UsageError, Way
from indistinct.frontends.app.number_words import figure, percent
from indistinct.frontends.app.texts import catalogue, text


@dataclass(frozen=True, slots=True)
class PolicyButton:
    """A button that edits the policy.

    Parameters
    ----------
    value : that it sends
    label : what it does, in words
    cost : what a trial found; empty where none was made
    """

    value: str
    label: str
    cost: str = ""

    @classmethod
    def of(cls, ways: Sequence[Way], label: str = "") -> PolicyButton:
        """Return the button of one or several edits; the last one says what a trial found."""
        value = json.dumps([[list(way.place), way.value] for way in ways])
        return cls(value, label or way_label(ways[0]), _cost(ways[-1]))


def buttons_of(ways: Iterable[Way]) -> list[PolicyButton]:
    """Return a button for each edit, but for those that were tried in vain."""
    return [PolicyButton.of((way,)) for way in ways if way.possible is not False]


def ways_of(given: str) -> list[Way]:
    """Read the edits of a button.

    Raises
    ------
    UsageError
        when there are none
    """
    try:
        ways = [_way(*pair) for pair in json.loads(given)]
    except (TypeError, ValueError):
        ways = []
    if not ways:
        raise UsageError(text("problem.no_way"), text("problem.no_way_remedy"))
    return ways


def _way(place: object, value: object) -> Way:
    words = cast("list[Any]", place) if isinstance(place, list) else []
    if len(words) < 2 or not all(isinstance(one, str) for one in words):  # noqa: PLR2004 - a table
        raise ValueError
    return Way(tuple(words), value)


def way_label(way: Way) -> str:
    """Return in words what an edit does."""
    table, name, word = way.place[0], way.place[1], way.place[-1]
    if table == "models":
        model = catalogue().get(f"kind.{name}", name)
        if way.value is None:
            return text("mend.no_model", model=model)
        return text("mend.model", model=model, word=word, value=figure(way.value))
    value = percent(way.value) if word == "max_suppression" else way.value
    names = (f"mend.{word}_{way.value}", f"mend.{word}")
    found = next((one for one in names if one in catalogue()), "mend.other")
    return text(found, name=name, word=word, value=value)


def _cost(way: Way) -> str:
    """Return what a trial of an edit found."""
    if way.loss is None:
        return ""
    return text("mend.tried", loss=figure(float(f"{way.loss:.2g}")), left_out=percent(way.left_out))
