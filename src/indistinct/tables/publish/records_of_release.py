"""From a recoding to the records that are written: what those of a class share is written once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import ROOT
from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Solution
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.orders_of_records import quasi_identifier_columns
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.sources import ReleasePlan
from indistinct.tables.engines.tallies import columns_of, without
from indistinct.tables.frames.encoding import value_codes
from indistinct.tables.frames.frame import (
    Column,
    Frame,
    are_starred,
    chosen,
    frame_of,
    with_starred,
    with_whole_columns,
)
from indistinct.tables.frames.row_ranks import canonical_ranks, order_within
from indistinct.tables.publish.decision import plan_of, shown_cells
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.release.released_file import bounds_of


def plan_records(prepared: Prepared, noised: NoisyRecoding, *, has_types: bool) -> ReleasePlan:
    """Return what every record becomes, in canonical order: a row for each that is written."""
    return plan_of(*records_of(prepared, noised, has_types=has_types))


class RowGroups(NamedTuple):
    """Rows by what they have in common.

    Parameters
    ----------
    first : (n_kinds,), the first row of each kind
    of_row : (n_rows,), the kind of each row
    """

    first: Ints
    of_row: Codes

    @classmethod
    def numbered(cls, labels: Codes | Ints) -> RowGroups:
        """Return rows by their labels, in the order of the labels."""
        first = np.full(int(labels.max(initial=-1)) + 1, -1, np.int64)
        first[labels[::-1]] = np.arange(len(labels) - 1, -1, -1)
        occurs = first >= 0
        numbers = np.cumsum(occurs) - 1
        return cls(first[occurs], numbers[labels].astype(np.int32))


@dataclass(frozen=True, slots=True)
class WrittenRecords:
    """Released records in any order: what those of a kind share, and what each shows besides.

    Parameters
    ----------
    of_kind : (n_kinds, ...), the columns by which a release is sorted first
    of_row : (n_rows,), the kind of each record
    own : (n_rows, ...), the other columns
    """

    of_kind: Frame
    of_row: Codes
    own: Frame

    __repr__ = short_repr

    def in_order(self) -> tuple[list[Column], Ints]:
        """Return the columns in canonical order, and the number of each row."""
        n_kinds = int(self.of_row.max(initial=-1)) + 1
        width = self.of_kind.width
        ranks = canonical_ranks(self.of_kind) if width else np.zeros(n_kinds, np.int64)
        order = order_within(ranks[self.of_row], self.own)
        cells = rebuilt(chosen(self.of_kind, RowGroups.numbered(ranks).first))
        shown = chosen(cells, ranks[self.of_row[order]])
        return [*shown, *rebuilt(chosen(self.own, order))], order


def records_of_classes(
    prepared: Prepared, solution: Solution, classes: Codes
) -> tuple[Frame, Ints]:
    """Write the released records of classes without noise; return the input row of each.

    Parameters
    ----------
    classes : (n_rows,), class of each record
    """
    return records_of(prepared, NoisyRecoding(solution, classes), has_types=True)


def records_of(prepared: Prepared, noised: NoisyRecoding, *, has_types: bool) -> tuple[Frame, Ints]:
    """Write the released records in canonical order; return the input row of each."""
    recoding, classes, spec = noised.solution.recoding, noised.classes, prepared.spec
    positions = np.flatnonzero(recoding.released[classes])
    rows = prepared.rows[positions].astype(np.int64)
    frame = with_whole_columns(without(prepared.frame, spec.left_out), noised.columns)
    leading = quasi_identifier_columns(spec.class_names)
    shared = columns_of(frame, [name for name in frame.columns if name in leading])
    write = partial(shown_cells, prepared=prepared, recoding=recoding, has_types=has_types)
    kinds = _kinds(shared, prepared, recoding, classes[positions], positions)
    of_kind = write(shared, chosen_rows=(classes, positions[kinds.first]))
    own = write(without(frame, shared.columns), chosen_rows=(classes, positions))
    written = WrittenRecords(of_kind, kinds.of_row, own)
    if spec.release.suppressed != "drop":
        _refuse_rows_of_stars(written, {*of_kind.columns} - {*shared.columns})
        gone = np.setdiff1d(np.arange(prepared.n_input), rows)
        written, rows = _with_rows_of_stars(written, len(gone)), np.append(rows, gone)
    columns, order = written.in_order()
    return _in_turn(columns, frame.columns), rows[order]


def _kinds(
    frame: Frame, prepared: Prepared, recoding: Recoding, labels: Codes, positions: Ints
) -> RowGroups:
    """Return the classes, divided where their records show cells of their own.

    Parameters
    ----------
    frame : the columns by which a release is sorted first
    labels, positions : (n_released,), class of each released record, and its row
    """
    kinds, names = RowGroups.numbered(labels), prepared.spec.class_names
    cells = recoding.cells[labels[kinds.first]]
    divided: list[Codes] = []
    for name in frame.columns:
        if name not in names:
            codes = value_codes(frame[name])[1][positions]
        elif recoding.domains[place := names.index(name)].levels[cells[:, place]].any():
            continue  # generalized
        elif _is_shared(values := prepared.problem.table.codes[:, place], recoding):
            continue
        else:
            codes = values[prepared.tuple_of_row[positions]]
        if (codes != codes[kinds.first][kinds.of_row]).any():
            divided.append(codes)
    if not divided:
        return kinds
    of_row, first, _ = group_rows(np.column_stack([labels, *divided]).astype(np.int32))
    return RowGroups(first.astype(np.int64), of_row)


def _is_shared(values: Codes, recoding: Recoding) -> bool:
    """Return whether the tuples of each class, released or not, have one value.

    Parameters
    ----------
    values : (n_tuples,)
    """
    of_item = values[recoding.tuples]
    of_class = np.zeros(recoding.n_classes, values.dtype)
    of_class[recoding.labels] = of_item
    return bool((of_class[recoding.labels] == of_item).all())


def _in_turn(columns: Iterable[Column], names: Sequence[str]) -> Frame:
    """Return released columns in the order of the input's, bounds in the place of theirs."""
    found = {column.name: column for column in columns}
    order = [(name,) if name in found else bounds_of(name) for name in names]
    return frame_of({name: found[name] for released in order for name in released})


def _refuse_rows_of_stars(written: WrittenRecords, hollow: Container[str]) -> None:
    """Refuse to mask suppressed records where a released one is nothing but stars as well.

    Parameters
    ----------
    hollow : columns in which an empty cell is read as a star, as bounds are

    Raises
    ------
    NoSolutionError
        when a reader could not tell a released record from those that are suppressed
    """
    starred = np.ones(len(written.of_row), np.bool_)
    if written.of_kind.width:
        starred &= are_starred(written.of_kind, hollow)[written.of_row]
    if written.own.width:
        starred &= are_starred(written.own)
    count = int(starred.sum())
    if count:
        raise NoSolutionError(
            f"{count:,} released records are written as {ROOT} in every column, like suppressed "
            'records if release.suppressed is "mask", so they cannot be distinguished',
            'Set release.suppressed to "drop".',
        )


def _with_rows_of_stars(written: WrittenRecords, n_masked: int) -> WrittenRecords:
    """Add the suppressed records as one more kind, which shows nothing."""
    if not n_masked:
        return written
    kind = np.full(n_masked, written.of_row.max(initial=-1) + 1, np.int32)
    return WrittenRecords(
        with_starred(written.of_kind, 1),
        np.append(written.of_row, kind),
        with_starred(written.own, n_masked),
    )
