"""Data frames of Spark, on a cluster or in this process."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, final
from uuid import uuid4

from indistinct.base.extras import load
from indistinct.base.files.literal_paths import scan_parquet
from indistinct.errors import OutputError
from indistinct.tables.engines.parts import FilesDraft, hidden_folder
from indistinct.tables.engines.sources import Opening, Sink, StagedRelease
from indistinct.tables.engines.spark_paths import (
    HadoopFiles,
    check_files,
    spark_in_words,
    write_stored,
)
from indistinct.tables.engines.sql import SqlTable
from indistinct.tables.engines.sql_dialect import Dialect, ReleaseQuery, Storing
from indistinct.tables.engines.streamed_files import write_text
from indistinct.tables.frames.frame import Frame
from indistinct.tables.reading.places import Files, is_cluster_path, is_database

SPARK = Dialect(
    engine="spark",
    mark="`",
    string="STRING",
    double="DOUBLE",
    single="FLOAT",
    not_a_number="isnan({})",
    equal="{one} <=> {other}",
    hash="xxhash64({seed}, {})",
    # Sums of whole numbers may overflow.
    sum="CAST(SUM(CAST({} AS DECIMAL(38, 0))) AS STRING)",
    infinite="{} IN (CAST('Infinity' AS DOUBLE), CAST('-Infinity' AS DOUBLE))",
    distinct="approx_count_distinct({})",
    matches="{} RLIKE {}",
    sha="sha2({}, 256)",
    text="CAST({} AS STRING)",
    numbered="monotonically_increasing_id()",  # with gaps, over all of a cluster
    reads_backslashes=True,
    has_order=False,
)


@final
class SparkConnection:
    """A session of Spark, which stays open; the views that were made in it are dropped."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self._views: list[str] = []

    def fetch(self, query: str) -> Frame:
        """Run a query, and take its rows in by way of Arrow."""
        with spark_in_words():
            return Frame(self.session.sql(query).toArrow())

    def load(self, name: str, frame: Frame) -> str:
        """Load a frame into the cluster as a view, and return the name of the view."""
        with spark_in_words():
            arrow = load("pyarrow").table(frame.to_arrow())
            return self.view(name, self.session.createDataFrame(_with_plain_texts(arrow)))

    def view(self, name: str, frame: Any) -> str:
        """Call a data frame by a name of its own."""
        own = f"{name}_{uuid4().hex}"
        frame.createOrReplaceTempView(own)
        self._views.append(own)
        return own

    def close(self) -> None:
        """Drop the views."""
        for view in self._views:
            self.session.catalog.dropTempView(view)
        self._views.clear()


def open_lazy(
    frame: Any,
    opening: Opening,
    fingerprint: Callable[[], str] | None = None,
    unchanged: Callable[[], bool] = lambda: True,
) -> SqlTable:
    """Open a data frame of Spark.

    Parameters
    ----------
    fingerprint : hashes the files that it is made of, where it is known to be made of files
    unchanged : tells whether they are what they were
    """
    connection = SparkConnection(frame.sparkSession)
    write, lazy = partial(_write, connection, opening), connection.session.sql
    storing = Storing(write, lazy, fingerprint, unchanged)
    relation = connection.view("indistinct_input", frame)
    return SqlTable(connection, SPARK, relation, opening, storing)


def open_files(files: Files, opening: Opening) -> SqlTable:
    """Open Parquet files of this machine."""
    return open_path([Path(path).absolute().as_uri() for path in files.paths], opening)


def open_path(addresses: Sequence[str], opening: Opening) -> SqlTable:
    """Open Parquet files that a cluster reaches, by its session or by one in this process.

    Parameters
    ----------
    addresses : with the scheme of a store; of a file, a folder or a pattern each

    Raises
    ------
    DataError
        when there are no such files
    """
    sessions = load("pyspark.sql", extra="spark").SparkSession
    with spark_in_words():
        session = (
            sessions.getActiveSession() or sessions.builder.appName("indistinct").getOrCreate()
        )
        store = HadoopFiles(session)
        for address in addresses:
            check_files(store, address)
        stamps = [store.stamps(address) for address in addresses]
        frame = session.read.parquet(*addresses)

    def unchanged() -> bool:
        return stamps == [store.stamps(address) for address in addresses]

    def fingerprint() -> str:
        return store.fingerprint(addresses)

    return open_lazy(frame, opening, fingerprint, unchanged)


def _write(
    connection: SparkConnection, opening: Opening, release: ReleaseQuery, sink: Sink
) -> StagedRelease:
    """Write a release to files that this process and the cluster both see, or the cluster alone."""
    if is_database(sink.address):
        raise OutputError(
            "Spark writes files here", "Name a folder, or take release.data and save it as a table."
        )
    if sink.partition_by is not None:
        raise OutputError(
            "partition-by: Spark's releases are not divided here",
            "Take release.data and write it with partitionBy, or take another engine.",
        )
    if is_cluster_path(sink.address):
        raw = Opening(opening.limits, (), as_written=True)
        with spark_in_words():
            return write_stored(
                connection.session, release.ordered, sink, lambda path: open_path([path], raw)
            )
    with hidden_folder(Path(sink.address)) as folder, spark_in_words():
        written = folder.absolute() / "spark"
        frame = connection.session.sql(release.ordered)
        if not sink.is_folder:
            frame = frame.coalesce(1)
        limited = frame.write.option(
            "maxRecordsPerFile", sink.rows_per_file if sink.is_folder else 0
        )
        limited.parquet(written.as_uri())
        # Their names tell their order; what else Spark leaves says nothing of the records.
        for number, path in enumerate(sorted(written.glob("part-*.parquet"))):
            target = folder / f"part-{number:05d}.{sink.file_format}"
            if sink.file_format == "parquet":
                path.rename(target)
            else:
                write_text(scan_parquet(path), target, sink.separator)
        shutil.rmtree(written)

    def reopen(files: Files) -> SqlTable:
        paths = [Path(path).absolute().as_uri() for path in files.paths]
        raw = Opening(opening.limits, (), as_written=True)
        reader = connection.session.read
        if files.separators:
            options = {"header": True, "sep": sink.separator, "escape": '"', "multiLine": True}
            return open_lazy(reader.options(**options).csv(paths), raw)
        return open_lazy(reader.parquet(*paths), raw)

    writer = {"pyspark": version("pyspark")} if sink.file_format == "parquet" else None
    return FilesDraft(folder, sink, reopen, writer=writer)


def _with_plain_texts(table: Any) -> Any:
    """Return texts in the one form that Spark takes."""
    arrow = load("pyarrow")
    for place, kind in enumerate(table.schema.types):
        if arrow.types.is_large_string(kind) or arrow.types.is_string_view(kind):
            column = table.column(place).cast(arrow.string())
            table = table.set_column(place, table.schema.names[place], column)
    return table
