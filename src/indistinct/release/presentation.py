"""How generalized numbers are written: as labels, as two bounds, or as midpoints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.reading import Reading, read_as_labels
from indistinct.counting.prepare import Prepared
from indistinct.release.cells import is_range, read_ends


def present(
    written: pl.DataFrame, prepared: Prepared, names: Iterable[str], intervals: str
) -> pl.DataFrame:
    """Write the numeric quasi-identifiers as the policy asks.

    Parameters
    ----------
    written : the released records, cells as labels
    prepared : tells which columns are numbers in the input
    names : the quasi-identifiers
    intervals : ``label``, ``bounds`` (columns ``x_min`` and ``x_max``) or ``midpoint``

    Notes
    -----
    A cell that is hidden whole, or missing, has no bounds: it is left empty. A column of numbers
    that is generalized to other words than ranges, such as ``47***``, keeps them.
    """
    if intervals == "label":
        return written
    columns: list[pl.Series] = []
    numeric = _numeric(prepared, names)
    for name in written.columns:
        if name not in numeric:
            columns.append(written[name])
            continue
        low, high = _ends(written[name])
        if intervals == "bounds":
            bounds = (low.alias(f"{name}_min"), high.alias(f"{name}_max"))
            columns += [_as_before(bound, prepared.frame[name]) for bound in bounds]
        else:
            columns.append(_middles(low, high).alias(name))
    return pl.DataFrame(columns)


def reading_of(prepared: Prepared, names: Iterable[str], intervals: str) -> Reading:
    """Tell how a reader reads the cells of the quasi-identifiers in this form."""
    if intervals == "label":
        return read_as_labels
    numeric = set(_numeric(prepared, names))
    columns = tuple(names)

    def read(column: int, labels: Sequence[str]) -> Sequence[str]:
        if columns[column] not in numeric:
            return labels
        low, high = _ends(pl.Series(labels, dtype=pl.String))
        shown = (low, high) if intervals == "bounds" else (_middles(low, high),)
        return [repr(row) for row in zip(*map(_as_read, shown), strict=True)]

    return read


def _middles(low: pl.Series, high: pl.Series) -> pl.Series:
    """Give the middle of both ends; whole numbers of few bytes would overflow when added."""
    if low.dtype.is_integer():
        low, high = low.cast(pl.Float64), high.cast(pl.Float64)
    return (low + high) / 2


def _as_read(numbers: pl.Series) -> list[float | None]:
    """Give numbers with one zero, and NaN as the missing value that it is written as."""
    known = numbers.fill_nan(None).to_list()
    # Python's own addition: Polars leaves out the addition of 0.0, which turns -0.0 into 0.0.
    return [None if number is None else number + 0.0 for number in known]


def _numeric(prepared: Prepared, names: Iterable[str]) -> list[str]:
    """Name the quasi-identifiers that are numbers in the input and are released as such."""
    return [
        name
        for name, hierarchy in zip(names, prepared.problem.hierarchies, strict=True)
        if prepared.frame[name].dtype.is_numeric() and _has_ranges(hierarchy)
    ]


def _has_ranges(hierarchy: GeneralizationHierarchy) -> bool:
    """Tell whether all that stands between a value and the root is ranges and values."""
    values = set(hierarchy.labels[0])
    between = {label for labels in hierarchy.labels[1:-1] for label in labels} - values
    return all(map(is_range, between))


def _ends(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Read both ends of each cell; a single value is both."""
    if cells.dtype.is_numeric():
        return cells, cells
    distinct = cells.unique().drop_nulls()
    written = read_ends(distinct.to_list())
    low, high = (pl.Series(ends).fill_nan(None) for ends in (written.lows, written.highs))
    kind = pl.Float64()
    return (
        cells.replace_strict(distinct, low, default=None, return_dtype=kind),
        cells.replace_strict(distinct, high, default=None, return_dtype=kind),
    )


def _as_before(bound: pl.Series, before: pl.Series) -> pl.Series:
    """Give bounds as whole numbers where the column has such and they are."""
    if bound.dtype.is_integer():
        narrow = bound.cast(pl.Int64, strict=False)
        return narrow if narrow.null_count() == bound.null_count() else bound
    is_whole = before.dtype.is_integer() and bool((bound.drop_nulls() % 1 == 0).all())
    return bound.cast(pl.Int64) if is_whole else bound
