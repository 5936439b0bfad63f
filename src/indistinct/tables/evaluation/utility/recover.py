"""From the cells of a release back to the recoding that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.errors import DataError, Fault
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import (
    CellCosts,
    CellDomain,
    Coverage,
    Recoding,
    hierarchy_cells,
    inverse,
)
from indistinct.tables.engines.tallies import tally
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import coded_texts, distinct_texts
from indistinct.tables.release.cells import read_ends
from indistinct.tables.search.lattice.lattice import Lattice


@dataclass(frozen=True, slots=True)
class ReadCells:
    """The released records as cells of their columns.

    Parameters
    ----------
    rows : (n_rows, n_columns), the cell of each released record, an index into ``domains``
    domains : per column, its cells; the last one is the whole column
    weights : (n_rows,), records of each row; None for one each
    """

    rows: Codes
    domains: tuple[CellDomain, ...]
    weights: Ints | None = None

    @property
    def n_records(self) -> int:
        """Records of all rows."""
        return len(self.rows) if self.weights is None else int(self.weights.sum())


def full_domain(
    released: Frame, problem: Problem, weights: Column | None = None
) -> Recoding | None:
    """Find the lattice node of a full-domain release; None when it is none.

    Parameters
    ----------
    released : the released records, cells as labels
    problem : of the original table
    weights : (n_rows,), records of each row; one each where left out
    """
    recoding = lowest_node(released, problem)
    if recoding is None:
        return None
    kinds = tally([released[name] for name in problem.table.columns], weights)
    found = np.sort([count for _, count in kinds])
    is_same = np.array_equal(np.sort(recoding.sizes[recoding.released]), found)
    return recoding if is_same else None


def lowest_node(released: Frame, problem: Problem) -> Recoding | None:
    """Return the recoding at the lowest levels that have all cells; None when some have none.

    Parameters
    ----------
    released : the released records, cells as labels; some may have been suppressed later
    problem : of the original table
    """
    levels: list[int] = []
    for column, name in enumerate(problem.table.columns):
        if name not in released.columns:
            return None
        cells = set(distinct_texts(released[name]))
        level = _level(cells, problem.hierarchies[column], problem.min_levels[column])
        if level is None:
            return None
        levels.append(level)
    return Lattice(problem).recoding(tuple(levels))


def read_cells(released: Frame, problem: Problem, weights: Column | None = None) -> ReadCells:
    """Find the cells that released records stand in.

    Parameters
    ----------
    released : the released records, cells as labels, pairs of bounds put together
    problem : of the original table
    weights : (n_rows,), records of each row; one each where left out

    Raises
    ------
    DataError
        when a cell is neither a label of its column nor a range
    """
    rows = np.empty((released.height, problem.table.n_columns), np.int32)
    domains: list[CellDomain] = []
    records = None if weights is None else weights.to_numpy().astype(np.int64)
    n_released = released.height if records is None else int(records.sum())
    leaves_out = problem.table.n_records > n_released
    for column, name in enumerate(problem.table.columns):
        texts, codes = coded_texts(released[name])
        numbers, domain = _cells(texts, problem, column, leaves_out=leaves_out)
        rows[:, column] = numbers[codes]
        domains.append(domain)
    return ReadCells(rows, tuple(domains), records)


def recoding_of(read: ReadCells, problem: Problem) -> Recoding:
    """Make classes of records that read the same; what is not released forms one more, at the root.

    Raises
    ------
    DataError
        when more records are released than there were
    """
    labels, representatives, weights = group_rows(read.rows)
    if read.weights is not None:
        weights = np.bincount(labels, read.weights, len(weights)).astype(np.int64)
    n_hidden = problem.table.n_records - read.n_records
    if n_hidden < 0:
        problem_text = f"has {-n_hidden} records more than the original"
        raise DataError(problem_text, "Compare the release with the table that it was made from.")
    hidden = [[len(domain.labels) - 1 for domain in read.domains]] if n_hidden > 0 else []
    cells = np.vstack([read.rows[representatives], *hidden]).astype(np.int32)
    sizes = np.append(weights, [n_hidden] if n_hidden > 0 else []).astype(np.int64)
    classes = np.arange(len(sizes), dtype=np.int32)
    is_released = np.arange(len(sizes)) < len(weights)
    return Recoding(classes, classes, sizes, cells, is_released, read.domains)


def _level(cells: set[str], hierarchy: GeneralizationHierarchy, least: int) -> int | None:
    """Find the lowest level allowed that has all the labels."""
    for level, labels in enumerate(hierarchy.labels):
        if level >= least and cells <= set(labels):
            return level
    return None


def _cells(
    distinct: Sequence[str], problem: Problem, column: int, *, leaves_out: bool
) -> tuple[Codes, CellDomain]:
    """Return numbers to the cells of a column, and list what each costs; the root comes last.

    Parameters
    ----------
    distinct : (n_texts,), the texts of the cells
    leaves_out : whether some records are not released
    """
    needs_root = ROOT in distinct or leaves_out
    domain = _labels(problem, column, needs_root=needs_root)
    numbers = _numbers(distinct, domain, problem, column)
    if numbers is None and problem.numbers[column] is not None:
        domain = _ranges(distinct, problem, column)
        numbers = None if domain is None else np.arange(len(distinct), dtype=np.int32)
    if numbers is None or domain is None:
        raise DataError(
            [
                Fault(
                    f"columns.{problem.table.columns[column]}",
                    "has cells that are not a generalization of the original's values",
                    "Compare the release with the table that it was made from.",
                )
            ]
        )
    return numbers, domain


def _labels(problem: Problem, column: int, *, needs_root: bool) -> CellDomain:
    """List the labels of a hierarchy, with a root on top where one is needed."""
    hierarchy = problem.hierarchies[column]
    weights = problem.table.value_weights(column)
    return hierarchy_cells(hierarchy.with_root() if needs_root else hierarchy, weights)


def _numbers(
    distinct: Sequence[str], domain: CellDomain, problem: Problem, column: int
) -> Codes | None:
    """Find the cell of each text; None when some text is no label.

    Where labels repeat, the costliest cell with this text, and of those the lowest allowed.
    """
    floor = problem.min_levels[column]
    order: list[int] = np.lexsort((-domain.levels, domain.losses)).tolist()
    cell_of = {domain.labels[cell]: cell for cell in order if domain.levels[cell] >= floor}
    found = [cell_of.get(text, -1) for text in distinct]
    return None if -1 in found else np.array(found, np.int32)


def _ranges(distinct: Sequence[str], problem: Problem, column: int) -> CellDomain | None:
    """Return the cells of a column that is released in ranges, and the whole column behind them."""
    numbers = problem.numbers[column]
    assert numbers is not None  # noqa: S101 - only called for numbers
    missing = problem.hierarchies[column].values[-1]
    texts = [*distinct, ROOT]
    is_whole = np.array([text == ROOT for text in texts], np.bool_)
    is_missing = np.array([text == missing for text in texts], np.bool_)
    is_missing &= bool(np.isnan(numbers).any()) & ~is_whole
    written = read_ends(texts)
    if not (written.are_written | is_whole | is_missing).all():
        return None
    low = np.where(is_whole, -np.inf, np.where(is_missing, np.nan, written.lows))
    high = np.where(is_whole, np.inf, np.where(is_missing, np.nan, written.highs))
    ordered = np.sort(numbers)
    first = np.searchsorted(ordered, low).astype(np.int32)
    last = (np.searchsorted(ordered, high, side="right") - 1).astype(np.int32)
    known = ordered[~np.isnan(ordered)]
    spread = float(known[-1] - known[0]) if len(known) else 0.0
    losses = _shares(low, high, spread)
    first[is_whole], last[is_whole] = 0, len(ordered) - 1
    if np.any(last < first):
        return None
    costs = CellCosts(
        (*distinct, ROOT), losses, losses, losses, 1.0 + losses * spread, 1.0, 1.0 + spread
    )
    coverage = Coverage(inverse(np.argsort(numbers, kind="stable")), first, last)
    return costs.over(coverage, problem.table.value_weights(column))


def _shares(low: Floats, high: Floats, spread: float) -> Floats:
    """Return the length of each range as a share of the column's: 0 for missing, 1 for all."""
    lengths = np.where(np.isinf(low), np.inf, high - np.where(np.isinf(low), 0.0, low))
    shares = np.clip(np.nan_to_num(lengths / (spread or 1.0), posinf=1.0), 0.0, 1.0)
    return shares.astype(np.float64)
