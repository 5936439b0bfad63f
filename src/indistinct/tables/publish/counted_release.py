"""A release whose records an engine has: counted before it is written, by what becomes of each row.

The engine counts the distinct rows of the input by the columns that decide about a record and by
those that somebody asks for. The plan says what is released of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.errors import CapacityError
from indistinct.tables.engines.sources import (
    Capacity,
    EngineTable,
    PersonKey,
    ReleasePlan,
    weights_of,
)
from indistinct.tables.engines.tallies import columns_of, matched_rows
from indistinct.tables.findings.counted_rows import rows_in_memory
from indistinct.tables.findings.counted_table import CountedCells, CountedTable, class_columns
from indistinct.tables.frames.frame import Column, Frame, chosen, frame_of
from indistinct.tables.frames.small_columns import distinct, present_cells
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.native_frames import collected

COLLECTED = frozenset({"polars", "duckdb"})  # engines whose release can be collected here
BYTES_OF_A_CELL, SHARE_OF_MEMORY = 64, 4


@dataclass(slots=True)
class ReleaseInEngine:
    """The release of a table that is not read whole.

    Parameters
    ----------
    source : the table
    plan : what becomes of its records
    spec : what is promised of them
    memory : bytes that the distinct rows may take here
    """

    source: EngineTable
    plan: ReleasePlan
    spec: Specification
    memory: int
    _whole: CountedCells | None = field(default=None)
    _is_too_large: bool = False

    __repr__ = short_repr

    def table(self, identifiers: Sequence[str]) -> CountedTable:
        """Return the released table as detectors count it.

        Parameters
        ----------
        identifiers : of the input
        """
        n = self.plan.n_released
        return CountedTable(
            self.spec,
            self.plan.columns,
            self.count,
            n,
            n,
            identifiers=tuple(identifiers),
            has_true_values=False,
            values_before=self.values_before,
        )

    def count(self, names: Sequence[str], before: Sequence[str]) -> CountedCells:
        """Count the released rows of some columns, and of those of the input beside them.

        Parameters
        ----------
        names : of the release, the quasi-identifiers besides
        before : of the input

        Raises
        ------
        CapacityError
            when there are more than fit, or the engine decides only when it writes which records of
            equal rows go to which class
        """
        if before:
            return self._counted(names, before)
        if not self._is_too_large and self._whole is None:
            try:
                self._whole = self._counted(self.plan.columns, ())
            except CapacityError:
                self._is_too_large = True
        return self._counted(names, ()) if self._whole is None else self._whole

    def values_before(self, name: str) -> Column:
        """Return the different values of a column of the input as texts."""
        return present_cells(distinct(cell_texts(self._tally([PersonKey(name)])[0][name])))

    def _counted(self, names: Sequence[str], before: Sequence[str]) -> CountedCells:
        plan, spec = self.plan, self.spec
        cells = class_columns(spec, plan.columns)
        shown = list(dict.fromkeys([*cells, *names]))
        if not plan.is_whole:
            return self._collected(shown, before)
        passed = [name for name in shown if name in plan.passed]
        beside = dict.fromkeys([*passed, *before])
        known = {key.name for key in plan.keys if key.coarse is None}
        keys = [*plan.keys, *(PersonKey(name) for name in beside if name not in known)]
        frame, records = self._tally(keys)
        rows, _ = matched_rows(frame, plan.rows, [key.name for key in plan.keys])
        released = np.flatnonzero(rows >= 0)
        decided = [name for name in shown if name not in passed]
        found, own = chosen(plan.cells, rows[released], decided), frame[released]
        counted = {name: found[name] for name in decided} | {name: own[name] for name in passed}
        told = rows_in_memory(frame_of(counted), spec, records[released])
        return replace(told, before={name: own[name] for name in before})

    def _tally(self, keys: Sequence[PersonKey]) -> tuple[Frame, np.ndarray]:
        """Count distinct rows of the input."""
        found = self.source.count(keys, Capacity(self.memory).rows(len(keys)))
        if found is None:
            raise CapacityError("the rows do not fit into memory", "Give more --memory.")
        return found.frame, weights_of(found)

    def _collected(self, names: Sequence[str], before: Sequence[str]) -> CountedCells:
        """Read the release, where the records of equal rows go to several classes."""
        plan = self.plan
        size = plan.n_released * len(plan.written) * BYTES_OF_A_CELL
        is_small = size <= self.memory // SHARE_OF_MEMORY
        if before or self.source.engine not in COLLECTED or not is_small:
            raise CapacityError("the rows do not fit into memory", "Give more --memory.")
        frame = collected(self.source.lazy(plan))
        return rows_in_memory(columns_of(frame, names), self.spec)
