"""The examples for Spark and for PostgreSQL run, where Java and a server are there."""

import os
import shutil
import subprocess
import sys

import pytest

from shared import environment
from sparked import SETTINGS
from test_docs import ROOT, blocks

PAGE = (ROOT / "docs/larger-than-memory.md").read_text("utf-8")
SERVER = "INDISTINCT_POSTGRES"


def ran(word, folder, monkeypatch, capsys):
    """Run the one example that has a word, after the first examples of the page; give its words."""
    (example,) = (block for block in blocks(PAGE, "py") if word in block)
    monkeypatch.chdir(folder)
    namespace = {}
    exec(blocks(PAGE, "python")[0], namespace)
    capsys.readouterr()
    exec(example, namespace)
    return capsys.readouterr().out


def test_every_example_that_needs_more_is_run_here():
    """One for Spark and one for PostgreSQL."""
    assert len(blocks(PAGE, "py")) == 2


@pytest.mark.slow
def test_the_example_of_spark_runs(tmp_path):
    """In a small cluster of a process of its own: paths are those of where Java was started."""
    pytest.importorskip("pyspark", reason="needs the extra spark")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    (example,) = (block for block in blocks(PAGE, "py") if "pyspark" in block)
    words = " ".join(
        f'--conf "{word}={value}"' for word, value in SETTINGS.items() if "memory" not in word
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{blocks(PAGE, 'python')[0]}\n{example}"],
        cwd=tmp_path,
        env=environment() | {"PYSPARK_SUBMIT_ARGS": f"{words} pyspark-shell"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("holds")
    assert (tmp_path / "from_spark" / "_manifest.json").is_file()


@pytest.mark.postgres
@pytest.mark.skipif(SERVER not in os.environ, reason="needs a server: tests/postgres.sh start")
def test_the_example_of_postgresql_runs(tmp_path, monkeypatch, capsys):
    """On a server of this user's own."""
    said = ran("pg8000", tmp_path, monkeypatch, capsys)
    assert said.startswith("postgresql")
    assert said.rstrip().endswith("holds")
