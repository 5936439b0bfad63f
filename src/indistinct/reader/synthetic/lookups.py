"""Columns that are looked up: every cell is read again in the public table."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from indistinct.reader.synthetic.words import number_of


def lookup_faults(
    declared: Mapping[str, Any],
    folder: Path,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> Iterator[str]:
    """Find columns with a cell that its public table does not give for the cell it depends on.

    Raises
    ------
    OSError
        when a public table cannot be read
    """
    for name in header:
        words = declared["columns"][name].get("from")
        if words is None:
            continue
        parent = words["column"]
        with (folder / words["csv"]).open(encoding="utf-8-sig", newline="") as file:
            known = {_value(row[parent]): _value(row[name]) for row in csv.DictReader(file)}
        at, of = list(header).index(name), list(header).index(parent)
        found = {(_value(row[of]), _value(row[at])) for row in rows}
        if any(known.get(one, "") != other for one, other in found):
            yield f"columns.{name}: a cell is not what the public table says of {parent}"


def _value(cell: str) -> Any:
    """Give what a cell says: a number however it is written, or a text."""
    number = number_of(cell)
    return cell if number is None else number
