"""What verification defines a second time, against what makers use: the two share no code."""

from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from hypothesis import given, strategies as st
from polars.testing import assert_frame_equal

import indistinct as ind
from indistinct.tables.core.interval_hierarchies import interval_label, number_text
from indistinct.tables.frames.encoding import encode
from indistinct.tables.policy import hierarchies
from indistinct.tables.reading import files
from indistinct.tables.verification.input import read_input
from indistinct.tables.verification.suggestion import suggested_rule
from indistinct.tables.verification.texts import interval_around, plain_number

FINITE = st.floats(-1e12, 1e12, allow_nan=False).map(lambda number: number + 0.0)
DECIMALS = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)
WIDTHS = st.sampled_from([0.001, 0.1, 0.2, 0.25, 0.3, 0.5, 1.0, 2.0, 2.5, 7.0, 10.0, 1000.0])
CELLS = st.sampled_from(
    ["", "?", "-9", "-9.0", "0", "-0", "-0.0", "1", "01", "1.5", "1e3", "1.", "+1", "NaN", "nan",
     "inf", "2020-01-31", "2020-02-30", "123456789012345678", "1234567890123456789", "a", " 1"]
)  # fmt: skip


@given(FINITE | DECIMALS | st.integers(-(10**15), 10**15).map(float))
def test_numbers_are_written_alike(number):
    """Whole numbers, decimals, and what remains of a product."""
    assert plain_number(Decimal(repr(number))) == number_text(number)


@given(DECIMALS | FINITE | st.floats(allow_nan=False, allow_infinity=False), WIDTHS)
def test_intervals_are_written_alike(number, width):
    """Numbers on and beside the ends of intervals."""
    assert interval_around(repr(number), width) == interval_label(number, width)


@given(
    st.sampled_from(["x", "zip", "ZIP code", "unzipped"]),
    st.lists(st.integers(-500, 500), min_size=1)
    | st.lists(DECIMALS, min_size=1)
    | st.lists(FINITE.filter(lambda number: abs(number) < 1e9), min_size=1)
    | st.lists(st.dates(), min_size=1)
    | st.lists(st.text("0123456789ab ", min_size=1, max_size=3), min_size=1)
    | st.lists(st.text("01", min_size=13, max_size=13), min_size=1)
    | st.lists(st.sampled_from(["2020-01-31", "2020-02-30", "2020-01-31 10:00"]), min_size=1),
)
def test_the_same_rule_is_suggested(name, values):
    """Widths agree up to the last digits, everything else exactly."""
    column = pl.Series(name, values)
    made, found = hierarchies.suggested_rule(name, encode(column, "")), suggested_rule(column)
    assert (made is None) == (found is None)
    if made is not None and found is not None:
        assert (made.dates, made.mask) == (found.dates, found.mask)
        widths = list(zip(made.intervals or (), found.intervals or (), strict=True))
        assert all(abs(one - other) <= 1e-12 * one for one, other in widths)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.booleans())
def test_a_file_means_the_same(rows, are_numbers):
    """Types, missing values and zeros of a text file, whatever its cells."""
    policy = ind.Policy.from_words(
        {"columns": {"x": {"role": "quasi-identifier"}, "y": {"role": "insensitive"}},
         "models": [{"name": "k-anonymity", "k": 2}],
         "data": {"missing": ["", "?", "-9"] if are_numbers else ["", "?"]}}
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        path = Path(folder, "input.csv")
        path.write_text("x,y\n" + "".join(f"{one},{other}\n" for one, other in rows))
        try:
            known = {"separator": ",", "reading": policy.reading}
            made = files.read_file(path, **known).frame
        except ind.IndistinctError:
            return
        assert_frame_equal(read_input(path, policy.reading, policy.set_forms, ",").frame, made)
