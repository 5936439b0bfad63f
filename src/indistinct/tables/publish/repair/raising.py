"""What un-tells cells by making those coarser that tell them.

A record is told a cell because another one with the same telling value shows it. Once the class of
that one shows no more than the record does, nothing is told by it any more. A raised class is a new
coarse cell in other groups, so that what it is worth is only known once read-back is found again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.publish.repair.records import RepairState
from indistinct.tables.release.read_back import CellSpans, GivenBack


@dataclass(frozen=True, slots=True)
class Raise:
    """All records of a class show a coarser cell of one quasi-identifier."""

    name: str
    label: int
    before: int
    cell: int

    def do(self, state: RepairState) -> None:
        """Make it coarser."""
        state.raise_class(self.name, self.label, self.cell)

    def undo(self, state: RepairState) -> None:
        """Make it as fine as it was."""
        state.raise_class(self.name, self.label, self.before)

    def cost(self, state: RepairState) -> float:
        """Return the loss that it adds, in cells of a record all cells of which count 1."""
        losses = state.records.cell_losses[self.name]
        n_records = int(((state.classes == self.label) & state.is_kept).sum())
        return n_records * float(losses[self.cell] - losses[self.before])

    def is_possible(self, state: RepairState) -> bool:
        """Return whether the class still shows what it showed when this was planned."""
        shown = state.cells[self.name][state.classes == self.label]
        return bool((shown == self.before).all())


@dataclass(frozen=True, slots=True)
class TellingGroups:
    """The records that tell each other's cells, ordered by their telling values.

    Parameters
    ----------
    told_by : what some columns tell, of the rows that are still released
    rows : (n_rows,), these rows
    order, starts : (n_rows,), (n_groups + 1,), places of ``rows`` group after group
    """

    told_by: GivenBack
    rows: Ints
    order: Ints
    starts: Ints

    __repr__ = short_repr

    @classmethod
    def of(cls, told_by: GivenBack, rows: Ints) -> TellingGroups:
        """Order the rows by the value that tells."""
        order = np.argsort(told_by.groups, kind="stable")
        n_groups = int(told_by.groups.max(initial=-1)) + 1
        starts = np.searchsorted(told_by.groups[order], np.arange(n_groups + 1))
        return cls(told_by, rows, order, starts)

    def finer_than(self, state: RepairState, name: str, place: int) -> Iterator[tuple[int, int]]:
        """Yield class and cell of the records of a row's group that show a finer cell than it."""
        spans, cells = state.records.columns.generalized[name].spans, state.cells[name]
        group = int(self.told_by.groups[place])
        members = self.rows[self.order[self.starts[group] : self.starts[group + 1]]]
        own = int(cells[self.rows[place]])
        for row in members[_are_finer(spans, cells[members], own)].tolist():
            yield int(state.classes[row]), int(cells[row])


def raises_for(
    state: RepairState, groups: Sequence[TellingGroups], places: Sequence[int]
) -> list[Raise]:
    """Return what makes the classes coarser that tell some rows a cell: each as far as it must."""
    coarsest: dict[tuple[str, int], Raise] = {}
    for one, place in ((one, place) for one in groups for place in places):
        row = one.rows[place]
        for name, codes in one.told_by.finer.items():
            own = int(state.cells[name][row])
            if codes[place] == own:
                continue
            spans = state.records.columns.generalized[name].spans
            for label, cell in one.finer_than(state, name, place):
                known = coarsest.get((name, label))
                if known is None or _are_finer(spans, np.array([known.cell]), own).all():
                    coarsest[name, label] = Raise(name, label, cell, own)
    return list(coarsest.values())


def _are_finer(spans: CellSpans, cells: Codes | Ints, own: int) -> Bools:
    """Return which cells lie inside another one, and are not it."""
    low, high = spans.lows[own], spans.highs[own]
    lows, highs = spans.lows[cells], spans.highs[cells]
    return (lows >= low) & (highs <= high) & ((lows != low) | (highs != high))
