"""Files that a cluster of Spark reaches: read where they are, and written there all or none.

The release is written into a hidden folder beside its place, read again, and renamed. What Spark
itself leaves to say that it has ended, ``_SUCCESS``, proves nothing and is removed. Where a store
cannot rename a folder in one step, the manifest is written last: what it does not list is not
released. What Spark and its Java say of a failure may quote cells, and is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, final
from urllib.parse import urlsplit
from uuid import uuid4

from indistinct.base.extras import load
from indistinct.errors import DataError, EngineError, IndistinctError, OutputError
from indistinct.tables.engines.parts import PARTIAL, entry_of, write_companions
from indistinct.tables.engines.sources import EngineTable, Sink, Tally, count_all
from indistinct.tables.reading.places import MANIFEST, hash_of_parts

# Words for what Hadoop's methods call true.
RECURSIVELY = OVERWRITE = True
IN_ONE_STEP = frozenset({"file", "hdfs", "viewfs"})  # stores that rename a folder so


@dataclass(frozen=True, slots=True)
class HadoopFiles:
    """The files that a session reaches, by Hadoop's own interface.

    Parameters
    ----------
    session : of Spark
    """

    session: Any

    def path(self, address: str) -> Any:
        """Name a file or a folder."""
        return self._java.org.apache.hadoop.fs.Path(address)

    def system(self, address: str) -> Any:
        """Return the file system of an address."""
        return self.path(address).getFileSystem(self._settings)

    def files(self, address: str) -> list[Any]:
        """List the files at or below an address or a pattern; hidden ones are none."""
        system = self.system(address)
        found: list[Any] = []
        for one in system.globStatus(self.path(address)) or ():
            listed = system.listFiles(one.getPath(), RECURSIVELY) if one.isDirectory() else None
            while listed is not None and listed.hasNext():
                found.append(listed.next())
            if listed is None:
                found.append(one)
        seen = [one for one in found if not one.getPath().getName().startswith((".", "_"))]
        return sorted(seen, key=lambda one: one.getPath().toString())

    def stamps(self, address: str) -> list[tuple[str, int, int]]:
        """Return names, sizes and times of the files."""
        return [
            (one.getPath().toString(), one.getLen(), one.getModificationTime())
            for one in self.files(address)
        ]

    def sha256(self, path: Any) -> str:
        """Hash a file where it is."""
        stream = self.system(path.toString()).open(path)
        try:
            return str(self._java.org.apache.commons.codec.digest.DigestUtils.sha256Hex(stream))
        finally:
            stream.close()

    def fingerprint(self, addresses: Sequence[str]) -> str:
        """Hash the files as those of a folder."""
        files = [one for address in addresses for one in self.files(address)]
        hashes = [(one.getPath().getName(), self.sha256(one.getPath())) for one in files]
        return hash_of_parts(hashes)

    def write_text(self, address: str, text: str) -> None:
        """Write a small file."""
        stream = self.system(address).create(self.path(address), OVERWRITE)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def remove_checksums(self, address: str) -> None:
        """Remove what Hadoop keeps beside files of this machine, and no manifest lists."""
        system = self.system(address)
        if system.getScheme() != "file":
            return
        bare = system.getRawFileSystem()  # the other one hides them
        for one in bare.listStatus(self.path(address)):
            if one.getPath().getName().endswith(".crc"):
                bare.delete(one.getPath(), RECURSIVELY)

    @property
    def _settings(self) -> Any:
        return self.session._jsc.hadoopConfiguration()  # noqa: SLF001 - PySpark has no other way

    @property
    def _java(self) -> Any:
        return self.session._jvm  # noqa: SLF001 - PySpark has no other way


def check_files(store: HadoopFiles, address: str) -> None:
    """Refuse an address without files, or with such as are not Parquet.

    Raises
    ------
    DataError
        when there are none, or they are of another format
    """
    names = [one.getPath().getName() for one in store.files(address)]
    if not names:
        raise DataError(f"{address}: there is no file", "Check the address.")
    if not all(name.endswith(".parquet") for name in names):
        raise DataError(
            f"{address}: Spark reads Parquet files here",
            "Convert the files, or hand in a data frame.",
        )


@final
class ClusterDraft:
    """Files in a hidden folder of a store that a cluster reaches.

    Parameters
    ----------
    store : where they are
    staging : the address of the hidden folder
    sink : where they shall appear
    reopen : opens the files at an address afresh
    """

    def __init__(
        self, store: HadoopFiles, staging: str, sink: Sink, reopen: Callable[[str], EngineTable]
    ) -> None:
        self._store, self._staging, self._sink, self._reopen = store, staging, sink, reopen
        self._entry: Mapping[str, Any] | None = None

    def columns(self) -> Sequence[str]:
        """Name the columns of the written files."""
        with spark_in_words(), self._reopen(self._staging) as source:
            return list(source.kinds)

    def count(self, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
        """Read the files afresh, and count the distinct rows of some columns."""
        with spark_in_words(), self._reopen(self._staging) as source:
            return count_all(source, names, marked)

    def files(self) -> None:
        """Return nothing: the cluster alone sees its files."""

    def entry(self) -> Mapping[str, Any]:
        """List the files with their records, sizes and hashes."""
        if self._entry is None:
            with spark_in_words():
                self._entry = self._listed()
        return self._entry

    def _listed(self) -> Mapping[str, Any]:
        """List the files with their records, sizes and hashes, afresh."""
        rows = self._rows()
        parts: list[dict[str, Any]] = [
            {
                "path": one.getPath().getName(),
                "rows": rows.get(one.getPath().getName(), 0),
                "bytes": one.getLen(),
                "sha256": self._store.sha256(one.getPath()) if self._sink.hashes else None,
            }
            for one in self._store.files(self._staging)
        ]
        return {**entry_of(parts), "writer": {"pyspark": version("pyspark")}}

    def publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Let the release appear, with its manifest in it."""
        with spark_in_words():
            self._publish(documents, private)

    def discard(self) -> None:
        """Remove the files."""
        with suppress(IndistinctError), spark_in_words():
            staging = self._store.path(self._staging)
            self._store.system(self._staging).delete(staging, RECURSIVELY)

    def _publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Rename the folder, after what stands beside it."""
        target = self._sink.address.rstrip("/")
        is_one_step = urlsplit(target).scheme in IN_ONE_STEP
        if is_one_step:
            self._store.write_text(f"{self._staging}/{MANIFEST}", documents[""])
        write_companions(documents, private)
        system, aside = self._store.system(target), f"{self._staging}.old"
        if system.exists(self._store.path(target)):
            self._rename(target, aside)
        self._rename(self._staging, target)
        if not is_one_step:
            self._store.write_text(f"{target}/{MANIFEST}", documents[""])
        self._store.remove_checksums(target)
        system.delete(self._store.path(aside), RECURSIVELY)

    def _rename(self, address: str, target: str) -> None:
        """Rename a folder."""
        system = self._store.system(address)
        if not system.rename(self._store.path(address), self._store.path(target)):
            raise OutputError(f"{target} could not be given its name", "Check the store's rights.")

    def _rows(self) -> dict[str, int]:
        """Count the records of each file."""
        frame = self._store.session.read.parquet(self._staging)
        counted = frame.selectExpr("input_file_name() AS file").groupBy("file").count()
        return {row["file"].rsplit("/", 1)[-1]: int(row["count"]) for row in counted.collect()}


def write_stored(
    session: Any, query: str, sink: Sink, reopen: Callable[[str], EngineTable]
) -> ClusterDraft:
    """Write the rows of a query, in their order, into a hidden folder beside their place.

    Raises
    ------
    OutputError
        when something stands there that must stay
    """
    store, target = HadoopFiles(session), sink.address.rstrip("/")
    if store.system(target).exists(store.path(target)) and not sink.may_replace:
        raise OutputError(
            f"{target} is there already", "Name a folder that is not there, or add --replace."
        )
    parent, _, name = target.rpartition("/")
    staging = f"{parent}/.{name}.{uuid4().hex}{PARTIAL}"
    system = store.system(staging)
    try:
        limited = session.sql(query).write.option("maxRecordsPerFile", sink.rows_per_file)
        limited.parquet(staging)
        # Their names tell their order; what else Spark leaves says nothing of the records.
        for number, one in enumerate(store.files(staging)):
            system.rename(one.getPath(), store.path(f"{staging}/part-{number:05d}.parquet"))
        for one in system.listStatus(store.path(staging)):
            if one.getPath().getName().startswith((".", "_")):
                system.delete(one.getPath(), RECURSIVELY)
        return ClusterDraft(store, staging, sink, reopen)
    except BaseException:
        with suppress(IndistinctError), spark_in_words():
            system.delete(store.path(staging), RECURSIVELY)
        raise


FULL = ("No space left on device", "Disk quota exceeded")


@contextmanager
def spark_in_words() -> Generator[None]:
    """Replace what Spark says of an error, which may quote cells.

    Raises
    ------
    OutputError
        when a disk is full
    EngineError
        when anything else goes wrong in Spark
    """
    of_spark = load("pyspark.errors").PySparkException
    of_java = load("py4j.protocol").Py4JError
    try:
        yield
    except (of_spark, of_java, OSError) as error:
        if any(words in str(error) for words in FULL):
            raise OutputError(
                "Spark ran out of space on a disk",
                "Free space where it writes, and in the folders that spark.local.dir names.",
            ) from None
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise EngineError(
            "Spark could not read or write the table",
            "Check the data frame by itself; the log of the cluster says more.",
        ) from None
