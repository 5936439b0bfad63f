"""Are the joined codes those that the noisy counts ask for? Done once more, code by code."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

# Standard deviations above 0 from which a count stands alone: part of the method, as published.
STANDS_OUT = 3


def expected_joining(
    noisy: Sequence[Sequence[int]],
    n_bins: int,
    scale: float,
    families: Sequence[int] | None = None,
) -> list[int]:
    """Give the number of the joined code of every code, from noisy counts alone.

    Parameters
    ----------
    noisy : per code, its noisy counts per code of the focus
    n_bins : how many codes, the first ones, are neighboring bins of a number; 0 for words
    scale : of the noise of each count
    families : number of every code's family; only codes of one family are joined

    Notes
    -----
    Bins are taken together from the lowest on, until their sum is at least three standard
    deviations of its own noise; what is left over at the upper end goes to the last of them. Of
    words all that lie below three standard deviations are one.
    """
    sums = [sum(counts) for counts in noisy]
    limit = STANDS_OUT * scale * math.sqrt(len(noisy[0]))
    of = [0] * len(sums) if families is None else families
    if n_bins == 0:
        alone = [code for code, total in enumerate(sums) if total >= limit]
        rare = sorted({of[code] for code in range(len(sums)) if code not in alone})
        return [
            alone.index(code) if code in alone else len(alone) + rare.index(of[code])
            for code in range(len(sums))
        ]
    parts: list[list[int]] = []
    for family in _runs(of[:n_bins]):
        parts += _neighbors(family, sums, limit)
    parts += [[code] for code in range(n_bins, len(sums))]
    return [number for number, part in enumerate(parts) for _ in part]


def _runs(families: Sequence[int]) -> list[list[int]]:
    """Part codes wherever the family changes."""
    runs: list[list[int]] = []
    for code, family in enumerate(families):
        if code and families[code - 1] == family:
            runs[-1].append(code)
        else:
            runs.append([code])
    return runs


def _neighbors(codes: Sequence[int], sums: Sequence[int], limit: float) -> list[list[int]]:
    """Take bins together until they stand out."""
    parts: list[list[int]] = [[]]
    for code in codes:
        parts[-1].append(code)
        if sum(sums[one] for one in parts[-1]) >= limit * math.sqrt(len(parts[-1])):
            parts.append([])
    rest = parts.pop()
    if rest and parts:
        parts[-1] += rest
    elif rest:
        parts.append(rest)
    return parts


def is_joined_as_expected(
    column: Mapping[str, Any], n_bins: int, scale: float, families: Sequence[int] | None = None
) -> bool:
    """Tell whether a column of a model joins the codes that its noisy counts ask for."""
    expected = expected_joining(column["noisy"], n_bins, scale, families)
    return list(column["joined"]) == expected
