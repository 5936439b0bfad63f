"""Larger bands over bands such as 20-29 or 65+, neighbors together."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.drawn import FLAT, DraftedHierarchy
from indistinct.tables.drafting.values import AMOUNT, BETWEEN

TWO = re.compile(
    rf"(?P<before>\D*?)(?P<low>{AMOUNT})(?P<mark>\s*{BETWEEN}\s*)"
    rf"(?P<high>{AMOUNT})(?P<after>\D*)",
    re.IGNORECASE,
)
IN_BRACKETS = re.compile(
    r"(?P<before>[\[(\]]\s*)(?P<low>-?\d+(?:\.\d+)?)(?P<mark>\s*,\s*)(?P<high>-?\d+(?:\.\d+)?)"
    r"(?P<after>\s*[\])\[]\D*)"
)
WITH_SEMICOLON = re.compile(
    r"(?P<before>[\[(\]]\s*)(?P<low>-?\d+(?:[.,]\d+)?)(?P<mark>\s*;\s*)"
    r"(?P<high>-?\d+(?:[.,]\d+)?)(?P<after>\s*[\])\[]\D*)"
)
ONE = re.compile(rf"(?P<before>\D*?)(?P<end>{AMOUNT})(?P<after>.*)")
BELOW = re.compile(
    r"<|≤|under|below|unter|bis|moins|menos|hasta|poniżej|less|fewer|younger|weniger|jünger",
    re.IGNORECASE,
)
OPEN = re.compile(r"<|under|below|less|unter|moins|menos", re.IGNORECASE)
FEWEST = 3  # two bands together are all


@dataclass(frozen=True, slots=True)
class Band:
    """A band.

    Parameters
    ----------
    text : as it is written
    low, high : its ends; infinite where it has none
    """

    text: str
    low: float
    high: float


def of_bands(texts: Sequence[str]) -> DraftedHierarchy:
    """Draw larger bands over bands, which lie side by side."""
    bands = sorted(map(_band, texts), key=lambda band: (band.low, band.high))
    apart = all(one.low < other.low for one, other in pairwise(bands))
    if len(bands) < FEWEST or not apart:
        return FLAT
    levels = [[band.text for band in bands]]
    width = 2
    while width < len(bands):
        groups = [bands[start : start + width] for start in range(0, len(bands), width)]
        levels.append([_joined(group) for group in groups for _ in group])
        width *= 2
    rows = [(*cells, ROOT) for cells in zip(*levels, strict=True)]
    return DraftedHierarchy("Neighboring bands together; then hidden.", rows=rows)


def _band(text: str) -> Band:
    """Read a band."""
    if two := _two(text.strip()):
        return Band(text, _number(two["low"]), _number(two["high"]))
    one = ONE.fullmatch(text.strip())
    if one is None:
        return Band(text, math.inf, math.inf)
    end = _number(one["end"])
    is_below = BELOW.search(one["before"]) or BELOW.search(one["after"])
    return Band(text, -math.inf, end) if is_below else Band(text, end, math.inf)


def _two(text: str) -> re.Match[str] | None:
    """Read a band with two ends."""
    return IN_BRACKETS.fullmatch(text) or WITH_SEMICOLON.fullmatch(text) or TWO.fullmatch(text)


def _joined(bands: Sequence[Band]) -> str:
    """Name neighboring bands together, as one that reads as a range."""
    if len(bands) == 1:
        return bands[0].text
    first, last = bands[0].text.strip(), bands[-1].text.strip()
    low, high = _two(first), _two(last)
    if low and high:
        return f"{low['before']}{low['low']}{low['mark']}{high['high']}{high['after']}"
    if high:
        sign = "<" if high["after"].startswith((")", "[")) or OPEN.search(high["mark"]) else "≤"
        return f"{sign}{high['high'].strip()}{high['after'].strip(')][').rstrip()}"
    if low:
        return f"{low['low'].strip()}+"
    return f"{first} to {last}"


def _number(text: str) -> float:
    """Return a number, whatever stands between its thousands."""
    plain = re.sub(r"[€$£\s']", "", text)
    plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", plain)
    return float(plain.replace(",", "."))
