"""What the engine counts is what the definition says; size, price and intervals of an answer."""

from __future__ import annotations

import random

import pytest

from asked import part_counts, plain_counts, planned, read
from exact import any_question, any_rows
from indistinct.base.billionths import billionths
from indistinct.errors import ParameterError, QuestionError
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import quotients
from indistinct.questions.database.session import open_engine
from people import HEADER, declare, opened, person


@pytest.mark.parametrize("rows_per_person", [1, 3])
def test_the_engine_counts_what_the_definition_says(tmp_path, rows_per_person):
    """Two hundred questions about odd rows, against plain loops."""
    chance = random.Random(7)
    rows = any_rows(chance, range(1, 200), rows_per_person)
    dataset = load(declare(tmp_path, rows, rows_per_person=rows_per_person))
    plain = [dict(zip(HEADER, map(str, row), strict=True)) for row in rows]
    engine = open_engine(dataset)
    for _ in range(200):
        text = any_question(chance)
        statement, found = part_counts(engine, text, dataset)
        for mine, theirs in zip(found, plain_counts(plain, statement, dataset), strict=True):
            shown = {cell: n for cell, n in mine.items() if n}
            assert shown == {cell: n for cell, n in theirs.items() if n}, text
    engine.close()


@pytest.mark.parametrize(
    ("measure", "parts"),
    [
        ("COUNT(*)", [3]),
        ("COUNT(DISTINCT id)", [1]),
        ("SUM(age)", [300]),
        ("AVG(age)", [150, 3]),
        ("VARIANCE(age)", [150, 3, 3750]),
        ("MEDIAN(age)", [3]),
        ("QUANTILE(age, 0.9)", [27]),
    ],
)
def test_sensitivities_grow_with_the_rows_of_a_person(tmp_path, measure, parts):
    """Three rows a person, ages within 0 and 100."""
    dataset = load(declare(tmp_path, [person(1)], rows_per_person=3))
    statement = read(f"SELECT {measure} FROM people", dataset)
    assert [part.reach(statement.limits).total for part in statement.parts] == parts


def test_distinct_persons_reach_as_many_cells_as_they_have_rows(tmp_path):
    """Three rows and four groups: a person counts in three at most."""
    dataset = load(declare(tmp_path, [person(1)], rows_per_person=3))
    statement = read("SELECT COUNT(DISTINCT id) FROM people GROUP BY sex", dataset)
    reach = statement.parts[0].reach(statement.limits)
    assert (reach.total, reach.squares) == (3, 3)


MEASURES = [
    "COUNT(*)",
    "COUNT(DISTINCT id)",
    "SUM(age)",
    "AVG(age)",
    "VARIANCE(age)",
    "MEDIAN(age)",
    "COUNT(*), SUM(age), STDDEV(weight)",
]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "0.333333333"])
def test_the_price_is_what_the_proofs_charge_and_no_more_than_asked(
    tmp_path, measure, accounting, epsilon
):
    """Parts share the budget to the last billionth."""
    delta = 1e-6 if accounting == "zcdp" else None
    dataset = load(declare(tmp_path, [person(1)], delta=delta))
    plan = planned(f"SELECT {measure} FROM people", dataset, epsilon)
    granted = dataset.budget.meaning().granted(billionths(epsilon))
    assert granted - 6 <= plan.price <= granted


def test_a_budget_too_small_for_its_parts_is_refused(tmp_path):
    """One billionth cannot be shared by three."""
    dataset = load(declare(tmp_path, [person(1)]))
    with pytest.raises(ParameterError, match="epsilon"):
        planned("SELECT VARIANCE(age) FROM people", dataset, "0.000000001")


def test_too_many_groups_are_not_known_beforehand(tmp_path):
    """The product of the keys is what counts, not the rows there are; without delta refused."""
    dataset = load(declare(tmp_path, [person(1)], values={"city": [str(n) for n in range(40_000)]}))
    with pytest.raises(QuestionError, match="delta"):
        planned("SELECT COUNT(*) FROM people GROUP BY city, age_group", dataset)


def test_quotients_hold_every_corner():
    """A sum between -10 and 20 over a count between 0 and 4 lies between -10 and 20."""
    assert quotients((-10, 20), (0, 4)) == (-10, 20)
    assert quotients((10, 20), (2, 4)) == (2.5, 10)


@pytest.mark.parametrize("measure", MEASURES[:-1])
def test_intervals_hold_the_exact_answer(tmp_path, measure):
    """In 100 draws at most 17 miss (false alarm below 1e-5 at 95 %)."""
    with opened(tmp_path, [person(n) for n in range(400)], epsilon=10_000) as session:
        text = f"SELECT {measure} FROM people"
        truth = session.ask(text, epsilon=1000).answer
        replies = [session.ask(text, epsilon=1, fresh=True) for _ in range(100)]
    misses = sum(not reply.interval[0] <= truth <= reply.interval[1] for reply in replies)
    assert misses <= 17
