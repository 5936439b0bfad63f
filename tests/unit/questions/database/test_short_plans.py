"""A short question has a short plan: no form of an expression doubles with each step into it."""

from __future__ import annotations

import os
import time

import pytest

from indistinct.questions.database.relational.answering import queries_of
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.statement import compiled
from neighbours import MEANING, NAMES, loaded

STEPS = 12
SECONDS = 2.0  # of the processor, at most; each form that doubles took minutes
NUMBERS = {
    "+": "({} + cost)",
    "-": "(1 - {})",
    "*": "({} * 2)",
    "/": "(cost / {})",
    "SQRT": "SQRT({})",
    "CLAMP": "CLAMP({}, 1, 50)",
    "NULLIF": "NULLIF({}, 3)",
    "ROUND": "ROUND({}, 1)",
    "LEAST": "LEAST({}, cost)",
    "COALESCE": "COALESCE({}, 2)",
    "CASE": "CASE WHEN {} > 3 THEN 1 ELSE 2 END",
    "NUMBER": "NUMBER(CASE WHEN {} > 3 THEN '1' ELSE dept END)",
    "AGE_YEARS": "AGE_YEARS(CASE WHEN {} > 3 THEN day END, day)",
    "DAYS_BETWEEN": "DAYS_BETWEEN(CASE WHEN {} > 3 THEN day END, day)",
    "EXTRACT": "EXTRACT(YEAR FROM CASE WHEN {} > 3 THEN day END)",
}
SUBQUERIES = {
    "by row": "SELECT pid, CASE WHEN cost > 3 THEN cost ELSE 2 END AS cost FROM {} t",
    "by person": "SELECT pid, CASE WHEN SUM(CLAMP(cost, 0, 9)) > 3 THEN MAX(cost) ELSE 2 END "
    "AS cost FROM {} t GROUP BY pid",
}


def nested(form, begin, steps=STEPS):
    """Put a form into itself."""
    for _ in range(steps):
        begin = form.format(begin)
    return begin


QUESTIONS = {name: f"SELECT SUM(CLAMP({nested(form, 'cost')}, 0, 9)) FROM visits"
             for name, form in NUMBERS.items()} | {
    name: f"SELECT SUM(CLAMP(cost, 0, 9)) FROM {nested(f'({form})', 'visits', 10)} u"
    for name, form in SUBQUERIES.items()
}  # fmt: skip


def queries(name, setting):
    """Write the queries of a question, and say how long that took."""
    began = time.process_time()
    statement = compiled(QUESTIONS[name], setting, WantedLimits(rows=2))
    plan = make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
    found = queries_of(plan)
    assert time.process_time() - began < SECONDS
    return found


@pytest.fixture(scope="module", autouse=True)
def library():
    """Load what draws noise, which the first plan does."""
    one = loaded({table: [] for table in NAMES})
    statement = compiled("SELECT COUNT(*) FROM persons", one.setting)
    make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
    one.close()


@pytest.mark.parametrize("name", QUESTIONS)
def test_duckdb_plans_nested_forms_at_once(name):
    """By the clock of this process, in which the engine plans."""
    one = loaded({table: [] for table in NAMES})
    for query in queries(name, one.setting):
        began = time.process_time()
        one.fetch(query)
        assert time.process_time() - began < SECONDS
    one.close()


@pytest.mark.postgres
@pytest.mark.skipif("not __import__('os').environ.get('INDISTINCT_POSTGRES')")
def test_postgres_plans_nested_forms_at_once():
    """Within a time after which the server gives up."""
    from neighbours_in_postgres import in_postgres, own_database, put

    assert os.environ["INDISTINCT_POSTGRES"]
    with own_database() as connection:
        put(connection, {table: [] for table in NAMES})
        connection.run("SET statement_timeout = '2s'")
        one = in_postgres(connection)
        for name in QUESTIONS:
            for query in queries(name, one.setting):
                one.fetch(query)
