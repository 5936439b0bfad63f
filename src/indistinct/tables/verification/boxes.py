"""Count the records in a box of cells, and in the larger boxes around it: a reader's definition.

A box is one cell per quasi-identifier. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.protocols import PlainClass, PlainColumn
from indistinct.tables.engines.tallies import kinds_of, sizes_of
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.verification.enclosing import Ranges, encloses
from indistinct.tables.verification.order_traces import numbered
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import CLOSED

NOWHERE = "\0"
MOST_BOXES = 20_000  # that are looked at around one class
MOST_KEPT = 50_000  # whose counts are remembered
Box = tuple[str, ...]


@dataclass(slots=True)
class BoxRecords:
    """Records to be counted in boxes.

    Parameters
    ----------
    cells : per quasi-identifier, the cells it may be released as
    chains : per quasi-identifier, per text of the records, itself and the cells above it
    columns : per quasi-identifier, number of the text of each distinct record
    texts : per quasi-identifier, its distinct texts
    values : per sensitive column, number of the value of each distinct record, and the values
    weights : (n_distinct,), records
    boxes : the cells of every released class
    ranges : the columns among them that are released in ranges made from the data, if any
    are_others : whether these are the people of a population: in a column without a hierarchy, a
        cell that is the value of some of them stands for these alone, whatever its form is
    """

    cells: Sequence[Renderer]
    chains: Sequence[Mapping[str, Sequence[str]]]
    columns: Sequence[Ints]
    texts: Sequence[Sequence[str]]
    values: Mapping[str, tuple[Ints, Sequence[str]]]
    weights: Ints
    boxes: Sequence[Box] = ()
    ranges: Ranges | None = None
    are_others: bool = False
    _larger: dict[Box, PlainClass] = field(default_factory=dict[Box, PlainClass])
    _members: dict[tuple[int, str], Bools] = field(default_factory=dict[tuple[int, str], Bools])
    _inside: dict[tuple[int, str], Ints] = field(default_factory=dict[tuple[int, str], Ints])

    __repr__ = short_repr

    @classmethod
    def of(
        cls,
        frame: Frame,
        cells: Mapping[str, Renderer],
        sensitive: Sequence[str],
        boxes: Sequence[Box] = (),
        weights: Column | None = None,
    ) -> BoxRecords:
        """Reduce a table of texts, values or released cells, to its distinct records.

        Parameters
        ----------
        frame : texts
        cells : per quasi-identifier, the cells it may be released as
        sensitive : columns whose values are counted
        boxes : the cells of every released class, where ranges are to be looked for around them
        weights : records of each row; one each where left out
        """
        ranged = [
            column
            for column, kind in enumerate(cells.values())
            if kind.kind == "ranges" and any(CLOSED.match(box[column]) for box in boxes)
        ]
        names = [*cells, *sensitive]
        kinds, first = kinds_of([frame[name] for name in names])
        coded = {name: _coded(frame[name].gather(first)) for name in names}
        return cls(
            list(cells.values()),
            [
                {text: [text, *column.above(text)] for text in coded[name][1]}
                for name, column in cells.items()
            ],
            [coded[name][0] for name in cells],
            [coded[name][1] for name in cells],
            {name: coded[name] for name in sensitive},
            np.array(sizes_of(kinds, weights), np.int64),
            boxes,
            Ranges.of(boxes, ranged) if ranged else None,
        )

    def count(self, box: Box) -> int:
        """Count the records inside a box."""
        return int(self.weights[self._within(box)].sum())

    def count_each(self, boxes: Sequence[Box]) -> list[int]:
        """Count the records inside each of some boxes.

        Where every text lies in at most one of a column's cells, each record in one box, the
        records are grouped once; else each box is looked through.
        """
        rows: list[list[str]] = []
        for column, codes in enumerate(self.columns):
            owners = self._owners(column, sorted({box[column] for box in boxes}))
            if owners is None:
                return [self.count(box) for box in boxes]
            rows.append([owners[text] for text in codes.tolist()])
        counts: dict[Box, int] = {}
        for index, weight in enumerate(self.weights.tolist()):
            box = tuple(row[index] for row in rows)
            counts[box] = counts.get(box, 0) + weight
        return [counts.get(box, 0) for box in boxes]

    def _owners(self, column: int, cells: Sequence[str]) -> list[str] | None:
        """Return the cell that each text of a column lies in, if any; None where it is several."""
        owners = [NOWHERE] * len(self.texts[column])
        for cell in cells:
            inside: list[int] = self._texts_in(column, cell).tolist()
            for text in inside:
                if owners[text] != NOWHERE:
                    return None
                owners[text] = cell
        return owners

    def _contains(self, column: int, cell: str, text: str) -> bool:
        """Return whether a cell is a text's own, above it, or covers its value."""
        if self.are_others and self._is_value(column, cell):
            return cell == text
        return (
            cell in self.chains[column][text]
            or self.cells[column].is_below(cell, text)
            or encloses(cell, text)
        )

    def _is_value(self, column: int, cell: str) -> bool:
        """Return whether a cell is a value that some records have, without labels above it."""
        cells = self.cells[column]
        is_named = cells.kind in {"ranges", "labels"} or cells.is_guessed
        return is_named and cell in self.chains[column]

    def supersets(
        self, box: Box, table: Mapping[str, PlainColumn]
    ) -> Callable[[], Iterator[PlainClass]]:
        """Return the larger boxes around a box one after another, those nearest to it first.

        Parameters
        ----------
        box : cells of a class
        table : the sensitive columns of the whole table
        """
        return lambda: (
            self._counted(larger, table) for larger in islice(self._around(box), MOST_BOXES)
        )

    def _around(self, box: Box) -> Iterator[Box]:
        """List the boxes around a box: by the number of steps, those of wide ranges first.

        The box itself comes first: records of other classes may lie in it, whose cells are finer.
        """
        yield box
        if self.ranges is None:
            yield from self._above(box, ())
            return
        one = self.boxes.index(box)
        for labels in (box, *self._above(box, self.ranges.columns)):
            inside = np.ones(len(self.boxes), np.bool_)
            for column, cell in enumerate(labels):
                if column not in self.ranges.columns:
                    inside &= self._classes_in(column, cell)
            for cells in self.ranges.around(one, inside):
                larger = list(labels)
                for column, cell in zip(self.ranges.columns, cells, strict=True):
                    larger[column] = cell
                if tuple(larger) != box:
                    yield tuple(larger)

    def _classes_in(self, column: int, cell: str) -> Bools:
        """Return which released classes have a cell or one below it in a column; looked up once."""
        known = self._members.get((column, cell))
        if known is None:
            own = [box[column] for box in self.boxes]
            below = {text for text in set(own) if cell in (text, *self.cells[column].above(text))}
            known = self._members[column, cell] = np.array([text in below for text in own])
        return known

    def _above(self, box: Box, fixed: Container[int]) -> Iterator[Box]:
        """List the boxes with cells above those of a box, by the number of steps.

        Parameters
        ----------
        fixed : columns in which the cell stays
        """
        chains = [
            [cell] if column in fixed else [cell, *cells.above(cell)]
            for column, (cell, cells) in enumerate(zip(box, self.cells, strict=True))
        ]
        reached: list[tuple[int, ...]] = [(0,) * len(box)]
        while reached:
            following: set[tuple[int, ...]] = {
                (*steps[:column], step + 1, *steps[column + 1 :])
                for steps in reached
                for column, step in enumerate(steps)
                if step + 1 < len(chains[column])
            }
            reached = sorted(following)
            for steps in reached:
                yield tuple(chain[step] for chain, step in zip(chains, steps, strict=True))

    def _counted(self, box: Box, table: Mapping[str, PlainColumn]) -> PlainClass:
        """Count the records of a box and their sensitive values, once while there is room."""
        found = self._larger.get(box)
        if found is None:
            found = self._count_values(box, table)
            if len(self._larger) < MOST_KEPT:
                self._larger[box] = found
        return found

    def _count_values(self, box: Box, table: Mapping[str, PlainColumn]) -> PlainClass:
        """Count the records of a box and their sensitive values."""
        inside = self._within(box)
        weights = self.weights[inside]
        counts: dict[str, dict[str, int]] = {}
        for name, (codes, values) in self.values.items():
            found = np.bincount(codes[inside], weights, len(values)).astype(np.int64).tolist()
            counts[name] = {value: n for value, n in zip(values, found, strict=True) if n}
        return PlainClass(int(weights.sum()), counts, table)

    def _within(self, box: Box) -> Bools:
        """Return which distinct records lie in a box."""
        inside = np.ones(len(self.weights), np.bool_)
        for column, cell in enumerate(box):
            inside &= self._lies_in(column, cell)
        return inside

    def _lies_in(self, column: int, cell: str) -> Bools:
        """Return which distinct records have a cell or one below it in a column."""
        are_meant = np.zeros(len(self.texts[column]), np.bool_)
        are_meant[self._texts_in(column, cell)] = True
        return are_meant[self.columns[column]]

    def _texts_in(self, column: int, cell: str) -> Ints:
        """Return the numbers of the texts that are a cell or lie below it; looked up once."""
        inside = self._inside.get((column, cell))
        if inside is None:
            texts = self.texts[column]
            is_inside = [self._contains(column, cell, text) for text in texts]
            inside = self._inside[column, cell] = np.flatnonzero(is_inside)
        return inside


def _coded(column: Column) -> tuple[Ints, list[str]]:
    """Return numbers to the texts of a column."""
    values, codes = numbered(column)
    return codes.astype(np.int64), values.to_list()
