"""Change the program in one place, run the tests of that place, and see whether they notice.

Start it with ``make mutants [SEED=7] [SAMPLE=60] [ROOMS=models,metrics]``. A process loads the
program once. Forks of it first watch which tests run which lines; then each mutant is put into a
fork, which runs the tests of the changed lines, the quickest first, for a minute at most. Nothing
is written but what was watched. A mutant is killed when a test fails, or runs for ever.
"""

import argparse
import ast
import gc
import os
import random
import secrets
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # beside other work, threads wait for each other
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # each takes its time in every fork

# Loaded before any child is forked, so that a mutant costs its tests alone.
import matplotlib as mpl  # noqa: F401
import opendp.prelude  # noqa: F401
import pyarrow.parquet  # noqa: F401
import scipy.stats  # noqa: F401

import warmed
from mutants.forks import NO_TESTS, Only, forked, pytest_run
from mutants.operators import Mutant, mutants
from mutants.page import Tried, unexplained, with_sample
from mutants.patching import put_in_place
from mutants.places import ROOMS, ROOT, files_of, module_of
from mutants.watching import Seen, watched

MINUTE = 60.0


def tried(file: Path, mutant: Mutant, seen: Seen, seconds: float = MINUTE) -> str:
    """Run the tests of a mutant: ``killed``, ``late``, ``survived`` or ``unseen`` by any test."""
    tests = (
        seen.tests(file, mutant.line, mutant.last_line)
        if mutant.is_in_a_body
        else seen.every_test()
    )
    total, chosen = 0.0, []
    for test in tests:
        total += seen.seconds[test]
        if total > seconds and chosen:
            break
        chosen.append(test)
    if not chosen:
        return "unseen"

    def work() -> int:
        put_in_place(file, mutant)
        first = chosen[0].partition("::")[0]
        soon = [test for test in chosen if test.startswith(first)]
        later = [test for test in chosen if not test.startswith(first)]
        for some in (soon, later):
            code = pytest_run([test.partition("::")[0] for test in some], Only(some)) if some else 0
            if code not in {0, NO_TESTS}:
                return code
        return 0

    code = forked(work, 3 * total + 10)
    return "late" if code is None else "killed" if code else "survived"


def drawn(
    rooms: list[str], sample: int, seed: int, files: str = ""
) -> list[tuple[str, Path, Mutant]]:
    """Draw mutants, as many of each room, of some of its files where these are named."""
    chance = random.Random(seed)
    chosen = []
    for room in rooms:
        every = [
            (room, file, mutant)
            for file in files_of(room)
            if not files or file.name in files.split(",")
            for mutant in mutants(file.read_text("utf-8"))
        ]
        chosen += chance.sample(every, min(max(sample // len(rooms), 1), len(every)))
    return chosen


def main() -> int:
    """Draw, try, and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    parser.add_argument("--seconds", type=float, default=MINUTE, help="of tests, for a mutant")
    parser.add_argument("--tests", default="", help="only these tests: unit/tables/history,...")
    parser.add_argument("--files", default="", help="only mutants of these files: verify.py,...")
    parser.add_argument("--at", default="", help="only these places: file.py:line,...")
    parser.add_argument("--write", type=Path, help="the page that gets the sample and survivors")
    parser.add_argument("--keep", type=Path, default=ROOT / ".mutants", help="what was watched")
    given = parser.parse_args()
    seed = secrets.randbelow(10**6) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    rooms = given.rooms.split(",")
    for file in [file for room in rooms for file in files_of(room)]:
        import_module(module_of(file))
    warmed.load_kept_loops()
    gc.freeze()
    found: list[Tried] = []
    known: dict[str, Seen] = {}
    for room, file, mutant in drawn(rooms, 10**6 if given.at else given.sample, seed, given.files):
        if given.at and f"{file.name}:{mutant.line}" not in given.at.split(","):
            continue
        if room not in known:
            known[room], failed = watched(room, given.keep, given.tests)
            print(f"{room}: {len(known[room].seconds)} tests; not usable: {failed}", flush=True)
        started = time.monotonic()
        said = tried(file, mutant, known[room], given.seconds)
        line = file.read_text("utf-8").splitlines()[mutant.line - 1].strip()
        place = f"{file.relative_to(ROOT)}:{mutant.line}"
        took = time.monotonic() - started
        now = ast.unparse(mutant.changed)
        found.append(Tried(room, said, f"{file.name}:{mutant.line}", f"{line} -> {now}"))
        print(f"{said} {place} {mutant.what}: {line} -> {now} ({took:.1f} s)", flush=True)
    print(f"load average {os.getloadavg()[0]:.0f}")
    for room in dict.fromkeys(one.room for one in found):
        counts = Counter(one.said for one in found if one.room == room)
        killed = counts["killed"] + counts["late"]
        print(
            f"{room}: {killed} of {counts.total()} killed ({killed / counts.total():.0%}), "
            f"{counts['late']} of them late; {counts['unseen']} in lines that no test runs"
        )
    if given.write is not None:
        page = with_sample(given.write.read_text("utf-8"), seed, given.tests, found)
        given.write.write_text(page, "utf-8")
        print("\n".join(unexplained(page)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
