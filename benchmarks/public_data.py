"""Public data sets, which no checkout contains: what needs them is left out where they are not."""

from __future__ import annotations

import sys
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "shared/data"


def needed(*paths: Path) -> None:
    """End the script, and say why, unless all files are there."""
    for path in paths:
        if not path.exists():
            print(f"left out: {path.name} is not in {path.parent}")
            sys.exit(0)
