"""Kill, starve and interrupt every command that writes, and count what is lost.

    python benchmarks/faults.py [--kills N] [--seed S] [--only sweep,report,...]

A run is *lost* where it leaves a file that is neither the old one nor a whole new one, a ledger or
a history that cannot be read, or a file that a reader would take for a release and that is none. A
pair of an old release and a new manifest, which every reader refuses, counts as *refused*.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

# Loaded before any run is forked, and never run here: a fork of threads that work would hang.
import numba  # noqa: F401
import polars as pl  # noqa: F401

import indistinct.cli.main
import indistinct.database.session
import indistinct.graph.release
import indistinct.publish.release
import indistinct.report.write
import indistinct.search.lattice.optimal
import indistinct.search.local.local_search
import indistinct.synthesis.synthesize

POLICY = """
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.height_cm]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.1
"""
MASKED = POLICY.replace(
    'role = "quasi-identifier"\nhierarchy = { intervals = [5, 10, 20] }',
    'role = "insensitive"\nprotect = { name = "round", base = 5 }',
)
HISTORY = """
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.ill]
role = "sensitive"
[history]
person = "id"
max_counterfeits = 9.0
[[models]]
name = "m-invariance"
column = "ill"
m = 2
[method]
algorithm = "invariant"
effort = "fast"
"""
PATIENTS = (
    "database init patients.csv --person name --epsilon 1000 --delta 1e-9 "
    "--bounds height_cm=140:210 --bounds weight_kg=40:160 --values sex=male,female "
    "--values insurance=public,private,none --declared --type height_cm=number "
    "--type weight_kg=number --type sex=text --type insurance=text --type birth_date=text "
    "--type postcode=text --type occupation=text --type admission_date=text "
    "--type diagnosis=text --step weight_kg=0.1 --out patients.toml"
)
ANONYMIZE = "anonymize data.csv --policy policy.toml --out out.csv"
KEPT = "--crosswalk cross.csv --owner owner.json"


@dataclass(frozen=True)
class Job:
    """A command that writes, and what makes ready for it."""

    name: str
    command: str
    before: tuple[str, ...] = ()


JOBS = (
    Job("anonymize", f"{ANONYMIZE} {KEPT}"),
    Job("anonymize over an old release", f"{ANONYMIZE} {KEPT}", (f"{ANONYMIZE} {KEPT}",)),
    Job(
        "anonymize with masks",
        "anonymize data.csv --policy masked.toml --out out.csv",
        (ANONYMIZE,),
    ),
    Job(
        "anonymize larger than memory",
        "anonymize data.csv --policy policy.toml --engine duckdb --out out.parquet",
    ),
    Job(
        "anonymize with a history",
        "anonymize people.csv --policy history.toml --history h.db --out r2.csv",
        ("anonymize people.csv --policy history.toml --history h.db --out r1.csv",),
    ),
    Job("inspect --draft", "inspect data.csv --draft draft.toml"),
    Job(
        "sweep",
        "sweep data.csv --policy policy.toml --vary k=2,3 --out s.csv --out s.json --out s.html",
    ),
    Job(
        "report",
        "report out.csv --policy policy.toml --original data.csv --out r.html",
        (ANONYMIZE,),
    ),
    Job("sample", "sample patients --rows 3000 --out out2.csv"),
    Job(
        "graph anonymize over an old release",
        "graph anonymize g.csv --model k-degree --k 3 --out r.csv --crosswalk c.csv",
        ("graph anonymize g.csv --model k-degree --k 3 --out r.csv --crosswalk c.csv",),
    ),
    Job(
        "graph sample",
        "graph sample r.csv --worlds 3 --out worlds",
        ("graph anonymize g.csv --model grouping --k 3 --out r.csv",),
    ),
    Job(
        "synthesize",
        "synthesize patients.toml --epsilon 1 --fresh --out made.csv --model model.json",
        (PATIENTS,),
    ),
    Job(
        "database ask",
        "database ask patients.toml 'SELECT COUNT(*) FROM patients' --epsilon 0.01 --fresh",
        (PATIENTS,),
    ),
)


# --- running ---


def run(words: str, folder: Path, prepare: Callable[[], None] | None = None) -> int:
    """Start a command in a forked process; give its number."""
    import shlex

    child = os.fork()
    if child:
        return child
    try:
        os.chdir(folder)
        nowhere = os.open(folder / ".said", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if prepare is not None:
            prepare()
        os._exit(indistinct.cli.main.status(shlex.split(words), show_values=False))
    finally:
        os._exit(99)


def ended(child: int) -> int:
    """Wait for a process; give its exit code, negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def ready(folder: Path, job: Job) -> Path:
    """Make a folder in which a command can run."""
    import numpy as np

    folder.mkdir()
    for name, text in (("policy", POLICY), ("masked", MASKED), ("history", HISTORY)):
        (folder / f"{name}.toml").write_text(text)
    assert ended(run("sample patients --rows 300 --seed 5 --out patients.csv", folder)) == 0
    header, *rows = (folder / "patients.csv").read_text().splitlines()
    places = [header.split(",").index(n) for n in ("sex", "postcode", "height_cm", "diagnosis")]
    lines = [",".join(row.split(",")[at] for at in places) for row in (header, *rows)]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    chance = np.random.default_rng(4)
    people = [f"{n},{chance.integers(20, 60)},{'abcdef'[n % 6]}" for n in range(60)]
    (folder / "people.csv").write_text("id,age,ill\n" + "\n".join(people) + "\n")
    edges = [f"{v},{(v + step) % 60}" for v in range(60) for step in (1, 3 + v % 4)]
    (folder / "g.csv").write_text("source,target\n" + "\n".join(edges) + "\n")
    for words in job.before:
        code = ended(run(words, folder))
        assert code == 0, (words, (folder / ".said").read_text()[-800:])
    return folder


# --- what is left ---


def state(folder: Path) -> dict[str, str]:
    """Give the hash of every file that is no trace of a run."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.parts[len(folder.parts) :])
    }


def judged(folder: Path, before: dict[str, str]) -> str:
    """Say what a run left: ``whole``, ``refused`` or what is lost."""
    after = state(folder)
    changed = [name for name, found in after.items() if before.get(name) != found]
    words = ["whole", *(_whole(folder / name) for name in changed)]
    lost = set(before) - set(after)
    if lost:
        return f"gone: {min(lost)}"
    words += [_pair(manifest) for manifest in folder.glob("*.manifest.json")]
    return next((word for word in words if word not in {"whole", "refused"}), max(words, key=len))


def _whole(file: Path) -> str:
    """Tell whether a file that changed is whole, by its form."""
    try:
        match file.suffix:
            case ".json":
                json.loads(file.read_text())
            case ".toml":
                tomllib.loads(file.read_text())
            case ".html":
                assert file.read_text().rstrip().endswith("</html>")
            case ".db" | ".ledger" | ".sqlite":
                _database(file)
            case ".csv":
                text = file.read_text()
                assert text.endswith("\n")
                assert len({len(row) for row in csv.reader(text.splitlines())}) == 1
            case _:
                if file.read_bytes()[:15] == b"SQLite format 3":
                    _database(file)
    except (AssertionError, ValueError, sqlite3.Error) as error:
        return f"broken: {file.name} ({type(error).__name__})"
    return "whole"


def _database(file: Path) -> None:
    """Check a ledger or a history."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _pair(manifest: Path) -> str:
    """Tell whether a manifest describes the files beside it; where not, readers refuse them."""
    document = json.loads(manifest.read_text())
    release = manifest.with_name(manifest.name.removesuffix(".manifest.json"))
    if not release.exists():
        return "whole"
    said = {release.name: document.get("output_sha256") or document.get("output", {}).get("sha256")}
    said |= {name: one["sha256"] for name, one in document.get("files", {}).items()}
    for name, wanted in said.items():
        beside = manifest.with_name(name)
        if not beside.exists() or hashlib.sha256(beside.read_bytes()).hexdigest() != wanted:
            return "refused"
    return "whole"


def restarted(folder: Path, job: Job) -> str:
    """Run the command once more, undisturbed: nothing that was left may stand in its way."""
    code = ended(run(job.command, folder))
    return "whole" if code == 0 else f"does not run again: exit code {code}"


# --- faults ---


def kills(job: Job, base: Path, times: int, chance: random.Random, number: int) -> Counter[str]:
    """Send a signal at random moments."""
    found: Counter[str] = Counter()
    started = time.monotonic()
    trial = base.with_name("trial")
    shutil.copytree(base, trial)
    assert ended(run(job.command, trial)) == 0, (trial / ".said").read_text()[-800:]
    whole = time.monotonic() - started
    before = state(base)
    for turn in range(times):
        folder = base.with_name(f"run{turn}")
        shutil.copytree(base, folder)
        started = time.monotonic()
        child = run(job.command, folder)
        time.sleep(whole * chance.uniform(0.05, 1.15))
        os.kill(child, number)
        code = ended(child)
        # A quiet machine now and a busy one before: keep to how long a run takes at present.
        whole = 0.8 * whole + 0.2 * (time.monotonic() - started) if code >= 0 else whole
        found["tries"] += 1
        found["cut off"] += code != 0
        left = judged(folder, before)
        found[left] += 1
        hidden = [one for one in folder.rglob(".*") if one.name != ".said"]
        found["hidden files left"] += bool(hidden)
        if turn % 10 == 0 and not job.name.endswith("with a history"):
            found["ran again"] += 1
            again = restarted(folder, job)
            found[again] += again != "whole"
        shutil.rmtree(folder)
    return found


def once(
    job: Job, base: Path, prepare: Callable[[], None] | None, *, folder: Path | None = None
) -> str:
    """Run once under a fault; the command succeeds, or says in words why not, and loses nothing."""
    place = folder or base.with_name("once")
    shutil.copytree(base, place, dirs_exist_ok=True)
    before = state(place)
    code = ended(run(job.command, place, prepare))
    left = judged(place, before)
    said = (place / ".said").read_text()
    if folder is None:
        shutil.rmtree(place, ignore_errors=True)
    if left not in {"whole", "refused"}:
        return left
    if code in {0, 2, 3, 130, 143} and "Traceback" not in said:
        return left
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
    """Let the clock of the day jump back and forth at every look."""
    kept, turns = time.time, iter(range(10**9))
    time.time = lambda: kept() + (-1) ** next(turns) * 10**7


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
    import shlex

    child = os.fork()
    if child:
        return child
    try:
        os.chdir(place)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os._exit(indistinct.cli.main.status(shlex.split(job.command), show_values=False))
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


def main() -> int:
    """Try everything; print the table; 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all, over all commands")
    parser.add_argument("--signals", type=int, default=5, help="of each other kind, per command")
    parser.add_argument("--times", type=int, default=3, help="each other fault, per command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="parts of the names of jobs, comma-separated")
    given = parser.parse_args()
    chance = random.Random(given.seed)
    total: dict[str, Counter[str]] = {}
    jobs = [job for job in JOBS if any(one in job.name for one in given.only.split(","))]
    for job in jobs:
        with tempfile.TemporaryDirectory() as place:
            base = ready(Path(place) / "base", job)
            counts = {"SIGKILL": -(-given.kills // len(jobs))}
            for name, number in SIGNALS.items():
                times = counts.get(name, given.signals)
                if times:
                    found = kills(job, base, times, chance, number)
                    total.setdefault(name, Counter()).update(found)
                    shutil.rmtree(base.with_name("trial"))
                    print(job.name, name, dict(found), flush=True)
            for name, fault in FAULTS.items():
                for _ in range(given.times):
                    left = fault(job, base, chance)
                    total.setdefault(name, Counter()).update(["tries", left])
                    if left not in {"whole", "refused"}:
                        print(job.name, name, left, flush=True)
    print(f"\nload average {os.getloadavg()[0]:.0f}")
    for name, found in total.items():
        print(f"{name}: {dict(found)}")
    known = {"tries", "cut off", "whole", "refused", "hidden files left", "ran again"}
    bad = [word for found in total.values() for word in found if word not in known]
    return int(any(word.startswith(("broken", "gone", "does not run")) for word in bad))


if __name__ == "__main__":
    sys.exit(main())
