"""What releases of several tables keep at each m and k, beside the most that their classes allow.

    python benchmarks/related_frontier.py [clinic school insurer] [--m 1 2] [--k 2 5 10]
        [--write docs/benchmarks.md]

People with sex and birth, and two or three tables of rows about them, all made up. The clinic has
conditions, medications and encounters, the school marks and absences, the insurer contracts and
claims. Printed is, for the first column of each table, the share of its rows that keep its
coarsest level below ``*``, and the bound: a row whose label at this level fewer than k people of
its class have cannot keep it, at any m. The classes are those that the search chose.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import indistinct as ind

BEGIN, END = "<!-- frontier: begin -->", "<!-- frontier: end -->"
FIRST_DAY, N_DAYS = date(2018, 1, 1), 2_190


@dataclass(frozen=True, slots=True)
class Rows:
    """One table of rows.

    Parameters
    ----------
    column : of codes
    each : mean number of rows of a person
    sizes : chapters, groups of each, codes of each
    skew : power of the frequency of codes
    is_dated : whether it has a date, too
    """

    column: str
    each: float
    sizes: tuple[int, int, int]
    skew: float
    is_dated: bool = False


SHAPES: Mapping[str, tuple[int, Mapping[str, Rows]]] = {
    "clinic": (
        2_000,
        {
            "conditions": Rows("condition", 3, (18, 6, 8), 1.1, is_dated=True),
            "medications": Rows("drug", 4, (14, 5, 6), 1.1, is_dated=True),
            "encounters": Rows("kind", 5, (3, 2, 1), 0.8, is_dated=True),
        },
    ),
    "school": (
        1_200,
        {
            "marks": Rows("subject", 6, (4, 3, 1), 0.4),
            "absences": Rows("reason", 2, (3, 4, 1), 1.0, is_dated=True),
        },
    ),
    "insurer": (
        5_000,
        {
            "contracts": Rows("product", 1.5, (5, 4, 3), 0.8),
            "claims": Rows("cause", 1, (8, 5, 4), 1.2, is_dated=True),
        },
    ),
}


def tables_of(name: str, seed: int = 1) -> dict[str, pl.DataFrame]:
    """Draw the people of a shape and their rows; codes of a person tend to repeat her chapter."""
    draws = np.random.default_rng(seed)
    n_people, tables = SHAPES[name]
    born = 1935 + np.minimum(79, draws.gamma(6, 7, n_people).astype(int))
    people = {"pid": np.arange(n_people), "sex": draws.choice(["f", "m"], n_people), "born": born}
    found = {"people": pl.DataFrame(people)}
    for table, rows in tables.items():
        owners = np.repeat(np.arange(n_people), draws.poisson(rows.each, n_people))
        n_codes = int(np.prod(rows.sizes))
        weights = 1.0 / (1 + draws.permutation(n_codes)) ** rows.skew
        codes = draws.choice(n_codes, len(owners), p=weights / weights.sum())
        columns: dict[str, Any] = {
            "pid": owners,
            rows.column: [f"{rows.column[0]}{code}" for code in codes.tolist()],
        }
        if rows.is_dated:
            days = draws.integers(0, N_DAYS, len(owners)).tolist()
            columns["day"] = [FIRST_DAY + timedelta(days=day) for day in days]
        found[table] = pl.DataFrame(columns)
    return found


def tree_of(rows: Rows) -> dict[str, dict[str, list[str]]]:
    """Return the chapters of a column with their groups and codes."""
    n_chapters, n_groups, n_codes = rows.sizes
    return {
        f"chapter {one}": {
            f"group {one}.{other}": [
                f"{rows.column[0]}{(one * n_groups + other) * n_codes + code}"
                for code in range(n_codes)
            ]
            for other in range(n_groups)
        }
        for one in range(n_chapters)
    }


def policy_of(name: str, m: int, k: int) -> dict[str, Any]:
    """Return the policy of a shape: births in decades, codes in groups and chapters."""
    births = {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40]}, "min_level": 1}
    tables: dict[str, Any] = {
        "people": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}, "born": births}}
    }
    for table, rows in SHAPES[name][1].items():
        codes = {"role": "quasi-identifier", "hierarchy": {"tree": tree_of(rows)}}
        columns: dict[str, Any] = {rows.column: codes}
        if rows.is_dated:
            dates = {"dates": ["quarter", "year", "decade"]}
            columns["day"] = {"role": "quasi-identifier", "hierarchy": dates}
        tables[table] = {"references": {"pid": "people"}, "columns": columns}
    return {
        "related": {"people": "people"},
        "tables": tables,
        "models": [{"name": "joint-anonymity", "k": k, "m": m}],
        "method": {"max_deleted": 0.3},
    }


def lines_of(name: str, m: int, k: int) -> list[str]:
    """Release a shape; return a line per table with what is kept of its codes."""
    began = time.process_time()
    try:
        release = ind.anonymize(tables_of(name), policy_of(name, m, k), seed=1)
    except ind.NoSolutionError:
        return [f"| {name} | {m} | {k} | | no release | | | |"]
    seconds = time.process_time() - began
    lines: list[str] = []
    for table, rows in SHAPES[name][1].items():
        figures = release.figures[table]
        kept = figures["kept"][rows.column]["2"]
        lines.append(
            f"| {name} | {m} | {k} | {table}.{rows.column} | {kept['reached']:.0%} | "
            f"{kept['at_most']:.0%} | {figures['deleted']:.0%} | {seconds:.1f} |"
        )
    return lines


def main() -> None:
    """Print a line per shape, m, k and table; or write them into a page."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("shapes", nargs="*", default=[*SHAPES])
    parser.add_argument("--m", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    lines = [
        "| shape | m | k | column | kept at chapters | at most | left out | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in asked.shapes:
        for m in asked.m:
            for k in asked.k:
                found = lines_of(name, m, k)
                print("\n".join(found), flush=True)
                lines += found
    if asked.write is not None:
        before, rest = asked.write.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        text = "\n".join([before + BEGIN, *lines, END + after])
        asked.write.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
