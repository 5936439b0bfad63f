"""The ending of a file says what is written into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from indistinct.errors import OutputError


def check_ending(path: str | Path, endings: Sequence[str]) -> None:
    """Refuse a file of another kind.

    Parameters
    ----------
    endings : that may be written, each with its point, in small letters

    Raises
    ------
    OutputError
        when the file has none of them
    """
    if Path(path).suffix.lower() not in endings:
        raise OutputError(
            f"{Path(path).name} does not say what to write",
            f"Let it end with one of {', '.join(endings)}.",
        )
