"""Keys and references of several tables: the row above each row, and the unit it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.errors import Fault, LinksError
from indistinct.related.read_tables import key_texts
from indistinct.tables.core import counted_texts, number_key
from indistinct.tables.frames import Frame

NONE = -1
FIRST = 3  # rows that a message names


@dataclass(frozen=True, slots=True)
class Reference:
    """The column of a table, or its columns, that hold keys of another one."""

    column: str
    table: str


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """How a table is linked.

    Parameters
    ----------
    key : its key column, if it has one
    references : the columns with keys of tables above it; the nearest table first
    drops_orphans : whether rows that lead nowhere are left out
    order : (n_rows,), the row of the input behind each, which messages name
    """

    key: str | None
    references: tuple[Reference, ...]
    drops_orphans: bool
    order: Ints

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Attached:
    """Where the rows of a table belong.

    Parameters
    ----------
    parents : (n_rows,), the nearest row above, counted through all tables of rows, those above
        others first; -1 for the unit itself, and orphans
    units : (n_rows,), row of the table of people; -1 for an orphan that is left out
    """

    parents: Ints
    units: Ints

    __repr__ = short_repr


def attach(
    frames: Mapping[str, Frame],
    links: Mapping[str, LinkedTable],
    people: str,
    row_tables: Sequence[str],
    missing: Sequence[str],
) -> dict[str, Attached]:
    """Find where every row belongs: to the nearest row that a reference leads to.

    Parameters
    ----------
    links : per table with people
    people : the table of units
    row_tables : the others, those above others first

    Raises
    ------
    LinksError
        when keys or references do not fit together; all faults at once
    """
    gone = {"", *missing}
    keys: dict[str, dict[str, int]] = {}
    faults: list[Fault] = []
    for name, link in links.items():
        if link.key is not None:
            texts = key_texts(frames[name], link.key, gone)
            faults += _key_faults(name, link.key, texts, gone, link.order)
            if name == people:
                faults += _alike_faults(link, name, texts, gone)
            keys[name] = {text: row for row, text in enumerate(texts)}
    if faults:
        raise LinksError(faults)
    n_people = frames[people].height
    found = {people: Attached(np.full(n_people, NONE), np.arange(n_people))}
    above = _RowsAbove(people, keys, {}, np.zeros(0, np.int64), np.zeros(0, np.int64))
    for name in row_tables:
        found[name], more = _attached(frames[name], name, links[name], above, gone)
        above = above.with_table(name, found[name])
        faults += more
    if faults:
        raise LinksError(faults)
    return found


@dataclass(frozen=True, slots=True)
class _RowsAbove:
    """The rows to which those of the next table may belong.

    Parameters
    ----------
    people : the table of units
    keys : per table with a key, the row of each
    starts : per table of rows, the number of its first row among all of them
    parents, units : (n_rows,), of the rows of these tables one after another
    """

    people: str
    keys: Mapping[str, Mapping[str, int]]
    starts: Mapping[str, int]
    parents: Ints
    units: Ints

    def with_table(self, name: str, attached: Attached) -> _RowsAbove:
        """Return the same with one more table."""
        return replace(
            self,
            starts={**self.starts, name: len(self.units)},
            parents=np.concatenate([self.parents, attached.parents]),
            units=np.concatenate([self.units, attached.units]),
        )

    def with_keys(self, table: str, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Return the rows that have some keys, and their units: (n_texts,) each, -1 for none.

        The table of people is no table of rows, and its rows are their own units.
        """
        keys = self.keys[table]
        rows = np.array([keys.get(text, NONE) for text in texts], np.int64)
        if table == self.people:
            return rows, rows
        rows = np.where(rows >= 0, rows + self.starts[table], NONE)
        return rows, np.where(rows >= 0, self.units[rows], NONE) if len(self.units) else rows

    def above(self, rows: Ints, table: str) -> Ints:
        """Return the rows of a table at or above some rows: (n_rows,), -1 for none."""
        if table == self.people:
            return self.units[rows]
        return rows_of_table(self.parents, rows, self.starts[table], len(self.keys[table]))


def rows_of_table(parents: Ints, rows: Ints, start: int, n_rows: int) -> Ints:
    """Return the rows of a table at or above some rows: (n_rows,), -1 for none.

    Parameters
    ----------
    parents : of all rows, which come after the rows that they belong to
    rows : numbers among all rows, -1 for none
    start, n_rows : the number of the table's first row, and how many it has
    """
    while (is_below := rows >= start + n_rows).any():
        rows = np.where(is_below, parents[rows], rows)
    return np.where(rows >= start, rows, NONE)


def _key_faults(
    table: str, key: str, texts: Sequence[str], gone: set[str], order: Ints
) -> Iterator[Fault]:
    """Find keys that are missing, or stand in several rows."""
    place = f"tables.{table}.key"
    n_missing = sum(text in gone for text in texts)
    if n_missing:
        yield Fault(place, f"is missing in {n_missing:,} rows of {key}", "Complete it.")
    seen: set[str] = set()
    is_again = np.zeros(len(texts), np.bool_)
    for row, text in enumerate(texts):
        is_again[row] = text not in gone and text in seen
        seen.add(text)
    n_twice = int(is_again.sum())
    if n_twice:
        have = "row has" if n_twice == 1 else "rows have"
        problem = (
            f"{n_twice:,} {have} a key of {key} that another row has; {_first(is_again, order)}"
        )
        yield Fault(place, problem, "Give each row a key of its own.")


def _alike_faults(
    link: LinkedTable, table: str, texts: Sequence[str], gone: set[str]
) -> Iterator[Fault]:
    """Find keys of people that differ, but read alike: whoever counts people takes them for one."""
    alike, written = counted_texts(texts), defaultdict[str, set[str]](set)
    for own, text in zip(alike, texts, strict=True):
        written[own].add(text)
    is_other = np.array(
        [
            len(written[own]) > 1 and text not in gone
            for own, text in zip(alike, texts, strict=True)
        ],
        np.bool_,
    )
    if is_other.any():
        problem = (
            f"{int(is_other.sum()):,} rows have a key of {link.key} that reads like another's; "
        )
        remedy = "Write a person's key in one way; give two people keys that read differently."
        yield Fault(f"tables.{table}.key", problem + _first(is_other, link.order), remedy)


def _attached(
    frame: Frame, name: str, link: LinkedTable, above: _RowsAbove, gone: set[str]
) -> tuple[Attached, list[Fault]]:
    """Follow the references of one table; the nearest one that is not empty leads to the row above.

    An empty reference says nothing where another one leads to a unit.
    """
    n_rows = frame.height
    parents, units = np.full(n_rows, NONE, np.int64), np.full(n_rows, NONE, np.int64)
    is_orphan, is_torn = np.zeros(n_rows, np.bool_), np.zeros(n_rows, np.bool_)
    is_other_unit = np.zeros(n_rows, np.bool_)
    has_zeros = False
    for reference in link.references:
        texts = key_texts(frame, reference.column, gone)
        rows, own = above.with_keys(reference.table, texts)
        is_empty = np.array([text in gone for text in texts], np.bool_)
        is_lost = ~is_empty & (own < 0)
        is_orphan |= is_lost
        lost = [texts[row] for row in np.flatnonzero(is_lost).tolist()]
        has_zeros |= _are_numbers_among(lost, above.keys[reference.table])
        further = np.flatnonzero((own >= 0) & (parents >= 0))
        is_torn[further] |= above.above(parents[further], reference.table) != rows[further]
        is_other_unit |= (own >= 0) & (units >= 0) & (own != units)
        if reference.table != above.people:
            parents = np.where((units < 0) & (own >= 0), rows, parents)
        units = np.where(units >= 0, units, own)
    is_orphan |= units < 0
    faults: list[Fault] = []
    for what, some in (("units", is_other_unit), ("rows", is_torn & ~is_other_unit)):
        if some.any():
            problem = f"has two paths to different {what} ({int(some.sum()):,})"
            faults.append(Fault(f"tables.{name}.references", problem, "Correct these rows."))
    if is_orphan.any() and not link.drops_orphans:
        count = int(is_orphan.sum())
        lead = "row leads" if count == 1 else "rows lead"
        problem = f"{count:,} {lead} to no row of the table that is referenced; "
        remedy = 'Correct them, or set orphans = "drop" to leave them out.'
        if has_zeros:
            remedy = f"Some differ from a key by zeros alone, as 007 from 7. {remedy}"
        problem += _first(is_orphan, link.order)
        faults.append(Fault(f"tables.{name}.references", problem, remedy))
    return Attached(np.where(is_orphan, NONE, parents), np.where(is_orphan, NONE, units)), faults


def _are_numbers_among(texts: Sequence[str], keys: Iterable[str]) -> bool:
    """Return whether some texts are the numbers that some keys are, written with other zeros."""
    numbers = {number_key(text) for text in texts} - {None}
    return bool(numbers) and not numbers.isdisjoint(map(number_key, keys))


def _first(which: Bools, order: Ints) -> str:
    """Return which rows of the input are the first of some."""
    numbers = [str(row + 1) for row in np.sort(order[which])[:FIRST].tolist()]
    if len(numbers) == 1:
        return f"it is row {numbers[0]}"
    return f"the first are rows {', '.join(numbers)}"
