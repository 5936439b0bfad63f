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
    described : every code in words, in order, as a model describes it
    """

    words: Mapping[str, int]
    bins: tuple[tuple[int, int], ...]
    step: Fraction | None
    described: list[dict[str, Any]]

    @property
    def n_codes(self) -> int:
        """How many codes there are."""
        return len(self.described)

    def code(self, cell: str) -> int | None:
        """Give the code of a cell, or None where the declaration knows none."""
        if self.step is None or not cell:
            return self.words[cell] if cell in self.words else self._code_of_number(cell)
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

    def _code_of_number(self, cell: str) -> int | None:
        """Find a declared number that is written in another way, such as 2.0 for 2."""
        number = _number(cell)
        declared = [one.get("value") for one in self.described]
        same = [
            at
            for at, one in enumerate(declared)
            if not isinstance(one, str) and one is not None and Fraction(one) == number
        ]
        return same[0] if number is not None and same else None


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
    is_complete = column.get("complete", False)
    if column.get("values"):
        values = [one if isinstance(one, str) else _plain(one) for one in column["values"]]
        rest = [] if is_complete else [words.get("other", "other"), ""]
        known = {str(word): at for at, word in enumerate([*values, *rest])}
        described: list[dict[str, Any]] = [{"value": value} for value in values]
        described += [{"other": rest[0]}, {"missing": True}] if rest else []
        return Codebook(known, (), None, described)
    step = Fraction(column.get("step", 1))
    low = math.ceil(Fraction(column["bounds"][0]) / step)
    high = math.floor(Fraction(column["bounds"][1]) / step)
    points = sorted(int(Fraction(point) / step) for point in column.get("points", []))
    size = math.ceil((high - low + 1) / words.get("bins", 32))
    edges = [(at, min(at + size - 1, high)) for at in range(low, high + 1, size)]
    bins = [edge for edge in edges if any(s not in points for s in range(edge[0], edge[1] + 1))]
    known = {str(point): len(bins) + at for at, point in enumerate(points)}
    described = [{"from": _plain(a * step), "to": _plain(b * step)} for a, b in bins]
    described += [{"point": _plain(point * step)} for point in points]
    if not is_complete:
        known[""] = len(described)
        described.append({"missing": True})
    return Codebook(known, tuple(bins), step, described)


def _plain(number: Decimal | Fraction | int) -> int | float:
    """Write a number as JSON has it."""
    exact = Fraction(number)
    return exact.numerator if exact.denominator == 1 else float(exact)
