"""Rules of joins, groups and limits, broken one by one: the enumeration finds each."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from indistinct.errors import QuestionError
from indistinct.questions.database.relational import (
    keys,
    limits,
    loaded,
    owned,
    parts,
    statement,
    units,
)
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.scopes import JoinedSources
from indistinct.questions.mechanisms import thresholds
from neighbours import QUESTIONS, check_number
from shared import longer

MOST_SEEDS = 60


def asking(*words):
    """Choose the questions that hold all of some words."""
    return [one for one in QUESTIONS if all(word in one[0] for word in words)]


def without_person(right):
    """Join on what the question says alone."""

    def attached(self, left, relation, join, name):
        found = right(self, left, relation, join, name)
        return dataclasses.replace(
            found, sql=found.sql.replace(f"{left.person} = {relation.name}.p AND ", "")
        )

    return attached


def no_window(name):
    """Leave one limit out."""

    def change(right):
        def limits_of(*given, **settings):
            found = right(*given, **settings)
            return dataclasses.replace(found, windows=found.windows - {name})

        return limits_of

    return change


def over_everybody(right):
    """Limit rows over all people together."""
    return lambda rows, columns, window, most: right(
        rows, columns, window.replace("PARTITION BY p,", "PARTITION BY ").replace(
            "PARTITION BY p ", ""), most
    )  # fmt: skip


def by_popularity(right):
    """Keep the groups that most rows of anybody are in."""

    def numbered(rows, columns, window, most):
        if "dense_rank" in window:
            window = (
                "dense_rank() OVER (PARTITION BY p ORDER BY popular DESC, "
                + window.split("ORDER BY ")[1]
            )
            keys = [one for one in columns if one.startswith("k")]
            count = f"count(*) OVER (PARTITION BY {', '.join(keys)}) AS popular"
            rows = f"SELECT *, {count} FROM ({rows}) AS everybody"
        return right(rows, columns, window, most)

    return numbered


def one_of_each(attribute):
    """Take one group, or one row in each, for granted."""

    def change(right):
        def limits_of(*given, **settings):
            found = right(*given, **settings)
            return dataclasses.replace(
                found, **{attribute: 1}, windows=found.windows - {attribute, "rows_in_all"}
            )

        return limits_of

    return change


def unclipped(self, number):
    return f"CAST({number} AS BIGINT)"


def merged_late(monkeypatch):
    """Limit the groups and rows of every value, and only then call what is undeclared other."""
    monkeypatch.setattr(keys.GroupKey, "code", lambda _, name: f"CAST({name} AS BIGINT)")

    def late(right):
        def limited(*given):
            code = "CASE WHEN k0 BETWEEN 0 AND 100 THEN k0 WHEN k0 IS NOT NULL THEN 101 END"
            return f"SELECT l.* REPLACE ({code} AS k0) FROM ({right(*given)}) AS l"

        return limited

    monkeypatch.setattr(statement, "limited", late(statement.limited))


def of_everybody(right):
    """Add up the sizes of all people's groups."""
    return lambda self, *given: right(self, *given).replace(
        "so_far AS (PARTITION BY p ", "so_far AS ("
    )


def by_rows(right):
    """Take a sum to be as large as the number of its rows."""
    return lambda self, *given: right(dataclasses.replace(self, kind="count"), *given)


def on_rows(right):
    """Count rows in the first stage, and not people."""
    return lambda self: right(self).replace("SELECT DISTINCT p", "SELECT p")


def ungrouped(right):
    """Group a subquery by its keys alone."""

    def made(select, scope, where, fresh, writer_of):
        found = right(select, scope, where, fresh, writer_of)
        by = f"GROUP BY {scope.person}, "
        sql = found.sql.replace(by, "GROUP BY ").replace(
            f"{scope.person} AS p", f"min({scope.person}) AS p"
        )
        return dataclasses.replace(found, sql=sql)

    return made


def patched(owner, name, make):
    return lambda monkeypatch: monkeypatch.setattr(owner, name, make(getattr(owner, name)))


BUGS = {
    "join without the person": (
        patched(owned.Compiler, "attached", without_person),
        asking("JOIN visits", "i.vid = v.vid"),
    ),
    "no row limit": (patched(statement, "limits_of", no_window("rows")), asking("FROM visits")),
    "row limit over all people": (
        patched(limits, "numbered", over_everybody),
        asking("FROM visits", "COUNT"),
    ),
    "no group limit": (
        patched(statement, "limits_of", no_window("groups")),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "groups chosen by popularity": (
        patched(limits, "numbered", by_popularity),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "rows_per_person not enforced": (
        patched(
            loaded,
            "numbered",
            lambda right: (
                lambda rows, columns, window, most: right(
                    rows, columns, window, 10**6 if "BY p ORDER" in window else most
                )
            ),
        ),
        asking("FROM items"),
    ),
    "key duplicates kept": (
        patched(
            loaded,
            "numbered",
            lambda right: (
                lambda rows, columns, window, most: right(
                    rows, columns, window, most if "BY p ORDER" in window else 10**6
                )
            ),
        ),
        asking("SELECT COUNT(*), SUM(v.cost)"),
    ),
    "no clip": (patched(units.Units, "sql", lambda _: unclipped), asking("SUM(cost)")),
    "other merged after limiting": (merged_late, asking("SELECT cost, COUNT(*)")),
    "other values taken for one value": (
        patched(keys.GroupKey, "merges", lambda _: False),
        asking("GROUP BY pid, cost"),
    ),
    "sizes of groups not limited": (
        patched(parts.Part, "largest", lambda _: lambda self, limits: 10**30),
        asking("VARIANCE(cost)"),
    ),
    "sizes of all people limited": (
        patched(statement.CompiledQuestion, "_fitting", of_everybody),
        asking("dept, COUNT(*), SUM(cost), AVG(cost)"),
    ),
    "sums taken for their rows": (
        patched(parts.Part, "size", by_rows),
        asking("dept, COUNT(*), SUM(cost), AVG(cost)"),
    ),
    "threshold on rows": (
        patched(statement.CompiledQuestion, "people_query", on_rows),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "one group taken for granted": (
        patched(statement, "limits_of", one_of_each("groups")),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "one row taken for granted": (
        patched(statement, "limits_of", one_of_each("rows")),
        asking("FROM visits", "SUM(cost)"),
    ),
    "any column is steady": (
        patched(JoinedSources, "is_steady", lambda _: lambda self, node: True),
        asking("LEFT JOIN persons"),
    ),
    "inner GROUP BY without the person": (
        patched(owned, "grouped", ungrouped),
        asking("GROUP BY pid, dept) t GROUP BY dept"),
    ),
}  # fmt: skip
FOUND = (AssertionError, QuestionError)


def check_many(questions):
    """Ask some questions of many databases."""
    for seed in range(MOST_SEEDS):
        check_number(seed, questions)


@pytest.mark.parametrize("name", longer(BUGS, list(BUGS)[:2]))
def test_the_enumeration_finds_every_planted_bug(monkeypatch, name):
    """Within sixty databases, each with and without one person."""
    plant, questions = BUGS[name]
    assert questions
    plant(monkeypatch)
    with pytest.raises(FOUND):
        check_many(questions)


def test_open_ties_are_told_by_value(monkeypatch):
    """ARG_MAX of the rows of a person does not depend on their order."""
    right = DuckDb().first("x", "y", "TRUE", down=True)
    import duckdb

    found = {
        duckdb.sql(f"SELECT {right} FROM (VALUES {', '.join(rows)}) t(x, y)").fetchall()[0]
        for rows in itertools.permutations(["('a', 1)", "('b', 1)", "('c', 0)"])
    }
    assert found == {("a",)}


@pytest.mark.parametrize("wrong", ["one less", "one group"])
def test_a_threshold_that_is_too_low_is_found(wrong):
    """T - 1, and g ignored, show a person alone with more than delta."""
    from indistinct.questions.mechanisms.gaussian import Gaussian
    from noise import discrete_gaussian

    delta, groups, sigma = 0.02, 5, 4.2
    least = thresholds.threshold(Gaussian(1, sigma), delta, 1 if wrong == "one group" else groups)
    least -= wrong == "one less"
    chance = discrete_gaussian(sigma)
    tail = sum(chance(x) for x in range(least - 1, 200))
    assert 1 - (1 - tail) ** groups > delta
