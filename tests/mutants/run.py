"""Change the program in one place, run the tests of that file, and see whether they notice.

Start it with ``make mutants [SEED=7] [SAMPLE=60] [ROOMS=models,metrics]``. A process loads the
libraries once and forks a child for every mutant, whose import of the changed module gives the
mutant; nothing is written. A mutant is killed when a test fails, or when its tests take five times
as long as without it.
"""

import argparse
import ast
import importlib.machinery
import importlib.util
import os
import random
import secrets
import signal
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

# Loaded before any child is forked, so that a mutant costs its tests alone.
import hypothesis
import numba
import polars as pl
import pytest
import scipy.stats

from mutants.operators import Mutant, mutants

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/indistinct"
MINUTE = 60.0
# Where the tests of a room are; those of a file's own name run first.
ROOMS = {
    "models": ("models", ["unit/models", "contracts/test_models.py"]),
    "metrics": ("metrics", ["unit/metrics", "contracts/test_metrics.py"]),
    "mechanisms": ("mechanisms", ["unit/mechanisms"]),
    "verify": ("reader/verify", ["unit/reader", "property/test_reader_cells.py"]),
    "ledger": ("database", ["unit/database/test_ledger.py"]),
    "history": ("history", ["unit/history", "e2e/test_history_command.py", "unit/publish"]),
}
LEDGER = ("ledger.py", "stores/sqlite.py")
# What was loaded beforehand cannot explain its assertions, which nobody reads here.
OPTIONS = ["-x", "-q", "-m", "not slow and not postgres", "-p", "no:cacheprovider",
           "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # fmt: skip
NO_TESTS = 5  # pytest's word for nothing to run
LEFT_OUT = ("kernels.py", "__init__.py", "stores/postgres.py")


def files_of(room: str) -> list[Path]:
    """List the files of a room, without compiled loops, which a mutant would compile anew."""
    folder = SOURCE / ROOMS[room][0]
    found = [folder / name for name in LEDGER] if room == "ledger" else sorted(folder.glob("*.py"))
    return [file for file in found if not str(file).endswith(LEFT_OUT)]


def tests_of(room: str, file: Path) -> list[list[str]]:
    """Give the runs of tests that speak of a file, as words of pytest.

    First those of its name, else those that import it; then the contract of its family, for this
    member alone.
    """
    places = [ROOT / "tests" / place for place in ROOMS[room][1]]
    tests = [
        test
        for place in places
        for test in ([place] if place.is_file() else sorted(place.rglob("test_*.py")))
        if test.parent.name != "contracts"
    ]
    module = module_of(file)
    named = [test for test in tests if test.stem == f"test_{file.stem}"]
    speaking = [test for test in tests if module in test.read_text("utf-8")]
    contracts = [str(place) for place in places if place.parent.name == "contracts"]
    runs = [[str(test)] for test in dict.fromkeys([*named, *speaking])]
    runs += [[place, "-k", file.stem.replace("_", "-")] for place in contracts]
    return runs or [[str(test)] for test in tests]


def module_of(file: Path) -> str:
    """Name the module of a file."""
    return ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts)


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a mutant in place of what stands in the file."""

    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self.tree = tree

    def get_code(self, fullname: str) -> object:
        del fullname
        return compile(ast.fix_missing_locations(self.tree), self.path, "exec", dont_inherit=True)


class Finder:
    """Finds one module changed, and leaves all others to the usual ways."""

    def __init__(self, file: Path, tree: ast.Module) -> None:
        self.name, self.file, self.tree = module_of(file), str(file), tree

    def find_spec(self, name: str, *_: object) -> object:
        if name != self.name:
            return None
        loader = Changed(name, self.file, self.tree)
        return importlib.util.spec_from_file_location(name, self.file, loader=loader)


def tried(file: Path, tree: ast.Module | None, runs: list[list[str]], seconds: float) -> str:
    """Run tests against a mutant, or the program as it is: ``passed``, ``failed`` or ``late``."""
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            os.chdir(ROOT)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            if tree is not None:
                sys.meta_path.insert(0, Finder(file, tree))
            codes = (int(pytest.main([*OPTIONS, *words])) for words in runs)
            os._exit(next((code for code in codes if code not in {0, NO_TESTS}), 0))
        finally:
            os._exit(70)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            return "failed" if code else "passed"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "late"


def drawn(rooms: list[str], sample: int, seed: int) -> list[tuple[str, Path, Mutant]]:
    """Draw mutants, as many of each room."""
    chance = random.Random(seed)
    chosen = []
    for room in rooms:
        every = [
            (room, file, mutant)
            for file in files_of(room)
            for mutant in mutants(file.read_text("utf-8"))
        ]
        chosen += chance.sample(every, min(max(sample // len(rooms), 1), len(every)))
    chance.shuffle(chosen)  # so that a run that is cut short has tried some of each room
    return chosen


def main() -> int:
    """Draw, try, and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--seconds", type=float, default=MINUTE)
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    print(f"seed {seed}; loaded {len([hypothesis, numba, pl, scipy.stats])}", flush=True)
    limits: dict[Path, float] = {}
    counts: dict[str, Counter] = defaultdict(Counter)
    for room, file, mutant in drawn(given.rooms.split(","), given.sample, seed):
        runs = tests_of(room, file)
        if file not in limits:
            started = time.monotonic()
            is_fit = tried(file, None, runs, given.seconds) == "passed"
            # A mutant that runs for ever is killed; a busy machine must not look like one.
            limits[file] = 5 * (time.monotonic() - started) + 5 if is_fit else 0.0
        name = file.relative_to(ROOT)
        if not limits[file]:
            counts[room]["untried"] += 1
            print(f"untried {name}: its tests do not pass in time as it is", flush=True)
            continue
        said = tried(file, mutant.tree, runs, limits[file])
        counts[room][said] += 1
        line = file.read_text("utf-8").splitlines()[mutant.line - 1].strip()
        print(f"{said} {name}:{mutant.line} {mutant.what}: {line}", flush=True)
    print(f"load average {os.getloadavg()[0]:.0f}")
    for room, found in counts.items():
        killed = found["failed"] + found["late"]
        of = f"{killed} of {killed + found['passed']} killed"
        print(f"{room}: {of}, {found['late']} of them late; {found['untried']} untried")
    return 0


if __name__ == "__main__":
    sys.exit(main())
