"""Lines of another number of cells are found as a plain loop finds them."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from indistinct.engines import text_frames
from indistinct.engines.tallies import tally, tally_within

LINES = st.text(alphabet="a,;\r\n\té", max_size=60)


@given(LINES, st.sampled_from(",;\t"), st.integers(1, 4), st.sampled_from([1, 5, 1000]))
def test_ragged_lines_are_those_of_a_plain_loop(text, separator, n_columns, at_once):
    plain = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if line.count(separator) + 1 != n_columns and (n_columns > 1 or line.strip("\r"))
    ]
    before = text_frames.SMALL
    try:
        text_frames.SMALL = at_once
        found = list(text_frames._ragged_lines(text.encode(), separator, n_columns))
    finally:
        text_frames.SMALL = before
    assert found == plain


ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("pqr")))


@given(ROWS)
def test_values_within_kinds_are_those_of_the_tally_of_both(rows):
    columns = [pl.Series([row[n] for row in rows], dtype=pl.String) for n in range(3)]
    weights = pl.Series([n % 3 + 1 for n in range(len(rows))], dtype=pl.Int64)
    for given_weights in (None, weights):
        plain = {}
        for (first, second, value), count in tally(columns, given_weights):
            plain.setdefault((first, second), {})[value] = count
        found = dict(tally_within(columns[:2], columns[2], given_weights))
        assert found == plain
        assert list(found) == list(plain)
        assert [list(one) for one in found.values()] == [list(one) for one in plain.values()]
