"""How labels are written: from their level and where they begin, and read only if written so."""

import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.codebook import CodebookEntry
from indistinct.tables.core.date_hierarchies import (
    DATE_LEVELS,
    CalendarPeriod,
    begins_at,
    dated_label,
    day_spans,
    period_of,
)
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.policy.hierarchies import hierarchy_of
from indistinct.tables.release.label_rules import labels_of
from shared import examples

QUASI = {"role": "quasi-identifier"}
STEPS = [("day", "month", "quarter", "year"), ("week",), ("half-year", "five-years", "decade"),
         ("hour", "day", "month"), ("twenty-years",)]  # fmt: skip


def rule_of(hierarchy, **words):
    """Return the rule of a column."""
    columns = {"c": {**QUASI, "hierarchy": hierarchy, **words}}
    return ind.Policy(columns=columns, models=[ind.KAnonymity(k=2)]).rule_of("c")


@st.composite
def rules(draw):
    """Return a rule and values that it generalizes."""
    kind = draw(st.sampled_from(["intervals", "dates", "mask", "tree"]))
    if kind == "intervals":
        first = draw(st.sampled_from([0.1, 0.25, 1, 5, 1e6]))
        widths = [first * 2**step for step in range(draw(st.integers(1, 3)))]
        values = st.integers(-900, 900).map(lambda step: step * first / 4)
        return rule_of(ind.intervals(*widths)), pl.Float64, draw(st.lists(values, min_size=1))
    if kind == "dates":
        values = st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31))
        return (
            rule_of(ind.dates(*draw(st.sampled_from(STEPS)))),
            pl.Date,
            draw(st.lists(values, min_size=1)),
        )
    if kind == "mask":
        values = st.text("012AB", min_size=1, max_size=6)
        return (
            rule_of(ind.mask(draw(st.integers(1, 5)))),
            pl.String,
            draw(st.lists(values, min_size=1)),
        )
    tree = {"a": {"b": ["u", "v"], "c": ["w"]}, "d": {"e": ["x", "y"], "g": ["z"]}}
    return rule_of(ind.tree(tree)), pl.String, draw(st.lists(st.sampled_from("uvwxyz"), min_size=1))


@examples(60)
@given(rules())
def test_every_label_of_a_hierarchy_is_an_entry_that_is_written_so(given_rule):
    """At the lowest level at which it stands, and around its values where there is a scale."""
    rule, dtype, values = given_rule
    column = encode_column(pl.DataFrame({"c": pl.Series("c", values, dtype=dtype)}), rule)
    hierarchy, labels = hierarchy_of(rule, column), labels_of(rule)
    own = set(hierarchy.values) if labels.kind != "dates" else set()
    for level, texts in enumerate(hierarchy.labels[1:], start=1):
        for code, text in enumerate(texts):
            if text == ROOT or text in own:
                continue
            entry = labels.entry(text)
            assert entry is not None, text
            assert entry.level <= level
            assert labels.render(entry) == text
            span = labels.span(entry)
            below = np.flatnonzero(hierarchy.codes[level] == code)
            if span is not None and labels.kind == "intervals":
                assert all(span[0] <= column.numbers[place] < span[1] for place in below)
            elif span is not None:
                days = day_spans([hierarchy.values[place] for place in below])
                assert (span[0] <= days[:, 0]).all()
                is_hour = rule.hierarchy.dates[entry.level - 1] == "hour"  # of days: their first
                assert is_hour or (days[:, 1] <= span[1]).all()


@examples(100)
@given(st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)), st.sampled_from(DATE_LEVELS[1:]))
def test_a_period_holds_the_days_that_are_written_so(day, step):
    """Its first day and its last are, the days before and after are not."""
    label = dated_label(day.isoformat(), step)
    period = begins_at("day", label) if step == "day" else period_of(label)
    assert period.step == step
    assert begins_at(step, period.begins) == period
    first, after = (int(end) for end in period.span)
    assert first <= day.toordinal() < after
    for number, inside in ((first, True), (after - 1, True), (first - 1, False), (after, False)):
        if 1 <= number <= dt.date.max.toordinal():
            written = dated_label(dt.date.fromordinal(number).isoformat(), step)
            assert (written == label) is inside, (label, number)


@pytest.mark.parametrize(
    "text",
    ["2024-13", "2021-W53", "2020-W00", "0000", "1990-1993", "1995s", "2024-H3", "2024-02-30T11",
     "2024-05-17", "2024-05\n", "", ROOT],
)  # fmt: skip
def test_what_is_written_like_a_period_and_is_none(text):
    assert period_of(text) is None


def test_an_hour_is_a_part_of_its_day():
    period = period_of("2024-05-17T13")
    assert period == CalendarPeriod("hour", "2024-05-17T13")
    day = dt.date(2024, 5, 17).toordinal()
    assert period.span == pytest.approx((day + 13 / 24, day + 14 / 24))


@pytest.mark.parametrize(
    ("rule", "texts"),
    [
        (ind.intervals(5, 10), ["[20, 27)", "[21, 26)", "[20, 25]", "[20,25)", "[5, 5)", "20"]),
        (ind.dates("month"), ["2024", "2024-05-17", "2024-Q1"]),
        (ind.mask(3), ["4761", ROOT, "***"]),
        (ind.tree({"n": ["u"]}), ["u", "m", ROOT]),
    ],
)
def test_what_no_level_writes_is_no_label(rule, texts):
    labels = labels_of(rule_of(rule))
    assert [labels.entry(text) for text in texts] == [None] * len(texts)


@pytest.mark.parametrize(
    ("rule", "entry"),
    [
        (ind.intervals(5, 10), CodebookEntry("[5, 15)", 2, "5")),
        (ind.intervals(5, 10), CodebookEntry("[5, 10)", 3, "5")),
        (ind.dates("month", "year"), CodebookEntry("2024", 2, "2024-02-01")),
        (ind.dates("month", "year"), CodebookEntry("2024", 2, "2024")),
        (ind.mask(3), CodebookEntry("*", 1, "")),
        (ind.tree({"n": ["u"]}), CodebookEntry("n", 2)),
    ],
)
def test_an_entry_that_no_level_has_is_not_written(rule, entry):
    """A level that is not there, or a beginning at which nothing begins."""
    labels = labels_of(rule_of(rule))
    assert labels.render(entry) is None
    assert labels.span(entry) is None


def test_the_lowest_allowed_level_counts():
    """A list may repeat a label, and a value: without level 0 the value is a label, too."""
    rows = [["s", "Single", "Single", ROOT], ["m", "Alone", "Alone", ROOT], ["o", "o", "o", ROOT]]
    rule = {"rows": rows}
    texts = ["Single", "Alone", "o"]
    found = {
        least: [labels_of(rule_of(rule, min_level=least)).entry(text) for text in texts]
        for least in (0, 1, 2)
    }
    assert found[0] == [CodebookEntry("Single", 1), CodebookEntry("Alone", 1), None]
    assert found[1] == [CodebookEntry(text, 1) for text in texts]
    assert found[2] == [CodebookEntry(text, 2) for text in texts]
