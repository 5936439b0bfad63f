"""Hierarchies as people have them in Python: a mapping, a frame, or a function of a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from indistinct.base.nearest_words import nearest
from indistinct.errors import Fault, PolicyError
from indistinct.tables.core.keys import text_of_word
from indistinct.tables.frames.texts import texts_by_key
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.reading.native_frames import from_native

Rows = list[list[str]]


def hierarchy_words(column: str, given: object) -> object:
    """Return what somebody gave as the hierarchy of a column as words of a policy.

    Parameters
    ----------
    given : a rule or its words; a mapping from values to a label, or to their labels from fine to
        coarse; or a frame of which the first column has the values

    Raises
    ------
    PolicyError
        when it is a function, which needs the values, or nothing of these
    """
    if isinstance(given, HierarchyRule):
        return given
    if isinstance(given, Mapping):
        words = cast("Mapping[object, object]", given)
        return words if _is_rule(words) else _rule(column, _rows_of_mapping(column, words))
    if callable(given):
        problem = "is a function, which is asked for the values of a table"
        remedy = "Give it to anonymize as a keyword beside the table, or give a mapping."
        raise PolicyError([Fault(f"columns.{column}.hierarchy", problem, remedy)])
    return _rule(column, _rows_of_frame(given)) if hasattr(given, "columns") else given


def _rows_of_mapping(column: str, labels: Mapping[object, object]) -> Rows:
    """Return the rows of a mapping from values to a label, or to labels from fine to coarse."""
    return [[_word(column, value), *_labels(column, above)] for value, above in labels.items()]


def rule_of_function(
    column: str, function: Callable[[Any], object], values: Iterable[object]
) -> HierarchyRule:
    """Ask a function for the label, or the labels, above each value.

    Raises
    ------
    PolicyError
        when it fails, or gives no labels
    """
    try:
        labels = {value: function(value) for value in values}
    except Exception as error:  # noqa: BLE001 - of somebody else's function, whatever it is
        # What it says may quote a value.
        problem = f"the function failed with {type(error).__name__}"
        remedy = "Let it return a label, or a list of labels, for every value."
        raise PolicyError([Fault(f"columns.{column}.hierarchy", problem, remedy)]) from None
    return _rule(column, _rows_of_mapping(column, labels))


def _rows_of_frame(frame: object) -> Rows:
    """Return the rows of a frame, numbers and dates by their keys."""
    read, _ = from_native(frame)
    return list(map(list, zip(*map(texts_by_key, read.iter_columns()), strict=True)))


def _is_rule(words: Mapping[object, object]) -> bool:
    """Return whether a mapping has the words of a rule, misspelt ones included."""
    known = tuple(HierarchyRule.model_fields)
    texts = [word for word in words if isinstance(word, str)]
    is_short = len(texts) == len(words) <= len(known)
    return is_short and all(word in known or nearest(word, known) is not None for word in texts)


def _labels(column: str, above: object) -> list[str]:
    """Return the labels of a value, given as one or as several."""
    if isinstance(above, Sequence) and not isinstance(above, str):
        return [_word(column, label) for label in cast("Sequence[object]", above)]
    return [_word(column, above)]


def _word(column: str, word: object) -> str:
    """Return the text of a value or a label.

    Raises
    ------
    PolicyError
        when it is no single value
    """
    plain = cast("Any", word).item() if hasattr(word, "item") else word  # a scalar of NumPy
    text = text_of_word(plain)
    if not isinstance(text, str):
        problem = f"has a value or label of the type {type(word).__name__}"
        remedy = "Give numbers, dates and texts."
        raise PolicyError([Fault(f"columns.{column}.hierarchy", problem, remedy)])
    return text


def _rule(column: str, rows: Rows) -> HierarchyRule:
    """Return the rule of rows that all have labels.

    Raises
    ------
    PolicyError
        when there is no row, or rows differ in length
    """
    widths = {len(row) for row in rows}
    if len(widths) == 1 and widths != {1}:
        return HierarchyRule(rows=tuple(map(tuple, rows)))
    problem = "lists no value" if not rows else "does not have equally many labels for each value"
    remedy = "Give each value its labels from fine to coarse; for nested groups take ind.tree."
    raise PolicyError([Fault(f"columns.{column}.hierarchy", problem, remedy)])
