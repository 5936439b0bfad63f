"""Whether a file holds its cells and nothing else: what was read is written again, and compared.

Each column is built anew from plain values, so that nothing which the file holds besides its cells
(metadata, comments, formats, unused entries, other quotes) comes back. What is then written is
equal to the file, byte by byte, if one version of the libraries wrote both.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.errors import Fault
from indistinct.tables.reading.files import TableFile, read_file
from indistinct.tables.reading.formats import (
    FORMATS_BY_NAME,
    format_of_file,
    write_plain,
    write_text,
    writers_of,
)
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.reading.workbooks import sheet_of

BLOCK = 1 << 20  # bytes that are compared at once
# Of an archive: broken, cut short, encrypted, or packed in a way that nothing here unpacks.
UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError)
DISMISS = "Do not publish this file: write the release again."
BESIDE = "holds more than its cells, or is not written as a release is"
OTHER_WRITER = (
    "the file was written by another version of a library: whether it holds more than its cells "
    "could not be decided"
)
LOCAL, CENTRAL, END = 30, 46, 22  # bytes of a member's header, of its entry, of the last record


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A file of a release, and what was read from it.

    Parameters
    ----------
    path, file_format, separator : of the file; the separator of a text file
    frame : every cell as it is written
    labels : what a statistics file says of its columns
    """

    path: Path
    file_format: str
    separator: str | None
    frame: pl.DataFrame
    labels: Labels | None = None

    __repr__ = short_repr

    @classmethod
    def of(cls, path: str, source: TableFile) -> WrittenTable:
        """Return the file of a release with what was read from it."""
        place = Path(sheet_of(path)[0])
        file_format = format_of_file(str(place))
        return cls(place, file_format, source.separator, source.frame, source.labels)

    @classmethod
    def read(cls, path: str, file_format: str, separator: str | None) -> WrittenTable:
        """Read a file that was just written."""
        found = read_file(
            path,
            separator=separator,
            typed=False,
            file_format=file_format,
            may_be_empty=True,
            as_found=True,
        )
        return cls(Path(path), file_format, separator, found.frame, found.labels)


def is_rewritten_alike(table: WrittenTable) -> bool:
    """Return whether a file is what is written of its own cells.

    Notes
    -----
    O(cells), and the bytes of a file that is no text once more in a temporary folder of the
    owner's.
    """
    if separators := FORMATS_BY_NAME[table.file_format].separators:
        with table.path.open("rb") as given:
            text = ComparedText(given)
            separator = table.separator or separators[:1]
            write_text(table.frame, cast("IO[bytes]", text), separator)
            return text.is_alike and not given.read(1)
    frame = from_values(table.frame)
    with TemporaryDirectory() as folder:
        own = Path(folder) / f"again.{table.file_format}"
        write_plain(frame, str(own), table.file_format, table.separator, table.labels)
        return are_alike(table.path, own)


class ComparedText(io.RawIOBase):
    """A file that nothing is written to: what would be is compared with another file.

    Parameters
    ----------
    given : the other file, open at its beginning
    """

    def __init__(self, given: IO[bytes]) -> None:
        super().__init__()
        self.given = given
        self.is_alike = True

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, block: Any) -> int:
        """Compare the next bytes; return their number."""
        own = bytes(block)
        self.is_alike = self.is_alike and self.given.read(len(own)) == own
        return len(own)


def is_of_this_writer(said: Mapping[str, str] | None, file_format: str) -> bool:
    """Return whether a file can be compared: text always, others if the same libraries wrote them.

    Parameters
    ----------
    said : the libraries and their versions, by the manifest; None where nothing says them
    """
    is_text = bool(FORMATS_BY_NAME[file_format].separators)
    return is_text or said is None or said == writers_of(file_format)


def byte_faults(table: WrittenTable) -> Iterator[Fault]:
    """Find a file that holds more than its cells."""
    if not is_rewritten_alike(table):
        yield Fault("file", BESIDE, DISMISS)


def writer_of(manifest: Mapping[str, Any] | None) -> Mapping[str, str] | None:
    """Return the libraries that wrote a release, by its manifest; None without a manifest."""
    if manifest is None:
        return None
    said = manifest["output"].get("writer")
    return cast("Mapping[str, str]", said) if isinstance(said, Mapping) else {}


def are_alike(one: Path, other: Path) -> bool:
    """Compare two files; of archives the members, for compressed bytes differ by library."""
    if zipfile.is_zipfile(other):
        return _are_alike_archives(one, other)
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as first, other.open("rb") as second:
        blocks = (iter(partial(file.read, BLOCK), b"") for file in (first, second))
        return all(this == that for this, that in zip_longest(*blocks))


def from_values(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the same cells in columns that are built from plain numbers and texts."""
    return pl.DataFrame([_from_values(column) for column in frame.iter_columns()])


def _from_values(column: pl.Series) -> pl.Series:
    """Build one column anew; categories become texts, and every NaN the same one."""
    dtype = column.dtype
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        return _copied(column.cast(pl.String))
    if isinstance(dtype, pl.Decimal | pl.Int128 | pl.UInt128):
        return _copied(column.cast(pl.String)).cast(dtype)
    if dtype.is_temporal():
        physical = column.to_physical()
        return pl.Series(column.name, physical.to_list(), physical.dtype).cast(dtype)
    return pl.Series(column.name, column.to_list(), dtype)


def _copied(texts: pl.Series) -> pl.Series:
    """Write each text into new memory, in the order of the rows; beneath missing ones nothing."""
    copied = texts.rechunk().fill_null("") + ""  # an addition copies
    if not texts.null_count():
        return copied
    return copied.zip_with(texts.is_not_null(), pl.Series([None], dtype=pl.String))


def _are_alike_archives(one: Path, other: Path) -> bool:
    """Compare the members of two archives, and all bytes that are not a member's."""
    try:
        with zipfile.ZipFile(one) as given, zipfile.ZipFile(other) as own:
            if [_entry(found) for found in given.infolist()] != [_entry(w) for w in own.infolist()]:
                return False
            if given.comment or not _has_no_gaps(one, given):
                return False
            pairs = zip(given.infolist(), own.infolist(), strict=True)
            return all(given.read(found) == own.read(written) for found, written in pairs)
    except UNREADABLE:
        return False


def _entry(member: zipfile.ZipInfo) -> tuple[object, ...]:
    """Return what an archive says of a member, but for what compression decides."""
    return (
        member.filename, member.date_time, member.compress_type, member.comment, member.extra,
        member.create_system, member.create_version, member.extract_version, member.flag_bits,
        member.volume, member.internal_attr, member.external_attr, member.file_size,
    )  # fmt: skip


def _has_no_gaps(path: Path, archive: zipfile.ZipFile) -> bool:
    """Return whether members and their list fill the file, and headers say what the list says."""
    place = listed = 0
    with path.open("rb") as file:
        for member in archive.infolist():
            if member.header_offset != place:
                return False
            file.seek(place)
            own = _local_header(member)
            if file.read(len(own)) != own:
                return False
            place += len(own) + member.compress_size
            listed += CENTRAL + len(own) - LOCAL
    return archive.start_dir == place and path.stat().st_size == place + listed + END


def _local_header(member: zipfile.ZipInfo) -> bytes:
    """Write what stands before a member, from what the list of the archive says of it."""
    year, month, day, hour, minute, second = member.date_time
    name = member.filename.encode()
    return (
        struct.pack(
            "<4s5H3L2H",
            b"PK\x03\x04", member.extract_version, member.flag_bits, member.compress_type,
            hour << 11 | minute << 5 | second // 2, (year - 1980) << 9 | month << 5 | day,
            member.CRC, member.compress_size, member.file_size, len(name), 0,
        )
        + name
    )  # fmt: skip
