"""Columns of a table that nobody reads whole, in the form that a policy says of them.

The engine counts the values of such a column, which are read here as those of a file are, and
joins what they were read as.
"""

from __future__ import annotations

from typing import Protocol

from indistinct.base.cells.number_formats import COMMA
from indistinct.errors import DataError, Fault
from indistinct.tables.engines.sources import Capacity, EngineTable, Opening, PersonKey, Tally
from indistinct.tables.frames.frame import Column, frame_of
from indistinct.tables.reading.column_types import ColumnType, with_types
from indistinct.tables.reading.declared_formats import DATE, NUMBER, Reading
from indistinct.tables.reading.plain_columns import PlainColumns


class OpenedTable(EngineTable, Protocol):
    """A table as an engine opened it, whose columns may still be read in another form."""

    def replace_values(self, name: str, values: Column, plain: Column) -> None:
        """Read the cells of a column in another form from now on.

        Parameters
        ----------
        values : (n_distinct,), all that there are, as the table has them
        plain : (n_distinct,), what each is read as
        """
        ...


def read_as_said(table: OpenedTable, opening: Opening) -> OpenedTable:
    """Return a table whose columns of a said format or type are read as such.

    Raises
    ------
    DataError
        when a column has more values than fit, or some that do not have the format; the table is
        closed
    """
    try:
        for name in () if opening.as_written else _said_columns(table, opening.reading):
            _read_column(table, name, opening)
    except BaseException as error:
        table.__exit__(type(error), error, None)
        raise
    return table


def _said_columns(table: OpenedTable, reading: Reading) -> list[str]:
    """Return the columns whose form is said; with decimal commas, this may be each one of texts."""
    said = {*reading.formats, *(n for n, kind in reading.types.items() if kind in {NUMBER, DATE})}
    if reading.decimal == COMMA:
        said |= {n for n, kind in table.kinds.items() if kind is ColumnType.TEXT}
    said -= reading.left_out
    return [name for name in table.schema if name in said and not reading.stays(name)]


def _read_column(table: OpenedTable, name: str, opening: Opening) -> None:
    """Read the values of a column in the form that is said of it."""
    dtype, is_number = table.schema[name], opening.reading.types.get(name) == NUMBER
    if dtype.is_temporal() or (dtype.is_numeric() and is_number):
        return
    tally = table.count([PersonKey(name)], Capacity(opening.limits.memory).rows(1))
    if tally is not None:
        read_values(table, tally, opening.reading)
    else:
        raise DataError(
            [
                Fault(
                    f"columns.{name}",
                    "has too many different values to be read in the form that the policy says",
                    "Convert the column to dates as YYYY-MM-DD or to plain numbers, or give the "
                    "engine more --memory.",
                )
            ]
        )


def read_values(table: OpenedTable, tally: Tally, reading: Reading) -> None:
    """Read all values of a column in the form that is said of it from now on.

    Parameters
    ----------
    tally : the values of that one column
    """
    (name,) = tally.frame.columns
    known = tally.frame[name].is_not_null()
    values, records = tally.frame[name].filter(known), tally.records.filter(known)
    if values.is_empty():
        return
    columns = PlainColumns(reading, None, lambda record: record)
    plain = columns.said_values(name, values.cast(str), records)
    if plain is not None:
        typed = with_types(frame_of({name: plain}), ())[name]
        table.replace_values(name, values, typed)
