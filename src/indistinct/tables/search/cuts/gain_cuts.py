"""Mondrian by information gain: cut where the parts tell a sensitive value apart best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.coded_text import sentence
from indistinct.tables.core.classes import classes_of
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import CellDomain, Recoding, cell_per_text
from indistinct.tables.search.algorithm import SearchResult, check_sensitive
from indistinct.tables.search.cuts.ranked import ranked_columns


def find_gaining_cuts(problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
    """Cut until no cut is allowed, or until the deadline.

    Raises
    ------
    PolicyError
        when there is no sensitive column to gain information of
    """
    check_sensitive(problem, '"infogain-mondrian" cuts by the information on a sensitive column')
    cutting = Cutting.of(problem)
    labels = np.zeros(problem.table.n_tuples, np.int32)
    waiting: list[Codes] = [np.arange(problem.table.n_tuples, dtype=np.int32)]
    n_classes, n_settled = 0, 0
    while waiting:
        members = waiting.pop()
        parts = None if deadline.passed else cutting.best_cut(members)
        if parts is not None:
            waiting += parts
            continue
        labels[members] = n_classes
        n_classes += 1
        n_settled += len(members)
        progress(
            n_settled / problem.table.n_tuples,
            sentence("classes", "{number} classes", number=n_classes),
        )
    recoding = cutting.recoding(labels, n_classes)
    return SearchResult(recoding, "the best partition found needs", {"partitions": n_classes})


@dataclass(frozen=True, slots=True)
class Cutting:
    """What partitions are cut by.

    Parameters
    ----------
    problem : what was asked
    ranks : (n_tuples, n_columns), rank of each value
    values : (n_tuples,), the sensitive value
    n_values : how many there are
    least : records that each part needs
    """

    problem: Problem
    ranks: Codes
    values: Codes
    n_values: int
    least: int

    @classmethod
    def of(cls, problem: Problem) -> Cutting:
        """Rank the values of a problem."""
        columns = ranked_columns(problem)
        name, sensitive = next(iter(problem.table.sensitive_in_file.items()))
        ranks = [column.ranks[problem.table.codes[:, q]] for q, column in enumerate(columns)]
        return cls(
            problem,
            np.stack(ranks, axis=1).astype(np.int32),
            problem.table.sensitive_codes[name],
            sensitive.n_values,
            problem.least_size,
        )

    def best_cut(self, members: Codes) -> list[Codes] | None:
        """Return the two parts of the best cut that every model allows, or None."""
        weights = self.problem.table.weights[members]
        if int(weights.sum()) < 2 * self.least:
            return None
        # Of equal entropies the first column comes first: nothing depends on chance.
        found = sorted(self._cuts(members, weights))
        for _, column, rank in found:
            is_left = self.ranks[members, column] <= rank
            if self._allows(members, is_left):
                return [members[is_left], members[~is_left]]
        return None

    def _cuts(self, members: Codes, weights: Ints) -> Iterator[tuple[float, int, int]]:
        """Yield the best cut of each column: entropy left, column, last rank of the left part."""
        for column in range(self.ranks.shape[1]):
            ranks, places = np.unique(self.ranks[members, column], return_inverse=True)
            if len(ranks) == 1:
                continue
            # Counts per rank and value, whose running sums are the left parts of all cuts at once.
            table = np.bincount(
                places * self.n_values + self.values[members],
                weights,
                len(ranks) * self.n_values,
            ).reshape(len(ranks), self.n_values)
            left = np.cumsum(table, axis=0)[:-1]
            right = left[-1] + table[-1] - left
            fits = np.minimum(left.sum(axis=1), right.sum(axis=1)) >= self.least
            if fits.any():
                entropy = np.where(fits, _bits(left) + _bits(right), np.inf)
                best = int(entropy.argmin())
                yield float(entropy[best]), column, int(ranks[best])

    def _allows(self, members: Codes, is_left: Bools) -> bool:
        """Return whether both parts satisfy the models."""
        part = self.problem.table.chosen(members, self.problem.table.weights[members])
        classes = classes_of(part, (~is_left).astype(np.int32), 2)
        return bool(self.problem.holds(classes).all())

    def recoding(self, labels: Codes, n_classes: int) -> Recoding:
        """Write classes as a recoding; a class above the highest level of a column is given up.

        Parameters
        ----------
        labels : (n_tuples,), class of each tuple
        n_classes : number of classes, none empty
        """
        problem = self.problem
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(n_classes))
        domains: list[CellDomain] = []
        cells: list[Codes] = []
        allowed = np.ones(n_classes, np.bool_)
        for column, ranked in enumerate(ranked_columns(problem)):
            inside = self.ranks[order, column]
            lows, highs = np.minimum.reduceat(inside, starts), np.maximum.reduceat(inside, starts)
            domain, cell = ranked.release(lows, highs, problem.table.value_weights(column))
            # Ranks with different labels at the highest level allowed have no label in common below
            # it.
            top = ranked.top_keys(problem.max_levels[column])
            allowed &= top[lows] == top[highs]
            domains.append(domain)
            cells.append(cell_per_text(domain)[cell].astype(np.int32))
        return Recoding(
            np.arange(problem.table.n_tuples, dtype=np.int32),
            labels,
            problem.table.weights,
            np.stack(cells, axis=1),
            allowed,
            tuple(domains),
        )


def _bits(counts: Ints) -> Floats:
    """Return size times entropy of each row: (n_rows,).

    Parameters
    ----------
    counts : (n_rows, n_values)
    """
    sizes = counts.sum(axis=1)
    return _weighted(sizes) - _weighted(counts).sum(axis=1)


def _weighted(counts: Ints) -> Floats:
    """Return count * log2(count), 0 for none."""
    return counts.astype(np.float64) * np.log2(np.maximum(counts, 1))
