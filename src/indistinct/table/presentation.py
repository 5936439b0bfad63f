"""How generalized numbers are written: as labels, as two bounds, or as midpoints."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from indistinct.table.prepare import Prepared

ENDS = r"^\[(?<low>[^,]+), (?<high>[^\])]+)[\])]$"


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
    columns: list[pl.Expr | pl.Series] = []
    numeric = [name for name in names if prepared.frame[name].dtype.is_numeric()]
    for name in written.columns:
        if name not in numeric:
            columns.append(pl.col(name))
            continue
        low, high = _ends(written[name])
        if intervals == "bounds":
            bounds = written.select(low.alias(f"{name}_min"), high.alias(f"{name}_max"))
            columns += [_as_before(bounds[bound], prepared.frame[name]) for bound in bounds.columns]
        else:
            columns.append(((low + high) / 2).alias(name))
    return written.select(columns)


def _ends(cells: pl.Series) -> tuple[pl.Expr, pl.Expr]:
    """Read both ends of each cell; a single value is both."""
    if cells.dtype.is_numeric():
        return pl.col(cells.name), pl.col(cells.name)
    ends = pl.col(cells.name).str.extract_groups(ENDS)
    single = pl.col(cells.name).cast(pl.Float64, strict=False)
    low = ends.struct.field("low").cast(pl.Float64, strict=False)
    high = ends.struct.field("high").cast(pl.Float64, strict=False)
    return pl.coalesce(low, single), pl.coalesce(high, single)


def _as_before(bound: pl.Series, before: pl.Series) -> pl.Series:
    """Give bounds as whole numbers where the column has such and they are."""
    is_whole = before.dtype.is_integer() and bool((bound.drop_nulls() % 1 == 0).all())
    return bound.cast(pl.Int64) if is_whole else bound
