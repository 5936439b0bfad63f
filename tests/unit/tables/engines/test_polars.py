"""Counting and rewriting: decoding undoes encoding."""

import datetime as dt
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.frames.encoding import encode
from indistinct.tables.frames.tuples import count_tuples
from shared import plain_number

COLUMNS = {
    "whole": (st.integers(-(2**63), 2**63 - 1), pl.Int64),
    "small": (st.integers(-128, 127), pl.Int8),
    "number": (st.floats(-1e9, 1e9) | st.just(math.nan), pl.Float64),
    "text": (st.text(max_size=3), pl.String),
    "date": (st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), pl.Date),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_decoding_undoes_encoding(kind):
    """Codes lead back to the values as text, in value order, the missing one last."""
    cells, dtype = COLUMNS[kind]

    @given(st.lists(st.none() | cells, min_size=1, max_size=20))
    def check(values):
        column = pl.Series(values, dtype=dtype)
        known = column.fill_nan(None) if dtype == pl.Float64 else column
        encoded = encode(column, "?")
        written = plain_number if dtype == pl.Float64 else str
        texts = ["?" if one is None else written(one) for one in known.to_list()]
        assert [encoded.texts[code] for code in encoded.codes] == texts
        assert encoded.is_missing.sum() == (known.null_count() > 0)
        assert not encoded.is_missing[:-1].any()
        order = [texts.index(text) for text in _known(encoded)]
        assert known[order].is_sorted()

    check()


def _known(encoded) -> list[str]:
    return [t for t, gone in zip(encoded.texts, encoded.is_missing, strict=True) if not gone]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=30))
def test_records_become_distinct_tuples(rows):
    """Every tuple once, with as many records as it has; every record finds its own."""
    first, second = (np.array(codes, np.int32) for codes in zip(*rows, strict=True))
    counted = count_tuples({"a": first, "b": second}, {}, {}, len(rows))
    table, tuple_of_row = counted.table, counted.tuple_of_row
    tuples = [tuple(codes) for codes in table.codes.tolist()]
    assert len(set(tuples)) == len(tuples)
    assert [tuples[index] for index in tuple_of_row] == rows
    assert table.weights.tolist() == [rows.count(row) for row in tuples]


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 5)), min_size=1, max_size=30))
def test_rows_of_several_records_become_the_tuples_of_their_records(rows):
    """A row of three records counts as three rows of one."""
    codes, records = (np.array(column) for column in zip(*rows, strict=True))
    codes = codes.astype(np.int32)
    short = count_tuples({"a": codes}, {}, {}, len(rows), records).table
    long = count_tuples({"a": np.repeat(codes, records)}, {}, {}, int(records.sum())).table
    assert short.codes.tolist() == long.codes.tolist()
    assert short.weights.tolist() == long.weights.tolist()
