"""k, l and t of a million records beside one bare Polars group-by of the same columns.

    .venv/bin/python benchmarks/assess.py [--rows N] [--write docs/benchmarks.md]

Both in one process, warm; the median of several runs, taken in turn. The table is made up with a
fixed seed: eight quasi-identifiers as text, skewed, and one sensitive column of twenty values. It
is measured as it is, where most tuples occur once, and with three columns hidden, as in a release.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.evaluation.assessments.anonymity import anonymity_of, count_classes
from indistinct.tables.frames.encoding import encode
from indistinct.tables.models import DistinctLDiversity, TCloseness

VALUES = (70, 2, 5, 7, 16, 41, 8, 14)
HIDDEN = ("q0", "q5", "q7")
SECRET = "disease"
RUNS = 7
BEGIN, END = "<!-- assess: begin -->", "<!-- assess: end -->"


def made_up(n_rows: int) -> pl.DataFrame:
    source = np.random.default_rng(1)
    columns = {
        f"q{number}": pl.Series([f"label {value}" for value in range(n_values)]).gather(
            source.choice(n_values, n_rows, p=source.dirichlet(np.ones(n_values) * 0.6))
        )
        for number, n_values in enumerate(VALUES)
    }
    diseases = pl.Series([f"disease {value}" for value in range(20)])
    return pl.DataFrame({**columns, SECRET: diseases.gather(source.integers(0, 20, n_rows))})


def classes_of(frame: pl.DataFrame, names: list[str]) -> EquivalenceClasses:
    encoded = encode(frame[SECRET], "")
    counts = np.bincount(encoded.codes, minlength=len(encoded.texts))
    column = SensitiveColumn(SECRET, encoded.texts, encoded.numbers, counts)
    return count_classes(frame.select(names), {SECRET: (column, encoded.codes)}).classes


def k_l_t(frame: pl.DataFrame, names: list[str]) -> tuple[int, int, float]:
    classes = classes_of(frame, names)
    diversity = DistinctLDiversity(SECRET, 1).measure(classes)
    distances = TCloseness(SECRET, 1.0).measure(classes)
    return int(classes.sizes.min()), int(diversity.min()), float(distances.max())


def medians(*jobs: Callable[[], object]) -> list[float]:
    seconds: list[list[float]] = [[] for _ in jobs]
    for run in range(RUNS + 1):
        for job, taken in zip(jobs, seconds, strict=True):
            started = time.perf_counter()
            job()
            if run:
                taken.append(time.perf_counter() - started)
    return [statistics.median(taken) for taken in seconds]


def measured(n_rows: int) -> list[str]:
    lines = [
        f"Median of {RUNS} warm runs; {n_rows:,} records, {len(VALUES)} quasi-identifiers.",
        "",
        "| table | classes | group_by, ms | k, l and t | every figure | `assess` of a frame |",
        "|---|---|---|---|---|---|",
    ]
    frame = made_up(n_rows)
    names = [name for name in frame.columns if name != SECRET]
    hidden = frame.with_columns(pl.lit("*").alias(name) for name in HIDDEN)
    policy = ind.Policy.from_keywords(quasi_identifiers=names, sensitive=[SECRET], k=5)
    for title, table in (("as it is", frame), ("three columns hidden", hidden)):
        bare, three, every, whole = medians(
            lambda table=table: table.group_by(names).len(),
            lambda table=table: k_l_t(table, names),
            lambda table=table: anonymity_of(classes_of(table, names)),
            lambda table=table: ind.assess(table, policy),
        )
        n_classes = table.group_by(names).len().height
        ratios = " | ".join(f"{taken / bare:.1f}x" for taken in (three, every, whole))
        lines.append(f"| {title} | {n_classes:,} | {bare * 1000:.0f} | {ratios} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    lines = measured(arguments.rows)
    print("\n".join(lines))
    if arguments.write is not None:
        text = arguments.write.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        table = "\n".join([BEGIN, *lines, END])
        arguments.write.write_text(before + table + after, encoding="utf-8")


if __name__ == "__main__":
    main()
