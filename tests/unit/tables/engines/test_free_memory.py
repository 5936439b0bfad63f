"""How much memory there is for a table."""

import subprocess
import sys

import pytest

from indistinct.tables.engines import choosing


def test_memory_is_no_more_than_the_process_may_take():
    """A limit that somebody set for the process counts as that of a container does."""
    resource = pytest.importorskip("resource")
    script = "from indistinct.tables.engines.choosing import free_memory; print(free_memory())"
    limit = 900_000_000
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
    )
    assert int(done.stdout) <= limit


@pytest.mark.parametrize(("free", "looked_at", "published"), [
    (10_000, True, True), (25_000, False, True), (70_000, False, False),
])  # fmt: skip
def test_a_table_that_is_only_looked_at_may_take_more_memory(
    free, looked_at, published, tmp_path, monkeypatch
):
    """A text of 4,000 bytes takes three times as many: less than half, or than a fifth, of them."""
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 999)
    monkeypatch.setattr(choosing, "free_memory", lambda: free)
    resources = choosing.Resources()
    assert choosing.is_large(path, None, resources, share=choosing.TO_LOOK) is looked_at
    assert choosing.is_large(path, None, resources) is published
