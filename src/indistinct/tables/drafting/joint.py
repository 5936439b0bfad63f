"""A table that is looked at before it is published: its columns one by one, and together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self, final

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.cells.missing_words import MissingWords
from indistinct.tables.core.grouping import group_few_rows, row_numbers
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.frames.distinct_values import distinct_values
from indistinct.tables.frames.frame import Frame
from indistinct.tables.metrics.separation import group_sizes
from indistinct.tables.reading.column_types import type_name
from indistinct.tables.reading.declared_formats import FoundReading
from indistinct.tables.reading.files import TableFile, without_words
from indistinct.tables.reading.missing_values import n_missing
from indistinct.tables.reading.row_order import fewest_in_order, follows_the_rows
from indistinct.tables.reading.statistical import Labels

FEW_RECORDS = 50  # below which a column may follow from another by chance
REPEATS = 0.5  # values that repeat less say nothing about what follows from them
ONE_SIDED = 0.9  # a column with such a value follows from many others by chance
Groups = Mapping[str, Ints]  # per column, (n_values,), group of each value, the missing one last
ColumnState = tuple[Any, int]  # type, and cells that are missing


class Joint(Protocol):
    """The records of a table, wherever they are."""

    @property
    def found(self) -> FoundReading:
        """How the table was read."""
        ...

    def states(self) -> Mapping[str, ColumnState]:
        """Return the type of each column, and how many of its cells are missing."""
        ...

    def counted(self, name: str, *, has_role: bool) -> CountedColumn:
        """Count the values of a column.

        Parameters
        ----------
        has_role : whether its role is given, so that its order suggests none
        """
        ...

    def reread(self, words: MissingWords) -> Self:
        """Return the same table with further words for a missing value.

        What was counted of columns stays known where neither their types nor their missing cells
        changed.
        """
        ...

    def follows(self, column: CountedColumn, other: CountedColumn) -> bool:
        """Return whether all records with one value of the other column have one of this one."""
        ...

    def groups(self, finer: CountedColumn, coarser: CountedColumn) -> Mapping[str, str]:
        """Return the value of a coarser column that goes with each one of a finer column."""
        ...

    def group_sizes(self, common: Groups, each: Groups) -> Mapping[str, Ints]:
        """Count the records in groups that are alike in some columns and in one more.

        Parameters
        ----------
        common : the columns that all groups are made by
        each : further columns, each of which makes groups of its own

        Returns
        -------
        per further column, (n_groups,), records of each group
        """
        ...

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Codes], Ints]:
        """Count the distinct rows of some columns.

        Returns
        -------
        per column, (n_distinct,), codes of its values; and the records of each row
        """
        ...


def follows(
    column: CountedColumn, other: CountedColumn, joint: Joint, *, comes_later: bool
) -> bool:
    """Return whether each value of another column has one value of this one."""
    if column.known < FEW_RECORDS or other.uniqueness > REPEATS or column.top_share > ONE_SIDED:
        return False
    fewer = column.distinct < other.distinct or (column.distinct == other.distinct and comes_later)
    if not fewer or column.distinct < 2:  # noqa: PLR2004 - a constant follows from anything
        return False
    return column.is_whole and other.is_whole and joint.follows(column, other)


def _measure(labels: Labels | None, name: str, coded: Mapping[str, str]) -> str:
    """Return how the numbers of a column are measured: codes with labels are no quantities."""
    said = "" if labels is None else labels.measures.get(name, "")
    return said or ("nominal" if coded else "")


@final
@dataclass(frozen=True, slots=True)
class RecordsInMemory:
    """Records in memory, whose columns become codes when they are counted.

    Parameters
    ----------
    source : the table as it was read
    codes : per counted column, (n_records,), place of each record's value, the missing one last
    """

    source: TableFile
    codes: dict[str, Codes] = field(default_factory=dict[str, Codes])

    __repr__ = short_repr

    @property
    def frame(self) -> Frame:
        """The records, with every way of writing a missing value as one."""
        return self.source.frame

    @property
    def found(self) -> FoundReading:
        """How the table was read."""
        return self.source.found

    def states(self) -> Mapping[str, ColumnState]:
        """Return the type of each column, and how many of its cells are missing."""
        return {one.name: (one.dtype, n_missing(one)) for one in self.frame.iter_columns()}

    def counted(self, name: str, *, has_role: bool) -> CountedColumn:
        """Count the values of a column, and keep the code of each record's."""
        column, labels = self.frame[name], self.source.labels
        values, self.codes[name] = distinct_values(column)
        coded = dict[str, str]() if labels is None else labels.of_values(name, values.texts)
        follows = not has_role and follows_the_rows(column, fewest_in_order(column.dtype))
        return CountedColumn(
            name,
            type_name(column.dtype),
            values,
            follows,
            separator=self.source.lists.get(name),
            label="" if labels is None else labels.columns.get(name, ""),
            form=self.source.found.columns.get(name),
            measure=_measure(labels, name, coded),
            value_labels=coded,
        )

    def reread(self, words: MissingWords) -> RecordsInMemory:
        """Return the table without further words; columns may get other types."""
        return replace(self, source=without_words(self.source, words))

    def follows(self, column: CountedColumn, other: CountedColumn) -> bool:
        """Count the pairs of values: as many as the other column has values."""
        pairs = [self.codes[other.name], self.codes[column.name]]
        return len(group_sizes(pairs)) == len(other.sizes)

    def groups(self, finer: CountedColumn, coarser: CountedColumn) -> Mapping[str, str]:
        """Look up the record of each value."""
        places, firsts = np.unique(self.codes[finer.name], return_index=True)
        texts, above = list(finer.texts), [*coarser.texts, ""]
        of_first = self.codes[coarser.name][firsts]
        pairs: list[tuple[int, int]] = np.column_stack([places, of_first]).tolist()
        return {texts[place]: above[code] for place, code in pairs if place < len(texts)}

    def group_sizes(self, common: Groups, each: Groups) -> Mapping[str, Ints]:
        """Group the records by the common columns once, and then by each other one."""
        shared = [group.astype(np.int32)[self.codes[name]] for name, group in common.items()]
        labels = row_numbers(shared) if shared else np.zeros(self.frame.height, np.int64)
        return {
            name: group_sizes([labels, group.astype(np.int32)[self.codes[name]]])
            for name, group in each.items()
        }

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Codes], Ints]:
        """Group the records by all the columns."""
        columns = [self.codes[name].astype(np.int32) for name in names]
        _, representatives, sizes = group_few_rows(np.column_stack(columns))
        return [column[representatives] for column in columns], sizes.astype(np.int64)
