"""Tables in object storage: Parquet files that Polars reads there, and releases written there.

A storage gives several objects no name at one moment. So the manifest decides what is released:
what it does not list is not. The release is written and verified on this machine first. Each part
is then read back from the storage, and the manifest follows when all of them are there.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

from indistinct.base.extras import load
from indistinct.base.files.literal_paths import scan_parquet, scan_pattern
from indistinct.base.inputs import json_document
from indistinct.errors import DataError, OutputError
from indistinct.tables.engines.sources import Opening, Sink, StagedRelease, Tally
from indistinct.tables.engines.streamed_files import polars_in_words
from indistinct.tables.engines.streaming import StreamingTable, open_lazy
from indistinct.tables.reading.places import (
    MANIFEST,
    PATTERN,
    Files,
    hash_of_parts,
    is_pattern,
    sha256_of,
)

ENDING = ".parquet"


def open_stored(address: str, opening: Opening) -> StreamingTable:
    """Open one Parquet file, those that a pattern names, or all below a prefix.

    The region, the keys and the server come from the environment variables that other programs for
    S3 read: ``AWS_REGION``, ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``, ``AWS_ENDPOINT_URL``.

    Raises
    ------
    DataError
        when there is no such file
    EngineError
        when the storage cannot be read
    """
    if opening.as_written and Path(address).suffix != ENDING and find_spec("obstore") is not None:
        manifest = manifest_at(address)
        if manifest is not None:
            return _open_listed(address, manifest, opening)
    bare, is_announced = address.removeprefix(PATTERN), is_pattern(address)
    pattern, is_one = bare, Path(bare).suffix == ENDING
    if not is_one:
        pattern = f"{(bare if is_announced else glob.escape(bare)).rstrip('/')}/**/*{ENDING}"
    with polars_in_words(address):
        lazy = scan_pattern(pattern, is_pattern=is_announced or not is_one)
        return open_lazy(lazy, opening)


def _open_listed(address: str, manifest: Mapping[str, Any], opening: Opening) -> StreamingTable:
    """Open the parts of a release that its manifest lists: others are not released."""
    with polars_in_words(address):
        lazy = scan_parquet(listed_parts(address, manifest))
        return StreamingTable(
            lazy,
            lazy.collect_schema(),
            opening.limits,
            digest=lambda: sha256_of_stored(address, manifest),
        )


@final
class Bucket:
    """The objects below an address, found by the environment variables that S3's programs read.

    Parameters
    ----------
    address : ``s3://BUCKET/PREFIX``
    """

    def __init__(self, address: str) -> None:
        self._library: Any = load("obstore")
        self._store = load("obstore.store").from_url(address.rstrip("/"))
        self._errors = (load("obstore.exceptions").BaseError, OSError)

    def names(self) -> list[str]:
        """List the objects, by their names below the address."""
        with self.in_words(DataError):
            return [one["path"] for batch in self._library.list(self._store) for one in batch]

    def text(self, name: str) -> str | None:
        """Read a small object; None where it is not there."""
        with suppress(FileNotFoundError), self.in_words(DataError, but=FileNotFoundError):
            return bytes(self._library.get(self._store, name).bytes()).decode("utf-8")
        return None

    def sha256(self, name: str) -> str:
        """Hash an object as the storage gives it."""
        digest = hashlib.sha256()
        with self.in_words(DataError):
            for block in self._library.get(self._store, name).stream():
                digest.update(bytes(block))
        return digest.hexdigest()

    def put(self, name: str, path: Path) -> None:
        """Write a file as an object."""
        with self.in_words(OutputError), path.open("rb") as file:
            self._library.put(self._store, name, file)

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects."""
        with self.in_words(OutputError):
            for name in names:
                self._library.delete(self._store, name)

    @contextmanager
    def in_words(
        self, kind: type[DataError | OutputError], but: type[Exception] | tuple[()] = ()
    ) -> Generator[None]:
        """Replace what the storage says of an error, which may quote addresses and keys."""
        try:
            yield
        except but:
            raise
        except self._errors:
            raise kind(
                "the object storage did not do what it was asked for",
                "Check the address, the keys, the right to read and write, and the network.",
            ) from None


@final
class StoredDraft:
    """A release on this machine that goes to object storage when it is published.

    Parameters
    ----------
    draft : the release, as an engine wrote it
    folder : the temporary folder that it is in
    local : where in that folder it appears
    sink : where it shall be
    """

    def __init__(
        self, draft: StagedRelease, folder: TemporaryDirectory[str], local: Path, sink: Sink
    ) -> None:
        self._draft, self._folder, self._local, self._sink = draft, folder, local, sink

    def columns(self) -> Sequence[str]:
        """Name the columns."""
        return self._draft.columns()

    def count(self, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
        """Count the distinct rows of some columns."""
        return self._draft.count(names, marked)

    def files(self) -> Files | None:
        """Return the files as they are on this machine."""
        return self._draft.files()

    def entry(self) -> Mapping[str, Any]:
        """Return what the manifest says of the files."""
        return self._draft.entry()

    def publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Store the parts, read each back, and store the manifest."""
        self._draft.publish(documents, private)
        bucket = Bucket(self._sink.address)
        before = bucket.names()
        # From here on there is no release, until the new one is whole.
        bucket.remove(name for name in before if name == MANIFEST)
        names = [part["path"] for part in self.entry()["parts"]]
        try:
            for name in names:
                bucket.put(name, self._local / name)
                _compare(bucket, name, self._local / name)
            bucket.put(MANIFEST, self._local / MANIFEST)
        except BaseException:
            with suppress(OutputError):
                bucket.remove(names)
            raise
        with suppress(OutputError):
            bucket.remove(set(before) - {*names, MANIFEST})
        self._folder.cleanup()

    def discard(self) -> None:
        """Remove the files of this machine."""
        self._draft.discard()
        self._folder.cleanup()


def _compare(bucket: Bucket, name: str, path: Path) -> None:
    """Read an object back, and refuse it where it is not the file that was written."""
    if bucket.sha256(name) != sha256_of(path):
        raise OutputError(
            "the object storage gives back something else than was written",
            "Check the storage; nothing was released.",
        )


def check_bucket(sink: Sink) -> None:
    """Refuse a place in object storage where something is that must stay.

    Raises
    ------
    OutputError
        when there are objects already, or the storage does not answer
    """
    bucket = Bucket(sink.address)
    try:
        is_empty = not bucket.names()
    except DataError as error:
        raise OutputError(error.faults) from None
    if not (is_empty or sink.may_replace):
        raise OutputError(
            f"{sink.address} has objects already",
            "Name a prefix without objects, or add --replace.",
        )


def manifest_at(address: str) -> Mapping[str, Any] | None:
    """Read the manifest of a release in object storage; None where there is none.

    Raises
    ------
    DataError
        when it is no manifest
    """
    text = Bucket(address).text(MANIFEST)
    if text is None:
        return None
    try:
        found: Any = json_document(text)
        listed = [part["path"] for part in found["output"]["parts"]]
    except (ValueError, KeyError, TypeError):
        raise DataError(
            "_manifest.json: is not a manifest of parts", "Check the address."
        ) from None
    if not all(isinstance(name, str) and "/" not in name for name in listed):
        raise DataError("_manifest.json: does not name parts of this release", "Check the address.")
    return found


def listed_parts(address: str, manifest: Mapping[str, Any]) -> list[str]:
    """Return the addresses of the parts that a manifest lists."""
    parts = sorted(part["path"] for part in manifest["output"]["parts"])
    return [f"{address.rstrip('/')}/{name}" for name in parts]


def sha256_of_stored(address: str, manifest: Mapping[str, Any]) -> str:
    """Hash the parts that a manifest lists, as the storage gives them."""
    bucket = Bucket(address)
    names = [part["path"] for part in manifest["output"]["parts"]]
    return hash_of_parts([(name, bucket.sha256(name)) for name in names])
