"""Tables in and out: CSV, TSV, Parquet and Arrow files, standard streams, and frames."""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import narwhals.stable.v2 as nw
import polars as pl

from indistinct.core.brief import briefly
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.missing_values import with_one_missing
from indistinct.errors import DataError, EmptyDataError, Fault, OutputError

FORMATS: Mapping[str, str] = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
}
SEPARATORS = ",;\t|"
HIERARCHY_SEPARATORS = ";,\t|"  # where none occurs, the file has one level
STANDARD_STREAM = "-"
SAMPLE_BYTES = 65_536
WIDE = (pl.Int128, pl.UInt128)
MOST_DIGITS = 38  # of a decimal
WHOLE_NUMBER = r"^-?(0|[1-9][0-9]{0,17})$"
WIDE_NUMBER = r"^-?(0|[1-9][0-9]{0,37})$"  # a float would change its last digits
NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
PARSERS: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    WHOLE_NUMBER: lambda column: column.cast(pl.Int64, strict=False),
    WIDE_NUMBER: lambda column: column.cast(pl.Int128, strict=False),
    NUMBER: lambda column: column.cast(pl.Float64, strict=False),
    DATE: lambda column: column.str.to_date("%Y-%m-%d", strict=False),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A table that was read.

    Parameters
    ----------
    frame : its records, types found
    sha256 : hash of the bytes it was read from, or of its content when it came as a frame
    native : the library whose frame it was, to give the same kind back; None for a file
    separator : of a text file
    """

    frame: pl.DataFrame
    sha256: str
    native: Any = None
    separator: str | None = None

    __repr__ = briefly


def read(  # noqa: PLR0913 - each is a keyword of one reading
    data: Any,
    *,
    missing: tuple[str, ...] = ("",),
    separator: str | None = None,
    encoding: str | None = None,
    typed: bool = True,
    file_format: str | None = None,
    may_be_empty: bool = False,
    expected: Collection[str] = (),
) -> Source:
    """Read a table from a path, from standard input (``-``) or from a frame.

    Parameters
    ----------
    data : a path, ``-``, or an eager frame that narwhals knows
    missing : texts that stand for a missing value, in a file or a frame
    separator, encoding : of a text file; found when not given
    typed : find the types of a text file's columns, and write every missing value as null; else
        every cell stays as it is
    file_format : ``csv``, ``tsv``, ``parquet`` or ``arrow``; by the path's ending when not given
    may_be_empty : accept a table without records, as a release may be
    expected : names of columns; with them a text file may be a release of the table that separator
        and encoding describe: text that is UTF-8 is read as such, and it is split by the separator
        that finds most of the names

    Raises
    ------
    DataError
        when the file cannot be read, is ragged, names a column twice or is in another encoding
    EmptyDataError
        when there is no record
    """
    if isinstance(data, str | Path):
        form = file_format or format_of(str(data))
        source = _read_path(str(data), form, separator, encoding, expected)
        _check_names(source.frame.columns)
        if typed and source.separator is not None:
            source = replace(source, frame=_typed(source.frame, missing))
    else:
        source = _from_frame(data)
        _check_names(source.frame.columns)
    if typed:
        source = replace(source, frame=with_one_missing(source.frame, missing))
    if source.frame.width == 0 or (source.frame.height == 0 and not may_be_empty):
        raise EmptyDataError("the table has no records", "Check that this is the right file.")
    _check_cells(source.frame)
    return source


def format_of(path: str) -> str:
    """Give the format that a path's ending names; comma-separated text when it names none."""
    return FORMATS.get(Path(path).suffix.lower(), "csv")


def write(frame: pl.DataFrame, path: str, file_format: str, separator: str | None = None) -> None:
    """Write a frame in a format; see :data:`FORMATS`."""
    if file_format == "parquet":
        for_any_reader(frame).write_parquet(path)
    elif file_format == "arrow":
        for_any_reader(frame).write_ipc(path)
    else:
        default = "\t" if file_format == "tsv" else ","
        as_text(frame).write_csv(path, separator=separator or default)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Give moments and durations as the text that everything else here compares them by."""
    timed = [column for column in frame.iter_columns() if column.dtype.is_temporal()]
    return frame.with_columns(cell_texts(column) for column in timed)


def for_any_reader(frame: pl.DataFrame) -> pl.DataFrame:
    """Give whole numbers of 16 bytes, which only Polars reads, as decimals that others read too.

    No digit is lost: a column with a number of more than 38 digits, which no decimal holds, becomes
    text. Parquet, Arrow, pandas and pyarrow have no such whole numbers.
    """
    wide = [column for column in frame.iter_columns() if isinstance(column.dtype, WIDE)]
    return frame.with_columns(_as_decimal(column) for column in wide)


def _as_decimal(column: pl.Series) -> pl.Series:
    """Give whole numbers as a decimal without a fraction, or as text where they are too long."""
    texts = column.cast(pl.String)
    fits = texts.str.strip_prefix("-").str.len_chars().max()
    is_decimal = not isinstance(fits, int) or fits <= MOST_DIGITS
    return column.cast(pl.Decimal(MOST_DIGITS, 0)) if is_decimal else texts


def to_native(frame: pl.DataFrame, native: Any) -> Any:
    """Give a frame as the library that the input came from has it."""
    if native is None or native is pl:
        return frame
    is_pandas = native.__name__ == "pandas"
    frame = for_any_reader(frame)
    return cast("Any", frame.to_pandas() if is_pandas else frame.to_arrow())


def file_rows(path: Path, separator: str | None) -> list[list[str]]:
    """Read the rows of a small text file without a header; empty lines are skipped.

    Parameters
    ----------
    separator : found by the first line when not given
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline()
        file.seek(0)
        chosen = separator or max(HIERARCHY_SEPARATORS, key=first.count)
        return [row for row in csv.reader(file, delimiter=chosen) if row]


def sha256_of(path: str | Path) -> str:
    """Hash a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def same_file(first: str, second: str) -> bool:
    """Tell whether two paths lead to one file."""
    try:
        return Path(first).samefile(second)
    except OSError:
        return Path(first).absolute() == Path(second).absolute()


def check_output(path: str, source: object) -> None:
    """Refuse an output path that is the input, or whose folder cannot be written to."""
    if path == STANDARD_STREAM:
        return
    if isinstance(source, str | Path) and same_file(path, str(source)):
        raise OutputError("the output path is the input", "Choose another path for the release.")
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise OutputError(f"the folder {folder} does not exist", "Make it first.")
    if Path(path).is_dir():
        raise OutputError(f"{path} is a folder", "Name a file.")


def _check_names(names: Iterable[str]) -> None:
    """Refuse names that Polars takes for patterns, wherever a column is called by its name."""
    faults = [
        Fault(
            f"columns.{name}",
            "has a name that begins with ^ and ends with $, which is read as a pattern",
            "Rename it.",
        )
        for name in names
        if name.startswith("^") and name.endswith("$")
    ]
    if faults:
        raise DataError(faults)


def _check_cells(frame: pl.DataFrame) -> None:
    """Refuse cells that are no single value, and numbers without end."""
    faults = [
        Fault(f"columns.{name}", "holds lists or records in its cells", "Unfold it into columns.")
        for name, dtype in frame.schema.items()
        if dtype.is_nested() or dtype.is_object() or dtype == pl.Binary
    ]
    faults += [
        Fault(f"columns.{name}", f"{count} numbers are infinite", "Write them as missing.")
        for name, dtype in frame.schema.items()
        if dtype.is_float() and (count := int(frame[name].is_infinite().sum() or 0))
    ]
    if faults:
        raise DataError(faults)


def _read_path(
    path: str,
    file_format: str,
    separator: str | None,
    encoding: str | None,
    expected: Collection[str],
) -> Source:
    """Read a file or standard input, cells of text files as they are written."""
    content = _bytes(path)
    digest = hashlib.sha256(content).hexdigest()
    if file_format in {"parquet", "arrow"}:
        return Source(_read_binary(path, content, file_format), digest)
    text = _decoded(path, content, None if expected and _is_utf8(content) else encoding)
    by_ending = "\t" if file_format == "tsv" else _separator(text)
    chosen = separator or by_ending
    if expected:
        # The first of the best: what was said of the input, then what the ending says.
        found = (chosen, by_ending, *SEPARATORS)
        chosen = max(found, key=lambda mark: len({*_header(path, text, mark)} & {*expected}))
    return Source(_read_text(path, text, chosen), digest, separator=chosen)


def _bytes(path: str) -> bytes:
    """Take in a whole file or standard input."""
    if path == STANDARD_STREAM:
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise DataError(
            [Fault(path, f"cannot be read: {error.strerror}", "Check the path.")]
        ) from None


def _read_binary(path: str, content: bytes, file_format: str) -> pl.DataFrame:
    """Read Parquet or Arrow."""
    reader = pl.read_parquet if file_format == "parquet" else pl.read_ipc
    try:
        return reader(io.BytesIO(content))
    except (pl.exceptions.PolarsError, OSError):
        raise DataError(
            [Fault(path, f"is no {file_format.capitalize()} file", "Check the file's ending.")]
        ) from None


def _decoded(path: str, content: bytes, encoding: str | None) -> bytes:
    """Give text as UTF-8 bytes; Windows and Latin text needs to be named."""
    if encoding is None and content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        if encoding is None or encoding.lower().replace("_", "-") in {"utf-8", "utf8"}:
            content.decode("utf-8")
            return content.removeprefix(b"\xef\xbb\xbf")
        return content.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            [
                Fault(
                    path,
                    f"is not {encoding or 'UTF-8'} (line {line})",
                    "Name the encoding: data.encoding in the policy.",
                )
            ]
        ) from None
    except LookupError:
        raise DataError(
            [Fault("data.encoding", "is not a known encoding", "Try latin-1 or cp1252.")]
        ) from None


def _is_utf8(content: bytes) -> bool:
    """Tell whether bytes are text as a release is written; UTF-16 has bytes of zero."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _separator(text: bytes) -> str:
    """Find the separator: the candidate that the header has most."""
    header = text[:SAMPLE_BYTES].split(b"\n", 1)[0].decode("utf-8", "replace")
    return max(SEPARATORS, key=header.count)


def _read_text(path: str, text: bytes, separator: str) -> pl.DataFrame:
    """Read separated text, every cell as it is written."""
    header = _header(path, text, separator)
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise DataError(
            [Fault(f"column {name}", "is named twice", "Rename one of them.") for name in twice]
        )
    if not header:
        raise EmptyDataError("the file is empty", "Check that this is the right file.")
    try:
        _check_ragged(path, text, separator, len(header))
        frame = pl.read_csv(
            io.BytesIO(text), separator=separator, infer_schema=False, truncate_ragged_lines=False
        )
    except (pl.exceptions.PolarsError, csv.Error):
        raise _malformed(path) from None
    if frame.width == len(header):
        frame.columns = header  # Polars leaves the quotes inside a quoted name doubled.
    return frame


def _header(path: str, text: bytes, separator: str) -> list[str]:
    """Read the names of the columns from the beginning of a text."""
    beginning = io.StringIO(text[:SAMPLE_BYTES].decode("utf-8", "ignore"))
    nothing: list[str] = []
    try:
        return next(csv.reader(beginning, delimiter=separator), nothing)
    except csv.Error:
        raise _malformed(path) from None


def _malformed(path: str) -> DataError:
    """Say that a text is no table."""
    return DataError(
        [Fault(path, "is no well-formed separated text", "Check quotes and separators.")]
    )


def _check_ragged(path: str, text: bytes, separator: str, n_columns: int) -> None:
    """Refuse lines with too few or too many cells, all of them named at once.

    Without quotes a line's cells are its separators plus one; with quotes the text is parsed.
    """
    if b'"' not in text:
        lines = pl.Series(text.decode("utf-8").rstrip("\r\n").split("\n"))
        cells = lines.str.count_matches(separator, literal=True) + 1
        filled = lines.str.strip_chars("\r") != ""
        wrong = ((cells != n_columns) & (filled | (n_columns > 1))).arg_true().to_list()
        numbers = [index + 1 for index in wrong]
    else:
        rows = csv.reader(io.StringIO(text.decode("utf-8")), delimiter=separator)
        numbers = [
            number for number, row in enumerate(rows, start=1) if row and len(row) != n_columns
        ]
    if numbers:
        listed = ", ".join(str(number) for number in numbers[:5])
        raise DataError(
            [
                Fault(
                    path,
                    f"{len(numbers)} lines do not have {n_columns} cells (lines {listed})",
                    "Mend these lines, or name the separator.",
                )
            ]
        )


def _typed(frame: pl.DataFrame, missing: tuple[str, ...]) -> pl.DataFrame:
    """Find the type of each column: whole numbers, numbers, dates, else text.

    A text with leading zeros stays text: it is a code, and its zeros are part of it.
    """
    tokens = [token for token in missing if token]
    if tokens:
        frame = frame.with_columns(
            pl.when(pl.all().is_in(tokens)).then(None).otherwise(pl.all()).name.keep()
        )
    return frame.with_columns(_typed_column(frame[name]) for name in frame.columns)


def _typed_column(column: pl.Series) -> pl.Series:
    """Find the type of one column."""
    known = column.drop_nulls()
    if known.is_empty():
        return column
    for pattern, parse in PARSERS.items():
        if not known[:100].str.contains(pattern).all() or not known.str.contains(pattern).all():
            continue
        typed = parse(column)
        if typed.null_count() == column.null_count():
            return typed
    return column


def _from_frame(data: Any) -> Source:
    """Take a frame of any library that narwhals knows."""
    try:
        frame = nw.from_native(data, eager_only=True)
    except nw.exceptions.DuplicateError:
        raise DataError("a column is named twice", "Rename one of them.") from None
    except TypeError:
        raise DataError(
            "this is neither a path nor a frame that is known",
            "Give a path, or an eager frame of Polars, pandas or pyarrow.",
        ) from None
    names = list(frame.columns)
    if len(set(names)) < len(names):
        raise DataError("a column is named twice", "Rename one of them.")
    native = nw.get_native_namespace(frame)
    polars = frame.to_polars() if native is not pl else data
    content = hashlib.sha256(polars.hash_rows(seed=0).to_numpy().tobytes()).hexdigest()
    return Source(polars, content, native)


def sha256_of_text(text: str) -> str:
    """Hash a text as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
