"""Where a release goes: a file, a folder or a table; and what is refused before it is written."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from indistinct.errors import OutputError
from indistinct.tables.engines.choosing import SPARK
from indistinct.tables.engines.parts import check_target
from indistinct.tables.engines.sources import Sink
from indistinct.tables.reading.formats import FORMATS_BY_NAME, check_written, format_of_file
from indistinct.tables.reading.places import (
    IN_PARTS,
    files_at,
    is_cluster_path,
    is_database,
    is_elsewhere,
    is_object_storage,
)


def sink_for(  # noqa: PLR0913 - each is a word of the command
    address: str,
    *,
    is_folder: bool | None = None,
    rows_per_file: int = 10_000_000,
    may_replace: bool = False,
    hashes: bool = True,
    separator: str | None = None,
    partition_by: str | None = None,
) -> Sink:
    """Return where a release goes: a table, a file by its ending, or a folder of Parquet files."""
    sink = partial(
        Sink, address, rows_per_file=rows_per_file, may_replace=may_replace, hashes=hashes
    )
    if is_object_storage(address):
        if partition_by is not None or Path(address).suffix.lower() in _endings():
            raise OutputError(
                "a release in object storage is a prefix with Parquet files side by side",
                "Name a prefix without an ending, and leave --partition-by out.",
            )
        return sink(is_folder=True)
    if partition_by is not None and (
        is_database(address) or Path(address).suffix.lower() in _endings()
    ):
        raise OutputError(
            "partition-by: divides a release into folders", "Name a folder for the release."
        )
    if is_database(address):
        return sink()
    if is_cluster_path(address):
        if partition_by is not None:
            raise OutputError(
                "partition-by: Spark's releases are not divided here", "Leave the option out."
            )
        return sink(is_folder=True)
    check_written(address)
    by_ending = Path(address).suffix.lower() in _endings()
    folder = not by_ending if is_folder is None else is_folder
    file_format = format_of_file(address) if by_ending else "parquet"
    if file_format not in IN_PARTS:
        raise OutputError(
            f"{Path(address).name}: the format {file_format} is written whole only",
            "Name a Parquet or CSV file or a folder, or take --engine memory.",
        )
    marks = FORMATS_BY_NAME[file_format].separators
    mark = separator if separator is not None and file_format == "csv" else marks[:1]
    return sink(
        file_format=file_format, separator=mark, is_folder=folder, partition_by=partition_by
    )


def check_sink(sink: Sink, data: Any) -> None:
    """Refuse a destination that is the input, that is closed, or where something stands."""
    if is_database(sink.address):
        if isinstance(data, str | Path) and str(data) == sink.address:
            raise OutputError("the output is the input", "Choose another table for the release.")
        return
    if is_object_storage(sink.address):
        from indistinct.tables.engines.object_storage import check_bucket

        if isinstance(data, str) and _overlap(data, sink.address):
            raise OutputError("the output is the input", "Choose another prefix for the release.")
        check_bucket(sink)
        return
    if is_cluster_path(sink.address):
        if str(data).rstrip("/") == sink.address.rstrip("/"):
            raise OutputError("the output is the input", "Choose another path for the release.")
        return
    check_target(sink)
    if not isinstance(data, str | Path) or is_elsewhere(str(data)):
        return
    target = Path(sink.address).absolute()
    inputs = [Path(path).absolute() for path in files_at(str(data)).paths]
    if any(path == target or target in path.parents for path in inputs):
        raise OutputError("the output path is the input", "Choose another path for the release.")
    if Path(data).is_dir() and Path(data).absolute() in target.parents:
        raise OutputError("the output would be a part of the input", "Choose another folder.")


def _overlap(one: str, other: str) -> bool:
    """Return whether one of two addresses is below the other one."""
    bare = (address.split("*", maxsplit=1)[0].rstrip("/") for address in (one, other))
    first, second = (f"{address}/" for address in bare)
    return first.startswith(second) or second.startswith(first)


def check_writer(sink: Sink, engine: str) -> None:
    """Refuse a destination that the engine of the input does not reach."""
    if is_cluster_path(sink.address) and engine != SPARK:
        raise OutputError(
            "files of a cluster are written by Spark alone", "Take --engine spark, or name a path."
        )


def _endings() -> set[str]:
    """Return the endings of all formats."""
    return {ending for form in FORMATS_BY_NAME.values() for ending in form.endings}
