"""What the protections that compute ask of columns of numbers, and say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.errors import Fault
from indistinct.tables.frames.cell_numbers import (
    as_points,
    has_whole_numbers,
    is_number,
    is_numeric,
    n_not_finite,
    released_numbers,
)
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.metrics.masking import absolute_loss, squared_loss
from indistinct.tables.reading.missing_values import n_missing


def not_a_number(column: Column, remedy: str) -> Iterator[Fault]:
    """Find that a column has no numbers."""
    if not is_number(column):
        yield Fault(f"columns.{column.name}.protect", "needs a column of numbers or dates", remedy)


def no_missing(column: Column) -> Iterator[Fault]:
    """Find that a column has missing values, or numbers that are not finite."""
    count = n_missing(column) + n_not_finite(column)
    if count:
        yield Fault(
            f"columns.{column.name}.protect",
            f"cannot act on {count:,} missing values",
            "Fill them in, or leave those records out.",
        )


def whole_bounds(column: Column, low: float | None, high: float | None) -> Iterator[Fault]:
    """Find bounds that no value of a column reaches: of dates, or fractions for whole numbers."""
    bounds = [bound for bound in (low, high) if bound is not None]
    place = f"columns.{column.name}.protect"
    if bounds and not is_numeric(column):
        yield Fault(place, "has bounds, but no numbers", "Leave low and high out.")
    elif has_whole_numbers(column) and any(bound != int(bound) for bound in bounds):
        yield Fault(place, "has bounds that no whole number reaches", "Choose whole bounds.")


def only_finite(column: Column) -> Iterator[Fault]:
    """Find numbers that are not finite."""
    if n_not_finite(column):
        yield Fault(
            f"columns.{column.name}.protect",
            "cannot act on numbers that are not finite",
            "Write them as missing values.",
        )


def outside(released: Column, low: float | None, high: float | None) -> Iterator[Fault]:
    """Find released numbers beyond public bounds."""
    if low is None and high is None:
        return
    numbers = released_numbers(released)
    least = -np.inf if low is None else low
    most = np.inf if high is None else high
    n_outside = int(((numbers < least) | (numbers > most)).sum())
    if n_outside:
        yield Fault(
            f"columns.{released.name}",
            f"{n_outside:,} numbers lie outside the bounds of the policy",
            "Do not publish this file.",
        )


def change_facts(original: Frame, masked: Frame) -> Mapping[str, Any]:
    """Return how far numbers moved, by both measures, over records without a gap."""
    before, after = as_points(original), as_points(masked)
    complete: Bools = np.asarray(np.isfinite(before + after).all(axis=1), dtype=np.bool_)
    facts: dict[str, Any] = {"records": original.height}
    if complete.any():
        facts["absolute_loss"] = absolute_loss(before[complete], after[complete])
        facts["squared_loss"] = squared_loss(before[complete], after[complete])
    return facts


def summed(parts: Sequence[Mapping[str, Any]], words: Sequence[str]) -> Mapping[str, Any]:
    """Add up some facts of the parts of a table."""
    return {word: sum(part[word] for part in parts) for word in words}
