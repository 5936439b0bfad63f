"""Columns and records laid out for the compiled loops of Mondrian."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.search.cuts.mondrian_kernels import MondrianColumns, RankedItems, rank_values
from indistinct.tables.search.cuts.ranked import RankedColumn


def extents(
    table: FrequencyTable,
    ranked: tuple[RankedColumn, ...],
    labels: Codes,
    tuples: Codes,
    n_parts: int,
) -> tuple[Codes, Codes]:
    """Return the least and the greatest rank of some items by label: (n_parts, n_columns) each."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_parts))
    codes = table.codes[tuples[order]]
    ranks = [column.ranks[codes[:, j]] for j, column in enumerate(ranked)]
    return (
        np.stack([np.minimum.reduceat(each, starts) for each in ranks], axis=1),
        np.stack([np.maximum.reduceat(each, starts) for each in ranks], axis=1),
    )


def laid_out(ranked: tuple[RankedColumn, ...], weights: tuple[float, ...]) -> MondrianColumns:
    """Lay the columns out for the kernels."""
    return MondrianColumns(
        np.concatenate([column.keys.ravel() for column in ranked]),
        np.concatenate([column.shares.ravel() for column in ranked]),
        _starts([column.keys.size for column in ranked]),
        np.array([column.keys.shape[1] for column in ranked], np.int64),
        np.array([column.floor for column in ranked], np.int64),
        np.concatenate([column.numbers for column in ranked], dtype=np.float64),
        _starts([len(column.numbers) for column in ranked]),
        np.array([column.width for column in ranked]),
        np.array(weights, np.float64),
    )


def _starts(sizes: list[int]) -> Ints:
    """Return where each of some runs begins, one after another."""
    return np.cumsum([0, *sizes[:-1]], dtype=np.int64)


def room(capacity: int, n_columns: int) -> RankedItems:
    """Make room for the items of a generation."""
    return RankedItems(
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int64),
        np.empty((n_columns, capacity), np.int32),
    )


def fill(
    items: RankedItems, table: FrequencyTable, ranked: tuple[RankedColumn, ...]
) -> tuple[Ints, ...]:
    """Write the tuples of the table, and count the records per column and value code."""
    starts = _starts([len(column.ranks) for column in ranked])
    items.tuples[: table.n_tuples] = np.arange(table.n_tuples)
    items.weights[: table.n_tuples] = table.weights
    ranks = np.concatenate([column.ranks for column in ranked])
    counts = rank_values(table.codes, table.weights, ranks, starts, items.ranks)
    return tuple(np.split(counts, starts[1:]))


def coarsest(
    ranked: tuple[RankedColumn, ...], ranks: Codes, max_levels: tuple[int, ...]
) -> tuple[Codes, int]:
    """Divide the tuples by the coarsest labels allowed: (n_tuples,), and the number of groups."""
    tops = [column.top_keys(level) for column, level in zip(ranked, max_levels, strict=True)]
    dividing = [top[ranks[j]] for j, top in enumerate(tops) if top.any()]
    if not dividing:
        return np.zeros_like(ranks[0]), 1
    labels, _, sizes = group_rows(np.ascontiguousarray(np.stack(dividing, axis=1)))
    return labels, len(sizes)


def sort(items: RankedItems, table: FrequencyTable, labels: Codes, *, canonical: bool) -> None:
    """Sort the tuples by group; canonically: inside a group by their values alone."""
    used = slice(table.n_tuples)
    values = (*table.sensitive_codes.values(), *items.ranks[::-1, used]) if canonical else ()
    order = np.lexsort((*values, labels))
    items.tuples[used] = order
    items.weights[used] = table.weights[order]
    items.ranks[:, used] = items.ranks[:, order]
