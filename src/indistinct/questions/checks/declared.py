"""Codes of cells as the declaration's own text gives them, read anew."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, final

from indistinct.base.inputs import bounded_decimal, read_document, toml_words
from indistinct.questions.checks.constraint_texts import cuts_of, number_of
from indistinct.questions.checks.rules import edges_of, ruled_numbers

# A number without further zeros, blanks or signs, which could mark records.
PLAIN = re.compile(
    r"(?!-0(\.0)?$)-?((0|[1-9][0-9]*)(\.(0|[0-9]*[1-9]))?"
    r"|[1-9](\.[0-9]*[1-9])?e(-0?[5-9]|-[1-9][0-9]+|\+?(1[5-9]|[2-9][0-9]|[1-9][0-9]{2})))"
)


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

    @property
    def has_numbers(self) -> bool:
        """Whether the cells are numbers, all written in one way."""
        return not any(
            isinstance(one.get("value", one.get("other")), str) for one in self.described
        )

    def code(self, cell: str) -> int | None:
        """Return the code of a cell, or None where the declaration knows none."""
        if self.step is None or not cell:
            return self.words[cell] if cell in self.words else self._code_of_number(cell)
        number = number_of(cell) if PLAIN.fullmatch(cell) else None
        if number is None:
            return None
        whole = round(number / self.step)
        # Files hold numbers as decimals of the nearest double.
        if not math.isclose(number, whole * self.step, rel_tol=1e-15):
            return None
        if str(whole) in self.words:
            return self.words[str(whole)]
        return next((at for at, (a, b) in enumerate(self.bins) if a <= whole <= b), None)

    def _code_of_number(self, cell: str) -> int | None:
        """Find a declared number that is written in another way, such as 2.0 for 2."""
        number = number_of(cell) if PLAIN.fullmatch(cell) else None
        declared = [one.get("value") for one in self.described]
        same = [
            at
            for at, one in enumerate(declared)
            if not isinstance(one, str) and one is not None and Fraction(one) == number
        ]
        return same[0] if number is not None and same else None


def declaration(path: Path) -> dict[str, Any]:
    """Read a declaration's text."""
    return toml_words(read_document(path), bounded_decimal)


def names_of(declared: Mapping[str, Any]) -> list[str]:
    """List the columns of a made-up table, in order: those with codes and those looked up."""
    columns = declared["columns"]
    listed = declared.get("synthesis", {}).get("columns", list(columns))
    return [
        name
        for name in listed
        if name != declared["dataset"]["person"]
        and ("from" in columns[name] or _has_codes(columns[name]))
    ]


def codebooks(declared: Mapping[str, Any]) -> dict[str, Codebook]:
    """Return the codes of all columns that are made up from counts, in order."""
    words, columns = declared.get("synthesis", {}), declared["columns"]
    return {
        name: _codebook(columns[name], words, *_grid(name, declared))
        for name in names_of(declared)
        if "from" not in columns[name]
    }


def _has_codes(column: Mapping[str, Any]) -> bool:
    has_bins = column["type"] == "number" and "bounds" in column  # a date with bounds has none
    return column["type"] != "bins" and bool(column.get("values") or has_bins)


def _grid(name: str, declared: Mapping[str, Any]) -> tuple[int, int, set[int]]:
    """Return the size of a number's bins, where they would begin, and where they begin besides.

    Numbers that rules compare share all of it, so that no bin of one lies across a bin of another.
    """
    columns, words = declared["columns"], declared.get("synthesis", {})
    if columns[name].get("values"):
        return 1, 0, set()
    alike = ruled_numbers(name, declared)
    edges = [edges_of(columns[one]) for one in alike]
    size = max(math.ceil((high - low + 1) / words.get("bins", 32)) for low, high, _ in edges)
    cuts = {cut for one in alike for cut in _cuts(one, columns[one], words)}
    if len(alike) > 1:
        cuts |= {cut for low, high, points in edges for cut in (low, high + 1, *points)}
        cuts |= {point + 1 for *_, points in edges for point in points}
    return size, min(low for low, *_ in edges), cuts


def _cuts(name: str, column: Mapping[str, Any], words: Mapping[str, Any]) -> set[int]:
    """Return the steps at which a bin begins since a forbidden interval begins or ends there."""
    if column.get("values"):
        return set()
    return {
        cut
        for one in words.get("forbidden", [])
        for pair in one["pairs"]
        for at, word in zip(one["columns"], pair, strict=True)
        if at == name
        for cut in cuts_of(word, Fraction(column.get("step", 1)))
    }


def _codebook(
    column: Mapping[str, Any], words: Mapping[str, Any], size: int, first: int, cuts: set[int]
) -> Codebook:
    is_complete = column.get("complete", False)
    if column.get("values"):
        values = [one if isinstance(one, str) else _plain(one) for one in column["values"]]
        rest = [] if is_complete else [words.get("other", "other"), ""]
        known = {str(word): at for at, word in enumerate([*values, *rest])}
        described: list[dict[str, Any]] = [{"value": value} for value in values]
        described += [{"other": rest[0]}, {"missing": True}] if rest else []
        return Codebook(known, (), None, described)
    step = Fraction(column.get("step", 1))
    low, high, points = edges_of(column)
    regular = {*range(first, high + 1, size), *cuts}
    starts = sorted({low, *(at for at in regular if low < at <= high)})
    edges = [(at, after - 1) for at, after in pairwise([*starts, high + 1])]
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
