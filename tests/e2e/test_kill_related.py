"""A release of related tables that is killed while it is written leaves all of it or nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.engines.postgres import PostgresConnection
from indistinct.tables.engines.schemas import Schema, is_schema, read_schema
from indistinct.tables.engines.sources import Limits
from large_tables import POSTGRES
from shared import warmed_environment

# Forks before any work, and kills each process at a later step of writing than the one before.
PROGRAM = """
import os, pathlib, signal, sys
import duckdb
import indistinct as ind
import indistinct.related.publish.release as release
from indistinct.tables.engines import duckdb_connection, postgres
from hospitals import hospital, policy

import warmed

out, crosswalk = sys.argv[1:]
warmed.load_kept_loops()

def counted(step):
    left = [step]
    def before(function):
        def run(*given, **named):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*given, **named)
        return run
    places = [
        (release, "write_file"), (release, "_verified"), (pathlib.Path, "rename"),
        (pathlib.Path, "replace"), (os, "fsync"),
    ]
    for kind in (duckdb_connection.DuckDbConnection, postgres.PostgresConnection):
        places += [(kind, "execute"), (kind, "load")]
    for owner, name in places:
        setattr(owner, name, before(getattr(owner, name)))

for step in range(1, 100):
    child = os.fork()
    if child == 0:
        made = ind.anonymize(hospital(1), policy(), seed=1)
        counted(step)
        made.write(out, crosswalk=f"{crosswalk}-{step}")
        os._exit(0)
    _, how = os.waitpid(child, 0)
    print(int(os.WIFSIGNALED(how)), how, flush=True)
    there = sys.stdin.readline().strip()
    if not os.WIFSIGNALED(how) or there == "stop":
        break
"""


def is_whole(out: str) -> bool:
    """Return whether a release is there, and holds; or fail where a part of it is."""
    if not is_schema(out):
        if not Path(out).exists():
            return False
        assert ind.verify(out).holds is True
        return True
    try:
        read_schema(out)
    except DataError:
        return False
    assert ind.verify(out).holds is True
    return True


def drop(out: str) -> None:
    """Remove a schema of the server."""
    schema = Schema.of(out)
    connection = PostgresConnection(schema.address, Limits(100_000_000))
    connection.execute(f"DROP SCHEMA {schema.name} CASCADE")
    connection.execute("COMMIT")
    connection.close()


@pytest.mark.parametrize("kind", ["folder", "duckdb", "postgresql"])
def test_every_step_of_writing_leaves_all_or_nothing(kind: str, tmp_path: Path) -> None:
    if kind == "postgresql" and not POSTGRES:
        pytest.skip("needs a server: tests/postgres.sh start")
    out = {
        "folder": str(tmp_path / "out"),
        "duckdb": f"duckdb:///{tmp_path / 'out.duckdb'}?schema=release",
        "postgresql": f"{POSTGRES}&schema=killed_{uuid4().hex}",
    }[kind]
    n_killed, found = 0, False
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, out, str(tmp_path / "rows")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=warmed_environment(),
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line in running.stdout:
            was_killed = line.startswith("1")
            n_killed += was_killed
            found = is_whole(out)
            running.stdin.write("stop\n" if found else "on\n")
            running.stdin.flush()
            if found or not was_killed:
                break
    assert running.returncode == 0
    if kind == "postgresql":
        drop(out)
    assert n_killed > 5
    assert found  # the last run was not killed, or only after everything was there
