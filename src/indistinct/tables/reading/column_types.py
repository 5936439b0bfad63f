"""The types of columns: what their values are, which types their cells ask for, and one form.

A text file and a workbook say no types, so that they are found by all cells: whole numbers,
numbers, dates, else text. One record that is left out of a release would decide how the others are
written: a fraction makes ``0.0`` of every ``0``, and a word makes texts of all numbers. A release
has the types that its own cells ask for.

The tests of types and the one form of a cell are expressions, which any part of a table can be put
through. A test holds that form against
:func:`indistinct.tables.reading.missing_values.with_one_missing`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum

import polars as pl

from indistinct.base.cells.missing_words import MissingWords, words_of
from indistinct.base.cells.plain_numbers import WHOLE, is_plain_number
from indistinct.errors import DataError, Fault
from indistinct.tables.core.keys import Meaning, key
from indistinct.tables.frames.small_columns import SMALL, all_match
from indistinct.tables.frames.texts import SeriesOrExpression, as_texts_of, midnights_as_days
from indistinct.tables.reading.number_formats import (
    are_codes_with_an_e,
    are_exact,
    keeps_all_digits,
)

TEXTS = (pl.String, pl.Categorical, pl.Enum)
TEXT = pl.String()
WIDE = pl.Int128 | pl.Decimal  # what engines read wide whole numbers as
# What every value of a text column must be for the column to have a type, the narrowest first.
FORMS = {
    "whole": rf"^-?{WHOLE}$",
    "wide": r"^-?(0|[1-9][0-9]{0,37})$",  # a float would change its last digits
    "number": r"^-?(0|[1-9][0-9]{0,37})(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
    "date": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T]00:00(:00(\.0+)?)?)?$",
    "moment": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?)?$",
    "truth": r"^(true|false|True|False|TRUE|FALSE)$",
}
PARSED: Mapping[str, pl.DataType] = {
    "whole": pl.Int64(),
    "wide": pl.Int128(),
    "number": pl.Float64(),
    "date": pl.Date(),
    "moment": pl.Datetime("us"),
    "truth": pl.Boolean(),
}
DAY, MIDNIGHT = len("2024-05-01"), "T00:00:00"  # bytes of a day; what a moment without them lacks
LARGEST_WHOLE = 2.0**53  # whole numbers up to which no two are one floating point number
MOST_DIGITS = 18  # of whole numbers that a column of 64 bits holds
MILLISECONDS_OF_AN_HOUR = 3_600_000
KNOWN, FITS = "known", "fits"  # whether a column has a cell; whether all fit into 64 bits


class ColumnType(StrEnum):
    """What the values of a column are, whatever library holds them."""

    WHOLE = "whole"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    TRUTH = "truth"
    TEXT = "text"


def kind_of(dtype: pl.DataType) -> ColumnType:
    """Return what the values of a type are."""
    if dtype.is_integer():
        return ColumnType.WHOLE
    if dtype.is_numeric():
        return ColumnType.NUMBER
    if dtype == pl.Date:
        return ColumnType.DATE
    if dtype.is_temporal():
        return ColumnType.MOMENT
    return ColumnType.TRUTH if dtype == pl.Boolean else ColumnType.TEXT


def kinds_of(schema: Mapping[str, pl.DataType]) -> dict[str, ColumnType]:
    """Return what the values of each column are."""
    return {name: kind_of(dtype) for name, dtype in schema.items()}


def type_name(dtype: pl.DataType) -> str:
    """Name a type in plain words."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "number"
    if dtype.is_temporal():
        return "date"
    return "boolean" if dtype == pl.Boolean else "text"


def hours_of(column: pl.Series) -> pl.Series:
    """Return durations as numbers of hours; any other column as it is."""
    if not isinstance(column.dtype, pl.Duration):
        return column
    return (column.dt.total_milliseconds() / MILLISECONDS_OF_AN_HOUR).alias(column.name)


def check_schema(schema: Mapping[str, pl.DataType]) -> None:
    """Refuse columns that hold no single values, and names that Polars reads as patterns."""
    faults = [
        Fault(f"columns.{name}", "holds lists or records in its cells", "Unfold it into columns.")
        for name, dtype in schema.items()
        if dtype.is_nested() or dtype.is_object() or dtype == pl.Binary
    ]
    faults += [
        Fault(f"columns.{name}", "has a name that is read as a pattern", "Rename it.")
        for name in schema
        if (name.startswith("^") and name.endswith("$")) or name == "*" or "\0" in name
    ]
    if faults:
        raise DataError(faults)


def canonical(name: str, dtype: pl.DataType, missing: Sequence[str]) -> pl.Expr:
    """Return a column with null for every missing value, and zero for minus zero.

    Parameters
    ----------
    missing : the policy's words; the empty text and NaN always are among them
    """
    column = pl.col(name)
    if isinstance(dtype, TEXTS):
        texts = column.cast(pl.String)
        return pl.when(texts.is_in(["", *missing])).then(None).otherwise(texts).alias(name)
    if dtype.is_float():
        # A sum with zero would do, but Polars leaves it out of a lazy query.
        zero = pl.lit(0.0, dtype)
        column = pl.when(column == zero).then(zero).otherwise(column.fill_nan(None))
    gone = gone_cells(column, dtype, missing)
    if gone is None:
        return column.alias(name)
    return pl.when(gone).then(None).otherwise(column).alias(name)


def missing_numbers(missing: Sequence[str]) -> list[float]:
    """Return the numbers among the words for a missing value."""
    return [float(word) for word in missing if is_plain_number(word)]


def missing_moments(missing: Sequence[str], dtype: pl.DataType) -> list[date]:
    """Return the days, or the moments, of a type among the words for a missing value."""
    meaning: Meaning = "date" if dtype == pl.Date else "moment"
    keys = [own for word in missing if (own := key(meaning, word)) is not None]
    if meaning == "date":
        return [day for own in keys if (day := _day(own)) is not None]
    moments = [moment for own in keys if (moment := _moment(own)) is not None]
    has_zone = isinstance(dtype, pl.Datetime) and dtype.time_zone is not None
    return [moment for moment in moments if (moment.tzinfo is not None) is has_zone]


def _day(text: str) -> date | None:
    """Read a day; None where the calendar has none of this name."""
    moment = _moment(text)
    return None if moment is None else moment.date()


def _moment(text: str) -> datetime | None:
    """Read a moment; None where the calendar has none of this name."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def gone_cells(
    cells: SeriesOrExpression, dtype: pl.DataType, missing: Sequence[str]
) -> SeriesOrExpression | None:
    """Return which cells of a type that is no text a word for a missing value names.

    Returns
    -------
    None where no cell of the type can be named
    """
    if dtype.is_numeric():
        numbers = missing_numbers(missing)
        return cells.cast(pl.Float64).is_in(numbers) if numbers else None
    if isinstance(dtype, pl.Date | pl.Datetime):
        moments = missing_moments(missing, dtype)
        return cells.is_in(pl.Series(moments).cast(dtype).implode()) if moments else None
    if dtype == pl.Boolean:
        truths = [own == "true" for word in missing if (own := key("truth", word))]
        return cells.is_in(truths) if truths else None
    if dtype.is_temporal() and any(missing):
        return as_texts_of(cells, dtype).is_in(list(missing))
    return None


def parse(name: str, form: str) -> pl.Expr:
    """Return a column of texts in the type of its form."""
    return parsed(pl.col(name), form)


def parsed(texts: pl.Expr, form: str) -> pl.Expr:
    """Return texts in the type of their form."""
    if form == "date":
        return texts.str.head(DAY).str.to_date("%Y-%m-%d", strict=False)
    if form == "moment":
        whole = texts.str.replace(" ", "T", literal=True) + pl.lit(MIDNIGHT).str.slice(
            texts.str.len_bytes() - DAY
        )
        return whole.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)
    if form == "truth":
        return texts.str.to_lowercase() == "true"
    return texts.cast(PARSED[form], strict=False)


def form_tests(name: str, *, may_round: bool = False) -> dict[str, pl.Expr]:
    """Return, per form, whether every text has it and can be read as its type.

    Parameters
    ----------
    may_round : whether numbers may lose digits
    """
    texts = pl.col(name)
    tests = {
        form: (texts.str.contains(pattern) | texts.is_null()).all()
        & (parse(name, form).null_count() == texts.null_count())
        for form, pattern in FORMS.items()
    }
    if not may_round:
        tests["number"] &= are_exact(texts).all()
    return tests


def with_types(frame: pl.DataFrame, missing: MissingWords | Sequence[str]) -> pl.DataFrame:
    """Find the type of each column: whole numbers, numbers, dates, else text.

    A text with leading zeros stays text: it is a code, and its zeros are part of it. So do numbers
    that a double would round.
    """
    return frame.with_columns(
        _typed_column(_without_words(frame[name], words_of(missing, name)))
        for name in frame.columns
    )


def with_types_of_texts(frame: pl.DataFrame, missing: MissingWords | Sequence[str]) -> pl.DataFrame:
    """Find the types of the columns of texts, and leave all other columns as they are.

    Parameters
    ----------
    missing : as in :func:`with_types`
    """
    texts = [column for column in frame.iter_columns() if column.dtype == pl.String]
    return frame.with_columns(with_types(pl.DataFrame(texts), missing)) if texts else frame


def _without_words(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Return a column of texts in which words for a missing value are missing."""
    tokens = [token for token in missing if token]
    gone = column.is_in(tokens) if tokens else None
    return (
        column if gone is None or not gone.any() else column.set(gone.fill_null(value=False), None)
    )


def _typed_column(column: pl.Series) -> pl.Series:
    """Find the type of one column."""
    column = _without_empty_texts(column)
    known = column.drop_nulls()
    if known.is_empty():
        return column
    for form, pattern in FORMS.items():
        if len(known) > SMALL and not known[:100].str.contains(pattern).all():
            continue
        if not all_match(known, pattern):
            continue
        if form == "number" and are_codes_with_an_e(known):
            return column
        # Polars takes some names for patterns.
        texts = column.alias("").to_frame()
        typed = texts.select(parse("", form)).to_series().alias(column.name)
        if typed.null_count() == column.null_count() and (
            form != "number" or keeps_all_digits(known)
        ):
            return typed
    return column


def _without_empty_texts(column: pl.Series) -> pl.Series:
    """Return a column of texts in which a cell with nothing in quotes is missing."""
    is_empty = column == ""
    return column.set(is_empty.fill_null(value=False), None) if is_empty.any() else column


def with_numbers(
    frame: pl.DataFrame, names: Sequence[str], like: pl.DataFrame | None
) -> pl.DataFrame:
    """Return columns of texts as numbers, if every text is one.

    Parameters
    ----------
    names : of the columns that may have been numbers
    like : a table that has the types; None where they are to be found
    """
    kinds = {} if like is None else dict(like.schema)
    return frame.with_columns(
        _numbers_if_all(frame[name], kinds.get(name))
        for name in names
        if frame[name].dtype == pl.String
    )


def _numbers_if_all(column: pl.Series, kind: pl.DataType | None) -> pl.Series:
    """Return a column of texts as the type it had, or as numbers, if every text is one."""
    for wanted in (pl.Int64(), pl.Float64()) if kind is None else (kind,):
        if wanted.is_numeric():
            numbers = column.cast(wanted, strict=False)
            if numbers.null_count() == column.null_count():
                return numbers
    return column


def with_days(frame: pl.DataFrame) -> pl.DataFrame:
    """Return moments that are all midnights as days: pandas has no other days."""
    return frame.with_columns(map(midnights_as_days, frame.iter_columns()))


def narrowed(
    frame: pl.DataFrame, labelled: Container[str], fixed: Container[str] = ()
) -> pl.DataFrame:
    """Return a release whose columns have the narrowest types that hold their cells.

    Parameters
    ----------
    labelled : the columns that have labels, whose texts stay texts
    fixed : columns whose type is always the same
    """

    def stays(column: pl.Series) -> bool:
        is_label = column.name in labelled and column.dtype == pl.String
        return is_label or column.name in fixed

    return pl.DataFrame(
        [column if stays(column) else narrowed_column(column) for column in frame.iter_columns()]
    )


def narrowed_column(column: pl.Series) -> pl.Series:
    """Return a column of released values in the narrowest type that holds them."""
    if column.dtype.is_nested():
        return column
    if column.null_count() == len(column):
        return column.cast(pl.String)
    column = _typed_texts(column) if isinstance(column.dtype, TEXTS) else column
    known = column.drop_nulls()
    fits = column.dtype.is_float() and _are_whole(known)
    if isinstance(column.dtype, WIDE):
        fits = (known.abs() < 10**MOST_DIGITS).all()
    return column.cast(pl.Int64) if fits else column


def type_tests(name: str, dtype: pl.DataType) -> dict[str, pl.Expr]:
    """Return what is asked of a column to find the narrowest type that holds its cells.

    Returns
    -------
    the names of the forms of texts, ``KNOWN`` and ``FITS``, each with its test
    """
    column = pl.col(name)
    tests = {KNOWN: column.is_not_null().any()}
    if isinstance(dtype, TEXTS):
        tests |= form_tests(name)
        # Codes may differ by their zeros alone: 250 and 250.0.
        tests["number"] &= column.n_unique() == parse(name, "number").n_unique()
        column, dtype = column.cast(pl.Float64, strict=False), pl.Float64()
    if dtype.is_float():
        tests[FITS] = ((column == column.floor()) & (column.abs() <= LARGEST_WHOLE)).all()
    elif isinstance(dtype, WIDE):
        tests[FITS] = (column.abs() < 10**MOST_DIGITS).all()
    return tests


def narrower_types(
    types: Mapping[str, pl.DataType], answers: Mapping[str, bool | None]
) -> dict[str, pl.DataType]:
    """Return the columns that become narrower, with the narrowest types that hold their cells.

    Parameters
    ----------
    types : of the columns
    answers : to the tests, each with the place of its column before it
    """
    found: dict[str, pl.DataType] = {}
    for place, (name, before) in enumerate(types.items()):
        dtype = before
        if isinstance(before, TEXTS):
            forms = (form for form in FORMS if answers[f"{place} {form}"])
            dtype = PARSED.get(next(forms, ""), pl.String())
        if (dtype.is_float() or isinstance(before, WIDE)) and answers[f"{place} {FITS}"]:
            dtype = pl.Int64()
        if not answers[f"{place} {KNOWN}"]:
            dtype = pl.String()
        if dtype != before:
            found[name] = dtype
    return found


def in_type(cells: pl.Expr, wanted: pl.DataType | None) -> pl.Expr:
    """Return cells in the narrower type that all of them fit into; as they are where it is None."""
    if wanted is None:
        return cells
    if isinstance(wanted, pl.Date | pl.Datetime | pl.Boolean):
        return parsed(cells, next(form for form, dtype in PARSED.items() if dtype == wanted))
    if wanted == pl.Int64:
        # Texts may be whole numbers that are written with a fraction.
        return cells.cast(pl.Int64, strict=False).fill_null(cells.cast(pl.Float64).cast(pl.Int64))
    if wanted == pl.Float64:
        return pl.when(cells.cast(wanted) == 0).then(0.0).otherwise(cells.cast(wanted))
    return cells.cast(wanted)


def _typed_texts(column: pl.Series) -> pl.Series:
    """Return texts in the type that all of them have the form of, if different ones stay so."""
    typed = _typed_column(column.cast(pl.String))
    if typed.dtype == pl.String or typed.n_unique() < column.n_unique():
        return column
    # Polars takes some names for patterns.
    found = typed.alias("").to_frame().select(canonical("", typed.dtype, ()))
    return found.to_series().alias(column.name)


def _are_whole(numbers: pl.Series) -> bool:
    """Return whether floating point numbers are whole ones, each written as such."""
    return bool(((numbers == numbers.floor()) & (numbers.abs() <= LARGEST_WHOLE)).all())
