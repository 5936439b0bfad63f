"""The script of faults loses nothing: a few here, a thousand kills where there is time."""

import subprocess
import sys

import pytest

from shared import ROOT, environment


def lost(*words):
    """Run the script; give what it said where something was lost, else nothing."""
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks/faults.py", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert "SIGKILL: {" in done.stdout, done.stderr
    return done.stdout if done.returncode else ""


@pytest.mark.slow
def test_a_few_faults_lose_nothing():
    assert not lost("--only", "sample", "--kills", 4, "--signals", 1, "--times", 1, "--seed", 3)


@pytest.mark.slow
def test_a_thousand_kills_lose_nothing():
    assert not lost("--kills", 1000)
