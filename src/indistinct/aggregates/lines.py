"""The lines of published tables: labels, a value or a mark, in the order in which they stand."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.aggregates.dimensions import Dimension
from indistinct.aggregates.family import Family, TableShape, grid_of, grid_size, steps_of
from indistinct.aggregates.policy import MEASURE
from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr

HIDDEN = "c"
LINES_PER_CELL, FURTHER_LINES = 4, 10_000  # a grid that is larger leaves its zeros out


@dataclass(frozen=True, slots=True)
class Lines:
    """One table as it is published.

    Parameters
    ----------
    dimensions : names, rows before columns
    labels : per dimension, (n_lines,)
    values : (n_lines,), None where the value is hidden
    has_zeros : whether lines stand for cells without anybody, too
    """

    dimensions: tuple[str, ...]
    labels: tuple[list[str], ...]
    values: list[int | None]
    has_zeros: bool

    __repr__ = short_repr

    @property
    def marks(self) -> list[str]:
        """The mark of each line; empty where there is a value."""
        return ["" if value is not None else HIDDEN for value in self.values]

    def text(self) -> str:
        """Return the table as a CSV file has it."""
        header = [*self.dimensions, "measure", "value", "mark"]
        values = ("" if value is None else str(value) for value in self.values)
        rows = zip(*self.labels, [MEASURE] * len(self.values), values, self.marks, strict=True)
        return csv_text(header, rows)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file: commas, quotes where they are needed, and ends of lines as on Unix."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()


def lines_of(family: Family, number: int, hidden: Bools) -> Lines:
    """Return the lines of a table.

    Parameters
    ----------
    number : of the table
    hidden : (n_cells,), which cells are hidden
    """
    table, cells = family.tables[number], family.cells[number]
    size = grid_size(family.dimensions, table)
    has_zeros = size <= LINES_PER_CELL * len(cells) + FURTHER_LINES
    keys = grid_of(family.dimensions, table) if has_zeros else family.keys[cells]
    keys = keys[order_of(family.dimensions, table, keys)]
    places = np.searchsorted(family.keys, keys)
    places[places == len(family.keys)] = 0
    is_stored = family.keys[places] == keys
    counts: list[int] = np.where(is_stored, family.counts[places], 0).tolist()
    is_hidden: list[bool] = (is_stored & hidden[places]).tolist()
    steps = steps_of(family.dimensions)
    labels: list[list[str]] = []
    for one in table.dimensions:
        dimension = family.dimensions[one]
        nodes = keys // steps[one] % dimension.size
        labels.append([dimension.labels[int(node)] for node in nodes])
    return Lines(
        tuple(family.dimensions[one].name for one in table.dimensions),
        tuple(labels),
        [None if gone else count for count, gone in zip(counts, is_hidden, strict=True)],
        has_zeros,
    )


def order_of(dimensions: Sequence[Dimension], table: TableShape, keys: Ints) -> Ints:
    """Return the order of the lines: by rows, then by columns, the total after its parts."""
    steps = steps_of(dimensions)
    ranks = [
        dimensions[one].ranks[keys // steps[one] % dimensions[one].size] for one in table.dimensions
    ]
    return np.lexsort(ranks[::-1])


def witness_text(family: Family, hidden: Bools, tables: Ints) -> str:
    """Return the file of complete tables: a line for each hidden cell, a column for each table.

    Parameters
    ----------
    tables : (n_tables, n_hidden)
    """
    cells = np.flatnonzero(hidden)
    labels = [
        [dimension.labels[int(node)] for node in family.nodes(number)[cells]]
        for number, dimension in enumerate(family.dimensions)
    ]
    columns = [f"w{number}" for number in range(1, len(tables) + 1)]
    header = [*(one.name for one in family.dimensions), "measure", *columns]
    values: list[list[int]] = tables.T.tolist()
    rows = (
        [*own, MEASURE, *map(str, found)]
        for own, found in zip(zip(*labels, strict=True), values, strict=True)
    )
    return csv_text(header, rows)
