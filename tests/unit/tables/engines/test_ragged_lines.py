"""Lines of another number of cells are found as a plain loop finds them."""

import csv
import io
from unittest.mock import patch

import polars as pl
import pytest
from hypothesis import example, given, strategies as st

from indistinct.tables.engines.tallies import kinds_of, sizes_of, tallies_within, tally
from indistinct.tables.reading import text_frames

LINES = st.text(alphabet="a,;\r\n\té", max_size=60)


@given(LINES, st.sampled_from(",;\t"), st.integers(1, 4), st.sampled_from([1, 5, 1000]))
def test_ragged_lines_are_those_of_a_plain_loop(text, separator, n_columns, at_once):
    plain = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if line.count(separator) + 1 != n_columns and (n_columns > 1 or line.strip("\r"))
    ]
    before = text_frames.PART
    try:
        text_frames.PART = at_once
        found = list(text_frames._ragged_lines(text.encode(), separator, n_columns))
    finally:
        text_frames.PART = before
    assert found == plain


QUOTED = st.text(alphabet='a,;"\r\n', max_size=40)
WRITTEN = st.lists(st.lists(st.text(alphabet='a,"\n', max_size=4), min_size=2, max_size=2))


def rows_of(text, separator):
    """Parse a text; None where the parser refuses it."""
    try:
        return list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error:
        return None


@pytest.mark.parametrize("at_once", [3, 8, 1000])
@given(QUOTED, st.sampled_from(",;"), st.integers(1, 3))
@example('"a,b",1\n"c""d",2', ",", 2)
@example('a,"b\nc"\r\nd,e', ",", 2)
@example('a"b,c"', ",", 2)
@example('"a"\rb', ",", 1)
def test_a_text_with_quotes_that_is_not_parsed_has_rows_of_one_width(
    at_once, text, separator, n_columns
):
    stripped = text.rstrip("\r\n")
    with patch.object(text_frames, "PART", at_once):
        is_plain = text_frames.are_quoted_rows(stripped.encode(), separator, n_columns)
    if is_plain:
        rows = rows_of(text, separator)
        assert rows is not None
        assert all(len(row) == n_columns for row in rows if row)


@given(WRITTEN)
def test_a_text_that_a_writer_quoted_is_not_parsed(rows):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    text = file.getvalue().rstrip("\n").encode()
    assert text_frames.are_quoted_rows(text, ",", 2)
    if len(rows) > 1:
        assert not text_frames.are_quoted_rows(text + b',"x"', ",", 2)


ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("pqr")))


@given(ROWS)
def test_values_within_kinds_are_those_of_the_tally_of_both(rows):
    columns = [pl.Series([row[n] for row in rows], dtype=pl.String) for n in range(3)]
    weights = pl.Series([n % 3 + 1 for n in range(len(rows))], dtype=pl.Int64)
    for given_weights in (None, weights):
        plain = {}
        for (first, second, value), count in tally(columns, given_weights):
            plain.setdefault((first, second), {})[value] = count
        kinds, first = kinds_of(columns[:2])
        boxes = pl.DataFrame([column.alias(str(n)) for n, column in enumerate(columns[:2])])
        within = tallies_within(kinds, columns[2], given_weights)
        found = dict(zip(boxes[first].rows(), within, strict=True))
        assert found == plain
        assert sizes_of(kinds, given_weights) == [sum(one.values()) for one in plain.values()]
        assert list(found) == list(plain)
        assert [list(one) for one in found.values()] == [list(one) for one in plain.values()]


@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", "", None])] * 3), min_size=1, max_size=30))
def test_texts_have_the_kinds_that_a_group_by_of_the_rows_finds(rows):
    """Texts are grouped by numbers, categories by themselves; both as they first occur."""
    columns = [pl.Series(f"c{n}", [row[n] for row in rows], dtype=pl.String) for n in range(3)]
    kinds, first = kinds_of(columns)
    plain, plain_first = kinds_of([column.cast(pl.Categorical) for column in columns])
    assert kinds.to_list() == plain.to_list()
    assert first.to_list() == plain_first.to_list()
    known = list(dict.fromkeys(rows))
    assert kinds.to_list() == [known.index(row) for row in rows]
