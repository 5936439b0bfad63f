"""How time and memory grow with records, columns and k, for each kind of work.

    python benchmarks/growth.py --measure docs/growth.md [--most 1000000]
    python benchmarks/growth.py --draw docs/growth.md docs/pictures/growth.svg

Each case is a process of its own, so that its peak of memory is its own. What counts are processor
seconds of the call alone, after one call on a small table has loaded the compiled code.
``--measure`` puts the table between its marks in the page; ``--draw`` draws the table that stands
there.
"""

from __future__ import annotations

import argparse
import math
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind

TASKS = ("mondrian", "verify", "assess", "attack", "optimal", "local")
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
RECORDS = (10_000, 31_623, 100_000, 316_228, 1_000_000, 10_000_000)
COLUMNS = (3, 6, 12, 24)
SIZES = (2, 5, 20, 100)
USUAL = (31_623, 6, 5)  # records, columns and k where another of them grows
AXES = ("records", "columns", "k")
WARM_RECORDS = 300
LIMIT = 300  # processor seconds after which a case is given up
MOST_COLUMNS = {"optimal": 12}  # the lattice of 24 columns has 5**24 nodes
BEGIN, END = "<!-- growth: begin -->", "<!-- growth: end -->"
WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 210, 60, 40, 70

Case = tuple[str, int, int, int]
Row = tuple[str, str, int, float, float]


def table(n_records: int, n_columns: int, seed: int) -> pl.DataFrame:
    """Draw integer columns that depend on one hidden number per record."""
    draws = np.random.default_rng(seed)
    hidden = draws.normal(0, 1, n_records)
    columns = {
        f"q{column}": np.clip(np.round(8 + 3 * hidden + draws.normal(0, 2, n_records)), 0, 15)
        for column in range(n_columns)
    }
    return pl.DataFrame(columns).cast(pl.Int64)


def policy_of(algorithm: str, n_columns: int, k: int) -> ind.Policy:
    """Give four levels above each value, and ask for k-anonymity."""
    words = {"role": "quasi-identifier", "hierarchy": ind.intervals(2, 4, 8)}
    return ind.Policy(
        columns={f"q{column}": words for column in range(n_columns)},
        models=({"name": "k-anonymity", "k": k},),
        method={"algorithm": algorithm, "max_suppression": 0.05},
    )


def seconds(task: str, n_records: int, n_columns: int, k: int) -> float:
    """Do a piece of work; give the processor seconds of it alone."""
    frame = table(n_records, n_columns, 0)
    is_search = task in {"local", "optimal", "mondrian"}
    policy = policy_of(task if is_search else "mondrian", n_columns, k)
    release = None if is_search else ind.anonymize(frame, policy, seed=0)
    start = time.process_time()
    if release is None:
        ind.anonymize(frame, policy, seed=0)
    elif task == "verify":
        ind.verify(release.frame, policy, original=frame)
    elif task == "assess":
        ind.assess(release.frame, policy, original=frame)
    else:
        ind.attack(release.frame, policy, register=frame, original=frame, seed=0)
    return time.process_time() - start


def run_case(case: Case) -> None:
    """Print the seconds of a case and the peak of its process in megabytes."""
    task, _, n_columns, k = case
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    seconds(task, WARM_RECORDS, n_columns, k)
    taken = seconds(*case)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{taken:.3f} {peak:.0f}")


def measured(case: Case) -> tuple[float, float] | None:
    """Run a case in a process of its own; None where it takes too long."""
    command = [sys.executable, __file__, "--case", *map(str, case)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        print(f"{case}: ended with {error.returncode}", file=sys.stderr)
        return None
    taken, peak = done.stdout.split()[-2:]
    return float(taken), float(peak)


def rows(most: int) -> list[Row]:
    """Measure every task along every axis, up to the first case that takes too long."""
    found: list[Row] = []
    for task in TASKS:
        for place, axis in enumerate(AXES):
            for value in (RECORDS, COLUMNS, SIZES)[place]:
                too_wide = axis == "columns" and value > MOST_COLUMNS.get(task, value)
                if (axis == "records" and value > most) or too_wide:
                    continue
                words = list(USUAL)
                words[place] = value
                result = measured((task, *words))
                if result is None:
                    break
                found.append((task, axis, value, *result))
                print(*found[-1], flush=True)
    return found


def exponent(points: list[tuple[float, float]]) -> float:
    """Fit the slope of the logarithms by least squares, over the larger half of the points."""
    tail = points[len(points) // 2 - 1 :] if len(points) > 2 else points
    logs = np.log(np.array(tail))
    return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])


def lines_of(found: list[Row]) -> list[str]:
    """Write the rows and the exponents as two tables of a page."""
    lines = ["| work | grows | value | processor seconds | peak MB |", "|---|---|---|---|---|"]
    lines += [
        f"| `{task}` | {axis} | {value:,} | {taken:.2f} | {peak:,.0f} |"
        for task, axis, value, taken, peak in found
    ]
    lines += ["", f"| exponent | {' | '.join(f'`{task}`' for task in TASKS)} |"]
    lines += ["|" + "---|" * (len(TASKS) + 1)]
    for place, (axis, name) in enumerate((axis, n) for axis in AXES for n in ("seconds", "MB")):
        cells = []
        for task in TASKS:
            points = [
                (row[2], max(row[3 + place % 2], 0.005)) for row in found if row[:2] == (task, axis)
            ]
            cells.append(f"{exponent(points):.2f}" if len(points) > 1 else "-")
        lines.append(f"| {name} by {axis} | {' | '.join(cells)} |")
    return lines


def read(page: str) -> list[Row]:
    """Read the rows that stand in a page."""
    pattern = r"\| `(\w+)` \| (\w+) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \|"
    return [
        (task, axis, int(value.replace(",", "")), float(taken), float(peak.replace(",", "")))
        for task, axis, value, taken, peak in re.findall(pattern, page)
    ]


def plot(found: list[Row], axis: str, place: int, x: int, y: int) -> list[str]:
    """Draw seconds (place 3) or megabytes (place 4) against an axis, both in logarithms."""
    chosen = [row for row in found if row[1] == axis]
    low, high = (math.log10(edge(row[2] for row in chosen)) for edge in (min, max))
    values = [max(float(row[place]), 0.005) for row in chosen]
    bottom, top = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def point(value: float, height: float) -> str:
        across = x + WIDTH * (math.log10(value) - low) / (high - low)
        share = (math.log10(max(height, 0.005)) - bottom) / (top - bottom)
        return f"{across:.1f},{y + HEIGHT * (1 - share):.1f}"

    unit = "processor seconds" if place == 3 else "peak MB"
    parts = [
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
        f'<text x="{x}" y="{y - 8}" font-weight="bold">{unit} by {axis}</text>',
    ]
    for power in range(bottom, top + 1):
        level = y + HEIGHT * (1 - (power - bottom) / (top - bottom))
        parts.append(
            f'<line x1="{x}" x2="{x + WIDTH}" y1="{level:.1f}" y2="{level:.1f}" stroke="#ddd"/>'
            f'<text x="{x - 5}" y="{level + 4:.1f}" text-anchor="end">{10.0**power:g}</text>'
        )
    for value, label in ticks(row[2] for row in chosen):
        across = point(value, 1.0).split(",")[0]
        parts.append(
            f'<text x="{across}" y="{y + HEIGHT + 16}" text-anchor="middle">{label}</text>'
        )
    for task, color in zip(TASKS, COLORS, strict=True):
        line = [point(row[2], row[place]) for row in chosen if row[0] == task]
        parts.append(
            f'<polyline points="{" ".join(line)}" fill="none" stroke="{color}" stroke-width="2"/>'
        )
    return parts


def ticks(values: Iterable[float]) -> list[tuple[float, str]]:
    """Label the values of an axis; of values far apart the powers of ten alone, which have room."""
    found = sorted(set(values))
    if found[-1] < 1000 * found[0]:
        return [(value, f"{value:g}") for value in found]
    powers = {value: round(math.log10(value)) for value in found}
    return [
        (value, f'10<tspan dy="-4" font-size="9">{power}</tspan>')
        for value, power in powers.items()
        if value == 10**power
    ]


def picture(found: list[Row]) -> str:
    """Draw the plots, seconds above megabytes, and a legend."""
    width = LEFT + 3 * (WIDTH + GAP)
    height = TOP + 2 * (HEIGHT + GAP) + 10
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    parts = [
        head,
        "<title>Time and memory against records, columns and k</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for down, place in enumerate((3, 4)):
        for along, axis in enumerate(AXES):
            x, y = LEFT + along * (WIDTH + GAP), TOP + down * (HEIGHT + GAP)
            parts += plot(found, axis, place, x, y)
    for number, (task, color) in enumerate(zip(TASKS, COLORS, strict=True)):
        x, y = LEFT + number * 110, height - 18
        parts.append(f'<rect x="{x}" y="{y - 10}" width="12" height="12" fill="{color}"/>')
        parts.append(f'<text x="{x + 17}" y="{y}">{task}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--measure", type=Path, help="the page that gets the table")
    parser.add_argument("--most", type=int, default=1_000_000, help="records at most")
    parser.add_argument("--draw", type=Path, nargs=2, help="the page with the table, the picture")
    parser.add_argument("--case", nargs=4, help="task, records, columns, k: one case")
    asked = parser.parse_args()
    if asked.case is not None:
        task, *numbers = asked.case
        n_records, n_columns, k = map(int, numbers)
        run_case((task, n_records, n_columns, k))
    if asked.measure is not None:
        page = asked.measure.read_text("utf-8")
        before, rest = page.split(BEGIN)
        text = "\n".join(lines_of(rows(asked.most)))
        asked.measure.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}", "utf-8")
    if asked.draw is not None:
        page, target = asked.draw
        target.write_text(picture(read(page.read_text("utf-8"))), "utf-8")


if __name__ == "__main__":
    main()
