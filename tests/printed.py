"""What Chromium prints: where the texts of each page of a PDF stand."""

from __future__ import annotations

import re
import zlib

HEIGHT = 842  # of A4, in points
STEP = re.compile(
    r"^(q|Q)$|^([\d.-]+) 0 0 ([\d.-]+) ([\d.-]+) ([\d.-]+) cm$|1 0 0 -?1 [\d.-]+ ([\d.-]+) Tm",
    re.MULTILINE,
)


def heights_of_texts(pdf: bytes) -> list[list[int]]:
    """Return, per page, how far below its top each piece of text stands, in points."""
    found = [_heights(content) for content in _streams(pdf)]
    return [heights for heights in found if heights]


def _streams(pdf: bytes) -> list[str]:
    """Return the streams that draw something."""
    drawn: list[str] = []
    for one in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            drawn.append(zlib.decompress(one[1]).decode("latin-1"))
        except zlib.error:
            continue
    return [content for content in drawn if "BT" in content and " Tm" in content]


def _heights(content: str) -> list[int]:
    """Follow the transformations of a page; Chromium only scales and moves."""
    kept: list[tuple[float, float]] = []
    scale, moved = 1.0, 0.0
    heights: list[int] = []
    for step in STEP.finditer(content):
        if step[1] == "q":
            kept.append((scale, moved))
        elif step[1] == "Q":
            scale, moved = kept.pop()
        elif step[2]:
            moved += scale * float(step[5])
            scale *= float(step[3])
        else:
            heights.append(round(HEIGHT - (moved + scale * float(step[6]))))
    return sorted(heights)
