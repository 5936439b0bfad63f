"""Made-up people with events, in the shapes of five tables that are often released.

    python benchmarks/related_shapes.py [diabetes synthea ...] [--m 1 2] [--rows known]
        [--max-deleted 1] [--importance 1] [--path]

Prints for each shape what a release loses, and the share of the people whom two exact events single
out, among all people and among those of their class of 5 by the static columns. With --path
come the seconds of one path in the classes of 5 with all that follows it. The figures to meet
are those of the tables themselves: 130 hospitals' diabetes records, Synthea since 2010, CDNOW,
Complete Journey and the demo of MIMIC-IV.
"""

from __future__ import annotations

import argparse
import re
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.related.policy import RelatedPolicy
from indistinct.related.publish.class_cuts import best_cells
from indistinct.related.publish.history import labelled
from indistinct.related.publish.people import people_classes
from indistinct.related.publish.search import without_rare
from indistinct.related.publish.tables import read_related
from indistinct.related.verify.release import verify_related
from indistinct.tables.core.grouping import numbered_rows
from indistinct.tables.masks.sets.listed_patterns import grouped_rows, listed_patterns
from indistinct.tables.masks.sets.patterns import PatternCounts

FIRST_DAY = date(2010, 1, 1)
COLUMNS_OF_PEOPLE = ("sex", "born", "group", "region")


@dataclass(frozen=True, slots=True)
class Shape:
    """How people and events are drawn.

    Parameters
    ----------
    units, rows : how many, the rows about so
    spread : of the logarithm of a unit's rows
    static : values of each static column
    chapters : number of chapters of codes, of groups in each, and of codes in each group
    skew : power of the frequency of codes
    loyalty : chance that a code is one that the person had before
    days : from the first to the last day
    step : days between dates, 1 where each day occurs
    together : rows that share a date
    alone : share of the people alone by two events, among all and in their static class of 5
    importance : of a static column beside one of the events; the less, the more the static columns
        lose in favour of the events. It is chosen so that they lose about as much as in the
        figures to meet.
    """

    units: int
    rows: int
    spread: float
    static: tuple[int, ...]
    chapters: tuple[int, int, int]
    skew: float
    loyalty: float
    days: int
    step: int
    together: float
    alone: tuple[float, float | None]
    importance: float = 1.0


SHAPES: Mapping[str, Shape] = {
    "diabetes": Shape(
        71_518, 297_905, 0.5, (2, 10, 6), (18, 10, 5), 1.5, 0.2, 3650, 182, 3, (0.38, 0.80)
    ),
    "synthea": Shape(
        1_171, 21_079, 1.3, (2, 90, 5), (6, 4, 3), 1.6, 0.5, 3650, 7, 2, (0.89, 0.99), 0.3
    ),
    "cdnow": Shape(23_544, 67_700, 0.9, (), (8, 4, 3), 1.2, 0.3, 545, 1, 1, (0.97, None)),
    "journey": Shape(
        801, 42_199, 0.8, (6, 5, 12, 5), (20, 5, 3), 0.8, 0.5, 711, 1, 2, (0.99, 1.0), 0.3
    ),
    "mimic": Shape(100, 4_506, 0.7, (2, 60), (20, 8, 8), 0.6, 0.3, 3650, 1, 12, (1.0, 1.0), 0.5),
}


def tables_of(shape: Shape, seed: int = 1) -> dict[str, pl.DataFrame]:
    """Draw the people and the events of a shape."""
    chance = np.random.default_rng(seed)
    numbers = np.exp(chance.normal(0, shape.spread, shape.units))
    numbers = np.maximum(1, np.round(numbers * shape.rows / numbers.sum())).astype(np.int64)
    owners = np.repeat(np.arange(shape.units), numbers)
    n_codes = int(np.prod(shape.chapters))
    weights = 1 / (1 + np.arange(n_codes)) ** shape.skew
    of_rank = chance.permutation(n_codes)
    codes = of_rank[chance.choice(n_codes, len(owners), p=weights / weights.sum())]
    starts = np.cumsum(numbers) - numbers
    within = np.arange(len(owners)) - starts[owners]
    days = chance.integers(0, shape.days // shape.step, len(owners)) * shape.step
    # A row may have the date of the one before it, and the code of an earlier row of the person.
    is_with = (within > 0) & (chance.random(len(owners)) < 1 - 1 / shape.together)
    is_again = (within > 0) & (chance.random(len(owners)) < shape.loyalty)
    earlier = starts[owners] + (chance.random(len(owners)) * within).astype(np.int64)
    for row in np.flatnonzero(is_with | is_again).tolist():
        if is_with[row]:
            days[row] = days[row - 1]
        if is_again[row]:
            codes[row] = codes[earlier[row]]
    columns = {
        name: chance.binomial(size - 1, 0.4, shape.units)
        if name == "born"
        else chance.integers(0, size, shape.units)
        for name, size in zip(COLUMNS_OF_PEOPLE, shape.static, strict=False)
    }
    dates = [FIRST_DAY + timedelta(days=day) for day in range(shape.days)]
    return {
        "people": pl.DataFrame({"pid": np.arange(shape.units), **columns}),
        "events": pl.DataFrame(
            {
                "code": [f"c{code}" for code in codes.tolist()],
                "day": [dates[day] for day in days.tolist()],
                "pid": owners,
            }
        ),
    }


def policy_of(
    shape: Shape, m: int | str, rows: str = "free", max_deleted: float = 1.0
) -> dict[str, Any]:
    """Return the policy of a shape: k = 5, codes in two levels above, dates by the calendar."""
    n_chapters, n_groups, n_codes = shape.chapters
    tree = {
        f"chapter {one}": {
            f"group {one}.{other}": [
                f"c{(one * n_groups + other) * n_codes + code}" for code in range(n_codes)
            ]
            for other in range(n_groups)
        }
        for one in range(n_chapters)
    }
    static: dict[str, Any] = {}
    for name, size in zip(COLUMNS_OF_PEOPLE, shape.static, strict=False):
        static[name] = {"role": "quasi-identifier", "importance": shape.importance}
        if name == "born":
            static[name]["hierarchy"] = (
                {"intervals": [5, 10, 20, 40]} if size > 20 else {"intervals": [2, 4, 8]}
            )
    return {
        "related": {"people": "people", "rows": rows},
        "tables": {
            "people": {"key": "pid", "columns": static},
            "events": {
                "references": {"pid": "people"},
                "columns": {
                    "code": {"role": "quasi-identifier", "hierarchy": {"tree": tree}},
                    "day": {
                        "role": "quasi-identifier",
                        "hierarchy": {
                            "dates": [
                                "month",
                                "quarter",
                                "half-year",
                                "year",
                                "five-years",
                                "decade",
                            ]
                        },
                    },
                },
            },
        },
        "models": [{"name": "joint-anonymity", "k": 5, "m": m}],
        "method": {"max_deleted": max_deleted},
    }


def alone(tables: Mapping[str, pl.DataFrame], classes: np.ndarray[Any, Any]) -> float:
    """Return the share of those with two exact events whom they single out in their class."""
    events = tables["events"]
    units = events["pid"].to_numpy().astype(np.int64)
    keys = [
        classes[units],
        events["code"].cast(pl.Categorical).to_physical().to_numpy(),
        events["day"].to_physical().to_numpy(),
    ]
    labels = numbered_rows(np.column_stack(keys).astype(np.int64))
    none = np.full(len(units), -1, np.int64)
    instances = listed_patterns(grouped_rows(units, labels, none, none > 0), 2)
    counts = PatternCounts.of(instances).counts(np.ones(len(instances.units), np.bool_))
    is_alone = (counts[instances.patterns] < 2) & (instances.copies.sum(axis=1) == 2)
    return len(np.unique(instances.units[is_alone])) / int((np.bincount(units) > 1).sum())


def static_classes(shape: Shape, tables: Mapping[str, pl.DataFrame]) -> np.ndarray[Any, Any]:
    """Return the class of each person when the table of people alone is 5-anonymous."""
    columns = policy_of(shape, 1)["tables"]["people"]["columns"]
    words = {
        "columns": {"pid": {"role": "identifier"}, **columns},
        "models": [{"name": "k-anonymity", "k": 5}],
    }
    release = ind.anonymize(tables["people"], words, seed=1)
    shown = release.frame.with_columns(row=pl.Series(release.crosswalk))
    ordered = shown.sort("row").drop("row")
    return ordered.select(pl.struct(pl.all()).rank("dense")).to_series().to_numpy().astype(np.int64)


def static_loss(before: pl.Series, after: pl.Series) -> float:
    """Return the mean loss of a static column: leaves below a cell less one over all less one."""
    values = np.unique(before.to_numpy())
    lost: list[float] = []
    for cell in after.cast(pl.String).to_list():
        ends = re.fullmatch(r"\[(\d+), (\d+)\)", cell)
        below = 1 if cell != "*" else len(values)
        if ends is not None:
            below = int(((values >= int(ends[1])) & (values < int(ends[2]))).sum())
        lost.append((below - 1) / (len(values) - 1))
    return float(np.mean(lost))


def measured(tables: Mapping[str, pl.DataFrame], policy: Mapping[str, Any]) -> str:
    """Return what a release loses, and the processor seconds of its search and of verification."""
    began = time.process_time()
    release = ind.anonymize(tables, policy, seed=1)
    seconds = time.process_time() - began
    began = time.process_time()
    verify_related(release.tables, policy)
    checked = time.process_time() - began
    related = release.manifest["related"]
    entry = related["tables"]["events"]
    static = [
        static_loss(tables["people"][name], release.tables["people"][name])
        for name in policy["tables"]["people"]["columns"]
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return (
        f"m = {policy['models'][0]['m']}, rows {policy['related']['rows']}: "
        f"losses {entry['loss']}, left out {entry['deleted']}, "
        f"static {np.mean(static or [0]):.2f}, classes {related['classes']}, "
        f"beyond {related['beyond']}, {seconds:.1f} s, files alone {checked:.1f} s, {peak:.1f} GB"
    )


def one_path(tables: Mapping[str, pl.DataFrame], words: Mapping[str, Any]) -> float:
    """Return the processor seconds of one path in the smallest classes."""
    policy, chance = RelatedPolicy.from_words(words), RandomSource(1)
    read = read_related(tables, policy, chance)
    classes = people_classes(read, chance)[-1].classes
    (table,) = read.row_tables
    began = time.process_time()
    above = classes[table.attached.units]
    cells = best_cells(table, classes, above, policy.model, 1.0, every=False)
    without_rare(read, [labelled(table, cells, above, 0)], classes)
    return time.process_time() - began


def main() -> None:
    """Print the shares of the people alone, and those to meet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shapes", nargs="*", default=[*SHAPES])
    parser.add_argument("--m", nargs="*", default=[])
    parser.add_argument("--rows", default="free")
    parser.add_argument("--max-deleted", type=float, default=0.1)
    parser.add_argument("--importance", type=float)
    parser.add_argument("--path", action="store_true")
    given = parser.parse_args()
    for name in given.shapes:
        shape = replace(SHAPES[name], importance=given.importance or SHAPES[name].importance)
        tables = tables_of(shape)
        everybody = alone(tables, np.zeros(shape.units, np.int64))
        known = alone(tables, static_classes(shape, tables)) if shape.static else None
        print(name, tables["events"].height, round(everybody, 3), known, shape.alone, flush=True)
        for m in given.m:
            number = m if m == "all" else int(m)
            policy = policy_of(shape, number, given.rows, given.max_deleted)
            if given.path:
                print("  ", f"m = {m}: one path {one_path(tables, policy):.1f} s")
                continue
            try:
                print("  ", measured(tables, policy), flush=True)
            except ind.NoSolutionError as error:
                print("  ", f"m = {m}, rows {given.rows}: {error}", flush=True)


if __name__ == "__main__":
    main()
