"""SQL text becomes a question of our own words, or is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indistinct.database.dataset import build
from indistinct.database.questions import Count, CountPersons, Moments, Quantile, read
from indistinct.errors import QuestionError

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
        ("sex = 'unheard of'", {"sex": ()}),
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


HOSTILE = [
    "",
    " ",
    ";",
    "SELECT",
    "SELECT 1",
    "SELECT COUNT(*)",
    "SELECT * FROM people",
    "SELECT age FROM people",
    "SELECT sex FROM people GROUP BY sex",
    "SELECT COUNT(*), COUNT(*) FROM people",
    "SELECT COUNT(*) FROM another_table",
    "SELECT COUNT(*) FROM people, people",
    "SELECT COUNT(*) FROM people JOIN people p ON TRUE",
    "SELECT COUNT(*) FROM people CROSS JOIN range(10)",
    "SELECT COUNT(*) FROM people AS p",
    "SELECT COUNT(*) FROM main.people",
    "SELECT COUNT(*) FROM memory.main.people",
    "SELECT COUNT(*) FROM information_schema.tables",
    "SELECT COUNT(*) FROM pg_catalog.pg_class",
    "SELECT COUNT(*) FROM duckdb_tables()",
    "SELECT COUNT(*) FROM read_csv('/etc/passwd')",
    "SELECT COUNT(*) FROM read_text('/etc/passwd')",
    "SELECT COUNT(*) FROM '/etc/passwd'",
    "SELECT COUNT(*) FROM 'people.csv'",
    "SELECT COUNT(*) FROM glob('*')",
    "SELECT COUNT(*) FROM (SELECT * FROM people)",
    "SELECT COUNT(*) FROM (SELECT * FROM people LIMIT 1) people",
    "SELECT COUNT(*) FROM people TABLESAMPLE 10%",
    "SELECT COUNT(*) FROM people PIVOT (COUNT(*) FOR sex IN ('F'))",
    "SELECT COUNT(*) FROM people WHERE id = 1",
    "SELECT COUNT(*) FROM people WHERE rowid = 1",
    "SELECT COUNT(*) FROM people WHERE unknown = 1",
    "SELECT COUNT(*) FROM people WHERE people.age = 1",
    "SELECT COUNT(*) FROM people WHERE age = (SELECT MAX(age) FROM people)",
    "SELECT COUNT(*) FROM people WHERE EXISTS (SELECT 1)",
    "SELECT COUNT(*) FROM people WHERE age IN (SELECT age FROM people)",
    "SELECT COUNT(*) FROM people WHERE 1 / (age - 30) > 0",
    "SELECT COUNT(*) FROM people WHERE age / 0 = 1",
    "SELECT COUNT(*) FROM people WHERE age + 1 = 2",
    "SELECT COUNT(*) FROM people WHERE -age = 2",
    "SELECT COUNT(*) FROM people WHERE CAST(note AS INT) = 1",
    "SELECT COUNT(*) FROM people WHERE note::INT = 1",
    "SELECT COUNT(*) FROM people WHERE error('x')",
    "SELECT COUNT(*) FROM people WHERE error(note) = 1",
    "SELECT COUNT(*) FROM people WHERE sqrt(age) > 3",
    "SELECT COUNT(*) FROM people WHERE random() < 0.5",
    "SELECT COUNT(*) FROM people WHERE now() > 0",
    "SELECT COUNT(*) FROM people WHERE CASE WHEN age > 3 THEN TRUE END",
    "SELECT COUNT(*) FROM people WHERE note LIKE '%x%'",
    "SELECT COUNT(*) FROM people WHERE note SIMILAR TO 'x'",
    "SELECT COUNT(*) FROM people WHERE regexp_matches(note, '(a+)+')",
    "SELECT COUNT(*) FROM people WHERE note > 'a'",
    "SELECT COUNT(*) FROM people WHERE age = 'x'",
    "SELECT COUNT(*) FROM people WHERE note = 3",
    "SELECT COUNT(*) FROM people WHERE age = income",
    "SELECT COUNT(*) FROM people WHERE age IS NULL",
    "SELECT COUNT(*) FROM people WHERE TRUE",
    "SELECT COUNT(*) FROM people WHERE 1 = 1",
    "SELECT COUNT(*) FROM people WHERE age",
    "SELECT COUNT(*) FROM people WHERE age > 1e400",
    "SELECT COUNT(*) FROM people WHERE age > 'NaN'",
    "SELECT COUNT(*) FROM people WHERE age > NaN",
    "SELECT COUNT(*) FROM people WHERE age > NULL",
    "SELECT COUNT(*) FROM people WHERE age > ?",
    "SELECT COUNT(*) FROM people WHERE age > $1",
    "SELECT COUNT(*) FROM people WHERE age > :x",
    "SELECT COUNT(*) FROM people WHERE age > @x",
    "SELECT COUNT(*) FROM people WHERE age > getenv('HOME')",
    "SELECT COUNT(*) FROM people WHERE age COLLATE nocase = 1",
    "SELECT COUNT(*) FROM people HAVING COUNT(*) > 1",
    "SELECT COUNT(*) FROM people GROUP BY note",
    "SELECT COUNT(*) FROM people GROUP BY income",
    "SELECT COUNT(*) FROM people GROUP BY id",
    "SELECT COUNT(*) FROM people GROUP BY 1",
    "SELECT COUNT(*) FROM people GROUP BY sex, sex",
    "SELECT COUNT(*) FROM people GROUP BY ROLLUP (sex)",
    "SELECT COUNT(*) FROM people GROUP BY CUBE (sex)",
    "SELECT COUNT(*) FROM people GROUP BY GROUPING SETS ((sex), ())",
    "SELECT COUNT(*) FROM people GROUP BY ALL",
    "SELECT COUNT(*) FROM people GROUP BY upper(sex)",
    "SELECT sex, COUNT(*) FROM people",
    "SELECT COUNT(*) AS sex FROM people GROUP BY sex",
    'SELECT COUNT(*) AS "a b" FROM people',
    "SELECT sex AS s, COUNT(*) FROM people GROUP BY sex",
    "SELECT COUNT(*) FROM people ORDER BY 1",
    "SELECT COUNT(*) FROM people LIMIT 1",
    "SELECT DISTINCT COUNT(*) FROM people",
    "SELECT COUNT(*) OVER () FROM people",
    "SELECT COUNT(*) FILTER (WHERE age > 3) FROM people",
    "SELECT COUNT(age) FROM people",
    "SELECT COUNT(DISTINCT age) FROM people",
    "SELECT COUNT(DISTINCT id, age) FROM people",
    "SELECT SUM(income) FROM people",
    "SELECT SUM(note) FROM people",
    "SELECT SUM(age_group) FROM people",
    "SELECT SUM(age * 1000) FROM people",
    "SELECT SUM(DISTINCT age) FROM people",
    "SELECT AVG(age) + 1 FROM people",
    "SELECT MAX(age) FROM people",
    "SELECT MIN(age) FROM people",
    "SELECT QUANTILE(age, 2) FROM people",
    "SELECT QUANTILE(age, 0.123456789) FROM people",
    "SELECT QUANTILE(age, age) FROM people",
    "SELECT LIST(age) FROM people",
    "SELECT STRING_AGG(note, ',') FROM people",
    "SELECT FIRST(age) FROM people",
    "SELECT COUNT(*) FROM people; SELECT 1",
    "SELECT COUNT(*) FROM people; DROP TABLE people",
    "SELECT COUNT(*) FROM people;;",
    "SELECT COUNT(*) FROM people UNION SELECT COUNT(*) FROM people",
    "SELECT COUNT(*) FROM people EXCEPT SELECT 1",
    "WITH people AS (SELECT 1) SELECT COUNT(*) FROM people",
    "SELECT COUNT(*) INTO x FROM people",
    "SELECT COUNT(*) FROM people FOR UPDATE",
    "SELECT COUNT(*) FROM people -- comment",
    "SELECT COUNT(*) FROM people /* comment */",
    "SELECT /*+ hint */ COUNT(*) FROM people",
    "SELECT COUNT(*) FROM people WHERE note = '--'",
    "INSERT INTO people VALUES (1)",
    "UPDATE people SET age = 1",
    "DELETE FROM people",
    "DROP TABLE people",
    "CREATE TABLE x AS SELECT * FROM people",
    "COPY people TO '/tmp/x'",
    "ATTACH 'x.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET threads = 1",
    "EXPLAIN SELECT COUNT(*) FROM people",
    "DESCRIBE people",
    "CALL pragma_version()",
    "EXPORT DATABASE 'x'",
    "FROM people",
    "VALUES (1)",
    "BEGIN",
    "\x00",
    "SELECT COUNT(*) FROM people\x00",
    "SELECT COUNT(*) FROM peo\u200bple",
    "SELECT COUNT(*) FROM \uff50\uff45\uff4f\uff50\uff4c\uff45",
    "SELECT COUNT(*) FROM pe\u043eple",
    "SELECT COUNT(*) FROM people WHERE sex = \u2018F\u2019",
    "SELECT COUNT(*) FROM people WHERE note = '\u202e'",
    "SELECT COUNT(*) FROM people WHERE sex = 'F",
    'SELECT COUNT(*) FROM "people',
    "SELECT COUNT(*) FROM people WHERE note = E'\\x27'",
    "SELECT COUNT(*) FROM people WHERE note = 'a' 'b'",
    "SELECT COUNT(*) FROM people WHERE " + "(" * 5000 + "age = 1" + ")" * 5000,
    "SELECT COUNT(*) FROM people WHERE " + "(" * 20 + "age = 1" + ")" * 20,
    "SELECT COUNT(*) FROM people WHERE " + "NOT " * 900 + "age = 1",
    "SELECT COUNT(*) FROM people WHERE age = " + "- " * 1500 + "1",
    "SELECT COUNT(*) FROM people WHERE age = " + "+ " * 1500 + "1",
    "SELECT COUNT(*) FROM people WHERE age = " + "~ " * 1500 + "1",
    "SELECT COUNT(*) FROM people WHERE " + " OR ".join(["age = 1", "sex = 'F'"] * 150),
    "SELECT COUNT(*) FROM people WHERE " + " OR ".join(f"age = {n}" for n in range(300)),
    "SELECT COUNT(*) FROM people WHERE " + "age = 1 AND age = 2 OR " * 150 + "age = 3",
    "SELECT COUNT(*) FROM people WHERE age IN (" + ", ".join(["1"] * 400) + ")",
    "SELECT " + "x" * 100_000,
    "SELECT COUNT(*) FROM people WHERE age BETWEEN 1 AND 2 AND 3 BETWEEN age AND 4",
    "SELECT COUNT(*) FROM people WHERE {'a': age}.a = 1",
    "SELECT COUNT(*) FROM people WHERE [age][1] = 1",
    "SELECT COUNT(*) FROM people WHERE (age, 1) = (1, 1)",
    "SELECT COUNT(*) FROM people WHERE (x -> x) = 1",
    "SELECT COUNT(*) FROM people WHERE age IN (1) IS TRUE",
    "SELECT COUNT(*) FROM people QUALIFY TRUE",
    "SELECT COUNT(*) FROM people WINDOW w AS ()",
    "SELECT COUNT(*) FROM ONLY people",
    "SELECT COUNT(*) FROM people AT (VERSION => 1)",
    "SELECT COUNT(*) FROM LATERAL people",
    "SELECT COUNT(*) FROM people USING SAMPLE 1",
]


def test_there_are_more_than_a_hundred_hostile_questions():
    """The list below is long enough and without repeats."""
    assert len(set(HOSTILE)) == len(HOSTILE) > 100


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sql_is_refused_with_one_kind_of_answer(text):
    """The same error, the same remedy, one fault; never a crash."""
    with pytest.raises(QuestionError) as caught:
        ask(text)
    (fault,) = caught.value.faults
    assert fault.problem.startswith("the question ")
    assert fault.remedy.startswith("Ask: SELECT")


WORDS = st.sampled_from(
    ["SELECT", "COUNT(*)", "FROM", "people", "WHERE", "age", ">", "50", "AND", "OR", "NOT", "(", ")", "sex", "=", "'F'", "IN", ",", "GROUP", "BY", "SUM", "AVG", "id", "1.5", "-", "*", ";", "--", "/*", "UNION", "LIMIT", "CASE", "WHEN", "THEN", "END", "EXISTS", "BETWEEN", '"', "'", "NULL", "CAST", "::", "[", "]", "{", "}"]
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join)))
def test_any_text_is_a_question_or_refused(text):
    """Nothing else ever comes out of reading."""
    try:
        question = ask(text)
    except QuestionError:
        return
    assert question.canonical()
