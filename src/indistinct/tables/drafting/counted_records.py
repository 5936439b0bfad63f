"""A table that stays where it is, of which an engine counts the values of columns and of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import prod
from typing import Any, final

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.cells.missing_words import MissingWords
from indistinct.errors import CapacityError, EmptyDataError
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.joint import ColumnState, Groups
from indistinct.tables.engines.opened_table import OpenedTable, read_values
from indistinct.tables.engines.sources import Capacity, PersonKey, Tally, coarse, weights_of
from indistinct.tables.frames.distinct_values import DistinctValues, counted_values, distinct_values
from indistinct.tables.frames.encoding import value_codes
from indistinct.tables.frames.small_columns import present_cells
from indistinct.tables.metrics.separation import group_sizes
from indistinct.tables.reading.column_types import type_name
from indistinct.tables.reading.declared_formats import ColumnFormat, FoundReading, Reading
from indistinct.tables.reading.plain_columns import form_of
from indistinct.tables.reading.row_order import fewest_in_order, follows_the_rows

SAMPLED = 200_000  # records by which columns of too many values, and the order, are judged
MOST_GROUPS = 1_000_000  # that are counted in one scan


@final
class CountedRecords:
    """Records where they are, which an engine counts by values or by groups of values.

    Parameters
    ----------
    opened : opens the table with some words for missing values
    words : these words
    capacity : how many distinct rows fit
    stack : closes the table

    Raises
    ------
    EmptyDataError
        when the table has no records

    Notes
    -----
    One count for each column, for each pair of columns of which one may follow from the other, for
    the quasi-identifiers together, and for about six undecided columns at a time. A column with
    more values than fit is judged by records at equal distances.
    """

    def __init__(
        self,
        opened: Callable[[MissingWords], OpenedTable],
        words: MissingWords,
        capacity: Capacity,
        stack: ExitStack,
    ) -> None:
        self._opened, self._capacity, self._stack = opened, capacity, stack
        self._source = stack.enter_context(opened(words))
        self._profile = self._source.profile()
        if self._profile.n_records == 0:
            remedy = "Check that this is the right file."
            raise EmptyDataError("the table has no records", remedy, code="no-records")
        self._some = self._source.sample(list(self._source.schema), SAMPLED)
        # Per column, the values as the engine has them, the missing one last.
        self._values: dict[str, Any] = {}
        self._forms: dict[str, ColumnFormat] = {}  # of columns that the engine reads as texts

    @property
    def found(self) -> FoundReading:
        """How columns are written that the engine reads as texts."""
        return FoundReading(columns=self._forms)

    def states(self) -> Mapping[str, ColumnState]:
        """Return the type of each column, and how many of its cells are missing."""
        missing = self._profile.n_missing
        return {name: (dtype, missing[name]) for name, dtype in self._source.schema.items()}

    def counted(self, name: str, *, has_role: bool) -> CountedColumn:
        """Count the values of a column; too many of them are judged by some records."""
        some = self._some[name]
        may_follow = self._source.has_order and not has_role
        follows = may_follow and follows_the_rows(some, fewest_in_order(some.dtype))
        tally = self._source.count([PersonKey(name)], self._capacity.rows(1))
        if tally is None:
            return self._guessed(name, follows_rows=follows)
        held = self._held(name, tally)
        form = None
        if type_name(self._source.schema[name]) == "text":
            form = form_of(held.texts, held.records)
            if form is not None and not form.doubt:
                self._forms[name] = form
                held = self._read(name, tally)
        return CountedColumn(name, type_name(self._source.schema[name]), held, follows, form=form)

    def _read(self, name: str, tally: Tally) -> DistinctValues:
        """Read the values of a column in the form that was found, and return them."""
        form = self._forms[name]
        formats = {} if form.format is None else {name: form.format}
        types = {} if form.type is None else {name: form.type}
        read_values(self._source, tally, Reading(formats=formats, types=types))
        again = self._source.count([PersonKey(name)], self._capacity.rows(1))
        assert again is not None  # noqa: S101 - there are no more values than before
        return self._held(name, again)

    def _held(self, name: str, tally: Tally) -> DistinctValues:
        """Count the values of a column, and keep them in their order as the engine has them."""
        values = tally.frame[name]
        held, codes = counted_values(values, tally.records.to_numpy())
        self._values[name] = values.gather(np.argsort(codes, kind="stable"))
        return held

    def reread(self, words: MissingWords) -> CountedRecords:
        """Open the table again with further words for a missing value, and close this one."""
        self._stack.close()
        again = CountedRecords(self._opened, words, self._capacity, self._stack)
        again._values, again._forms = dict(self._values), dict(self._forms)
        for name in self._forms:
            again._read(name, again._tally([PersonKey(name)]))
        return again

    def follows(self, column: CountedColumn, other: CountedColumn) -> bool:
        """Count the pairs of values, of which there are as many as the other column has values."""
        most = len(other.sizes)
        pairs = self._source.count([PersonKey(other.name), PersonKey(column.name)], most)
        return pairs is not None and len(pairs.records) == most

    def groups(self, finer: CountedColumn, coarser: CountedColumn) -> Mapping[str, str]:
        """Count the pairs of values."""
        frame = self._tally([PersonKey(finer.name), PersonKey(coarser.name)]).frame
        pairs = zip(*(text_of(frame[one.name]) for one in (finer, coarser)), strict=True)
        return {one: other for one, other in pairs if one}

    def group_sizes(self, common: Groups, each: Groups) -> Mapping[str, Ints]:
        """Count groups of the common columns and of several others at a time."""
        found: dict[str, Ints] = {}
        shared = {name: group for name, group in common.items() if len(group)}
        for names in _batches(shared, each):
            groups = {**shared, **{name: each[name] for name in names}}
            tally = self._tally([self._key(name, group) for name, group in groups.items()])
            for name in names:
                codes = [value_codes(tally.frame[one])[1] for one in (*shared, name)]
                found[name] = group_sizes(codes, weights_of(tally))
        return found

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Codes], Ints]:
        """Count the distinct rows of some columns."""
        tally = self._tally([PersonKey(name) for name in names])
        return [value_codes(tally.frame[name])[1] for name in names], weights_of(tally)

    def _guessed(self, name: str, *, follows_rows: bool) -> CountedColumn:
        """Judge a column of too many values by some records."""
        some, n_missing = self._some[name], self._profile.n_missing[name]
        held, _ = distinct_values(present_cells(some))
        known = self._profile.n_records - n_missing
        by_sample = int(len(held.records) / max(held.records.sum(), 1) * known)
        distinct = min(known, self._source.estimate([PersonKey(name)]) or by_sample)
        held = replace(held, n_missing=n_missing)
        return CountedColumn(name, type_name(some.dtype), held, follows_rows, (distinct, known))

    def _key(self, name: str, group: Ints) -> PersonKey:
        """Let the first value of each group stand for the others."""
        _, first, label = np.unique(group, return_index=True, return_inverse=True)
        return PersonKey(name, coarse(self._values[name], first[label].astype(np.int64), 1))

    def _tally(self, keys: Sequence[PersonKey]) -> Tally:
        """Count distinct rows, or say that they do not fit."""
        at_most = self._capacity.rows(len(keys))
        tally = self._source.count(keys, at_most)
        if tally is None:
            raise CapacityError(
                f"{', '.join(key.name for key in keys)} have more than {at_most:,} combinations",
                "Give more --memory, or a policy with fewer quasi-identifiers.",
            )
        return tally


def text_of(column: Any) -> list[str]:
    """Return the cells of a column as texts; a missing one is the empty text."""
    held, codes = distinct_values(column)
    texts = [*held.texts, ""]
    return [texts[code] for code in codes.tolist()]


def _batches(common: Groups, each: Groups) -> Iterator[list[str]]:
    """Yield columns that are counted in one scan, so that there are not too many groups."""
    start = prod(len(np.unique(group)) for group in common.values())
    batch: list[str] = []
    groups = start
    for name, group in each.items():
        size = len(np.unique(group))
        if batch and (groups * size > MOST_GROUPS or name in common):
            yield batch
            batch, groups = [], start
        batch.append(name)
        groups *= size
    if batch:
        yield batch
