"""Columns as numbers of their distinct values say what the columns themselves say."""

import datetime as dt
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.verification.order_traces import WIDEST, different, numbered

COLUMNS = (
    pl.Series(["b", "a", None, "b", ""]),
    pl.Series(["b", "a", "b"], dtype=pl.Categorical),
    pl.Series(["b", None, "b"], dtype=pl.Enum(["c", "b"])),
    pl.Series([True, False, None]),
    pl.Series([3, -1, 3, 2]),
    pl.Series([3, None, 3, 2]),
    pl.Series([1, 10**18, -(10**18), 1]),
    pl.Series([2**63 - 1, -(2**63), 0]),
    pl.Series([2**127 - 1, 0, 2**127 - 1], dtype=pl.Int128),
    pl.Series([255, 0, 3], dtype=pl.UInt8),
    pl.Series([1.5, -0.0, 0.0, None]),
    pl.Series([dt.date(2026, 1, 2), dt.date(1900, 1, 1), dt.date(2026, 1, 2)]),
    pl.Series([dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC), None]),
    pl.Series([dt.time(1, 2), dt.time(0, 0)]),
    pl.Series([dt.timedelta(days=1), dt.timedelta(0)]),
    pl.Series([Decimal("1.10"), Decimal("0.20"), Decimal("1.10")]),
    pl.Series([None, None], dtype=pl.String),
    pl.Series([None, None], dtype=pl.Null),
    pl.Series([], dtype=pl.String),
    pl.Series([], dtype=pl.Int64),
)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.dtype))
def test_the_value_of_each_row_is_found_again(column):
    """Nothing is lost, and no value has two numbers."""
    values, codes = numbered(column)
    told = column
    if isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Boolean):
        told = column.cast(pl.String)
    assert values.gather(codes).to_list() == told.to_list()
    assert values.n_unique() == len(values)


@given(st.lists(st.integers(0, 50), max_size=40), st.booleans())
def test_different_numbers_are_those_of_numpy(numbers, is_wide):
    """Both ways give what NumPy gives."""
    given_numbers = np.array(numbers, np.int64)
    end = WIDEST + 1 if is_wide else 51
    assert different(given_numbers, end).tolist() == np.unique(given_numbers).tolist()
