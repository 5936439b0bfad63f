"""What takes more than to count cells: what columns are by their names, and what they give back."""

from __future__ import annotations

from typing import final

import numpy as np

from indistinct.tables.drafting.identifier_columns import (
    looks_like_an_identifier,
    repeats_people,
    texts_naming_somebody,
)
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.findings.counted_table import CountedTable
from indistinct.tables.frames.distinct_values import DistinctValues, counted_values
from indistinct.tables.frames.frame import Column
from indistinct.tables.frames.texts import are_all_different
from indistinct.tables.reading.column_types import type_name
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.release.cell_spans import RECORDS_WITH
from indistinct.tables.release.read_back import ReadBack
from indistinct.tables.release.read_back_of_release import released_read_back

SAMPLE = 500  # records that are looked at, at equal distances


@final
class ReleaseJudge:
    """Look at a release as drafts look at a table; what is read back is found once."""

    def __init__(self, known: ReadBack | None = None) -> None:
        self._read_back: dict[str, ReadBack | None] = {} if known is None else {"": known}

    def looks_like_an_identifier(self, table: CountedTable, name: str) -> bool:
        """Return whether a column names people or numbers records, by some of its records."""
        rows = table.cells([name])
        step = max(1, len(rows.records) // SAMPLE)
        kind, values = _known(table, rows.frame[name][::step], rows.records[::step])
        return looks_like_an_identifier(name, kind, values)

    def naming_somebody(self, table: CountedTable, name: str) -> frozenset[str]:
        """Return the texts of a column that hold a telephone number, an address or the like."""
        rows = table.cells([name])
        return texts_naming_somebody(_known(table, rows.frame[name], rows.records)[1])

    def repeats_people(self, table: CountedTable, name: str) -> bool:
        """Return whether the repeated values of an identifier of the input may be people."""
        rows = table.count([], [name])
        if rows.records.max(initial=0) <= 1 and are_all_different(rows.before[name]):
            return False
        kind, values = _known(table, rows.before[name], rows.records)
        return repeats_people(name, kind, values)

    def read_back(self, table: CountedTable) -> tuple[tuple[str, ...], int, int, int] | None:
        """Return the columns that give cells back, how many of how many, and the least class."""
        found = self.all_read_back(table)
        together = None if found is None else found.together
        if together is None:
            return None
        n_cells = table.n_records * len(together.cells)
        shown = {*table.columns}
        names = (
            one if one in shown else one.removeprefix(RECORDS_WITH) for one in together.columns
        )
        return tuple(dict.fromkeys(names)), together.n_cells, n_cells, together.k_after

    def all_read_back(self, table: CountedTable) -> ReadBack | None:
        """Return what the columns of a table give back of the others."""
        if table.table not in self._read_back:
            spec, rows = table.spec, table.cells(table.columns)
            # What members of a household give back of each other is the same for all alike.
            aside = (*spec.set_names, spec.data.household or "")
            shown = columns_of(rows.frame, table.columns)
            found = released_read_back(shown, spec.class_rules, aside, rows.records)
            self._read_back[table.table] = found
        return self._read_back[table.table]


def _known(table: CountedTable, column: Column, records: np.ndarray) -> tuple[str, DistinctValues]:
    """Return the type of a column, and its values that are not missing."""
    known = ~are_missing(column, table.spec.data.missing)
    cells = column if known.all() else column[np.flatnonzero(known)]
    return type_name(cells.dtype), counted_values(cells, records[known])[0]
