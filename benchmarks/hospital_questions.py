"""The 37 questions of a hospital's project, over the tables of ``indistinct sample hospital``.

Each has the limits that fit the tables. Numbers are clipped near the 99th percentile, and a person
counts in about as many groups as 95 % of the people have. Where numbers of rows are added up over
many groups, they are clipped near the 99.5th percentile of a person and group; what a person adds
in all is limited near the 99th percentile of the sums of squares (full groups); and the groups,
which then only decide what is shown, are those that 75 % of the people have.
"""

from __future__ import annotations

TABLES = ("measurement", "device", "observation", "procedure", "specimen", "condition", "drug")
# Per table: rows of an hour; rows of a person and code, codes of a person, full groups; and these
# three for all the columns that are categories.
RATES = (14, 1.5, 4, 2.3, 2, 3.5, 6)
COUNTS = (
    (24, 40, 8), (10, 5, 2), (18, 13, 3), (14, 8, 2), (10, 6, 2), (15, 13, 3), (24, 19, 3),
)  # fmt: skip
CATEGORIES = (
    (4, 84, 44), (6, 6, 3), (9, 18, 5), (9, 10, 3), (6, 7, 3), (11, 15, 3), (10, 26, 6),
)  # fmt: skip
COLUMNS = (
    ("unit", "sign", "abnormal"), ("status",), ("text",), ("status",), ("status",), ("status",),
    ("route",),
)  # fmt: skip
FORMS = {"measurement": "value", "observation": "number", "drug": "quantity"}


def per_hour(table: str, most: float) -> str:
    """Ask for the rows of a visit over its length, in the mean over visits."""
    on = "e.visit_id = v.visit_id"
    if table == "specimen":
        on = "e.person_id = v.person_id AND e.time >= v.begins AND e.time <= v.ends"
    return (
        f"SELECT AVG(CLAMP(n / h, 0, {most})) AS mean FROM (SELECT v.person_id, v.visit_id, "
        "HOURS_BETWEEN(v.begins, v.ends) AS h, COUNT(e.time) AS n "
        f"FROM visit v LEFT JOIN {table} e ON {on} GROUP BY v.person_id, v.visit_id, h) t "
        "WHERE h > 0"
    )


def by_code(table: str, keys: str, inner: str, measures: str) -> str:
    """Ask for measures by code, from a value per person and code."""
    return (
        f"SELECT t.concept, c.name{keys}, {measures} FROM ({inner}) t "
        f"JOIN concept c ON t.concept = c.concept WHERE c.domain IN ('{table}') "
        f"GROUP BY t.concept, c.name{keys}"
    )


def counts(table: str, most: int) -> str:
    """Ask how often each code stands in a table."""
    inner = (
        f"SELECT person_id, concept, CLAMP(COUNT(*), 0, {most}) AS n FROM {table} "
        "GROUP BY person_id, concept"
    )
    return by_code(table, "", inner, "SUM(t.n) AS n") + " ORDER BY n DESC LIMIT 500"


def categories(table: str, columns: tuple[str, ...], most: int) -> str:
    """Ask how often each code stands with each value of the other columns."""
    form = FORMS.get(table)
    case = f", CASE WHEN {form} IS NULL THEN 'none' ELSE 'number' END AS form" if form else ""
    names = [*columns, *(["form"] if form else [])]
    listed, keys = ", ".join(columns), "".join(f", t.{name}" for name in names)
    inner = (
        f"SELECT person_id, concept, {listed}{case}, CLAMP(COUNT(*), 0, {most}) AS n FROM {table} "
        f"GROUP BY person_id, concept, {', '.join(names)}"
    )
    return by_code(table, keys, inner, "SUM(t.n) AS n")


def classes(table: str, number: str, ends: tuple[int, int], most: int, longest: int) -> str:
    """Ask for counts and means by code and class of a number."""
    inner = (
        f"SELECT person_id, concept, CASE WHEN x < {ends[0]} THEN 'low' WHEN x < {ends[1]} "
        "THEN 'middle' WHEN x IS NULL THEN 'none' ELSE 'high' END AS class, "
        f"CLAMP(COUNT(*), 0, {most}) AS n, AVG(CLAMP(x, 0, {longest})) AS mean "
        f"FROM (SELECT person_id, concept, {number} AS x FROM {table}) r "
        "GROUP BY person_id, concept, class"
    )
    return by_code(table, ", t.class", inner, "SUM(t.n) AS n, AVG(t.mean) AS mean")


DAYS = "DAYS_BETWEEN(time, ends)"
LENGTH = "DAYS_BETWEEN(o.begins, o.ends)"
# ruff: noqa: ISC004 - texts over several lines
QUESTIONS: dict[int, tuple[str, str, dict[str, int]]] = {
    1: ("people alive, by year of birth",
        "SELECT birth_year, CASE WHEN person_id NOT IN (SELECT person_id FROM death) "
        "THEN 'alive' ELSE 'dead' END AS state, COUNT(*) AS n FROM person "
        "GROUP BY birth_year, state", {}),
    2: ("mean age at death",
        "SELECT AVG(CLAMP(AGE_YEARS(p.birth, d.died), 0, 105)) AS mean FROM death d "
        "JOIN person p USING (person_id)", {}),
    3: ("people by sex", "SELECT sex, COUNT(*) AS n FROM person GROUP BY sex", {}),
    4: ("people by ethnicity and race",
        "SELECT ethnicity, race, COUNT(*) AS n FROM person GROUP BY ethnicity, race", {}),
    5: ("mean age at visits",
        "SELECT AVG(CLAMP(AGE_YEARS(p.birth, v.begins), 0, 105)) AS mean FROM visit v "
        "JOIN person p ON v.person_id = p.person_id", {"rows": 8}),
    6: ("mean length of visits",
        "SELECT AVG(CLAMP(HOURS_BETWEEN(begins, ends), 0, 400)) AS mean FROM visit", {"rows": 8}),
    7: ("visits by discharge", "SELECT discharge, COUNT(*) AS n FROM visit GROUP BY discharge",
        {"groups": 4, "rows": 4}),
    8: ("visits by source", "SELECT source, COUNT(*) AS n FROM visit GROUP BY source",
        {"groups": 3, "rows": 5}),
    9: ("visits by kind", "SELECT kind, COUNT(*) AS n FROM visit GROUP BY kind",
        {"groups": 3, "rows": 5}),
    10: ("periods of observation: number, length, age",
         f"SELECT kind, class, COUNT(*) AS n, AVG(CLAMP(days, 0, 2200)) AS days, "
         "AVG(CLAMP(age, 0, 105)) AS age FROM (SELECT o.person_id, o.kind, "
         f"{LENGTH} AS days, AGE_YEARS(p.birth, o.begins) AS age, CASE WHEN {LENGTH} < 1 "
         f"THEN 'a day' WHEN {LENGTH} < 365 THEN 'months' ELSE 'years' END AS class "
         "FROM period o JOIN person p USING (person_id)) t GROUP BY kind, class",
         {"groups": 2, "rows": 1}),
    11: ("periods of observation by kind", "SELECT kind, COUNT(*) AS n FROM period GROUP BY kind",
         {"groups": 2, "rows": 1}),
    33: ("mean of measured values by code",
         by_code("measurement", "", "SELECT person_id, concept, AVG(CLAMP(value, 0, 100)) AS v, "
                 "CLAMP(COUNT(*), 0, 18) AS k FROM measurement WHERE value IS NOT NULL "
                 "GROUP BY person_id, concept",
                 "COUNT(*) AS people, AVG(t.v) AS mean, SUM(t.k) AS n"), {"groups": 56}),
    34: ("mean of observed numbers by code",
         by_code("observation", "", "SELECT person_id, concept, AVG(CLAMP(number, 0, 20)) AS v "
                 "FROM observation WHERE number IS NOT NULL GROUP BY person_id, concept",
                 "AVG(t.v) AS mean"), {"groups": 13}),
    35: ("conditions by code and length", classes("condition", DAYS, (14, 60), 7, 200),
         {"groups": 17, "full_groups": 6}),
    36: ("drugs by code and length", classes("drug", DAYS, (3, 10), 9, 40),
         {"groups": 24, "full_groups": 8}),
    37: ("drugs by code and quantity", classes("drug", "quantity", (10, 30), 10, 60),
         {"groups": 26, "full_groups": 6}),
}  # fmt: skip
for _at, _table in enumerate(TABLES):
    QUESTIONS[12 + _at] = (f"{_table}s per hour", per_hour(_table, RATES[_at]), {"rows": 8})
    _most, _groups, _full = COUNTS[_at]
    _limits = {"groups": _groups, "full_groups": _full}
    QUESTIONS[19 + _at] = (f"{_table}s by code", counts(_table, _most), _limits)
    _most, _groups, _full = CATEGORIES[_at]
    QUESTIONS[26 + _at] = (
        f"{_table}s by code and category",
        categories(_table, COLUMNS[_at], _most),
        {"groups": _groups, "full_groups": _full},
    )
