"""Cell suppression on Adult: seconds, suppressed cells and what an attacker finds.

    python benchmarks/cell_suppression.py [--k K] [--repeat N] [--write PAGE]

Age in five-year bands; the first four, five ... of age, sex, race, marital status, education,
native country, work class and occupation. Both readings of a star. *whole* is the call of
``anonymize`` on a frame, verification included; *search* the search alone; both the best of the
repetitions, after one run that compiles. Every release is verified once more from its written file.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind

ADULT = Path(__file__).resolve().parents[1] / "../shared/data/adult/adult.csv"
COLUMNS = [
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]
OTHERS = [
    ["age", "sex", "race", "education"],
    ["age", "workclass", "education", "marital-status", "occupation"],
    ["age", "sex", "race", "marital-status", "education", "occupation"],
]
WIDE = (30_000, 12)
BEGIN, END = "<!-- cells: begin -->", "<!-- cells: end -->"
HEADING = (
    f"{'columns':<44} {'star':<6} {'cells':>7} {'search':>7} {'whole':>6} {'least':>6} {'seen':>5}"
)


def policy_of(columns: list[str], reading: str, k: int) -> ind.Policy:
    words = {name: {"role": "quasi-identifier"} for name in columns}
    if "age" in words:
        words["age"] |= {"hierarchy": {"intervals": [5]}, "min_level": 1}
    return ind.Policy(
        columns=words,
        models=[{"name": "k-anonymity", "k": k}],
        method={"algorithm": "cell-suppression"},
        release={"suppressed_cell": reading},
    )


def made_up(n_rows: int, n_columns: int) -> pl.DataFrame:
    """Draw columns of four values that depend on one hidden number."""
    draws = np.random.default_rng(1)
    hidden = draws.normal(size=(n_rows, 1))
    drawn = 0.7 * hidden + 0.7 * draws.normal(size=(n_rows, n_columns))
    values = np.floor(np.clip(drawn, -2.4, 2.4) * 0.8 + 2).astype(int)
    return pl.DataFrame({f"c{column}": values[:, column] for column in range(n_columns)})


def measured(frame: pl.DataFrame, columns: list[str], reading: str, k: int, repeat: int) -> str:
    policy = policy_of(columns, reading, k)
    chosen = frame.select(columns)
    search = whole = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        release = ind.anonymize(chosen, policy)
        whole = min(whole, time.perf_counter() - start)
        search = min(search, release.owner["method"]["seconds"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        release.write(path)
        verdict = ind.verify(path, policy, original=chosen)
    if not verdict.holds:
        raise SystemExit(f"does not hold: {columns}")
    method = release.owner["method"]
    least = verdict.models[0]["achieved"]["k"]
    seen = method.get("fewest_candidates", least)
    title = f"{len(columns)}: {', '.join(name.split('-')[0] for name in columns)}"
    if len(title) > 44:
        title = f"{len(columns)}: ... {', '.join(name.split('-')[0] for name in columns[-3:])}"
    share = method["suppressed_cells"]["share"]
    return f"{title:<44} {reading:<6} {share:7.3%} {search:7.2f} {whole:6.2f} {least:6} {seen:5}"


def cases() -> Iterator[list[str]]:
    for count in range(4, len(COLUMNS) + 1):
        yield COLUMNS[:count]
    yield from OTHERS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", type=Path, help="the page that gets the table")
    asked = parser.parse_args()
    frame = pl.read_csv(ADULT, separator=";")
    lines = [f"adult {frame.height:,} records, k = {asked.k}", HEADING]
    for reading in ("any", "value"):
        measured(frame, COLUMNS[:4], reading, asked.k, 1)
        for columns in cases():
            line = measured(frame, columns, reading, asked.k, asked.repeat)
            lines.append(line)
            print(line, flush=True)
    lines += [f"\nmade-up {WIDE[0]:,} records, k = {asked.k}", HEADING]
    wide = made_up(*WIDE)
    for reading in ("any", "value"):
        lines.append(measured(wide, wide.columns, reading, asked.k, 1))
        print(lines[-1], flush=True)
    if asked.write is not None:
        before, rest = asked.write.read_text("utf-8").split(BEGIN)
        _, after = rest.split(END)
        table = "\n".join(lines)
        asked.write.write_text(f"{before}{BEGIN}\n```\n{table}\n```\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
