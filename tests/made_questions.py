"""Questions by chance over the tables of :mod:`neighbours`: sources, keys, measures and limits."""

from __future__ import annotations

import random
from collections.abc import Sequence

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
SOURCES: list[tuple[str, str, list[str], list[str]]] = [
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


def any_source(chance: random.Random) -> tuple[str, str, list[str], list[str]]:
    """Choose a source, or a value per person and keys of one."""
    source, person, keys, numbers = chance.choice(SOURCES)
    if chance.random() < 0.5:
        return source, person, keys, numbers
    inner = chance.sample(keys, chance.randint(0, min(3, len(keys))))
    listed = "".join(f", {key} AS g{at}" for at, key in enumerate(inner))
    grouped = "".join(f", {key}" for key in inner)
    number = chance.choice(numbers)
    measured = f"CLAMP(COUNT(*), 0, 4) AS n, AVG({number}) AS m, MAX({number}) AS x"
    sql = f"(SELECT {person}{listed}, {measured} FROM {source} GROUP BY {person}{grouped}) t"
    outer = [f"g{at}" for at in range(len(inner))]
    return sql, "t.pid", [*outer, "n", "m > 3", "ROUND(x)"], ["n", "m", "x", "n * m"]


def any_question(chance: random.Random) -> tuple[str, dict[str, int]]:
    """Make up a question with limits; it may be refused."""
    source, person, keys, numbers = any_source(chance)
    number, other = chance.choice(numbers), chance.choice(numbers)
    offered = ["COUNT(*)", f"COUNT({number})", f"COUNT(DISTINCT {person})", f"SUM({number})",
               f"AVG({number})", f"VARIANCE({number})", f"MEDIAN({number})",
               f"SUM({number}) FILTER (WHERE {number} > 1)", f"SUM({other})"]  # fmt: skip
    measures = chance.sample(offered, chance.randint(1, 3))
    by = chance.sample(keys, chance.randint(0, min(2, len(keys))))
    where = f" WHERE {number} > 0" if chance.random() < 0.3 else ""
    groups = f" GROUP BY {', '.join(by)}" if by else ""
    limits = {"groups": chance.randint(1, 4), "rows": chance.randint(1, 3)}
    for name, most in (("rows_in_all", 6), ("full_groups", 3)):
        if chance.random() < 0.4:
            limits[name] = chance.randint(1, most)
    if chance.random() < 0.3:
        del limits["rows"]
    return f"SELECT {', '.join([*by, *measures])} FROM {source}{where}{groups}", limits
