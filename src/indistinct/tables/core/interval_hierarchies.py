"""Hierarchies of half-open intervals, and how an interval is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Context, Decimal
from itertools import pairwise

import numpy as np

from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy, from_levels
from indistinct.base.hierarchy_builders import plainly
from indistinct.errors import Fault, HierarchyError

LEAST_STEPS = 16  # of the smallest step between the column's largest numbers, in one interval
NARROWEST = 1e-9  # of intervals, which are numbered by whole numbers of 64 bits elsewhere
EXACT = Context(prec=800)  # digits: more than the quotient of any two doubles has


def from_intervals(
    numbers: Sequence[float], texts: Sequence[str], widths: Sequence[float]
) -> GeneralizationHierarchy:
    """Build a hierarchy of half-open intervals, one width per level, then the root.

    Parameters
    ----------
    numbers : (n_values,), distinct numbers; NaN stands for the missing value, which keeps a
        label of its own below the root
    texts : (n_values,), how each is written
    widths : each a multiple of the one before; intervals start at multiples of their width, so
        that no label depends on the data

    Raises
    ------
    HierarchyError
        when the widths do not grow, or one is not a multiple of the one before
    """
    _check_widths(widths)
    array = np.asarray(numbers, dtype=np.float64)
    known = array[~np.isnan(array)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    if widths[0] < LEAST_STEPS * math.ulp(max(abs(low), abs(high))):
        problem = "the first width is too small for numbers as large as the column's"
        raise HierarchyError([Fault("intervals", problem, "Choose a greater width.")])
    integral = bool(np.all(known == np.floor(known))) and all(w == math.floor(w) for w in widths)
    # Of whole numbers, [20, 30) ends at 29, so that it is one shorter than its width.
    unit = 1.0 if integral else 0.0
    levels = [_interval_labels(array.tolist(), texts, width) for width in widths]
    hierarchy = from_levels([tuple(texts), *levels, (ROOT,) * len(texts)])
    extents = [np.ones(len(texts))]
    for codes, labels, width in zip(
        hierarchy.codes[1:], hierarchy.labels[1:], widths, strict=False
    ):
        starts = np.array([_start(number, width) for number in array.tolist()])
        lengths = np.minimum(starts + width - unit, high) - np.maximum(starts, low)
        of_label = np.ones(len(labels))
        of_label[codes] = np.where(np.isnan(array), 1.0, 1.0 + lengths)
        extents.append(of_label)
    domain = 1.0 + (high - low)
    extents.append(np.array([domain]))
    return GeneralizationHierarchy(
        hierarchy.values, hierarchy.labels, hierarchy.codes, tuple(extents), domain
    )


def interval_label(number: float, width: float) -> str:
    """Return the interval of ``width`` around ``number``: ``[20, 30)``."""
    step, exact = interval_step(number, width), _decimal(width)
    return interval_between(EXACT.multiply(step, exact), EXACT.multiply(step + 1, exact))


def interval_between(low: Decimal, high: Decimal) -> str:
    """Write a half-open interval."""
    return f"[{plainly(low)}, {plainly(high)})"


def interval_at(low: str, width: float) -> tuple[Decimal, Decimal] | None:
    """Return both ends of the interval that begins so; None where none of this width does."""
    begins, exact = Decimal(low), _decimal(width)
    if EXACT.remainder(begins, exact):
        return None
    return begins, EXACT.add(begins, exact)


def interval_step(number: float, width: float) -> int:
    """Return the multiple of ``width`` at which the interval around ``number`` starts.

    Both count as the decimals that they are written as: 0.3 lies in ``[0.3, 0.4)``, although the
    quotient of the doubles 0.3 and 0.1 is below 3.
    """
    low, rest = EXACT.divmod(_decimal(number), _decimal(width))
    return int(low) - (1 if rest < 0 else 0)  # a quotient is rounded towards zero


def number_text(number: float) -> str:
    """Return a number with all its digits, without an exponent and without a trailing ``.0``."""
    return plainly(_decimal(number))


def _decimal(number: float) -> Decimal:
    """Return the decimal with which a number is written."""
    return Decimal(repr(float(number)))


def _interval_labels(
    numbers: Sequence[float], texts: Sequence[str], width: float
) -> tuple[str, ...]:
    """Write each number's interval; a missing number keeps its text."""
    return tuple(
        text if math.isnan(number) else interval_label(number, width)
        for number, text in zip(numbers, texts, strict=True)
    )


def _start(number: float, width: float) -> float:
    """Return where the interval around a number starts; of a missing number, nothing."""
    return math.nan if math.isnan(number) else interval_step(number, width) * width


def _check_widths(widths: Sequence[float]) -> None:
    """Raise when interval widths cannot be nested."""
    if not widths or any(not math.isfinite(width) or width <= 0 for width in widths):
        raise HierarchyError(
            [Fault("intervals", "a width is not a positive number", "Give positive widths.")]
        )
    if widths[0] < NARROWEST:
        problem = f"a width is below {NARROWEST:g}"
        raise HierarchyError([Fault("intervals", problem, "Give the numbers in smaller units.")])
    for finer, coarser in pairwise(widths):
        ratio = coarser / finer
        if ratio <= 1 or not math.isclose(ratio, round(ratio), rel_tol=1e-9):
            raise HierarchyError(
                [
                    Fault(
                        "intervals",
                        f"width {coarser:g} is not a multiple of {finer:g}",
                        "Let every width be a multiple of the one before, so that intervals nest.",
                    )
                ]
            )
