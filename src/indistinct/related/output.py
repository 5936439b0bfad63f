"""Released rows of related tables: generalized cells, and new keys at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.tables.frames import canonical_order
from indistinct.tables.reading import rebuilt


def shown_keys(keys: pl.Series, rows: Ints) -> pl.Series:
    """Return the keys of some rows, none where a row is -1.

    Parameters
    ----------
    keys : (n_rows,), of all rows of a table
    """
    return keys.gather(pl.Series(rows).replace(-1, None))


def released_rows(  # noqa: PLR0913, PLR0917 - what a table is written of
    frame: pl.DataFrame,
    rows: Ints,
    cells: Mapping[str, Sequence[str | None]],
    keys: Mapping[str, pl.Series],
    columns: Sequence[str],
    first: Sequence[str] = (),
    hidden_cells: Mapping[str, Sequence[str | None]] | None = None,
) -> tuple[pl.DataFrame, Ints]:
    """Write rows of a table: generalized cells, columns as they are, and new keys at the end.

    Parameters
    ----------
    rows : (n_released,), rows of the table
    cells : per generalized column, (n_released,), its cells
    keys : per key column, (n_released,), its keys
    columns : those of the table that are released, in their order
    first : columns that are generalized already
    hidden_cells : cells of hidden rows above, which come last

    Returns
    -------
    the released table in canonical order, and the row of the input behind each of its rows
    """
    places = pl.Series(rows)
    whole = [
        pl.Series(name, cells[name], dtype=pl.String)
        if name in cells
        else frame[name].gather(places)
        for name in columns
    ]
    numbers = [own.alias(name) for name, own in keys.items()]
    further = [pl.Series(n, own, dtype=pl.String) for n, own in (hidden_cells or {}).items()]
    released = pl.DataFrame([*whole, *numbers, *further])
    order = canonical_order(released, (*first, *cells))
    return rebuilt(released[order]), rows[order]


def crosswalk_of(rows: Ints) -> pl.DataFrame:
    """Return the crosswalk of one table: the row of the input behind each released row."""
    return pl.DataFrame({"output_row": np.arange(len(rows)), "input_row": rows})
