"""Sentences about a release are true of what is in the file, and remedies work."""

import datetime as dt

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import IndistinctError

N = 120


def warnings_of(dates, steps):
    start = pl.Series("start", dates)
    frame = pl.DataFrame({"start": start, "ill": [f"{n % 4}" for n in range(N)]})
    words = {
        "columns": {
            "start": {"role": "quasi-identifier", "min_level": 1, "hierarchy": {"dates": steps}},
            "ill": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    release = ind.anonymize(frame, ind.Policy.from_words(words), seed=1)
    return {warning.message for warning in release._held.exact.warnings}, release


def test_a_month_that_all_records_have_is_not_hidden():
    days = [f"2024-02-{n % 28 + 1:02d}" for n in range(N)]
    said, release = warnings_of(days, ["month", "year"])
    assert set(release.data["start"].cast(str)) == {"2024-02"}
    assert f"start tells nothing: all {N} released records show the same cell" in said


def test_what_is_hidden_is_said_to_be_hidden():
    days = [(dt.date(1900, 1, 1) + dt.timedelta(days=400 * n)).isoformat() for n in range(N)]
    said, release = warnings_of(days, ["month"])
    assert set(release.data["start"].cast(str)) == {"*"}
    assert f"start tells nothing: all {N} released records show the same cell" in said


@pytest.mark.parametrize(("rows", "remedy"), [(1, "nothing can be released"), (3, "at most 3")])
def test_the_remedy_for_a_small_table_works(rows, remedy):
    frame = pl.DataFrame({"age": [44] * rows, "ill": ["flu"] * rows})
    words = {
        "columns": {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}},
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    with pytest.raises(IndistinctError, match=remedy) as error:
        ind.anonymize(frame, ind.Policy.from_words(words))
    assert "1 records" not in str(error.value)
    if rows > 1:
        words["models"][0]["k"] = rows
        assert len(ind.anonymize(frame, ind.Policy.from_words(words)).data) == rows
