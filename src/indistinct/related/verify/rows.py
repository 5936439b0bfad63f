"""The rows of released tables as a reader sees them: each with the rows above it, by keys or cells.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.errors import Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.verify.patterns import Label, SeenRow, table_of
from indistinct.tables.core import NO_ROW, Role
from indistinct.tables.verification import HIDDEN

DISMISS = "Do not publish these files."
AT_UNIT = SeenRow(None, (), ())
SeenUnit = tuple[Hashable, list[SeenRow], dict[int, Label]]
Cells = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReleasedUnits:
    """The units of a release while their rows are collected.

    Parameters
    ----------
    units : by key: the class, the rows, and the labels of rows with released keys by their numbers
    pointed : per table with released keys, the unit and the row behind each key
    hidden : the rows with hidden keys: their unit, the rows of the chain above, their label
    """

    units: dict[str, SeenUnit]
    pointed: dict[str, dict[str, tuple[str, SeenRow]]]
    hidden: set[tuple[str, tuple[int, ...], Label]] = field(
        default_factory=set[tuple[str, tuple[int, ...], Label]]
    )

    __repr__ = short_repr

    def add(self, name: str, key: str | None, unit: str, above: SeenRow, cells: Cells) -> None:
        """Add a row below another one, or below the unit.

        Parameters
        ----------
        key : of the row, where it is released
        """
        _, rows, labels = self.units[unit]
        label: Label = (name, cells, above.label)
        if key is None:
            self.hidden.add((unit, above.chain, label))
            hidden = (*above.hidden, (len(above.chain), label))
            rows.append(SeenRow(label, above.chain, hidden))
            return
        number = len(labels)
        labels[number] = label
        row = SeenRow(label, (*above.chain, number), above.hidden)
        rows.append(row)
        self.pointed.setdefault(name, {})[key] = (unit, row)

    def below(
        self, above: SeenRow, unit: str, name: str, shown: Any, *, is_key: bool
    ) -> tuple[SeenRow, bool]:
        """Return the row of a table below another one that a row further below shows.

        Parameters
        ----------
        shown : its key, or its cells where keys are hidden

        Returns
        -------
        the row, the one above where none is shown; and whether it is where it should be
        """
        if is_key:
            if not shown:
                return above, True
            own, row = self.pointed[name][shown]
            _, _, further = cast("tuple[str, Cells, Label]", row.label)
            is_there = (own, row.chain[:-1], further) == (unit, above.chain, above.label)
            return row if is_there else above, is_there
        label: Label = (name, shown, above.label)
        is_there = (unit, above.chain, label) in self.hidden
        if not is_there and all(cell == NO_ROW for cell in shown):
            return above, True
        return SeenRow(label, above.chain, (*above.hidden, (len(above.chain), label))), is_there


def units_of(
    spec: RelatedPolicy, tables: Mapping[str, pl.DataFrame]
) -> tuple[list[SeenUnit], list[Fault]]:
    """Return the class of each released unit and its rows.

    Parameters
    ----------
    tables : all cells as texts, keys without faults

    Returns
    -------
    the units, and faults: rows that show a row above them which is not there
    """
    people = tables[spec.people]
    kinds = cells_in_rows(people, spec.quasi_identifiers(spec.people))
    keys: list[str] = people[spec.tables[spec.people].new_key or ""].to_list()
    found = ReleasedUnits(
        {key: (kind, [], {}) for key, kind in zip(keys, kinds, strict=True)},
        {spec.people: {key: (key, AT_UNIT) for key in keys}},
    )
    faults: list[Fault] = []
    for name in spec.row_tables:
        lost = sum(_added(found, spec, name, tables[name]))
        if lost:
            problem = f"shows {lost} rows above that are not in their tables, or not in one line"
            faults.append(Fault(f"tables.{name}", problem, DISMISS))
    seen = list(found.units.values())
    if spec.related.rows == "known":
        seen = [(_with_numbers(spec, *unit), *unit[1:]) for unit in seen]
    return seen, faults


def _with_numbers(
    spec: RelatedPolicy, kind: Hashable, rows: Sequence[SeenRow], _: Mapping[int, Label]
) -> Hashable:
    """Return the class of a unit whose numbers of rows are known: its cells, and these numbers."""
    numbers = Counter(table_of(row.label) for row in rows)
    return kind, tuple(numbers[name] for name in spec.row_tables)


def is_starred(spec: RelatedPolicy, name: str) -> pl.Expr:
    """Return which rows of a released table show nothing, in place of rows that are left out."""
    columns = spec.quasi_identifiers(name)
    if spec.related.rows == "free" or name == spec.people or not columns:
        return pl.repeat(value=False, n=pl.len())
    return pl.all_horizontal([pl.col(column) == HIDDEN for column in columns])


def shown_rows(spec: RelatedPolicy, name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a released table that show something."""
    return frame.filter(~is_starred(spec, name))


def starred_faults(spec: RelatedPolicy, name: str, frame: pl.DataFrame) -> Iterator[Fault]:
    """Find cells in rows that should show nothing."""
    starred = frame.filter(is_starred(spec, name))
    for column, said in spec.tables[name].columns.items():
        if column not in frame.columns or said.role is Role.QUASI_IDENTIFIER:
            continue
        strange = int((starred[column] != "").sum())
        if strange:
            problem = f"{strange} rows that show nothing else have a cell here"
            yield Fault(f"tables.{name}.columns.{column}", problem, DISMISS)


def _added(
    found: ReleasedUnits, spec: RelatedPolicy, name: str, frame: pl.DataFrame
) -> Iterator[int]:
    """Add the rows of a table; yield how many rows above each are not there, or elsewhere."""
    table, pointers = spec.tables[name], spec.pointers(name)
    found.pointed.setdefault(name, {})
    is_released = table.release_key and table.new_key is not None
    keys = frame[table.new_key or ""].to_list() if is_released else [None] * frame.height
    own = cells_in_rows(frame, spec.quasi_identifiers(name))
    above: dict[str, list[Any]] = {
        one: frame[pointers[one]].to_list()
        if one in pointers
        else cells_in_rows(frame, [f"{one}.{column}" for column in spec.quasi_identifiers(one)])
        for one in reversed(spec.shown_above(name))
    }
    top, *others = above
    for place, key in enumerate(keys):
        unit, row = found.pointed[top][above[top][place]]
        lost = 0
        for one in others:
            shown = above[one][place]
            row, is_there = found.below(row, unit, one, shown, is_key=one in pointers)
            lost += not is_there
        found.add(name, key, unit, row, own[place])
        yield lost


def cells_in_rows(frame: pl.DataFrame, names: Sequence[str]) -> list[Cells]:
    """Return the cells of some columns, row by row."""
    return frame[list(names)].rows() if names else [()] * frame.height


def flattened(label: Label) -> tuple[tuple[str, ...], Cells]:
    """Return the tables of a label and of the rows above it, and the cells of all of them."""
    table, cells, above = cast("tuple[str, Cells, Label]", label)
    if above is None:
        return (table,), cells
    tables, others = flattened(above)
    return (table, *tables), (*cells, *others)
