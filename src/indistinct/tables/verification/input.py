"""The input as a reader of it has it: types found, and one way of having no value.

Verification uses this and nothing of what made the release. A file is taken cell by cell as it is
written; what its cells mean is said here once more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import polars as pl

from indistinct.errors import Fault, PolicyError
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.frames.small_columns import all_match, are_among, distinct, present_cells
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.verification.texts import (
    AS_A_NUMBER,
    is_number,
    text_as_read,
    value_key,
)

DAY = len("2024-05-01")
FEW_DIGITS = re.compile(r"-?[0-9.]{1,15}\Z")  # which every double gives back


def _moments(texts: pl.Series) -> pl.Series:
    """Read moments; those that are all midnights are days."""
    keys = {text: value_key(text) for text in texts.drop_nulls().unique()}
    if all(len(own) == DAY for own in keys.values()):
        return texts.replace(keys).str.to_date("%F", strict=False)
    full = {text: own if len(own) > DAY else f"{own}T00:00:00" for text, own in keys.items()}
    return texts.replace(full).str.to_datetime("%FT%T%.f", time_unit="us", strict=False)


# Forms of the cells of a text file, and the type of a column that has no others. A number with a
# leading zero is a code, whose zeros are part of it.
TYPES: tuple[tuple[str, Callable[[pl.Series], pl.Series]], ...] = (
    (r"^-?(?:0|[1-9][0-9]{0,17})$", lambda texts: texts.cast(pl.Int64, strict=False)),
    (r"^-?(?:0|[1-9][0-9]{0,37})$", lambda texts: texts.cast(pl.Int128, strict=False)),
    (AS_A_NUMBER, lambda texts: texts.cast(pl.Float64, strict=False)),
    (r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", lambda texts: texts.str.to_date("%Y-%m-%d", strict=False)),
    (
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,6})?)?)?$",
        _moments,
    ),
    (r"^(?:true|false|True|False|TRUE|FALSE)$", lambda texts: texts.str.to_lowercase() == "true"),
)


def read_input(
    data: Any,
    reading: Reading,
    sets: SetForms,
    separator: str | None = None,
    expected: Sequence[str] = (),
) -> files.TableFile:
    """Read a table that a release comes from or is compared with.

    Parameters
    ----------
    data : a path or a frame
    reading, sets : its encoding, how a missing value is written, and the form of its sets
    separator : of a text file; found when not given
    expected : names of columns, where the separator and the encoding may be the release's

    Raises
    ------
    DataError
        when it cannot be read
    """
    source = files.read_file(
        data,
        separator=separator,
        reading=reading,
        sets=sets,
        typed=False,
        expected=expected,
    )
    columns = list(source.frame.iter_columns())
    if source.separator is not None:
        # The items of a set may be codes such as 250.10, which is no number.
        columns = [
            column
            if column.name in reading.texts
            else _typed(column, reading.words.of(column.name))
            for column in columns
        ]
    return replace(
        source,
        frame=pl.DataFrame([known(column, reading.words.of(column.name)) for column in columns]),
    )


def known_values(frame: pl.DataFrame, missing: Sequence[str]) -> pl.DataFrame:
    """Return a table of the input with null for whatever the policy calls missing."""
    return pl.DataFrame([known(column, missing) for column in frame.iter_columns()])


def known(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Return a column of the input with null for whatever the policy calls missing.

    Not-a-number is missing, too; minus zero is zero.
    """
    words = ["", *missing]
    dtype = column.dtype
    if isinstance(dtype, pl.Enum) and not dtype.categories.is_in(words).any():
        return column
    if dtype.is_float():
        column = column.fill_nan(None)
        # Adding 0.0 would do, but Polars leaves such an addition out.
        column = column.set((column == 0.0).fill_null(value=False), 0.0)
    if dtype.is_numeric():
        numbers = [float(word) for word in words if is_number(word.strip())]
        if not numbers:
            return column
        gone = column.cast(pl.Float64).is_in(numbers)
    elif dtype.is_temporal() or dtype == pl.Boolean:
        words = _as_shown(missing)
        if not text_as_read(column.unique()).is_in(words).any():
            return column
        gone = text_as_read(column).is_in(words)
    elif isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        gone = are_among(text_as_read(column), words)
        if column.null_count():
            gone &= column.is_not_null()
    else:
        return column
    if gone.null_count():
        gone = gone.fill_null(value=False)
    return column.set(gone, None) if gone.any() else column


def n_people(spec: Specification) -> int | None:
    """Count the people of the population, where there is a table of them."""
    return population(spec).height if spec.people_file is not None else None


def population(spec: Specification) -> pl.DataFrame:
    """Read the quasi-identifiers of the population.

    Raises
    ------
    DataError
        when the file cannot be read
    PolicyError
        when it lacks some of the quasi-identifiers, all of them named
    """
    frame = read_input(
        spec.people_file,
        spec.reading,
        spec.set_forms,
        spec.data.separator,
        expected=spec.class_names,
    ).frame
    faults = [
        Fault("population.data", f'has no column "{name}"', "Name a table with it.")
        for name in spec.class_names
        if name not in frame.columns
    ]
    if faults:
        raise PolicyError(faults)
    return pl.DataFrame([frame[name] for name in spec.class_names])


def _lose_digits(numbers: pl.Series) -> bool:
    """Return whether a double is another number than the text that it was read from."""
    return any(
        not math.isinf(read := float(text)) and Decimal(repr(read)) != Decimal(text)
        for text in numbers.to_list()
        if FEW_DIGITS.match(text) is None
    )


def _typed(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Find the type of a column of a text file by all its cells; else it stays text."""
    gone = are_among(column, ["", *missing])
    texts = column.set(gone.fill_null(value=False), None) if gone.any() else column
    forms = present_cells(distinct(texts))
    if forms.is_empty():
        return texts
    for form, read in TYPES:
        if all_match(forms, form):
            typed = read(texts)
            is_whole = typed.null_count() == texts.null_count()
            if is_whole and not (typed.dtype.is_float() and _lose_digits(forms)):
                return typed
    return texts


def _as_shown(missing: Sequence[str]) -> list[str]:
    """Return the texts of the days, moments and truths that words for a missing value name."""
    keys = [value_key(word) for word in missing if word]
    return [*missing, *keys, *(f"{own}T00:00:00" for own in keys), *map(str.lower, missing)]
