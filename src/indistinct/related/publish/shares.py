"""Which rows of related tables have a value whose share among units is limited."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.related.publish.history import ReleasedRows, shown_rows
from indistinct.related.publish.tables import RelatedTables, RowColumn, RowTable
from indistinct.related.read_tables import key_texts
from indistinct.tables.masks import ValueRows
from indistinct.tables.models import LargestShare


def value_rows(tables: RelatedTables, found: Sequence[ReleasedRows]) -> list[ValueRows]:
    """Return for each limited share which released rows have one of its values.

    Parameters
    ----------
    found : per table, the released rows
    """
    return [_value_rows(tables, found, model) for model in tables.policy.largest_shares]


def _value_rows(
    tables: RelatedTables, found: Sequence[ReleasedRows], model: LargestShare
) -> ValueRows:
    """Return which released rows have one of the values of one limited share."""
    true: list[Bools] = []
    seen: list[Bools] = []
    for table, one in zip(tables.row_tables, found, strict=True):
        is_true, is_seen = _of_table(tables, table, one, model)
        shows = shown_rows(tables, table, one)[one.kept]
        true.append(is_true[one.kept] & shows)
        seen.append(is_seen[one.kept] & shows)
    is_in_label = model.column_name in tables.policy.quasi_identifiers(model.table)
    return ValueRows(model.share, np.concatenate(true), np.concatenate(seen), is_in_label)


def _of_table(
    tables: RelatedTables, table: RowTable, rows: ReleasedRows, model: LargestShare
) -> tuple[Bools, Bools]:
    """Return which rows of a table truly have one of the values, and in which it is seen."""
    is_true, names = rows_with_value(tables, table, model), [one.name for one in table.columns]
    if table.name != model.table or model.column_name not in names:
        return is_true, is_true
    at = names.index(model.column_name)
    is_cell = _sensitive_cells(table.columns[at], model)[1]
    return is_true, is_cell[rows.cells[:, at]] & rows.kept


def rows_with_value(tables: RelatedTables, table: RowTable, model: LargestShare) -> Bools:
    """Return which rows of a table truly have one of the values: (n_rows,)."""
    if table.name != model.table:
        return np.zeros(table.n_rows, np.bool_)
    names = [column.name for column in table.columns]
    if model.column_name not in names:
        texts = key_texts(tables.files[table.name].frame, model.column_name)
        return np.array([text in model.values for text in texts], np.bool_)
    at = names.index(model.column_name)
    return _sensitive_cells(table.columns[at], model)[0][table.codes[:, at]]


def _sensitive_cells(column: RowColumn, model: LargestShare) -> tuple[Bools, Bools]:
    """Return which values of a column are sensitive, and which of its cells."""
    cells = column.levels.cells
    is_named = np.array([text in model.values for text in column.texts], np.bool_)
    # From the root down: a cell is sensitive if it is named, or the cell above it is.
    at_or_above = np.logical_or.accumulate(is_named[cells][::-1], axis=0)[::-1]
    is_cell = np.zeros(len(column.texts), np.bool_)
    is_cell[cells[at_or_above]] = True
    return at_or_above[0], is_cell
