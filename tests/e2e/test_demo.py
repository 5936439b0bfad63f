"""The demo: what it prints fits on two screens, and its words agree with its files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_demo_fits_on_two_screens(tmp_path):
    """At a hundred columns: some long lines are broken by the terminal, and count as two."""
    room = os.environ | {
        "BIN": str(Path(sys.executable).parent),
        "DIR": str(tmp_path / "demo"),
        "ROWS": "2000",
        "COLUMNS": "100",
    }
    ended = subprocess.run(
        ["sh", str(HERE / "benchmarks" / "demo.sh")],
        cwd=HERE, env=room, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = ended.stdout.splitlines() + ended.stderr.splitlines()
    shown = sum(max(1, -(-len(line) // 100)) for line in lines)
    assert shown <= 110, f"{shown} lines"
    assert "It holds: " in ended.stdout
    # The same patients before and after: what no hierarchy changes is the same.
    told = [line.split() for line in lines if line.startswith("diagnosis  ")][-1]
    assert told[1] == told[2]
    assert told[3] == told[4]
