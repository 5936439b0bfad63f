"""How many of the differences between records a released column still shows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.statements.statements import is_known, not_examined


class ComparedValues(NamedTuple):
    """The values of a column, and what the released cells leave open of them.

    Parameters
    ----------
    counts : (n_values,), records of the input that have each value; a missing one is a value
    values, records : (n_pairs,), the value of each pair of a value and a released cell, and the
        records that have this value and got this cell
    alike : (n_pairs,), records of the input with another value for which the cell stands as well
    """

    counts: Ints
    values: Ints
    records: Ints
    alike: Ints


def kept_share(compared: ComparedValues) -> float | None:
    """Return the share of the differences that can still be seen; None where all values are one.

    A record loses the share of those with another value for whom its released cell stands as well:
    nothing where it shows its own value, everything where it is left out.
    """
    counts = compared.counts
    total = int(counts.sum())
    if np.count_nonzero(counts) < 2:  # noqa: PLR2004 - a difference takes two
        return None
    others = (total - counts)[compared.values]
    # Exact, so that the order of the pairs says nothing.
    lost = math.fsum((compared.records * (compared.alike / others)).tolist())
    left_out = total - int(compared.records.sum())
    return max(0.0, 1.0 - (lost + left_out) / total)


def headline(columns: Mapping[str, Any]) -> Any:
    """Return the plain mean over some columns, or why it cannot be had."""
    unknown = [share for share in columns.values() if not is_known(share)]
    if unknown:
        return unknown[0]
    if not columns:
        return not_examined("no column that others may know has different values")
    return float(np.mean([*columns.values()]))
