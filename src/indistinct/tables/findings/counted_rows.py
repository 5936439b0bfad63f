"""A released table in memory, counted: each record is a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.errors import CapacityError
from indistinct.tables.engines.sources import Tally, weights_of
from indistinct.tables.engines.tallies import value_hashes
from indistinct.tables.findings.counted_table import (
    HOUSEHOLDS,
    RECORDS,
    SEED,
    CountedCells,
    CountedTable,
    class_columns,
    classes_in,
    household_classes,
    numbered,
)
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.small_columns import distinct, present_cells
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.policy.specification import Specification


def rows_in_memory(frame: Frame, spec: Specification, records: Ints | None = None) -> CountedCells:
    """Return the rows of a released table, whose units are households where the policy names them.

    Parameters
    ----------
    frame : the released records, or their distinct rows
    records : (n_rows,), records of each row; one each where left out
    """
    counts = np.ones(frame.height, np.int64) if records is None else records
    names, household = class_columns(spec, frame.columns), spec.data.household
    classes = classes_in(frame, names) if names else np.zeros(len(counts), np.int64)
    if household not in frame.columns:
        return CountedCells(frame, counts, classes)
    units = numbered(value_hashes(frame[household or ""], SEED))
    return CountedCells(frame, counts, household_classes(classes, units), units)


def table_in_memory(rows: CountedCells, spec: Specification) -> CountedTable:
    """Return a released table of which all rows are at hand."""
    n_records = int(rows.records.sum())
    is_of_households = spec.data.household in rows.frame.columns
    return CountedTable(
        spec,
        tuple(rows.frame.columns),
        lambda _, __: rows,
        n_records,
        n_records if rows.units is None else len(np.unique(rows.units)),
        HOUSEHOLDS if is_of_households else RECORDS,
    )


def table_in_engine(
    count: Callable[[list[str]], Tally], columns: Sequence[str], spec: Specification
) -> CountedTable:
    """Return a released table that an engine counts: all of it once, else each time some columns.

    Parameters
    ----------
    count : counts the distinct rows of some columns. Raises CapacityError where they do not fit
    """
    names = class_columns(spec, columns)
    whole: list[CountedCells | None] = []

    def counted(wanted: Sequence[str]) -> CountedCells:
        found = count(list(dict.fromkeys([*names, *wanted])))
        return rows_in_memory(found.frame, spec, weights_of(found))

    def rows(wanted: Sequence[str], _: Sequence[str]) -> CountedCells:
        if not whole:
            try:
                whole.append(counted(columns))
            except CapacityError:
                whole.append(None)
        return whole[0] or counted(wanted)

    n_records = count([]).n_records
    return CountedTable(spec, tuple(columns), rows, n_records, n_records)


def beside_input(table: CountedTable, original: Frame, behind: Ints | None) -> CountedTable:
    """Return a released table in memory with the input at hand.

    Parameters
    ----------
    behind : (n_rows,), row of the input behind each row; -1 where there is none. None without the
        crosswalk
    """

    def count(names: Sequence[str], before: Sequence[str]) -> CountedCells:
        rows = table.count(names, ())
        if behind is None or not before:
            return rows
        places = np.maximum(behind, 0)
        cells = {name: original[name].gather(places) for name in before}
        return replace(rows, before=cells, is_real=behind >= 0)

    def values(name: str) -> Column:
        return present_cells(distinct(cell_texts(original[name])))

    return replace(table, count=count, values_before=values)
