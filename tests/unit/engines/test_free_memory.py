"""How much memory there is for a table."""

import subprocess
import sys

import pytest


def test_memory_is_no_more_than_the_process_may_take():
    """A limit that somebody set for the process counts as that of a container does."""
    resource = pytest.importorskip("resource")
    script = "from indistinct.engines.choosing import free_memory; print(free_memory())"
    limit = 900_000_000
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
    )
    assert int(done.stdout) <= limit
