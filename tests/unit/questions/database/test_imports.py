"""Opening the door loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("duckdb", "opendp", "fastapi", "uvicorn", "sqlglot", "pg8000", "polars")


def test_importing_the_door_loads_no_engine():
    """They come when they are used, and only those."""
    code = f"import sys, indistinct.database; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
