"""Related tables as they are searched: where rows belong, and the cells that they may show."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, IndistinctError, LinksError
from indistinct.related.links import (
    Attached,
    LinkedTable,
    Reference,
    attach,
    rows_of_table,
)
from indistinct.related.policy import RelatedPolicy
from indistinct.related.policy_section import TableSection
from indistinct.related.publish.lengths import with_lengths
from indistinct.related.publish.parents import check_parents, hidden_with
from indistinct.related.publish.shifted import shifted_tables
from indistinct.related.read_tables import read_tables
from indistinct.tables.core import NO_ROW, Role, cell_numbers, inverse
from indistinct.tables.counting import (
    check_columns,
    check_values,
    encode_column,
    hierarchies_for,
    secret_order,
)
from indistinct.tables.frames import EncodedColumn, Frame
from indistinct.tables.masks import CellLevels
from indistinct.tables.policy import ColumnRule, Specification
from indistinct.tables.reading import TableFile


@dataclass(frozen=True, slots=True)
class RowColumn:
    """A quasi-identifier of a row table.

    Parameters
    ----------
    name : of the column
    texts : per cell, what is written; None for a missing value
    levels : the cells of each value, and what they lose
    star : the cell that is written as ``*``
    is_time : whether its values are dates
    """

    name: str
    texts: tuple[str | None, ...]
    levels: CellLevels
    star: int
    is_time: bool

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class RowTable:
    """A table whose rows belong to units.

    Parameters
    ----------
    name : of the table
    attached : where its rows belong
    codes : (n_rows, n_columns), value codes of the quasi-identifiers
    columns : the quasi-identifiers
    has_released_key : whether its key is released
    """

    name: str
    attached: Attached
    codes: Codes
    columns: tuple[RowColumn, ...]
    has_released_key: bool

    __repr__ = short_repr

    @property
    def n_rows(self) -> int:
        """Rows of the input."""
        return len(self.attached.units)

    def coarser(self, floor: int) -> RowTable:
        """Return the same table without the finest levels of its columns, as far as there are more.

        Parameters
        ----------
        floor : levels that are left out
        """
        columns = tuple(
            replace(column, levels=column.levels.without_finest(floor)) for column in self.columns
        )
        return replace(self, columns=columns)

    @property
    def levels(self) -> tuple[CellLevels, ...]:
        """The cells of the quasi-identifiers."""
        return tuple(column.levels for column in self.columns)

    @property
    def stars(self) -> Ints:
        """The cells of a row that shows nothing: (n_columns,)."""
        return np.array([column.star for column in self.columns], np.int64)

    def are_starred(self, cells: Ints) -> Bools:
        """Return which rows show nothing: (n_rows,); none where nothing is a quasi-identifier.

        Parameters
        ----------
        cells : (n_rows, n_columns)
        """
        return (cells == self.stars).all(axis=1) & bool(self.columns)


@dataclass(frozen=True, slots=True)
class RelatedTables:
    """All tables as they were read.

    Parameters
    ----------
    policy : what is promised
    files : per table, as it was read; the rows about people in a secret order, so that nothing that
        is decided follows the order of the input
    orders : per table with people, (n_rows,), the row of the input behind each row
    before : per table with people, as it was read, in the same order: no date is shifted, and no
        days are counted
    endings : of the files that they came from
    row_tables : the others with people, those above others first
    """

    policy: RelatedPolicy
    files: Mapping[str, TableFile]
    orders: Mapping[str, Ints]
    before: Mapping[str, Frame]
    endings: Mapping[str, str]
    row_tables: tuple[RowTable, ...]

    __repr__ = short_repr

    @property
    def given(self) -> dict[str, Frame]:
        """The tables in the order of the input."""
        return {
            name: self.before[name][inverse(self.orders[name])]
            if name in self.orders
            else one.frame
            for name, one in self.files.items()
        }

    @property
    def parents(self) -> list[RowTable]:
        """The row tables that other rows belong to."""
        return [table for table in self.row_tables if self.rows_below(table).any()]

    @property
    def n_units(self) -> int:
        """Units of the input."""
        return self.files[self.policy.people].frame.height

    @property
    def n_rows(self) -> int:
        """Rows of all row tables."""
        return sum(table.n_rows for table in self.row_tables)

    @property
    def row_parents(self) -> Ints:
        """The row above each row of all row tables, by its number among them: (n_rows,)."""
        none = np.zeros(0, np.int64)
        return np.concatenate([none, *(table.attached.parents for table in self.row_tables)])

    def places(self, table: RowTable) -> slice:
        """Return the place of a table's rows among those of all row tables."""
        at = [one.name for one in self.row_tables].index(table.name)
        start = sum(one.n_rows for one in self.row_tables[:at])
        return slice(start, start + table.n_rows)

    def rows_below(self, table: RowTable) -> Ints:
        """Return the rows right below each row of a table: (n_rows,)."""
        parents = self.row_parents
        found = np.bincount(parents[parents >= 0], minlength=len(parents))
        return found[self.places(table)].astype(np.int64)

    def rows_above(self, table: RowTable, rows: Ints, name: str) -> Ints:
        """Return the rows of a table to which some rows belong: (n_rows,), -1 for none.

        Parameters
        ----------
        rows : of ``table``
        name : of a table above it
        """
        if name == self.policy.people:
            return table.attached.units[rows]
        places = self.places(next(one for one in self.row_tables if one.name == name))
        size = places.stop - places.start
        found = rows_of_table(self.row_parents, table.attached.parents[rows], places.start, size)
        return np.where(found >= 0, found - places.start, found)


def read_related(data: Any, policy: RelatedPolicy, chance: RandomSource) -> RelatedTables:
    """Read tables and check them against the policy.

    Parameters
    ----------
    chance : secure, or seeded for tests

    Raises
    ------
    UsageError
        when tables, columns, keys, references or hierarchies do not fit
    """
    flat = policy.flat_tables()
    read, endings = read_tables(data, policy, flat)
    with_people = [policy.people, *policy.row_tables]
    given = {name: read[name].frame for name in with_people}
    for name in with_people:
        with placed(name):
            check_columns(given[name], flat[name])
            read[name] = replace(read[name], frame=with_lengths(given[name], policy.tables[name]))
            check_values(read[name].frame, replace(flat[name], models=()))
            check_parents(read[name].frame, policy.tables[name])
    orders: dict[str, Ints] = {}
    for name in with_people:
        own, left_out = read[name].frame, policy.tables[name].key_columns
        source = chance.apart(f"order of {name}")
        orders[name] = secret_order(own, flat[name].class_names, left_out, source)
        read[name] = replace(read[name], frame=own[orders[name]])
    frames = {name: read[name].frame for name in with_people}
    before = {name: given[name][orders[name]] for name in with_people}
    links = {name: _linked(policy.tables[name], with_people, orders[name]) for name in with_people}
    attached = attach(frames, links, policy.people, policy.row_tables, policy.data.missing)
    moved = shifted_tables(policy, flat, frames, attached, chance)
    for name, frame in moved.frames.items():
        read[name] = replace(read[name], frame=frame)
    rows = tuple(
        _row_table(name, policy.tables[name], flat[name], moved.frames[name], moved.attached[name])
        for name in policy.row_tables
    )
    tables = RelatedTables(policy, read, orders, before, endings, rows)
    _refuse_unseen(tables)
    return tables


def _refuse_unseen(tables: RelatedTables) -> None:
    """Refuse rows without a row above them where the released cells could not say so.

    Raises
    ------
    LinksError
        with the number of such rows, for all tables at once
    """
    faults: list[Fault] = []
    for table in tables.row_tables:
        for above in tables.row_tables:
            if above.name not in tables.policy.hidden_above(table.name):
                continue
            if not all(NO_ROW in column.texts for column in above.columns):
                continue
            rows = np.flatnonzero(table.attached.units >= 0)
            count = int((tables.rows_above(table, rows, above.name) < 0).sum())
            if count:
                problem = (
                    f"{count:,} rows belong to no row of {above.name}, which no cell would show"
                )
                remedy = f"Set release_key = true for {above.name}, or complete the references."
                faults.append(Fault(f"tables.{table.name}.references", problem, remedy))
    if faults:
        raise LinksError(faults)


@contextmanager
def placed(name: str) -> Generator[None]:
    """Raise the same errors with a table in the place of every fault."""
    try:
        yield
    except IndistinctError as error:
        raise type(error)(
            Fault(f"tables.{name}.{one.place}", one.problem, one.remedy, one.values)
            for one in error.faults
        ) from None


def _linked(table: TableSection, order: Sequence[str], rows: Ints) -> LinkedTable:
    """Return the key of a table, and its references, the nearest first.

    Parameters
    ----------
    order : the tables, each below those before it
    """
    listed = sorted(table.references.items(), key=lambda one: -order.index(one[1]))
    references = tuple(Reference(column, above) for column, above in listed)
    return LinkedTable(table.key, references, table.orphans == "drop", rows)


def _row_table(
    name: str, said: TableSection, flat: Specification, frame: Any, attached: Attached
) -> RowTable:
    """Encode the quasi-identifiers of a row table."""
    encoded = {rule.name: encode_column(frame, rule) for rule in flat.class_rules}
    with placed(name):
        hierarchies = hierarchies_for(flat.class_rules, encoded)
    hides = hidden_with(said, flat.class_names)
    columns = tuple(
        _row_column(
            rule,
            encoded[rule.name],
            hierarchies[rule.name].with_root(),
            hides[at],
            said.importance,
        )
        for at, rule in enumerate(flat.class_rules)
    )
    codes = [encoded[column.name].codes for column in columns]
    stacked = np.column_stack(codes) if codes else np.zeros((frame.height, 0))
    return RowTable(
        name,
        attached,
        stacked.astype(np.int32),
        columns,
        said.release_key,
    )


def _row_column(
    rule: ColumnRule,
    column: EncodedColumn,
    hierarchy: GeneralizationHierarchy,
    hides: tuple[int, ...],
    factor: float,
) -> RowColumn:
    """Return the cells of a column by their texts; cells with one text are one cell.

    Parameters
    ----------
    factor : importance of the table
    """
    own = cell_numbers(hierarchy)
    labels = [label for level in hierarchy.labels for label in level]
    losses = np.concatenate([hierarchy.cell_loss(level) for level in range(hierarchy.n_levels)])
    numbers: dict[str, int] = {}
    text_of = np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int32)
    star = numbers.setdefault(ROOT, len(numbers))
    of_text: Floats = np.zeros(len(numbers))
    np.maximum.at(of_text, text_of, losses)
    of_text[star] = 1.0
    texts: list[str | None] = list(numbers)
    gone = [text for text, is_gone in zip(column.texts, column.is_missing, strict=True) if is_gone]
    for text in {"", *gone}:
        if text in numbers:
            texts[numbers[text]] = None
    most = hierarchy.height if rule.words.max_level is None else rule.words.max_level
    if rule.words.max_level is None and rule.words.is_always_shown:
        most = max(hierarchy.height - 1, rule.words.min_level)
    levels = tuple(range(rule.words.min_level, min(most, hierarchy.height) + 1))
    importance = factor * rule.words.importance_number
    cells = CellLevels(text_of[own], of_text, levels, importance, hides)
    is_time = rule.hierarchy is not None and rule.hierarchy.dates is not None
    return RowColumn(rule.name, tuple(texts), cells, star, is_time)


def kept_columns(table: TableSection) -> Iterator[str]:
    """Yield the columns of a table that are released, key columns apart."""
    for column, said in table.columns.items():
        if said.role is not Role.IDENTIFIER:
            yield column
