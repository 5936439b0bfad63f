"""Compare each record of a release that nobody holds whole with its own record of the input.

Nothing that made the release takes part but the opening of the tables. The crosswalk lists the
released records in their order. Each goes, with its cells, to the part of the input that its own
record is in. The parts are then read one after another, each with the records that came from it.
Suppressed records may be listed, too; then all of them are, and none of them was released.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.files.literal_paths import read_parquet, scan_csv, scan_parquet
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.tables.engines.choosing import POLARS, Resources, is_lazy, open_table
from indistinct.tables.engines.sources import Opening
from indistinct.tables.engines.streaming import StreamingTable
from indistinct.tables.engines.temporary import temporary_folder
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.formats import format_of_file
from indistinct.tables.reading.places import Files, files_at, is_elsewhere
from indistinct.tables.verification.compared_parts import PartComparison
from indistinct.tables.verification.original import OTHER_INPUT

OUTPUT, INPUT, PART = "\0output", "\0input", "\0part"
PLACE = "\0place"
MOST_PARTS = 256  # of the input; for each, a file is open at once
FEWEST_ROWS = 50_000  # of a part
SHARE = 40  # of the memory that the records of one part take as they are read
FOUR = ("output_file", "output_row", "input_file", "input_row")
TWO = ("output_row", "input_row")  # of one file that came from one file
SUPPRESSED = -1  # in place of the row in the release
LINKS_AT_ONCE = 1_000_000
WRONG = "Take the crosswalk that was written with this release."


@dataclass(frozen=True, slots=True)
class _Tables:
    """What is compared.

    Parameters
    ----------
    release, original : in their order; the cells of the release are as written
    n_released, n_input : their records
    links : ``OUTPUT`` and ``INPUT``: number of each record of the release and of the input, lazily
    suppressed : ``INPUT`` of the suppressed records, lazily
    """

    release: pl.LazyFrame
    original: StreamingTable
    n_released: int
    n_input: int
    links: pl.LazyFrame
    suppressed: pl.LazyFrame

    __repr__ = short_repr


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


def large_crosswalk_faults(
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
    written, given = files_at(str(data)), files_at(str(original))
    as_written = resources.opening_as_written(spec.data.separator)
    outputs, inputs = (_offsets(files, _counted(files, as_written)) for files in (written, given))
    links, suppressed = _links(crosswalk, outputs, inputs)
    reading = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
    with (
        _opened(str(data), as_written) as release,
        _opened(str(original), reading) as source,
        temporary_folder(resources.folder) as folder,
    ):
        tables = _Tables(
            release.records,
            source,
            int(outputs["rows"].sum()),
            int(inputs["rows"].sum()),
            links,
            suppressed,
        )
        faults = list(_link_faults(tables)) or list(_suppression_faults(tables))
        return faults or _compared(tables, spec, Path(folder), resources.bytes)


def _opened(address: str, opening: Opening) -> StreamingTable:
    """Open files with Polars, whatever engine wrote them."""
    table = open_table(address, opening, POLARS)
    assert isinstance(table, StreamingTable)  # noqa: S101 - it is made of files
    return table


def _counted(files: Files, opening: Opening) -> list[int]:
    """Count the records of each file."""
    counts = (_opened(path, opening).records.select(pl.len()) for path in files.paths)
    return [int(count.collect(engine="streaming").item()) for count in counts]


def _offsets(files: Files, counts: Sequence[int]) -> pl.DataFrame:
    """Return the name of each file, its records, and how many are before them."""
    before = np.cumsum([0, *counts[:-1]], dtype=np.int64)
    return pl.DataFrame({"file": files.names, "rows": counts, "before": before})


def _scanned(path: str) -> pl.LazyFrame:
    """Read a crosswalk lazily."""
    try:
        lazy = scan_parquet(path) if format_of_file(path) == "parquet" else scan_csv(path)
        lazy.collect_schema()
    except (pl.exceptions.PolarsError, OSError):
        raise DataError([Fault("crosswalk", "cannot be read", WRONG)]) from None
    return lazy


def _links(
    crosswalk: str, outputs: pl.DataFrame, inputs: pl.DataFrame
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Return the numbers that a crosswalk links, null for a record that there is not.

    Returns
    -------
    those of the released records, and those of the suppressed ones
    """
    lazy = _scanned(crosswalk)
    names = lazy.collect_schema().names()
    if not set(FOUR) <= set(names):
        if not set(TWO) <= set(names) or outputs.height > 1 or inputs.height > 1:
            raise DataError([Fault("crosswalk", f"has no columns {', '.join(FOUR)}", WRONG)])
        one, other = (pl.lit(table["file"][0]) for table in (outputs, inputs))
        lazy = lazy.with_columns(one.alias(FOUR[0]), other.alias(FOUR[2]))
    is_gone = pl.col(FOUR[1]).cast(pl.Int64).eq_missing(SUPPRESSED)
    released = _numbered(_numbered(lazy.filter(~is_gone), outputs, OUTPUT), inputs, INPUT)
    gone = _numbered(lazy.filter(is_gone), inputs, INPUT)
    return released.select(OUTPUT, INPUT), gone.select(INPUT)


def _numbered(lazy: pl.LazyFrame, table: pl.DataFrame, name: str) -> pl.LazyFrame:
    """Add the number that a record has in the release or in the input by its file and row."""
    file, row = FOUR[:2] if name == OUTPUT else FOUR[2:]
    known = table.lazy().rename({"file": file})
    lazy = lazy.with_columns(pl.col(file).cast(pl.String), pl.col(row).cast(pl.Int64))
    lazy = lazy.join(known, on=file, how="left", maintain_order="left")
    is_there = (pl.col(row) >= 0) & (pl.col(row) < pl.col("rows"))
    place = pl.when(is_there).then(pl.col("before") + pl.col(row)).alias(name)
    return lazy.with_columns(place).drop("rows", "before")


def _link_faults(tables: _Tables) -> Iterator[Fault]:
    """Find a crosswalk that is not one of these tables."""
    try:
        found = tables.links.with_row_index(PLACE).select(
            pl.len().alias("n"),
            (pl.col(OUTPUT) != pl.col(PLACE)).fill_null(value=True).sum().alias("elsewhere"),
            pl.col(INPUT).is_null().sum().alias("unknown"),
        )
        said = found.collect(engine="streaming").row(0, named=True)
    except pl.exceptions.PolarsError:
        raise DataError([Fault("crosswalk", "cannot be read", WRONG)]) from None
    if said["n"] != tables.n_released:
        yield Fault("crosswalk", "has another number of records than the release", OTHER_INPUT)
    elif said["elsewhere"]:
        problem = "does not list the records of the release in their order"
        yield Fault("crosswalk", problem, WRONG)
    elif said["unknown"]:
        yield Fault("crosswalk", "names records that the input does not have", OTHER_INPUT)


def _suppression_faults(tables: _Tables) -> Iterator[Fault]:
    """Find suppressed records that were released, do not exist, or are listed in part."""
    is_left = np.ones(tables.n_input, np.bool_)
    n_listed = 0
    for batch in _batches(tables.suppressed):
        rows = batch.to_numpy()
        if batch.null_count() or not is_left[rows].all() or len(np.unique(rows)) < len(rows):
            yield Fault("crosswalk", "lists suppressed records twice or wrongly", WRONG)
            return
        is_left[rows] = False
        n_listed += len(rows)
    if not n_listed:
        return
    for batch in _batches(tables.links):
        if not is_left[batch.to_numpy()].all():
            yield Fault("crosswalk", "lists released records as suppressed", WRONG)
            return
    if n_listed + tables.n_released != tables.n_input:
        yield Fault("crosswalk", "does not list every record of the input", OTHER_INPUT)


def _batches(links: pl.LazyFrame) -> Iterator[pl.Series]:
    """Yield the numbers of records of the input, many at once."""
    for batch in links.select(INPUT).collect_batches(chunk_size=LINKS_AT_ONCE):
        yield batch[INPUT]


def _compared(tables: _Tables, spec: Specification, folder: Path, memory: int) -> list[Fault]:
    """Compare part after part of the input with the records that came from it."""
    size = _rows_of_a_part(tables, memory)
    _distribute(tables, folder, size)
    found = PartComparison(spec)
    for number, part in enumerate(tables.original.pieces(size)):
        found.see(part)
        paths = sorted(folder.glob(f"{number}-*"))
        if not paths:
            continue
        rows = read_parquet(paths).sort(OUTPUT)
        for path in paths:
            path.unlink()
        places = rows[INPUT].to_numpy().astype(np.int64) - number * size
        found.add(rows.drop(OUTPUT, INPUT), part, places)
    return found.faults()


def _rows_of_a_part(tables: _Tables, memory: int) -> int:
    """Return how many records of the input are compared at once."""
    some = tables.original.sample(list(tables.original.schema), FEWEST_ROWS)
    width = some.estimated_size() / max(some.height, 1) + 1
    fitting = int(memory / SHARE / width)
    return max(FEWEST_ROWS, min(fitting, 10_000_000), -(-tables.n_input // MOST_PARTS))


def _distribute(tables: _Tables, folder: Path, size: int) -> None:
    """Write each released record to the file of the part of the input that it came from."""
    both = pl.concat([tables.release, tables.links], how="horizontal")
    part = (pl.col(INPUT) // size).cast(pl.Int64).alias(PART)
    parts = pl.PartitionBy(
        folder,
        key=part,
        include_key=False,
        file_path_provider=lambda found: (
            f"{found.partition_keys.item()}-{found.index_in_partition}"
        ),
        approximate_bytes_per_file=None,
    )
    both.sink_parquet(parts, mkdir=True, compression="lz4", engine="streaming")
