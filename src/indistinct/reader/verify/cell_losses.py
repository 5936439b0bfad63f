"""What released cells lose, as far as the file and the policy say it: a reader's definition.

A label of a file or a tree loses the listed values under it. A number or a range loses its length
in the range of all that is released. What else a column loses, the records below it say alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from indistinct.policy.column_rule import ColumnRule
from indistinct.reader.verify.cells import CLOSED, HALF_OPEN, HIDDEN
from indistinct.reader.verify.number_texts import is_finite
from indistinct.reader.verify.policy_cells import listed_paths

IntegerShares = Mapping[str, tuple[int, int]]
NARROWEST = 1e-12  # range of numbers below which they count as one


def total_loss(rule: ColumnRule, shown: Sequence[tuple[str, int]], metric: str) -> float | None:
    """Add up the loss of a column's released cells; None where the file does not determine it.

    Parameters
    ----------
    shown : cells, and the records of each
    metric : ``loss`` or ``ncp``
    """
    written = rule.hierarchy
    shares = listed_shares(rule)
    if shares is not None:
        return _listed_total(shown, shares, metric)
    if written is None or (written.intervals is None and written.ranges is None):
        return None
    ends = [found for cell, _ in shown if (found := _ends(cell)) is not None]
    low = min((first for first, _ in ends), default=0.0)
    high = max((last for _, last in ends), default=0.0)
    return sum(_cost_of_length(cell, low, high, metric) * count for cell, count in shown)


def listed_shares(rule: ColumnRule) -> IntegerShares | None:
    """Count the listed values under each label, and all of them.

    Returns
    -------
    per label: listed values under it, and all listed values; None where nothing lists the values
    """
    paths, written = listed_paths(rule), rule.hierarchy
    if not paths or written is None or written.labels is not None:
        return None
    under: defaultdict[str, set[str]] = defaultdict(set)
    for value, path in paths.items():
        for label in path:
            under[label].add(value)
    shares = {label: (len(values), len(paths)) for label, values in under.items()}
    return {**shares, HIDDEN: (len(paths), len(paths))}


def _listed_total(shown: Sequence[tuple[str, int]], shares: IntegerShares, metric: str) -> float:
    """Add up the loss of labels; of a cell that nothing lists, nothing."""
    total = 0.0
    for cell, count in shown:
        under, of_all = shares.get(cell, (1, 2))
        if metric == "ncp":
            total += count * (0.0 if under <= 1 else under / of_all)
        else:
            total += count * (under - 1) / max(of_all - 1, 1)
    return total


def _ends(cell: str) -> tuple[float, float] | None:
    """Read the ends of a number or a range; None for any other cell."""
    ends = HALF_OPEN.match(cell) or CLOSED.match(cell)
    if ends is not None:
        return float(ends[1]), float(ends[2])
    return (float(cell), float(cell)) if is_finite(cell) else None


def _cost_of_length(cell: str, low: float, high: float, metric: str) -> float:
    """Return the share of the range of the released numbers that a cell covers."""
    if cell == HIDDEN:
        return 1.0
    whole, ends = high - low, _ends(cell)
    length = 0.0 if ends is None else ends[1] - ends[0]
    if metric == "ncp" and CLOSED.match(cell) is None:
        return 0.0 if length <= 0 else min((1 + length) / (1 + whole), 1.0)
    return min(length / max(whole, NARROWEST), 1.0)
