"""Random names of released records: which column has them, and whether they are such."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.files.literal_paths import scan_parquet
from indistinct.errors import DataError, Fault
from indistinct.tables.engines.sources import Tally
from indistinct.tables.engines.streamed_files import scan_texts
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.verification.manifest_shape import mapping_in

FORM = "^[0-9a-f]{32}$"
FEWEST_FOR_BITS = 200  # names from which on the bits of them are looked at
FARTHEST = 8.0  # standard deviations of a share; beyond it by chance once in 10^13 releases
AT_ONCE = 250_000  # names that are looked at at once
REMEDY = "Do not publish this file."


def record_column_of(manifest: object, crosswalk: Any) -> str | None:
    """Return the column that has names, by what the release says of itself or by the crosswalk."""
    said = mapping_in(manifest, "output").get("record_column")
    if isinstance(said, str):
        return said
    return None if crosswalk is None else named_column(crosswalk)


def named_column(crosswalk: Any) -> str | None:
    """Return the column of the names in a crosswalk of names and keys; None in any other."""
    if not isinstance(crosswalk, str | Path) or not Path(crosswalk).is_file():
        return None
    with suppress(pl.exceptions.PolarsError, OSError, DataError):
        lazy = scanned_crosswalk(str(crosswalk))
        names = lazy.collect_schema().names()
        if len(names) == 2:  # noqa: PLR2004 - a name and a key
            column = pl.col(names[0]).cast(pl.String)
            is_name = column.str.contains(FORM).fill_null(value=True).all()
            seen = lazy.select(is_name & column.is_not_null().any())
            if seen.collect(engine="streaming").item():
                return names[0]
    return None


def scanned_crosswalk(crosswalk: str) -> pl.LazyFrame:
    """Read a crosswalk lazily, every cell as it is."""
    if format_of_file(crosswalk) == "parquet":
        return scan_parquet(crosswalk)
    return scan_texts([crosswalk], ",")


def name_faults(column: str, tally: Tally, columns: Container[str]) -> Iterator[Fault]:
    """Find names that are not random, or that several records have.

    Parameters
    ----------
    column : of the names
    tally : the distinct names of the release, with their records
    """
    place = f"columns.{column}"
    if column in columns:
        yield Fault(place, "is a column of the policy, and not one of names", REMEDY)
        return
    names = tally.frame[column]
    fits = names.dtype == pl.String and not names.null_count() and names.str.contains(FORM).all()
    if not fits:
        yield Fault(place, "has cells that are not random names of 32 digits", REMEDY)
        return
    if (tally.records > 1).any():
        yield Fault(place, "gives one name to several records", REMEDY)
    if len(names) >= FEWEST_FOR_BITS and not _look_random(names):
        yield Fault(place, "has names that were not drawn at random", REMEDY)


def _look_random(names: pl.Series) -> bool:
    """Return whether every bit is set in about half of the names."""
    n_set = np.zeros(128, np.int64)
    for part in names.to_frame().iter_slices(AT_ONCE):
        texts = "".join(part.to_series().to_list())
        drawn = np.frombuffer(bytes.fromhex(texts), np.uint8).reshape(-1, 16)
        n_set += np.unpackbits(drawn, axis=1).sum(axis=0, dtype=np.int64)
    spread = np.sqrt(len(names)) / 2
    return bool((np.abs(n_set - len(names) / 2) <= FARTHEST * spread).all())
