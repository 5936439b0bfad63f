"""A release beside its original, both counted once, by the same lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.base.brief import short_repr
from indistinct.tables.evaluation.utility.distributions import (
    Distribution,
    ValuePrecision,
    associations,
    distributions,
    precisions,
)
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, cells_on
from indistinct.tables.release.released import (
    ReleasedTable,
    coded_cells,
    column_scale,
    count_release,
    counted_cells,
    is_written_as_read,
)


@dataclass(frozen=True, slots=True)
class PairedTables:
    """A release and the table that it was made from, counted by the same lines.

    Parameters
    ----------
    lines : of the columns, made from the values of the original
    before, after : the original and the release
    """

    lines: tuple[ColumnScale, ...]
    before: ReleasedTable
    after: ReleasedTable

    __repr__ = short_repr

    @classmethod
    def of(cls, released: Any, original: Any, rules: Iterable[ColumnRule]) -> Self:
        """Count some columns of a release and of its original.

        Parameters
        ----------
        released : the released records, none of them masked whole
        original : the records they were made from
        rules : of columns that both have

        Raises
        ------
        DataError
            when a column is not there, or a cell is no generalization of the original's values
        """
        lines = tuple(column_scale(original, rule) for rule in rules)
        return cls(lines, _count_original(original, lines), count_release(released, lines))

    def distributions(self) -> tuple[Distribution, ...]:
        """Compare every column by itself."""
        return distributions(self.lines, self.before, self.after)

    def precisions(self) -> tuple[ValuePrecision, ...]:
        """Return how exactly every column is known after the release."""
        return precisions(self.lines, self.after)

    def association_changes(self) -> Floats:
        """Return how much more each pair of columns has to do with each other than before."""
        return associations(self.lines, self.after) - associations(self.lines, self.before)

    def among(self, names: Sequence[str]) -> PairedTables:
        """Return some of the columns, in the order of their names; rows may then repeat."""
        place_of = {line.name: place for place, line in enumerate(self.lines)}
        chosen = [place_of[name] for name in names]
        if chosen == list(range(len(self.lines))):
            return self
        tables = (
            replace(
                table,
                books=tuple(table.books[place] for place in chosen),
                cells=table.cells[:, chosen],
            )
            for table in (self.before, self.after)
        )
        return PairedTables(tuple(self.lines[place] for place in chosen), *tables)


def _count_original(original: Any, lines: Sequence[ColumnScale]) -> ReleasedTable:
    """Count the cells of the original, whose values the lines know already."""
    books: list[ColumnCells] = []
    codes: list[Codes] = []
    for line in lines:
        if is_written_as_read(original[line.name], line.rule.shown_as):
            books.append(cells_on(line, line.values.texts))
            codes.append(line.values.codes)
        else:
            book, cells = coded_cells(original, line)
            books.append(book)
            codes.append(cells)
    return counted_cells(books, np.stack(codes, axis=1))
