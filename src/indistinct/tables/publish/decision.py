"""From a recoding to a table: what each record, or distinct row, of the input is released as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_hex
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.preparation import Count, Prepared
from indistinct.tables.engines.sources import PersonKey, ReleasePlan, ranges_of, weights_of
from indistinct.tables.frames.encoding import with_released_cells
from indistinct.tables.frames.frame import (
    Frame,
    chosen,
    frame_of,
    with_whole_columns,
)
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.column_types import narrowed
from indistinct.tables.reading.missing_values import with_one_missing
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.release.presentation import present

SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class RowSplits:
    """The records of a distinct row that go to one class.

    Parameters
    ----------
    rows : (n_pieces,), the distinct row, as a number of ``Prepared.frame``
    labels : (n_pieces,), the class
    first, last : (n_pieces,), number of the first of the row's records, and one after the last
    """

    rows: Ints
    labels: Codes
    first: Ints
    last: Ints

    __repr__ = short_repr

    def chosen(self, which: Bools | Ints) -> RowSplits:
        """Return some of the pieces."""
        return RowSplits(self.rows[which], self.labels[which], self.first[which], self.last[which])


def plan_of(cells: Frame, rows: Ints) -> ReleasePlan:
    """Return the plan of records that are written already.

    Parameters
    ----------
    rows : (n_rows,), row of the input behind each; -1 where there is none
    """
    one_each = np.ones(len(rows), np.int64)
    return ReleasePlan(
        (),
        frame_of({}),
        cells,
        tuple(cells.columns),
        one_each,
        pieces=cells,
        piece_records=one_each,
        piece_rows=rows,
    )


def shown_cells(
    frame: Frame,
    prepared: Prepared,
    recoding: Recoding,
    chosen_rows: tuple[Codes, Ints],
    *,
    has_types: bool,
) -> Frame:
    """Write the cells of some rows as the policy asks, missing ones in one way.

    Parameters
    ----------
    frame : the rows, with their cells as they were
    chosen_rows : the class of each row of ``frame``, and the rows that are written
    has_types : whether the input says the types of its columns; else the released cells decide them
    """
    spec = prepared.spec
    missing = spec.data.texts_of_missing
    written = with_released_cells(frame, recoding, spec.class_names, chosen_rows, missing)
    shown = with_one_missing(present(written, prepared), ())
    return shown if has_types else in_narrow_types(shown, prepared, recoding)


def plan_rows(
    prepared: Prepared,
    recoding: Recoding,
    count: Count,
    columns: Sequence[str],
    *,
    has_types: bool = True,
) -> ReleasePlan:
    """Return what every distinct row becomes.

    Parameters
    ----------
    prepared : of distinct rows
    recoding : what was decided
    count : of the distinct rows
    columns : of the input, in its order
    has_types : whether the input says the types of its columns; else its cells decide them
    """
    records = weights_of(count.tally)[prepared.rows]
    pieces = pieces_of(prepared.tuple_of_row, records, recoding)
    is_whole = len(pieces.rows) == len(prepared.rows)
    released = pieces.chosen(recoding.released[pieces.labels])
    names = prepared.spec.class_names
    read = [name for name in prepared.frame.columns if name not in names]
    before = chosen(prepared.frame, released.rows, names)
    everyone = (released.labels, np.arange(len(released.rows)))
    shown = shown_cells(before, prepared, recoding, everyone, has_types=has_types)
    values = chosen(prepared.frame, released.rows, read)
    values = values if has_types else narrowed(values, ())
    cells = rebuilt(shown)
    own, own_records = np.arange(len(released.rows)), released.last - released.first
    keys = [*names, *read]
    if is_whole and prepared.spec.data.missing_as != "suppress":
        found = _without_sensitive(prepared, pieces, recoding)
        if found is not None:
            (own, own_records), keys = found, list(names)
    split = None if is_whole else _split(released, records)
    return ReleasePlan(
        tuple(PersonKey(name, count.keys.get(name)) for name in keys),
        chosen(prepared.frame, released.rows[own], keys),
        chosen(cells, own),
        _released_columns(columns, cells.columns, prepared.spec),
        own_records,
        split,
        "" if is_whole else token_hex(SALT_BYTES),
        pieces=with_whole_columns(cells, values),
        piece_records=released.last - released.first,
        piece_rows=prepared.rows[released.rows].astype(np.int64),
    )


def pieces_of(tuple_of_row: Codes, records: Ints, recoding: Recoding) -> RowSplits:
    """Divide the records of rows among the classes of their tuples.

    The records of all rows are laid end to end, tuple after tuple, and so are those of the items
    of the recoding; where either ends, a piece ends.

    Parameters
    ----------
    tuple_of_row : (n_rows,), tuple of each distinct row
    records : (n_rows,), its records, at least 1
    """
    rows = np.argsort(tuple_of_row, kind="stable")
    filled = np.flatnonzero(recoding.weights > 0)
    items = filled[np.argsort(recoding.tuples[filled], kind="stable")]
    row_starts = np.concatenate([[0], np.cumsum(records[rows])])
    item_starts = np.concatenate([[0], np.cumsum(recoding.weights[items])])
    cuts = _merged(row_starts, item_starts)
    starts, ends = cuts[:-1], cuts[1:]
    row = np.searchsorted(row_starts, starts, "right") - 1
    item = np.searchsorted(item_starts, starts, "right") - 1
    begin = row_starts[row]
    return RowSplits(
        rows[row].astype(np.int64),
        recoding.labels[items[item]],
        (starts - begin).astype(np.int64),
        (ends - begin).astype(np.int64),
    )


def _merged(one: Ints, other: Ints) -> Ints:
    """Return the different ones of two ascending arrays, ascending.

    A stable sort takes two ascending runs in one pass; NumPy's own union would hash every number.
    """
    together = np.sort(np.concatenate([one, other]), kind="stable")
    is_first = np.concatenate([[True], together[1:] != together[:-1]])
    return together[is_first]


def _without_sensitive(
    prepared: Prepared, pieces: RowSplits, recoding: Recoding
) -> tuple[Ints, Ints] | None:
    """Return one released piece per row of quasi-identifiers, where these alone decide the class.

    Returns
    -------
    places among the released pieces, and the records of each row; None where sensitive values take
    part in the decision
    """
    codes = prepared.problem.table.codes[prepared.tuple_of_row[pieces.rows]]
    if len(prepared.problem.table.sensitive_codes) == 0:
        return None
    alike, first, _ = group_rows(np.ascontiguousarray(codes))
    with_class = np.ascontiguousarray(np.column_stack([alike, pieces.labels]).astype(np.int32))
    if len(group_rows(with_class)[1]) != len(first):
        return None
    is_released = recoding.released[pieces.labels]
    place = np.cumsum(is_released) - 1
    records = np.bincount(alike, pieces.last - pieces.first).astype(np.int64)
    is_shown = is_released[first]
    return place[first[is_shown]].astype(np.int64), records[is_shown]


def _split(released: RowSplits, records: Ints) -> Any:
    """Return the ranges of the records of split rows, and -1 as the end of whole ones."""
    is_whole = (released.last - released.first) == records[released.rows]
    return ranges_of(released.first, np.where(is_whole, -1, released.last))


def _released_columns(
    columns: Sequence[str], cells: Sequence[str], spec: Specification
) -> tuple[str, ...]:
    """Name the released columns in the order of the input."""
    found: list[str] = []
    for name in columns:
        bounds = [f"{name}_min", f"{name}_max"]
        if name in spec.left_out:
            continue
        is_pair = name in spec.class_names and all(bound in cells for bound in bounds)
        found += bounds if is_pair else [name]
    return tuple(found)


def in_narrow_types(shown: Frame, prepared: Prepared, recoding: Recoding) -> Frame:
    """Return released cells in the narrowest types that hold them.

    Parameters
    ----------
    shown : the released cells, in the form of the release
    prepared, recoding : the input, and what was decided
    """
    names = prepared.spec.class_names
    middles = names if prepared.spec.release.intervals == "midpoint" else ()
    cells = recoding.cells[recoding.released]
    levels = zip(names, recoding.domains, cells.T, strict=True)
    labelled = {name for name, domain, own in levels if (domain.levels[own] > 0).any()}
    return narrowed(shown, labelled, middles)
