"""Which row of an input belongs to which, by plain dictionaries of its keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indistinct.related.policy import RelatedPolicy
from indistinct.tables.core import key_parts
from indistinct.tables.frames import Frame
from indistinct.tables.verification import keys_as_read


class TrueLinks(NamedTuple):
    """Which row belongs to which in the input.

    Parameters
    ----------
    people : the table of units
    rows : per table with a key, the row of each key
    references : per table, the tables above it, the nearest first, with the keys in its column
    missing : texts of a missing key
    """

    people: str
    rows: Mapping[str, Mapping[str, int]]
    references: Mapping[str, Sequence[tuple[str, Sequence[str]]]]
    missing: frozenset[str]

    @classmethod
    def of(cls, spec: RelatedPolicy, before: Mapping[str, Frame]) -> TrueLinks:
        """Return the links of the tables of an input."""
        order = [spec.people, *spec.row_tables]
        rows: dict[str, dict[str, int]] = {}
        references: dict[str, list[tuple[str, Sequence[str]]]] = {}
        for name in order:
            table, frame = spec.tables[name], before[name]
            if table.key is not None:
                texts = _keys(frame, table.key)
                rows[name] = {text: row for row, text in enumerate(texts)}
            listed = [(above, _keys(frame, column)) for column, above in table.references.items()]
            references[name] = sorted(listed, key=lambda one: -order.index(one[0]))
        return cls(spec.people, rows, references, frozenset({"", *spec.data.missing}))

    def parent(self, name: str, row: int) -> tuple[str, int]:
        """Return the nearest row that a row belongs to: its table, and its place there.

        The row itself is there. -1 where the nearest reference that is not empty leads nowhere.
        """
        for above, keys in self.references[name]:
            if keys[row] not in self.missing:
                return above, self.rows[above].get(keys[row], -1)
        return self.people, -1

    def line(self, name: str, row: int) -> dict[str, int]:
        """Return the row of each table that a row belongs to, the nearest first; -1 for none."""
        found: dict[str, int] = {}
        while name != self.people and row >= 0:
            name, row = self.parent(name, row)
            found[name] = row
        return found

    def unit(self, name: str, row: int) -> int:
        """Return the row of the table of people that a row belongs to; -1 for none."""
        return row if name == self.people else self.line(name, row).get(self.people, -1)


def _keys(frame: Frame, said: str) -> list[str]:
    """Return the keys in a column, or in several that make a key together."""
    columns = [keys_as_read(frame[part]) for part in key_parts(said)]
    if len(columns) == 1:
        return columns[0]
    return ["" if "" in parts else repr(parts) for parts in zip(*columns, strict=True)]
