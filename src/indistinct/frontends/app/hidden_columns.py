"""Edits of a policy: the columns that a draft hides from the start, and that are shown again."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from indistinct.frontends.app.edits import EditedWords
from indistinct.tables.drafting import UNIMPORTANT


def hidden_in(words: Mapping[str, Any]) -> list[str]:
    """Name the columns that a draft hid from the start, and that nobody kept since."""
    return [name for name, one in words["columns"].items() if _is_hidden(one)]


def _is_hidden(column: Mapping[str, Any]) -> bool:
    """Return whether a column has the words by which a draft hides it."""
    return "min_level" in column and "max_level" not in column and _is_minor(column)


def _is_minor(column: Mapping[str, Any]) -> bool:
    """Return whether a draft gave a column the importance of those beyond the eighth."""
    return column.get("importance") == UNIMPORTANT


def with_hidden(words: Mapping[str, Any], hidden: Mapping[str, int]) -> EditedWords:
    """Hide the columns that a trial asks for, and show those again that it does not.

    A column whose importance somebody changed stays as it is.

    Parameters
    ----------
    hidden : per column, the level that hides it
    """
    changed = copy.deepcopy(dict(words))
    for name, column in changed["columns"].items():
        if _is_hidden(column):
            del column["min_level"]
        if name in hidden and _is_minor(column) and "max_level" not in column:
            column["min_level"] = hidden[name]
    return changed


def shown_again(words: Mapping[str, Any], name: str) -> EditedWords:
    """Show a column that was hidden from the start: it counts as much as the others."""
    changed = copy.deepcopy(dict(words))
    for word in ("min_level", "importance"):
        changed["columns"][name].pop(word, None)
    return changed
