"""Where a table is: files, a folder or a pattern of files, or a table of a database."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from indistinct.errors import DataError, Fault
from indistinct.tables.frames.frame import DataType
from indistinct.tables.reading.formats import FORMATS_BY_NAME, check_read, format_of_file

DUCKDB, POSTGRES = "duckdb", "postgresql"
MANIFEST = "_manifest.json"
PATTERN = "glob:"  # announces a pattern of files
CLUSTER = ("hdfs", "viewfs", "file", "s3a", "gs", "abfs", "abfss")  # schemes of Hadoop's stores
TABS = "tsv"  # whose separator is its own, whatever that of its input is
IN_PARTS = ("parquet", "csv", TABS)  # formats that are read without holding a file whole


@dataclass(frozen=True, slots=True)
class PartitionColumn:
    """A column that files lack, and whose values are the names of their folders.

    Parameters
    ----------
    column : its name
    dtype : its type
    is_exact : whether each name of a folder is the one that a release gives its value; other
        programs leave more marks as they are
    """

    column: str
    dtype: DataType
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Files:
    """Files of one format that make a table together.

    Parameters
    ----------
    paths : sorted
    file_format : their format
    are_parts : whether they are a folder's or a pattern's, even if it is one alone
    root : the folder that all of them are in, where they are a folder's
    partition : the column that their folders are named after, where it is known
    separator : of text files, where it is known
    """

    paths: tuple[str, ...]
    file_format: str
    are_parts: bool = False
    root: str | None = None
    partition: PartitionColumn | None = None
    separator: str | None = None

    @property
    def names(self) -> list[str]:
        """Call the files by their paths below the folder that all of them are in."""
        folders = [Path(path).absolute().parent for path in self.paths]
        folder = os.path.commonpath(folders) if self.root is None else Path(self.root).absolute()
        return [Path(path).absolute().relative_to(folder).as_posix() for path in self.paths]

    @property
    def separators(self) -> str:
        """Separators that their headers may have; none where they are no text."""
        return FORMATS_BY_NAME[self.file_format].separators


@dataclass(frozen=True, slots=True)
class Numbering:
    """What the places refer to that an engine gives records.

    Parameters
    ----------
    read : the files whose records the engine numbers
    original : the files of the input, which have the same records in the same order
    """

    read: Files
    original: Files


@dataclass(frozen=True, slots=True)
class DatabaseTable:
    """A table or view of a database.

    Parameters
    ----------
    kind : ``duckdb`` or ``postgresql``
    address : the file of DuckDB, or the address of the server without the table
    table : its name, after its schema's if it is in one
    """

    kind: str
    address: str
    table: str

    @property
    def name_parts(self) -> list[str]:
        """The schema, if it is named, and the table."""
        return self.table.split(".")

    @property
    def quoted(self) -> str:
        """Its name, as a query writes it."""
        return ".".join('"' + part.replace('"', '""') + '"' for part in self.name_parts)


def is_database(address: str) -> bool:
    """Return whether an address names a table of a database."""
    return address.startswith((f"{DUCKDB}://", f"{POSTGRES}://", "postgres://"))


def is_cluster_path(address: str) -> bool:
    """Return whether an address names files that a cluster of Spark reaches."""
    return address.partition("://")[0] in CLUSTER and "://" in address


def is_object_storage(address: str) -> bool:
    """Return whether an address names files of an object storage."""
    return address.removeprefix(PATTERN).startswith("s3://")


def is_elsewhere(address: str) -> bool:
    """Return whether an address names anything but files of this machine."""
    return is_database(address) or is_object_storage(address) or is_cluster_path(address)


def database_table(address: str) -> DatabaseTable:
    """Read the address of a table: ``duckdb:///FILE?table=T`` or ``postgresql://HOST/DB?table=T``.

    Raises
    ------
    DataError
        when it names no table
    """
    parts = urlsplit(address)
    words = dict(parse_qsl(parts.query))
    table = words.pop("table", "")
    if not table:
        raise DataError("the address does not name a table", "Add ?table=NAME to the address.")
    if parts.scheme == DUCKDB:
        return DatabaseTable(DUCKDB, _file_of(unquote(parts.netloc + parts.path)), table)
    server = urlunsplit((POSTGRES, parts.netloc, parts.path, urlencode(words), ""))
    return DatabaseTable(POSTGRES, server, table)


def _file_of(path: str) -> str:
    """Return the file of an address: three slashes lead to one beside this process, four to any.

    Three may also begin a path from the root, where its folder is there and the other is not.
    """
    relative = path.removeprefix("/")
    is_elsewhere = not Path(relative).parent.is_dir() and Path(path).parent.is_dir()
    return path if is_elsewhere else relative


def files_at(path: str) -> Files:
    """Find the files of a table: one file, all of a folder, or those that a pattern names.

    Raises
    ------
    DataError
        when there is none, or their formats differ
    """
    found = _listed(path)
    if not found:
        check_read(path)
        remedy = "Check the path."
        if glob.has_magic(path) and not is_pattern(path):
            remedy = (
                f"Check the path. Write {PATTERN} before it if it is a pattern of several files."
            )
        raise DataError([Fault(path, "there is no table file at this path", remedy)])
    formats = {format_of_file(one) for one in found}
    if len(formats) > 1:
        raise DataError(
            [Fault(path, "has files of several formats", f"Name those of one by {PATTERN}.")]
        )
    (file_format,) = formats
    if file_format not in IN_PARTS:
        raise DataError(
            [
                Fault(
                    path,
                    f"is in the format {file_format}, which is read whole only",
                    "Take --engine memory, or hand in Parquet or CSV.",
                )
            ]
        )
    root = path if Path(path).is_dir() else None
    return Files(tuple(found), file_format, are_parts=not Path(path).is_file(), root=root)


def is_pattern(path: str) -> bool:
    """Return whether a path is announced as a pattern; without the word, every mark is a letter."""
    return path.startswith(PATTERN)


def has_several_files(path: str) -> bool:
    """Return whether a path is a folder or a pattern, and not one file."""
    return is_pattern(path) or Path(path).is_dir()


def _listed(path: str) -> list[str]:
    """List the files behind a path; hidden ones and those that say something of others are none.

    Raises
    ------
    DataError
        when a link leads out of the folder that was named
    """
    place = Path(path)
    if place.is_file():
        return [path]
    if is_pattern(path):
        pattern = path.removeprefix(PATTERN)
        root = Path(*takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts))
    elif place.is_dir():
        pattern, root = str(Path(glob.escape(path)) / "**" / "*"), place
    else:
        return []
    paths = (Path(one) for one in glob.glob(pattern, recursive=True))  # noqa: PTH207 - any pattern
    found = sorted(
        str(one)
        for one in paths
        if one.is_file() and not any(part.startswith((".", "_")) for part in one.parts[-2:])
    )
    home = root.resolve()
    out = [one for one in found if not Path(one).resolve().is_relative_to(home)]
    if out:
        problem = "is a link that leads out of the folder that you named"
        raise DataError([Fault(one, problem, "Replace it by the file itself.") for one in out])
    return found


def sha256_of(path: str | Path) -> str:
    """Hash a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_of_parts(hashes: list[tuple[str, str]]) -> str:
    """Return the SHA-256 of the lines that ``sha256sum`` prints for some files, sorted by path.

    Parameters
    ----------
    hashes : path and SHA-256 of each file
    """
    lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(hashes))
    return hashlib.sha256(lines.encode()).hexdigest()


def sha256_of_files(files: Files) -> str:
    """Hash a file, or the parts of a table as :func:`hash_of_parts` does."""
    hashes = [(name, sha256_of(path)) for path, name in zip(files.paths, files.names, strict=True)]
    return hash_of_parts(hashes) if files.are_parts else hashes[0][1]


def stamps_of(paths: Iterable[str]) -> list[tuple[int, int]]:
    """Return sizes and times of files, which change when the files do."""
    found = (Path(path).stat() for path in paths)
    return [(one.st_size, one.st_mtime_ns) for one in found]


def same_file(first: str, second: str) -> bool:
    """Return whether two paths lead to one file."""
    try:
        return Path(first).samefile(second)
    except OSError:
        return Path(first).absolute() == Path(second).absolute()
