"""Which row of an input belongs to which, by plain dictionaries of its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from indistinct.core.key_columns import key_parts
from indistinct.policy.related import RelatedPolicy
from indistinct.reader.verify.texts_as_read import text_as_read


class TrueLinks(NamedTuple):
    """Which row belongs to which in the input.

    Parameters
    ----------
    rows : per table with a key, the row of each key
    references : per table and column, the keys in it
    columns : per table and table above it, the column of its keys
    """

    rows: Mapping[str, Mapping[str, int]]
    references: Mapping[tuple[str, str], Sequence[str]]
    columns: Mapping[tuple[str, str], str]

    @classmethod
    def of(cls, promised: RelatedPolicy, before: Mapping[str, pl.DataFrame]) -> TrueLinks:
        """Return the links of the tables of an input."""
        rows: dict[str, dict[str, int]] = {}
        references: dict[tuple[str, str], list[str]] = {}
        columns: dict[tuple[str, str], str] = {}
        for name in (promised.people, *promised.row_tables):
            table, frame = promised.tables[name], before[name]
            if table.key is not None:
                texts = _keys(frame, table.key)
                rows[name] = {text: row for row, text in enumerate(texts)}
            for column, above in table.references.items():
                references[name, above] = _keys(frame, column)
                columns[name, above] = column
        return cls(rows, references, columns)

    def above(self, name: str, row: int, above: str) -> int:
        """Return the row of a table right above that a row belongs to; -1 for none."""
        if row < 0:
            return -1
        return self.rows[above].get(self.references[name, above][row], -1)

    def unit(self, promised: RelatedPolicy, name: str, row: int) -> int:
        """Return the row of the table of people that a row belongs to; -1 for none."""
        while name != promised.people and row >= 0:
            above = promised.nearest_above(name)
            name, row = above, self.above(name, row, above)
        return row


def _keys(frame: pl.DataFrame, said: str) -> list[str]:
    """Return the keys in a column, or in several that make a key together."""
    columns = [text_as_read(frame[part]).to_list() for part in key_parts(said)]
    if len(columns) == 1:
        return columns[0]
    return ["" if "" in parts else repr(parts) for parts in zip(*columns, strict=True)]
