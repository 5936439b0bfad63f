"""Exact counts from the database's prepared rows; only what adds noise may look at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.database.aggregates import Engine, Names, Query
from indistinct.database.dataset import MISSING, Dataset
from indistinct.synthesis.domain import FIRST_POINT, CodedColumn


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
        rows = self.engine.run(self._query(keys))
        if rows:
            found = np.array(rows, np.int64)
            codes = tuple(key.codes_of(found[:, at]) for at, key in enumerate(keys))
            np.add.at(counts, codes, found[:, -1])
        return counts if focused else counts[..., np.newaxis]

    def _query(self, keys: Sequence[CodedColumn]) -> Query:
        selected = ", ".join([*(self._expression(key) for key in keys), "count(*)"])
        everything = (
            self.columns if self.focus_column is None else [*self.columns, self.focus_column]
        )
        complete = [self._is_known(key) for key in everything if not key.missing]
        where = f" WHERE {' AND '.join(complete)}" if complete else ""
        groups = ", ".join(str(at + 1) for at in range(len(keys)))
        return Query(f"SELECT {selected} FROM {self.engine.table}{where} GROUP BY {groups}")  # noqa: S608 - our own names

    def _expression(self, column: CodedColumn) -> str:
        """Write a row's code as :meth:`CodedColumn.codes_of` reads it."""
        names = Names(self.dataset)
        if column.bounds is None:
            return names.key(column.name)
        steps, low = names.column(column.name, "u"), column.bounds.low
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
        missing = f"WHEN {names.column(column.name, 'n')} IS NULL THEN {MISSING}"
        return f"CASE {missing} {points} {cut} ELSE {above} - mod({above}, {column.width}) END"

    def _is_known(self, column: CodedColumn) -> str:
        """Write the condition that a row has one of the codes of a complete column."""
        names = Names(self.dataset)
        if column.bounds is None:
            return f"{names.key(column.name)} >= 0"
        return f"{names.column(column.name, 'n')} IS NOT NULL"
