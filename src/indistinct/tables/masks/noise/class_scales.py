"""The scale of the noise of each equivalence class: its diameter over epsilon.

Inside a class, two records whose values lie anywhere between its least and its greatest are
released as any given values with probabilities that differ by a factor of at most e to the power
epsilon. That says nothing across classes, and it is no differential privacy of the release: the
diameter and who belongs to the class come from the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.tables.masks.noise.members import Members

MOST_EXACT_COLUMNS = 12


class BudgetSplit(StrEnum):
    """How several columns of one record share epsilon."""

    VECTOR = "vector"  # as one vector, by the diameter of the class in all columns together
    SPLIT = "split"  # in equal parts
    PER_ATTRIBUTE = "per_attribute"  # each column the whole of it: the total is a multiple


@dataclass(frozen=True, slots=True)
class ClassScales:
    """How much noise each class gets.

    Parameters
    ----------
    scales : (n_classes, n_columns), in the unit of the values, at least 0
    widths : (n_classes, n_columns), what the noise hides: the diameter of the class in the column,
        or the width of its public bounds
    epsilon : what all columns of a record together cost at most
    """

    scales: Floats
    widths: Floats
    epsilon: float


def class_scales(
    values: Floats,
    members: Members,
    epsilon: float,
    budget: BudgetSplit = BudgetSplit.VECTOR,
    bounds: tuple[float | None, ...] | None = None,
) -> ClassScales:
    """Return the scale of the noise of each class and column.

    Parameters
    ----------
    values : (n, n_columns)
    members : class of each record
    epsilon : greater than 0
    budget : how the columns share it
    bounds : per column, the width of public bounds in place of the diameter; None where there are
        none

    Returns
    -------
    scales, 0 where all values of a class are equal and no bounds are given

    Notes
    -----
    As a vector: with z = value / diameter and D = the greatest sum over the columns of the distance
    of two records in z, column j gets the scale diameter_j * D / epsilon. D is between 1 and the
    number of columns, so this is never more noise than equal parts. Columns with public bounds
    count as 1 in D, whatever their values.

    Source: holohan2017, algorithm 1; dwork2006, theorem 1.
    """
    public = np.array([width is not None for width in bounds or ()] or [False] * values.shape[1])
    widths = members.spreads(values)
    for column, width in enumerate(bounds or ()):
        if width is not None:
            widths[:, column] = width
    match budget:
        case BudgetSplit.VECTOR:
            shares = vector_diameters(values[:, ~public], members) + public.sum()
        case BudgetSplit.SPLIT:
            shares = (widths > 0).sum(axis=1).astype(np.float64)
        case BudgetSplit.PER_ATTRIBUTE:
            shares = np.ones(members.n_classes)
    total = epsilon * values.shape[1] if budget is BudgetSplit.PER_ATTRIBUTE else epsilon
    return ClassScales(widths * shares[:, None] / epsilon, widths, total)


def vector_diameters(values: Floats, members: Members) -> Floats:
    """Return the greatest L1 distance within each class, every column scaled to a diameter of 1.

    Parameters
    ----------
    values : (n, n_columns)

    Returns
    -------
    (n_classes,), 0 where all records of a class are equal

    Notes
    -----
    The L1 diameter is the greatest spread among the projections on all vectors of signs:
    O(n * 2**n_columns) time. Beyond 12 columns their number is given, which is never less.
    """
    widths = members.spreads(values)
    if values.shape[1] > MOST_EXACT_COLUMNS:
        return (widths > 0).sum(axis=1).astype(np.float64)
    inverse = np.divide(1.0, widths, out=np.zeros_like(widths), where=widths > 0)
    scaled = values * inverse[members.labels]
    diameters = np.zeros(members.n_classes)
    for signs in product((1.0, -1.0), repeat=max(values.shape[1] - 1, 0)):
        projected = scaled @ np.array([1.0, *signs])[: values.shape[1]]
        diameters = np.maximum(diameters, members.spreads(projected))
    return diameters
