"""Measure the search where the lattice is too large to walk: 16 and 24 columns of whole numbers.

    python benchmarks/huge_lattices.py [--seconds 14] [--write docs/benchmarks.md]

The tables are made up with a fixed seed, and belong to no one: readings of a machine, whose
columns hang on three hidden states, each rounded to a few dozen codes, with hierarchies that put
two, three or four neighboring codes together at each level.
"""

from __future__ import annotations

import argparse
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indistinct.tables.policy.specification import resolve

if TYPE_CHECKING:
    import polars as pl

SEED = 20_260_201
BEGIN, END = "<!-- huge: begin -->", "<!-- huge: end -->"
HEAD = "columns  records  nodes     suppressed  CPU, s    loss  proven at least   nodes counted\n"


@dataclass(frozen=True)
class Table:
    """One table: its size, how many codes a column has, and how many go together at a level."""

    columns: int
    rows: int
    codes: tuple[int, ...]
    together: tuple[int, ...]


TABLES = (
    Table(16, 73_489, (9, 16, 9, 27), (3, 4, 3, 3)),
    Table(24, 30_000, (16, 27, 16, 64), (4, 3, 2, 4)),
)


def readings(table: Table) -> pl.DataFrame:
    """Make a table up: columns of codes from 0 on, each driven by one of three hidden states."""
    import numpy as np
    import polars as pl

    chance = np.random.default_rng(SEED)
    states = chance.normal(size=(table.rows, 3))
    made: dict[str, Any] = {}
    for column in range(table.columns):
        n_codes = table.codes[column % len(table.codes)]
        own = 0.35 + 0.5 * chance.random()
        drawn = states[:, column % 3] + own * chance.normal(size=table.rows)
        if column % 4 == 3:  # skewed, as counts are
            drawn = np.exp(drawn)
        low, high = np.quantile(drawn, (0.001, 0.999))
        codes = (drawn - low) / (high - low) * n_codes
        made[f"sensor_{column + 1}"] = np.clip(codes, 0, n_codes - 1).astype(np.int64)
    return pl.DataFrame(made)


def words_of(table: Table, max_suppression: float, seconds: float) -> dict[str, Any]:
    """Write the policy of a table: every level puts the same number of codes together."""
    columns: dict[str, Any] = {}
    for column in range(table.columns):
        n_codes = table.codes[column % len(table.codes)]
        base = table.together[column % len(table.together)]
        widths = [base]
        while widths[-1] * base < n_codes:
            widths.append(widths[-1] * base)
        columns[f"sensor_{column + 1}"] = {
            "role": "quasi-identifier",
            "hierarchy": {"intervals": [width for width in widths if width < n_codes]},
        }
    return {
        "columns": columns,
        "models": [{"name": "k-anonymity", "k": 5}],
        "method": {
            "algorithm": "optimal",
            "max_suppression": max_suppression,
            "time_limit": seconds,
        },
    }


def measured(table: Table, max_suppression: float, seconds: float) -> str:
    """Search a table; give one line of figures."""
    from indistinct.tables.core.protocols import Deadline, no_progress
    from indistinct.tables.counting.preparation import prepare
    from indistinct.tables.policy.policy import Policy
    from indistinct.tables.search import Optimal
    from indistinct.tables.search.finish import solve

    class Processor(Deadline):
        """Over when the process has used so many seconds of processors."""

        @property
        def passed(self) -> bool:
            return processor_seconds() >= (self.moment or 0.0)

    policy = Policy.from_words(words_of(table, max_suppression, seconds))
    problem = prepare(readings(table), resolve(policy)).problem
    started = processor_seconds()
    found = solve(Optimal(), problem, Processor(started + seconds), no_progress)
    spent = processor_seconds() - started
    value = problem.objective.evaluate(found.recoding)
    facts = found.facts
    return (
        f"{table.columns:7}  {table.rows:7,}  {facts['lattice_nodes']:.1e}  {max_suppression:10.2f}"
        f"  {spent:6.1f}  {value:.4f}  {facts.get('bound', value):15.4f}"
        f"  {facts['checked_nodes']:14,}\n"
    )


def processor_seconds() -> float:
    """Return what this process has used of all processors."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure searches of huge lattices.")
    parser.add_argument("--seconds", type=float, default=14.0, help="time limit of a search")
    parser.add_argument("--write", help="the page that gets the table")
    asked = parser.parse_args()
    lines = [HEAD]
    for table in TABLES:
        for max_suppression in (0.0, 0.05, 1.0):
            lines.append(measured(table, max_suppression, asked.seconds))
            print(lines[-1], end="", flush=True)
    if asked.write is not None:
        page = Path(asked.write)
        before, rest = page.read_text("utf-8").split(BEGIN)
        after = rest.split(END)[1]
        page.write_text(f"{before}{BEGIN}\n```\n{''.join(lines)}```\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
