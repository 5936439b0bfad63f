"""Labels of a statistics file as evidence, where the names of its columns say nothing."""

import numpy as np
import polars as pl
import pyreadstat
import pytest

import indistinct as ind
from indistinct.tables.drafting.vocabulary import vocabulary

LABELS = {
    "q1": "Sex of respondent",
    "q2": "Self-rated health",
    "q3": "How content are you, all in all, with the job that you have at present?",
    "q4": "Has anybody in the family that you grew up in ever spent time in prison?",
    "q5": "Interviewer's impression",
    "age": "Household net income",
}


@pytest.fixture
def survey(tmp_path):
    chance = np.random.default_rng(1)
    cells = {name: chance.integers(1, 4, 300) for name in LABELS}
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(pl.DataFrame(cells), path, column_labels=LABELS)
    return path


def test_labels_say_what_names_do_not(survey):
    """Short labels of any role, long ones for sensitive columns only; never with certainty."""
    found = {column.name: column for column in ind.inspect(survey).columns}
    assert "quasi-identifier" in (found["q1"].role, *found["q1"].candidates)
    assert (found["q2"].role, found["q2"].confidence) == ("sensitive", "medium")
    assert found["q2"].reason == 'The label contains "health", which tells of health.'
    assert found["q3"].role == "undecided"
    assert found["q4"].role == "sensitive"
    assert found["q5"].role == "undecided"


def test_a_name_that_decides_is_not_overruled_by_the_label(survey):
    found = {column.name: column for column in ind.inspect(survey).columns}
    assert found["age"].reason.startswith('The name is "age"')


def test_a_label_of_more_than_five_words_names_no_quasi_identifier():
    words = vocabulary()
    assert [one.meaning.role for one in words.matches_of_label("Job of the person")] == [
        "quasi-identifier"
    ]
    assert words.matches_of_label("All that you think about your job") == ()
