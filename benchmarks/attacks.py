"""How long attacks and special uniques take on 30,000 records; best of several runs.

python benchmarks/attacks.py [--rows N] [--runs N] [--write PAGE]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.tables.frames.encoding import encode
from indistinct.tables.metrics.suda import special_uniques

BEGIN, END = "<!-- attacks: begin -->", "<!-- attacks: end -->"
ATTEMPTS, SUDA_COLUMNS = 2000, 8
COLUMNS = {
    "name": {"role": "identifier"},
    "birth_date": {"role": "quasi-identifier", "hierarchy": ind.dates("month", "year", "decade")},
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "quasi-identifier", "hierarchy": ind.mask(5)},
    "occupation": {"role": "insensitive"},
    "insurance": {"role": "insensitive"},
    "height_cm": {"role": "insensitive"},
    "weight_kg": {"role": "insensitive"},
    "admission_date": {"role": "insensitive"},
    "diagnosis": {"role": "sensitive"},
}
POLICY = ind.Policy(columns=COLUMNS, models=[ind.KAnonymity(k=5)], method={"max_suppression": 0.05})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=30_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", type=Path, help="the page that gets the table")
    asked = parser.parse_args()
    lines = [f"{asked.rows:,} patients, {ATTEMPTS:,} attempts where targets are drawn; warm", ""]
    lines += [f"{'':26} {'raw, s':>8} {'rate':>7} {'release, s':>11} {'rate':>7} {'control':>8}"]
    lines += measured_attacks(asked.rows, asked.runs)
    lines += ["", measured_suda(asked.rows, asked.runs)]
    print("\n".join(lines))
    if asked.write is not None:
        write_table(asked.write, lines)


def measured_attacks(rows: int, runs: int) -> list[str]:
    """Attack a table as it is, and its release."""
    patients, control = (
        ind.sample("patients", rows=rows, seed=1),
        ind.sample("patients", rows=rows, seed=2),
    )
    register = ind.sample("register", rows=rows, seed=1)
    release = ind.anonymize(patients, POLICY, seed=1)
    source = release.crosswalk
    truth = {"original": patients, "control": control, "register": register}
    lines: list[str] = []
    for name in (
        "prosecutor-linkage", "journalist-linkage", "marketer-linkage", "nearest-neighbor",
        "homogeneity", "singling-out-univariate", "singling-out-multivariate", "linkability",
        "inference",
    ):  # fmt: skip
        words = {**truth, "attack": name, "attempts": ATTEMPTS, "seed": 1}
        if name == "journalist-linkage":
            words.pop("control")
        raw, before = best(lambda w=words: ind.attack(patients, POLICY, **w), runs)
        safe, after = best(
            lambda w=words: ind.attack(release.data, POLICY, crosswalk=source, **w), runs
        )
        strangers = after.answer.control
        share = "-" if strangers is None else f"{strangers.rate:.3f}"
        lines.append(
            f"{name:26} {raw:8.2f} {before.answer.found.rate:7.3f} {safe:11.2f} "
            f"{after.answer.found.rate:7.3f} {share:>8}"
        )
    return lines


def measured_suda(rows: int, runs: int) -> str:
    """Search the special uniques of the patients' first columns, dates as years."""
    patients = (
        ind.sample("patients", rows=rows, seed=1)
        .drop("name")
        .with_columns(pl.col("birth_date", "admission_date").dt.year())
    )
    columns = patients.columns[:SUDA_COLUMNS]
    codes = np.stack([encode(patients[name], "").codes for name in columns], axis=1)
    seconds, found = best(lambda: special_uniques(np.ascontiguousarray(codes)), runs)
    special = int((found.scores > 0).sum())
    return (
        f"special uniques (SUDA2) of {rows:,} x {len(columns)}, all sets of columns: "
        f"{seconds:.2f} s, {special:,} special records"
    )


def best(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """Return the least seconds of several runs after a first one, and the result."""
    result, times = work(), []
    for _ in range(runs):
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return min(times), result


def write_table(page: Path, lines: list[str]) -> None:
    """Put the table between its marks."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    table = "\n".join(lines)
    page.write_text(f"{before}{BEGIN}\n```\n{table}\n```\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
