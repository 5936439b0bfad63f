"""The public codes of the columns that are made up, from the declaration alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.randomness import RandomSource
from indistinct.questions.database.aggregates import Engine
from indistinct.questions.database.dataset import (
    MISSING,
    OTHER,
    Column,
    Dataset,
    Range,
    Scalar,
    plain,
)
from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational.units import Units
from indistinct.questions.synthesis.counts import ColumnDomain
from indistinct.questions.synthesis.labels import steps_of

DomainCell = str | int | float | None
# What the database gives for a row's point, of which there may be several: -3, -4 and so on.
FIRST_POINT = -3
LARGE = 2**15


@final
@dataclass(frozen=True, slots=True)
class CodedColumn:
    """The codes of one column: its values or its bins and points, then other, then missing.

    Parameters
    ----------
    values : as they are written; empty for a number that is binned
    bins : lowest and highest step of every bin, both inclusive, rising
    points : steps that are codes of their own, rising
    width : steps per bin, but for the last, and for bins that the end of an interval cuts
    bounds : of a number that is binned
    other : what a value that is not declared is called; None where it has no code
    missing : whether a missing value has a code
    """

    name: str
    values: tuple[str | int | float, ...] = ()
    bins: tuple[tuple[int, int], ...] = ()
    points: tuple[int, ...] = ()
    width: int = 1
    bounds: Range | None = None
    other: str | None = None
    missing: bool = False

    @property
    def n_codes(self) -> int:
        """How many codes there are."""
        named = len(self.values) + len(self.bins) + len(self.points)
        return named + (self.other is not None) + self.missing

    @property
    def attribute(self) -> ColumnDomain:
        """The column as the synthesizer sees it."""
        return ColumnDomain(self.name, self.n_codes, len(self.bins))

    def covered(self, word: Scalar) -> list[int]:
        """List the codes that a word of a forbidden pair covers; none where it is no such word."""
        if word == "":
            return [self.n_codes - 1] if self.missing else []
        if self.bounds is None:
            named = [*self.values, *([] if self.other is None else [self.other])]
            return [code for code, value in enumerate(named) if value in {word, plain(word)}]
        steps = steps_of(word, self.bounds)
        if steps is None:
            return []
        low, high = steps
        parts = [*self.bins, *((point, point) for point in self.points)]
        return [code for code, (a, b) in enumerate(parts) if low <= a and b <= high]

    def codes_of(self, found: Ints) -> Ints:
        """Return codes for what the database gives for rows.

        Parameters
        ----------
        found : the position of a value, or the steps of a number above its lower bound; negative
            for a point, another value and a missing one
        """
        codes = np.searchsorted(self._starts, found, side="right").astype(np.int64) - 1
        for position in range(len(self.points)):
            codes[found == FIRST_POINT - position] = len(self._starts) + position
        last = len(self._starts) + len(self.points)
        codes[found == OTHER] = last
        codes[found == MISSING] = last + (self.other is not None)
        return codes

    @property
    def _starts(self) -> Ints:
        """Return the least that the database gives for each value or bin."""
        if self.bounds is None:
            return np.arange(len(self.values))
        return np.array([low - self.bounds.low for low, _ in self.bins], np.int64)

    def described(self) -> list[dict[str, Any]]:
        """Describe every code, in order, for the model's file."""
        described: list[dict[str, Any]] = [{"value": value} for value in self.values]
        described += [{"from": self.number(a), "to": self.number(b)} for a, b in self.bins]
        described += [{"point": self.number(point)} for point in self.points]
        if self.other is not None:
            described.append({"other": self.other})
        return [*described, {"missing": True}] if self.missing else described

    def number(self, steps: int) -> str | int | float:
        """Return the number that so many steps make."""
        return plain((Fraction(1) if self.bounds is None else self.bounds.step) * steps)

    def cells(self, codes: Ints, source: RandomSource) -> list[DomainCell]:
        """Return the cells of codes; a bin becomes a step drawn from it, each as likely."""
        if self.bounds is None:
            return self._words(codes)
        return self.numbers(codes, self.steps(codes, source))

    def numbers(self, codes: Ints, steps: Ints) -> list[DomainCell]:
        """Return the cells of the steps of a number, but for those whose code is missing."""
        known, places = np.unique(steps, return_inverse=True)
        numbers = [self.number(int(step)) for step in known]
        is_missing = ~self.are_known(codes)
        return [
            None if gone else numbers[place]
            for place, gone in zip(places.tolist(), is_missing.tolist(), strict=True)
        ]

    def are_known(self, codes: Ints) -> Bools:
        """Return which codes of a number with bounds are not that of a missing one."""
        return codes < len(self.bins) + len(self.points)

    def _words(self, codes: Ints) -> list[DomainCell]:
        words: list[DomainCell] = list(self.values)
        if self.other is not None:
            # A column holds one kind of cell: beside a word, numbers are words, too.
            words = [*(str(word) for word in words), self.other]
        if self.missing:
            words.append(None)
        return [words[code] for code in codes.tolist()]

    def steps(self, codes: Ints, source: RandomSource) -> Ints:
        """Draw the step of every code of a number with bounds, each in its bin as likely."""
        steps = np.zeros(len(codes), np.int64)
        draws = source.words(len(codes))
        for code, (low, high) in enumerate(self.bins):
            skipped = [point for point in self.points if low <= point <= high]
            chosen = codes == code
            places = draws[chosen] % np.uint64(high - low + 1 - len(skipped))
            drawn = low + places.astype(np.int64)
            for point in skipped:
                drawn += drawn >= point
            steps[chosen] = drawn
        for position, point in enumerate(self.points):
            steps[codes == len(self.bins) + position] = point
        return steps


def columns_of(dataset: Dataset) -> list[CodedColumn]:
    """List the columns that are made up, in the order of the declaration, the focus among them."""
    lookups = dataset.synthesis.lookups
    return [
        coded(dataset.columns[name], dataset) for name in names_of(dataset) if name not in lookups
    ]


def names_of(dataset: Dataset) -> list[str]:
    """List the columns of a made-up table, in order: those with codes and those looked up."""
    words = dataset.synthesis
    listed = words.declared if words.columns is None else words.columns
    return [
        name
        for name in listed
        if name != dataset.person and (name in words.lookups or _has_codes(name, dataset))
    ]


def _has_codes(name: str, dataset: Dataset) -> bool:
    column = dataset.columns.get(name)
    return column is not None and (name in dataset.keys or column.bounds is not None)


def coded(column: Column, dataset: Dataset) -> CodedColumn:
    """Return the codes of a declared column."""
    words = dataset.synthesis
    is_whole = column.name in words.complete
    key = dataset.keys.get(column.name)
    if key is not None:
        other = None if is_whole else words.other
        return CodedColumn(column.name, values=key.labels, other=other, missing=not is_whole)
    if column.bounds is None:
        raise KeyError(column.name)
    points = words.points.get(column.name, ())
    width, first, cuts = grid_of(column.name, dataset)
    return CodedColumn(
        column.name,
        bins=tuple(bins_of(column.bounds, width, points, cuts, first)),
        points=points,
        width=width,
        bounds=column.bounds,
        missing=not is_whole,
    )


def grid_of(name: str, dataset: Dataset) -> tuple[int, int, list[int]]:
    """Return how the bins of a number with bounds are cut, as all that rules connect with it are.

    Bins of columns that are compared are then equal or apart, so that codes alone tell whether
    records can keep all rules at once.

    Returns
    -------
    width of the bins, where the first one would begin, and where bins begin besides
    """
    ruled = ruled_with(name, dataset)
    ranges = {one: dataset.columns[one].bounds for one in ruled}
    known = {one: bounds for one, bounds in ranges.items() if bounds is not None}
    n_bins = dataset.synthesis.bins
    width = max(-(-(bounds.high - bounds.low + 1) // n_bins) for bounds in known.values())
    cuts = [cut for one in known for cut in _cuts(one, dataset)]
    if len(known) > 1:
        cuts += [cut for bounds in known.values() for cut in (bounds.low, bounds.high + 1)]
        points = dataset.synthesis.points
        cuts += [p + after for one in known for p in points.get(one, ()) for after in (0, 1)]
    return width, min(bounds.low for bounds in known.values()), cuts


def ruled_with(name: str, dataset: Dataset) -> list[str]:
    """List the numbers with bounds that rules connect with one, itself among them."""
    found = [name]
    for one in found:
        for rule in dataset.synthesis.rules:
            if one in rule:
                found += [
                    other
                    for other in rule
                    if other not in found
                    and other in dataset.columns
                    and other not in dataset.keys
                    and dataset.columns[other].bounds is not None
                ]
    return found


def _cuts(name: str, dataset: Dataset) -> Iterator[int]:
    """List the steps at which a forbidden interval of a number begins, or what follows it."""
    bounds = dataset.columns[name].bounds
    for one in dataset.synthesis.forbidden:
        for pair in one.pairs:
            for column, word in zip(one.columns, pair, strict=True):
                steps = steps_of(word, bounds) if column == name and bounds is not None else None
                if steps is not None:
                    yield from (steps[0], steps[1] + 1)


def bins_of(
    bounds: Range,
    width: int,
    points: Sequence[int],
    cuts: Iterable[int] = (),
    first: int | None = None,
) -> Iterator[tuple[int, int]]:
    """List bins of equal width, the last with what is left, but for those made of points alone.

    Parameters
    ----------
    cuts : steps at which a bin begins besides
    first : a step at which a bin would begin, at most the lower bound; that itself when left out
    """
    within = {cut for cut in cuts if bounds.low < cut <= bounds.high}
    regular = range(bounds.low if first is None else first, bounds.high + 1, width)
    starts = sorted({bounds.low, *(at for at in regular if at > bounds.low), *within})
    for low, following in pairwise([*starts, bounds.high + 1]):
        high = following - 1
        if sum(low <= point <= high for point in points) < high - low + 1:
            yield low, high


def domain_sha256(columns: Sequence[CodedColumn]) -> str:
    """Return what tells one domain from another."""
    text = json.dumps([[column.name, column.described()] for column in columns])
    return hashlib.sha256(text.encode()).hexdigest()


@final
@dataclass(frozen=True, slots=True)
class EngineCounts:
    """Counts that the database's engine makes of at most c rows of every person.

    Parameters
    ----------
    columns : without the focus
    focus_column : None without a focus
    """

    engine: Engine
    dataset: Dataset
    columns: Sequence[CodedColumn]
    focus_column: CodedColumn | None = None

    def single(self, column: int) -> Ints:
        """Count the rows per code, shape (codes, focus)."""
        return self._counted([self.columns[column]])

    def pair(self, one: int, other: int) -> Ints:
        """Count the rows per pair of codes, shape (codes, codes, focus)."""
        return self._counted([self.columns[one], self.columns[other]])

    def focus(self) -> Ints:
        """Count the rows per code of the focus, shape (focus,)."""
        return self._counted([])

    def _counted(self, columns: Sequence[CodedColumn]) -> Ints:
        focused = [] if self.focus_column is None else [self.focus_column]
        keys = [*columns, *focused]
        counts = np.zeros([key.n_codes for key in keys], np.int64)
        rows = self.engine.fetch(self._query(keys))
        if rows:
            found = np.array(rows, np.int64)
            codes = tuple(key.codes_of(found[:, at]) for at, key in enumerate(keys))
            np.add.at(counts, codes, found[:, -1])
        return counts if focused else counts[..., np.newaxis]

    def _query(self, keys: Sequence[CodedColumn]) -> str:
        selected = ", ".join([*(self._expression(key) for key in keys), "count(*)"])
        complete = [self._is_known(key) for key in self._all if not key.missing]
        where = f" WHERE {' AND '.join(complete)}" if complete else ""
        groups = ", ".join(str(at + 1) for at in range(len(keys)))
        rows = self.engine.kept(self._rows())
        return f"SELECT {selected} FROM {rows}{where} GROUP BY {groups}"  # noqa: S608 - our own names

    @property
    def _all(self) -> list[CodedColumn]:
        """List the columns, with the focus."""
        return [*self.columns, *([] if self.focus_column is None else [self.focus_column])]

    def _rows(self) -> str:
        """Write the rows with a code or a number of steps per column, x0, x1 and so on."""
        setting = self.engine.setting()
        places = list(setting.tables[self.dataset.table].columns)
        written: list[str] = []
        joins = ""
        for at, column in enumerate(self._all):
            given = f"t.c{places.index(column.name)}"
            bounds = column.bounds
            if bounds is not None:
                steps = Units(bounds.step, bounds.low, bounds.high).sql(given)
                written.append(f"{steps} AS x{at}")
                continue
            known = f"coalesce(v{at}.code, {OTHER})"
            code = f"CASE WHEN {given} IS NULL THEN {MISSING} ELSE {known} END"
            written.append(
                f"CAST({code} AS {'SMALLINT' if column.n_codes < LARGE else 'INTEGER'}) AS x{at}"
            )
            values = ", ".join(
                f"({literal(value) if isinstance(value, str) else double(value)}, {number})"
                for value, number in self.dataset.keys[column.name].code_of.items()
            )
            # Grouped by what the engine takes for equal, so that a row meets one value at most.
            listed = f"SELECT value, min(code) AS code FROM (VALUES {values}) AS v(value, code)"  # noqa: S608
            joins += f" LEFT JOIN ({listed} GROUP BY value) AS v{at} ON {given} = v{at}.value"
        stored = setting.stored[self.dataset.table]
        return f"SELECT {', '.join(written)} FROM {stored} AS t{joins}"  # noqa: S608 - our own names

    def _name(self, column: CodedColumn) -> str:
        """Name the code or the steps of a column."""
        return f"x{[one.name for one in self._all].index(column.name)}"

    def _expression(self, column: CodedColumn) -> str:
        """Write a row's code as :meth:`CodedColumn.codes_of` reads it."""
        steps = self._name(column)
        if column.bounds is None:
            return steps
        low = column.bounds.low
        above = f"({steps} - ({low}))"
        points = " ".join(
            f"WHEN {steps} = {point} THEN {FIRST_POINT - at}"
            for at, point in enumerate(column.points)
        )
        # Bins that a forbidden interval cuts do not begin where those of equal width do.
        cut = " ".join(
            f"WHEN {steps} BETWEEN {first} AND {last} THEN {first - low}"
            for first, last in column.bins
            if (first - low) % column.width
        )
        missing = f"WHEN {steps} IS NULL THEN {MISSING}"
        return f"CASE {missing} {points} {cut} ELSE {above} - mod({above}, {column.width}) END"

    def _is_known(self, column: CodedColumn) -> str:
        """Write the condition that a row has one of the codes of a complete column."""
        name = self._name(column)
        return f"{name} >= 0" if column.bounds is None else f"{name} IS NOT NULL"
