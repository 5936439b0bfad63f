"""Whether the rows of a release stand in the one order that their cells give.

Any other order may tell something that the cells do not: how the input was ordered, or what is
hidden. Verification uses this and nothing of what made the release. Columns of quasi-identifiers
are compared first, then the others, both in the order of the table: numbers, moments and texts that
are all numbers by value, and where the value is the same by their texts; other texts by code
points; missing cells last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum, auto
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools
from indistinct.errors import Fault
from indistinct.tables.frames.small_columns import distinct
from indistinct.tables.verification.texts import is_finite, text_as_read

MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)", re.ASCII)
FARTHEST = 2.0**53  # beyond which two whole numbers may be one floating point number

# The rows of a release, part after part; True begins rows that are ordered for themselves.
FrameParts = Callable[[], Iterable[tuple[bool, pl.DataFrame]]]


class TextType(Enum):
    """What all known cells of a column of texts are."""

    NUMBERS = auto()
    MOMENTS = auto()


def order_faults(
    parts: FrameParts, class_names: Sequence[str], place: str = "order"
) -> Iterator[Fault]:
    """Find rows that stand in another order than that of their cells.

    Parameters
    ----------
    parts : called twice or more
    place : what the fault is about

    Notes
    -----
    O(cells). Moments with an offset are texts in some formats, and ordered as texts or as moments.
    """
    forms, schemas = _forms(parts)
    if len(schemas) > 1:
        yield Fault(
            "columns",
            "the files of the release do not have the same columns and types",
            "Do not publish this release. Write it again.",
        )
        return
    as_texts = {name: form for name, form in forms.items() if form is TextType.NUMBERS}
    tried = (forms,) if forms == as_texts else (forms, as_texts)
    if not any(_is_ordered(parts, class_names, said) for said in tried):
        yield Fault(
            place,
            "the rows are not in the order of their cells, and any other order may tell more than "
            "the cells do",
            "Sort them by the quasi-identifiers, then by the other columns: numbers by value, "
            "texts by code points, missing cells last.",
        )


def whole(frame: pl.DataFrame) -> FrameParts:
    """Return a table in memory as the one part that it is, without rows that repeat the last."""
    different = frame.filter(begins_run(frame.iter_columns(), frame.height))
    return lambda: [(True, different)]


def table_order_faults(frame: pl.DataFrame, class_names: Sequence[str]) -> Iterator[Fault]:
    """Find rows of a table in memory that stand in another order than that of their cells."""
    yield from order_faults(whole(frame), class_names)


def begins_run(columns: Iterable[pl.Series], n_rows: int) -> Bools:
    """Return which rows differ from the row before in some column, the first among them: (n_rows,).

    Parameters
    ----------
    columns : (n_rows,) each; lists are not compared
    """
    begins: Bools = np.zeros(n_rows, np.bool_)
    begins[:1] = True
    for column in columns:
        if column.dtype.is_nested():
            continue
        before, after = column.head(-1), column.tail(-1)
        differ = before.ne_missing(after) if column.null_count() else before != after
        begins[1:] |= differ.to_numpy()
    return begins


def _forms(parts: FrameParts) -> tuple[dict[str, TextType], set[tuple[Any, ...]]]:
    """Return the columns of texts whose known cells are all numbers, or all moments.

    Returns
    -------
    the form of each such column, and the different schemas of the parts, of which there should be
    one
    """
    found: dict[str, set[TextType]] = {}
    schemas: set[tuple[Any, ...]] = set()
    for _, part in parts():
        schemas.add(tuple(part.schema.items()))
        for column in part.iter_columns():
            if not isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
                continue
            texts = {*distinct(column).cast(pl.String).to_list()} - {None, ""}
            left = found.setdefault(column.name, set(TextType))
            left &= {
                form
                for form, is_of_form in (
                    (TextType.NUMBERS, is_finite),
                    (TextType.MOMENTS, MOMENT.fullmatch),
                )
                if form in left and all(map(is_of_form, texts))
            }
    # A column without a value has no order.
    return {name: left.pop() for name, left in found.items() if len(left) == 1}, schemas


def _is_ordered(
    parts: FrameParts, class_names: Sequence[str], forms: Mapping[str, TextType]
) -> bool:
    """Return whether every row is followed by an equal or a greater one."""
    last: pl.DataFrame | None = None
    for is_new, part in parts():
        rows = part if is_new or last is None else pl.concat([last, part])
        if _descends(rows, _in_turn(part.columns, class_names), forms):
            return False
        last = rows.tail(1)
    return True


def _in_turn(columns: Sequence[str], class_names: Sequence[str]) -> list[str]:
    """Return the columns in the order in which rows are compared by them."""
    first = {released for name in class_names for released in (name, f"{name}_min", f"{name}_max")}
    return [n for n in columns if n in first] + [n for n in columns if n not in first]


def _descends(rows: pl.DataFrame, names: Sequence[str], forms: Mapping[str, TextType]) -> bool:
    """Return whether some row is followed by a lesser one."""
    equal: Bools = np.ones(max(rows.height - 1, 0), np.bool_)
    for name in names:
        if rows[name].dtype.is_nested():
            continue
        for keys in _keys(rows[name], forms.get(name)):
            before, after = keys.head(-1), keys.tail(-1)
            goes_down, goes_up = before > after, before < after
            if keys.null_count():
                goes_down = goes_down.fill_null(value=False) | (before.is_null() & ~after.is_null())
                goes_up = goes_up.fill_null(value=False) | (~before.is_null() & after.is_null())
            if (equal & goes_down.to_numpy()).any():
                return True
            equal &= ~goes_up.to_numpy()
        if not equal.any():
            break
    return False


def _keys(column: pl.Series, form: TextType | None) -> Iterator[pl.Series]:
    """Yield what cells are compared by, the value before the text; null where one is missing."""
    if column.dtype.is_temporal() and not isinstance(column.dtype, pl.Duration):
        yield column.to_physical()
        return
    if column.dtype == pl.Boolean:
        yield column.cast(pl.Int8)
        return
    texts = text_as_read(column)
    if (is_empty := texts == "").any():
        texts = texts.set(is_empty, None)
    if column.dtype.is_numeric():
        numbers = column.cast(pl.Float64)
        yield numbers
        if column.dtype.is_float() or (numbers.abs() < FARTHEST).all():
            return
    elif form is not None:
        value: Callable[[str], float] = float if form is TextType.NUMBERS else _instant
        known = texts.unique().drop_nulls()
        values = [value(text) for text in known.to_list()]
        yield texts.replace_strict(known, values, return_dtype=pl.Float64)
    yield texts


def _instant(text: str) -> float:
    """Return the microseconds since 1970 of a moment; what is none stands first, as text."""
    try:
        return datetime.fromisoformat(text).timestamp() * 1e6
    except ValueError:
        return -np.inf
