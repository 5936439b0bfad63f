"""Compiled counts of the records and people that predicates describe."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.compiling import compiled, compiled_copy
from indistinct.tables.evaluation.attacks.matching_kernels import Runs, holds_value

IN_CELL, AT_LEAST, AT_MOST = 0, 1, 2


class Predicates(NamedTuple):
    """Descriptions of people: conditions that all hold, each array (n_predicates, width).

    Parameters
    ----------
    columns : column of each condition, -1 for none
    kinds : in a cell, at least or at most a bound
    cells : cell of a condition of the first kind
    bounds : bound of the others
    """

    columns: Codes
    kinds: Codes
    cells: Codes
    bounds: Floats

    @property
    def number(self) -> int:
        """How many they are."""
        return len(self.columns)

    def chosen(self, which: Any) -> Predicates:
        """Return some of them."""
        return Predicates._make(part[which] for part in self)

    def without_repeats(self) -> Predicates:
        """Leave out what was said before."""
        _, first = np.unique(np.hstack(self), axis=0, return_index=True)
        return self.chosen(np.sort(first))


@compiled_copy
def holds_cell(runs: Runs, outer: int, inner: int) -> bool:
    """Return whether every value under a cell is under another one.

    A cell without values, as of a suppressed record, is for certain in none.
    """
    if runs.starts[inner + 1] <= runs.starts[inner]:
        return False
    for run in range(runs.starts[inner], runs.starts[inner + 1]):
        covered = False
        for other in range(runs.starts[outer], runs.starts[outer + 1]):
            if runs.lows[other] <= runs.lows[run] and runs.highs[run] <= runs.highs[other]:
                covered = True
                break
        if not covered:
            return False
    return True


@compiled
def count_described(
    predicates: Predicates, codes: Codes, numbers: Floats, runs: Runs, released: bool, enough: int
) -> Ints:
    """Count the people, or the released records for certain, that each predicate describes.

    A record is in a cell when its own cell is the same, or every value under it is under that cell.

    Parameters
    ----------
    codes : (n_columns, n), value codes of people or cell codes of records
    numbers : (n_columns, n), NaN for none
    released : whether ``codes`` are those of released records
    enough : stop counting there

    Returns
    -------
    (n_predicates,), people or records, at most ``enough``
    """
    n_predicates, width = predicates.columns.shape
    counts = np.zeros(n_predicates, np.int64)
    for predicate in range(n_predicates):
        count = 0
        for one in range(codes.shape[1]):
            holds = True
            for place in range(width):
                column = predicates.columns[predicate, place]
                if column < 0:
                    continue
                kind = predicates.kinds[predicate, place]
                wanted, code = predicates.cells[predicate, place], codes[column, one]
                if kind == AT_LEAST:
                    holds = numbers[column, one] >= predicates.bounds[predicate, place]
                elif kind == AT_MOST:
                    holds = numbers[column, one] <= predicates.bounds[predicate, place]
                elif released:
                    outer, inner = runs.offsets[column] + wanted, runs.offsets[column] + code
                    holds = code == wanted or holds_cell(runs, outer, inner)
                else:
                    holds = holds_value(runs, runs.offsets[column] + wanted, code)
                if not holds:
                    break
            if holds:
                count += 1
                if count >= enough:
                    break
        counts[predicate] = count
    return counts
