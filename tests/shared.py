"""Where public data sets lie, beside the repository; tests that need them skip without."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def shared(path: str) -> Path:
    """Give a shared file, or skip the test."""
    file = SHARED / path
    if not file.exists():
        pytest.skip(f"{path} is not beside the repository")
    return file
