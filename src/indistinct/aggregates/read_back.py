"""Read published tables back, so that a hidden cell is never taken for a number."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indistinct.base.brief import short_repr
from indistinct.base.inputs import read_bytes
from indistinct.errors import DataError, Fault
from indistinct.tables.frames import Frame, table_of_cells

OURS = ("measure", "value", "mark")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table as its file has it, with its note.

    Parameters
    ----------
    frame : a line for each cell; the value of a hidden one is missing
    note : what its dimensions, measures and marks mean
    """

    frame: Frame
    note: Mapping[str, Any]

    __repr__ = short_repr


def read_table(path: str | Path) -> PublishedTable:
    """Read a published table and the note beside it.

    Parameters
    ----------
    path : of the file ``NAME.csv``; ``NAME.json`` stands beside it

    Raises
    ------
    DataError
        when a file cannot be read, or a line has neither a value nor a known mark
    """
    place = Path(path)
    note = _note(place.with_suffix(".json"))
    try:
        text = read_bytes(place).decode("utf-8")
        header, *rows = list(csv.reader(io.StringIO(text, newline="")))
    except (OSError, ValueError, csv.Error):
        raise _unread(place, "cannot be read as a published table") from None
    names = [one["name"] for one in note["dimensions"]]
    marks = {mark for one in note["measures"].values() for mark in one["empty"]}
    if header != [*names, *OURS] or any(len(row) != len(header) for row in rows):
        raise _unread(place, "does not have the columns of its note")
    for row in rows:
        value, mark = row[-2:]
        if (mark not in marks or value) and (mark or not _is_whole(value)):
            raise _unread(place, "has a line with neither a value nor a mark of its note")
    columns: dict[str, Any] = {
        name: list(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }
    columns["value"] = [int(cell) if cell else None for cell in columns["value"]]
    return PublishedTable(table_of_cells(columns), note)


def bounds(table: PublishedTable) -> Frame:
    """Return what a reader may take for the least and the largest value of each cell.

    Returns
    -------
    the lines of the table with ``low`` and ``high`` in place of value and mark; a hidden cell has
    no largest value
    """
    frame, measures = table.frame, table.note["measures"]
    hidden = {name: one["hidden"]["at_least"] for name, one in measures.items()}
    values: list[int | None] = frame["value"].to_list()
    kinds: list[str] = frame["measure"].to_list()
    low = [
        hidden[kind] if value is None else value for kind, value in zip(kinds, values, strict=True)
    ]
    names = [name for name in frame.columns if name not in {"value", "mark"}]
    columns: dict[str, Any] = {name: frame[name].to_list() for name in names}
    return table_of_cells({**columns, "low": low, "high": values})


def _note(place: Path) -> dict[str, Any]:
    """Read the note of a table."""
    try:
        found = json.loads(read_bytes(place))
        if not {"dimensions", "measures"} <= {*found}:
            raise _unread(place, "is not the note of a published table")
    except (OSError, ValueError, TypeError):
        raise _unread(place, "is not the note of a published table") from None
    return found


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _unread(place: Path, problem: str) -> DataError:
    """Return the error of a file that is not what it has to be."""
    return DataError([Fault(place.name, problem, "Take the file as it was published.")])
