"""Which values each released cell covers: for every kind of hierarchy, by its own definition."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.evaluation.attacks.known import known_column
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import HIDDEN
from shared import examples

RULES = {
    "intervals": ind.intervals(5, 10),
    "mask": ind.mask(3),
    "dates": ind.dates("month", "quarter", "year", "decade"),
    "tree": ind.tree({"lungs": ["flu", "asthma"], "belly": ["ulcer", "gastritis"]}),
    "none": None,
}
VALUES = {
    "intervals": st.integers(-20, 40).map(str),
    "mask": st.sampled_from(["101", "102", "120", "203", "31"]),
    "dates": st.dates().map(str),
    "tree": st.sampled_from(["flu", "asthma", "ulcer", "gastritis"]),
    "none": st.integers(100, 130).map(str),
}


def column_of(kind, cells, values, **data):
    words = {"role": "quasi-identifier"}
    words |= {"hierarchy": RULES[kind]} if RULES[kind] else {}
    policy = ind.Policy(columns={"c": words}, models=[ind.KAnonymity(k=2)], data=data)
    people = pl.Series("c", values)
    if kind in {"intervals", "none"}:
        people = people.cast(pl.Int64)
    return policy, known_column(policy.rule_of("c"), pl.Series("c", cells), {"register": people})


def covered(column):
    """Return the set of values under each cell's text."""
    return {
        text: {
            column.values.texts[code]
            for run in range(column.cover.starts[cell], column.cover.starts[cell + 1])
            for code in range(column.cover.lows[run], column.cover.highs[run])
        }
        for cell, text in enumerate(column.book.texts)
    }


@examples(100)
@given(st.data())
def test_a_cell_covers_what_its_hierarchy_says(data):
    """Labels of every level, above values of the register and of others."""
    kind = data.draw(st.sampled_from(tuple(RULES)))
    values = data.draw(st.lists(VALUES[kind], min_size=1, max_size=8))
    others = data.draw(st.lists(VALUES[kind], max_size=4))
    policy, _ = column_of(kind, ["*"], values)
    cells = Renderer.of(policy.rule_of("c"))
    labels = [label for value in (*values, *others) for label in (value, *cells.above(value))]
    _, column = column_of(kind, labels, values)
    for text, found in covered(column).items():
        expected = {v for v in values if text == HIDDEN or cells.is_below(text, v)}
        assert found == expected, text


def test_ranges_that_no_hierarchy_has():
    """Half-open, closed and single; the ends are as they are written."""
    _, column = column_of("none", ["[1, 3)", "[1, 3]", "3", "[7, 9)"], ["1", "2", "3", "4"])
    assert covered(column) == {
        "[1, 3)": {"1", "2"}, "[1, 3]": {"1", "2", "3"}, "3": {"3"}, "[7, 9)": set(),
    }  # fmt: skip
    assert column.lows is not None
    assert dict(zip(column.book.texts, column.lows.tolist(), strict=True))["[7, 9)"] == 7.0


def test_missing_values_are_values_of_their_own():
    """Written as an empty cell or as the policy's token, in the release and among people."""
    _, column = column_of("tree", ["?", "", "lungs", "*"], ["?", "flu", ""], missing=["", "?"])
    assert covered(column) == {"": {""}, "lungs": {"flu"}, "*": {"", "flu"}}


def test_dates_have_days_as_numbers():
    _, column = column_of("dates", ["2024", "2024-03-05", "*"], ["2024-03-01", "2024-03-05"])
    assert column.numbers is not None
    assert np.diff(column.numbers).tolist() == [4.0]
    ranges = dict(zip(column.book.texts, column.highs - column.lows, strict=True))
    assert ranges == {"2024": 4.0, "2024-03-05": 0.0, "*": 4.0}
    assert not column.is_plain


@pytest.mark.parametrize(("cells", "plain"), [(["1", "2", ""], True), (["1", "[1, 3)"], False)])
def test_plain_columns_are_numbers_only(cells, plain):
    assert column_of("none", cells, ["1", "2"])[1].is_plain is plain


def test_a_year_is_no_number_of_days():
    """1975-05-30 is day 1,975 of the calendar of computers; the year 1975 has other days, too."""
    days = ["1975-05-30", "1975-01-01", "1976-01-01"]
    _, column = column_of("dates", ["1975", "1975-01-01"], days)
    assert covered(column) == {
        "1975": {"1975-01-01", "1975-05-30"}, "1975-01-01": {"1975-01-01"},
    }  # fmt: skip


def test_a_masked_date_that_nobody_has_lies_where_it_is_written():
    """Noise on dates gives such days; a month that nobody is born in lies there, too."""
    cells = ["2001-03-04", "2001-03-05", "2002-07", "2001-03", "*"]
    _, column = column_of("dates", cells, ["2001-03-04", "2001-03-20", "2005-01-01"])
    days = {text: place for place, text in enumerate(column.book.texts)}

    def number(text):
        return (dt.date.fromisoformat(text) - dt.date(1970, 1, 1)).days

    expected = {
        "2001-03-04": ("2001-03-04", "2001-03-04"),
        "2001-03-05": ("2001-03-05", "2001-03-05"),
        "2002-07": ("2002-07-01", "2002-07-31"),
        "2001-03": ("2001-03-04", "2001-03-20"),
        "*": ("2001-03-04", "2005-01-01"),
    }
    for text, (low, high) in expected.items():
        assert column.lows[days[text]] == number(low)
        assert column.highs[days[text]] == number(high)
