"""One person more or less: no part moves further than its noise is made for, in any construct."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from indistinct.errors import QuestionError
from indistinct.questions.database.relational.limits import reach
from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.mechanisms.laplace import Laplace
from indistinct.questions.mechanisms.thresholds import threshold
from neighbours import (
    ENOUGH,
    MADE_UP,
    PERSONS,
    QUESTIONS,
    TABLES,
    VISITS,
    Asked,
    check_number,
    database,
    exact,
    in_duckdb,
    loaded,
    made_up,
)
from noise import discrete_gaussian, discrete_laplace
from shared import longer
from worked import WORKED


@pytest.mark.parametrize("seed", longer(range(60), range(2)))
def test_one_person_moves_no_part_further_than_its_noise_is_made_for(seed):
    """More than thirty questions over four tables with odd cells, keys twice and foreign rows."""
    assert check_number(seed) >= len(QUESTIONS)


@pytest.mark.slow
def test_every_production_is_answered_often_enough():
    """At least 20 times in 1,000 questions that are made up; most of them are answered."""
    chance, asked = random.Random(5), Asked()
    with in_duckdb(database(chance), 1) as one:
        answered = sum(len(made_up(chance, one, asked)) for _ in range(ENOUGH // MADE_UP))
    assert asked.questions == ENOUGH
    assert asked.rare() == []
    assert answered >= 0.6 * ENOUGH


@pytest.mark.parametrize(("groups", "rows"), list(itertools.product(range(1, 5), range(1, 5))))
def test_reach_is_that_of_the_worst_person(groups, rows):
    """Against all ways to put rows into groups."""
    for in_all in range(1, groups * rows + 3):
        ways = [
            way for way in itertools.product(range(rows + 1), repeat=groups) if sum(way) <= in_all
        ]
        worst = reach(groups, rows, in_all)
        assert worst.total == max(map(sum, ways))
        assert worst.squares == max(sum(n * n for n in way) for way in ways)


@pytest.mark.parametrize(
    ("noise", "delta", "groups", "least"),
    [
        (Gaussian(1, 10.0), 1e-6, 5, 53),
        (Laplace(1, 10.0), 1e-6, 5, 149),
        (Gaussian(1, 4.2247), 5e-7, 1, 23),
        (Gaussian(1, 100.0), 1e-8, 20, 613),
    ],
)
def test_thresholds_of_the_worked_examples(noise, delta, groups, least):
    """Fewer people than k are dropped before the noise, and the threshold grows by k - 1."""
    assert threshold(noise, delta, groups) == least
    assert threshold(noise, delta, groups, 10) == least + 9


@pytest.mark.parametrize("scale", [0.6, 1.0, 2.7, 9.0])
@pytest.mark.parametrize("delta", [0.2, 0.01, 1e-5])
@pytest.mark.parametrize("groups", [1, 3])
def test_a_person_alone_is_shown_with_delta_at_most(scale, delta, groups):
    """By the exact probabilities of both distributions; one less would be too little somewhere."""
    for noise, distribution in (
        (Gaussian(1, scale), discrete_gaussian),
        (Laplace(1, scale), discrete_laplace),
    ):
        least = threshold(noise, delta, groups)
        chance = distribution(scale)
        tail = math.fsum(chance(x) for x in range(least - 1, least + 400))
        assert -math.expm1(groups * math.log1p(-tail)) <= delta * (1 + 1e-9)


@pytest.fixture(scope="module")
def worked():
    """Return the database of the worked examples."""
    found = loaded(WORKED)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("question", "limits", "answer"),
    [
        ("SELECT sex, COUNT(*) FROM persons GROUP BY sex", {},
         [("F", 2), ("M", 2), ("other", 1), (None, 0)]),
        ("SELECT EXTRACT(YEAR FROM day) AS y, COUNT(DISTINCT pid) FROM visits GROUP BY y",
         {"groups": 3, "rows": 3}, [(2020, 1), (2021, 3), (2022, 1), (None, 0)]),
        ("SELECT p.sex, SUM(v.cost) FROM visits v JOIN persons p USING (pid) GROUP BY p.sex",
         {"rows": 3}, [("F", 90), ("M", 140), ("other", 0), (None, 0)]),
        ("SELECT AVG(cost), COUNT(cost), COUNT(*) FROM visits", {"rows": 3}, [(46, 5, 6)]),
        ("SELECT AVG(n) FROM (SELECT pid, CLAMP(COUNT(*), 0, 2) AS n FROM visits GROUP BY pid) t",
         {}, 1.25),
        (("SELECT n, COUNT(*) FROM (SELECT pid, CLAMP(COUNT(*), 0, 2) AS n FROM visits "
         "GROUP BY pid) t GROUP BY n"), {}, [(0, 0), (1, 3), (2, 1)]),
        (("SELECT v.dept, SUM(i.amount) FROM items i JOIN visits v ON i.vid = v.vid "
         "GROUP BY v.dept"), {"groups": 2}, [("eye", 6), ("skin", 4)]),
        ("SELECT COUNT(*) FROM persons WHERE pid NOT IN (SELECT pid FROM items)", {}, 2),
        (("SELECT AGE_YEARS(p.born, v.day) AS a, COUNT(*) AS n FROM visits v "
         "JOIN persons p USING (pid) GROUP BY a HAVING n > 0"), {"groups": 3, "rows": 3},
         [(31, 1), (50, 1), (70, 2), (71, 1), (None, 1)]),
        ("SELECT 100.0 * COUNT(*) FILTER (WHERE cost >= 40) / COUNT(*) FROM visits",
         {"rows": 3}, 50),
        ("SELECT SUM(cost) / NULLIF(COUNT(*), 6) FROM visits", {"rows": 3}, None),
        ("SELECT COALESCE(NULLIF(COUNT(*), 6) - SUM(cost), 7) FROM visits", {"rows": 3}, 7),
        ("SELECT town, COUNT(*) AS n FROM persons GROUP BY town ORDER BY n DESC, town LIMIT 2", {},
         [("north", 2), (None, 1)]),
        (("WITH v AS (SELECT pid, MAX(cost) AS top FROM visits GROUP BY pid) "
         "SELECT ROUND(AVG(top), 1) AS m FROM v"), {}, 55),
    ],
)  # fmt: skip
def test_worked_examples(worked, question, limits, answer):
    """Without noise, with all limits."""
    found = exact(worked, question, **limits)
    if isinstance(found, list):
        found = [
            tuple("other" if isinstance(v, dict) else v for v in row.values()) for row in found
        ]
    assert found == answer


def test_groups_of_few_people_are_never_shown():
    """Two north, one elsewhere."""
    few = loaded(WORKED, min_people=2)
    assert exact(few, "SELECT town, COUNT(*) FROM persons GROUP BY town") == [
        {"town": "north", "count": 2}
    ]
    assert exact(few, "SELECT COUNT(*) FROM persons WHERE town = 'west'") == []
    few.close()


def test_a_person_in_several_groups_needs_a_limit(worked):
    """The refusal names the option."""
    with pytest.raises(QuestionError, match="puts a person into several groups") as caught:
        exact(worked, "SELECT dept, COUNT(*) FROM visits GROUP BY dept")
    assert "--groups 20" in caught.value.faults[0].remedy
    with pytest.raises(QuestionError, match="any number of rows"):
        exact(worked, "SELECT COUNT(*) FROM visits")


def test_people_are_counted_without_a_limit_on_their_rows(worked):
    """One row of a person tells that the person is in a group, unless only some rows count."""
    asked = "SELECT COUNT(DISTINCT pid) FROM visits"
    assert exact(worked, asked) == exact(worked, asked, rows=1)
    with pytest.raises(QuestionError, match="any number of rows"):
        exact(worked, "SELECT COUNT(DISTINCT pid) FILTER (WHERE dept = 'A') FROM visits")


def test_the_tables_declare_what_the_questions_need():
    """One row a person, and a key."""
    assert (PERSONS.rows_per_person, VISITS.key, len(TABLES)) == (1, ("vid",), 7)
