"""The formats of files that tables come from and go to: an entry each, and nothing elsewhere.

The bytes of a Parquet file follow from its cells and the version of Polars. Pages and statistics
are Polars' own; the name of the program that wrote the file, in which Polars puts its version and
build, is replaced by a constant. The first bytes of a file say what it is, whatever its ending
says.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO

import polars as pl

from indistinct.base.files.text import SEPARATORS, line_at
from indistinct.errors import DataError, EmptyDataError, Fault, OutputError
from indistinct.tables.frames.texts import (
    cell_texts,
    is_rewritten,
    midnights_as_days,
    texts_of_categories,
)
from indistinct.tables.reading.declared_formats import SAMPLE
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.reading.statistical import Labels, labels_of, reader, write_dta, write_sav
from indistinct.tables.reading.workbooks import NAMED_SHEET, read_workbook, write_workbook

WIDE = (pl.Int128, pl.UInt128)
MOST_DIGITS = 38  # of a decimal


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Parameters
    ----------
    name : what commands and messages call it
    endings : of paths, in small letters
    write : writes a frame to a path; the separator is that of a text format, else empty. None
        where ``write_labelled`` does it, or the format is only read
    read : reads a file that knows its types; None for text, whose cells are typed afterwards
    separators : of a text format, those that its header may have; it is written with the first
        unless another is asked for
    labels : reads what the file says of its columns
    write_labelled : writes a frame to a path, with the labels of what it shows
    has_lists : whether a cell may be a list
    written_by : the libraries whose versions decide about the bytes of a file
    """

    name: str
    endings: tuple[str, ...]
    write: Callable[[pl.DataFrame, str, str], None] | None = None
    read: Callable[[IO[bytes]], pl.DataFrame] | None = None
    separators: str = ""
    labels: Callable[[IO[bytes]], Labels] | None = None
    write_labelled: Callable[[pl.DataFrame, str, Labels], None] | None = None
    has_lists: bool = False
    written_by: tuple[str, ...] = ("polars",)

    @property
    def is_written(self) -> bool:
        """Whether a table can be written in it."""
        return self.write is not None or self.write_labelled is not None


def write_text(frame: pl.DataFrame, path: str | IO[bytes], separator: str) -> None:
    """Write separated text."""
    as_text(frame).write_csv(path, separator=separator)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Return numbers, moments and durations as the texts of their keys."""
    columns = [column for column in frame.iter_columns() if is_rewritten(column.dtype)]
    return frame.with_columns(cell_texts(midnights_as_days(column)) for column in columns)


def for_any_reader(frame: pl.DataFrame) -> pl.DataFrame:
    """Return whole numbers of 16 bytes, which only Polars reads, as decimals that others read too.

    No digit is lost: a column with a number of more than 38 digits, which no decimal holds, becomes
    text. Parquet, Arrow, pandas and pyarrow have no such whole numbers.
    """
    wide = [column for column in frame.iter_columns() if isinstance(column.dtype, WIDE)]
    return frame.with_columns(_as_decimal(column) for column in wide)


def _as_decimal(column: pl.Series) -> pl.Series:
    """Return whole numbers as a decimal without a fraction, or as text where they are too long."""
    return column.cast(pl.Decimal(MOST_DIGITS, 0) if fits_decimal(column) else pl.String)


def fits_decimal(column: pl.Series) -> bool:
    """Return whether no whole number of a column has more digits than a decimal holds."""
    longest = column.cast(pl.String).str.strip_prefix("-").str.len_chars().max()
    return not isinstance(longest, int) or longest <= MOST_DIGITS


FORMATS = (
    Format("csv", (".csv", ".txt"), write_text, separators=SEPARATORS),
    Format("tsv", (".tsv", ".tab"), write_text, separators="\t"),
    Format(
        "parquet",
        (".parquet", ".pq"),
        lambda frame, path, _: write_parquet(for_any_reader(frame), path),
        pl.read_parquet,
        has_lists=True,
    ),
    Format(
        "arrow",
        (".arrow", ".ipc", ".feather"),
        lambda frame, path, _: rebuilt(for_any_reader(frame)).write_ipc(path),
        pl.read_ipc,
        has_lists=True,
    ),
    Format("xlsx", (".xlsx",), write_workbook, read_workbook, written_by=("xlsxwriter",)),
    Format(
        "sav",
        (".sav", ".zsav"),
        read=reader("sav"),
        labels=labels_of("sav"),
        write_labelled=write_sav,
        written_by=("pyreadstat",),
    ),
    Format(
        "dta",
        (".dta",),
        read=reader("dta"),
        labels=labels_of("dta"),
        write_labelled=write_dta,
        written_by=("pyreadstat",),
    ),
    Format("sas7bdat", (".sas7bdat",), read=reader("sas7bdat"), labels=labels_of("sas7bdat")),
    Format("xpt", (".xpt",), read=reader("xport"), labels=labels_of("xport")),
)
# Endings that promise another kind of file than text with separators, and what each is called.
OTHER_KINDS = {
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "JSON"),
    **dict.fromkeys((".xls", ".xlsb", ".xlsm"), "an Excel workbook of another form than .xlsx"),
    ".ods": "an OpenDocument spreadsheet",
    ".por": "an SPSS portable file",
    **dict.fromkeys((".rds", ".rda", ".rdata"), "an R file"),
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), "an SQLite database"),
    ".duckdb": "a DuckDB database",
    **dict.fromkeys((".orc", ".avro"), "a file of a Hadoop format"),
    ".xml": "XML",
}
# What to give instead of the path of a database.
ADDRESSES = {
    "an SQLite database": "Give the address of a table in it: sqlite:///PATH?table=NAME.",
    "a DuckDB database": "Give the address of a table in it: duckdb:///PATH?table=NAME.",
}
FORMATS_BY_NAME = {form.name: form for form in FORMATS}
FORMATS_BY_ENDING = {ending: form for form in FORMATS for ending in form.endings}


def format_of_file(path: str) -> str:
    """Return the format that a path's ending names; comma-separated text when it names none."""
    return FORMATS_BY_ENDING.get(Path(path).suffix.lower(), FORMATS[0]).name


def check_read(path: str) -> None:
    """Refuse the ending of a kind of file that is not read, before it is taken for text."""
    if "://" in path:  # the address is not shown, since it may hold a password
        raise DataError(
            "the address is not one of a database or a storage that tables are read from",
            "Give the path of a file, or an address that begins with duckdb://, sqlite://, "
            "postgresql:// or s3://.",
        )
    kind = OTHER_KINDS.get(Path(path).suffix.lower())
    if kind is not None:
        raise DataError(
            [
                Fault(
                    path,
                    f"is {kind} by its ending, which is not read",
                    ADDRESSES.get(kind, "Save it as CSV or Parquet."),
                    code="ending-not-read",
                    parts={"kind": kind},
                )
            ]
        )


def check_written(path: str) -> None:
    """Refuse the ending of a format that is only read, or of a kind that is not written."""
    if NAMED_SHEET.fullmatch(path):
        raise OutputError(
            "a release is written to a workbook of its own, not to a sheet of one",
            "Leave out the # and what is behind it.",
        )
    kind = OTHER_KINDS.get(Path(path).suffix.lower())
    if kind is not None:
        raise OutputError(
            f"{Path(path).name} is {kind} by its ending, which is not written",
            f"Choose one of {_endings_written()}.",
        )
    form = FORMATS_BY_NAME[format_of_file(path)]
    if not form.is_written:
        raise OutputError(
            f"files of the form .{form.name} can be read, but not written",
            f"Choose one of {_endings_written()}.",
        )


def _endings_written() -> str:
    """List the endings that a table can be written with."""
    return ", ".join(one.endings[0] for one in FORMATS if one.is_written)


def writers_of(file_format: str) -> dict[str, str]:
    """Return the libraries that decide about the bytes of a file, each with its version."""
    return {name: version(name) for name in FORMATS_BY_NAME[file_format].written_by}


def write_file(
    frame: pl.DataFrame,
    path: str,
    file_format: str,
    separator: str | None = None,
    labels: Labels | None = None,
) -> None:
    """Write a frame in a format; see :data:`FORMATS`. Categories become texts."""
    frame = frame.with_columns(texts_of_categories())
    if not FORMATS_BY_NAME[file_format].separators:  # text holds the cells alone, and no memory
        frame = rebuilt(frame)
    write_plain(frame, path, file_format, separator, labels)


def write_plain(
    frame: pl.DataFrame,
    path: str,
    file_format: str,
    separator: str | None = None,
    labels: Labels | None = None,
) -> None:
    """Write a frame without categories, whose memory holds its cells alone."""
    form = FORMATS_BY_NAME[file_format]
    if form.write_labelled is not None:
        form.write_labelled(frame, path, labels or Labels())
    elif form.write is not None:
        form.write(frame, path, separator or form.separators[:1])


ROW_GROUP = 122_880  # rows
TAIL = 8  # bytes behind the footer: its length and the mark of the format
# Field 6 of FileMetaData (Apache Parquet format, parquet.thrift) in Thrift's compact protocol: its
# header, the length of the text, the text.
CREATED_BY = re.compile(rb"\x18([\x00-\x7f])(?=Polars)")
WRITER = b"indistinct"


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame."""
    frame.write_parquet(path, row_group_size=ROW_GROUP)
    _name_writer(Path(path))


def sink_parquet(lazy: pl.LazyFrame, path: str | Path) -> None:
    """Write a lazy frame, part by part; the bytes are those of :func:`write_parquet`."""
    lazy.sink_parquet(path, row_group_size=ROW_GROUP, engine="streaming")
    _name_writer(Path(path))


def _name_writer(path: Path) -> None:
    """Replace what the footer says of the program that wrote the file by a constant."""
    with path.open("r+b") as file:
        file.seek(-TAIL, 2)
        tail = file.read(TAIL)
        length = int.from_bytes(tail[:4], "little")
        start = file.seek(-TAIL - length, 2)
        footer = file.read(length)
        found = list(CREATED_BY.finditer(footer))
        if not found:
            return
        begin, end = found[-1].start(), found[-1].end() + found[-1][1][0]
        said = b"\x18" + bytes([len(WRITER)]) + WRITER
        footer = footer[:begin] + said + footer[end:]
        file.seek(start)
        file.truncate()
        file.write(footer + len(footer).to_bytes(4, "little") + tail[4:])


SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
# What a message calls the kind, the formats that read it, and its first bytes.
SIGNATURES: tuple[tuple[str, tuple[str, ...], bytes], ...] = (
    ("a Parquet file", ("parquet",), b"PAR1"),
    ("an Arrow file", ("arrow",), b"ARROW1"),
    ("an SPSS file", ("sav",), b"$FL2@(#)"),
    ("a compressed SPSS file", ("sav",), b"$FL3@(#)"),
    ("a Stata file", ("dta",), b"<stata_dta>"),
    ("a SAS file", ("sas7bdat",), SAS),
    ("a SAS transport file", ("xpt",), b"HEADER RECORD*******LIB"),
    ("an Excel workbook, or a ZIP archive", ("xlsx",), b"PK\x03\x04"),
    (
        "an Excel workbook of the old form (.xls), or one with a password",
        (),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ),
    ("compressed with gzip", (), b"\x1f\x8b\x08"),
    ("compressed with Zstandard", (), b"\x28\xb5\x2f\xfd"),
    *(("compressed with bzip2", (), b"BZh%d1AY&SY" % level) for level in range(1, 10)),
    ("compressed with xz", (), b"\xfd7zXZ\0"),
    ("compressed with lzip", (), b"LZIP\x01"),
    ("compressed with LZ4", (), b"\x04\x22\x4d\x18"),
    ("compressed with compress", (), b"\x1f\x9d"),
    ("a 7-Zip archive", (), b"7z\xbc\xaf\x27\x1c"),
    ("a RAR archive", (), b"Rar!\x1a\x07"),
    ("an empty ZIP archive", (), b"PK\x05\x06"),
    ("a PDF document", (), b"%PDF-"),
    ("a document in rich text", (), b"{\\rtf"),
    ("a PNG picture", (), b"\x89PNG"),
    ("a JPEG picture", (), b"\xff\xd8\xff"),
    ("a GIF picture", (), b"GIF89a"),
    ("a GIF picture", (), b"GIF87a"),
    ("a TIFF picture", (), b"II*\0"),
    ("a TIFF picture", (), b"MM\0*"),
    ("an HDF5 file", (), b"\x89HDF\r\n\x1a\n"),
    ("an Arrow file of the first version of Feather", (), b"FEA1"),
    ("a file of a Hadoop format", (), b"Obj\x01"),
    ("a program", (), b"\x7fELF"),
    ("an SQLite database", (), b"SQLite format 3\0"),
)
COMPRESSED = frozenset(
    {
        ".gz",
        ".bz2",
        ".xz",
        ".lz",
        ".lz4",
        ".z",
        ".zst",
        ".7z",
        ".rar",
        ".zip",
        ".tgz",
        ".tbz",
        ".txz",
    }
)
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # bytes that no text has but by an accident
MOST_BINARY, MOST_MARKS = 0.005, 8  # share and number of them in a text
LEAST_WIDE = 0.3  # of the letters, whose second byte is zero
OLD_STATA = range(0x66, 0x76)  # first byte of Stata's forms 102 to 117, before they had names


def check_signature(called: str, content: bytes, name: str, *, is_text: bool) -> None:
    """Refuse a file whose content is not what its ending says.

    Parameters
    ----------
    called : what a message names the file
    content : its bytes
    name : of the format that its ending names
    is_text : whether that is a format of text

    Raises
    ------
    DataError
        when it is a file of another kind
    """
    if not content and not is_text:
        raise EmptyDataError(
            "the file is empty", "Check that this is the right file.", code="empty-file"
        )
    found = kind_of(content)
    if found is None:
        if is_text:
            _check_text(called, content)
            return
        if _is_old_stata(content, name):
            return
        problem = f"is not what its ending says: its first bytes are not those of .{name}"
        code, kind = "not-by-its-bytes", name
    elif name in found[1]:
        return
    elif Path(called).suffix.lower() in COMPRESSED:
        problem = f"is {found[0]}"
        code, kind = "packed-file", found[0]
    else:
        problem = f"is not what its ending says: it is {found[0]}"
        code, kind = "of-another-kind" if found[1] else "not-a-table", found[0]
    parts = {"kind": kind, "ending": next(iter(found[1]), "") if found else name}
    raise DataError([Fault(called, problem, _remedy(found), code=code, parts=parts)])


def kind_of(content: bytes) -> tuple[str, tuple[str, ...]] | None:
    """Return what the first bytes are a file of, and which formats read it; None where nothing."""
    for kind, formats, beginning in SIGNATURES:
        if content.startswith(beginning):
            return kind, formats
    return None


def _is_old_stata(content: bytes, name: str) -> bool:
    """Return whether bytes begin as a file of Stata before form 117, whose mark is two numbers."""
    return name == "dta" and content[:1] != b"" and content[0] in OLD_STATA and content[1] in {1, 2}


def _remedy(found: tuple[str, tuple[str, ...]] | None) -> str:
    """Return what to do."""
    if found is not None and found[1]:
        return f"Rename it so that it ends in .{found[1][0]}."
    if found is None:
        return "Check that this is the right file, and give it the ending of its format."
    return "Unpack it first, or save it as CSV, Parquet or .xlsx."


def _check_text(called: str, content: bytes) -> None:
    """Refuse bytes that are no text in any encoding: those of a picture, a program or an archive.

    A text of UTF-16 has a byte of zero in every letter of English, and is told by its encoding.
    """
    if content[8:12] == b"DUCK":
        problem = "is not what its ending says: it is a DuckDB database"
        remedy = ADDRESSES["a DuckDB database"]
        raise DataError([Fault(called, problem, remedy, code="database-as-text")])
    sample = content[:SAMPLE]
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or _has_wide_letters(sample):
        return
    found = [one.start() for one in BINARY.finditer(sample)]
    if len(found) > max(MOST_BINARY * len(sample), MOST_MARKS):
        problem = (
            f"is not a text: it has bytes that stand in no text (line {line_at(sample, found[0])})"
        )
        remedy = "Check that this is the right file and that it is whole."
        parts = {"line": line_at(sample, found[0])}
        raise DataError([Fault(called, problem, remedy, code="not-a-text", parts=parts)])


def _has_wide_letters(sample: bytes) -> bool:
    """Return whether letters of two or four bytes would explain the bytes of zero."""
    size = max(len(sample) // 2, 1)
    shares = [sample[start::2].count(0) / size for start in (0, 1)]
    return max(shares) > LEAST_WIDE
