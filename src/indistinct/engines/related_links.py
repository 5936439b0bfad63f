"""Keys and references of several tables: the row above each row, and the unit it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.brief import short_repr
from indistinct.engines.frames import Frame
from indistinct.engines.related_tables import key_texts
from indistinct.errors import Fault, LinksError

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
    parents : (n_rows,), the row of the nearest table above; -1 for the unit itself, and orphans
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
    """Find where every row belongs.

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
            faults += _key_faults(name, link.key, texts, gone)
            keys[name] = {text: row for row, text in enumerate(texts)}
    if faults:
        raise LinksError(faults)
    n_people = frames[people].height
    found = {people: Attached(np.full(n_people, NONE), np.arange(n_people))}
    for name in row_tables:
        found[name], more = _attached(frames[name], name, links, keys, found, gone)
        faults += more
    if faults:
        raise LinksError(faults)
    return found


def _key_faults(table: str, key: str, texts: Sequence[str], gone: set[str]) -> Iterator[Fault]:
    """Find keys that are missing, or stand in several rows."""
    place = f"tables.{table}.key"
    n_missing = sum(text in gone for text in texts)
    if n_missing:
        yield Fault(place, f"is missing in {n_missing:,} rows of {key}", "Complete it.")
    n_twice = len(texts) - n_missing - len({*texts} - gone)
    if n_twice:
        problem = f"{n_twice:,} rows have a key of {key} that another row has"
        yield Fault(place, problem, "Give each row a key of its own.")


def _attached(  # noqa: PLR0913, PLR0917 - what a row is looked up by
    frame: Frame,
    name: str,
    links: Mapping[str, LinkedTable],
    keys: Mapping[str, Mapping[str, int]],
    found: Mapping[str, Attached],
    gone: set[str],
) -> tuple[Attached, list[Fault]]:
    """Follow the references of one table; the nearest one leads to the row above."""
    faults: list[Fault] = []
    link, n_rows = links[name], frame.height
    parents, units = np.full(n_rows, NONE, np.int64), np.full(n_rows, NONE, np.int64)
    is_orphan, clashes, n_torn = np.zeros(n_rows, np.bool_), 0, 0
    lacks_nearest = np.zeros(n_rows, np.bool_)
    for place, reference in enumerate(link.references):
        texts = key_texts(frame, reference.column, gone)
        rows = np.array([keys[reference.table].get(text, NONE) for text in texts], np.int64)
        is_empty = np.array([text in gone for text in texts], np.bool_)
        above = found[reference.table].units
        own = np.where(rows >= 0, above[rows], NONE)
        is_orphan |= ~is_empty & (own < 0)
        if place == 0:
            parents, lacks_nearest = np.where(own >= 0, rows, NONE), is_empty
        other = _climbed(parents, link.references[0].table, reference.table, links, found)
        is_torn = (own >= 0) & (other >= 0) & (rows != other)
        n_torn += int((is_torn & (own == units)).sum())
        clashes += int((is_torn & (own != units)).sum())
        units = np.where(units >= 0, units, own)
    is_orphan |= units < 0
    lacks_nearest &= ~is_orphan
    for what, count in (("units", clashes), ("rows", n_torn)):
        if count:
            problem = f"has two paths to different {what} ({count:,})"
            faults.append(Fault(f"tables.{name}.references", problem, "Correct these rows."))
    if not link.drops_orphans:
        faults += _orphan_faults(name, link, is_orphan, lacks_nearest)
    is_out = is_orphan | lacks_nearest
    return Attached(np.where(is_out, NONE, parents), np.where(is_out, NONE, units)), faults


def _climbed(
    rows: Ints,
    table: str,
    target: str,
    links: Mapping[str, LinkedTable],
    found: Mapping[str, Attached],
) -> Ints:
    """Return the rows of a table above that rows of another one belong to: (n_rows,), -1 for none.

    Parameters
    ----------
    rows : (n_rows,), rows of ``table``, -1 for none
    """
    while table != target and links[table].references:
        above = links[table].references[0].table
        source = found[table].parents if links[above].references else found[table].units
        rows, table = np.where(rows >= 0, source[rows], NONE), above
    return rows


def _orphan_faults(
    name: str, link: LinkedTable, is_orphan: Bools, lacks_nearest: Bools
) -> Iterator[Fault]:
    """Find rows that lead nowhere, and rows that lead past the nearest table above.

    Parameters
    ----------
    lacks_nearest : which rows have no reference to the nearest table, but one to a table above it
    """
    remedy = 'Correct them, or set orphans = "drop" to leave them out.'
    if is_orphan.any():
        problem = (
            f"lead to no row of the table that they reference; {_first(is_orphan, link.order)}"
        )
        yield Fault(f"tables.{name}.references", f"{int(is_orphan.sum()):,} rows {problem}", remedy)
    if lacks_nearest.any():
        nearest = link.references[0]
        problem = (
            f"{int(lacks_nearest.sum()):,} rows have no {nearest.column}, and so belong to no row "
            f"of {nearest.table}, although another reference leads to a person; "
            f"{_first(lacks_nearest, link.order)}"
        )
        yield Fault(f"tables.{name}.references.{nearest.column}", problem, remedy)


def _first(which: Bools, order: Ints) -> str:
    """Return which rows of the input are the first of some."""
    rows = ", ".join(str(row + 1) for row in np.sort(order[which])[:FIRST].tolist())
    return f"the first are rows {rows}"
