"""The 37 questions of a hospital, each with its error against the truth.

    python benchmarks/hospital.py FOLDER [--epsilon 1] [--draws 3]

FOLDER is what ``indistinct sample hospital`` made. The truth is the same text, answered by DuckDB
alone without clipping, limits or noise. The error is the sum of the absolute errors over the sum
of the true values, over the groups that are shown; mass is the share of the true values in them.
The error of the limits is that of all groups without any noise: what clips and limits leave out.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from hospital_questions import QUESTIONS
from indistinct.questions.database.loading import load
from indistinct.questions.database.relational.answering import counted
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import make_plan
from indistinct.questions.database.relational.replies import rows_of
from indistinct.questions.database.relational.statement import compiled
from indistinct.questions.database.session import open_engine

Measured = dict[tuple[str | None, ...], list[Any]]
MACROS = (
    "clamp(x, low, high) AS x",
    "age_years(a, b) AS date_part('year', age(b::TIMESTAMP, a::TIMESTAMP))",
    "hours_between(a, b) AS epoch(b::TIMESTAMP - a::TIMESTAMP) / 3600.0",
    "days_between(a, b) AS epoch(b::TIMESTAMP - a::TIMESTAMP) / 86400.0",
)


def truth(folder: str, tables: Iterable[str]) -> Any:
    """Return a database in which the questions mean what they say, without limits."""
    raw = duckdb.connect()
    for name in tables:
        raw.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{folder}/{name}.parquet')")
    for macro in MACROS:
        raw.execute(f"CREATE MACRO {macro}")
    return raw


def by_keys(rows: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> Measured:
    """Return the measures of each group."""
    return {
        tuple(None if row[one] is None else str(row[one]) for one in labels): [
            value for name, value in row.items() if name not in labels
        ]
        for row in rows
    }


def listed_rows(answer: Any) -> list[Any]:
    """Return an answer as rows."""
    return answer if isinstance(answer, list) else [{"mean": answer}]


def errors(shown: Measured, true: Measured) -> tuple[list[float], float]:
    """Return the error of each measure, and the share of the mass in groups that are shown."""
    width = len(next(iter(true.values())))
    found = []
    for at in range(width):
        known = {cell: row[at] for cell, row in shown.items() if row[at] is not None}
        right = {cell: float(true.get(cell, [0] * width)[at] or 0) for cell in known}
        off = sum(abs(known[cell] - right[cell]) for cell in known)
        found.append(off / max(1e-9, sum(map(abs, right.values()))))
    mass = [abs(float(row[0] or 0)) for cell, row in true.items() if cell in shown]
    return found, sum(mass) / max(1e-9, sum(abs(float(row[0] or 0)) for row in true.values()))


def main() -> None:
    """Print one line of a table per question."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--epsilon", default="1")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--only", type=int, nargs="*")
    given = parser.parse_args()
    dataset = load(Path(given.folder) / "hospital.toml")
    engine, raw = open_engine(dataset), truth(given.folder, dataset.tables)
    delta = int(dataset.budget.threshold_delta * 10**18)
    print("| # | question | error | of limits | mass | groups | seconds |")
    print(f"|{7 * '---|'}")
    for number in given.only or sorted(QUESTIONS):
        name, text, limits = QUESTIONS[number]
        cursor = raw.execute(text.partition(" ORDER BY n DESC LIMIT")[0])
        names = [one[0] for one in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        statement = compiled(text, engine.setting(), WantedLimits(**limits))
        plan = make_plan(statement, given.epsilon, dataset.budget.meaning(), lambda _: delta)
        labels = [key.label for key in statement.keys]
        known = rows_of(plan, counted(plan, engine.fetch, exact=True), exact=True).answer
        limited, _ = errors(by_keys(listed_rows(known), labels), by_keys(rows, labels))
        drawn, seconds = [], []
        for _ in range(given.draws):
            began = time.perf_counter()
            answer = rows_of(plan, counted(plan, engine.fetch)).answer
            seconds.append(time.perf_counter() - began)
            shown = listed_rows(answer)
            drawn.append((*errors(by_keys(shown, labels), by_keys(rows, labels)), len(shown)))
        middle = [statistics.median(one[0][at] for one in drawn) for at in range(len(drawn[0][0]))]
        listed, of_limits = (", ".join(f"{x:.2g}" for x in found) for found in (middle, limited))
        mass = statistics.median(one[1] for one in drawn)
        print(
            f"| {number} | {name} | {listed} | {of_limits} | {mass:.3f} | {drawn[-1][2]} | "
            f"{statistics.median(seconds):.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
