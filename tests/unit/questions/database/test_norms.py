"""The limit of one person as a norm: worked examples, exact sums of squares, units and weights."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import duckdb
import pytest

from indistinct.errors import QuestionError
from indistinct.questions.database.relational import norms
from indistinct.questions.database.relational.dialect import DuckDb, Postgres
from indistinct.questions.database.relational.limits import PersonLimits, WantedLimits
from indistinct.questions.database.relational.norms import Size, scaled_query
from indistinct.questions.database.relational.parts import GRID, Part
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.mechanisms.accountant import Accounting
from neighbours import exact, loaded, vectors, without
from worked import WORKED

BOTH = tuple(Accounting)
SUM, COUNT = Part("sum"), Part("count")
IN_TWO = "SELECT dept, COUNT(*) FROM visits GROUP BY dept"
BY_ITEM = (
    "SELECT p.sex, COUNT(DISTINCT v.pid) FROM visits v LEFT JOIN items i ON v.pid = i.pid AND "
    "v.vid = i.vid LEFT JOIN persons p ON i.pid = p.pid GROUP BY p.sex"
)


@pytest.fixture(scope="module")
def worked():
    """Return the database of the worked examples."""
    found = loaded(WORKED)
    yield found
    found.close()


def units(one, question, accounting, **limits):
    """Return the units of the last part, without empty groups."""
    _, found = vectors(one, question, limits, accounting)
    last = found[max(name for name in found if name != "stage")]
    return {cell[0] if len(cell) == 1 else cell: n for cell, n in last.items() if n}


@pytest.mark.parametrize(
    ("question", "limits", "accounting", "counted"),
    [
        ("SELECT sex, COUNT(*) FROM persons GROUP BY sex", {}, BOTH,
         {"F": 2, "M": 2, "other": 1}),
        ("SELECT p.sex, SUM(v.cost) FROM visits v JOIN persons p USING (pid) GROUP BY p.sex",
         {"rows": 3}, BOTH, {"F": 90 * GRID, "M": 140 * GRID}),
        (IN_TWO, {"groups": 1, "rows": 1}, [Accounting.ZCDP],
         {"ear": 457, "eye": 2963, "skin": 1024}),
        (IN_TWO, {"groups": 1, "rows": 1}, [Accounting.PURE],
         {"ear": 341, "eye": 2730, "skin": 1024}),
        (("SELECT v.dept, SUM(i.amount) FROM items i JOIN visits v ON i.vid = v.vid "
          "GROUP BY v.dept"), {"groups": 2, "rows": 9}, BOTH, {"eye": 6, "skin": 4}),
        ("SELECT COUNT(*) FROM persons WHERE pid NOT IN (SELECT pid FROM items)", {}, BOTH,
         {(): 2}),
        ("SELECT COUNT(DISTINCT pid) FROM visits", {}, BOTH, {(): 4}),
    ],
)  # fmt: skip
def test_worked_examples(worked, question, limits, accounting, counted):
    """In units: whole numbers where nobody can be scaled, else parts of 1,024."""
    for one in accounting:
        assert units(worked, question, one, **limits) == counted


@pytest.mark.parametrize(("accounting", "each"), [(Accounting.ZCDP, 724), (Accounting.PURE, 511)])
def test_a_person_whom_a_left_join_leaves_missing_is_scaled(worked, accounting, each):
    """Person 1 is in two groups where one is charged."""
    other = loaded(without(WORKED, "1"))
    mine, theirs = (
        units(one, BY_ITEM, accounting, groups=1, rows=9) for one in (worked, other)
    )  # fmt: skip
    other.close()
    moves = {cell: mine.get(cell, 0) - theirs.get(cell, 0) for cell in mine}
    assert {cell: move for cell, move in moves.items() if move} == {"F": each, None: each}


def test_answers_are_whole_numbers(worked):
    """The noise is on the grid, and the reply is rounded to the step of what was asked."""
    text = "SELECT EXTRACT(YEAR FROM day) AS y, COUNT(*) AS n FROM visits GROUP BY y HAVING n > 0"
    assert exact(worked, text, groups=1, rows=1) == [{"y": 2020, "n": 1}, {"y": 2021, "n": 3}]


def scaled(rows, part, size, accounting, dialect=None):
    """Scale made-up sums of people in groups; give the units of each group."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE given (q VARCHAR, k0 INTEGER, v0 BIGINT, s0 BIGINT)")
    connection.executemany("INSERT INTO given VALUES (?, ?, ?, ?)", rows)
    sql = scaled_query(
        [part], "SELECT * FROM given", ["k0"], [size], accounting, dialect or DuckDb()
    )
    found = dict(connection.execute(sql).fetchall())
    connection.close()
    return found


@pytest.mark.parametrize("accounting", BOTH)
def test_no_vector_is_longer_than_the_norm_that_is_charged(accounting):
    """Two hundred people in groups of their own, with products of up to 2**53."""
    chance = random.Random(7)
    for power in (1, 10, 36, 43):
        most = chance.randint(2 ** (power - 1), 2**power)
        rows = [
            (
                str(person),
                100 * person + at,
                *[chance.choice((-1, 1)) * chance.randint(1, 2**50)] * 2,
            )
            for person in range(200)
            for at in range(1 + person % 4)
        ]
        size = Size("", SUM, most**2 if accounting is Accounting.ZCDP else most)
        found = scaled(rows, Part("sum", grid=GRID), size, accounting)
        for person in range(200):
            mine = [abs(int(found[100 * person + at])) for at in range(1 + person % 4)]
            if accounting is Accounting.PURE:
                assert sum(mine) <= most * GRID
            else:
                assert sum(n**2 for n in mine) <= (most * GRID) ** 2


@pytest.mark.parametrize("accounting", BOTH)
def test_without_the_slack_some_vector_is_longer(monkeypatch, accounting):
    """A quotient, a root and two products are each rounded."""
    monkeypatch.setattr(norms, "SLACK", Fraction(1))
    with pytest.raises(AssertionError):
        test_no_vector_is_longer_than_the_norm_that_is_charged(accounting)


class InDoubles:
    """An engine that adds squares as doubles."""

    wide = "DOUBLE"


def test_sums_of_squares_are_exact_in_any_order():
    """Sums near 2**50 in forty groups: doubles give one person several factors."""
    chance = random.Random(3)
    sums = [chance.randint(2**49, 2**50) for _ in range(40)]
    size = Size("", SUM, 2**100)
    found: dict[str, set[float]] = {"right": set(), "doubles": set()}
    with duckdb.connect(config={"threads": 1}) as connection:
        for _ in range(20):
            chance.shuffle(sums)
            listed = ", ".join(f"({n})" for n in sums)
            for name, dialect in (("right", DuckDb()), ("doubles", InDoubles())):
                factor = size.factor("s", Accounting.ZCDP, dialect)
                sql = f"SELECT {factor} FROM (VALUES {listed}) AS given(s)"
                found[name] |= {row[0] for row in connection.execute(sql).fetchall()}
    assert len(found["right"]) == 1
    assert len(found["doubles"]) > 1


def test_people_within_the_norm_keep_all_units():
    """Also those who are exactly at it."""
    rows = [("a", 1, 3, 3), ("a", 2, 4, 4), ("b", 1, 5, 5), ("c", 2, 6, 6)]
    part = Part("count", grid=GRID)
    assert scaled(rows, part, Size("", COUNT, 25), Accounting.ZCDP) == {
        1: 8 * GRID, 2: 4 * GRID + math.floor(6 * GRID * 5 / 6 * (1 - 1e-9)),
    }  # fmt: skip


def test_a_person_of_more_rows_than_squares_are_exact_for_counts_nowhere():
    """A double holds no larger sum of squares without an error."""
    rows = [("a", 1, 2**27, 2**27), ("a", 2, 1, 1), ("b", 1, 2**20, 2**20)]
    assert scaled(rows, Part("count"), Size("", COUNT, 2**60), Accounting.ZCDP) == {1: 2**20}


@pytest.mark.parametrize(
    ("part", "limits", "grid"),
    [
        (Part("count"), PersonLimits(3, 5, 15), GRID),
        (Part("count"), PersonLimits(3, 5, 15, read=8), 1),
        (Part("count"), PersonLimits(3, 5, 15, read=9), GRID),
        (Part("people"), PersonLimits(3, 5, 15, read=3), 1),
        (Part("people"), PersonLimits(3, 5, 15, read=4), GRID),
        (Part("people"), PersonLimits(3, 5, 15, is_grouped=False), 1),
        (Part("sum", most=1023), PersonLimits(3, 5, 15), GRID),
        (Part("sum", most=1024), PersonLimits(3, 5, 15), 1),
        (Part("ranks", most=9999), PersonLimits(3, 5, 15), GRID),
        (Part("ranks", most=1), PersonLimits(3, 5, 15, read=5), 1),
        (Part("sum", most=1000), PersonLimits(10**6, 10**6, 10**6, full_groups=10**6), 1),
    ],
)
def test_the_grid_of_a_part(part, limits, grid):
    """Finer than whole numbers where people can be scaled, numbers are small and there is room."""
    assert part.on_grid(limits).grid == grid


@pytest.mark.parametrize(("rows", "weights"), [(2, [682, 683, 683]), (3, [1024, 1024, 1024])])
def test_the_rows_of_a_quantile_weigh_as_much_as_count(rows, weights):
    """Three rows of one person: up to each, its share rounded down."""
    one = loaded({**WORKED, "visits": [
        (str(n), "1", "2021-01-05", "eye", str(cost)) for n, cost in enumerate((10, 30, 60))
    ]})  # fmt: skip
    text = "SELECT QUANTILE(cost, 0.5) FROM visits"
    statement = compiled(text, one.setting, WantedLimits(rows=rows))
    found = one.fetch(statement.query(statement.parts, Accounting.ZCDP))
    one.close()
    assert [int(n) for _, n in sorted(found)] == weights


def test_postgres_divides_whole_numbers_exactly():
    """Both engines have a division of whole numbers."""
    assert Postgres().quotient("7", "2") == "div(7, 2)"
    assert duckdb.sql(f"SELECT {DuckDb().quotient('7', '2')}").fetchall() == [(3,)]


def test_a_missing_person_is_looked_up_among_the_rows_of_the_anchor():
    """Fifty people, of whom one alone is where nobody else is: that one counts once."""
    rows = [(str(n), "F", None, "nowhere" if n == 1 else "north", "20") for n in range(1, 51)]
    text = (
        "SELECT COUNT(*) FROM persons a LEFT JOIN (SELECT pid FROM persons WHERE sex = 'Z') b "
        "ON a.pid = b.pid WHERE (b.pid IN (SELECT pid FROM persons WHERE town = 'nowhere' AND "
        "sex = 'F')) IS NULL"
    )
    answers = []
    for there in (rows, rows[1:]):
        one = loaded({**WORKED, "persons": there, "visits": [], "items": []})
        answers.append(exact(one, text))
        one.close()
    assert answers == [50, 49]


def test_nobody_is_looked_up_in_a_public_table(worked):
    """A public table stays public, whatever is in it."""
    text = (
        "SELECT COUNT(*) FROM items WHERE code IN (SELECT code FROM codes WHERE code IN "
        "(SELECT code FROM items))"
    )
    with pytest.raises(QuestionError, match="looks people up in a public table"):
        compiled(text, worked.setting, WantedLimits())
    inside = "SELECT COUNT(*) FROM items WHERE code IN (SELECT code FROM codes WHERE word <> 'x')"
    assert compiled(inside, worked.setting, WantedLimits()).parts


def test_people_within_the_limits_share_one_place(worked):
    """By the number of their rows: of four people with visits one alone is told apart."""
    statement = compiled(IN_TWO, worked.setting, WantedLimits(groups=1, rows=1))
    assert "CASE WHEN n > 1 THEN p END AS q" in statement.query(statement.parts, Accounting.ZCDP)
    rows = worked.fetch(f"SELECT DISTINCT p, n FROM ({statement.base}) AS b")
    assert sorted(n for _, n in rows) == [1, 1, 1, 3]
