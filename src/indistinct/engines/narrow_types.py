"""The types of released columns where the cells of the input decided them: the narrowest ones.

A text file and a workbook say no types, so that they are found by all cells. One record that is
left out would decide how the others are written: a fraction makes ``0.0`` of every ``0``, and a
word makes texts of all numbers. A release has the types that its own cells ask for.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import polars as pl

from indistinct.engines.canonical import FORMS, PARSED, TEXTS, form_tests
from indistinct.engines.column_types import with_types
from indistinct.engines.missing_values import with_one_missing

LARGEST_WHOLE = 2.0**53  # whole numbers up to which no two are one floating point number
MOST_DIGITS = 18  # of whole numbers that a column of 64 bits holds
WHOLE_FRACTION = r"^-?[0-9]+\.0$"
NUMBER = r"^-?[0-9]"
KNOWN, FITS = "known", "fits"  # whether a column has a cell; whether all fit into 64 bits
WIDE = pl.Int128 | pl.Decimal  # what engines read wide whole numbers as


def narrowed(
    frame: pl.DataFrame,
    before: pl.DataFrame,
    labelled: Container[str],
    fixed: Container[str] = (),
) -> pl.DataFrame:
    """Return a release whose columns have the narrowest types that hold their cells.

    Parameters
    ----------
    before : the input, whose types all of its cells decided
    labelled : the columns that have labels
    fixed : columns whose type is always the same
    """

    def own(column: pl.Series) -> pl.Series:
        if column.name in fixed:
            return column
        is_labelled = column.name in labelled
        return _without_fractions(column, before) if is_labelled else narrowed_column(column)

    return pl.DataFrame([own(column) for column in frame.iter_columns()])


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
        tests |= dict(zip(FORMS, form_tests(name, ""), strict=True))
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
    if wanted == pl.Date:
        return cells.str.to_date("%Y-%m-%d")
    if wanted == pl.Int64:
        # Texts may be whole numbers that are written with a fraction.
        return cells.cast(pl.Int64, strict=False).fill_null(cells.cast(pl.Float64).cast(pl.Int64))
    if wanted == pl.Float64:
        return pl.when(cells.cast(wanted) == 0).then(0.0).otherwise(cells.cast(wanted))
    return cells.cast(wanted)


def _typed_texts(column: pl.Series) -> pl.Series:
    """Return texts in the type that all of them have the form of, if there is one."""
    typed = with_one_missing(with_types(column.cast(pl.String).to_frame(), ()), ()).to_series()
    return column if typed.dtype == pl.String else typed


def _are_whole(numbers: pl.Series) -> bool:
    """Tell whether floating point numbers are whole ones, each written as such."""
    return bool(((numbers == numbers.floor()) & (numbers.abs() <= LARGEST_WHOLE)).all())


def _without_fractions(column: pl.Series, before: pl.DataFrame) -> pl.Series:
    """Write the numbers among labels without ``.0`` where all of them have it."""
    if column.name not in before.columns or not before[column.name].dtype.is_float():
        return column
    if column.dtype != pl.String:
        return narrowed_column(column)
    numbers = column.drop_nulls().filter(column.drop_nulls().str.contains(NUMBER))
    if not len(numbers) or not numbers.str.contains(WHOLE_FRACTION).all():
        return column
    return column.str.replace(r"^(-?[0-9]+)\.0$", "$1")
