"""Each column as a line on which a released cell is a span.

Numbers and dates lie on a scale. The values of other columns stand side by side in the order of
their hierarchy, so that every label covers a run of them. A hidden cell is the whole line.
"""

from __future__ import annotations

import datetime as dt
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.counting.prepare import encode_column, is_missing
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn
from indistinct.errors import DataError, Fault
from indistinct.policy.hierarchies import hierarchy_of, missing_text, suggested_rule
from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    PERIODS,
    is_number,
    listed_paths,
)

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
NOWHERE = (math.nan, math.nan)

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spans:
    """Where cells lie.

    Parameters
    ----------
    starts, ends : (n_cells,), half-open; NaN for a missing value of a scale, which lies nowhere
    """

    starts: Floats
    ends: Floats

    @property
    def lengths(self) -> Floats:
        """How much of the line each cell covers: (n_cells,)."""
        return self.ends - self.starts

    @property
    def middles(self) -> Floats:
        """Middle of each cell: (n_cells,)."""
        return (self.starts + self.ends) / 2


class Asked(ABC):
    """A part of a line that somebody asks about."""

    @abstractmethod
    def share(self, spans: Spans) -> Floats:
        """Give the share of each cell that is asked about: (n_cells,), in [0, 1]."""


@final
@dataclass(frozen=True, slots=True)
class AskedRange(Asked):
    """Everything from ``low`` to below ``high``."""

    low: float
    high: float

    def share(self, spans: Spans) -> Floats:
        """Divide the length of the overlap by the length of the cell."""
        overlap = np.minimum(spans.ends, self.high) - np.maximum(spans.starts, self.low)
        return _divided(np.maximum(overlap, 0.0), spans.lengths)


@final
@dataclass(frozen=True, slots=True)
class AskedValues(Asked):
    """Some of the values that stand side by side.

    Parameters
    ----------
    before : (n_values + 1,), values asked about among the first 0, 1, 2 ...
    """

    before: Ints

    @classmethod
    def among(cls, chosen: Ints, n_values: int) -> AskedValues:
        """Ask about the values at some places."""
        is_asked = np.zeros(n_values, np.int64)
        is_asked[chosen] = 1
        return cls(np.concatenate([[0], np.cumsum(is_asked)]))

    def share(self, spans: Spans) -> Floats:
        """Count the values asked about in each cell."""
        first, last = spans.starts.astype(np.int64), spans.ends.astype(np.int64)
        return _divided((self.before[last] - self.before[first]).astype(np.float64), spans.lengths)


@dataclass(frozen=True, slots=True)
class Axis(ABC):
    """The line of a column.

    Parameters
    ----------
    name : of the column
    whole : where a hidden cell lies
    """

    name: str
    whole: Span

    @abstractmethod
    def span(self, cell: str) -> Span | None:
        """Give where a cell lies; None when it is no cell of this column."""

    @abstractmethod
    def ask(self, share: float, chance: np.random.Generator) -> Asked:
        """Ask about a random part of the line, as large as a share of it."""

    @final
    def spans(self, cells: Sequence[str]) -> Spans:
        """Give where cells lie.

        Raises
        ------
        DataError
            when a text is no cell of this column
        """
        found = [self.whole if cell == HIDDEN else self.span(cell) for cell in cells]
        known = [span for span in found if span is not None]
        if len(known) < len(found):
            problem = "has cells that are no generalization of the original's values"
            remedy = "Compare the release with the table that it was made from."
            raise DataError([Fault(f"columns.{self.name}", problem, remedy)])
        table = np.array(known, np.float64).reshape(-1, 2)
        return Spans(table[:, 0], table[:, 1])


@final
@dataclass(frozen=True, slots=True)
class Scale(Axis):
    """Numbers, or days counted from the first.

    Parameters
    ----------
    is_whole : whether the values are whole numbers, each of which covers a length of 1
    missing : the text of the missing value
    """

    is_whole: bool
    missing: str

    def span(self, cell: str) -> Span | None:
        """Read a number, a range, a date or a period."""
        if cell == self.missing:
            return NOWHERE
        if is_number(cell):
            return self._from_to(float(cell), float(cell), closed=True)
        if (ends := HALF_OPEN.match(cell)) is not None:
            return self._from_to(float(ends[1]), float(ends[2]), closed=False)
        if (ends := CLOSED.match(cell)) is not None:
            return self._from_to(float(ends[1]), float(ends[2]), closed=True)
        return None

    def ask(self, share: float, chance: np.random.Generator) -> AskedRange:
        """Ask about a range that starts anywhere it fits."""
        low, high = self.whole
        if self.is_whole:
            length = max(1, round(share * (high - low)))
            start = low + int(chance.integers(0, max(1, int(high - low) - length + 1)))
            return AskedRange(start, start + length)
        length = share * (high - low)
        start = low + chance.random() * (high - low - length)
        return AskedRange(start, high if share == 1 else start + length)

    def _from_to(self, low: float, high: float, *, closed: bool) -> Span:
        """Give a range as a span: of whole numbers those inside it, each of length 1."""
        if self.is_whole and low == high:
            return math.floor(low), math.floor(low) + 1
        if self.is_whole:
            return math.ceil(low), math.floor(high) + 1 if closed else math.ceil(high)
        return low, math.nextafter(high, math.inf) if closed else high


@final
@dataclass(frozen=True, slots=True)
class Calendar(Axis):
    """Days, counted from the year 1.

    Parameters
    ----------
    missing : the text of the missing value
    """

    missing: str

    def span(self, cell: str) -> Span | None:
        """Read a day or a period."""
        if cell == self.missing:
            return NOWHERE
        for step, form in PERIODS.items():
            if form.match(cell):
                return _period_span(cell, step)
        try:
            day = dt.date.fromisoformat(cell[:10]).toordinal()
        except ValueError:
            return None
        return float(day), float(day + 1)

    def ask(self, share: float, chance: np.random.Generator) -> AskedRange:
        """Ask about so many days on end."""
        low, high = self.whole
        length = max(1, round(share * (high - low)))
        start = low + int(chance.integers(0, max(1, int(high - low) - length + 1)))
        return AskedRange(start, start + length)


@final
@dataclass(frozen=True, slots=True)
class Values(Axis):
    """Values side by side.

    Parameters
    ----------
    places : where each value and each label of the hierarchy lies
    numbers : (n_values,), the number of the value at each place; None for words
    """

    places: Mapping[str, Span]
    numbers: Floats | None

    def span(self, cell: str) -> Span | None:
        """Look a label up; a range of numbers covers the values between its ends."""
        found = self.places.get(cell)
        ends = CLOSED.match(cell) if found is None else None
        if ends is None or self.numbers is None:
            return found
        inside = np.flatnonzero((self.numbers >= float(ends[1])) & (self.numbers <= float(ends[2])))
        if len(inside) == 0 or inside[-1] - inside[0] + 1 != len(inside):
            return None
        return float(inside[0]), float(inside[-1] + 1)

    def ask(self, share: float, chance: np.random.Generator) -> AskedValues:
        """Ask about any of the words, or about numbers that follow each other."""
        n_values = int(self.whole[1])
        if self.numbers is None:
            length = max(1, round(share * n_values))
            return AskedValues.among(chance.choice(n_values, length, replace=False), n_values)
        ascending = np.argsort(self.numbers)[: n_values - int(np.isnan(self.numbers).sum())]
        length = max(1, round(share * len(ascending)))
        start = int(chance.integers(0, max(1, len(ascending) - length + 1)))
        return AskedValues.among(ascending[start : start + length], n_values)


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a column.

    Parameters
    ----------
    codes : (n_rows,), number of the cell of each record
    texts : the distinct cells
    spans : where each of them lies
    """

    codes: Ints
    texts: tuple[str, ...]
    spans: Spans


def axis_of(original: pl.DataFrame, policy: Policy, name: str) -> Axis:
    """Make the line of a column from the original's values and the policy's hierarchy.

    Raises
    ------
    HierarchyError
        when the hierarchy does not fit the values
    """
    encoded = encode_column(original, policy, name)
    missing = missing_text(policy, name)
    rule = policy.columns[name].hierarchy or suggested_rule(name, encoded)
    if rule is not None and rule.dates is not None:
        known = [t for t, gone in zip(encoded.texts, encoded.is_missing, strict=True) if not gone]
        days = [dt.date.fromisoformat(text[:10]).toordinal() for text in known] or [0]
        return Calendar(name, (float(min(days)), float(max(days) + 1)), missing)
    if encoded.numbers is not None and (rule is None or rule.intervals is not None):
        return _scale(name, encoded, missing)
    return _values(name, encoded, policy)


def original_cells(axis: Axis, frame: pl.DataFrame, policy: Policy) -> Cells:
    """Give the values of the original as cells."""
    return _cells(axis, _texts(frame[axis.name], policy, missing_text(policy, axis.name)))


def released_cells(axis: Axis, frame: pl.DataFrame, policy: Policy) -> Cells:
    """Give the cells of a release; a pair of bounds is one cell.

    Raises
    ------
    DataError
        when the column is not there, or a cell is no generalization of the original's values
    """
    name = axis.name
    bounds = [f"{name}_min", f"{name}_max"]
    if name in frame.columns:
        is_midpoint = policy.release.intervals == "midpoint" and frame[name].dtype.is_float()
        empty = HIDDEN if is_midpoint else missing_text(policy, name)
        return _cells(axis, _texts(frame[name], policy, empty))
    if any(bound not in frame.columns for bound in bounds):
        problem = "is not in the table"
        raise DataError([Fault(f"columns.{name}", problem, "Measure the table of this policy.")])
    return _cells(axis, _from_bounds(frame, bounds, policy.columns[name].hierarchy is None))


def _from_bounds(frame: pl.DataFrame, bounds: Sequence[str], is_closed: bool) -> pl.Series:  # noqa: FBT001 - a fact, not a switch
    """Put pairs of bounds together: a range made from the data includes both its ends."""
    low, high = (pl.col(bound).cast(pl.String) for bound in bounds)
    label = pl.concat_str(pl.lit("["), low, pl.lit(", "), high, pl.lit("]" if is_closed else ")"))
    cell = pl.when(low.is_null()).then(pl.lit(HIDDEN)).when(low == high).then(low).otherwise(label)
    return frame.select(cell.alias("cell")).to_series()


def _texts(column: pl.Series, policy: Policy, missing: str) -> pl.Series:
    """Give cells as text, all ways of writing a missing value as one."""
    texts = column.cast(pl.String)
    gone = is_missing(column, policy)
    return texts.set(gone, None).fill_null(missing) if gone.any() else texts


def _cells(axis: Axis, texts: pl.Series) -> Cells:
    """Give numbers to texts and find where they lie."""
    encoded = encode(texts, "")
    return Cells(encoded.codes.astype(np.int64), encoded.texts, axis.spans(encoded.texts))


def _scale(name: str, encoded: EncodedColumn, missing: str) -> Scale:
    """Make the line of a column of numbers."""
    numbers = np.zeros(0) if encoded.numbers is None else encoded.numbers
    known = numbers[~np.isnan(numbers)]
    is_whole = bool(np.all(known == np.floor(known)))
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    whole = (low, high + 1) if is_whole else (low, math.nextafter(high, math.inf))
    return Scale(name, whole, is_whole, missing)


def _values(name: str, encoded: EncodedColumn, policy: Policy) -> Values:
    """Make the line of a column of words, those of its hierarchy that the data lack included."""
    known = set(encoded.texts)
    listed = [value for value in listed_paths(policy, name) if value not in known]
    texts = (*encoded.texts, *listed)
    if encoded.numbers is not None:
        ascending: list[int] = np.argsort(_numbers(texts)).tolist()
        texts = tuple(texts[place] for place in ascending)
    nobody = np.zeros(0, np.int32)
    everything = EncodedColumn(nobody, texts, None, np.zeros(len(texts), np.bool_))
    hierarchy = hierarchy_of(policy, name, everything if listed else encoded)
    order: list[int] = np.lexsort(tuple(hierarchy.codes)).tolist()
    places: dict[str, Span] = {}
    for labels, codes in zip(hierarchy.labels, hierarchy.codes, strict=True):
        for label, start, end in _runs(codes[order]):
            places.setdefault(labels[label], (start, end))
    numbers = None if encoded.numbers is None else _numbers([texts[place] for place in order])
    return Values(name, (0.0, float(len(texts))), places, numbers)


def _runs(codes: Codes) -> list[tuple[int, int, int]]:
    """Give each code with where its run begins and ends."""
    present, starts, counts = np.unique(codes, return_index=True, return_counts=True)
    return np.stack([present, starts, starts + counts], axis=1).tolist()


def _numbers(texts: Sequence[str]) -> Floats:
    """Read texts as numbers; NaN for what is none."""
    return np.array([float(text) if is_number(text) else math.nan for text in texts])


def _period_span(cell: str, step: str) -> Span:
    """Give the days of a month, quarter, year or decade."""
    year = int(f"{cell[:3]}0") if step == "decade" else int(cell[:4])
    month = 1
    if step == "month":
        month = int(cell[5:7])
    elif step == "quarter":
        month = 3 * int(cell[-1]) - 2
    after = year * 12 + month - 1 + MONTHS[step]
    first = dt.date(max(year, 1), month, 1).toordinal()
    return float(first), float(dt.date(after // 12, after % 12 + 1, 1).toordinal())


def _divided(parts: Floats, wholes: Floats) -> Floats:
    """Divide; nothing, or what lies nowhere, gives 0."""
    shares = np.zeros(len(parts))
    np.divide(parts, wholes, out=shares, where=wholes > 0)
    return shares
