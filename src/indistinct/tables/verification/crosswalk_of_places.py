"""A crosswalk of places: the file and the row of each released record, and those of its own.

It lists the released records in their order. Suppressed records may be listed, too; then all of
them are, and none of them was released. Nothing that made the release takes part but the opening of
the links.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.files.literal_paths import scan_csv, scan_parquet
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.tables.engines.sources import Opening
from indistinct.tables.engines.streamed_files import polars_in_words
from indistinct.tables.engines.streaming import StreamingTable
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import files_at, is_elsewhere
from indistinct.tables.verification.compared_parts import (
    LINE,
    PLACE,
    ROWS,
    WRONG,
    faults_of_parts,
    lines_of_a_part,
    put,
)
from indistinct.tables.verification.original import OTHER_INPUT

OUTPUT, GONE = "\0output", "\0gone"  # number in the release; whether it is a suppressed record
FOUR = ("output_file", "output_row", "input_file", "input_row")
TWO = ("output_row", "input_row")  # of one file that came from one file
SUPPRESSED = -1  # in place of the row in the release
LINKS_AT_ONCE = 1_000_000


def has_files_named(crosswalk: Any) -> bool:
    """Return whether a crosswalk is one of a release that was not held whole: it names files."""
    if not isinstance(crosswalk, str | Path) or not Path(crosswalk).is_file():
        return False
    if format_of_file(str(crosswalk)) not in {"parquet", "csv"}:
        return False
    # What cannot be read is refused by the other door, in its own words.
    with suppress(DataError):
        return set(FOUR) <= set(_scanned(str(crosswalk)).collect_schema().names())
    return False


def placed_crosswalk_faults(
    data: Any, original: Any, crosswalk: str, spec: Specification, resources: Resources
) -> list[Fault]:
    """Compare each released record with its own.

    Parameters
    ----------
    data, original : files of the release and of the input
    crosswalk : path of the table that links them

    Raises
    ------
    ParameterError
        when either is not made of files
    DataError
        when the crosswalk cannot be read
    """
    for table in (data, original):
        if is_lazy(table) or is_elsewhere(str(table)):
            raise ParameterError(
                "crosswalk: links records of files", "Give the files of release and input."
            )
    as_written = resources.opening_as_written(spec.data.separator)
    reading = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
    outputs, inputs = (_offsets(str(table), as_written) for table in (data, original))
    n_released, n_input = (int(files["rows"].sum()) for files in (outputs, inputs))
    links = _links(crosswalk, outputs, inputs)
    released, gone = (links.filter(is_one) for is_one in (~pl.col(GONE), pl.col(GONE)))
    faults = list(_link_faults(released, n_released))
    faults = faults or list(_suppression_faults(gone, released, n_released, n_input))
    if faults:
        return faults
    with (
        _opened(str(data), as_written) as release,
        _opened(str(original), reading) as source,
        temporary_folder(resources.folder) as folder,
    ):
        size = lines_of_a_part(source, n_input, resources.bytes)
        both = pl.concat([release.records, released.select(LINE)], how="horizontal")
        batches = both.collect_batches(chunk_size=ROWS, maintain_order=True)
        with polars_in_words(str(data)):
            for number, batch in enumerate(batches):
                put(batch, number, Path(folder), size)
        return faults_of_parts(Path(folder), source.pieces(size), spec, size)


def _opened(address: str, opening: Opening) -> StreamingTable:
    """Open files with Polars, whatever engine wrote them."""
    table = open_table(address, opening, POLARS)
    assert isinstance(table, StreamingTable)  # noqa: S101 - it is made of files
    return table


def _offsets(address: str, opening: Opening) -> pl.DataFrame:
    """Return the name of each file of a table, its records, and how many are before them."""
    files, n_records = files_at(address), pl.len().cast(pl.Int64)
    counts = (_opened(path, opening).records.select(n_records) for path in files.paths)
    rows = pl.concat([count.collect(engine="streaming") for count in counts]).to_series()
    return pl.DataFrame({"file": files.names, "rows": rows, "before": rows.cum_sum() - rows})


def _scanned(path: str) -> pl.LazyFrame:
    """Read a crosswalk lazily."""
    try:
        lazy = scan_parquet(path) if format_of_file(path) == "parquet" else scan_csv(path)
        lazy.collect_schema()
    except (pl.exceptions.PolarsError, OSError):
        raise DataError([Fault("crosswalk", "cannot be read", WRONG)]) from None
    return lazy


def _links(crosswalk: str, outputs: pl.DataFrame, inputs: pl.DataFrame) -> pl.LazyFrame:
    """Return the numbers that a crosswalk links, null for a record that there is not."""
    lazy = _scanned(crosswalk)
    names = lazy.collect_schema().names()
    if not set(FOUR) <= set(names):
        if not set(TWO) <= set(names) or outputs.height > 1 or inputs.height > 1:
            raise DataError([Fault("crosswalk", f"has no columns {', '.join(FOUR)}", WRONG)])
        one, other = (pl.lit(table["file"][0]) for table in (outputs, inputs))
        lazy = lazy.with_columns(one.alias(FOUR[0]), other.alias(FOUR[2]))
    is_gone = pl.col(FOUR[1]).cast(pl.Int64).eq_missing(SUPPRESSED).alias(GONE)
    lazy = _numbered(_numbered(lazy.with_columns(is_gone), outputs, OUTPUT), inputs, LINE)
    return lazy.select(OUTPUT, LINE, GONE)


def _numbered(lazy: pl.LazyFrame, table: pl.DataFrame, name: str) -> pl.LazyFrame:
    """Add the number that a record has in the release or in the input by its file and row."""
    file, row = FOUR[:2] if name == OUTPUT else FOUR[2:]
    known = table.lazy().rename({"file": file})
    lazy = lazy.with_columns(pl.col(file).cast(pl.String), pl.col(row).cast(pl.Int64))
    lazy = lazy.join(known, on=file, how="left", maintain_order="left")
    is_there = (pl.col(row) >= 0) & (pl.col(row) < pl.col("rows"))
    place = pl.when(is_there).then(pl.col("before") + pl.col(row)).alias(name)
    return lazy.with_columns(place).drop("rows", "before")


def _link_faults(links: pl.LazyFrame, n_released: int) -> Iterator[Fault]:
    """Find a crosswalk that is not one of these tables."""
    try:
        found = links.with_row_index(PLACE).select(
            pl.len().alias("n"),
            (pl.col(OUTPUT) != pl.col(PLACE)).fill_null(value=True).sum().alias("elsewhere"),
            pl.col(LINE).is_null().sum().alias("unknown"),
        )
        said = found.collect(engine="streaming").row(0, named=True)
    except pl.exceptions.PolarsError:
        raise DataError([Fault("crosswalk", "cannot be read", WRONG)]) from None
    if said["n"] != n_released:
        yield Fault("crosswalk", "has another number of records than the release", OTHER_INPUT)
    elif said["elsewhere"]:
        problem = "does not list the records of the release in their order"
        yield Fault("crosswalk", problem, WRONG)
    elif said["unknown"]:
        yield Fault("crosswalk", "names records that the input does not have", OTHER_INPUT)


def _suppression_faults(
    gone: pl.LazyFrame, released: pl.LazyFrame, n_released: int, n_input: int
) -> Iterator[Fault]:
    """Find suppressed records that were released, do not exist, or are listed in part."""
    is_left = np.ones(n_input, np.bool_)
    n_listed = 0
    for batch in _batches(gone):
        rows = batch.to_numpy()
        if batch.null_count() or not is_left[rows].all() or len(np.unique(rows)) < len(rows):
            yield Fault("crosswalk", "lists suppressed records twice or wrongly", WRONG)
            return
        is_left[rows] = False
        n_listed += len(rows)
    if not n_listed:
        return
    for batch in _batches(released):
        if not is_left[batch.to_numpy()].all():
            yield Fault("crosswalk", "lists released records as suppressed", WRONG)
            return
    if n_listed + n_released != n_input:
        yield Fault("crosswalk", "does not list every record of the input", OTHER_INPUT)


def _batches(links: pl.LazyFrame) -> Iterator[pl.Series]:
    """Yield the numbers of records of the input, many at once."""
    for batch in links.select(LINE).collect_batches(chunk_size=LINKS_AT_ONCE):
        yield batch[LINE]
