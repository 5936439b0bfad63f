"""What the limits of one person cost: a question against the bare query, by processor time.

    python benchmarks/limits.py [--people 100000] [--folder DIR]

Prints a table: of each question the seconds of the plain query of the engine, of the limited one
without the drawing of noise, and their ratio; the best of five over tables in memory.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import duckdb

from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import counted
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.session import open_engine
from questions import best

REPEATS = 5

CODES = ", ".join(f'"c{at}"' for at in range(10_000))
DEPARTMENTS = ", ".join(f'"d{at}"' for at in range(10))
DECLARATION = f"""
[dataset]
name = "clinic"
data = "."
ledger = "clinic.ledger"
lot_key = "9f3c"
[budget]
accounting = "zcdp"
epsilon = 100
delta = 1e-6
[tables.person]
person = "pid"
rows_per_person = 1
[tables.person.columns]
sex = {{ type = "text", values = ["F", "M"] }}
age = {{ type = "number", bounds = [0, 9] }}
area = {{ type = "code", values = [{CODES}] }}
[tables.visit]
person = "pid"
key = "vid"
[tables.visit.columns]
vid = "id"
dept = {{ type = "text", values = [{DEPARTMENTS}] }}
code = {{ type = "code", values = [{CODES}] }}
cost = {{ type = "number", bounds = [0, 100] }}
[tables.item]
person = "pid"
references = {{ vid = "visit" }}
[tables.item.columns]
vid = "id"
amount = {{ type = "number", bounds = [0, 9] }}
"""
VISIT = "FROM visit"
OF_PERSON = "FROM visit v JOIN person p USING (pid)"
ITEMS = "FROM item i JOIN visit v ON i.vid = v.vid AND i.pid = v.pid JOIN person p ON p.pid = v.pid"
QUESTIONS: list[tuple[str, str, str, dict[str, int]]] = [
    ("flat, 10 groups", "age", "FROM person", {}),
    ("one table, 10 groups", "dept", VISIT, {"groups": 10, "rows": 100}),
    ("one table, 10 groups", "dept", VISIT, {"groups": 10, "rows": 5}),
    ("one table, 10 groups", "dept", VISIT, {"groups": 3, "rows": 5}),
    ("one table, 10,000 groups", "code", VISIT, {"groups": 25, "rows": 5}),
    ("one table, 10,000 groups", "code", VISIT, {"groups": 10, "rows": 2}),
    ("one table, no groups", "", VISIT, {"rows": 20}),
    ("one join, 10 groups of the person", "p.age", OF_PERSON, {"rows": 30}),
    ("one join, 10,000 groups of the person", "p.area", OF_PERSON, {"rows": 30}),
    ("one join, sex and department", "p.sex, v.dept", OF_PERSON, {"groups": 4, "rows": 5}),
    ("two joins, 10 groups", "v.dept", ITEMS, {"groups": 6, "rows": 5}),
    ("two joins, 10,000 groups", "v.code", ITEMS, {"groups": 10, "rows": 2}),
    ("two joins, 10 groups of the person", "p.age", ITEMS, {"rows": 30}),
]  # fmt: skip


def make_tables(folder: Path, people: int) -> None:
    """Write people of whom a third has few visits and some have many, and items of the visits."""
    duckdb.sql(
        f"COPY (SELECT range AS pid, ['F', 'M'][1 + (hash(range) % 2)::INT] AS sex, "
        f"(hash(range * 3) % 10)::INT AS age, 'c' || (hash(range * 5) % 10000) AS area "
        f"FROM range({people})) TO '{folder}/person.parquet' (FORMAT parquet)"
    )
    visits = (
        "SELECT row_number() OVER () AS vid, pid, 'd' || (hash(n * 7, pid) % 10) AS dept, "
        "'c' || (10000 * pow((hash(n * 13, pid) % 1000000) / 1e6, 2))::INT AS code, "
        "(hash(n * 29, pid) % 101)::INT AS cost FROM (SELECT pid, unnest(range(1 + "
        f"(18 * pow((hash(range) % 1000) / 1e3, 1.5) * 1.2)::INT)) AS n FROM (SELECT range, "
        f"range AS pid FROM range({people})))"
    )
    duckdb.sql(f"COPY ({visits}) TO '{folder}/visit.parquet' (FORMAT parquet)")
    duckdb.sql(
        f"COPY (SELECT vid, pid, (hash(vid) % 10)::INT AS amount FROM '{folder}/visit.parquet' "
        f"WHERE hash(vid) % 10 < 7) TO '{folder}/item.parquet' (FORMAT parquet)"
    )


def bare(keys: str, source: str) -> str:
    """Write a question as the engine would be asked, over tables of the declared names."""
    by = f" GROUP BY {keys}" if keys else ""
    return f"SELECT {f'{keys}, ' if keys else ''}count(*) {source}{by}"


def main() -> None:
    """Print one line of a table per question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10**5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        make_tables(folder, options.people)
        (folder / "clinic.toml").write_text(DECLARATION, encoding="utf-8")
        dataset = load(folder / "clinic.toml")
        began = time.process_time()
        engine = open_engine(dataset)
        print(f"Read in {time.process_time() - began:.1f} s of the processor.\n")
        plain = duckdb.connect()
        for one in ("person", "visit", "item"):
            plain.execute(f"CREATE TABLE {one} AS SELECT * FROM '{folder}/{one}.parquet'")
        print("| question | limits | bare | seconds | ratio |")
        print("|---|---|---|---|---|")
        for called, keys, source, limits in QUESTIONS:
            alone = bare(keys, source)
            wanted = WantedLimits(**limits)
            statement = compiled(alone, engine.setting(), wanted)
            plan = make_plan(statement, "1", dataset.budget.meaning(), lambda _: 10**11)
            without = best(lambda: plain.execute(alone).fetchall(), REPEATS)  # noqa: B023
            ours = best(lambda: counted(plan, engine.fetch, exact=True), REPEATS)  # noqa: B023
            said = " ".join(f"{word} {n}" for word, n in limits.items()) or "none"
            print(
                f"| {called} | {said} | {without:.3f} | {ours:.3f} | {ours / without:.1f} |",
                flush=True,
            )
        engine.close()


if __name__ == "__main__":
    main()
