"""Columns that made-up records look up in a public table, which costs nothing."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import final

from indistinct.database.dataset import Dataset, Lookup, plain
from indistinct.errors import Fault
from indistinct.synthesis.domain import Cell, CodedColumn
from indistinct.synthesis.labels import number

# A number is looked up by each of its steps, and its table must list them all.
MOST_STEPS = 100_000


@final
@dataclass(frozen=True, slots=True)
class Derived:
    """A column that is looked up.

    Parameters
    ----------
    parent : the column whose cells are looked up
    cells : of every cell of the parent; a cell that is not in it is missing
    """

    parent: str
    cells: Mapping[Cell, Cell]

    def of(self, cells: Sequence[Cell]) -> list[Cell]:
        """Look cells up."""
        return [self.cells.get(cell) for cell in cells]


def derived_columns(
    dataset: Dataset, columns: Sequence[CodedColumn]
) -> tuple[dict[str, Derived], list[Fault]]:
    """Read the tables of all columns that are looked up; give them with all faults found."""
    named = {column.name: column for column in columns}
    wanted = dataset.synthesis.columns
    found: dict[str, Derived] = {}
    faults: list[Fault] = []
    for name, lookup in dataset.synthesis.lookups.items():
        if wanted is not None and name not in wanted:
            continue
        place = f"columns.{name}.from"
        parent = named.get(lookup.column)
        if parent is None:
            problem = f"looks {lookup.column} up, which is not made up from counts of its own"
            faults.append(Fault(place, problem, "Name a column with values or bounds."))
            continue
        try:
            pairs = read_pairs(lookup, name)
        except ValueError as error:
            faults.append(Fault(place, str(error), "Write a CSV file with both columns."))
            continue
        wrong = list(_gaps(parent, pairs, place))
        faults += wrong
        if not wrong:
            found[name] = Derived(parent.name, dict(_typed(parent, pairs)))
    return found, faults


def read_pairs(lookup: Lookup, name: str) -> dict[str, str]:
    """Read what each text of a column leads to.

    Raises
    ------
    ValueError
        when the file cannot be read, lacks a column, or lists a value twice
    """
    try:
        with Path(lookup.path).open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ValueError(f"{Path(lookup.path).name} cannot be read") from None
    if not rows or not {lookup.column, name} <= set(rows[0]):
        raise ValueError(f"{Path(lookup.path).name} has no columns {lookup.column} and {name}")
    pairs = {row[lookup.column] or "": row[name] or "" for row in rows}
    if len(pairs) < len(rows):
        raise ValueError(f"{Path(lookup.path).name} lists a value of {lookup.column} twice")
    return pairs


def _gaps(parent: CodedColumn, pairs: Mapping[str, str], place: str) -> Iterator[Fault]:
    if parent.bounds is not None and parent.bounds.high - parent.bounds.low >= MOST_STEPS:
        problem = f"looks up {parent.name}, which has more than {MOST_STEPS:,} steps"
        yield Fault(place, problem, "Look a column with fewer values up.")
        return
    keys = {_key(text) for text in pairs}
    gaps = sum(_key(str(cell)) not in keys for cell in _declared_cells(parent))
    if gaps:
        problem = f"lacks {gaps:,} of the declared values of {parent.name}"
        yield Fault(place, problem, "List every declared value in the CSV file.")


def _declared_cells(parent: CodedColumn) -> list[Cell]:
    if parent.bounds is None:
        return list(parent.values)
    return [parent.number(step) for step in range(parent.bounds.low, parent.bounds.high + 1)]


def _typed(parent: CodedColumn, pairs: Mapping[str, str]) -> Iterator[tuple[Cell, Cell]]:
    """Give cells of the parent, as they are made up, with what they lead to."""
    by_key = {_key(text): found for text, found in pairs.items()}
    texts = {found for found in pairs.values() if found}
    numbers = {text: number(text) for text in texts}
    is_number = None not in numbers.values()
    own: list[Cell] = [*_declared_cells(parent), parent.other]
    for cell in own:
        # Beside a word for other values, declared numbers are made up as words, too.
        for written in (cell, str(cell)):
            found = by_key.get(_key("" if cell is None else str(cell)), "")
            exact = numbers.get(found)
            is_exact = is_number and exact is not None
            yield written, plain(exact) if is_exact and exact is not None else (found or None)
    yield None, by_key.get("") or None


def _key(text: str) -> str | Fraction:
    """Give what two texts of one value have in common."""
    exact = number(text)
    return text if exact is None else exact
