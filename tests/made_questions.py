"""Questions by chance over the tables of :mod:`neighbours`: sources, keys, measures and limits."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

DAYS = ("EXTRACT(YEAR FROM {0}day)", "DATE_TRUNC('month', {0}day)", "EXTRACT(DOW FROM {0}day)")
COSTS = ("{0}cost", "ROUND({0}cost)", "CLAMP({0}cost, 0, 20)",
         "CASE WHEN {0}cost > 30 THEN 'dear' ELSE 'cheap' END", "COALESCE({0}cost, 7)")  # fmt: skip
VISITS = ("{0}dept", "COALESCE({0}dept, 'eye')", "{0}dept = 'eye'", "{0}vid", *DAYS, *COSTS)
PERSONS = ("{0}sex", "{0}town", "{0}age", "{0}born", "EXTRACT(YEAR FROM {0}born)")
ITEMS = ("{0}code", "{0}amount", "{0}amount > 2")


def named(keys: Sequence[str], source: str = "") -> list[str]:
    """Write keys with the name of their source."""
    return [key.format(f"{source}." if source else "") for key in keys]


# Columns of a table of visits or people of which some are wide, of one value, or missing.
LOOKED_UP = "CASE WHEN {0}pid IN (SELECT pid FROM items WHERE amount > 4) THEN 'y' ELSE 'n' END"
ODD_VISITS = (
    "CASE WHEN {0}cost > 20 THEN 100000000000000 * 100000000000000 END",
    "CASE WHEN {0}dept = 'eye' THEN 'eye' END",
    "CASE WHEN {0}cost > 90 THEN 'x' END <> 'y'",
    LOOKED_UP,
)
ONE_VALUE = (
    "(SELECT pid, dept, cost, CASE WHEN cost > 20 THEN 'eye' END AS k, 5 AS five FROM visits)"
)

# What stands after FROM, the person, what may be grouped by, and what may be added up.
Source = tuple[str, str, list[str], list[str]]
PLAIN: list[Source] = [
    ("persons", "pid", named(PERSONS), ["age"]),
    ("visits", "pid", named(VISITS), ["cost", "cost - 30"]),
    ("items", "pid", named(ITEMS), ["amount", "-amount"]),
    ("visits v JOIN persons p USING (pid)", "v.pid",
     [*named(VISITS, "v"), *named(PERSONS, "p")], ["v.cost", "p.age", "AGE_YEARS(p.born, v.day)"]),
    ("visits v LEFT JOIN persons p ON v.pid = p.pid AND v.cost > 20", "v.pid",
     [*named(VISITS, "v"), *named(PERSONS, "p")], ["v.cost", "p.age"]),
    ("persons p LEFT JOIN items i ON i.pid = p.pid", "p.pid",
     [*named(ITEMS, "i"), *named(PERSONS, "p")], ["i.amount", "p.age"]),
    ("items i JOIN visits v ON i.vid = v.vid", "v.pid",
     [*named(ITEMS, "i"), *named(VISITS, "v")], ["i.amount", "v.cost"]),
    ("visits v LEFT JOIN items i ON i.vid = v.vid", "v.pid",
     [*named(ITEMS, "i"), *named(VISITS, "v")], ["i.amount", "v.cost"]),
    ("stays", "pid", ["n", "ward", "nights", "n > 0"], ["nights", "n"]),
    ("items i JOIN stays s ON i.amount = s.n AND i.pid = s.pid", "i.pid",
     [*named(ITEMS, "i"), "s.n", "s.ward"], ["i.amount", "s.nights"]),
    (("visits v LEFT JOIN items i ON v.pid = i.pid AND v.vid = i.vid LEFT JOIN persons p "
     "ON i.pid = p.pid"), "v.pid",
     [*named(PERSONS, "p"), *named(ITEMS, "i"), *named(ODD_VISITS, "v")],
     ["v.cost", "p.age"]),
    (f"{ONE_VALUE} v LEFT JOIN persons p ON v.pid = p.pid AND v.dept = v.k", "v.pid",
     [*named(PERSONS, "p"), "v.k"], ["p.age", "v.cost"]),
    ((f"persons p JOIN (SELECT pid, k, dept, COUNT(*) AS m FROM {ONE_VALUE} u GROUP BY pid, k, "
     "dept) s ON p.pid = s.pid AND s.k = s.dept"), "p.pid",
     [*named(PERSONS, "p"), "s.k"], ["p.age"]),
    (f"{ONE_VALUE} a JOIN (SELECT pid, dept AS k, five FROM {ONE_VALUE} w) b USING (pid, k, five)",
     "a.pid", ["k", "five", "a.dept"], ["a.cost"]),
    ("visits", "pid", named(ODD_VISITS), ["CASE WHEN cost > 50 THEN 1 ELSE 0 END",
     "CASE WHEN cost > 50 THEN 1.0000000000000000001 ELSE 0 END"]),
    ("persons a LEFT JOIN (SELECT pid FROM persons WHERE sex = 'F') b ON a.pid = b.pid", "a.pid",
     ["b.pid IN (SELECT pid FROM persons WHERE town = 'north')",
      "(b.pid IN (SELECT pid FROM persons WHERE town = 'north')) IS NULL"], ["a.age"]),
    ("items i JOIN codes c ON i.code = c.code", "i.pid", [*named(ITEMS, "i"), "c.word"],
     ["i.amount"]),
    ("items i LEFT JOIN codes c ON i.code = c.code", "i.pid", [*named(ITEMS, "i"), "c.word"],
     ["i.amount"]),
]  # fmt: skip


ALIKE = ("1", "1.0000000000000000001", "1.0000000000000000002")
# Half of the square of the last number is just below that of a whole number, 1311738121.
LARGE = ("CLAMP({0}cost * 1e12, 0, 1e15)", "CLAMP({0}cost * 300, 0, 30000)",
         "CASE WHEN {0}cost > 0 THEN 1855077841 ELSE 1 END")  # fmt: skip
SOURCES: dict[str, list[Source]] = {
    "plain": PLAIN,
    "an equation of one side": [
        ("visits v LEFT JOIN persons p ON v.pid = p.pid AND p.town = p.sex", "v.pid",
         [*named(VISITS, "v"), *named(PERSONS, "p")], ["v.cost", "p.age"]),
        ("visits v LEFT JOIN items i ON v.pid = i.pid AND v.vid = i.vid AND i.amount = i.amount",
         "v.pid", [*named(VISITS, "v"), *named(ITEMS, "i")], ["v.cost", "i.amount"]),
    ],
    "conditions in ON": [
        ("visits v LEFT JOIN persons p ON v.pid = p.pid AND (v.cost > 20 OR p.sex IS NULL)",
         "v.pid", [*named(VISITS, "v"), *named(PERSONS, "p")], ["v.cost", "p.age"]),
        ("persons p LEFT JOIN items i ON p.pid = i.pid AND i.code = '1' AND p.age > 30", "p.pid",
         [*named(ITEMS, "i"), *named(PERSONS, "p")], ["i.amount", "p.age"]),
    ],
    "three LEFT JOINs": [
        (("visits v LEFT JOIN items i ON v.pid = i.pid AND v.vid = i.vid LEFT JOIN persons p "
         "ON i.pid = p.pid LEFT JOIN codes c ON i.code = c.code"), "v.pid",
         [*named(PERSONS, "p"), "c.word", *named(VISITS, "v")], ["v.cost", "p.age", "i.amount"]),
    ],
    "a self join": [
        ("items a JOIN items b USING (pid)", "a.pid",
         [*named(ITEMS, "a"), *named(ITEMS, "b")], ["a.amount", "a.amount * b.amount"]),
        ("persons a JOIN persons b ON a.pid = b.pid AND a.sex = 'F'", "a.pid",
         [*named(PERSONS, "a"), *named(PERSONS, "b")], ["a.age", "b.age"]),
        ("items a LEFT JOIN items b ON a.pid = b.pid AND a.vid = b.vid", "a.pid",
         [*named(ITEMS, "a"), *named(ITEMS, "b")], ["a.amount", "b.amount"]),
    ],
    "USING with more than the person": [
        ("items a JOIN (SELECT pid, vid, amount AS n FROM items) b USING (pid, vid)", "a.pid",
         [*named(ITEMS, "a"), "b.n"], ["a.amount", "b.n"]),
    ],
    "a constant in a subquery": [
        ((f"{ONE_VALUE} a JOIN (SELECT pid, 'eye' AS k, '2020-01-01' AS d FROM persons) b "
         "ON a.pid = b.pid AND a.k = b.k"), "a.pid", ["a.k", "b.d", "a.five"], ["a.cost"]),
    ],
    "HAVING in a subquery": [
        (("(SELECT pid, dept, COUNT(*) AS m, MAX(cost) AS x FROM visits GROUP BY pid, dept "
         "HAVING COUNT(*) > 1 AND MAX(cost) > 5) s"), "s.pid",
         ["dept", "s.x > 20"], ["CLAMP(m, 0, 9)", "x"]),
    ],
    "a missing person looked up": [
        ("persons a LEFT JOIN (SELECT pid FROM persons WHERE sex = 'F') b ON a.pid = b.pid",
         "a.pid", ["b.pid IN (SELECT pid FROM persons WHERE town = 'north')",
         "CASE WHEN b.pid NOT IN (SELECT pid FROM items) THEN 'y' END"], ["a.age"]),
    ],
    "a public table by an expression": [
        (("(SELECT pid, amount, CASE WHEN amount > 2 THEN code END AS k FROM items) i "
         "LEFT JOIN codes c ON c.code = i.k"), "i.pid",
         ["i.k", "i.amount", "c.word"], ["i.amount"]),
    ],
    "large numbers": [("visits", "pid", named(VISITS), named(LARGE))],
    "periods": [
        ("visits", "pid", [f"DATE_TRUNC('{one}', day)" for one in ("week", "quarter", "year")],
         ["cost"]),
        ("persons", "pid", ["DATE_TRUNC('year', born)", "born"], ["age"]),
    ],
    "rows that lead to people": [
        ("lines", "pid", ["qty", "vid", "qty > 2"], ["qty"]),
        ("lines l JOIN visits v ON l.vid = v.vid", "v.pid",
         ["l.qty", *named(VISITS, "v")], ["l.qty", "v.cost", "l.qty * v.cost"]),
        ("persons p LEFT JOIN lines l USING (pid)", "p.pid",
         ["l.qty", *named(PERSONS, "p")], ["l.qty", "p.age"]),
    ],
    "any value looked up": [
        ("visits", "pid", ["cost IN (SELECT cost FROM visits WHERE dept = 'eye')", "dept",
         "CASE WHEN dept NOT IN (SELECT town FROM persons) THEN 'y' END"], ["cost"]),
        ("items", "pid", ["code IN (SELECT code FROM codes WHERE word <> 'two')",
         "vid IN (SELECT vid FROM visits WHERE cost > 20)", "code"], ["amount"]),
    ],
    "a person and a code": [
        ("items a JOIN persons p ON a.pid = p.pid AND (a.code = p.pid OR p.age > 30)", "a.pid",
         ["a.code = a.pid", "p.sex", "a.code"], ["a.amount", "p.age"]),
    ],
    "gaps in keys": [("stays", "pid", ["n", "n + 1", "ward"], ["CLAMP(n, 0, 3)", "nights"])],
    "numbers that differ in the 20th digit": [
        (one, "pid", keys, [f"CASE WHEN {number} > 50 THEN {value} ELSE 0 END" for value in ALIKE])
        for one, keys, number in (
            ("visits", named(VISITS), "cost"), ("persons", named(PERSONS), "age"),
        )
    ],
    "a declared column of one value": [
        ("marks", "pid", ["kind", "five", "kind = 'y'", "five > 4"], ["five", "points * five"]),
        ("marks a JOIN marks b USING (pid, kind)", "a.pid", ["a.kind", "b.five", "a.points"],
         ["a.points", "a.points * b.five"]),
        ("visits v LEFT JOIN marks m ON v.pid = m.pid AND m.kind = 'y'", "v.pid",
         ["m.kind", "m.five", *named(VISITS, "v")], ["v.cost", "m.five", "m.points"]),
        ("persons p LEFT JOIN marks m ON p.pid = m.pid AND p.age > m.five", "p.pid",
         ["m.kind", *named(PERSONS, "p")], ["p.age", "m.points"]),
    ],
    "WITH, used twice": [
        ("w a JOIN w b USING (pid)", "a.pid", ["a.code", "b.big"], ["a.amount", "b.amount"]),
    ],
}  # fmt: skip
WITH = "WITH w AS (SELECT pid, code, amount, amount > 4 AS big FROM items) "


# Work on the reply, over measures, and over keys and measures.
OF_MEASURES = (
    "ROUND({m}, -3)", "ROUND({m}, 9)", "ROUND({m} / 3, 7)", "CLAMP({m} / {n}, -5, 5)",
    "COALESCE({m} / NULLIF({n}, 0), 0)", "GREATEST({m}, {n})", "LEAST({m}, {n}, 7)",
    "100.0 * {m} / {n}", "ABS({m} - {n})", "SQRT(ABS({m}))",
    "FLOOR({m} / 7)", "CASE WHEN {m} > {n} THEN {m} ELSE -{n} END",
)  # fmt: skip
HAVING = ("{m} > 2", "ROUND({m}, -1) >= 10", "NOT {m} < {n}", "{m} IS NULL OR {n} IN (0, 1)")
OF_TEXTS = (
    "{k} LIKE '%e%'", "{k} LIKE '_'", "{k} NOT LIKE 'n%'", "{k} IN ('eye', 'F', 'y')",
    "{k} <> 'ear' AND {m} > 1", "{k} = 'south' OR {m} / {n} > 0.5",
)  # fmt: skip
TEXTS = ("sex", "town", "dept", "word", "ward", "kind", "k")
HARD = ("an equation of one side", "three LEFT JOINs", "large numbers", "a constant in a subquery")


def worked(chance: random.Random, measures: list[str], keys: list[str]) -> tuple[str, str, str]:
    """Make up work on the reply: one more column, HAVING, and the order of the rows."""
    words = {"m": chance.choice(measures), "n": chance.choice(measures)}
    column = chance.choice(OF_MEASURES).format(**words)
    texts = [key for key in keys if key.rpartition(".")[2] in TEXTS]
    having = chance.choice(OF_TEXTS if texts else HAVING)
    having = having.format(**words, k=chance.choice(texts or [""]))
    order = f" ORDER BY {words['m']} DESC LIMIT 3" if chance.random() < 0.5 else ""
    return column, f" HAVING {having}", order


@dataclass(frozen=True)
class MadeQuestion:
    """A question that was made up, with its limits and the productions that it is made of."""

    text: str
    limits: dict[str, int]
    productions: tuple[str, ...]


def any_source(chance: random.Random) -> tuple[Source, list[str]]:
    """Choose a source, or a value per person and keys of one; with its productions."""
    production = chance.choice([*SOURCES, *3 * ["plain"], *HARD])
    source, person, keys, numbers = chance.choice(SOURCES[production])
    if chance.random() < 0.6:
        return (source, person, keys, numbers), [production]
    inner = chance.sample(keys, chance.randint(0, min(3, len(keys))))
    listed = "".join(f", {key} AS g{at}" for at, key in enumerate(inner))
    grouped = "".join(f", {key}" for key in inner)
    number = chance.choice(numbers)
    measured = f"CLAMP(COUNT(*), 0, 4) AS n, AVG({number}) AS m, MAX({number}) AS x"
    sql = f"(SELECT {person}{listed}, {measured} FROM {source} GROUP BY {person}{grouped}) t"
    outer = [f"g{at}" for at in range(len(inner))]
    made = sql, "t.pid", [*outer, "n", "m > 3", "ROUND(x)"], ["n", "m", "x", "n * m"]
    return made, [production, "a subquery by person"]


def any_question(chance: random.Random) -> MadeQuestion:
    """Make up a question with limits; it may be refused."""
    (source, person, keys, numbers), productions = any_source(chance)
    number, other = chance.choice(numbers), chance.choice(numbers)
    offered = ["COUNT(*)", f"COUNT({number})", f"COUNT(DISTINCT {person})", f"SUM({number})",
               f"AVG({number})", f"VARIANCE({number})", f"MEDIAN({number})",
               f"SUM({number}) FILTER (WHERE {number} > 1)", f"SUM({other})"]  # fmt: skip
    measures = chance.sample(offered, chance.randint(1, 3))
    by = chance.sample(keys, chance.randint(0, min(2, len(keys))))
    where = f" WHERE {number} > 0" if chance.random() < 0.3 else ""
    groups = f" GROUP BY {', '.join(by)}" if by else ""
    limits = any_limits(chance)
    start = WITH if "WITH, used twice" in productions else ""
    columns, having, order = [*by, *measures], "", ""
    if chance.random() < 0.35:
        column, having, order = worked(chance, measures, by)
        columns += [column]
        productions += ["work on the reply"]
        productions += ["a rounded reply"] if "ROUND(" in column + having else []
        productions += ["HAVING on texts"] if "'" in having else []
    text = f"{start}SELECT {', '.join(columns)} FROM {source}{where}{groups}{having}{order}"
    productions += [one.partition("(")[0] for one in measures]
    return MadeQuestion(text, limits, tuple(dict.fromkeys([*productions, *given_names(limits)])))


def questions_with(chance: random.Random, production: str, count: int) -> list[MadeQuestion]:
    """Make up questions that hold a production."""
    found: list[MadeQuestion] = []
    while len(found) < count:
        made = any_question(chance)
        found += [made] if production in made.productions else []
    return found


def given_names(limits: dict[str, int]) -> list[str]:
    """Name the limits that are asked for, or that none is."""
    return [f"--{name.replace('_', '-')}" for name in limits] or ["no limits"]


def any_limits(chance: random.Random) -> dict[str, int]:
    """Make up limits; a third of the questions asks for none."""
    if chance.random() < 0.33:
        return {}
    limits = {"groups": chance.randint(1, 4), "rows": chance.randint(1, 3)}
    for name, most in (("rows_in_all", 6), ("full_groups", 3)):
        if chance.random() < 0.4:
            limits[name] = chance.randint(1, most)
    if chance.random() < 0.3:
        del limits["rows"]
    return limits
