"""Two databases that differ by one person, and questions whose text once told which is which."""

from __future__ import annotations

import csv
from pathlib import Path

Rows = list[tuple[str, ...]]
HEADERS = {
    "persons": ("pid", "sex", "town", "cost", "since"),
    "visits": ("vid", "pid", "dept", "cost"),
    "items": ("iid", "pid", "vid", "amount"),
    "stays": ("n", "pid", "ward"),
    "others": ("n", "pid", "x"),
}
DECLARATION = """
[dataset]
name = "people"
data = "{data}"
ledger = "people.ledger"
lot_key = "9f3c5a7e11d02b46"

[budget]
accounting = "zcdp"
conversion = "canonne2020"
epsilon = 900000000
delta = 1e-6
{analysts}
[tables.persons]
person = "pid"
rows_per_person = 1
[tables.persons.columns]
sex = {{ type = "text", values = ["F", "M"] }}
town = "text"
cost = {{ type = "number", bounds = [0, 300], step = 1 }}
since = "date"

[tables.visits]
person = "pid"
key = "vid"
[tables.visits.columns]
vid = "id"
dept = "text"
cost = {{ type = "number", bounds = [0, 300], step = 1 }}

[tables.items]
person = "pid"
key = "iid"
[tables.items.columns]
iid = "id"
vid = "id"
amount = {{ type = "number", bounds = [0, 9], step = 1 }}

[tables.stays]
person = "pid"
key = "n"
[tables.stays.columns]
n = {{ type = "number", step = 1, missing = 0 }}
ward = "text"

[tables.others]
person = "pid"
rows_per_person = 2
references = {{ n = "stays" }}
[tables.others.columns]
n = {{ type = "number", bounds = [0, 9], step = 1 }}
x = {{ type = "number", bounds = [0, 9], step = 1 }}
"""
RARE = "town = 'nowhere' AND sex = 'F'"  # person 99 alone


def people(*, with_99: bool) -> dict[str, Rows]:
    """Return forty people, and perhaps one more whose rows are unlike theirs."""
    everybody = [str(n) for n in range(1, 41)]
    rows: dict[str, Rows] = {
        "persons": [
            (one, "FM"[at % 2], ("north", "south")[at % 2], str(100 + at), "2020-01-01")
            for at, one in enumerate(everybody)
        ],
        "visits": [(f"v{one}", one, "a", "20") for one in everybody],
        "items": [(f"i{one}", one, f"v{one}", "5") for one in everybody[:19]],
        "stays": [("0" if at % 8 == 0 else "1", one, "w") for at, one in enumerate(everybody)],
        "others": [("1", one, "1") for one in everybody[:20]],
    }
    if with_99:
        rows["persons"].append(("99", "F", "nowhere", "200", "2020-01-01"))
        rows["visits"] += [(f"v99{dept}", "99", dept, "250") for dept in "abcdefgh"]
        rows["items"] += [(f"i99{dept}", "99", f"v99{dept}", "9") for dept in "abcd"]
        rows["stays"] += [("0", "99", "w"), ("", "99", "w"), ("3", "99", "w")]
        rows["others"] += [("0", "99", "1"), ("0", "99", "2")]
    return rows


def written(folder: Path, rows: dict[str, Rows], analysts: str = "") -> Path:
    """Write a database as files, and its declaration; return the declaration."""
    (folder / "data").mkdir(parents=True)
    for name, found in rows.items():
        with (folder / "data" / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([HEADERS[name], *found])
    declaration = folder / "people.toml"
    declaration.write_text(DECLARATION.format(data="data", analysts=analysts))
    return declaration


LOOKED_UP = "FROM persons a LEFT JOIN (SELECT pid FROM persons WHERE sex = 'X') b ON a.pid = b.pid"
FEW = "SELECT pid FROM persons WHERE " + RARE
# Per way: what was asked, and its limits. The first of each is the one that was found.
WAYS: dict[str, list[tuple[str, dict[str, int]]]] = {
    "columns of two types are equated by their name": [
        ((f"SELECT COUNT(*) FROM (SELECT pid, CASE WHEN {RARE} THEN 'x' ELSE '5' END AS k FROM "
         "persons) a JOIN (SELECT pid, 5 AS k FROM persons) b USING (pid, k)"), {}),
        ((f"SELECT COUNT(*) FROM (SELECT pid, CASE WHEN {RARE} THEN 'never' ELSE '2020-01-01' END "
         "AS since FROM persons) a JOIN persons b USING (pid, since)"), {}),
        ((f"SELECT COUNT(*) FROM (SELECT pid, CASE WHEN {RARE} THEN 'x' ELSE 'true' END AS k FROM "
         "persons) a LEFT JOIN (SELECT pid, cost > 0 AS k FROM persons) b USING (pid, k)"), {}),
        (("SELECT COUNT(*) FROM (SELECT pid, town AS k FROM persons) a JOIN (SELECT pid, NULL AS k "
         "FROM persons) b USING (pid, k)"), {}),
    ],
    "a key beyond 64 bits": [
        ((f"SELECT CASE WHEN {RARE} THEN 100000000000000 * 100000000000000 END AS k, COUNT(*) AS n "
         "FROM persons GROUP BY k"), {}),
        ((f"SELECT CASE WHEN {RARE} THEN -100000000000000 * 100000000000000 ELSE 1 END AS k, "
         "COUNT(*) AS n FROM persons GROUP BY k"), {}),
        ((f"SELECT k, COUNT(*) FROM (SELECT pid, CASE WHEN {RARE} THEN 1000000000000000 * 20000 + 1"
         " ELSE 20000000000000000000 END AS k, COUNT(*) AS m FROM persons GROUP BY pid, 2) t "
         "GROUP BY k"), {}),
        ((f"SELECT ROUND(CASE WHEN {RARE} THEN 100000000000000 * 1000000 ELSE 3 END) AS k, "
         "COUNT(*) FROM persons GROUP BY 1"), {"groups": 2}),
    ],
    "one text of two numbers": [
        (("SELECT SUM(CASE WHEN cost > 150 THEN 1 ELSE 0 END) AS a, SUM(CASE WHEN cost > 150 THEN "
         "1.0000000000000000001 ELSE 0 END) AS b FROM persons"), {}),
        (("SELECT QUANTILE(CASE WHEN cost > 150 THEN 1 ELSE 0 END, 0.5) AS a, SUM(CASE WHEN cost > "
         "150 THEN 1.0000000000000000001 ELSE 0 END) AS b FROM persons"), {}),
        (("SELECT AVG(CLAMP(cost, 0, 200)) AS a, SUM(CLAMP(cost, 0, 200.00000000000000001)) AS b, "
         "SUM(CLAMP(cost, 0.00000000000001, 200)) AS c FROM persons"), {}),
        (("SELECT VARIANCE(CASE WHEN cost > 150 THEN 0.5 ELSE 0 END) AS a, MEDIAN(CASE WHEN cost > "
         "150 THEN 0.50000000000000000001 ELSE 0 END) AS b FROM persons"), {}),
    ],
    "a person that a join leaves missing": [
        (("SELECT p.sex, COUNT(DISTINCT v.pid) AS n FROM visits v LEFT JOIN items i ON v.pid = "
         "i.pid AND v.vid = i.vid LEFT JOIN persons p ON i.pid = p.pid GROUP BY p.sex"), {}),
        (("SELECT p.town, COUNT(*) AS n FROM visits v LEFT JOIN items i ON v.pid = i.pid AND v.vid "
         "= i.vid LEFT JOIN persons p ON i.pid = p.pid GROUP BY p.town"), {"rows": 1}),
        (("SELECT p.sex, COUNT(DISTINCT v.pid) AS n FROM visits v LEFT JOIN items i ON v.pid = "
         "i.pid AND v.vid = i.vid LEFT JOIN others o ON i.pid = o.pid AND o.n = i.amount LEFT "
         "JOIN persons p ON i.pid = p.pid GROUP BY p.sex"), {"rows": 1}),
        (("SELECT p.sex, SUM(p.cost) AS n FROM visits v LEFT JOIN items i ON v.pid = i.pid AND "
         "v.vid = i.vid LEFT JOIN persons p ON i.pid = p.pid GROUP BY p.sex"),
         {"rows": 1}),
    ],
    "an equation of one side": [
        (("SELECT p.sex, COUNT(DISTINCT v.pid) AS n FROM (SELECT pid, 'y' AS one, CASE WHEN dept "
         "IN ('a', 'b', 'c', 'd') THEN 'y' ELSE 'n' END AS b FROM visits) v LEFT JOIN persons p ON "
         "v.pid = p.pid AND v.b = v.one GROUP BY p.sex"), {}),
        (("SELECT p.sex, COUNT(DISTINCT v.pid) AS n FROM visits v LEFT JOIN persons p ON v.pid = "
         "p.pid AND v.dept = v.dept AND v.vid = v.vid GROUP BY p.sex"), {}),
        (("SELECT p.town, COUNT(*) AS n FROM (SELECT pid, dept AS a, 'b' AS b FROM visits) v LEFT "
         "JOIN persons p ON v.pid = p.pid AND v.a = v.b GROUP BY p.town"), {"rows": 1}),
        (("SELECT p.sex, COUNT(DISTINCT v.pid) AS n FROM (SELECT pid, cost, CASE WHEN dept = 'a' "
         "THEN 250 ELSE 1 END AS k FROM visits) v LEFT JOIN persons p ON v.pid = p.pid AND v.cost "
         "= v.k GROUP BY p.sex"), {}),
    ],
    "a column of one value": [
        (("SELECT COUNT(*) AS n FROM (SELECT pid, DATE '2020-01-01' AS d FROM persons) p JOIN "
         "(SELECT pid, CASE WHEN dept IN ('a','b','c','d') THEN '2020-01-01' END AS a, CASE WHEN "
         "dept IN ('a','b','e','f') THEN '2020-01-01' END AS b, CASE WHEN dept IN ('a','c','e','g')"
         " THEN '2020-01-01' END AS c, COUNT(*) AS m FROM visits GROUP BY pid, 2, 3, 4) s ON p.pid "
         "= s.pid AND p.d = s.a AND p.d = s.b AND p.d = s.c"), {}),
        (("SELECT COUNT(*) AS n FROM (SELECT pid, 'y' AS d FROM persons) p JOIN (SELECT pid, CASE "
         "WHEN dept IN ('a','b','c','d') THEN 'y' END AS a, CASE WHEN dept IN ('a','b','e','f') "
         "THEN 'y' END AS b, COUNT(*) AS m FROM visits GROUP BY pid, 2, 3) s ON p.pid = s.pid AND "
         "p.d = s.a AND p.d = s.b"), {}),
        (("SELECT COUNT(*) AS n FROM (SELECT pid, 1 AS d FROM persons) p JOIN (SELECT pid, CASE "
         "WHEN dept IN ('a','b','c','d') THEN 1 END AS a, dept AS b, COUNT(*) AS m FROM visits "
         "GROUP BY pid, 2, dept) s ON p.pid = s.pid AND p.d = s.a"), {}),
        (("SELECT COUNT(*) AS n FROM (SELECT pid, TRUE AS d FROM persons) p JOIN (SELECT pid, CASE "
         "WHEN dept IN ('a','b','c','d') THEN 'true' END AS a, dept, COUNT(*) AS m FROM visits "
         "GROUP BY pid, 2, dept) s ON p.pid = s.pid AND p.d = s.a"), {}),
    ],
    "gaps of a key that are filled": [
        ("SELECT n, COUNT(DISTINCT pid) AS c FROM stays GROUP BY n", {"groups": 3}),
        ("SELECT COUNT(*) AS c FROM others o JOIN stays v ON o.n = v.n AND o.pid = v.pid", {}),
        ("SELECT n, COUNT(*) AS c FROM stays GROUP BY n", {"groups": 3}),
        (("SELECT n, SUM(m) AS c FROM (SELECT pid, n, CLAMP(COUNT(*), 0, 1) AS m FROM stays GROUP "
         "BY pid, n) t GROUP BY n"), {"groups": 3}),
    ],
    "looking up a person who is missing": [
        (f"SELECT COUNT(*) {LOOKED_UP} WHERE (b.pid IN ({FEW})) IS NULL", {}),
        (f"SELECT COUNT(*) {LOOKED_UP} WHERE NOT (b.pid IN ({FEW}))", {}),
        ((f"SELECT COUNT(*) {LOOKED_UP} WHERE CASE WHEN b.pid IN ({FEW}) THEN TRUE WHEN b.pid NOT "
         f"IN ({FEW}) THEN FALSE ELSE TRUE END"), {}),
        (("SELECT COUNT(*) FROM persons a LEFT JOIN items i ON a.pid = i.pid AND i.amount > 100 "
         f"WHERE (i.pid NOT IN ({FEW})) IS NULL"), {"rows": 1}),
    ],
    "a plan that follows the values": [
        ("SELECT COUNT(*) FROM persons WHERE CASE WHEN cost > 150 THEN 'x' END <> 'y'", {}),
        ("SELECT COUNT(*) FROM persons WHERE NOT (CASE WHEN cost > 150 THEN 'x' END = 'y')", {}),
        ("SELECT COUNT(*) FROM visits WHERE CASE WHEN cost > 240 THEN 'x' END <> 'y'", {"rows": 1}),
        ("SELECT COUNT(*) FILTER (WHERE CASE WHEN cost > 150 THEN 'x' END <> 'y') FROM persons",
         {}),
    ],
}  # fmt: skip
