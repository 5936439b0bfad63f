"""A run that is killed leaves the whole release or none, and nothing else."""

import random
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import indistinct as ind
from indistinct.tables.publish.fictitious_patients import sample
from shared import environment, longer, warmed_environment

# Each run takes a third of a second or more, so that the fast tests kill fewer, at other moments.
KILLS = longer([(15, 1), (100, 4)], [(15, 1)])
KILLS_OF_PROCESSES = longer([(2, 3), (5, 3), (20, 5)], [(2, 3)])
KILLS_OVER_AN_OLD_RELEASE = longer([(6, 2), (20, 2), (50, 6)], [(6, 2)])
ARGUMENTS = (
    "anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv",
    "--crosswalk", "cross.csv",
)  # fmt: skip
TEXT = """
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
effort = "fast"
"""
POLICY = tomllib.loads(TEXT)
INPUTS = {"data.csv", "policy.toml"}
OUTPUTS = {"out.csv", "out.csv.manifest.json", "cross.csv"}


def start(folder: Path) -> subprocess.Popen:
    """Start the command in a folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from indistinct.frontends.cli.main import run; run()", *ARGUMENTS],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def prepared(folder: Path) -> Path:
    """Make a folder with a small table and its policy."""
    folder.mkdir()
    frame = sample("patients", rows=60, seed=5).select(list(POLICY["columns"]))
    frame.write_csv(folder / "data.csv")
    (folder / "policy.toml").write_text(TEXT)
    return folder


def killed(folder: Path, delay: float) -> bool:
    """Run the command, kill it after a delay; tell whether it was still running."""
    running = start(folder)
    try:
        running.wait(delay)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        return True
    return False


# Loads the program once and forks before any work, so that kills fall into work and not into
# the loading of libraries and of machine code. One line per run: folder and delay; 0 seconds: until
# it ends.
FORKS = """
import os, signal, sys, time
import indistinct.frontends.cli.main, warmed

warmed.load_kept_loops()

def run(folder):
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os._exit(indistinct.frontends.cli.main.status(sys.argv[1:], show_values=False))

for line in sys.stdin:
    folder, delay = line.rstrip().rsplit(" ", 1)
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        run(folder)
    if float(delay):
        time.sleep(float(delay))
        os.kill(child, signal.SIGKILL)
    _, how = os.waitpid(child, 0)
    print(os.WIFSIGNALED(how), time.monotonic() - started, flush=True)
"""


class Forks:
    """A process that starts and kills runs of the command, one after the other."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORKS, *ARGUMENTS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=warmed_environment(),
        )

    def run(self, folder: Path, delay: float = 0.0) -> tuple[bool, float]:
        """Run in a folder; tell whether it was killed, and how long it took."""
        self.process.stdin.write(f"{folder} {delay}\n")
        self.process.stdin.flush()
        was_killed, seconds = self.process.stdout.readline().split()
        return was_killed == "True", float(seconds)

    def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def forks():
    """Return what starts runs quickly."""
    started = Forks()
    yield started
    started.close()


def is_whole_or_absent(folder: Path, policy: ind.Policy) -> bool:
    """Return whether a release stands with all that belongs to it, or none; nothing else may."""
    left = {path.name for path in folder.iterdir()} - INPUTS
    if "out.csv" not in left:
        return left <= OUTPUTS
    verdict = ind.verify(folder / "out.csv", policy, original=folder / "data.csv")
    return left == OUTPUTS and verdict.holds


@pytest.mark.parametrize(("kills", "seed"), KILLS)
def test_a_killed_run_leaves_a_whole_release_or_none(tmp_path, forks, kills, seed):
    """Kills at random moments, from the first step of the work to after its end."""
    policy = ind.Policy.from_words(POLICY)
    whole = min(forks.run(prepared(tmp_path / f"trial {n}"))[1] for n in range(3))
    chance = random.Random(seed)
    ended = []
    for number in range(kills):
        folder = prepared(tmp_path / f"run {number}")
        ended.append(forks.run(folder, whole * chance.uniform(0.05, 1.2))[0])
        assert is_whole_or_absent(folder, policy)
    assert sum(ended) > kills / 4


@pytest.mark.parametrize(("kills", "seed"), KILLS_OF_PROCESSES)
def test_a_killed_process_leaves_a_whole_release_or_none(tmp_path, kills, seed):
    """The same for whole processes, the loading of libraries included."""
    policy = ind.Policy.from_words(POLICY)
    trial = prepared(tmp_path / "trial")
    started = time.monotonic()
    assert start(trial).wait(120) == 0
    whole = time.monotonic() - started
    chance = random.Random(seed)
    for number in range(kills):
        folder = prepared(tmp_path / f"run {number}")
        killed(folder, whole * chance.uniform(0.3, 1.0))
        assert is_whole_or_absent(folder, policy)


@pytest.mark.parametrize(("kills", "seed"), KILLS_OVER_AN_OLD_RELEASE)
def test_a_killed_run_leaves_an_old_release_readable(tmp_path, forks, kills, seed):
    """Where a release stood before, a whole one stands afterwards: the old one or the new one."""
    policy = ind.Policy.from_words(POLICY)
    folder = prepared(tmp_path / "run")
    forks.run(folder)
    whole = forks.run(folder)[1]
    chance = random.Random(seed)
    for _ in range(kills):
        forks.run(folder, whole * chance.uniform(0.3, 1.1))
        # A frame is verified without a manifest: that beside the file may be of the other run. Then
        # nobody says the rule of a column of words, and nothing else is undecided.
        found = ind.verify(_texts(folder), policy)
        assert (found.faults, found.not_checked) == ((), ("columns.sex.cells", "manifest"))
        assert [model["holds"] for model in found.models] == [True]
        assert {path.name for path in folder.iterdir()} == INPUTS | OUTPUTS


def _texts(folder: Path) -> object:
    import polars as pl

    return pl.read_csv(folder / "out.csv", infer_schema=False)
