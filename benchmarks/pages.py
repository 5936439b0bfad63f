"""Print what was measured, or write it between two marks of a page."""

from __future__ import annotations

import re
from pathlib import Path


def show(text: str, page: Path | None, mark: str) -> None:
    """Print a text, or put it between ``<!-- mark -->`` and ``<!-- end of mark -->`` of a page."""
    if page is None:
        print(text)
        return
    place = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark} -->)", re.DOTALL)
    before = page.read_text("utf-8")
    page.write_text(place.sub(lambda found: f"{found[1]}{text}\n{found[2]}", before), "utf-8")
