"""Edits of the policy that end a fault: what a button says, and what it sends."""

from __future__ import annotations

import json
from typing import Any, cast

from indistinct.errors import UsageError, Way
from indistinct.frontends.app.number_words import figure, percent
from indistinct.frontends.app.texts import catalogue, text


def way_of(given: str) -> Way:
    """Read the edit of a button.

    Raises
    ------
    UsageError
        when it is none
    """
    try:
        place, value = json.loads(given)
    except (TypeError, ValueError):
        place, value = None, None
    words = cast("list[Any]", place) if isinstance(place, list) else []
    if len(words) < 2 or not all(isinstance(one, str) for one in words):  # noqa: PLR2004 - a table
        raise UsageError(text("problem.no_way"), text("problem.no_way_remedy"))
    return Way(tuple(words), value)


def way_value(way: Way) -> str:
    """Return what a button sends."""
    return json.dumps([list(way.place), way.value])


def way_label(way: Way) -> str:
    """Return in words what a button does."""
    table, name, *_, word = way.place
    if table == "models":
        model = catalogue().get(f"kind.{name}", name)
        if way.value is None:
            return text("mend.no_model", model=model)
        return text("mend.model", model=model, word=word, value=figure(way.value))
    value = percent(way.value) if word == "max_suppression" else way.value
    names = (f"mend.{word}_{way.value}", f"mend.{word}")
    found = next((one for one in names if one in catalogue()), "mend.other")
    return text(found, name=name, word=word, value=value)


def way_cost(way: Way) -> str:
    """Return what a trial of an edit found; nothing where none was made."""
    if way.loss is None:
        return ""
    return text("mend.tried", loss=figure(way.loss), left_out=percent(way.left_out))
