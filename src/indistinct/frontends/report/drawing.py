"""A picture as a list of marks: what ``templates/components.html`` writes as SVG.

Marks have classes in place of colors, so that one picture suits light, dark and paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

# The mean width of a letter at the size of a label, by which room is left for labels.
LETTER_WIDTH = 7.3
WIDE, WIDER = frozenset("<=>+"), 0.4
LEVEL_CLASSES = 6


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle.

    Parameters
    ----------
    style : its class in ``style.css``
    story : what a pointer over it shows
    """

    kind: ClassVar[str] = "rect"
    x: float
    y: float
    width: float
    height: float
    style: str
    story: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A text; ``anchor`` is ``start``, ``middle`` or ``end``, ``turned`` in degrees."""

    kind: ClassVar[str] = "label"
    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = "label"
    turned: float = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A thin line."""

    kind: ClassVar[str] = "line"
    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "axis"


ChartElement = Rect | Label | Line


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of some size, in the units of its marks."""

    width: float
    height: float
    marks: Sequence[ChartElement]


def shortened(text: str, room: float) -> str:
    """Cut a text so that it fits, and say so by three dots."""
    letters = max(room / LETTER_WIDTH + 1e-6, 2)
    if _letters(text) <= letters:
        return text
    kept = len(text)
    while kept > 1 and _letters(text[:kept]) > int(letters) - 1:
        kept -= 1
    return f"{text[:kept].rstrip()}…"


def text_width(texts: Sequence[str]) -> float:
    """Estimate the width of the widest of some labels."""
    return max((_letters(text) for text in texts), default=0) * LETTER_WIDTH


def _letters(text: str) -> float:
    """Return how many letters of mean width a text is as wide as; signs of comparison are wider."""
    return len(text) + WIDER * sum(letter in WIDE for letter in text)
