"""Kill, starve and interrupt every command that writes, and count what is lost.

    python benchmarks/faults.py [--kills N] [--seed S] [--only sweep,report,...] [--add PAGE]

Half of the kills come at moments spread evenly over the time of a run, the others just before steps
of writing, spread evenly over these.

A run is *lost* where it leaves a file that is neither the old one nor a whole new one, a ledger or
a history that cannot be read, or a file that a reader would take for a release and that is none. A
pair of an old release and a new manifest, which every reader refuses, counts as *refused*.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from pathlib import Path

# Loaded before any run is forked, and never run here: a fork of threads that work would hang.
import duckdb  # noqa: F401
import numba  # noqa: F401
import opendp.prelude  # noqa: F401
import polars as pl  # noqa: F401

import indistinct.frontends.cli.main
import indistinct.frontends.report.write
import indistinct.graph.release
import indistinct.questions.database.session
import indistinct.questions.synthesis.request
import indistinct.tables.publish.release
import indistinct.tables.search.lattice.optimal_search
import indistinct.tables.search.local.local_search
from fault_cases import JOBS, POLICIES, Job
from fault_setups import SETUPS
from fault_steps import Stages, spread
from fault_table import STEP, Tally, added, lost_in, sum_of
from what_is_left import given_out, judged, leftovers, state

STUCK = -1000  # the exit code of a run that had to be ended
IDLE = 60.0  # seconds in which a run that waits for ever does nothing
LONGEST = 300  # seconds of a processor
ASK_WHERE = signal.SIGUSR1  # on which a run writes down where all its threads are


# --- running ---


def run(words: str, folder: Path, prepare: Callable[[], None] | None = None) -> int:
    """Start a command, or several that follow one another, in a forked process; give its number."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(folder)
        nowhere = os.open(folder / ".said", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        faulthandler.register(ASK_WHERE, file=nowhere)
        if prepare is not None:
            prepare()
        os._exit(carried_out(words))
    finally:
        os._exit(99)


def carried_out(commands: str) -> int:
    """Run commands joined by ``&&`` in this process; give the exit code of the last that ran."""
    for words in commands.split(" && "):
        setup = SETUPS.get(words)
        if setup is not None:
            setup()
            continue
        code = indistinct.frontends.cli.main.status(shlex.split(words), show_values=False)
        if code:
            return code
    return 0


def ended(child: int, idle: float = IDLE) -> int:
    """Wait for a process; give its exit code, negative where a signal ended it.

    A process that does nothing for so many seconds waits for ever, and one that works for minutes
    goes round for ever. It is asked where, and ended. One that is slow beside others is left alone.
    """
    worked, since = -1, time.monotonic()
    while True:
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(code)
        time.sleep(0.005)
        if (now := _worked(child)) != worked:
            worked, since = now, time.monotonic()
        if time.monotonic() - since > idle or worked > LONGEST * os.sysconf("SC_CLK_TCK"):
            break
    os.kill(child, ASK_WHERE)
    time.sleep(0.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return STUCK


def _worked(child: int) -> int:
    """Return the ticks of a processor that a process and its children that ended have had."""
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def ready(folder: Path, job: Job) -> Path:
    """Make a folder in which a command can run."""
    import numpy as np

    folder.mkdir()
    for name, text in POLICIES.items():
        (folder / f"{name}.toml").write_text(text)
    assert ended(run("sample patients --rows 300 --seed 5 --out patients.csv", folder)) == 0
    header, *rows = (folder / "patients.csv").read_text().splitlines()
    places = [header.split(",").index(n) for n in ("sex", "postcode", "height_cm", "diagnosis")]
    lines = [",".join(row.split(",")[at] for at in places) for row in (header, *rows)]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    chance = np.random.default_rng(4)
    people = [f"{n},{chance.integers(20, 60)},{'abcdef'[n % 6]}" for n in range(60)]
    (folder / "people.csv").write_text("id,age,ill\n" + "\n".join(people) + "\n")
    sets = [f"{n},{'abc'[n % 3]};{'de'[n % 2]};{'fgh'[n // 20]}" for n in range(60)]
    (folder / "sets.csv").write_text("id,codes\n" + "\n".join(sets) + "\n")
    edges = [f"{v},{(v + step) % 60}" for v in range(60) for step in (1, 3 + v % 4)]
    (folder / "g.csv").write_text("source,target\n" + "\n".join(edges) + "\n")
    for words in job.before:
        code = ended(run(words, folder))
        assert code == 0, (words, (folder / ".said").read_text()[-800:])
    return folder


def restarted(folder: Path, job: Job) -> str:
    """Run the command once more, undisturbed: nothing that was left may stand in its way."""
    code = ended(run(job.command, folder))
    return "whole" if code == 0 else f"does not run again: exit code {code}"


# --- faults ---


def moments(times: int, chance: random.Random) -> list[float]:
    """Choose when to interrupt, as shares of the time of a run: one out of each equal part."""
    return [0.03 + 1.1 * (turn + chance.random()) / times for turn in range(times)]


def kills(job: Job, base: Path, times: int, chance: random.Random, number: int) -> Counter[str]:
    """Send a signal at moments spread evenly over the run."""
    found: Counter[str] = Counter()
    started = time.monotonic()
    tried_once(job, base)
    whole = time.monotonic() - started
    for turn, moment in enumerate(moments(times, chance)):
        with cut_off(job, base, found, is_tried_again=turn % 10 == 0) as folder:
            started = time.monotonic()
            child = run(job.command, folder)
            time.sleep(whole * moment)
            os.kill(child, number)
            code = ended(child)
            # A quiet machine now and a busy one before: keep to how long a run takes at present.
            took = time.monotonic() - started
            whole = 0.8 * whole + 0.2 * took if code == 0 else whole
            found["cut off"] += code != 0
    return found


def kills_at_steps(job: Job, base: Path, times: int, chance: random.Random) -> Counter[str]:
    """Kill runs just before steps of writing spread evenly over all."""
    found: Counter[str] = Counter()
    steps = Stages()
    tried_once(job, base, steps.watching())
    chosen = spread(steps.count, times, chance) if steps.count else []
    for turn, step in enumerate(chosen):
        with cut_off(job, base, found, is_tried_again=turn % 4 == 0) as folder:
            code = ended(run(job.command, folder, steps.watching(step)))
            found["cut off"] += code != 0
    return found


def tried_once(job: Job, base: Path, prepare: Callable[[], None] | None = None) -> None:
    """Let a command run to its end."""
    trial = base.with_name("trial")
    shutil.copytree(base, trial)
    code = ended(run(job.command, trial, prepare))
    assert code == 0, (code, (trial / ".said").read_text()[-800:])
    removed(trial)


@contextmanager
def cut_off(job: Job, base: Path, found: Counter[str], *, is_tried_again: bool) -> Generator[Path]:
    """Return a folder to a run that is cut off, and judge what it leaves there."""
    folder, before = base.with_name("run"), state(base)
    shutil.copytree(base, folder)
    yield folder
    until_java_ends(folder)
    found["tries"] += 1
    found[judged(folder, before)] += 1
    found["answers out"] += given_out(folder / ".said").total()
    found["hidden files left"] += bool(leftovers(folder))
    if (is_tried_again or job.is_cleaned) and not job.is_remembered:
        found["ran again"] += 1
        again = restarted(folder, job)
        until_java_ends(folder)
        found[again] += again != "whole"
        left = leftovers(folder) if job.is_cleaned else []
        found["leaves something"] += bool(left)
        for name in left:
            print(job.name, "leaves", name, flush=True)
    removed(folder)


def until_java_ends(folder: Path) -> None:
    """Wait until the Java of a run that has ended has removed what it kept, or never will."""
    until = time.monotonic() + IDLE / 2
    while (folder / ".spark").is_dir() and any((folder / ".spark").iterdir()):
        if time.monotonic() > until:
            return
        time.sleep(0.1)


def removed(folder: Path) -> None:
    """Remove a folder, from which the Java of a killed run may still remove files of its own."""
    until = time.monotonic() + IDLE
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=time.monotonic() < until)
        time.sleep(0.01)


def once(
    job: Job, base: Path, prepare: Callable[[], None] | None, *, folder: Path | None = None
) -> str:
    """Run once under a fault; the command succeeds, or says in words why not, and loses nothing."""
    place = folder or base.with_name("once")
    shutil.copytree(base, place, dirs_exist_ok=True)
    before = state(place)
    code = ended(run(job.command, place, prepare))
    until_java_ends(place)
    left = judged(place, before)
    said = (place / ".said").read_text()
    if folder is None:
        shutil.rmtree(place, ignore_errors=True)
    if left not in {"whole", "refused"}:
        return left
    if code in {0, 2, 3, 130, 143} and "Traceback" not in said:
        return left
    if code == STUCK:
        print(said, flush=True)
        return f"{left}, stuck"
    # The kernel or the library that ran out of memory may end the process; nothing is then lost.
    return f"{left}, no words (exit code {code})"


def sized(limit: int) -> Callable[[], None]:
    """Let no file be larger than so many bytes."""

    def set_limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return set_limit


def starved(limit: int) -> Callable[[], None]:
    """Give so many bytes of memory beyond what is taken."""

    def set_limit() -> None:
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
        resource.setrlimit(resource.RLIMIT_AS, (taken + limit, taken + limit))

    return set_limit


def without_links() -> None:
    """Work on a file system that has neither hard links nor files without a name."""
    import errno

    kept = os.open

    def opening(path: object, flags: int, *rest: object, **words: object) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, "no such files")
        return kept(path, flags, *rest, **words)

    def linking(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links")

    os.open, os.link = opening, linking


def jumping() -> None:
    """Let the clock of the day jump back and forth at every look, in whatever way it is read."""
    kept, turns = time.time, iter(range(10**9))
    time.time = lambda: kept() + (-1) ** next(turns) * 10**7

    class Jumping(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.fromtimestamp(time.time(), tz)

    for name, module in list(sys.modules.items()):
        if name.startswith("indistinct.") and vars(module).get("datetime") is datetime:
            module.datetime = Jumping


def on_a_small_disk(job: Job, base: Path, size: int) -> str:
    """Run on a disk of so many bytes beyond what stands on it."""
    place = base.with_name("disk")
    place.mkdir()
    taken = sum(one.stat().st_size + 4096 for one in base.rglob("*")) + size
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={taken}", "tmpfs", str(place)],
        check=False, capture_output=True,
    )  # fmt: skip
    if done.returncode:
        place.rmdir()
        return "not tried: mounting is not allowed"
    try:
        return once(job, base, None, folder=place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
        place.rmdir()


def read_only(job: Job, base: Path) -> str:
    """Run in a folder into which nothing can be written, for root neither."""
    place = base.with_name("closed")
    shutil.copytree(base, place)
    (place / ".said").touch()
    mount = ["mount", "--bind", str(place), str(place)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        shutil.rmtree(place)
        return "not tried: mounting is not allowed"
    subprocess.run(["mount", "-o", "remount,ro,bind", str(place)], check=True)
    try:
        before = state(place)
        code = ended(_quiet(job, place))
        return "whole" if code in {0, 2} and state(place) == before else f"exit code {code}"
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)
        shutil.rmtree(place)


def _quiet(job: Job, place: Path) -> int:
    """Start where not even what it says can be written."""
    child = os.fork()
    if child:
        return child
    try:
        os.chdir(place)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os._exit(carried_out(job.command))
    finally:
        os._exit(99)


def two_at_once(job: Job, base: Path) -> str:
    """Let two runs write to one place."""
    place = base.with_name("two")
    shutil.copytree(base, place)
    before = state(place)
    codes = {ended(child) for child in [run(job.command, place) for _ in range(2)]}
    left = judged(place, before)
    shutil.rmtree(place)
    return left if codes <= {0, 2, 3} else f"{left}, exit codes {sorted(codes)}"


FAULTS: dict[str, Callable[[Job, Path, random.Random], str]] = {
    "files of at most 100 bytes to 60 kB": lambda job, base, chance: once(
        job, base, sized(chance.choice([100, 4096, 60_000]))
    ),
    "a disk with 0 to 64 kB left": lambda job, base, chance: on_a_small_disk(
        job, base, chance.choice([0, 8192, 65_536])
    ),
    "a folder that is read-only": lambda job, base, _: read_only(job, base),
    "16 to 512 MB of memory": lambda job, base, chance: once(
        job, base, starved(chance.choice([16, 64, 512]) << 20)
    ),
    "no hard links, no nameless files": lambda job, base, _: once(job, base, without_links),
    "a clock that jumps by months": lambda job, base, _: once(job, base, jumping),
    "two runs to one place": lambda job, base, _: two_at_once(job, base),
}
SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT,
           "SIGHUP": signal.SIGHUP}  # fmt: skip


def load_kept_loops() -> None:
    """Load compiled loops once, as the tests' forked processes do."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
    import warmed

    warmed.load_kept_loops()


def tried(job: Job, given: argparse.Namespace, chance: random.Random, n_kills: int) -> Tally:
    """Try every fault on one command."""
    total: dict[tuple[str, str], Counter[str]] = {}

    def noted(name: str, found: Counter[str]) -> None:
        total[name, job.name] = found
        print(job.name, name, dict(found), flush=True)

    with tempfile.TemporaryDirectory() as place:
        base = ready(Path(place) / "base", job)
        counts = {"SIGKILL": n_kills - n_kills // 2}
        for name, number in SIGNALS.items():
            if times := counts.get(name, given.signals):
                noted(name, kills(job, base, times, chance, number))
        if n_kills > 1:
            noted(STEP, kills_at_steps(job, base, n_kills // 2, chance))
        for name, fault in FAULTS.items():
            if given.faults not in name:
                continue
            found = Counter[str]()
            for _ in range(given.times):
                found.update(["tries", fault(job, base, chance)])
            if given.times:
                noted(name, found)
    return total


def chosen_jobs(only: str) -> list[Job]:
    """Return the jobs of these names, and where a word is no name, those whose names contain it."""
    names = {job.name for job in JOBS}
    words = only.split(",")
    return [
        job
        for job in JOBS
        if any(job.name == word or (word not in names and word in job.name) for word in words)
    ]


def main() -> int:
    """Try everything; print the table; 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all, over all commands")
    parser.add_argument("--signals", type=int, default=5, help="of each other kind, per command")
    parser.add_argument("--times", type=int, default=3, help="each other fault, per command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", default="", help="names of jobs or parts of them, comma-separated"
    )
    parser.add_argument("--faults", default="", help="the other faults whose names contain this")
    parser.add_argument("--add", type=Path, help="the page whose tables get these trials, too")
    given = parser.parse_args()
    load_kept_loops()
    chance = random.Random(given.seed)
    jobs = chosen_jobs(given.only)
    total: dict[tuple[str, str], Counter[str]] = {}
    for job in jobs:
        found = tried(job, given, chance, -(-given.kills // len(jobs)))
        total |= found
        if given.add is not None:
            given.add.write_text(added(given.add.read_text("utf-8"), found, given.seed), "utf-8")
    print(f"\nload average {os.getloadavg()[0]:.0f}")
    for name in dict.fromkeys(name for name, _ in total):
        print(f"{name}: {dict(sum_of(total, name))}")
    return int(any(lost_in(found) for found in total.values()))


if __name__ == "__main__":
    sys.exit(main())
