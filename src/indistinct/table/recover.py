"""From the cells of a release back to the recoding that made it."""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes
from indistinct.core.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.core.kernels import group_rows
from indistinct.core.protocols import Problem
from indistinct.core.recoding import CellDomain, Recoding
from indistinct.errors import DataError, Fault
from indistinct.table.algorithms.lattice import Lattice
from indistinct.table.cells import CLOSED, HALF_OPEN


def full_domain(released: pl.DataFrame, problem: Problem) -> Recoding | None:
    """Find the lattice node of a full-domain release; None when it is none.

    Parameters
    ----------
    released : the released records, cells as labels
    problem : of the original table
    """
    recoding = lowest_node(released, problem)
    if recoding is None:
        return None
    n_released = int(recoding.sizes[recoding.released].sum())
    return recoding if n_released == released.height else None


def lowest_node(released: pl.DataFrame, problem: Problem) -> Recoding | None:
    """Give the recoding at the lowest levels that have all cells; None when some have none.

    Parameters
    ----------
    released : the released records, cells as labels; some may have been suppressed later
    problem : of the original table
    """
    levels: list[int] = []
    for name, hierarchy in zip(problem.table.columns, problem.hierarchies, strict=True):
        if name not in released.columns:
            return None
        level = _level(set(_texts(released[name]).unique().to_list()), hierarchy)
        if level is None:
            return None
        levels.append(level)
    return Lattice(problem).recoding(tuple(levels))


def by_cells(released: pl.DataFrame, problem: Problem) -> Recoding:
    """Take each cell at the lowest level that has its label; what is not released, at the root.

    Raises
    ------
    DataError
        when a cell is neither a label of its column nor a range
    """
    encoded: list[Codes] = []
    domains: list[CellDomain] = []
    for column, name in enumerate(problem.table.columns):
        codes, domain = _cells(_label_column(released, name), problem, column)
        encoded.append(codes)
        domains.append(domain)
    rows = np.stack(encoded, axis=1).astype(np.int32)
    labels, representatives, weights = group_rows(rows)
    del labels
    n_hidden = problem.table.n_records - released.height
    hidden = [[len(domain.labels) - 1 for domain in domains]] if n_hidden > 0 else []
    cells = np.vstack([rows[representatives], *hidden]).astype(np.int32)
    sizes = np.append(weights, [n_hidden] if n_hidden > 0 else []).astype(np.int64)
    classes = np.arange(len(sizes), dtype=np.int32)
    is_released = np.arange(len(sizes)) < len(weights)
    return Recoding(classes, classes, sizes, cells, is_released, tuple(domains))


def _texts(column: pl.Series) -> pl.Series:
    """Give cells as text."""
    return column.cast(pl.String).fill_null("")


def _label_column(released: pl.DataFrame, name: str) -> pl.Series:
    """Give the cells of a column as labels, its two bounds as a closed range."""
    if name in released.columns:
        return _texts(released[name])
    low, high = pl.col(f"{name}_min"), pl.col(f"{name}_max")
    label = (
        pl.when(low.is_null())
        .then(pl.lit(ROOT))
        .otherwise(pl.concat_str(pl.lit("["), low, pl.lit(", "), high, pl.lit(")")))
    )
    return released.select(label.alias(name)).to_series()


def _level(cells: set[str], hierarchy: GeneralizationHierarchy) -> int | None:
    """Find the lowest level that has all the labels."""
    for level, labels in enumerate(hierarchy.labels):
        if cells <= set(labels):
            return level
    return None


def _cells(cells: pl.Series, problem: Problem, column: int) -> tuple[Codes, CellDomain]:
    """Give numbers to the cells of a column, and list what each costs; the root comes last."""
    hierarchy = problem.hierarchies[column].with_root()
    weights = problem.table.value_weights(column)
    distinct = cells.unique().sort().to_list()
    found: list[tuple[float, float, float, float]] = []
    for cell in [*distinct, hierarchy.labels[-1][0]]:
        figures = _listed(cell, hierarchy, weights) or _range(cell, problem, column)
        if figures is None:
            raise DataError(
                [
                    Fault(
                        f"columns.{problem.table.columns[column]}",
                        "has cells that are no generalization of the original's values",
                        "Compare the release with the table that it was made from.",
                    )
                ]
            )
        found.append(figures)
    table = np.array(found)
    domain = problem.domains()[column]
    codes = cells.cast(pl.Enum(distinct)).to_physical().to_numpy().astype(np.int32)
    return codes, CellDomain(
        (*distinct, ROOT),
        table[:, 0],
        table[:, 1],
        table[:, 2],
        table[:, 3].astype(np.int64),
        domain.height,
        domain.value_bits,
    )


def _listed(
    cell: str,
    hierarchy: GeneralizationHierarchy,
    weights: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> tuple[float, float, float, float] | None:
    """Give level, loss, penalty and records of a label of the hierarchy."""
    for level, labels in enumerate(hierarchy.labels):
        if cell in labels:
            code = labels.index(cell)
            covered = int(weights[hierarchy.codes[level] == code].sum())
            return (
                float(level),
                float(hierarchy.cell_loss(level)[code]),
                float(hierarchy.certainty_penalty(level)[code]),
                float(covered),
            )
    return None


def _range(cell: str, problem: Problem, column: int) -> tuple[float, float, float, float] | None:
    """Give level, loss, penalty and records of a range of numbers."""
    ends = CLOSED.match(cell) or HALF_OPEN.match(cell)
    numbers = problem.numbers[column]
    if ends is None or numbers is None:
        return None
    low, high = float(ends[1]), float(ends[2])
    spread = float(np.nanmax(numbers) - np.nanmin(numbers))
    loss = (high - low) / spread if spread else 0.0
    covered = problem.table.value_weights(column)[(numbers >= low) & (numbers <= high)]
    return loss * problem.domains()[column].height, loss, loss, float(covered.sum())
