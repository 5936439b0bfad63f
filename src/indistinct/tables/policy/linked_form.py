"""The columns and files of a release in two linked tables."""

from __future__ import annotations

from pathlib import Path

GROUP, COUNT = "group", "count"
FEWEST_VALUES = 2


def sensitive_path(path: str | Path) -> Path:
    """Return the path of the sensitive table beside a release: ``x.csv``, ``x.sensitive.csv``."""
    file = Path(path)
    return file.with_name(f"{file.stem}.sensitive{file.suffix}")


def counterfeits_path(path: str | Path) -> Path:
    """Return the path of the list of counterfeits beside a release."""
    return Path(f"{path}.counterfeits.csv")
