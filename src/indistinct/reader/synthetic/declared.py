"""Codes of cells as the declaration's own text gives them, read anew."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, final

LARGEST_POWER = 400  # of ten, beyond that of any double


@final
@dataclass(frozen=True, slots=True)
class Codebook:
    """The codes of one column.

    Parameters
    ----------
    words : code of every cell that is a code by itself; the empty cell is a missing value
    bins : lowest and highest step of every bin, coded from 0
    step : what one step is worth; None where there are no bins
    n_codes : all of them
    """

    words: Mapping[str, int]
    bins: tuple[tuple[int, int], ...]
    step: Fraction | None
    n_codes: int

    def code(self, cell: str) -> int | None:
        """Give the code of a cell, or None where the declaration knows none."""
        if self.step is None or not cell:
            return self.words.get(cell)
        number = _number(cell)
        if number is None:
            return None
        steps = number / self.step
        whole = round(steps)
        # Files hold numbers as decimals of the nearest double.
        if abs(steps - whole) > Fraction(1, 10**6):
            return None
        if str(whole) in self.words:
            return self.words[str(whole)]
        return next((at for at, (a, b) in enumerate(self.bins) if a <= whole <= b), None)


def _number(cell: str) -> Fraction | None:
    """Read a number of a size that bounds can have."""
    try:
        number = Decimal(cell)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > LARGEST_POWER:
        return None
    return Fraction(number)


def declaration(path: Path) -> dict[str, Any]:
    """Read a declaration's text."""
    return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)


def codebooks(declared: Mapping[str, Any]) -> dict[str, Codebook]:
    """Give the codes of all columns that are made up, in order."""
    words = declared.get("synthesis", {})
    columns = declared["columns"]
    person = declared["dataset"]["person"]
    listed = words.get("columns", list(columns))
    return {
        name: _codebook(columns[name], words)
        for name in listed
        if name != person
        and columns[name]["type"] != "bins"
        and (columns[name].get("values") or "bounds" in columns[name])
    }


def _codebook(column: Mapping[str, Any], words: Mapping[str, Any]) -> Codebook:
    known: dict[str, int] = {}
    is_complete = column.get("complete", False)
    if column.get("values"):
        for value in column["values"]:
            known[value if isinstance(value, str) else _plain(Fraction(value))] = len(known)
        if not is_complete:
            known[words.get("other", "other")] = len(known)
            known[""] = len(known)
        return Codebook(known, (), None, len(known))
    step = Fraction(column.get("step", 1))
    low = math.ceil(Fraction(column["bounds"][0]) / step)
    high = math.floor(Fraction(column["bounds"][1]) / step)
    points = sorted(int(Fraction(point) / step) for point in column.get("points", []))
    size = math.ceil((high - low + 1) / words.get("bins", 32))
    edges = [(at, min(at + size - 1, high)) for at in range(low, high + 1, size)]
    bins = [edge for edge in edges if any(s not in points for s in range(edge[0], edge[1] + 1))]
    for at, point in enumerate(points):
        known[str(point)] = len(bins) + at
    if not is_complete:
        known[""] = len(bins) + len(points)
    return Codebook(known, tuple(bins), step, len(bins) + len(known))


def _plain(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else repr(float(number))
