"""A label that reads as a range or a period says nothing false of the values below it."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.errors import HierarchyError

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


def words_of(value, label):
    """Return the words of a policy whose list has a label above a value."""
    tree = {"others": ["other"], label: [value]}
    column = {"role": "quasi-identifier", "min_level": 1, "hierarchy": {"tree": tree}}
    return {"columns": {"x": column}, "models": [{"name": "k-anonymity", "k": 2}]}


def refused(value, label):
    """Return what is said where a record has a value with a label above it."""
    try:
        ind.anonymize(
            pl.DataFrame({"x": [value, "other"] * 2}), ind.Policy.from_words(words_of(value, label))
        )
    except HierarchyError as error:
        return str(error)
    return ""


def found(value, label, shown=None):
    """Return the false labels that verification finds in a release, beside its input.

    Parameters
    ----------
    shown : label that the release shows; the same one where left out
    """
    released = pl.DataFrame({"x": sorted([shown or label, "others"] * 2)})
    policy, original = (
        ind.Policy.from_words(words_of(value, label)),
        pl.DataFrame({"x": [value, "other"] * 2}),
    )
    verdict = ind.verify(released, policy, original=original)
    return [fault for fault in verdict.faults if "not true" in fault.problem]


@pytest.mark.parametrize(("value", "label"), FALSE)
def test_a_false_label_is_refused_and_found(value, label):
    assert "columns.x.hierarchy: level 1 has 1 label that is not true" in refused(value, label)
    (fault,) = found(value, label)
    assert "level 1 has labels that are not true" in str(fault)
    assert not found(value, label, shown="others")


@pytest.mark.parametrize(("value", "label"), TRUE)
def test_a_true_label_is_taken(value, label):
    assert not refused(value, label)
    assert not found(value, label)


@given(
    day=st.dates(dt.date(1000, 1, 1)),
    other=st.dates(dt.date(1000, 1, 1)),
    form=st.sampled_from(["month", "quarter", "year", "decade"]),
)
def test_a_period_is_true_of_the_days_in_it(day, other, form):
    """By plain arithmetic with the calendar."""
    parts = {
        "month": (f"{other:%Y-%m}", (day.year, day.month) == (other.year, other.month)),
        "quarter": (
            f"{other.year:04d}-Q{(other.month + 2) // 3}",
            (day.year, (day.month - 1) // 3) == (other.year, (other.month - 1) // 3),
        ),
        "year": (f"{other.year:04d}", day.year == other.year),
        "decade": (f"{other.year // 10}0s", day.year // 10 == other.year // 10),
    }
    label, is_true = parts[form]
    assert bool(refused(day.isoformat(), label)) is not is_true
    assert bool(found(day.isoformat(), label)) is not is_true


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


def test_a_refused_list_is_named():
    """Whoever reads the message has to find the column."""
    frame = pl.DataFrame({"age": ["61", "62"] * 5, "ill": ["a", "b"] * 5})
    words = {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"tree": {"[20, 30)": ["61", "62"]}}},
            "ill": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    with pytest.raises(HierarchyError, match=r"columns\.age\.hierarchy"):
        ind.anonymize(frame, ind.Policy.from_words(words))
