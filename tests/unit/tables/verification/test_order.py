"""Rows in any order but that of their cells are found, whatever the cells are."""

import datetime as dt
import random
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.frames.row_ranks import canonical_order
from indistinct.tables.verification.order import order_faults, whole

POLICY = ind.Policy.from_keywords(quasi_identifiers=["q"], insensitive=["x"], k=2)
ZONE = dt.timezone(dt.timedelta(hours=2))
ASCENDING = {
    "numbers": [-3, 1, 9, 10],
    "fractions": [-1e300, -0.5, 1e-9, 2.0],
    "whole numbers beyond 2^53": [2**53, 2**53 + 1, 2**60],
    "decimals": [Decimal("-1.5"), Decimal("2.00"), Decimal("10.25")],
    "texts": ["", "A", "B", "a", "é", "\U0001f600"][1:],
    "texts that are numbers": ["-5", "7", "07.5", "1e2", "0200"],
    "texts of equal value": ["1", "1.0", "2"],
    "nearly numbers": ["1", "10", "9", "9x"],
    "dates": [dt.date(1890, 1, 2), dt.date(2024, 1, 1), dt.date(2024, 1, 2)],
    "moments": [dt.datetime(2024, 1, 1, 23), dt.datetime(2024, 1, 2, 1)],  # noqa: DTZ001
    "moments with an offset": [dt.datetime(2024, 1, 1, 23, tzinfo=ZONE)] * 2,
    "truth values": [False, True],
    "durations": [dt.timedelta(hours=1), dt.timedelta(hours=2)],
}


def are_ordered(frame: pl.DataFrame) -> bool:
    return not list(order_faults(whole(frame), POLICY.class_names))


@pytest.mark.parametrize("name", ASCENDING)
def test_an_ascending_column_is_in_order_and_no_other_order_of_it(name):
    """Missing cells last; each exchange of two different neighbours is found."""
    values = [*ASCENDING[name], None]
    for place in range(len(values)):
        other = values.copy()
        other[place : place + 2] = other[place : place + 2][::-1]
        frame = pl.DataFrame({"x": pl.Series(other, strict=True)})
        is_same = [str(value) for value in other] == [str(value) for value in values]
        assert are_ordered(frame) is is_same, other


def test_quasi_identifiers_are_compared_first():
    frame = pl.DataFrame({"x": [2, 3, 1], "q": ["a", "a", "b"]})
    assert are_ordered(frame)
    assert not are_ordered(frame.sort("x"))
    bounds = pl.DataFrame({"x": [2, 3, 1], "q_min": [1, 1, 5], "q_max": [4, 4, 9]})
    assert are_ordered(bounds)


def test_a_column_with_a_label_is_ordered_as_text():
    assert are_ordered(pl.DataFrame({"q": ["*", "10", "9"]}))
    assert not are_ordered(pl.DataFrame({"q": ["*", "9", "10"]}))


def test_moments_with_an_offset_are_ordered_as_moments_or_as_texts():
    """Text formats have no type for them."""
    one, other = "2024-03-31 02:30:00+01:00", "2024-03-31 02:15:00+00:00"
    assert are_ordered(pl.DataFrame({"x": [one, other]}))
    assert are_ordered(pl.DataFrame({"x": [other, one]}))
    later = "2024-04-01 00:00:00+00:00"
    assert not are_ordered(pl.DataFrame({"x": [later, one]}))


def test_rows_are_compared_across_parts_and_apart_in_each_folder():
    frame = pl.DataFrame({"x": [1, 2, 3, 1]})
    parts = [frame[:2], frame[2:3], frame[3:]]
    assert list(
        order_faults(lambda: [(n == 0, part) for n, part in enumerate(parts)], POLICY.class_names)
    )
    assert not list(
        order_faults(lambda: [(n != 1, part) for n, part in enumerate(parts)], POLICY.class_names)
    )


CELLS = {
    "number": st.integers(-(2**62), 2**62) | st.none(),
    "fraction": st.floats(allow_nan=False, allow_infinity=False) | st.none(),
    "text": st.sampled_from(["1", "01", "1.0", "10", "9", "a", "é", "*", "2e1", "-3", None]),
    "code": st.sampled_from(["1", "01", "1.0", "10", "9", "2e1", "-3", "12345678901234567", None]),
    "day": st.dates(dt.date(1, 1, 1)) | st.none(),
}
TYPES = {
    "number": pl.Int64, "fraction": pl.Float64, "text": pl.String, "code": pl.String, "day": pl.Date
}  # fmt: skip


@given(
    st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=3, unique=True).flatmap(
        lambda names: st.tuples(
            st.just(names),
            st.lists(st.tuples(*(CELLS[name] for name in names)), max_size=12),
        )
    ),
    st.randoms(use_true_random=False),
)
def test_what_is_written_is_in_order_and_hardly_any_other_order_is(table, chance: random.Random):
    """Typed and as texts of a file; another order of the same rows only if rows are alike."""
    names, rows = table
    frame = pl.DataFrame(rows, schema={name: TYPES[name] for name in names}, orient="row")
    written = frame[canonical_order(frame)]
    texts = pl.read_csv(written.write_csv().encode(), infer_schema=False) if rows else written
    assert are_ordered(written)
    assert are_ordered(texts)
    order = list(range(frame.height))
    chance.shuffle(order)
    again = written[order]
    assert are_ordered(again) is again.equals(written)
    # The order is that of the cells alone, whatever it was before.
    assert frame[order][canonical_order(frame[order])].equals(written)
