"""What an attacker compares: released cells, and the values that each may stand for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn
from indistinct.policy.hierarchies import missing_text
from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    PERIODS,
    Cells,
    MadeFromData,
    Masks,
    Periods,
    cells_of,
    is_number,
)

STEPS = tuple(PERIODS)


@final
@dataclass(frozen=True, slots=True)
class Cover:
    """The values that each cell of a column may stand for, as runs of value codes.

    Parameters
    ----------
    starts : (n_cells + 1,), where each cell's runs begin
    lows, highs : (n_runs,), first code of a run, and one after its last
    """

    starts: Ints
    lows: Codes
    highs: Codes

    @property
    def sizes(self) -> Ints:
        """Values under each cell: (n_cells,)."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        lengths = self.highs - self.lows
        return np.bincount(owners, lengths, len(self.starts) - 1).astype(np.int64)


@final
@dataclass(frozen=True, slots=True)
class KnownColumn:
    """A column that stands in the release and that the attacker knows of people.

    Parameters
    ----------
    name : the column
    cells : (n_records,), number of the released cell of each record
    texts : (n_cells,), how each cell is written
    cover : the values that each cell may stand for
    lows, highs : (n_cells,), the range of numbers that a cell leaves open; None for words, NaN
        where the cell says that the number is missing
    values : the values of all people, in value order
    people : per table of people, (n_people,), value code
    """

    name: str
    cells: Codes
    texts: tuple[str, ...]
    cover: Cover
    lows: Floats | None
    highs: Floats | None
    values: EncodedColumn
    people: Mapping[str, Codes]

    @property
    def numbers(self) -> Floats | None:
        """Number of each value, days for dates; None for words."""
        return self.values.numbers

    @property
    def is_plain(self) -> bool:
        """Tell whether every released cell is one number, or missing."""
        if self.lows is None or self.highs is None:
            return False
        return bool(((self.lows == self.highs) | np.isnan(self.lows)).all())


def known_column(
    policy: Policy, released: pl.Series, people: Mapping[str, pl.Series]
) -> KnownColumn:
    """Encode the cells of a column, and the values of all people in it.

    Parameters
    ----------
    policy : tells the hierarchy
    released : (n_records,), the cells as texts
    people : per table of people, its column
    """
    name = released.name
    values, codes = _values(policy, name, people)
    unwritten = missing_text(policy, name)
    missing = {"", *policy.data.missing}
    released = pl.Series(name, [unwritten if t in missing else t for t in released.to_list()])
    cells = encode(released, "")
    runs = [_runs(found) for found in _covered(policy, name, cells.texts, values)]
    cover = _cover(runs)
    lows, highs = _ranges(cells.texts, cover, values, unwritten)
    return KnownColumn(name, cells.codes, cells.texts, cover, lows, highs, values, codes)


def _values(
    policy: Policy, name: str, people: Mapping[str, pl.Series]
) -> tuple[EncodedColumn, dict[str, Codes]]:
    """Encode the values of all people together: as numbers or dates where all are."""
    columns = [column.alias(name) for column in people.values()]
    is_numeric = all(column.dtype.is_numeric() for column in columns)
    if not is_numeric:
        columns = [cell_texts(column) for column in columns]
    if is_numeric and any(column.dtype.is_float() for column in columns):
        columns = [column.cast(pl.Float64) for column in columns]
    elif is_numeric:
        columns = [column.cast(pl.Int64) for column in columns]
    whole = pl.concat(columns)
    if not is_numeric:
        whole = whole.set(whole.is_in(["", *policy.data.missing]).fill_null(value=False), None)
    encoded = encode(whole, missing_text(policy, name))
    if encoded.numbers is None:
        encoded = EncodedColumn(encoded.codes, encoded.texts, _days(encoded), encoded.is_missing)
    ends = np.cumsum([len(column) for column in columns])
    parts = np.split(encoded.codes, ends[:-1])
    return encoded, dict(zip(people, parts, strict=True))


def _days(column: EncodedColumn) -> Floats | None:
    """Give the day number of each value where all are ISO dates; else None."""
    texts = pl.Series(column.texts, dtype=pl.String)
    days = texts.str.to_date("%Y-%m-%d", strict=False)
    known = ~column.is_missing
    if not known.any() or days.filter(pl.Series(known)).null_count():
        return None
    numbers = days.to_physical().cast(pl.Float64).to_numpy().copy()
    numbers[~known] = np.nan
    return numbers


def _covered(
    policy: Policy, name: str, texts: Sequence[str], values: EncodedColumn
) -> Iterator[Sequence[int] | Ints]:
    """Give the codes of the values under each cell."""
    cells = cells_of(policy, name)
    below = _below(cells, values.texts)
    everything = np.arange(len(values.texts))
    for text in texts:
        found = _in_range(text, values)
        if text == HIDDEN:
            yield everything
        elif found is not None:
            yield found
        elif text in below or _is_value(cells, text):
            yield below.get(text, ())
        else:
            yield [code for code, value in enumerate(values.texts) if cells.covers(text, value)]


def _below(cells: Cells, values: Sequence[str]) -> Mapping[str, list[int]]:
    """List the values under every label that stands above some value."""
    below: dict[str, list[int]] = defaultdict(list)
    for code, value in enumerate(values):
        for label in dict.fromkeys((value, *_labels_above(cells, value))):
            below[label].append(code)
    return below


def _labels_above(cells: Cells, value: str) -> Sequence[str]:
    """Give the coarser cells of a value; of a column without a hierarchy, those of every kind."""
    if not isinstance(cells, MadeFromData):
        return cells.above(value)
    periods = Periods(STEPS)
    is_day = periods.levels(value) == (0,)
    return [*Masks(len(value)).above(value), *(periods.above(value) if is_day else ())]


def _is_value(cells: Cells, text: str) -> bool:
    """Tell whether a cell that is above no value is one itself, of a person that is unknown."""
    return isinstance(cells, MadeFromData) or 0 in cells.levels(text)


def _in_range(text: str, values: EncodedColumn) -> Ints | None:
    """Give the numbers that a plain number or a range covers; None where it is neither."""
    ends = HALF_OPEN.match(text) or CLOSED.match(text)
    numbers = values.numbers
    if numbers is None or not (ends or is_number(text)):
        return None
    known = numbers[~np.isnan(numbers)]
    low, high = (float(ends[1]), float(ends[2])) if ends else (float(text), float(text))
    first = np.searchsorted(known, low)
    is_open = ends is not None and text.endswith(")") and high > low
    last = np.searchsorted(known, high, side="left" if is_open else "right")
    if _are_days(values) and last <= first:
        return None
    return np.arange(first, last)


def _are_days(values: EncodedColumn) -> bool:
    """Tell whether the numbers of a column are days, which are not how its cells are written."""
    return bool(values.texts) and not is_number(values.texts[0])


def _runs(codes: Sequence[int] | Ints) -> tuple[Ints, Ints]:
    """Join ascending codes to runs: where each begins, and one after its end."""
    found = np.asarray(codes, np.int64)
    if not len(found):
        return found, found
    breaks = np.flatnonzero(np.diff(found) > 1)
    first = np.concatenate([[0], breaks + 1]).astype(np.int64)
    last = np.concatenate([breaks, [len(found) - 1]]).astype(np.int64)
    return found[first], found[last] + 1


def _cover(runs: Sequence[tuple[Ints, Ints]]) -> Cover:
    """Put the runs of all cells into one array."""
    nothing = np.zeros(0, np.int64)
    starts = np.concatenate([[0], np.cumsum([len(low) for low, _ in runs])]).astype(np.int64)
    lows = np.concatenate([nothing, *(low for low, _ in runs)]).astype(np.int32)
    highs = np.concatenate([nothing, *(high for _, high in runs)]).astype(np.int32)
    return Cover(starts, lows, highs)


def _ranges(
    texts: Sequence[str], cover: Cover, values: EncodedColumn, unwritten: str
) -> tuple[Floats | None, Floats | None]:
    """Give the range of numbers that each cell leaves open; of an unknown cell, all of them."""
    numbers = values.numbers
    if numbers is None:
        return None, None
    known = numbers[~np.isnan(numbers)]
    lows = np.full(len(texts), known[0] if len(known) else np.nan)
    highs = np.full(len(texts), known[-1] if len(known) else np.nan)
    for cell, text in enumerate(texts):
        ends = HALF_OPEN.match(text) or CLOSED.match(text)
        start, end = cover.starts[cell], cover.starts[cell + 1]
        if text == unwritten:
            lows[cell] = highs[cell] = np.nan
        elif text == HIDDEN:
            continue
        elif ends and not _are_days(values):
            lows[cell], highs[cell] = float(ends[1]), float(ends[2])
        elif is_number(text) and not _are_days(values):
            lows[cell] = highs[cell] = float(text)
        elif end > start and cover.lows[start] < len(known):
            lows[cell] = known[cover.lows[start]]
            highs[cell] = known[min(int(cover.highs[end - 1]), len(known)) - 1]
    return lows, highs
