"""Which share of the rows keeps a column at some level, beside the most that its classes allow."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.related.publish.history import ReleasedRows, shown_rows
from indistinct.related.publish.tables import RelatedTables, RowTable


def kept_at_levels(
    tables: RelatedTables, table: RowTable, rows: ReleasedRows, classes: Ints
) -> dict[str, dict[str, Any]]:
    """Return, per column and level, the share of the rows that keep it, and the most that could.

    A row whose label at a level is had by fewer than k units of its class cannot keep the column at
    this level or a finer one, whatever else is known of the unit; neither can a row of a unit that
    is left out. This is said of the classes of units that were chosen.

    Parameters
    ----------
    classes : (n_units,), of each unit; -1 where it is left out

    Returns
    -------
    per column and level ``reached`` and ``at_most``, in [0, 1]
    """
    found: dict[str, dict[str, Any]] = {}
    units, k = table.attached.units, tables.policy.model.k
    own = np.where(units >= 0, classes[np.maximum(units, 0)], -1)
    shown = shown_rows(tables, table, rows)
    n_rows = max(table.n_rows, 1)
    for at, column in enumerate(table.columns):
        codes = table.codes[:, at]
        reached = np.zeros(table.n_rows, np.bool_)
        found[column.name] = {}
        for level in column.levels.levels:
            labels = column.levels.cells[level][codes]
            reached |= shown & (rows.cells[:, at] == labels)
            at_most = float((_units_alike(own, labels, units) >= k).sum() / n_rows)
            found[column.name][str(level)] = {
                "reached": round(float(reached.sum() / n_rows), 6),
                "at_most": round(at_most, 6),
            }
    return found


def _units_alike(classes: Ints, labels: Ints, units: Ints) -> Ints:
    """Return how many units of its class have the label of each row: (n_rows,); 0 without class."""
    rows = np.flatnonzero(classes >= 0)
    kinds, of_row = np.unique(
        np.column_stack([classes[rows], labels[rows]]), axis=0, return_inverse=True
    )
    pairs = np.unique(np.column_stack([of_row.reshape(-1), units[rows]]), axis=0)
    alike = np.bincount(pairs[:, 0], minlength=len(kinds))
    found = np.zeros(len(classes), np.int64)
    found[rows] = alike[of_row.reshape(-1)]
    return found
