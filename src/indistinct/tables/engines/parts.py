"""A release that is written as files: hidden until it was verified, then there at once."""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, final
from uuid import uuid4

from indistinct.base.files.writing import ACCESS, MEDIUM, atomic, flush_to_disk, in_words
from indistinct.errors import Fault, OutputError
from indistinct.tables.engines.sources import EngineTable, Sink, Tally, count_all
from indistinct.tables.reading.formats import writers_of
from indistinct.tables.reading.places import (
    MANIFEST,
    Files,
    PartitionColumn,
    hash_of_parts,
    sha256_of,
)

PARTIAL = ".partial"
EXCHANGE = 2  # of renameat2: both names change places
HERE = -100  # AT_FDCWD


def check_target(sink: Sink) -> None:
    """Refuse a place that cannot be written to, or where something stands that must stay."""
    target = Path(sink.address)
    if not target.absolute().parent.is_dir():
        raise OutputError(f"the folder {target.absolute().parent} does not exist", "Make it first.")
    if not sink.is_folder:
        if target.is_dir():
            raise OutputError(f"{target} is a folder", "Name a file, or add --replace.")
        return
    if target.exists() and not sink.may_replace:
        raise OutputError(
            f"{target} is there already", "Name a folder that is not there, or add --replace."
        )
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target} is a file", "Name a folder.")


@contextmanager
def hidden_folder(target_file: Path) -> Generator[Path]:
    """Make a folder that only its owner reads, beside a target; an error removes it.

    Notes
    -----
    Its name holds the number of this process: the next run removes what a killed process left.
    """
    target = Path(os.path.realpath(target_file))
    remove_leftovers(target)
    folder = target.with_name(f".{target.name}.{os.getpid()}-{uuid4().hex}{PARTIAL}")
    with in_words(target_file, MEDIUM | ACCESS):
        folder.mkdir(mode=0o700)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def remove_leftovers(target: Path) -> None:
    """Remove what processes left behind that were killed while they wrote to a target."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*-*{PARTIAL}"):
        number = left.name.removeprefix(f".{target.name}.").partition("-")[0]
        if number.isdigit() and not _is_alive(int(number)):
            shutil.rmtree(left, ignore_errors=True)


def _is_alive(process: int) -> bool:
    """Return whether a process runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@final
class FilesDraft:
    """Files in a hidden folder.

    Parameters
    ----------
    folder : where they are
    sink : where they shall appear
    reopen : opens files afresh, each cell as it is written
    has_marks : whether the engine that reads them has the hashes of the one that counted
    partition : the column that the folders of the files are named after, if there is one
    writer : the libraries that wrote them, where these are not those of the format
    """

    def __init__(  # noqa: PLR0913 - what the files are, each a keyword
        self,
        folder: Path,
        sink: Sink,
        reopen: Callable[[Files], EngineTable],
        *,
        has_marks: bool = True,
        partition: PartitionColumn | None = None,
        writer: Mapping[str, str] | None = None,
    ) -> None:
        # Text has no types, and one way of writing what is missing or empty: its hashes differ.
        self._has_marks = has_marks and sink.file_format == "parquet"
        self._folder, self._sink, self._reopen = folder, sink, reopen
        self._partition = partition
        self._writer = writers_of(sink.file_format) if writer is None else writer
        self._entry: Mapping[str, Any] | None = None

    def columns(self) -> Sequence[str]:
        """Name the columns of the written files."""
        with self._opened() as source:
            return list(source.kinds)

    def count(self, names: Sequence[str], marked: Sequence[str] = ()) -> Tally:
        """Read the files afresh, and count the distinct rows of some columns."""
        marked = marked if self._has_marks else ()
        with self._opened() as source:
            return count_all(source, names, marked)

    def files(self) -> Files:
        """Return the written files."""
        return self._files(self._paths())

    def entry(self) -> Mapping[str, Any]:
        """Return what the manifest says of the files."""
        if self._entry is None:
            parts = [self._part(path) for path in self._paths()]
            entry = entry_of(parts) if self._sink.is_folder else {"sha256": parts[0]["sha256"]}
            if self._sink.is_folder and self._partition is not None:
                entry["partition_by"] = self._partition.column
            self._entry = {**entry, "writer": self._writer}
        return self._entry

    def publish(self, documents: Mapping[str, str], private: Mapping[str, str]) -> None:
        """Let the release appear, after what stands beside it."""
        target = Path(os.path.realpath(self._sink.address))
        with in_words(Path(self._sink.address), MEDIUM | ACCESS):
            for path in self._paths():
                flush_to_disk(path)
            if self._sink.is_folder:
                manifest = self._folder / MANIFEST
                manifest.write_text(documents[""], encoding="utf-8")
                flush_to_disk(manifest)
        write_companions(documents, private)
        with in_words(Path(self._sink.address), MEDIUM | ACCESS):
            if self._sink.is_folder:
                self._folder.chmod(0o755 & ~_mask())
                for path in self._folder.rglob("*"):
                    path.chmod((0o755 if path.is_dir() else 0o644) & ~_mask())
                _put_folder(self._folder, target)
            else:
                (only,) = self._paths()
                mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
                only.chmod(mode)
                only.replace(target)
                self.discard()
            _flush_folder(target.parent)

    def discard(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _part(self, path: Path) -> dict[str, Any]:
        """Return what the manifest says of one file."""
        with self._reopen(Files((str(path),), self._sink.file_format)) as source:
            n_rows = count_all(source, []).n_records
        return {
            "path": path.relative_to(self._folder).as_posix(),
            "rows": n_rows,
            "bytes": path.stat().st_size,
            "sha256": sha256_of(path) if self._sink.hashes else None,
        }

    def _paths(self) -> list[Path]:
        """List the written files in their order."""
        found = (path for path in self._folder.rglob("*") if path.is_file())
        return sorted((path for path in found if path.name != MANIFEST), key=str)

    def _files(self, paths: Sequence[Path]) -> Files:
        """Name some of the files as a table."""
        return Files(
            tuple(map(str, paths)),
            self._sink.file_format,
            root=str(self._folder),
            partition=self._partition,
        )

    def _opened(self) -> EngineTable:
        """Open all files afresh."""
        return self._reopen(self._files(self._paths()))


def entry_of(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the manifest says of several files, and give their hash, where each has one."""
    hashes = [(one["path"], one["sha256"]) for one in parts]
    is_hashed = all(digest is not None for _, digest in hashes)
    return {"sha256": hash_of_parts(hashes) if is_hashed else None, "parts": list(parts)}


def write_companions(documents: Mapping[str, str], private: Mapping[str, str]) -> None:
    """Write what stands beside a release, all or none; the empty path is a place of its own.

    Parameters
    ----------
    documents, private : texts by their paths; their owner alone may read those that are private
    """
    with ExitStack() as together:
        # Names appear in reverse order, that of the manifest first.
        for texts, is_private in ((private, True), (documents, False)):
            for path, text in texts.items():
                if path:
                    place = together.enter_context(atomic(Path(path), private=is_private))
                    place.write_text(text, encoding="utf-8")


def _put_folder(folder: Path, target: Path) -> None:
    """Rename a folder; one that stood there is removed afterwards."""
    if not target.exists():
        folder.rename(target)
        return
    if not _exchanged(folder, target):
        aside = target.with_name(f".{target.name}.{os.getpid()}-{uuid4().hex}{PARTIAL}")
        target.rename(aside)
        folder.rename(target)
        folder = aside
    shutil.rmtree(folder, ignore_errors=True)


def _exchanged(folder: Path, target: Path) -> bool:
    """Let two folders change names in one step; tell whether the system can."""
    library = ctypes.CDLL(None, use_errno=True)
    rename = getattr(library, "renameat2", None)
    if rename is None:
        return False
    return rename(HERE, os.fsencode(folder), HERE, os.fsencode(target), EXCHANGE) == 0


def _flush_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mask() -> int:
    """Return the permissions that this process withholds from new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse_full_disk(error: BaseException, path: str) -> None:
    """Raise, in words, that a disk is full, where a library says it in a text only."""
    said = str(error)
    numbers = (f"(os error {number})" for number in MEDIUM)
    quoted = (f'"errno":"{number}"' for number in MEDIUM)
    for number, words in zip(MEDIUM, zip(numbers, quoted, strict=True), strict=True):
        if any(word in said for word in words):
            problem, remedy = MEDIUM[number]
            fault = Fault(Path(path).name, f"cannot be written: {problem}", remedy)
            raise OutputError([fault]) from None
