"""Small databases and questions by chance: how far does one person move each part?"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

import duckdb

from indistinct.errors import EngineError, QuestionError
from indistinct.questions.database.engines.duckdb import lock
from indistinct.questions.database.engines.files import connect
from indistinct.questions.database.engines.tables import number_people, read_table
from indistinct.questions.database.relational.answering import counted
from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.database.relational.from_ import QuestionSetting
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.loaded import in_order
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.replies import rows_of
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.tables import DeclaredTable, TypedColumn
from indistinct.questions.mechanisms.accountant import Accounting, Conversion
from indistinct.questions.mechanisms.meaning import EpsilonMeaning
from made_questions import any_question

MEANING = EpsilonMeaning(Accounting.ZCDP, 1e-6, Conversion.CANONNE2020)


def columns(*found: TypedColumn) -> dict[str, TypedColumn]:
    """List columns by name."""
    return {one.name: one for one in found}


def number(name: str, low: int, high: int) -> TypedColumn:
    """Return a whole number with bounds."""
    return TypedColumn(name, "number", Fraction(low), Fraction(high), Fraction(1))


PERSONS = DeclaredTable(
    "persons",
    columns(
        TypedColumn("sex", "text", values=("F", "M")),
        TypedColumn("born", "date", date(1900, 1, 1), date(2025, 12, 31)),
        TypedColumn("town", "text"),
        number("age", 0, 90),
    ),
    "pid", 1,
)  # fmt: skip
VISITS = DeclaredTable(
    "visits",
    columns(
        TypedColumn("vid", "id"),
        TypedColumn("day", "date", date(2020, 1, 1), date(2022, 12, 31)),
        TypedColumn("dept", "text"),
        number("cost", 0, 100),
    ),
    "pid", None, ("vid",),
)  # fmt: skip
ITEMS = DeclaredTable(
    "items",
    columns(TypedColumn("vid", "id"), number("amount", 0, 9), TypedColumn("code", "code")),
    "pid", 3, (), {"vid": "visits", "code": "codes"},
)  # fmt: skip
CODES = DeclaredTable(
    "codes", columns(TypedColumn("code", "code"), TypedColumn("word", "text")), "", None, ("code",)
)
STAYS = DeclaredTable(
    "stays",
    columns(
        TypedColumn("n", "number", step=Fraction(1), missing=Fraction(0)),
        TypedColumn("ward", "text"),
        number("nights", 0, 9),
    ),
    "pid", None, ("n",),
)  # fmt: skip
LINES = DeclaredTable(
    "lines", columns(TypedColumn("vid", "id"), number("qty", 0, 9)), "pid", None, (),
    {"vid": "visits"}, "vid",
)  # fmt: skip
MARKS = DeclaredTable(
    "marks",
    columns(
        TypedColumn("kind", "text", values=("y",)), number("five", 5, 5), number("points", 0, 9)
    ),
    "pid", 2,
)  # fmt: skip
TABLES = {one.name: one for one in (PERSONS, VISITS, ITEMS, STAYS, CODES, LINES, MARKS)}
NOT_OF_PERSONS = ("codes", "lines")
NAMES = {
    "persons": ("pid", "sex", "born", "town", "age"),
    "visits": ("vid", "pid", "day", "dept", "cost"),
    "items": ("vid", "pid", "amount", "code"),
    "stays": ("n", "pid", "ward", "nights"),
    "codes": ("code", "word"),
    "lines": ("vid", "qty"),
    "marks": ("pid", "kind", "five", "points"),
}
FAILURES = (EngineError, duckdb.Error, ArithmeticError, LookupError)
MADE_UP = 20
SLOW_SECONDS = 0.2  # quietly 0.05; other tests run at the same time
ENOUGH = 1000  # made-up questions, after which each production was answered several times
EACH_IN_POSTGRES = 10
ODD = ("", None, "nan", "inf", "-inf", "1e308", "-1e400", "x", "5e-324", "-0.0", "7.5")


def value(chance: random.Random, *usual: str) -> str | None:
    """Return a usual cell, or an odd one."""
    return chance.choice(ODD) if chance.random() < 0.15 else chance.choice(usual)


def database(chance: random.Random) -> dict[str, list[tuple[str | None, ...]]]:
    """Make up a database: keys that collide, references to others' rows, twice the same row."""
    people = [str(n) for n in range(1, chance.randint(2, 9))]
    keys = [str(n) for n in range(10, 16)]
    rows: dict[str, list[tuple[str | None, ...]]] = {name: [] for name in NAMES}
    rows["codes"] = [("1", "one"), ("01", "other one"), ("2", "two")]
    for person in people:
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            day = f"{chance.randint(1940, 2010)}-0{chance.randint(1, 9)}-15"
            rows["persons"].append((
                person, value(chance, "F", "M", "X"), value(chance, day),
                value(chance, "north", "south"), value(chance, "20", "50", "95"),
            ))  # fmt: skip
        for _ in range(chance.choice((0, 1, 2, 3, 5, 8))):
            day = f"20{chance.randint(19, 23)}-0{chance.randint(1, 9)}-28"
            rows["visits"].append((
                value(chance, *keys), person, value(chance, day),
                value(chance, "eye", "ear", "skin"), value(chance, "10", "60", "250", "-5"),
            ))  # fmt: skip
        for _ in range(chance.randint(0, 7)):
            rows["items"].append((
                value(chance, *keys), person, value(chance, "1", "5", "12"),
                value(chance, "1", "01", "2", "3"),
            ))  # fmt: skip
        for _ in range(chance.randint(0, 5)):
            rows["stays"].append((
                value(chance, "0", "1", "2", "", "x"), person, value(chance, "a", "b"),
                value(chance, "1", "3"),
            ))  # fmt: skip
        for _ in range(chance.choice((0, 1, 1, 2, 4))):
            rows["marks"].append((
                person, value(chance, "y", "y", "z"), value(chance, "5", "6"),
                value(chance, "1", "9"),
            ))  # fmt: skip
    for _ in range(chance.randint(0, 12)):
        rows["lines"].append((value(chance, *keys), value(chance, "1", "5", "12")))
    for name in ("visits", "items"):
        if rows[name] and chance.random() < 0.5:
            rows[name].append(chance.choice(rows[name]))
        chance.shuffle(rows[name])
    return rows


def without(rows: dict[str, list[tuple[str | None, ...]]], person: str) -> dict[str, list[Any]]:
    """Return the database of everybody else."""
    return {
        name: found
        if name in NOT_OF_PERSONS
        else [row for row in found if row[NAMES[name].index("pid")] != person]
        for name, found in rows.items()
    }


@dataclass(frozen=True)
class Loaded:
    """A database that questions are written for."""

    connection: Any
    setting: QuestionSetting

    def fetch(self, sql: str) -> list[Any]:
        """Run a query."""
        return self.connection.execute(sql).fetchall()

    def close(self) -> None:
        """Let go of it."""
        self.connection.close()


def loaded(
    rows: dict[str, list[Any]],
    tables: dict[str, DeclaredTable] = TABLES,
    min_people: int = 1,
    setting: str = "",
) -> Loaded:
    """Load a database as the engine does, or with one more setting."""
    connection, dialect = connect(), DuckDb()
    if setting:
        connection.execute(f"SET {setting}")
    connection.execute("SET threads = 2")
    connection.execute("SET memory_limit = '100MB'")  # what needs more fails, and is found
    lock(connection)
    stored = {}
    for at, name in enumerate(tables):
        names = ", ".join(f'"{one}" VARCHAR' for one in NAMES[name])
        connection.execute(f"CREATE TABLE given{at} ({names})")
        if rows.get(name):
            marks = ", ".join([f"({', '.join('?' for _ in NAMES[name])})"] * len(rows[name]))
            cells = [cell for row in rows[name] for cell in row]
            connection.execute(f"INSERT INTO given{at} VALUES {marks}", cells)
        stored[name] = f"t{at}"
    for at, _ in in_order(tables):
        read_table(connection, tables, at, f"given{at}", "9f3c")
    number_people(connection, tables, "9f3c")
    return Loaded(connection, QuestionSetting(tables, stored, dialect, "9f3c", min_people))


Opened = Callable[[dict[str, list[Any]], int], AbstractContextManager[Loaded]]


@contextmanager
def in_duckdb(rows: dict[str, list[Any]], min_people: int) -> Generator[Loaded]:
    """Load a database, until the block ends."""
    found = loaded(rows, TABLES, min_people)
    yield found
    found.close()


QUESTIONS: list[tuple[str, dict[str, int]]] = [
    ("SELECT COUNT(*) FROM persons", {}),
    ("SELECT sex, COUNT(*) FROM persons GROUP BY sex", {}),
    ("SELECT sex, COUNT(*), AVG(age), VARIANCE(age) FROM persons GROUP BY sex", {}),
    ("SELECT town, COUNT(*) FROM persons GROUP BY town", {}),
    ("SELECT town, SUM(age) FROM persons WHERE sex <> 'F' OR sex IS NULL GROUP BY town", {}),
    ("SELECT COUNT(*), SUM(cost), COUNT(cost) FROM visits", {"rows": 2}),
    ("SELECT dept, COUNT(*), SUM(cost) FROM visits GROUP BY dept", {"groups": 2, "rows": 2}),
    ("SELECT dept, COUNT(DISTINCT pid) FROM visits GROUP BY dept", {"groups": 1, "rows": 3}),
    ("SELECT dept, COUNT(DISTINCT pid) FROM visits GROUP BY dept", {"groups": 2}),
    ("SELECT dept, SUM(cost) FROM visits GROUP BY dept",
     {"groups": 3, "rows": 2, "rows_in_all": 3}),
    ("SELECT cost, COUNT(*) FROM visits GROUP BY cost", {"groups": 2, "rows": 1}),
    (("SELECT cost, COUNT(*), SUM(n) FROM (SELECT pid, cost, CLAMP(COUNT(*), 0, 2) AS n "
     "FROM visits GROUP BY pid, cost) t GROUP BY cost"), {"groups": 3}),
    (("SELECT dept, cost, COUNT(*) FROM (SELECT pid, cost, dept, COUNT(*) AS n FROM visits "
     "GROUP BY pid, cost, dept) t GROUP BY cost, dept"), {"groups": 3}),
    ("SELECT dept, COUNT(*), SUM(cost), AVG(cost) FROM visits GROUP BY dept",
     {"groups": 3, "rows": 1, "full_groups": 1}),
    (("SELECT town, SUM(cost), VARIANCE(cost), COUNT(DISTINCT p.pid) FROM visits v "
     "LEFT JOIN persons p USING (pid) WHERE cost <> 60 GROUP BY town, day"),
     {"groups": 5, "rows": 2, "rows_in_all": 8, "full_groups": 2}),
    (("SELECT code, SUM(n), AVG(m) FROM (SELECT pid, code, CLAMP(COUNT(*), 0, 2) AS n, "
     "AVG(amount) AS m FROM items GROUP BY pid, code) t GROUP BY code"), {"full_groups": 2}),
    ("SELECT dept, SUM(cost) FROM visits GROUP BY dept",
     {"groups": 3, "rows": 2, "rows_in_all": 2}),
    ("SELECT EXTRACT(YEAR FROM day), COUNT(*) FROM visits GROUP BY 1", {"groups": 2, "rows": 1}),
    ("SELECT DATE_TRUNC('month', day) AS m, SUM(cost) FROM visits GROUP BY m",
     {"groups": 2, "rows": 2}),
    ("SELECT MEDIAN(cost) FROM visits", {"rows": 2}),
    ("SELECT QUANTILE(cost, 0.9) FROM visits WHERE cost > 5", {"rows": 3}),
    ("SELECT p.sex, SUM(v.cost) FROM visits v JOIN persons p USING (pid) GROUP BY p.sex",
     {"rows": 2}),
    (("SELECT p.sex, COUNT(*) FROM persons p LEFT JOIN visits v ON p.pid = v.pid AND v.cost > 20 "
     "GROUP BY p.sex"), {"rows": 2}),
    (("SELECT p.sex, COUNT(*) FROM visits v LEFT JOIN persons p ON v.pid = p.pid AND v.cost > 20 "
     "GROUP BY p.sex"), {"groups": 1, "rows": 2}),
    ("SELECT v.dept, SUM(i.amount) FROM items i JOIN visits v ON i.vid = v.vid GROUP BY v.dept",
     {"groups": 2, "rows": 2}),
    ("SELECT COUNT(*), SUM(v.cost) FROM items i JOIN visits v ON i.vid = v.vid", {}),
    ("SELECT v.dept, COUNT(*) FROM visits v JOIN items i ON i.vid = v.vid GROUP BY v.dept",
     {"groups": 2, "rows": 2}),
    ("SELECT COUNT(*) FROM items a JOIN items b USING (pid)", {}),
    ("SELECT COUNT(*) FROM items a LEFT JOIN items b ON a.pid = b.pid AND a.code = b.code", {}),
    ("SELECT code, COUNT(*), AVG(amount) FROM items GROUP BY code", {}),
    ("SELECT c.word, COUNT(*) FROM items i JOIN codes c ON i.code = c.code GROUP BY c.word", {}),
    (("SELECT c.word, SUM(amount) FROM items i LEFT JOIN codes c ON i.code = c.code "
     "GROUP BY c.word"), {"groups": 1}),
    ("SELECT AVG(n) FROM (SELECT pid, CLAMP(COUNT(*), 0, 4) AS n FROM visits GROUP BY pid) t", {}),
    (("SELECT n, COUNT(*) FROM (SELECT pid, CLAMP(COUNT(*), 0, 4) AS n FROM visits GROUP BY pid) t "
     "GROUP BY n"), {}),
    (("SELECT dept, SUM(n) FROM (SELECT pid, dept, CLAMP(COUNT(*), 0, 3) AS n FROM visits "
     "GROUP BY pid, dept) t GROUP BY dept"), {"groups": 2}),
    (("SELECT dept, AVG(m), COUNT(*) FROM (SELECT pid, dept, AVG(cost) AS m, MAX(cost) AS x "
     "FROM visits GROUP BY pid, dept HAVING COUNT(*) > 1) t WHERE x > 5 GROUP BY dept"),
     {"groups": 2}),
    (("SELECT last, COUNT(*) FROM (SELECT pid, ARG_MAX(dept, cost) AS last FROM visits "
     "GROUP BY pid) t GROUP BY last"), {}),
    ("SELECT COUNT(*) FROM persons WHERE pid NOT IN (SELECT pid FROM items WHERE amount > 3)", {}),
    ("SELECT COUNT(*), AVG(AGE_YEARS(p.born, v.day)) FROM visits v JOIN persons p USING (pid)",
     {"rows": 2}),
    (("SELECT CASE WHEN cost > 50 THEN 'dear' WHEN cost IS NULL THEN 'free' ELSE 'cheap' END AS k, "
     "SUM(cost), COUNT(*) FILTER (WHERE dept = 'eye') FROM visits GROUP BY k"),
     {"groups": 2, "rows": 2}),
    (("SELECT AVG(CLAMP(cost / n, 0, 100)) FROM (SELECT v.pid, v.cost, t.n FROM visits v JOIN "
     "(SELECT pid, COUNT(*) AS n FROM items GROUP BY pid) t ON v.pid = t.pid) u"), {"rows": 2}),
    (("SELECT sex, MEDIAN(s) FROM (SELECT p.pid, p.sex, SUM(i.amount) AS s FROM persons p "
     "JOIN items i USING (pid) GROUP BY p.pid, p.sex) t GROUP BY sex"), {}),
    (("SELECT w, SUM(CLAMP(a * c - 3 * ABS(a), -50, 500)) FROM (SELECT i.pid, c.word AS w, "
     "i.amount AS a, v.cost AS c FROM items i JOIN visits v ON i.vid = v.vid JOIN codes c "
     "ON c.code = i.code) t GROUP BY w"), {"groups": 2, "rows": 2}),
]  # fmt: skip


# What one person decided once: an error, a whole answer, or a number far beyond what was charged.
IS_RARE = "p.town = 'north' AND p.sex = 'F'"
RARE_ROWS: list[tuple[str, dict[str, int]]] = [
    ((f"SELECT COUNT(*) FROM (SELECT p.pid, CASE WHEN {IS_RARE} THEN 'x' ELSE '5' END AS k "
     "FROM persons p) a JOIN (SELECT pid, 5 AS k FROM persons) b USING (pid, k)"), {}),
    ((f"SELECT CASE WHEN {IS_RARE} THEN 100000000000000 * 100000000000000 END AS k, COUNT(*) "
     "FROM persons p GROUP BY k"), {}),
    (("SELECT SUM(CASE WHEN age > 60 THEN 1 ELSE 0 END), "
     "SUM(CASE WHEN age > 60 THEN 1.0000000000000000001 ELSE 0 END) FROM persons"), {}),
    (("SELECT QUANTILE(CASE WHEN age > 60 THEN 1 ELSE 0 END, 0.5), "
     "SUM(CASE WHEN age > 60 THEN 1.0000000000000000001 ELSE 0 END) FROM persons"), {}),
    (("SELECT p.sex, COUNT(DISTINCT v.pid) FROM visits v LEFT JOIN items i ON v.pid = i.pid AND "
     "v.vid = i.vid LEFT JOIN persons p ON i.pid = p.pid GROUP BY p.sex"), {}),
    (("SELECT p.sex, COUNT(DISTINCT v.pid) FROM (SELECT pid, 'y' AS one, CASE WHEN dept IN ('eye') "
     "THEN 'y' ELSE 'n' END AS b FROM visits) v LEFT JOIN persons p ON v.pid = p.pid AND "
     "v.b = v.one GROUP BY p.sex"), {}),
    (("SELECT COUNT(*) FROM (SELECT pid, DATE '2020-01-01' AS d FROM persons) p JOIN (SELECT pid, "
     "CASE WHEN dept = 'eye' THEN '2020-01-01' END AS a, CASE WHEN cost > 20 THEN "
     "'2020-01-01' END AS b, COUNT(*) AS m FROM visits GROUP BY pid, 2, 3) s "
     "ON p.pid = s.pid AND p.d = s.a AND p.d = s.b"), {}),
    (("SELECT COUNT(*) FROM (SELECT pid, 'y' AS d FROM persons) p JOIN (SELECT pid, dept, "
     "CASE WHEN cost > 20 THEN 'y' END AS a, COUNT(*) AS m FROM visits GROUP BY pid, dept, 3) s "
     "ON p.pid = s.pid AND p.d = s.a AND p.d = s.dept"), {}),
    ("SELECT n, COUNT(DISTINCT pid) FROM stays GROUP BY n", {"groups": 3}),
    ("SELECT n, COUNT(*) FROM stays GROUP BY n", {"groups": 3}),
    ("SELECT COUNT(*) FROM items i JOIN stays s ON i.amount = s.n AND i.pid = s.pid", {}),
    (("SELECT COUNT(*) FROM persons a LEFT JOIN (SELECT pid FROM persons WHERE sex = 'Z') b "
     f"ON a.pid = b.pid WHERE (b.pid IN (SELECT p.pid FROM persons p WHERE {IS_RARE})) IS NULL"),
     {}),
    ("SELECT COUNT(*) FROM persons WHERE CASE WHEN age > 80 THEN 'x' END <> 'y'", {}),
    ("SELECT COUNT(*) FROM visits WHERE CASE WHEN cost > 90 THEN 'x' END <> 'y'", {"rows": 2}),
]  # fmt: skip


def vectors(
    one: Loaded, question: str, limits: dict[str, int], accounting: Accounting = Accounting.ZCDP
) -> Any:
    """Return per part the exact numbers of all groups, before any noise."""
    statement = compiled(question, one.setting, WantedLimits(**limits))
    width = len(statement.keys)
    found: dict[Any, dict[Any, int]] = {}
    if statement.is_unknown:
        found["stage"] = {
            tuple(row[:-1]): int(row[-1]) for row in one.fetch(statement.people_query())
        }
    added = [part for part in statement.parts if part.kind != "ranks"]
    rows = one.fetch(statement.query(added, accounting)) if added else []
    places = {part: at for at, part in enumerate(statement.parts)}
    for at, part in enumerate(added):
        found[places[part]] = {tuple(row[:width]): int(row[width + at]) for row in rows}
    for part in statement.parts:
        if part.kind == "ranks":
            rows = one.fetch(statement.query([part], accounting))
            found[places[part]] = {tuple(row[:-1]): int(row[-1]) for row in rows}
    return statement, found


def is_refused(one: Loaded, question: str, limits: dict[str, int]) -> bool:
    """Return whether a question is none that is answered."""
    try:
        statement = compiled(question, one.setting, WantedLimits(**limits))
        make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
    except QuestionError:
        return True
    return False


def is_slow(one: Loaded, question: str, limits: dict[str, int]) -> bool:
    """Return whether a question takes too much time to be read, the second time, too."""
    for _ in range(2):
        began = time.process_time()
        is_refused(one, question, limits)
        if time.process_time() - began < SLOW_SECONDS:
            return False
    return True


def check_pair(one: Loaded, other: Loaded, question: str, limits: dict[str, int]) -> int:
    """Compare two neighbours in both norms; give the number of vectors that were compared.

    A question that fails is a finding, too: an analyst would see whether it does.
    """
    statement, n_parts = check_norm(one, other, question, limits, Accounting.ZCDP)
    check_reply([one, other], statement, question)
    if any(not part.is_within(statement.limits) for part in statement.parts):
        _, in_sum = check_norm(one, other, question, limits, Accounting.PURE)
        n_parts += in_sum
    return n_parts


def check_reply(pair: list[Loaded], statement: Any, question: str) -> None:
    """Work out both replies, which fails for nobody: with noise, and with the exact numbers."""
    if statement.having is None:
        return
    plan = make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
    for each in pair:
        for is_exact in (True, False):
            try:
                rows_of(plan, counted(plan, each.fetch, exact=is_exact), exact=is_exact)
            except (*FAILURES, TypeError, ValueError) as failure:
                raise AssertionError(question, "its reply fails", type(failure).__name__) from None


def tried(one: Loaded, question: str, limits: dict[str, int], norm: Accounting) -> Any:
    """Return the exact numbers of all groups, or the kind of a failure."""
    try:
        return vectors(one, question, limits, norm)
    except FAILURES as failure:
        return type(failure).__name__


def check_norm(
    one: Loaded, other: Loaded, question: str, limits: dict[str, int], norm: Accounting
) -> tuple[Any, int]:
    """Compare two neighbours in the norm that an account charges.

    Where nobody is scaled, both norms are those of one query.
    """
    found = [tried(each, question, limits, norm) for each in (one, other)]
    failures = [each for each in found if isinstance(each, str)]
    if failures:
        where = "both neighbours" if len(failures) == len(found) else "one neighbour alone"
        raise AssertionError(question, f"fails for {where}", failures[0])
    (statement, here), (_, there) = found
    if norm is Accounting.ZCDP:
        assert tried(one, question, limits, norm)[1] == here, (question, "differs when asked twice")
    for name, mine in here.items():
        theirs = there[name]
        moves = {cell: mine.get(cell, 0) - theirs.get(cell, 0) for cell in {*mine, *theirs}}
        moved = [abs(move) for move in moves.values() if move]
        if name == "stage":
            plan = make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
            most = plan.stage.sensitivity_squared
            assert len(moved) <= most, (question, "people in groups", len(moved))
            # A group of too few people in one of both is dropped there before the noise.
            dropped = {cell for cell in moves if not (mine.get(cell) and theirs.get(cell))}
            for cell, move in moves.items():
                most = one.setting.min_people if cell in dropped else 1
                assert abs(move) <= most, (question, "people in a group", move)
            continue
        part = statement.parts[name]
        if part.kind == "ranks":
            check_ranks(moves, part, statement, question)
            continue
        reach = part.reach(statement.limits)
        if norm is Accounting.PURE or part.is_within(statement.limits):
            assert sum(moved) <= reach.total, (question, part.kind, "L1", sum(moved), reach)
        if norm is Accounting.ZCDP:
            squares = sum(move**2 for move in moved)
            assert squares <= reach.squares, (question, part.kind, "L2", squares, reach)
    return statement, len(here)


def check_ranks(moves: Any, part: Any, statement: Any, question: str) -> None:
    """No score moves further than the selections say, in no more groups."""
    rows: Counter[Any] = Counter()
    for cell, move in moves.items():
        rows[cell[:-1]] += abs(move)
    most = part.grid * part.rows_per_group(statement.limits)
    assert sum(1 for n in rows.values() if n) <= statement.limits.groups, question
    assert max(rows.values(), default=0) <= most, question


def exact(one: Loaded, question: str, **limits: int) -> Any:
    """Answer a question with all limits and no noise."""
    statement = compiled(question, one.setting, WantedLimits(**limits))
    plan = make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)
    return rows_of(plan, counted(plan, one.fetch, exact=True), exact=True).answer


@dataclass
class Asked:
    """How many questions of each production were made up, and how many of them were answered."""

    made: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    questions: int = 0

    def table(self) -> str:
        """Write one line per production."""
        rows = [f"{name}: {self.answered[name]} of {n}" for name, n in sorted(self.made.items())]
        return "\n".join([f"{self.questions} made-up questions, answered of asked:", *rows])

    def rare(self) -> list[str]:
        """List the productions that are answered less than 20 times in 1,000 questions."""
        return [name for name in self.made if self.answered[name] * 50 < self.questions]


def made_up(chance: random.Random, one: Loaded, asked: Asked) -> list[tuple[str, dict[str, int]]]:
    """Make up questions; give those that are not refused."""
    found: list[tuple[str, dict[str, int]]] = []
    for _ in range(MADE_UP):
        made = any_question(chance)
        asked.questions += 1
        asked.made.update(made.productions)
        assert not is_slow(one, made.text, made.limits), (made.text, "takes long to be read")
        if not is_refused(one, made.text, made.limits):
            asked.answered.update(made.productions)
            found.append((made.text, made.limits))
    return found


def pair_of(seed: int) -> tuple[random.Random, dict[str, list[Any]], dict[str, list[Any]]]:
    """Make up a database, and leave one person out, if there is one."""
    chance = random.Random(seed)
    rows = database(chance)
    people = sorted({row[NAMES[name].index("pid")] for name in NAMES if name not in NOT_OF_PERSONS
                     for row in rows[name]})  # fmt: skip
    return chance, rows, without(rows, chance.choice(people)) if people else rows


def check_number(
    seed: int,
    questions: Any = None,
    asked: Asked | None = None,
    opened: Opened | None = None,
    *,
    usual: bool = True,
) -> int:
    """Make up a database, leave one person out, and ask both everything, or some questions.

    Of questions that are made up, too, those are asked that are not refused.

    Parameters
    ----------
    opened : loads a database until its block ends; into DuckDB if left out
    usual : whether the questions that are always asked are asked beside those that are made up
    """
    chance, rows, others = pair_of(seed)
    opened, asked = opened or in_duckdb, asked or Asked()
    min_people = chance.choice((1, 1, 1, 2)) if questions is None else 1
    with opened(rows, min_people) as one, opened(others, min_people) as other:
        if questions is None:
            always = [*QUESTIONS, *RARE_ROWS] if usual else []
            tried_first = [*always, *made_up(chance, one, asked)]
            questions = [each for each in tried_first if not is_refused(one, *each)]
        return sum(check_pair(one, other, text, limits) for text, limits in questions)


def check_tidy(seed: int) -> None:
    """Compare answers over a tidy database with the engine's own, and both engines' counts."""
    from own_answers import compare

    compare(seed, in_postgres=bool(os.environ.get("INDISTINCT_POSTGRES")) and seed % 10 == 0)


def main() -> None:
    """Check random databases for some minutes; print the first that moves a part too far."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    given = parser.parse_args()
    asked = Asked()
    ends, seed, checked = time.monotonic() + 60 * given.minutes, given.seed, 0
    while time.monotonic() < ends:
        try:
            checked += check_number(seed, asked=asked, usual=seed % EACH_IN_POSTGRES == 0)
            check_tidy(seed)
            if os.environ.get("INDISTINCT_POSTGRES") and seed % EACH_IN_POSTGRES == 0:
                from neighbours_in_postgres import loaded_in_postgres

                checked += check_number(seed, opened=loaded_in_postgres, usual=False)
        except AssertionError as error:
            raise SystemExit(f"seed {seed}: {error}") from None
        seed += 1
    print(  # noqa: T201 - what the command says
        f"{checked} parts of {seed - given.seed} databases moved no further than is charged\n"
        f"{asked.table()}"
    )
    if asked.questions >= ENOUGH and asked.rare():
        raise SystemExit(f"hardly ever answered: {', '.join(asked.rare())}")


if __name__ == "__main__":
    from neighbours import main as audit  # as other modules import it

    audit()
