"""Fuzz for some minutes: random cases until the time is over; failing ones are kept.

Start it with ``make fuzz MINUTES=30 [SEED=s]``. The same seed makes the same cases.
"""

import argparse
import json
import secrets
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from fuzz.generators import random_case
from fuzz.trial import try_case

TELL = 600.0  # seconds between two lines that say how far a run is


def main() -> int:
    """Parse, run, print; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--cases", type=int, default=None, help="stop after so many cases")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--without", default="", help="types that are left out, comma-separated")
    parser.add_argument("--case", help="try one case again: its number, or a file that keeps it")
    words = parser.parse_args()
    if words.case is not None:
        return tried_again(words.case)
    seed = secrets.randbelow(10**9) if words.seed is None else words.seed
    print(f"seed {seed}", flush=True)
    without = tuple(kind for kind in words.without.split(",") if kind)
    return 1 if run(seed, words.minutes, words.cases, words.keep, without) else 0


def run(
    seed: int,
    minutes: float,
    n_cases: int | None = None,
    keep: Path | None = None,
    without: tuple[str, ...] = (),
) -> Counter:
    """Try cases until the time or their number is over; give the findings, counted."""
    started = time.monotonic()
    found: Counter = Counter()
    refused: Counter = Counter()
    releases = formats = number = told = 0
    while time.monotonic() < started + 60 * minutes and number != n_cases:
        case = random_case(seed * 1_000_000 + number)
        number += 1
        if time.monotonic() > started + TELL * (told + 1):  # a long run can be stopped at any time
            told += 1
            print(f"until now {number} pairs, {releases} releases in {formats} files", flush=True)
        if any(column["type"].startswith(without) for column in case["columns"].values()):
            continue
        try:
            outcome = in_folder(case)
        except KeyboardInterrupt:  # what was found until now is told all the same
            break
        releases += outcome.refused is None and outcome.formats > 0
        formats += outcome.formats
        refused.update([outcome.refused] if outcome.refused else [])
        for finding in outcome.findings:
            found[finding.key] += 1
            if found[finding.key] == 1:
                print(f"FOUND {finding.key}\n      {finding.detail}", flush=True)
                print(f"      again: --case {case['seed']}", flush=True)
                if keep is not None:
                    kept(case, finding, keep)
    seconds = time.monotonic() - started
    pace = 60 * number / seconds
    print(f"{number} pairs of table and policy in {seconds:.0f} s, {pace:.0f} a minute")
    print(f"{releases} releases in {formats} files and frames; refused: {dict(refused)}")
    for key, count in found.most_common():
        print(f"{count:6} {key}")
    print("clean" if not found else f"{len(found)} kinds of findings")
    return found


def tried_again(words: str) -> int:
    """Try one case, given by its number or the file that keeps it; print all that it shows."""
    is_number = words.isdecimal()
    case = random_case(int(words)) if is_number else json.loads(Path(words).read_text())["case"]
    outcome = in_folder(case)
    for finding in outcome.findings:
        print(f"FOUND {finding.key}\n      {finding.detail}")
    print(f"refused: {outcome.refused}, formats: {outcome.formats}")
    return 1 if outcome.findings else 0


def in_folder(case: dict):
    """Try a case in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        return try_case(case, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kept(case: dict, finding, folder: Path) -> None:
    """Write a case down, as small as it still shows the finding."""
    folder.mkdir(parents=True, exist_ok=True)
    small = shrunk(case, finding.key)
    slug = "".join(c if c.isalnum() else "-" for c in finding.key)[:80]
    text = json.dumps({"finding": finding.key, "detail": finding.detail, "case": small}, indent=1)
    (folder / f"{slug}-{case['seed']}.json").write_text(text + "\n", encoding="utf-8")


def shrunk(case: dict, key: str, tries: int = 150) -> dict:
    """Take away columns, words and rows for as long as the finding stays."""
    for _ in range(3):
        for smaller in smaller_cases(case):
            tries -= 1
            if tries < 0:
                return case
            if any(finding.key == key for finding in in_folder(smaller).findings):
                return shrunk(smaller, key, tries)
    return case


def smaller_cases(case: dict):
    """Return the cases with one thing less."""
    policy, columns = case["policy"], case["columns"]
    for table in ("data", "method", "noise", "release"):
        for word in policy.get(table, {}):
            rest = {w: v for w, v in policy[table].items() if w != word}
            yield case | {"policy": policy | {table: rest}}
    if len(policy["models"]) > 1:
        for index in range(len(policy["models"])):
            models = policy["models"][:index] + policy["models"][index + 1 :]
            yield case | {"policy": policy | {"models": models}}
    for name in columns:
        yield case | {
            "columns": {n: c for n, c in columns.items() if n != name},
            "policy": policy
            | {"columns": {n: c for n, c in policy["columns"].items() if n != name}},
        }
        for word in set(policy["columns"][name]) - {"role"}:
            words = {w: v for w, v in policy["columns"][name].items() if w != word}
            yield case | {"policy": policy | {"columns": policy["columns"] | {name: words}}}
    n_rows = len(next(iter(columns.values()))["cells"])
    step = max(1, n_rows // 2)
    while step and not case.get("population"):
        for start in range(0, n_rows, step):
            yield case | {
                "columns": {
                    n: c | {"cells": c["cells"][:start] + c["cells"][start + step :]}
                    for n, c in columns.items()
                }
            }
        step //= 2
    if case.get("source") != "polars":
        yield case | {"source": "polars"}


if __name__ == "__main__":
    raise SystemExit(main())
