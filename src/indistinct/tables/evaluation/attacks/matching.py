"""Who may be whom: the released records that cover what is known of a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.matching_kernels import (
    Runs,
    boxes_of_values,
    matches,
    pick,
)


@final
@dataclass(frozen=True, slots=True)
class Matches:
    """The boxes, sets of records with equal cells, that cover each person.

    Parameters
    ----------
    box_of_record : (n_records,)
    sizes : (n_boxes,), records per box
    begins : (n_people + 1,), where the boxes of each person begin
    boxes : (n_pairs,)
    """

    box_of_record: Codes
    sizes: Ints
    begins: Ints
    boxes: Codes

    @property
    def owners(self) -> Ints:
        """Person of each pair: (n_pairs,)."""
        return np.repeat(np.arange(len(self.begins) - 1), np.diff(self.begins))

    @property
    def records(self) -> Ints:
        """Released records that cover each person: (n_people,)."""
        found = np.bincount(self.owners, self.sizes[self.boxes], len(self.begins) - 1)
        return found.astype(np.int64)

    @property
    def people(self) -> Ints:
        """People that each box covers: (n_boxes,)."""
        return np.bincount(self.boxes, minlength=len(self.sizes)).astype(np.int64)

    def guess_records(self, chance: np.random.Generator) -> Ints:
        """Choose one covering record for each person at random; -1 where there is none."""
        ranks = _ranks(self.records, chance)
        groups, places = pick(self.begins, self.boxes, self.sizes, ranks)
        return _members(self.box_of_record, len(self.sizes), groups, places)

    def guess_people(self, chance: np.random.Generator) -> Ints:
        """Choose one covered person for each record at random; -1 where there is none."""
        order = np.argsort(self.boxes, kind="stable")
        begins = np.concatenate([[0], np.cumsum(self.people)]).astype(np.int64)
        ranks = _ranks(self.people[self.box_of_record], chance)
        chosen = np.where(ranks < 0, 0, begins[self.box_of_record] + ranks)
        listed = self.owners[order]
        return np.where(ranks < 0, -1, listed[chosen] if len(listed) else -1).astype(np.int64)

    def covers(self, people: Ints, records: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return whether each of some records covers the person beside it; a record may be -1.

        Parameters
        ----------
        people, records : (n,), numbers of persons and of records
        """
        n_boxes = len(self.sizes)
        known = self.owners * n_boxes + self.boxes
        asked = people * n_boxes + self.box_of_record[np.maximum(records, 0)]
        return np.isin(asked, known) & (records >= 0)


def match(columns: Sequence[KnownColumn], people: str) -> Matches:
    """Find the released records that cover each person.

    Parameters
    ----------
    columns : what is known of people and stands in the release
    people : name of the table of people

    Notes
    -----
    Looks only at boxes that cover the value of one column, the one that leaves the fewest pairs of
    persons and boxes. People of whom the same is known are looked at once. O(pairs * n_columns).
    """
    labels, representatives, sizes = group_rows(
        np.ascontiguousarray(np.stack([column.cells for column in columns], axis=1))
    )
    boxes = np.stack([column.cells[representatives] for column in columns], axis=1)
    everybody = np.stack([column.people[people] for column in columns], axis=1)
    kind_of, first, _ = group_rows(np.ascontiguousarray(everybody))
    values = everybody[first]
    visits = [
        _visits(column, boxes[:, index], values[:, index]) for index, column in enumerate(columns)
    ]
    leading = int(np.argmin(visits))
    cover = columns[leading].cover
    listed = boxes_of_values(
        np.ascontiguousarray(boxes[:, leading]),
        cover.starts,
        cover.lows,
        cover.highs,
        len(columns[leading].values.texts),
    )
    begins, found = matches(
        np.ascontiguousarray(values),
        np.ascontiguousarray(boxes),
        joined(columns),
        leading,
        *listed,
    )
    return Matches(labels, sizes, *_of_people(kind_of, begins, found))


def _of_people(kind_of: Codes, begins: Ints, found: Codes) -> tuple[Ints, Codes]:
    """Return, per person, the boxes of all who are known alike.

    Parameters
    ----------
    kind_of : (n_people,)
    begins, found : the boxes of each kind of people

    Returns
    -------
    begins : (n_people + 1,), where the boxes of each person begin
    boxes : (n_pairs,)
    """
    counts = np.diff(begins)[kind_of]
    own = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return own, found[expanded(begins[:-1][kind_of], counts)[1]]


def expanded(starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    """List the numbers from each start on, as many as its length: the start's place, the number."""
    owners = np.repeat(np.arange(len(starts)), lengths)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return owners, starts[owners] + within


def joined(columns: Sequence[KnownColumn]) -> Runs:
    """Return the covers of all columns in one."""
    offsets = np.concatenate([[0], np.cumsum([len(column.book.texts) for column in columns])])
    lengths = [np.diff(column.cover.starts) for column in columns]
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    lows = np.concatenate([column.cover.lows for column in columns])
    highs = np.concatenate([column.cover.highs for column in columns])
    return Runs(offsets[:-1].astype(np.int64), starts, lows, highs)


def _visits(column: KnownColumn, boxes: Codes, values: Codes) -> int:
    """Count the pairs of persons and boxes that a column alone leaves."""
    cover = column.cover
    upto = np.concatenate([[0], np.cumsum(np.bincount(values, minlength=len(column.values.texts)))])
    inside = upto[cover.highs] - upto[cover.lows]
    owners = np.repeat(np.arange(len(column.book.texts)), np.diff(cover.starts))
    people = np.bincount(owners, inside, len(column.book.texts))
    return int(people[boxes].sum())


def _ranks(counts: Ints, chance: np.random.Generator) -> Ints:
    """Draw a place among the candidates of each owner; -1 where there are none."""
    drawn = chance.integers(0, np.maximum(counts, 1))
    return np.where(counts > 0, drawn, -1).astype(np.int64)


def _members(owner: Codes, n_groups: int, groups: Codes, places: Ints) -> Ints:
    """Return the member of a group at a place; -1 for no group."""
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(n_groups))
    if not len(order):
        return np.full(len(groups), -1, np.int64)
    chosen = np.where(groups < 0, 0, starts[np.maximum(groups, 0)] + places)
    return np.where(groups < 0, -1, order[chosen]).astype(np.int64)
