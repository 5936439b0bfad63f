"""How the columns of a table occur together: the two questions that a draft asks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, final

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.grouping import group_few_rows, row_numbers
from indistinct.drafting.evidence import Evidence
from indistinct.metrics.separation import group_sizes

Groups = Mapping[str, Ints]  # per column, (n_values,), group of each value, the missing one last


class Joint(Protocol):
    """The records of a table, wherever they are."""

    def follows(self, column: Evidence, other: Evidence) -> bool:
        """Tell whether all records with one value of the other column have one of this one."""
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


@final
@dataclass(frozen=True, slots=True)
class CodedRecords:
    """Records in memory, as codes.

    Parameters
    ----------
    codes : per column, (n_records,), place of each record's value, the missing one last
    n_records : their number
    """

    codes: Mapping[str, Codes]
    n_records: int

    __repr__ = briefly

    def follows(self, column: Evidence, other: Evidence) -> bool:
        """Count the pairs of values: as many as the other column has values."""
        pairs = [self.codes[other.name], self.codes[column.name]]
        return len(group_sizes(pairs)) == len(other.sizes)

    def group_sizes(self, common: Groups, each: Groups) -> Mapping[str, Ints]:
        """Group the records by the common columns once, and then by each other one."""
        shared = [group.astype(np.int32)[self.codes[name]] for name, group in common.items()]
        labels = row_numbers(shared) if shared else np.zeros(self.n_records, np.int64)
        return {
            name: group_sizes([labels, group.astype(np.int32)[self.codes[name]]])
            for name, group in each.items()
        }

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Codes], Ints]:
        """Group the records by all the columns."""
        columns = [self.codes[name].astype(np.int32) for name in names]
        _, representatives, sizes = _grouped(columns)
        return [column[representatives] for column in columns], sizes


def _grouped(columns: Sequence[Codes]) -> tuple[Codes, Codes, Ints]:
    """Group rows of codes."""
    rows = np.empty((len(columns[0]), len(columns)), np.int32)
    for place, column in enumerate(columns):
        rows[:, place] = column
    labels, representatives, sizes = group_few_rows(rows)
    return labels, representatives, sizes.astype(np.int64)
