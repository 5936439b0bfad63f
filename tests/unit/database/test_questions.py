"""SQL text becomes a question of our own words, or is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import HOSTILE
from indistinct.database.loading import build
from indistinct.database.question import Count, CountPersons, Moments, Quantile
from indistinct.database.questions import read
from indistinct.errors import QuestionError
from shared import examples

DATASET = build(
    {
        "dataset": {"name": "d", "data": "d.csv", "table": "people", "person": "id", "ledger": "l"},
        "budget": {"epsilon": 1},
        "columns": {
            "age": {"type": "number", "bounds": [0, 120]},
            "income": {"type": "number"},
            "children": {"type": "number", "values": [0, 1, 2]},
            "sex": {"type": "text", "values": ["F", "M"]},
            "note": {"type": "text"},
            "native-country": {"type": "text", "values": ["DE", "FR"]},
            "age_group": {"type": "bins", "of": "age", "edges": [20, 50]},
        },
    },
    Path(),
)


def ask(text):
    return read(text, DATASET)


def where(condition):
    return ask(f"SELECT COUNT(*) FROM people WHERE {condition}").where


@pytest.mark.parametrize(
    ("selected", "measure"),
    [
        ("COUNT(*)", Count()),
        ("count(*) AS n", Count()),
        ("COUNT(DISTINCT id)", CountPersons()),
        ("SUM(age)", Moments("sum", "age")),
        ("AVG(age)", Moments("mean", "age")),
        ("VARIANCE(age)", Moments("variance", "age")),
        ("VAR_POP(age)", Moments("variance", "age")),
        ("MEDIAN(age)", Quantile("age", Fraction(1, 2), "median")),
        ("QUANTILE(age, 0.25)", Quantile("age", Fraction(1, 4))),
        ("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY age)", Quantile("age", Fraction(1, 4))),
        ('SUM("AGE")', Moments("sum", "age")),
    ],
)
def test_every_measure_of_the_grammar(selected, measure):
    """Each form is read as the measure it names."""
    assert ask(f"SELECT {selected} FROM people").measure == measure
    assert ask(f"select {selected} from PEOPLE;").measure == measure


def test_keys_may_be_selected_or_only_grouped_by():
    """The answer has all keys in either case."""
    one = ask('SELECT sex, "native-country", COUNT(*) FROM people GROUP BY "native-country", sex')
    other = ask('SELECT COUNT(*) AS n FROM people GROUP BY sex, "native-country"')
    assert one.keys == other.keys == ("native-country", "sex")
    assert one.canonical() == other.canonical()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("age > 50 AND sex = 'F'", "sex='F' and (50 < age)"),
        ("age BETWEEN 20 AND 30", "age >= 20 AND age <= 30.0"),
        ("NOT (age > 50 OR sex = 'F')", "age <= 50 AND sex <> 'F'"),
        ("NOT NOT age = 5", "age IN (5)"),
        ("sex IN ('F', 'M')", "sex IN ('M', 'F', 'F')"),
        ("note = 'x' OR note = 'x'", "note IN ('x')"),
        ("age NOT BETWEEN 20 AND 30", "age < 20 OR age > 30"),
        ("age > 1 AND (age > 2 AND age > 3)", "(age > 3 AND age > 1) AND age > 2"),
    ],
)
def test_equal_questions_are_equal_texts(one, other):
    """What is asked in other words is the same question, and its answer is free."""
    assert where(one) == where(other)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("sex = 'F'", {"sex": (0,)}),
        ("sex <> 'F'", {"sex": (-1, 1)}),
        ("sex = 'F' AND age > 3", {"sex": (0,)}),
        ("sex = 'F' OR age > 3", {}),
        ("sex = 'F' OR sex = 'M'", {"sex": (0, 1)}),
        ("sex = 'F' AND sex = 'M'", {"sex": ()}),
        ("age_group = '< 20' AND sex = 'M'", {"age_group": (0,), "sex": (1,)}),
        ("children IN (0, 2)", {"children": (0, 2)}),
        ("children IN (0, 7)", {}),
        ("NOT (sex = 'F' OR age > 3)", {"sex": (-1, 1)}),
    ],
)
def test_boxes_hold_what_a_question_looks_at(condition, expected):
    """Only what is provably confined to public values is."""
    assert ask(f"SELECT COUNT(*) FROM people WHERE {condition}").box() == expected


@pytest.mark.parametrize(
    "condition",
    [
        "sex = 'X'",
        "sex <> 'X'",
        "sex IN ('F', 'X')",
        "sex NOT IN ('X')",
        "NOT sex = 'f'",
        "age > 3 OR sex = ''",
        "age_group = '< 21'",
        "children IN (0, 7) AND \"native-country\" <> 'UK'",
    ],
)
def test_a_key_is_compared_with_its_declared_values_only(condition):
    """Rows of any other value look alike, so comparing with one of them would be answered wrong."""
    with pytest.raises(QuestionError, match="not declared"):
        where(condition)
    with pytest.raises(QuestionError, match="not declared"):
        ask(f"SELECT sex, COUNT(*) FROM people WHERE {condition} GROUP BY sex")


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ('SELECT SUM("native-country") FROM people', r"\[columns.*\] with bounds = \[low, high\]"),
        ("SELECT age, COUNT(*) FROM people GROUP BY age", r"\[columns.age\] with values = "),
        ("SELECT SUM(ghost) FROM people", r"\[columns.COLUMN\] with type = "),
        (
            "SELECT COUNT(*) FROM people WHERE sex = 'X'",
            r"\[columns.sex\] with the value in values",
        ),
    ],
)
def test_a_refusal_names_the_line_that_the_owner_can_add(question, line):
    """A name that is not declared is not repeated."""
    with pytest.raises(QuestionError, match=line) as refused:
        ask(question)
    assert "ghost" not in str(refused.value)


def test_there_are_more_than_a_hundred_hostile_questions():
    """The list is long enough and without repeats."""
    assert len(set(HOSTILE)) == len(HOSTILE) > 100


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sql_is_refused_with_one_kind_of_answer(text):
    """The same error, the same remedy, one fault; never a crash."""
    with pytest.raises(QuestionError) as caught:
        ask(text)
    (fault,) = caught.value.faults
    assert fault.problem.startswith("the question ")
    assert fault.remedy.startswith("Ask: SELECT")


GRAMMAR = (
    "SELECT COUNT(*) FROM people WHERE age > 50 AND OR NOT ( ) sex = 'F' IN , GROUP BY SUM AVG id"
)
OUTSIDE = "1.5 - * ; -- /* UNION LIMIT CASE WHEN THEN END EXISTS BETWEEN \" ' NULL CAST :: [ ] { }"
WORDS = st.sampled_from([*GRAMMAR.split(), *OUTSIDE.split()])


@examples(300)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)))
def test_any_text_is_a_question_or_refused(text):
    """Nothing else ever comes out of reading."""
    try:
        question = ask(text)
    except QuestionError:
        return
    assert question.canonical()
