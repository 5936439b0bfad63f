"""Measure published tables of counts: cells below the promise, value, seconds, memory, witnesses.

``python benchmarks/published_tables.py a5 b5 c5 s5 m5 3 4 5 [--folder ADULT] [--plot FILE.svg]``:
families of the adults (a letter and the minimum) and made-up ones (a digit, minimum 10). The folder
has ``adult.csv`` and its hierarchies. Peers' terms: ``--levels-cut`` cuts each need to the value of
its cell and lets a cell be at most twice its value.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.aggregates.audit import audit
from indistinct.aggregates.contributors import Contributors, known_inside, repaired
from indistinct.aggregates.dimensions import Dimension, dimension_of
from indistinct.aggregates.family import CountedGroups, Family, TableShape, family_of
from indistinct.aggregates.lines import witness_text
from indistinct.aggregates.problem import UNLIMITED, SuppressionProblem, reduced
from indistinct.aggregates.shown import CountPromise, shown_of
from indistinct.aggregates.suppression import Suppression

MadeTables = tuple[list[Dimension], list[TableShape], CountedGroups]
SIZES = {3: (60_000, 4, 4, 4), 4: (400_000, 6, 6, 6), 5: (3_000_000, 8, 8, 16)}
ADULT = {
    "a": [["education", "race"]],
    "b": [["occupation", "marital-status"]],
    "c": [["native-country", "education"]],
    "s": [["education", "marital-status", "sex"], ["occupation", "sex", "race"]],
    "m": [
        ["age", "education", "sex"],
        ["occupation", "education", "race"],
        ["age", "occupation", "marital-status"],
        ["workclass", "education", "race"],
    ],
}
WITH_LEVELS = {"s", "m"}


def made_up(scale: int) -> MadeTables:
    """Make three linked tables by region, age, sex, occupation and education."""
    n, a, b, c = SIZES[scale]
    g = np.random.default_rng(7)

    def pick(k: int, s: float) -> np.ndarray:
        shares = np.exp(g.normal(0, s, k))
        return g.choice(k, n, p=shares / shares.sum())

    region, age, sex = pick(a * b * c, 1), pick(20, 0.6), g.integers(0, 2, n)
    first = g.random(n) < 0.5
    occupation = np.where(first, pick(80, 1), (pick(40, 0.8) + region // (b * c) * 5) % 80)
    second = g.random(n) < 0.4
    education = np.where(second, occupation // 14, pick(6, 0.5)).clip(0, 5)
    steps = [("reg", a * b * c, c, b * c), ("age", 20, 4), ("sex", 2), ("occ", 80, 10), ("edu", 6)]
    dimensions = [
        dimension_of(
            name,
            [[f"{name}{value // step}_{step}" for value in range(size)] for step in (1, *own)],
            n_values=size,
        )
        for name, size, *own in steps
    ]
    columns = np.stack([region, age, sex, occupation, education], axis=1)
    values, weights = np.unique(columns, axis=0, return_counts=True)
    low_occupation, low_age = int(scale == 3), int(scale < 5)
    tables = [
        TableShape("t1", (0,), (1, 2), (0, low_age, 0)),
        TableShape("t2", (0,), (3,), (1, low_occupation)),
        TableShape("t3", (3,), (1, 4), (low_occupation, low_age, 0)),
    ]
    return dimensions, tables, CountedGroups(values.astype(np.int32), weights)


def adults(name: str, folder: Path) -> MadeTables:
    """Read the adults, and the tables of a family."""
    with (folder / "adult.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    names = list(dict.fromkeys(column for table in ADULT[name] for column in table))
    dimensions, codes = [], []
    for column in names:
        with (folder / f"adult_hierarchy_{column}.csv").open(encoding="utf-8") as file:
            listed = {row[0]: row for row in csv.reader(file, delimiter=";")}
        values = sorted({row[column] for row in rows})
        n_levels = len(next(iter(listed.values()))) - 1 if name in WITH_LEVELS else 1
        levels = [[listed[value][level] for value in values] for level in range(n_levels)]
        dimensions.append(dimension_of(column, levels, n_values=len(values)))
        places = {value: place for place, value in enumerate(values)}
        codes.append([places[row[column]] for row in rows])
    values, weights = np.unique(np.array(codes).T, axis=0, return_counts=True)
    tables = [
        TableShape(
            f"t{number}",
            tuple(names.index(column) for column in table),
            (),
            tuple(int(column == "age" and name == "m") for column in table),
        )
        for number, table in enumerate(ADULT[name])
    ]
    return dimensions, tables, CountedGroups(values.astype(np.int32), weights)


def problem_of(family: Family, minimum: int, *, levels_cut: bool) -> SuppressionProblem:
    """Return the search's problem, on our terms or on those of peers."""
    counts = family.counts
    needs = np.where(counts < minimum, np.maximum(1, minimum - counts), 0)
    may_hide = np.ones(len(counts), np.bool_)
    may_hide[0] = levels_cut
    lower, upper = np.ones_like(counts), np.full_like(counts, UNLIMITED)
    if levels_cut:
        needs, lower, upper = np.minimum(needs, counts), np.zeros_like(counts), 2 * counts
    costs = np.maximum(counts, 1).astype(np.float64)
    down = needs if levels_cut else np.zeros_like(counts)
    return SuppressionProblem(counts, lower, upper, costs, needs, down, may_hide, family.equations)


def measure(name: str, folder: Path, *, levels_cut: bool) -> dict[str, Any]:
    """Return the figures of one family; seconds are those of the processor."""
    made = made_up(int(name)) if name.isdigit() else adults(name[0], folder)
    minimum = 10 if name.isdigit() else int(name[1:])
    started = time.process_time()
    family = family_of(*made, with_zeros=False)
    problem = problem_of(family, minimum, levels_cut=levels_cut)
    whole = reduced(problem)
    search = Suppression(whole.problem)
    impossible = search.meet(search.needs)
    search.improve()
    at_search = time.process_time()

    def hidden() -> np.ndarray:
        return (whole.variable >= 0) & search.pattern.hidden[whole.variable]

    def value() -> tuple[int, int]:
        secondary = hidden() & (problem.needs == 0)
        return int(secondary.sum()), int(family.counts[secondary].sum())

    outside, repair = value(), None
    if not levels_cut:
        repair = repaired(search, Contributors(family, whole), known_inside(problem).problem)
    at_repair = time.process_time()
    promise = CountPromise(1, 0 if levels_cut else minimum)
    shown = shown_of(family.counts, hidden(), problem.lower, family.equations)
    found = audit(replace(shown), promise)
    at_audit = time.process_time()
    text = witness_text(family, hidden(), found.tables)
    below = len(found.refuted) + len(found.undecided) + len(impossible)
    return {
        "family": name,
        "cells": len(family.counts),
        "primary": int((problem.needs > 0).sum()),
        "secondary": value()[0],
        "value": value()[1],
        "before contributors": outside,
        "repaired": repair.n_added if repair else None,
        "below": below + (len(repair.open_needs) if repair else 0),
        "search s": round(at_search - started, 2),
        "contributors s": round(at_repair - at_search, 2),
        "audit s": round(at_audit - at_repair, 2),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "witnesses": len(found.tables),
        "bytes": len(gzip.compress(text.encode(), mtime=0)),
        "hidden": int(hidden().sum()),
    }


def plot(results: list[dict[str, Any]], path: Path) -> None:
    """Draw seconds of the processor against cells, both by powers of ten."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    for part in ("search s", "contributors s", "audit s"):
        points = sorted((one["cells"], max(one[part], 0.01)) for one in results)
        axes.plot(*zip(*points, strict=True), marker="o", label=part.removesuffix(" s"))
    axes.set(xscale="log", yscale="log", xlabel="cells", ylabel="seconds of the processor")
    axes.legend()
    figure.savefig(path, metadata={"Date": None})


def main(words: list[str]) -> None:
    """Measure families, and print a line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="+")
    parser.add_argument("--folder", type=Path, default=Path())
    parser.add_argument("--levels-cut", action="store_true")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args(words)
    results = []
    for name in asked.families:
        results.append(measure(name, asked.folder, levels_cut=asked.levels_cut))
        print(json.dumps(results[-1]), flush=True)
    if asked.plot is not None:
        plot(results, asked.plot)


if __name__ == "__main__":
    main(sys.argv[1:])
