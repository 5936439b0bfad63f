"""What questions over several tables cost on many rows: processor time and memory, by DuckDB.

    python benchmarks/questions.py [--rows 10000000] [--folder DIR]

Prints the table of docs/benchmarks.md. ``ratio`` is the processor time of a question, from its
text to its noisy reply, over that of the engine's own ``GROUP BY person, keys`` of the same rows;
both over the same tables in memory, the best of three. ``memory`` is how far the peak of
the process rises while the question is answered.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import counted
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.replies import rows_of
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.session import open_engine

DECLARATION = """
[dataset]
name = "shop"
data = "."
ledger = "shop.ledger"
lot_key = "9f3c"
[budget]
accounting = "zcdp"
epsilon = 100
delta = 1e-6
[tables.person]
person = "person"
rows_per_person = 1
[tables.person.columns]
sex = { type = "text", values = ["F", "M"] }
[tables.event]
person = "person"
[tables.event.columns]
code = "code"
amount = { type = "number", bounds = [0, 100] }
"""
BY_PERSON = (
    "SELECT c0, sum(n) FROM (SELECT p, c0, count(*) AS n FROM {event} GROUP BY ALL) GROUP BY c0"
)
QUESTIONS: dict[str, tuple[str, dict[str, int], str]] = {
    "one row a person, known groups": (
        "SELECT sex, COUNT(*) FROM person GROUP BY sex", {},
        "SELECT c0, count(*) FROM {person} GROUP BY c0",
    ),
    "rows by a known group, of a joined table": (
        "SELECT p.sex, SUM(e.amount) FROM event e JOIN person p USING (person) GROUP BY p.sex",
        {"rows": 20},
        ("SELECT c0, sum(n) FROM (SELECT e.p, p.c0, sum(e.c1) AS n FROM {event} e "
        "JOIN {person} p ON e.p = p.p GROUP BY ALL) GROUP BY c0"),
    ),
    "unknown groups, limited by lot": (
        "SELECT code, COUNT(*) FROM event GROUP BY code", {"groups": 14, "rows": 3},
        BY_PERSON,
    ),
    "a value per person first": (
        ("SELECT code, SUM(n) FROM (SELECT person, code, CLAMP(COUNT(*), 0, 5) AS n FROM event "
        "GROUP BY person, code) t GROUP BY code"), {"groups": 14},
        BY_PERSON,
    ),
    "the same, with full groups": (
        ("SELECT code, SUM(n) FROM (SELECT person, code, CLAMP(COUNT(*), 0, 5) AS n FROM event "
        "GROUP BY person, code) t GROUP BY code"), {"groups": 10, "full_groups": 5},
        BY_PERSON,
    ),
}  # fmt: skip


def make_tables(folder: Path, rows: int) -> None:
    """Write a tenth as many people as rows; events of 500 codes, some far more frequent."""
    people = rows // 10
    duckdb.sql(
        f"COPY (SELECT range AS person, ['F', 'M'][1 + (hash(range) % 2)::INT] AS sex "
        f"FROM range({people})) TO '{folder}/person.parquet' (FORMAT parquet)"
    )
    duckdb.sql(
        f"COPY (SELECT (hash(range * 7) % {people})::BIGINT AS person, "
        "'c' || (500 * pow((hash(range * 13) % 1000000) / 1e6, 3))::INT AS code, "
        f"(hash(range * 29) % 101)::INT AS amount FROM range({rows})) "
        f"TO '{folder}/event.parquet' (FORMAT parquet)"
    )


def best(run: Callable[[], object], repeats: int = 3) -> float:
    """Return the least processor time of something, in seconds."""
    times: list[float] = []
    for _ in range(repeats):
        began = time.process_time()
        run()
        times.append(time.process_time() - began)
    return min(times)


def peak() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print one line of a table per question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        make_tables(folder, options.rows)
        (folder / "shop.toml").write_text(DECLARATION, encoding="utf-8")
        dataset = load(folder / "shop.toml")
        began = time.process_time()
        engine = open_engine(dataset)
        print(f"Read in {time.process_time() - began:.1f} s of the processor; {peak():.0f} MB.\n")
        stored = engine.setting().stored
        print("| question | reading, ms | seconds | of the engine alone | ratio | memory, MB |")
        print("|---|---|---|---|---|---|")
        for called, (text, limits, alone) in QUESTIONS.items():
            wanted, setting = WantedLimits(**limits), engine.setting()
            reading = best(lambda: compiled(text, setting, wanted))  # noqa: B023
            plan = make_plan(
                compiled(text, setting, wanted), "1", dataset.budget.meaning(), lambda _: 10**11
            )
            bare_sql = alone.format(**stored)
            bare = best(lambda: engine.fetch(bare_sql))  # noqa: B023
            before = peak()
            ours = best(lambda: rows_of(plan, counted(plan, engine.fetch)))  # noqa: B023
            print(
                f"| {called} | {1000 * reading:.1f} | {ours:.2f} | {bare:.2f} | "
                f"{ours / bare:.1f} | {peak() - before:.0f} |",
                flush=True,
            )
        engine.close()


if __name__ == "__main__":
    main()
