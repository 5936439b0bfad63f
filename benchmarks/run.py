"""Measure speed, memory and loss; one JSON line per case.

    python benchmarks/run.py [--all] [--only PATTERN] [--write docs/benchmarks.md]

Every case runs in a process of its own, whose peak memory is read when it ends. Times are the best
of several runs. The unit is one bare Polars ``group_by(columns).len()`` of the same columns in the
same process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cases import ROOT, Case, all_cases, table_of, words_of

RESULTS = ROOT / "benchmarks" / "results"
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
REPEATS, ENOUGH_SECONDS = 7, 20.0
FILES = {
    "data": "data.csv",
    "policy": "policy.toml",
    "out": "release.parquet",
    "owner": "owner.json",
}
LIBRARIES = ("numba", "numpy", "polars")


def main() -> None:
    arguments = parsed()
    if arguments.one is not None:
        case = Case(**json.loads(arguments.one))
        print(json.dumps(measure_cold(case) if case.cold else measure_warm(case)))
        return
    RESULTS.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%dT%H%M%S")
    file = RESULTS / f"{stamp}.jsonl"
    lines: list[dict[str, Any]] = []
    for case in all_cases(largest=arguments.all):
        if re.search(arguments.only, case.name):
            lines.append(measured(case))
            print(row(lines[-1]), flush=True)
            with file.open("a", encoding="utf-8") as output:
                output.write(json.dumps(lines[-1]) + "\n")
    print(f"wrote {file.relative_to(ROOT)}")
    if arguments.write is not None:
        write_table(Path(arguments.write), lines, arguments.note)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure speed, memory and loss.")
    parser.add_argument("--all", action="store_true", help="tables of ten million records, too")
    parser.add_argument("--only", default="", help="cases whose name this pattern finds")
    parser.add_argument("--write", help="the page that gets the table")
    parser.add_argument("--note", default="", help="a sentence about the circumstances")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    return parser.parse_args()


def measured(case: Case) -> dict[str, Any]:
    """Run a case in a process of its own."""
    command = [sys.executable, __file__, "--one", json.dumps(asdict(case))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{case.name}: {done.stderr}")
    return {"case": case.name, "rows": case.rows, "columns": case.columns, "k": case.k,
            "cold": case.cold, "method": case.method,
            **json.loads(done.stdout), **surroundings()}  # fmt: skip


def surroundings() -> dict[str, Any]:
    """Return what it was measured with."""
    from importlib.metadata import version

    return {
        "versions": {name: version(name) for name in LIBRARIES},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }


def seconds_of(run: Callable[[], Any]) -> float:
    """Time one call."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def measure_warm(case: Case) -> dict[str, Any]:
    """Measure search and whole in a process that has compiled everything."""
    import indistinct as ind
    from indistinct.tables.reading.column_types import with_types

    names = list(words_of(case)["columns"])
    policy = ind.Policy.from_words(words_of(case))
    frame = table_of(case).select(names)
    if case.table != "made-up":
        frame = with_types(frame, ("",))  # as the command reads it
    ind.anonymize(frame.head(5_000), policy.with_words({"method": {"max_suppression": 1.0}}))
    units: list[float] = []
    wholes: list[float] = []
    searches: list[float] = []
    # By turns, so that a busy moment of the machine meets the unit as well.
    while len(wholes) < REPEATS and sum(wholes) < ENOUGH_SECONDS:
        units += [seconds_of(lambda: frame.group_by(names).len()) for _ in range(3)]
        started = time.perf_counter()
        manifest = ind.anonymize(frame, policy, seed=1).owner
        wholes.append(time.perf_counter() - started)
        searches.append(manifest["method"]["seconds"])
    group_by, whole = min(units), min(wholes)
    return {
        "group_by_seconds": group_by,
        "search_seconds": min(searches),
        "search_ratio": min(searches) / group_by,
        "seconds": whole,
        "ratio": whole / group_by,
        "peak_mb": peak_mb(resource.RUSAGE_SELF),
        **facts(manifest),
    }


def measure_cold(case: Case) -> dict[str, Any]:
    """Measure the whole command, its compiled code kept by an earlier run and not."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        group_by, words = prepare_files(case, place)
        (place / "policy.toml").write_text(toml(words), encoding="utf-8")
        first, _ = best_of_command(place, {"NUMBA_CACHE_DIR": f"{folder}/compiled"}, repeats=1)
        again, usage = best_of_command(place, {"NUMBA_CACHE_DIR": f"{folder}/compiled"}, repeats=3)
        manifest = json.loads((place / "owner.json").read_text("utf-8"))
    return {
        "group_by_seconds": group_by,
        "search_seconds": manifest["method"]["seconds"],
        "search_ratio": manifest["method"]["seconds"] / group_by,
        "seconds": again,
        "ratio": again / group_by,
        "first_seconds": first,
        "peak_mb": usage,
        **facts(manifest),
    }


def prepare_files(case: Case, place: Path) -> tuple[float, dict[str, Any]]:
    """Write the input in a process that ends, so that its memory is not counted."""
    code = (
        "import json, sys, time\n"
        "from cases import Case, table_of, words_of\n"
        "case = Case(**json.loads(sys.argv[1]))\n"
        "words = words_of(case)\n"
        "names = list(words['columns'])\n"
        "frame = table_of(case).select(names)\n"
        "frame.write_csv(sys.argv[2])\n"
        "times = []\n"
        "for _ in range(7):\n"
        "    started = time.perf_counter()\n"
        "    frame.group_by(names).len()\n"
        "    times.append(time.perf_counter() - started)\n"
        "print(json.dumps([min(times), words]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(asdict(case)), str(place / "data.csv")],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": python_path()},
    )
    group_by, words = json.loads(done.stdout)
    return group_by, words


def python_path() -> str:
    """Let processes find these scripts and what this one finds."""
    return os.pathsep.join([str(ROOT / "benchmarks"), *filter(None, sys.path[1:])])


def as_installed() -> dict[str, str]:
    """Let Python keep the bytecode of the modules, as it does of what is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(RESULTS / "bytecode")}


def best_of_command(place: Path, environment: dict[str, str], repeats: int) -> tuple[float, float]:
    """Run the command; give the least seconds, and the peak memory in MB."""
    files = {word: str(place / name) for word, name in FILES.items()}
    command = [sys.executable, "-m", "indistinct", "anonymize", files["data"]]
    command += ["--policy", files["policy"], "--out", files["out"]]
    command += ["--owner", files["owner"]]
    least, peak = float("inf"), 0.0
    for _ in range(repeats):
        started = time.perf_counter()
        process = subprocess.Popen(
            command, env={**as_installed(), **environment}, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        least = min(least, time.perf_counter() - started)
        peak = max(peak, megabytes(usage.ru_maxrss))
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"the command ended with {process.returncode}")
    return least, peak


def peak_mb(who: int) -> float:
    """Return the peak memory of a process."""
    return megabytes(resource.getrusage(who).ru_maxrss)


def megabytes(maximum: int) -> float:
    """Linux counts kilobytes, macOS bytes."""
    return maximum / (1_000_000 if sys.platform == "darwin" else 1_000)


def facts(manifest: dict[str, Any]) -> dict[str, Any]:
    """Take from a manifest what a figure is worthless without."""
    method = manifest["method"]
    return {
        "loss": manifest["loss"][method["objective"]],
        "objective": method["objective"],
        "optimal": method.get("optimal", False),
        "lattice_nodes": method.get("lattice_nodes"),
        "checked_nodes": method.get("checked_nodes"),
        "transformation": method.get("transformation"),
        "suppressed": manifest["records"]["suppressed"],
    }


def toml(words: dict[str, Any]) -> str:
    """Write a policy; JSON's texts, numbers and lists are TOML's."""
    lines: list[str] = []
    for name, column in words["columns"].items():
        lines += [f"[columns.{json.dumps(name)}]", f"role = {json.dumps(column['role'])}"]
        if rule := column.get("hierarchy"):
            inline = ", ".join(f"{word} = {json.dumps(value)}" for word, value in rule.items())
            lines.append(f"hierarchy = {{ {inline} }}")
    for model in words["models"]:
        lines += ["[[models]]", *(f"{word} = {json.dumps(v)}" for word, v in model.items())]
    lines += ["[method]", *(f"{word} = {json.dumps(v)}" for word, v in words["method"].items())]
    return "\n".join(lines) + "\n"


HEADER = (
    "| case | records | columns | k | group_by, ms | search | whole | seconds | peak, MB | "
    "loss | proven | nodes counted |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def row(line: dict[str, Any]) -> str:
    """Write one line of the table."""
    nodes = "-"
    if line["lattice_nodes"] is not None:
        nodes = f"{line['checked_nodes']:,} of {line['lattice_nodes']:,}"
    first = f" (first run {line['first_seconds']:.1f})" if "first_seconds" in line else ""
    cells = (
        line["case"],
        f"{line['rows']:,}",
        line["columns"],
        line["k"],
        f"{line['group_by_seconds'] * 1000:.2f}",
        f"{line['search_ratio']:.1f}x",
        f"{line['ratio']:.1f}x",
        f"{line['seconds']:.2f}{first}",
        f"{line['peak_mb']:.0f}",
        f"{line['loss']:.6f}",
        "yes" if line["optimal"] else "no",
        nodes,
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def write_table(page: Path, lines: list[dict[str, Any]], note: str) -> None:
    """Put the table between the markers of a page."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    known = surroundings()
    libraries = ", ".join(f"{name} {number}" for name, number in known["versions"].items())
    made_with = (
        f"Measured on {known['machine']} with {known['processors']} processors, "
        f"Python {known['python']}, {libraries}."
    )
    made_with = f"{made_with} {note}".strip()
    table = "\n".join([HEADER, *(row(line) for line in lines)])
    page.write_text(f"{before}{BEGIN}\n{made_with}\n\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
