"""Time the search for the best full-domain release of Adult, a cold command, and `local`.

    python benchmarks/search.py [--against CHECKOUT] [--runs 5] [--only PATTERN]
        [--write docs/benchmarks.md]

A call is `anonymize` of a frame in memory, verification included, when everything is compiled and
was called once. The search is the part of it that chooses the recoding. Seconds are medians of
processor seconds, which other programs on the machine change least. With ``--against`` every case
runs in turn with the package of this checkout and with that of another one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from cases import ADULT, PUBLIC, ROOT
from pages import show
from public_data import needed

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = PUBLIC / "adult"
SECRET = "occupation"
MARKS = {"calls": "figures of the search", "curve": "curve of local recoding"}
WORKS = (1_250_000, 2_500_000, 5_000_000, 10_000_000, 20_000_000, 40_000_000, 80_000_000)
CLOSE = {"name": "t-closeness", "t": 0.2, "column": SECRET}
# Models beside 5-anonymity, and the share of records that may be suppressed.
CASES: dict[str, tuple[dict[str, Any] | None, float]] = {
    "5-anonymity": (None, 0.05),
    "5-anonymity, all suppression": (None, 1.0),
    "t-closeness, equal, all suppression": (CLOSE | {"distance": "equal"}, 1.0),
    "t-closeness, hierarchical": (CLOSE | {"distance": "hierarchical"}, 0.05),
    "distinct 3-diversity": ({"name": "distinct-l-diversity", "l": 3, "column": SECRET}, 0.05),
    "entropy 3-diversity": ({"name": "entropy-l-diversity", "l": 3, "column": SECRET}, 0.05),
    "recursive (4,3)-diversity": (
        {"name": "recursive-cl-diversity", "c": 4, "l": 3, "column": SECRET},
        0.05,
    ),
}
# Quasi-identifiers of a cold command; the other columns are released as they are.
FEW = ("sex", "age", "race", "marital-status", "education")
COMMANDS = {
    "the command, cold": tuple(ADULT),
    "the command, cold, 5 quasi-identifiers": FEW,
}
IMPORT = "import polars"


def policy_words(case: str) -> dict[str, Any]:
    """Write the policy of a case."""
    model, suppression = CASES[case]
    roles = dict.fromkeys(ADULT, "quasi-identifier")
    if model is not None:
        roles[SECRET] = "sensitive"
    return {
        "columns": {
            name: {
                "role": role,
                "hierarchy": {
                    "csv": str(FOLDER / f"adult_hierarchy_{name}.csv"),
                    "separator": ";",
                },
            }
            for name, role in roles.items()
        },
        "models": [{"name": "k-anonymity", "k": 5}, *([] if model is None else [model])],
        "method": {
            "algorithm": "optimal",
            "objective": "loss",
            "aggregate": "geometric-mean",
            "max_suppression": suppression,
        },
    }


def seconds_of(run: Callable[[], object]) -> float:
    """Return the processor seconds of a run."""
    started = time.process_time()
    run()
    return time.process_time() - started


def measure_call(case: str, runs: int) -> dict[str, Any]:
    """Call once, and then again and again."""
    import polars as pl

    import indistinct as ind
    from indistinct.tables.core.protocols import Deadline, no_progress
    from indistinct.tables.counting.preparation import prepare
    from indistinct.tables.policy.specification import resolve
    from indistinct.tables.search.finish import solve
    from indistinct.tables.search.lattice.optimal_search import Optimal

    policy = ind.Policy.from_words(policy_words(case))
    frame = pl.read_csv(FOLDER / "adult.csv", separator=";", infer_schema=False)
    frame = frame.select(list(policy.columns))
    manifest = ind.anonymize(frame, policy, seed=1).owner
    problem = prepare(frame, resolve(policy)).problem
    search = [
        seconds_of(lambda: solve(Optimal(), problem, Deadline(), no_progress)) for _ in range(runs)
    ]
    return {
        "call": median(
            [seconds_of(lambda: ind.anonymize(frame, policy, seed=1)) for _ in range(runs)]
        ),
        "search": median(search),
        "nodes": manifest["method"]["checked_nodes"],
        "loss": manifest["loss"]["loss"],
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


def measure_curve(runs: int) -> list[dict[str, Any]]:
    """Let `local` look at more and more items: Adult, k = 5, nothing suppressed."""
    from dataclasses import replace

    import polars as pl

    import indistinct as ind
    from indistinct.tables.core.protocols import Deadline, no_progress
    from indistinct.tables.counting.preparation import prepare
    from indistinct.tables.policy.specification import resolve
    from indistinct.tables.search.finish import solve
    from indistinct.tables.search.local import local_search
    from indistinct.tables.search.local.local import Local

    words = policy_words("5-anonymity") | {"method": {"algorithm": "local"}}
    policy = ind.Policy.from_words(words)
    frame = pl.read_csv(FOLDER / "adult.csv", separator=";", infer_schema=False)
    problem = prepare(frame.select(list(policy.columns)), resolve(policy)).problem
    usual = local_search.EFFORTS["default"]
    found: list[dict[str, Any]] = []
    for work in (0, *WORKS):
        local_search.EFFORTS["default"] = replace(usual, work=work)
        kind = Local("default" if work else "fast", threads=1)
        losses: list[float] = []

        def run(kind: Local = kind, losses: list[float] = losses) -> None:
            solution = solve(kind, problem, Deadline(), no_progress)
            losses.append(problem.objective.evaluate(solution.recoding))

        if not found:
            run()
        seconds = median([seconds_of(run) for _ in range(runs)])
        found.append({"work": work, "seconds": seconds, "loss": losses[-1]})
    return found


def measure_cold(case: str, packages: dict[str, Path], runs: int) -> dict[str, dict[str, float]]:
    """Run the command in processes of their own, in turn with each package; and what it needs."""
    import tomli_w

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        words = policy_words("5-anonymity")
        for name in set(ADULT) - {*COMMANDS[case]}:
            words["columns"][name] = {"role": "sensitive" if name == SECRET else "insensitive"}
        (place / "policy.toml").write_text(tomli_w.dumps(words), encoding="utf-8")
        command = ["-m", "indistinct", "anonymize", str(FOLDER / "adult.csv")]
        command += ["--policy", str(place / "policy.toml"), "--out", str(place / "out.parquet")]
        command += ["--owner", str(place / "owner.json"), "--replace"]
        spent: dict[str, list[float]] = {name: [] for name in packages}
        least: list[float] = []
        for turn in range(runs + 1):
            for name, package in packages.items():
                seconds = seconds_of_child(package, command)
                # The first run writes bytecode and machine code.
                spent[name] += [seconds] if turn else []
            least.append(seconds_of_child(next(iter(packages.values())), ["-c", IMPORT]))
    whole = {name: median(seconds) for name, seconds in spent.items()}
    return {
        name: {"call": seconds, "search": seconds - median(least)}
        for name, seconds in whole.items()
    }


def seconds_of_child(package: Path, words: list[str]) -> float:
    """Return the processor seconds of a Python process that succeeds."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        [sys.executable, *words],
        env=kept | {"PYTHONPATH": str(package)},
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"a process ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def in_a_process(package: Path, case: str, runs: int) -> Any:
    """Measure a case with the package of a checkout."""
    command = [sys.executable, __file__, "--one", case, "--runs", str(runs)]
    environment = os.environ | {"PYTHONPATH": str(package)}
    found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(found.stdout)


def rows_of(case: str, packages: dict[str, Path], runs: int) -> str:
    """Measure a case with each package; give the rows of the table."""
    lines: list[str] = []
    cold = measure_cold(case, packages, runs) if case in COMMANDS else {}
    for name, package in packages.items():
        found = cold.get(name) or in_a_process(package, case, runs)
        facts = (
            f"{found['nodes']:,} | {found['loss']:.6f} | {found['peak_mb']:.0f}"
            if "nodes" in found
            else "- | - | -"
        )
        lines.append(f"| {case} | {name} | {found['call']:.2f} | {found['search']:.3f} | {facts} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def main() -> None:
    """Print the tables, or write them into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    needed(FOLDER / "adult.csv")
    if given.one is not None:
        is_curve = given.one == MARKS["curve"]
        measured = measure_curve(given.runs) if is_curve else measure_call(given.one, given.runs)
        print(json.dumps(measured))
        return
    packages = {"now": ROOT / "src"}
    if given.against is not None:
        packages = {"before": given.against / "src", **packages}
    heads = "| models | version | call, s | search, s | nodes counted | loss | peak, MB |"
    lines = [heads, "|---" * 7 + "|"]
    lines += [
        rows_of(case, packages, given.runs)
        for case in (*CASES, *COMMANDS)
        if re.search(given.only, case)
    ]
    if len(lines) > 2:
        show("\n".join(lines), given.write, MARKS["calls"])
    if re.search(given.only, MARKS["curve"]):
        curve = in_a_process(ROOT / "src", MARKS["curve"], max(1, given.runs // 2))
        lines = ["| items looked at | search, s | loss |", "|---|---|---|"]
        lines += [
            f"| {one['work']:,} | {one['seconds']:.2f} | {one['loss']:.5f} |" for one in curve
        ]
        show("\n".join(lines), given.write, MARKS["curve"])


if __name__ == "__main__":
    main()
