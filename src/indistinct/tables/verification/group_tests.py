"""Masks that act on groups of records: centres of groups, and noise as wide as a class.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.tables.frames.cell_numbers import is_number, released_numbers, to_numbers
from indistinct.tables.verification.chance import FALSE_ALARM, normal_fault, special
from indistinct.tables.verification.texts import text_as_read

CLOSE = 1e-6  # of a column's range: how far a released centre may be from the mean


def group_problems(
    words: Mapping[str, Any], released: pl.DataFrame, original: pl.DataFrame, rows: Ints
) -> Iterator[str]:
    """Find groups that are not the centres of at least k records of the input.

    Records that are not released, or whose cells became labels, may belong to any group. Each
    group needs some of them to have k records and the centre that it shows; all groups together
    need no more than there are. Nothing here is left to chance.
    """
    k = int(words["k"])
    is_shown = np.ones(released.height, np.bool_)
    for column, own in zip(released, original, strict=True):
        is_shown &= _has_centres(column, own)
    shown = released.filter(pl.Series(is_shown))
    left = np.ones(original.height, np.bool_)
    left[rows[is_shown]] = False
    if not shown.height:
        return
    ranked = shown.select(pl.struct(pl.all()).rank("dense")).to_series() - 1
    groups = ranked.to_numpy().astype(np.int64)
    sizes = np.bincount(groups)
    needed = np.maximum(k - sizes, 0)
    for column in original:
        own, hidden = column.gather(rows[is_shown]), column.filter(pl.Series(left))
        if is_number(column):
            cells = released_numbers(shown[column.name], column)
            room = CLOSE * float(np.ptp(_known(to_numbers(column)))) + 1e-9 * np.abs(cells)
            room = room + (1.0 if column.dtype == pl.Date else 0.0)
            more = _for_means(to_numbers(own), cells, room, groups, needed, to_numbers(hidden))
        elif not isinstance(column.dtype, pl.Enum):  # whose centre is the lower median
            more = _for_modes(text_as_read(own), shown[column.name], groups)
        else:
            more = needed
        needed = np.maximum(needed, more)
    if needed.sum() > left.sum():
        yield "has cells that are not the centers of groups of at least k records"
    elif original.width == 1 and is_number(original.to_series()) and not needed.any():
        # Sorted groups of one column share a centre only where all their values are equal.
        column = original.to_series()
        values = to_numbers(column)[rows[is_shown]]
        widths = spans(values, groups)
        room = CLOSE * float(np.ptp(_known(to_numbers(column))))
        if column.dtype != pl.Date and ((sizes >= 2 * k) & (widths > room)).any():
            yield f"has groups of more than {2 * k - 1} records"


def _known(numbers: Floats) -> Floats:
    """Return the numbers that are not missing; a zero where there are none."""
    known = numbers[~np.isnan(numbers)]
    return known if len(known) else np.zeros(1)


def _has_centres(released: pl.Series, own: pl.Series) -> Bools:
    """Return which cells are centres, and not labels that were generalized further: (n,)."""
    if is_number(own):
        return ((released == "") | ~pl.Series(np.isnan(released_numbers(released, own)))).to_numpy()
    return released.is_in(text_as_read(own.unique()).to_list()).to_numpy()


def _for_means(  # noqa: PLR0913, PLR0917 - what a group may consist of
    own: Floats, cells: Floats, room: Floats, groups: Ints, needed: Ints, hidden: Floats
) -> Ints:
    """Return how many hidden records each group needs to have its mean: (n_groups,)."""
    n_groups, known = len(needed), ~np.isnan(own) & ~np.isnan(cells)
    impossible = len(hidden) + 1
    is_mixed = np.bincount(groups, np.isnan(own) != np.isnan(cells), n_groups) > 0
    sizes = np.bincount(groups[known], minlength=n_groups)
    gaps = np.bincount(groups[known], (cells - own)[known], n_groups)
    centre, slack = np.zeros(n_groups), np.zeros(n_groups)
    centre[groups[known]], slack[groups[known]] = cells[known], room[known]
    ordered = np.sort(hidden[~np.isnan(hidden)])
    ends = np.concatenate([[0.0], np.cumsum(ordered)])
    result = np.where(is_mixed, impossible, needed).astype(np.int64)
    open_ = (sizes > 0) & ~is_mixed
    for more in range(len(ordered) + 1):
        # The centre lies between those that the least and the greatest hidden values would give.
        least, most = (
            ends[more] - more * centre,
            ends[-1] - ends[len(ordered) - more] - more * centre,
        )
        far = slack * (sizes + more)
        fits = open_ & (more >= needed) & (least - far <= gaps) & (gaps <= most + far)
        result[fits] = more
        open_ &= ~fits
        if not open_.any():
            break
    result[open_] = impossible
    return result


def _for_modes(own: pl.Series, cells: pl.Series, groups: Ints) -> Ints:
    """Return how many hidden records each group needs to have its mode: (n_groups,)."""
    pairs = pl.DataFrame({"group": groups, "own": own, "cell": cells})
    is_own = pl.col("own") == pl.col("cell")
    most, shown = pl.col("len").max(), pl.col("len").filter(is_own).sum()
    counts = pairs.group_by("group", "own", "cell").len().group_by("group")
    more = counts.agg((most.cast(pl.Int64) - shown.cast(pl.Int64)).alias("more"))
    return more.sort("group")["more"].to_numpy()


def spans(values: Floats, groups: Codes | Ints) -> Floats:
    """Return the greatest less the least value of each group: (n_groups,)."""
    n_groups = int(groups.max()) + 1
    least, most = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
    np.fmin.at(least, groups, values)
    np.fmax.at(most, groups, values)
    return np.where(most >= least, most - least, 0.0)


def class_noise_fault(
    scale: Floats, own: pl.Series, cells: pl.Series, step: float, classes: Codes | Ints
) -> str | None:
    """Return how a column differs from discrete Laplace noise of its classes; None where it is.

    With a = exp(-1/scale) and m >= 0, the noise is at most -m with probability a^m / (1 + a).
    Source: holohan2017, algorithm 1.

    Parameters
    ----------
    scale : of each class, in the unit of the values
    own, cells : (n,), the values and the cells as text
    step : of the released values
    classes : (n,), class of each record
    """
    noise = np.rint(released_numbers(cells) / step) - np.rint(to_numbers(own) / step)
    known = np.isfinite(noise) & (scale[classes] > 0)
    noise, inverse = noise[known], step / scale[classes][known]
    size, total, quantile = np.abs(noise), np.log1p(np.exp(-inverse)), special().ndtri_exp
    near: Floats = quantile(-inverse * size - total)
    far: Floats = quantile(-inverse * (size + 1) - total)
    is_above = noise > 0
    ends = np.where(is_above, -near, far), np.where(is_above, -far, near)
    return normal_fault(*ends, 0, FALSE_ALARM)
