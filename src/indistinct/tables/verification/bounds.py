"""Cells that are released as two bounds, put back together as a reader does it.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from decimal import Decimal

import polars as pl

from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.cells import HIDDEN, is_number
from indistinct.tables.verification.policy_cells import listed_paths
from indistinct.tables.verification.texts import CLOSED, HALF_OPEN, is_finite, plain_number


def cells_of_bounds(rule: ColumnRule, low: pl.Series, high: pl.Series) -> pl.Series:
    """Return the cells of a quasi-identifier, put together from the texts of its bounds.

    Parameters
    ----------
    low, high : (n_rows,), both empty where the cell is hidden, or its number is missing
    """
    # A range that was made from the data includes both its ends; an interval does not.
    end = "]" if rule.in_ranges else ")"
    pair = pl.DataFrame({"low": _plain_numbers(low), "high": _plain_numbers(high)})
    first, last = pl.col("low"), pl.col("high")
    cell = (
        # One end without the other makes "[, 34)", which is no cell of any policy.
        pl.when((first == "") & (last == ""))
        .then(pl.lit(HIDDEN))
        .when(first == last)
        .then(first)
        .otherwise(pl.concat_str(pl.lit("["), first, pl.lit(", "), last, pl.lit(end)))
    )
    return pair.select(cell).to_series().replace(_listed_cells(rule, end)).alias(rule.name)


def _listed_cells(rule: ColumnRule, end: str) -> dict[str, str]:
    """Return the labels of a file or a tree by how their bounds are put together.

    A listed range may include its last number, and a listed ``4.0`` has the bounds 4 and 4.

    Parameters
    ----------
    end : of ranges that are put together
    """
    labels = {label for path in listed_paths(rule).values() for label in path}
    ends: dict[str, tuple[str, str]] = {}
    for label in sorted(labels):
        written = CLOSED.match(label) or HALF_OPEN.match(label)
        if written is not None:
            ends[label] = written[1], written[2]
        elif is_number(label) and label != "NaN":
            ends[label] = label, label
    numbers = sorted({number for pair in ends.values() for number in pair})
    plain = _plain_numbers(pl.Series([repr(float(number)) for number in numbers], dtype=pl.String))
    ways = dict(zip(numbers, plain.to_list(), strict=True))
    found: dict[str, str] = {}
    for label, (low, high) in ends.items():
        for first, last in ((low, high), (ways[low], ways[high])):
            found.setdefault(first if first == last else f"[{first}, {last}{end}", label)
    return found


def _plain_numbers(bounds: pl.Series) -> pl.Series:
    """Write numbers as labels have them: ``0.00000001`` for ``1e-8``, no ``.0``, no ``e18``.

    In any other column ``30`` and ``30.0`` stay two texts, which a reader can tell apart.
    """
    no_number = bounds.is_in(["", HIDDEN])  # a star where the whole record is masked
    is_float = bool((bounds.str.contains(r"[.e]") | no_number).all())
    if not is_float:
        return bounds
    numbers = [text for text in bounds.unique() if is_finite(text)]
    return bounds.replace({text: plain_number(Decimal(text)) for text in numbers})
