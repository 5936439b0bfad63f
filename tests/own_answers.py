"""Tidy databases, where nobody is beyond a limit: the answer is the engine's own to the same text.

So are the exact parts of both engines alike: no lot decides where keys are unique.
"""

from __future__ import annotations

import random
import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb

from indistinct.errors import QuestionError
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.statement import compiled
from made_questions import MadeQuestion, any_question, questions_with
from neighbours import (
    NAMES,
    TABLES,
    Loaded,
    check_pair,
    exact,
    is_refused,
    loaded,
    pair_of,
    vectors,
)

MANY = {"groups": 1000, "rows": 1000}  # nobody has so many
CLOSE = 1e-4  # means of subqueries are counted in fine steps
# What differs by decision: other people's rows are not looked at, and ranks are not interpolated.
DIFFERENT = frozenset({"any value looked up", "a missing person looked up", "MEDIAN"})
# A missing person is neither in nor out, also where nobody is in the select.
MISSING_LOOKED_UP = "b.pid IN (SELECT"
MACROS = (
    "clamp(x, low, high) AS CASE WHEN x < low THEN low WHEN x > high THEN high ELSE x END",
    "age_years(a, b) AS CAST(date_sub('year', CAST(a AS DATE), CAST(b AS DATE)) AS DOUBLE)",
    "round(x) AS floor(x + 0.5)",
    "rounded(x, digits) AS floor(x * pow(10.0, digits) + 0.5) / pow(10.0, digits)",
)


def tidy(chance: random.Random) -> dict[str, list[tuple[str | None, ...]]]:
    """Make up a database of unique keys and values within their bounds; some cells are missing."""

    def cell(*usual: str) -> str | None:
        return None if chance.random() < 0.1 else chance.choice(usual)

    rows: dict[str, list[tuple[str | None, ...]]] = {name: [] for name in NAMES}
    rows["codes"] = [("1", "one"), ("01", "other one"), ("2", "two")]
    for number in range(1, chance.randint(3, 9)):
        person, day = str(number), f"{chance.randint(1940, 2010)}-0{chance.randint(1, 9)}-15"
        place, age = cell("north", "south"), cell("20", "50", "90")
        rows["persons"].append((person, cell("F", "M"), cell(day), place, age))
        keys = [f"{number}{at}" for at in range(chance.choice((0, 1, 2, 3, 5)))]
        for key in keys:
            day = f"20{chance.randint(20, 22)}-0{chance.randint(1, 9)}-28"
            dept, cost = cell("eye", "ear", "skin"), cell("10", "60", "100")
            rows["visits"].append((key, person, cell(day), dept, cost))
            if chance.random() < 0.5:
                rows["lines"].append((key, cell("1", "5", "9")))
        for _ in range(chance.randint(0, 3)):
            key, code = chance.choice([*keys, None]), cell("1", "01", "2", "3")
            rows["items"].append((key, person, cell("1", "5", "9"), code))
        for at in range(chance.randint(0, 3)):
            rows["stays"].append((str(at), person, cell("a", "b"), cell("1", "3")))
        for _ in range(chance.randint(0, 2)):
            rows["marks"].append((person, "y", "5", cell("1", "9")))
    return rows


def with_names(rows: dict[str, list[Any]]) -> Loaded:
    """Load a database with the names that questions use; x / 0 fails, which is missing here."""
    one = loaded(rows, setting="ieee_floating_point_ops = false")
    for name, table in TABLES.items():
        listed = [f'c{at} AS "{column}"' for at, column in enumerate(table.columns)]
        listed += ["t AS pid"] if table.person else []
        stored = one.setting.stored[name]
        one.connection.execute(f"CREATE VIEW {name} AS SELECT {', '.join(listed)} FROM {stored}")
    for macro in MACROS:
        one.connection.execute(f"CREATE MACRO {macro}")
    return one


def of_engine(text: str) -> str:
    """Write what the engine calls otherwise, and long decimals as doubles."""
    text = re.sub(r"\b\d+\.\d{15,}", r"CAST(\g<0> AS DOUBLE)", text)
    text = text.replace("VARIANCE(", "VAR_POP(")
    for digits in ("-3", "-1", "7", "9"):
        start, found, rest = text.partition(f", {digits})")
        if found and "ROUND(" in start:
            before, _, inner = start.rpartition("ROUND(")
            text = f"{before}rounded({inner}{found}{rest}"
    return text


def plain(value: Any) -> Any:
    """Write a value as a reply does."""
    if isinstance(value, date):
        day = value.date() if isinstance(value, datetime) else value
        return day.isoformat()
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return float(value) if is_number else value


def is_same(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Return whether two rows are alike; numbers nearly."""
    return all(
        abs(x - y) <= CLOSE * max(1.0, abs(x))
        if isinstance(x, float) and isinstance(y, float)
        else x == y
        for x, y in zip(row, other, strict=True)
    )


def own_answer(connection: Any, text: str) -> list[tuple[Any, ...]] | None:
    """Ask the engine itself; give None where it computes in other types, and so fails."""
    try:
        rows = connection.execute(of_engine(text)).fetchall()
    except duckdb.Error:
        return None
    return [tuple(map(plain, row)) for row in rows]


def answer(one: Loaded, text: str) -> list[tuple[Any, ...]]:
    """Ask with limits that nobody exceeds."""
    found = exact(one, text, **MANY)
    rows = found if isinstance(found, list) else [{"": found}]
    return [tuple(map(plain, row.values())) for row in rows]


def check_own_answer(one: Loaded, made: MadeQuestion) -> bool:
    """Compare an answer with the engine's own; give whether that was possible.

    A sum of no number is zero here and missing there; groups that nobody is in are listed here.
    """
    if DIFFERENT & set(made.productions) or MISSING_LOOKED_UP in made.text:
        return False
    if "LIMIT" in made.text:
        return False
    if is_refused(one, made.text, MANY):
        return False
    expected = own_answer(one.connection, made.text)
    if expected is None:
        return False
    found = answer(one, made.text)
    n_keys = len(compiled(made.text, one.setting, WantedLimits(**MANY)).keys)
    for row in expected:
        if None in row[n_keys:]:
            continue
        same = [mine for mine in found if is_same(mine[:n_keys], row[:n_keys])]
        is_alike = any(is_same(mine, row) for mine in same)
        assert is_alike, (made.text, "is answered otherwise by the engine itself", row, same)
    return True


def most_groups(one: Loaded, statement: Any) -> int:
    """Count the groups of the person who is in most of them."""
    keys = [f"k{at}" for at in range(len(statement.keys))]
    groups = f"SELECT DISTINCT {', '.join(['p', *keys])} FROM ({statement.coded()}) AS c"
    people = f"SELECT count(*) AS m FROM ({groups}) AS g GROUP BY p"
    return one.fetch(f"SELECT coalesce(max(m), 0) FROM ({people}) AS m")[0][0]


def check_groups(one: Loaded, question: str) -> None:
    """Nobody is in more groups than is guessed, and than count in full whatever is asked for."""
    for wanted in (WantedLimits(rows=1), WantedLimits(**MANY)):
        try:
            statement = compiled(question, one.setting, wanted)
        except QuestionError:
            continue
        found = most_groups(one, statement)
        assert found <= statement.limits.groups, (question, "groups of a person", found)


def check_engines(one: Loaded, other: Loaded, made: MadeQuestion) -> bool:
    """Compare the exact parts of two engines to the last unit; give whether no lot decides them."""
    if is_refused(one, made.text, made.limits):
        return False
    statement, here = vectors(one, made.text, made.limits)
    if statement.is_unknown or any(part.kind == "ranks" for part in statement.parts):
        return False
    parts = in_order(statement, here)
    assert parts == in_order(*vectors(other, made.text, made.limits)), (
        made.text,
        made.limits,
        "differs between the engines",
    )
    return True


def in_order(statement: Any, found: dict[Any, dict[Any, int]]) -> list[dict[Any, int]]:
    """List what was counted by the measures of the question; parts stand in an engine's order."""
    places = {part: at for at, part in enumerate(statement.parts)}
    counted = [found[places[part]] for one in statement.measures.values() for part in one.parts]
    return [{cell: n for cell, n in cells.items() if n} for cells in counted]


def check_production(production: str, seed: int, count: int = 10) -> int:
    """Ask all that the audit checks of questions with a production; give how many were answered."""
    chance, rows, others = pair_of(seed)
    made, answered = questions_with(chance, production, count), 0
    one, other, own = loaded(rows), loaded(others), with_names(tidy(chance))
    for each in made:
        if not is_refused(one, each.text, each.limits):
            check_pair(one, other, each.text, each.limits)
            answered += 1
        check_groups(own, each.text)
        check_own_answer(own, each)
    for database in (one, other, own):
        database.close()
    return answered


def compare(seed: int, *, count: int = 20, in_postgres: bool = False) -> tuple[int, int]:
    """Ask a tidy database made-up questions; give how many answers and counts were compared.

    Parameters
    ----------
    in_postgres : whether the same is counted in a server, too
    """
    chance = random.Random(seed)
    rows = tidy(chance)
    made = [any_question(chance) for _ in range(count)]
    one, counted = with_names(rows), 0
    if in_postgres:
        from neighbours_in_postgres import loaded_in_postgres

        with loaded_in_postgres(rows) as other:
            counted = sum(check_engines(one, other, each) for each in made)
    answered = sum(check_own_answer(one, each) for each in made)
    for each in made:
        check_groups(one, each.text)
    one.close()
    return answered, counted
