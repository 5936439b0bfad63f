"""The first run after an installation: wall time, and what each compiled loop costs.

    python benchmarks/first_run.py [--only WORD] [--loops N] [--repeat N]

Each case is one command in a process of its own that finds no compiled code (an empty
NUMBA_CACHE_DIR). CPU time is what other work on the machine does not change. Loops are listed by
their own CPU time, without that of the loops they call.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROWS = 2_000
VERTICES, EDGES_PER_VERTEX = 300, 4
# Microaggregation is no algorithm but a way of protecting columns, which a policy asks for.
MASKED = """
[columns]
name = { role = "identifier" }
birth_date = { role = "quasi-identifier", protect = { name = "microaggregation", k = 5 } }
height_cm = { role = "quasi-identifier", protect = { name = "microaggregation", k = 5 } }
postcode = { role = "insensitive" }
sex = { role = "insensitive" }
occupation = { role = "insensitive" }
insurance = { role = "insensitive" }
weight_kg = { role = "insensitive" }
diagnosis = { role = "sensitive" }
admission_date = { role = "insensitive" }

[[models]]
name = "k-anonymity"
k = 5
"""
# Started with the parts of a command: runs it, then tells what was compiled on the way.
CHILD = """
import json, os, sys, time
from numba.core.event import Listener, register
from indistinct.frontends.cli.main import run

class Recorder(Listener):
    stack, loops = [], {}
    def on_start(self, event):
        self.stack.append([time.thread_time(), 0.0])
    def on_end(self, event):
        began, inner = self.stack.pop()
        whole = time.thread_time() - began
        function = event.data["dispatcher"].py_func
        name = function.__module__.removeprefix("indistinct.") + "." + function.__qualname__
        self.loops.setdefault(name, []).append((whole - inner, str(event.data["args"])))
        if self.stack:
            self.stack[-1][1] += whole

register("numba:compile", Recorder())
sys.argv = ["indistinct", *sys.argv[2:]]
status = 0
try:
    run()
except SystemExit as end:
    status = end.code or 0
cpu = time.process_time()
with open(os.environ["FIRST_RUN_REPORT"], "w") as file:
    json.dump({"status": status, "cpu": cpu, "loops": Recorder.loops}, file)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose name has this word")
    parser.add_argument("--loops", type=int, default=0, help="loops to list per case")
    parser.add_argument("--signatures", action="store_true", help="list what each is compiled for")
    parser.add_argument("--repeat", type=int, default=1, help="the least of so many runs counts")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        commands = cases(home)
        for name, command in commands.items():
            if asked.only in name:
                runs = [first_run(command, home) for _ in range(asked.repeat)]
                show(name, min(runs, key=lambda run: run["seconds"]), asked)


def cases(home: Path) -> dict[str, list[str]]:
    """Write the inputs, and give the commands by name."""
    make(["sample", "patients", "--rows", str(ROWS), "--out", "patients.csv"], home)
    make(["inspect", "patients.csv", "--draft", "policy.toml"], home)
    make(["sample", "register", "--rows", str(ROWS), "--out", "register.csv"], home)
    write_graph(home / "friends.csv")
    table = ["anonymize", "patients.csv", "--policy", "policy.toml", "--seed", "1"]
    table += ["--max-suppression", "0.5", "--out"]
    found = {
        f"anonymize, {algorithm}": [*table, "release.csv", "--algorithm", algorithm]
        for algorithm in (
            "optimal", "mondrian", "local", "k-member", "adaptive", "cell-suppression",
        )
    }  # fmt: skip
    make(found["anonymize, optimal"], home)
    (home / "masked.toml").write_text(MASKED, encoding="utf-8")
    found["anonymize, microaggregation"] = ["anonymize", "patients.csv", "--policy", "masked.toml"]
    found["anonymize, microaggregation"] += ["--seed", "1", "--out", "masked.csv"]
    found["assess"] = ["assess", "release.csv", "--policy", "policy.toml"]
    found["attack"] = ["attack", "patients.csv", "--policy", "policy.toml", "--seed", "1"]
    found["attack"] += ["--register", "register.csv"]
    graph = ["graph", "anonymize", "friends.csv", "--seed", "1", "--out", "out.csv"]
    graph += ["--crosswalk", "secret.csv", "--k", "2", "--max-loss", "20", "--model"]
    for model in ("k-degree", "k-neighborhood", "grouping"):
        found[f"graph anonymize, {model}"] = [*graph, model]
    make(found["graph anonymize, k-degree"], home)
    found["graph inspect"] = ["graph", "inspect", "friends.csv"]
    found["graph assess"] = ["graph", "assess", "out.csv", "--original", "friends.csv"]
    found["graph assess"] += ["--crosswalk", "secret.csv"]
    found["graph attack"] = ["graph", "attack", "friends.csv", "--model", "k-degree", "--k", "2"]
    return found


def write_graph(path: Path) -> None:
    """Write a graph in which new vertices like popular ones (Barabasi and Albert)."""
    draw = random.Random(1)
    ends = list(range(EDGES_PER_VERTEX))
    edges: list[tuple[int, int]] = []
    for vertex in range(EDGES_PER_VERTEX, VERTICES):
        friends = sorted({draw.choice(ends) for _ in range(EDGES_PER_VERTEX)})
        edges += [(vertex, friend) for friend in friends]
        ends += [vertex] * len(friends) + friends
    lines = "".join(f"{one},{other}\n" for one, other in edges)
    path.write_text("source,target\n" + lines, encoding="utf-8")


def make(command: list[str], home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "indistinct", *command],
        cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")


def first_run(command: list[str], home: Path) -> dict[str, Any]:
    """Return the time of a command that finds nothing compiled, and what it compiled."""
    report = home / "report.json"
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "FIRST_RUN_REPORT": str(report)}
        environment.setdefault("NUMBA_CPU_NAME", "generic")  # the child loads numba before it
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", CHILD, "-", *command],
            cwd=home, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        seconds = time.perf_counter() - began
    if not report.exists():
        sys.exit(done.stderr)
    found = json.loads(report.read_text(encoding="utf-8"))
    if found["status"]:
        print(f"  exit code {found['status']}: {done.stderr[-300:]}")
    return {"seconds": seconds, **found}


def show(name: str, run: dict[str, Any], asked: argparse.Namespace) -> None:
    loops = run["loops"]
    totals = {loop: sum(each for each, _ in compiled) for loop, compiled in loops.items()}
    n_ours = sum(1 for loop in totals if not loop.startswith("numba"))
    print(
        f"{name:<32} {run['seconds']:5.1f} s, {run['cpu']:5.1f} s of CPU, "
        f"{sum(totals.values()):5.1f} s of it compiling: "
        f"{n_ours} loops, {sum(map(len, loops.values()))} signatures",
        flush=True,
    )
    for loop in sorted(totals, key=totals.__getitem__, reverse=True)[: asked.loops]:
        print(f"    {totals[loop]:6.2f} s  {len(loops[loop])} x  {loop}")
        if asked.signatures:
            for each, words in loops[loop]:
                print(f"               {each:6.2f}  {words}")


if __name__ == "__main__":
    main()
