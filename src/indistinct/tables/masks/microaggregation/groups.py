"""Microaggregation: groups of at least k similar records, released as their group's centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.errors import DataError, Fault
from indistinct.tables.masks.microaggregation.kernels import (
    ABSOLUTE,
    LEAF,
    NOMINAL,
    RANKED,
    SQUARED,
    best_runs,
    mdav_groups,
    split_order,
)
from indistinct.tables.masks.microaggregation.search_kernels import search_groups

MOST_WHOLE = 65_536  # records that MDAV looks at together; more are cut into blocks
NEIGHBOURS = 12  # groups around each that the search looks at
ROUNDS = 4  # times the search finds the neighbours anew, at most
ROUNDS_IN_BLOCKS = 2  # the same, of a table that was cut into blocks


class Method(StrEnum):
    """How the groups are found."""

    MDAV = "mdav"
    REFINED = "refined"


class AttributeType(StrEnum):
    """What the values of a column are, which says what their centre is."""

    NUMBER = "number"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


@final
@dataclass(frozen=True, slots=True)
class Attribute:
    """One column to be microaggregated.

    Parameters
    ----------
    values : (n_records,), numbers; or codes from 0, in order where the kind is ordinal
    kind : number (centre: mean), ordinal (lower median) or nominal (mode, the least code of equals)
    """

    values: Floats
    kind: AttributeType = AttributeType.NUMBER


def microaggregate(
    attributes: Sequence[Attribute], k: int, method: Method = Method.REFINED
) -> Codes:
    """Group similar records.

    Parameters
    ----------
    attributes : at least one, of equal length
    k : least records of a group, at least 1
    method : ``mdav``; or ``refined``, which never loses more (of up to 65,536 records): the
        optimum for one column of numbers, for several MDAV and a local search. Other kinds take
        ``mdav`` alone.

    Returns
    -------
    (n_records,), group of each record, from 0; groups have k to 2k-1 records

    Raises
    ------
    DataError
        If there are fewer than k records, or a number is missing or infinite.

    Notes
    -----
    Numbers alone are compared by the Euclidean distance of the standardized columns (population
    standard deviation); with other kinds by Gower's distance. Refined, more than 65,536 records are
    cut by medians into blocks, MDAV works in each, and the search across all. MDAV of n records
    takes about n**1.5 time, the search n log n.

    Source: domingo2005, the algorithm MDAV-generic.
    """
    _check(attributes, k)
    points = np.column_stack([_near_zero(attribute) for attribute in attributes])
    if len(points) < 2 * k:
        return np.zeros(len(points), np.int32)
    if any(attribute.kind != AttributeType.NUMBER for attribute in attributes):
        return mdav_groups(points, *gower(points, [one.kind for one in attributes]), k)
    if method == Method.MDAV:
        return mdav_groups(points, *euclidean(points), k)
    return refined(points, k)


def refined(points: Floats, k: int) -> Codes:
    """Group points by the optimum where there is one column, else by MDAV and a local search.

    Source: soriacomas2019, the algorithm ONA, for moves between groups and their dissolution.
    """
    if points.shape[1] == 1:
        return univariate(points[:, 0], k)
    weights, kinds = euclidean(points)
    # Records that are near each other in memory as in space make the search faster.
    depth = max(0, int(np.log2(len(points) / LEAF)))
    order = split_order(points, weights, kinds, depth)
    standardized = ((points - points.mean(axis=0)) * np.sqrt(weights))[order]
    start = in_order_of_appearance(blockwise(points, weights, kinds, k, MOST_WHOLE)[order])
    rounds = ROUNDS if len(points) <= MOST_WHOLE else ROUNDS_IN_BLOCKS
    labels = np.empty(len(points), np.int32)
    labels[order] = search_groups(standardized, start, k, NEIGHBOURS, rounds)
    return in_order_of_appearance(labels)


def in_order_of_appearance(labels: Codes) -> Codes:
    """Return the numbers of groups from 0 in order of their first record: (n_records,)."""
    _, first, found = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[found].astype(np.int32)


def blockwise(points: Floats, weights: Floats, kinds: Codes, k: int, most: int) -> Codes:
    """Cut the points by medians into blocks of at most ``most`` records; use MDAV in each.

    Parameters
    ----------
    most : at least 4 k, so that no block is smaller than a group
    """
    depth = max(0, int(np.ceil(np.log2(len(points) / max(most, 4 * k)))))
    order = split_order(points, weights, kinds, depth)
    labels = np.empty(len(points), np.int32)
    first = 0
    for block in range(1 << depth):
        run = slice((len(points) * block) >> depth, (len(points) * (block + 1)) >> depth)
        rows = np.sort(order[run])
        labels[rows] = first + mdav_groups(points[rows], weights, kinds, k)
        first = int(labels[rows].max()) + 1
    return labels


def univariate(values: Floats, k: int) -> Codes:
    """Group the values of one column so that the sum of squared errors is the least possible.

    Notes
    -----
    O(n log n + n k): the groups of an optimum are runs of k to 2k-1 sorted values.

    Source: hansen2003, optimal groups.
    """
    order = np.argsort(values, kind="stable")
    labels = np.empty(len(values), np.int32)
    labels[order] = best_runs(values[order], k)
    return labels


def euclidean(points: Floats) -> tuple[Floats, Codes]:
    """Return the weights and kinds of the Euclidean distance of standardized columns."""
    variances: Floats = np.asarray(points.var(axis=0), dtype=np.float64)
    weights: Floats = np.divide(1.0, variances, out=np.zeros_like(variances), where=variances > 0)
    return weights, np.repeat(np.int32(SQUARED), points.shape[1])


def gower(points: Floats, kinds: Sequence[AttributeType]) -> tuple[Floats, Codes]:
    """Return the weights and kinds of Gower's distance, the mean over the columns.

    A number or rank differs by its share of the column's range, another value by 0 or 1.

    Source: gower1971, the coefficient.
    """
    measured = {
        AttributeType.NUMBER: ABSOLUTE,
        AttributeType.ORDINAL: RANKED,
        AttributeType.NOMINAL: NOMINAL,
    }
    spans = np.ptp(points, axis=0)
    spans[[kind == AttributeType.NOMINAL for kind in kinds]] = 1.0
    weights = np.divide(1 / len(kinds), spans, out=np.zeros_like(spans), where=spans > 0)
    return weights, np.array([measured[kind] for kind in kinds], np.int32)


def centres(attribute: Attribute, labels: Codes) -> Floats:
    """Return the centre of each record's group: the mean, the lower median or the mode.

    Parameters
    ----------
    labels : (n_records,), groups numbered from 0, none empty

    Returns
    -------
    (n_records,), equal for all records of a group
    """
    if attribute.kind == AttributeType.NUMBER:
        return means(attribute.values, labels)[labels]
    pick = _medians if attribute.kind == AttributeType.ORDINAL else _modes
    return pick(attribute.values.astype(np.int64), labels)[labels].astype(np.float64)


def means(values: Floats, labels: Codes) -> Floats:
    """Return the mean of each group; a group of equal values keeps that very value: (n_groups,)."""
    sizes = np.bincount(labels)
    first = np.empty(len(sizes), np.float64)
    first[labels[::-1]] = values[::-1]
    scale = float(np.abs(values).max(initial=1.0))
    gaps = values / scale - first[labels] / scale
    return np.clip(first + np.bincount(labels, gaps) / sizes * scale, values.min(), values.max())


def _medians(codes: Ints, labels: Codes) -> Ints:
    order = np.lexsort((codes, labels))
    sizes = np.bincount(labels)
    middle = np.cumsum(sizes) - sizes + (sizes - 1) // 2
    return codes[order][middle]


def _modes(codes: Ints, labels: Codes) -> Ints:
    width = int(codes.max()) + 1
    cells, counts = np.unique(labels.astype(np.int64) * width + codes, return_counts=True)
    order = np.lexsort((cells, -counts, cells // width))
    owners = cells[order] // width
    heads = np.concatenate([[True], owners[1:] != owners[:-1]])
    return cells[order][heads] % width


def _near_zero(attribute: Attribute) -> Floats:
    """Shift numbers to start at 0 and scale them by a power of two, which costs whole ones nothing.

    So squares neither overflow nor vanish, and sums of whole numbers are exact.
    """
    if attribute.kind != AttributeType.NUMBER:
        return attribute.values.astype(np.float64)
    values = attribute.values
    _, exponent = np.frexp(np.abs(values).max())
    scaled = np.ldexp(values, -int(exponent)) if abs(exponent) > 40 else values  # noqa: PLR2004
    return scaled - scaled.min()


def _check(attributes: Sequence[Attribute], k: int) -> None:
    n_records = len(attributes[0].values)
    faults = [
        Fault(
            f"attribute {number}",
            "has a value that is missing or no finite number",
            "Fill in missing values before numbers are aggregated, or leave those records out.",
        )
        for number, attribute in enumerate(attributes)
        if not _is_finite(attribute.values).all()
    ]
    if n_records < k:
        faults.append(
            Fault(
                "k",
                f"there are {n_records} records, fewer than a group of {k} needs",
                f"Set k to at most {n_records}, or give more records.",
            )
        )
    if faults:
        raise DataError(faults)


def _is_finite(values: Floats) -> Bools:
    return np.isfinite(np.asarray(values, dtype=np.float64))
