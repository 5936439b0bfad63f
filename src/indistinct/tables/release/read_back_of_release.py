"""What a released table gives back, by its cells and its policy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.frames.encoding import encode
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_hierarchy, missing_text
from indistinct.tables.release.cell_spans import cell_spans
from indistinct.tables.release.derivable import MOST_COLUMNS, Units
from indistinct.tables.release.read_back import GeneralizedColumn, ReadBack, read_back
from indistinct.tables.release.released import bounds_of, cell_texts_of, is_released
from indistinct.tables.release.unit_spans import units_of_cells, units_of_values


@dataclass(frozen=True, slots=True)
class ReleasedColumns:
    """The columns of a release as cells and values: those that are generalized, and the others.

    Parameters
    ----------
    generalized : per quasi-identifier, the cell of each row
    others : per other column, (n_rows,), number of each row's value; -1 where it is missing
    numbers : per other column that holds numbers or dates, per unit its values: (n_rows,)
    """

    generalized: Mapping[str, GeneralizedColumn]
    others: Mapping[str, Codes]
    numbers: Mapping[str, Units]

    __repr__ = short_repr

    @classmethod
    def of(
        cls, frame: Frame, rules: Sequence[ColumnRule], set_names: Sequence[str]
    ) -> ReleasedColumns | None:
        """Encode the columns of a release; None where no cell was generalized or every column was.

        Parameters
        ----------
        frame : the release, or its distinct rows
        set_names : columns that nobody reads cells back by
        """
        shown = [rule for rule in rules if is_released(rule.name, frame)]
        others = others_of(frame, [*(rule.name for rule in rules), *set_names])
        if not shown or not others or not frame.height:
            return None
        generalized = {rule.name: _generalized(frame, rule) for rule in shown}
        codes: dict[str, Codes] = {}
        numbers: dict[str, Units] = {}
        is_numbered = any(one.units for one in generalized.values())
        for name in others:
            column = encode(cell_texts(frame[name]), "")
            is_missing = column.is_missing[column.codes]
            codes[name] = np.where(is_missing, -1, column.codes).astype(np.int32)
            if is_numbered and len(numbers) < MOST_COLUMNS:
                units = units_of_values(column.texts, column.is_missing)
                if units:
                    numbers[name] = {unit: values[column.codes] for unit, values in units.items()}
        return cls(generalized, codes, numbers)

    def read_back(self, records: Ints) -> ReadBack:
        """Find what the columns give back that are not generalized.

        Parameters
        ----------
        records : (n_rows,), records of each row
        """
        return read_back(self.generalized, self.others, records, self.numbers)


def released_read_back(
    frame: Frame, rules: Sequence[ColumnRule], set_names: Sequence[str], records: Ints | None = None
) -> ReadBack | None:
    """Find what the columns of a release give back that are not generalized.

    Parameters
    ----------
    frame : the release, or its distinct rows
    records : (n_rows,), records of each row; one each where left out

    Returns
    -------
    what is given back; None where no cell was generalized or every column was
    """
    columns = ReleasedColumns.of(frame, rules, set_names)
    return None if columns is None else columns.read_back(_records(frame, records))


def others_of(frame: Frame, generalized: Sequence[str]) -> list[str]:
    """Return the released columns that are not generalized."""
    bounds = {column for name in generalized for column in (name, *bounds_of(name))}
    return [name for name in frame.columns if name not in bounds]


def _records(frame: Frame, records: Ints | None) -> Ints:
    """Return the records of each row."""
    return np.ones(frame.height, np.int64) if records is None else records


def _generalized(frame: Frame, rule: ColumnRule) -> GeneralizedColumn:
    """Encode the cells of a quasi-identifier, and find where they lie."""
    column = encode(cell_texts_of(frame, rule), "")
    missing = missing_text(rule)
    listed = listed_hierarchy(rule)
    spans = cell_spans(column.texts, listed, missing)
    are_dates = rule.hierarchy is not None and rule.hierarchy.dates is not None
    units = units_of_cells(column.texts, listed, missing, are_dates=are_dates)
    return GeneralizedColumn(column.codes, spans, units)
