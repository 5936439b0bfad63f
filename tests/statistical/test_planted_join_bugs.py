"""Rules of joins, groups and limits, broken one by one: the enumeration finds each."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import pytest

import neighbours
from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational import (
    constants,
    keys,
    loaded,
    lots,
    norms,
    owned,
    parts,
    statement,
    units,
)
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.expressions import Writer
from indistinct.questions.database.relational.scopes import JoinedSources
from indistinct.questions.database.relational.tree import Name
from indistinct.questions.database.relational.values import Value
from indistinct.questions.mechanisms import thresholds
from indistinct.questions.mechanisms.accountant import Accounting
from neighbours import QUESTIONS, RARE_ROWS, check_number
from shared import longer

MOST_SEEDS = 60


def asking(*words):
    """Choose the questions that hold all of some words."""
    return [one for one in [*QUESTIONS, *RARE_ROWS] if all(word in one[0] for word in words)]


def without_person(right):
    """Join on what the question says alone."""

    def attached(self, left, relation, join, name):
        found = right(self, left, relation, join, name)
        return dataclasses.replace(
            found, sql=found.sql.replace(f"{left.person} = {relation.name}.p AND ", "")
        )

    return attached


def concluded(right):
    """Take people to be within the limits that the text is concluded to keep."""

    def limits_of(scope, nodes, *given):
        found = right(scope, nodes, *given)
        origins = {scope.find(node).origin for node in nodes if isinstance(node, Name)}
        steady = all(scope.is_steady(node) for node in nodes)
        one_row = any(one <= origins for one in scope.unique)
        few = scope.rows is not None
        in_groups = steady or frozenset() in scope.unique or (few and found.groups >= scope.rows)
        in_rows = one_row or found.rows == 1 or (few and found.rows >= scope.rows)
        return dataclasses.replace(found, read=1) if in_groups and in_rows else found

    return limits_of


def within_limits(right):
    """Take everybody to be within the limits."""
    return lambda *given: dataclasses.replace(right(*given), read=1)


def steady_everywhere(monkeypatch):
    """Conclude that all rows of a person have one group."""
    monkeypatch.setattr(JoinedSources, "is_steady", lambda self, node: True)
    monkeypatch.setattr(statement, "limits_of", concluded(statement.limits_of))


def by_spelling(right):
    """Equate columns of one name by whatever the engine makes of their types."""
    del right
    return lambda self, name, left, one: f"{left.sql} = {one.sql}"


def units_by_text(monkeypatch):
    """Look the steps of a number up by its text; keep constants finer than a double."""

    def number_value(number):
        step = Fraction(1) if number.denominator == 1 else None
        return Value(
            double(number), "number", number, number, step, (number,), nullable=False, size=1.0
        )

    def by_text(right):
        def coded(self):
            finest = min((units for _, units in self.numbers), key=lambda units: units.step)
            numbers = tuple((number, finest) for number, _ in self.numbers)
            return right(dataclasses.replace(self, numbers=numbers))

        return coded

    monkeypatch.setattr(constants, "number_value", number_value)
    monkeypatch.setattr(
        statement.CompiledQuestion, "coded", by_text(statement.CompiledQuestion.coded)
    )


def filled_late(monkeypatch):
    """Fill the gaps of a key after it was made unique, and conclude that a group has one row."""
    right, table, size_of = loaded.read, owned.Compiler.table, statement.size_of

    def read(column, cast):
        return right(dataclasses.replace(column, missing=None), cast)

    def filled(self, declared):
        found = table(self, declared)
        columns = [
            f"c{at}" if one.missing is None else f"coalesce(c{at}, {double(one.missing)}) AS c{at}"
            for at, one in enumerate(declared.columns.values())
        ]
        stored = self.stored[declared.name]
        person = ["p", *self.carried] if declared.person else []
        listed = ", ".join([*person, *columns])
        sql = f"(SELECT {listed} FROM {stored}) AS {found.name}"
        return dataclasses.replace(found, sql=sql)

    def one_row(part, limits, *given):
        found = size_of(part, limits, *given)
        return dataclasses.replace(found, sql="1") if found and limits.rows == 1 else found

    monkeypatch.setattr(loaded, "read", read)
    monkeypatch.setattr(owned.Compiler, "table", filled)
    monkeypatch.setattr(statement, "size_of", one_row)


def one_value_is_constant(monkeypatch):
    """Take a column that is known to have one value for that value, also where it is missing."""
    right = Writer.alike

    def alike(self, node, left, one):
        if left.kind == "date" and one.values == ("2020-01-01",):
            one = constants.moment_value(one.values[0], "date")
        return right(self, node, left, one)

    monkeypatch.setattr(Writer, "alike", alike)
    monkeypatch.setattr(statement, "limits_of", concluded(statement.limits_of))


def duplicates_kept(monkeypatch):
    """Keep several rows of one key, and conclude that there is one."""

    def kept(right):
        return lambda rows, columns, window, most: right(
            rows, columns, window, most if "BY p ORDER" in window else 10**6
        )

    monkeypatch.setattr(loaded, "numbered", kept(loaded.numbered))
    monkeypatch.setattr(statement, "limits_of", concluded(statement.limits_of))


def looked_up(right):
    """Look a missing person up as SQL does."""

    def occurs(self, node, scope):
        found = right(self, node, scope)
        inner = found.sql.partition(" THEN ")[2].removesuffix(" END")
        return dataclasses.replace(found, sql=f"({inner})")

    return occurs


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


def unclipped(self, number):
    return f"CAST({number} AS BIGINT)"


def merged_late(monkeypatch):
    """Scale the groups of every value, and only then call what is undeclared other."""
    monkeypatch.setattr(keys.GroupKey, "code", lambda _, name: f"CAST({name} AS BIGINT)")

    def late(right):
        def scaled_query(*given):
            code = "CASE WHEN k0 BETWEEN 0 AND 100 THEN k0 WHEN k0 IS NOT NULL THEN 101 END"
            return f"SELECT {code}, sum(v0) FROM ({right(*given)}) AS l(k0, v0) GROUP BY 1"

        return scaled_query

    monkeypatch.setattr(statement, "scaled_query", late(statement.scaled_query))


def half_as_much_again(right):
    """Scale people to one and a half times what is charged."""

    def size_of(part, limits, accounting, *given):
        found = right(part, limits, accounting, *given)
        times = 3 if accounting is Accounting.PURE else 5
        return found and dataclasses.replace(found, most=times * found.most // 2)

    return size_of


def away_from_zero(right):
    """Round the numbers of a person up."""
    return lambda *given: right(*given).replace("trunc(", "ceil(")


def in_each_group(right):
    """Scale the groups of a person one by one."""
    return lambda *given: (
        right(*given)
        .replace("factors AS (SELECT q", "factors AS (SELECT q, k0")
        .replace("GROUP BY q HAVING", "GROUP BY q, k0 HAVING")
        .replace("USING (q)", "USING (q, k0)")
    )


def by_rows(right):
    """Take a sum to be as large as the number of its rows."""
    return lambda self, *given: right(dataclasses.replace(self, kind="count"), *given)


def by_everybody(right):
    """Draw lots that depend on who else is there."""
    del right
    return lambda _, key, parts: (
        f"hash('{key}', (SELECT count(DISTINCT p) FROM given), {', '.join(parts)})"
    )


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
    "everybody taken to be within the limits": (
        patched(statement, "limits_of", within_limits),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "no lots over the groups of the first stage": (
        patched(statement, "in_few_groups", lambda _: lambda rows, *given: rows),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "lots that depend on others": (
        patched(DuckDb, "group_lot", by_everybody),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "a norm half as large again": (
        patched(statement, "size_of", half_as_much_again),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "numbers cut away from zero": (
        patched(norms, "units", away_from_zero),
        asking("FROM visits GROUP BY dept"),
    ),
    "each group scaled alone": (
        patched(statement, "scaled_query", in_each_group),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "groups chosen by popularity": (
        patched(lots, "numbered", by_popularity),
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
    "key duplicates kept": (duplicates_kept, asking("SELECT COUNT(*), SUM(v.cost)")),
    "no clip": (patched(units.Units, "sql", lambda _: unclipped), asking("SUM(cost)")),
    "other merged after limiting": (merged_late, asking("SELECT cost, COUNT(*) FROM visits")),
    "sums taken for their rows": (
        patched(parts.Part, "size", by_rows),
        asking("dept, COUNT(*), SUM(cost), AVG(cost)"),
    ),
    "threshold on rows": (
        patched(statement.CompiledQuestion, "people_query", on_rows),
        asking("FROM visits", "GROUP BY dept"),
    ),
    "any column is steady": (steady_everywhere, asking("LEFT JOIN persons")),
    "columns of one name equated in two types": (
        patched(Writer, "equation", by_spelling),
        asking("USING (pid, k)"),
    ),
    "whole keys of any size": (
        lambda monkeypatch: monkeypatch.setattr(keys, "LARGEST_WHOLE", 10**40),
        asking("100000000000000 * 100000000000000"),
    ),
    "steps by the text of a number": (units_by_text, asking("1.0000000000000000001")),
    "a missing person taken for the same": (
        patched(statement, "limits_of", concluded),
        asking("LEFT JOIN items i ON v.pid = i.pid AND v.vid"),
    ),
    "an equation of one side taken for a match": (
        patched(statement, "limits_of", concluded),
        asking("v.b = v.one"),
    ),
    "a column of one value taken for a constant": (
        one_value_is_constant,
        asking("AS d FROM persons", "DATE '2020-01-01'"),
    ),
    "gaps filled after a key was made unique": (filled_late, asking("FROM stays")),
    "a missing person looked up": (
        patched(owned.Compiler, "occurs", looked_up),
        asking("WHERE sex = 'Z'"),
    ),
    "a plan by values": (
        lambda monkeypatch: monkeypatch.setattr(neighbours, "lock", lambda _: None),
        asking("THEN 'x' END <> 'y'"),
    ),
    "inner GROUP BY without the person": (
        patched(owned, "grouped", ungrouped),
        asking("GROUP BY pid, dept) t GROUP BY dept"),
    ),
}  # fmt: skip


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
    with pytest.raises(AssertionError):
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
