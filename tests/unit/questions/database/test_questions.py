"""SQL text becomes a tree of our own words, or is refused with the part, the reason and a way."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from asked import planned, read
from hostile import HOSTILE
from indistinct.errors import QuestionError
from indistinct.questions.database.loading import build
from indistinct.questions.database.relational.parser import parse
from indistinct.questions.database.relational.tree import normal
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
            "smoker": {"type": "text", "values": ["true", "false"]},
            "native-country": {"type": "text", "values": ["DE", "FR"]},
            "age_group": {"type": "bins", "of": "age", "edges": [20, 50]},
        },
    },
    Path(),
)


def written(text):
    """Write the tree of a question."""
    return str(normal(parse(text)).select)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("select count(*) from t", "SELECT COUNT(*) FROM t"),
        ("SELECT a.b x FROM t a -- c", "SELECT a.b AS x FROM t a"),
        ('SELECT `a` FROM "t u"', "SELECT a FROM t u"),
        ("SELECT 1 + 2 * -x FROM t", "SELECT (1 + (2 * (- x))) FROM t"),
        ("SELECT SUM(x) FILTER (WHERE a) FROM t", "SELECT SUM(x) FILTER (WHERE a) FROM t"),
        ("SELECT EXTRACT(YEAR FROM d) FROM t", "SELECT EXTRACT(YEAR, d) FROM t"),
        (
            "SELECT x FROM t WHERE NOT a OR b AND c IS NOT NULL",
            "SELECT x FROM t WHERE (((NOT (c IS NULL)) AND b) OR (NOT a))",
        ),
        (
            "SELECT x FROM t WHERE 3 < a AND b IN ('y', 'x')",
            "SELECT x FROM t WHERE ((a > 3) AND (b IN ('x', 'y')))",
        ),
        (
            "SELECT x FROM t WHERE a NOT BETWEEN 1 AND 2",
            "SELECT x FROM t WHERE (NOT ((a <= 2) AND (a >= 1)))",
        ),
        (
            "SELECT CASE s WHEN 'F' THEN 1 ELSE 0 END FROM t",
            "SELECT CASE WHEN (s = 'F') THEN 1 ELSE 0 END FROM t",
        ),
        (
            (
                "SELECT x FROM t LEFT JOIN u USING (p) GROUP BY 1 HAVING COUNT(*) > 2 "
                "ORDER BY x DESC LIMIT 3"
            ),
            (
                "SELECT x FROM t LEFT JOIN u USING (p) GROUP BY 1 HAVING (COUNT(*) > 2) "
                "ORDER BY x DESC LIMIT 3"
            ),
        ),
    ],
)
def test_a_question_is_read(text, tree):
    """As it would be written with all parentheses."""
    assert written(text) == tree


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_sql_is_refused_with_one_kind_of_answer(text):
    """None of it is read."""
    with pytest.raises(QuestionError):
        planned(text, DATASET)


def test_there_are_more_than_a_hundred_hostile_questions():
    """And each stands there once."""
    assert len(set(HOSTILE)) == len(HOSTILE) > 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT * FROM people", "SELECT *: is not answered: rows are never shown"),
        ("SELECT MAX(age) FROM people", "MAX: would show one person"),
        ("SELECT COUNT(*) FROM people GROUP BY id", "id: would show people"),
        (
            "SELECT COUNT(*) FROM (SELECT sex, COUNT(*) AS n FROM people GROUP BY sex) t",
            "GROUP BY in a subquery: must name the person",
        ),
        (
            "SELECT COUNT(*) FROM people a JOIN people b ON a.sex = b.sex",
            "JOIN b: does not join the person",
        ),
        ("SELECT AVG(income) FROM people", "AVG(income): has no public bounds"),
        ("SELECT COUNT(*) OVER () FROM people", "OVER: is not answered here"),
        ("SELECT COUNT(*) FROM people UNION SELECT 1", "UNION: is not answered here"),
        ("SELECT income::float FROM people", ":: is not read here"),
        ("SELECT YEAR(age) FROM people", "YEAR: is not answered here"),
    ],
)
def test_a_refusal_names_the_part(text, message):
    """And what to write instead."""
    with pytest.raises(QuestionError) as caught:
        planned(text, DATASET)
    assert message.replace(":: ", "::: ") in str(caught.value)
    assert caught.value.faults[0].remedy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING sex > 5", "compares a text"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex ORDER BY 100", "is no place"),
        ("SELECT ROUND(COUNT(*), 400) FROM people", "rounds to no constant number"),
        ("SELECT ROUND(COUNT(*), -400) FROM people", "rounds to no constant number"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING id IN (SELECT id FROM people)",
         "is not computed of groups"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING NUMBER(sex) > 1",
         "is not computed of groups"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING age > 1", "is neither grouped by"),
        (("SELECT k, COUNT(*) FROM (SELECT a.id, b.sex AS k, COUNT(*) AS n FROM people a JOIN "
          "people b ON a.id = b.id GROUP BY a.id, a.sex) t GROUP BY k"), "is neither grouped by"),
        ("SELECT AVG(sex = 'F') FROM people", "is a bool, where a number is needed"),
        ("SELECT COUNT(*) FROM people WHERE EXISTS (SELECT 1 FROM people)", "EXISTS: is not"),
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_refused_from_the_text(text, message):
    """Also what is computed of noisy numbers: nothing of it fails after the charge."""
    with pytest.raises(QuestionError, match=message):
        planned(text, DATASET)


@pytest.mark.parametrize(
    ("key", "codes"),
    [
        ("FLOOR(age / 10) * 10", list(range(0, 121, 10))),
        ("ROUND(age, -2)", [0, 100]),
        ("age - 10 * FLOOR(age / 10)", list(range(-120, 121))),
        ("CASE WHEN age > 60 THEN 20 ELSE 40 END", [20, 40]),
    ],
)
def test_a_key_has_the_values_that_it_can_take(key, codes):
    """Multiples of its step between its bounds."""
    (found,) = read(f"SELECT {key} AS k, COUNT(*) FROM people GROUP BY k", DATASET).keys
    known = [code for code in found.labels if code is not None and code != found.other]
    assert known == codes


@pytest.mark.parametrize(
    "where",
    ["smoker", "NOT smoker", "sex <> 'X'", "age > 65 AND smoker = 'true'", "note LIKE 'North%'",
     "age / children > 2", "children IN (1, 2)", "\"native-country\" = 'DE'"],
)  # fmt: skip
def test_what_is_a_condition_is_read(where):
    """Of texts of true and false, too."""
    assert read(f"SELECT COUNT(*) FROM people WHERE {where}", DATASET).parts


@given(st.text(max_size=200))
@examples(200)
def test_no_text_raises_another_error(text):
    """Whatever is written."""
    with suppress(QuestionError):
        planned(text, DATASET)


PIECES = st.sampled_from(
    [
        "SELECT",
        "FROM",
        "WHERE",
        "GROUP",
        "BY",
        "people",
        "sex",
        "age",
        "income",
        "id",
        "COUNT(*)",
        "AVG",
        "(",
        ")",
        ",",
        ".",
        "*",
        "1",
        "'x'",
        "AND",
        "OR",
        "NOT",
        "JOIN",
        "USING",
        "ON",
        "=",
        "<",
        "IS",
        "NULL",
        "IN",
        "BETWEEN",
        "CASE",
        "WHEN",
        "THEN",
        "END",
        "HAVING",
        "ORDER",
        "LIMIT",
        "AS",
        "t",
        "-",
    ]
)


@given(st.lists(PIECES, max_size=30))
@examples(300)
def test_no_words_raise_another_error(words):
    """In whatever order they stand."""
    with suppress(QuestionError):
        planned("SELECT COUNT(*) FROM people " + " ".join(words), DATASET)


def test_a_question_is_read_in_milliseconds():
    """The longest that are allowed, in time of the processor; the best of three."""
    texts = [
        "SELECT COUNT(*) FROM people WHERE " + " OR ".join(f"age = {n}" for n in range(95)),
        "SELECT " + ", ".join(f"SUM(age + {n}) AS a{n}" for n in range(30)) + " FROM people",
        "SELECT COUNT(*) FROM people WHERE " + "(" * 23 + "age = 1" + ")" * 23,
    ]
    for text in texts:
        seconds = []
        for _ in range(3):
            began = time.thread_time()
            read(text, DATASET)
            seconds.append(time.thread_time() - began)
        assert min(seconds) < 0.05
