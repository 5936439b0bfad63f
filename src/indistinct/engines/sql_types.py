"""The types of text columns in the words of DuckDB, the one engine of SQL that reads text."""

from __future__ import annotations

import polars as pl

from indistinct.engines import canonical
from indistinct.engines.canonical import FORMS, TEXTS
from indistinct.engines.narrow_types import FITS, KNOWN, LARGEST_WHOLE, MOST_DIGITS, WIDE
from indistinct.engines.sql_dialect import words

PARSED = {"whole": "BIGINT", "wide": "DECIMAL(38, 0)", "number": "DOUBLE", "date": "DATE"}
NAMES = {pl.String(): "VARCHAR", **{canonical.PARSED[form]: PARSED[form] for form in FORMS}}


def type_tests(cell: str, dtype: pl.DataType) -> dict[str, str]:
    """Return what is asked of a column, as :func:`indistinct.engines.narrow_types.type_tests` does.

    Where no cell is known, all answers but the first are missing.
    """
    tests = {KNOWN: f"COUNT({cell}) > 0"}
    if isinstance(dtype, TEXTS):
        for form, pattern in FORMS.items():
            has_form = f"regexp_full_match({cell}, {words([pattern])})"
            is_read = f"TRY_CAST({cell} AS {PARSED[form]}) IS NOT NULL"
            known = f"FILTER (WHERE {cell} IS NOT NULL)"
            tests[form] = f"bool_and({has_form} AND {is_read}) {known}"
        cell, dtype = f"TRY_CAST({cell} AS DOUBLE)", pl.Float64()
    if dtype.is_float():
        tests[FITS] = f"bool_and({cell} = floor({cell}) AND abs({cell}) <= {LARGEST_WHOLE:.0f})"
    elif isinstance(dtype, WIDE):
        tests[FITS] = f"bool_and(abs({cell}) < {10**MOST_DIGITS})"
    return tests


def in_type(cell: str, wanted: pl.DataType | None) -> str:
    """Return a cell in the narrower type that it fits into; as it is where that is None."""
    if wanted is None:
        return cell
    narrow = f"CAST({cell} AS {NAMES[wanted]})"
    # A zero below zero becomes zero.
    return f"({narrow} + 0.0::DOUBLE)" if wanted == pl.Float64 else narrow
