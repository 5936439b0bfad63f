"""A release in folders, one for each value of a column: ``COLUMN=value/part-00000.parquet``.

Hive's layout, which Spark, DuckDB, Polars and pyarrow read: the files of a folder lack the column,
and the folder's name has its value. The rows of a folder stay in the order of their hashes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

import polars as pl

from indistinct.base.files.literal_paths import read_parquet, scan_parquet
from indistinct.errors import DataError, Fault, OutputError
from indistinct.tables.engines.crosswalk import FRAMES, put_apart
from indistinct.tables.engines.sources import Sink
from indistinct.tables.engines.streamed_files import polars_in_words, write_parts
from indistinct.tables.reading.column_types import FORMS
from indistinct.tables.reading.places import (
    MANIFEST,
    Files,
    PartitionColumn,
)

MISSING = "__HIVE_DEFAULT_PARTITION__"
MOST_FOLDERS = 1_000
LONGEST = 255  # bytes of a name of a folder
ROWS = 1_000_000  # that are divided at once
KINDS = (pl.String, pl.Date, pl.Boolean)


def folder_name(column: str, value: str | None) -> str:
    """Name the folder of a value; all but ASCII letters, digits and ``_.-~`` is written as %XX.

    Examples
    --------
    >>> folder_name("city", "São/Paulo")
    'city=S%C3%A3o%2FPaulo'
    """
    return f"{quote(column, safe='')}={MISSING if value is None else quote(value, safe='')}"


def value_in(name: str, *, is_exact: bool = True) -> tuple[str, str | None]:
    """Read the column and the value in the name of a folder.

    Raises
    ------
    DataError
        when it is not written as :func:`folder_name` writes it, but has to be
    """
    column, _, text = name.partition("=")
    found = unquote(column), None if text == MISSING else unquote(text)
    if is_exact and folder_name(*found) != name:
        raise DataError(
            "a folder's name is not the one that its value has",
            "Give the release as it was written.",
        )
    return found


def check_partition(sink: Sink, released: Sequence[str]) -> None:
    """Refuse a column that is not released, or that folders cannot be named after.

    Raises
    ------
    OutputError
        when there is no such column, or it is the only one
    """
    name = sink.partition_by
    if name is None:
        return
    if name not in released:
        raise OutputError(
            f'partition-by: "{name}" is not a column of the release', "Name a released column."
        )
    if len(released) == 1:
        raise OutputError(
            "partition-by: no column would be left for the files", "Leave the option out."
        )
    if name.startswith(("_", ".")):
        raise OutputError(
            f'partition-by: readers pass over folders whose names begin as "{name}" does',
            "Name another column.",
        )


def into_folders(folder: Path, sink: Sink) -> PartitionColumn | None:
    """Divide the files of a release among folders, where that is asked for.

    Parameters
    ----------
    folder : with the files of the release, in the order of their names
    sink : says by which column; the places of the records, if they are kept, follow them

    Raises
    ------
    OutputError
        when folders cannot be named after the values, or there is none
    """
    if sink.partition_by is None:
        return None
    with polars_in_words(sink.address):
        paths = sorted(folder.glob("part-*.parquet"))
        lazy = scan_parquet(paths)
        partition = PartitionColumn(sink.partition_by, _checked_type(lazy, sink.partition_by))
        names = _names(lazy, partition)
        if not names:
            raise OutputError(
                "there is no released record, and so no value to name a folder after",
                "Leave --partition-by out, or let fewer records be suppressed.",
            )
        if sink.places is not None:
            kept = scan_parquet(sorted(Path(sink.places).glob(FRAMES)))
            lazy = pl.concat([lazy, kept], how="horizontal")
        staged = folder / "values"
        staged.mkdir()
        _divide(lazy, partition, names, staged)
        for path in [*paths, *(Path(sink.places).glob(FRAMES) if sink.places else ())]:
            path.unlink()
        before = 0
        # In the order in which the paths of the files sort.
        for number in sorted(range(len(names)), key=lambda number: f"{names[number]}/"):
            (folder / names[number]).mkdir()
            rows = _staged(staged, number)
            if sink.places is not None:
                rows = put_apart(rows, Path(sink.places), before)
                before += len(list(staged.glob(f"{number}-*")))
            write_parts(rows, folder / names[number], sink)
        shutil.rmtree(staged)
    return partition


def partition_of(files: Files, *, is_release: bool = False) -> PartitionColumn | None:
    """Return by which column the files of a folder are divided, if all of them lie in such folders.

    Parameters
    ----------
    is_release : whether it is known to be one; else the folder has a manifest if it is

    Raises
    ------
    DataError
        when a folder's name is not the one that its value has, or folders are named after values
        that are not read
    """
    if files.partition is not None or files.root is None:
        return files.partition
    is_release = is_release or (Path(files.root) / MANIFEST).is_file()
    parents = {Path(path).relative_to(files.root).parent for path in files.paths}
    named = [part for parent in parents for part in parent.parts if "=" in part]
    is_divided = all(len(parent.parts) == 1 and "=" in parent.name for parent in parents)
    columns = sorted({value_in(name, is_exact=is_release)[0] for name in named})
    if is_divided and len(columns) == 1 and not files.separators:
        texts = [value_in(name, is_exact=is_release)[1] for name in named]
        dtype = pl.String() if is_release else _type_of(texts)
        return PartitionColumn(columns[0], dtype, is_exact=is_release)
    if named and not is_release:
        problem = (
            f"has folders that are named after values of {', '.join(columns)}, which are not read"
        )
        remedy = (
            "Write the column into the files, and give the folders other names. Of Parquet files "
            "in folders of one column, such as day=2024-01-01, the column is read."
        )
        raise DataError([Fault(str(files.root), problem, remedy)])
    return None


def _type_of(texts: Sequence[str | None]) -> pl.DataType:
    """Return the type of values by their texts: whole numbers, dates or texts."""
    known = pl.Series(texts, dtype=pl.String).drop_nulls()
    if len(known) and known.str.contains(FORMS["whole"]).all():
        return pl.Int64()
    is_date = known.str.contains(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$").all()
    if len(known) and is_date and not known.str.to_date("%Y-%m-%d", strict=False).has_nulls():
        return pl.Date()
    return pl.String()


def folder_values(files: Files, partition: PartitionColumn) -> pl.DataFrame:
    """Return the value of the column for each file, by the name of its folder: path and value."""
    names = [Path(path).parent.name for path in files.paths]
    texts = [value_in(name, is_exact=partition.is_exact)[1] for name in names]
    return pl.DataFrame({"path": files.paths, "value": _parsed(texts, partition)})


def scan_folders(files: Files, partition: PartitionColumn) -> pl.LazyFrame:
    """Read divided files lazily, with the column that their folders are named after."""
    values = folder_values(files, partition)
    grouped = values.with_columns(
        pl.col("path").map_elements(lambda path: str(Path(path).parent), pl.String).alias("folder")
    )
    scans: list[pl.LazyFrame] = []
    for rows in grouped.partition_by("folder", maintain_order=True):
        lazy = scan_parquet(rows["path"].to_list())
        if partition.column in lazy.collect_schema():
            raise twice(partition)
        value = pl.lit(rows["value"][0], partition.dtype).alias(partition.column)
        scans.append(lazy.with_columns(value))
    return pl.concat(scans)


def twice(partition: PartitionColumn) -> DataError:
    """Return the error that files have the column of their folders' names once more."""
    problem = "stands in the files and in the names of their folders"
    return DataError(
        [Fault(f"columns.{partition.column}", problem, "Give the release as it was written.")]
    )


def _checked_type(lazy: pl.LazyFrame, column: str) -> pl.DataType:
    """Refuse a column whose values have no one way of writing."""
    dtype = lazy.collect_schema()[column]
    if not (dtype.is_integer() or isinstance(dtype, KINDS)):
        raise OutputError(
            f'partition-by: "{column}" has numbers with fractions, or moments',
            "Name a column of texts, whole numbers, dates or truth values.",
        )
    return dtype


def _names(lazy: pl.LazyFrame, partition: PartitionColumn) -> list[str]:
    """Name the folders, in the order of their values."""
    values = lazy.select(pl.col(partition.column)).unique().head(MOST_FOLDERS + 1)
    found = values.collect(engine="streaming").to_series().sort(nulls_last=True)
    advice = "Name a column of fewer values, or generalize it further."
    if len(found) > MOST_FOLDERS:
        raise OutputError(
            f'partition-by: "{partition.column}" has more than {MOST_FOLDERS:,} values', advice
        )
    texts = found.cast(pl.String).to_list()
    names = [folder_name(partition.column, text) for text in texts]
    if "" in texts or MISSING in texts or any(len(name) > LONGEST for name in names):
        raise OutputError(
            f'partition-by: no folder can be named after a value of "{partition.column}", which '
            "is empty or too long",
            "Name another column.",
        )
    return names


def _divide(
    lazy: pl.LazyFrame, partition: PartitionColumn, names: Sequence[str], folder: Path
) -> None:
    """Write the rows of each value into files of their own, a file for each piece of the table."""
    places = {name: place for place, name in enumerate(names)}
    batches = lazy.collect_batches(chunk_size=ROWS, maintain_order=True)
    for number, batch in enumerate(batches):
        for part in batch.partition_by(partition.column, maintain_order=True):
            text = part[partition.column].head(1).cast(pl.String).item()
            own = places[folder_name(partition.column, text)]
            path = folder / f"{own}-{number:06d}.parquet"
            part.drop(partition.column).write_parquet(path, compression="lz4")


def _staged(folder: Path, number: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of one value, piece after piece."""
    for path in sorted(folder.glob(f"{number}-*")):
        yield read_parquet(path)


def _parsed(texts: Sequence[str | None], partition: PartitionColumn) -> pl.Series:
    """Read values from their texts."""
    column = pl.Series(texts, dtype=pl.String)
    if partition.dtype == pl.Boolean:
        return column == "true"
    if partition.dtype == pl.Date:
        return column.str.to_date("%Y-%m-%d")
    return column.cast(partition.dtype)
