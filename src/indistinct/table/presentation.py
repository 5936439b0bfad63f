"""How generalized numbers are written: as labels, as two bounds, or as midpoints."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from indistinct.errors import NoSolutionError
from indistinct.table.prepare import Prepared

ENDS = r"^\[(?<low>[^,]+), (?<high>[^\])]+)[\])]$"
STAR = "*"


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
    A cell that is hidden whole, or missing, has no bounds: it is left empty.
    """
    if intervals == "label":
        return written
    columns: list[pl.Series] = []
    numeric = {name for name in names if prepared.frame[name].dtype.is_numeric()}
    for cells in written:
        name = cells.name
        if name not in numeric:
            columns.append(cells)
            continue
        low, high = _ends(cells)
        if intervals == "bounds":
            before = prepared.frame[name]
            columns.append(_as_before(low, before).alias(f"{name}_min"))
            columns.append(_as_before(high, before).alias(f"{name}_max"))
        else:
            columns.append(((low + high) / 2).alias(name))
    return pl.DataFrame(columns)


def refuse_rows_of_stars(written: pl.DataFrame) -> None:
    """Refuse to mask suppressed records where a released one is written as nothing but stars, too.

    Raises
    ------
    NoSolutionError
        when a reader could not tell the released record from those that are suppressed
    """
    if any(column.dtype != pl.String for column in written):
        return
    starred = pl.select(pl.all_horizontal([column == STAR for column in written])).to_series()
    count = int(starred.fill_null(value=False).sum())
    if count:
        raise NoSolutionError(
            f"{count:,} released records are written as {STAR} in every column, as suppressed ones "
            'are where release.suppressed is "mask", so that nobody could count either',
            'Set release.suppressed to "drop".',
        )


def _ends(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Read both ends of each cell; a single value is both."""
    if cells.dtype.is_numeric():
        return cells, cells
    ends = cells.str.extract_groups(ENDS).struct.unnest()
    single = cells.cast(pl.Float64, strict=False)
    return (
        ends["low"].cast(pl.Float64, strict=False).zip_with(ends["low"].is_not_null(), single),
        ends["high"].cast(pl.Float64, strict=False).zip_with(ends["high"].is_not_null(), single),
    )


def _as_before(bound: pl.Series, before: pl.Series) -> pl.Series:
    """Give bounds as whole numbers where the column has such and they are."""
    is_whole = before.dtype.is_integer() and bool((bound.drop_nulls() % 1 == 0).all())
    return bound.cast(pl.Int64) if is_whole else bound
