"""A label that reads as a range or a period says nothing false of the values below it."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indistinct as ind
from indistinct.core.false_labels import refuse_false_labels
from indistinct.core.hierarchy_builders import from_rows
from indistinct.errors import HierarchyError
from indistinct.reader.verify.cells import Listed
from indistinct.reader.verify.columns import _false_label_faults

FALSE = [
    ("61", "[20, 30)"),
    ("30", "[20, 30)"),
    ("-5", "[0, 10]"),
    ("0.3", "[0.31, 0.4)"),
    ("2016-03-05", "2015-03"),
    ("2016-03-05", "2016-04"),
    ("2016-03-05", "2015"),
    ("2016-03-05", "2016-Q2"),
    ("2016-03-05", "2000s"),
    ("2016-03-05 10:30:00", "2016-05"),
    ("2016-03", "2015-04"),
    ("2016-03", "2016-Q2"),
]
TRUE = [
    ("30", "[20, 30]"),
    ("2.5", "[2.5, 3)"),
    ("2016-03-05", "2016-03"),
    ("2016-03-05", "2016-Q1"),
    ("2016-03-05", "2016"),
    ("2016-03-05", "2010s"),
    ("2016-03", "2016-Q1"),
    ("2016-03", "2016"),
    ("unknown", "[20, 30)"),
    ("1985", "1980"),
    ("61", "sixties"),
    ("", "2016"),
]


@pytest.mark.parametrize(("value", "label"), FALSE)
def test_a_false_label_is_refused_and_found(value, label):
    """The maker refuses the list, and verification has a definition of its own."""
    rows = [["other", "others", "*"], [value, label, "*"]]
    with pytest.raises(HierarchyError, match="labels that read as a range or a period"):
        refuse_false_labels(from_rows(rows))
    (fault,) = _false_label_faults("x", Listed({row[0]: row for row in rows}), {label})
    assert "level 1 has labels that are not true" in str(fault)
    assert not list(_false_label_faults("x", Listed({row[0]: row for row in rows}), {"others"}))


@pytest.mark.parametrize(("value", "label"), TRUE)
def test_a_true_label_is_taken(value, label):
    rows = [["other", "others", "*"], [value, label, "*"]]
    refuse_false_labels(from_rows(rows))
    assert not list(_false_label_faults("x", Listed({row[0]: row for row in rows}), {label}))


@given(
    day=st.dates(dt.date(1000, 1, 1)),
    other=st.dates(dt.date(1000, 1, 1)),
    form=st.sampled_from(["month", "quarter", "year", "decade"]),
)
def test_both_definitions_agree_on_periods(day, other, form):
    label = {
        "month": f"{other:%Y-%m}",
        "quarter": f"{other.year:04d}-Q{(other.month + 2) // 3}",
        "year": f"{other.year:04d}",
        "decade": f"{other.year // 10}0s",
    }[form]
    rows = [[day.isoformat(), label, "*"]]
    found = bool(list(_false_label_faults("x", Listed({rows[0][0]: rows[0]}), {label})))
    try:
        refuse_false_labels(from_rows(rows))
        is_refused = False
    except HierarchyError:
        is_refused = True
    assert found is is_refused


def test_a_month_that_is_listed_below_another_is_refused_in_its_place(tmp_path):
    """The message names the column and no value of a record."""
    (tmp_path / "born.csv").write_text("2016-03,2015-04,*\n2016-04,2016,*\n")
    policy = ind.Policy.from_words(
        {
            "columns": {"born": {"role": "quasi-identifier", "hierarchy": {"csv": "born.csv"}}},
            "models": [{"name": "k-anonymity", "k": 2}],
        },
        tmp_path,
    )
    with pytest.raises(HierarchyError) as raised:
        ind.anonymize(pl.DataFrame({"born": ["2016-03", "2016-04"] * 3}), policy, seed=1)
    assert raised.value.faults[0].place == "columns.born.hierarchy"
    assert "2016" not in str(raised.value)
