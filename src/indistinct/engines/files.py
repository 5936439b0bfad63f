"""Tables in and out: CSV, TSV, Parquet and Arrow files, standard streams, and frames."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.core.brief import short_repr
from indistinct.core.confidential import refuse_obstacle
from indistinct.core.panics import panics_as
from indistinct.engines.addresses import file_of, is_address, read_address
from indistinct.engines.arrow_types import check_types, without_extensions
from indistinct.engines.column_types import with_types
from indistinct.engines.encodings import UTF_8, decoded
from indistinct.engines.formats import (
    FORMATS_BY_NAME,
    Format,
    as_text,
    check_read,
    check_signature,
    check_written,
    format_of,
    write,
    writers_of,
)
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.native_frames import Native, from_native, to_native
from indistinct.engines.places import same_file, sha256_of
from indistinct.engines.plain_columns import PlainColumns, mark_of_text
from indistinct.engines.reading import NOTHING_FOUND, FoundReading, Reading
from indistinct.engines.set_forms import NO_SETS, SetForms, are_lists, taken_in
from indistinct.engines.statistical import Labels
from indistinct.engines.text import (
    SEPARATORS,
    STANDARD_STREAM,
    as_utf8,
    content_of,
    file_rows,
    header_of,
    is_utf8,
    separator_of,
    without_mark,
)
from indistinct.engines.text_frames import read_text
from indistinct.engines.text_layout import QUOTE, usual_layout
from indistinct.engines.workbooks import read_workbook, sheet_of
from indistinct.errors import DataError, EmptyDataError, Fault, OutputError

__all__ = [
    "STANDARD_STREAM",
    "TableFile",
    "as_text",
    "check_output",
    "check_table_output",
    "file_rows",
    "format_of",
    "read",
    "same_file",
    "sha256_of",
    "sha256_of_text",
    "to_native",
    "write",
    "writers_of",
]


WITHOUT_TYPES = {"xlsx"}  # besides texts: each cell has a type, and no column
UNFOLD = 'Give the column type = "set" if it has lists of items, else unfold it into columns.'


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table that was read.

    Parameters
    ----------
    frame : its records, types found
    sha256 : hash of the bytes it was read from, or of its content when it came as a frame
    native : what to give back where it was a frame; None for a file
    separator : of a text file
    labels : what a statistics file says of its columns
    lists : of the columns that had lists in their cells, the separator between the items now
    has_types : whether the file or frame says the types of its columns; else its cells decide them
    found : how it was read, as far as it is not what every reader takes for granted
    """

    frame: pl.DataFrame
    sha256: str
    native: Native | None = None
    separator: str | None = None
    labels: Labels | None = None
    lists: Mapping[str, str] = field(default_factory=dict[str, str])
    has_types: bool = True
    found: FoundReading = NOTHING_FOUND

    __repr__ = short_repr


def read(  # noqa: PLR0913 - each is a keyword of one reading
    data: Any,
    *,
    missing: tuple[str, ...] = ("",),
    separator: str | None = None,
    reading: Reading | None = None,
    typed: bool = True,
    file_format: str | None = None,
    may_be_empty: bool = False,
    expected: Collection[str] = (),
    sets: SetForms = NO_SETS,
    as_found: bool = False,
) -> TableFile:
    """Read a table from a path, a database, standard input (``-``) or a frame.

    Parameters
    ----------
    data : a path, ``-``, the address of a table in a database, or an eager frame that narwhals
        knows; the path of a workbook may end with ``#`` and the name of a sheet
    missing : texts that stand for a missing value, in a file or a frame
    separator : of a text file; found when not given
    reading : how a table that a release is made from is read; what it does not say is found. Left
        out, a text file is one that a program wrote: UTF-8, a header and records
    typed : find the types of a text file's columns, and write every missing value as null; else
        every cell stays as it is
    file_format : the name of a format; by the path's ending when not given
    may_be_empty : accept a table without records, as a release may be
    expected : names of columns; with them a text file may be a release of the table that the
        reading describes: text that is UTF-8 and has them in its first line is read as such, and it
        is split by the separator that finds most of the names
    sets : the form of columns of sets, whose cells stay texts
    as_found : leave lists and a row per item as they are in the file

    Raises
    ------
    DataError
        when the file cannot be read, is ragged, names a column twice or is in another encoding
    EmptyDataError
        when there is no record
    """
    if isinstance(data, str) and is_address(data):
        frame = read_address(data)
        source = TableFile(frame, _hash_of(frame))
        _check_names(frame.columns)
    elif isinstance(data, str | Path):
        path, sheet = sheet_of(str(data))
        if file_format is None:
            check_read(path)
        form = FORMATS_BY_NAME[file_format or format_of(path)]
        if sheet is not None:
            form = replace(form, read=partial(read_workbook, sheet=sheet))
        said = () if reading is None else reading.texts
        texts = tuple(dict.fromkeys((*sets.separators, *said)))
        found_types = partial(_with_types, missing=missing, texts=texts) if typed else None
        source = _read_path(path, form, separator, reading, expected, found_types, missing)
        source = replace(source, has_types=not form.separators and form.name not in WITHOUT_TYPES)
        _check_names(source.frame.columns)
    else:
        frame, native = from_native(data)
        source = TableFile(frame, _hash_of(frame), native)
        _check_names(frame.columns)
    if not as_found:
        frame, lists = taken_in(source.frame, sets, missing, is_file=source.native is None)
        source = replace(source, frame=frame, lists=lists)
    if typed:
        source = replace(source, frame=with_one_missing(source.frame, missing))
    if source.frame.width == 0 or (source.frame.height == 0 and not may_be_empty):
        raise EmptyDataError("the table has no records", "Check that this is the right file.")
    _check_cells(source.frame, as_found=as_found)
    return source


def check_output(path: str, source: object, *, private: bool = False) -> None:
    """Refuse an output path that is the input, or whose folder cannot be written to.

    Parameters
    ----------
    private : the file is for the owner alone: nothing but a file of this user may stand there
    """
    if path == STANDARD_STREAM:
        return
    if private and "://" not in path:
        refuse_obstacle(Path(path))
    if isinstance(source, str) and is_address(source):
        source = file_of(source)
    if isinstance(source, str | Path) and same_file(path, sheet_of(str(source))[0]):
        raise OutputError("the output path is the input", "Choose another path for the release.")
    if "://" in path:  # the address is not shown, since it may hold a password
        raise OutputError(
            "the release of a table that is read whole is written to a file, not to an address",
            "Name a file. A table of DuckDB or PostgreSQL can be released into a table of the same "
            "kind of database: give both addresses.",
        )
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise OutputError(f"the folder {folder} does not exist", "Make it first.")
    if Path(path).is_dir():
        raise OutputError(f"{path} is a folder", "Name a file.")


def check_table_output(path: str, source: object) -> None:
    """Refuse what :func:`check_output` refuses, and an ending that no table is written with."""
    check_output(path, source)
    if path != STANDARD_STREAM:
        check_written(path)


def _with_types(
    frame: pl.DataFrame, missing: tuple[str, ...], texts: tuple[str, ...]
) -> pl.DataFrame:
    """Find the types of columns whose names can be used; else Polars fails at the first of them."""
    _check_names(frame.columns)
    kept = [frame[name] for name in texts if name in frame.columns]
    return with_types(frame, missing).with_columns(kept)


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


def _check_cells(frame: pl.DataFrame, *, as_found: bool) -> None:
    """Refuse cells that are no single value, and numbers without end."""
    faults = [
        Fault(f"columns.{name}", "holds lists or records in its cells", UNFOLD)
        for name, dtype in frame.schema.items()
        if (dtype.is_nested() or dtype.is_object() or dtype == pl.Binary)
        and not (as_found and are_lists(dtype))
    ]
    faults += [
        Fault(f"columns.{name}", f"{count} numbers are infinite", "Write them as missing.")
        for name, dtype in frame.schema.items()
        if dtype.is_float() and (count := int(frame[name].is_infinite().sum() or 0))
    ]
    if faults:
        raise DataError(faults)


def _read_path(  # noqa: PLR0913, PLR0917 - each says how it is read
    path: str,
    form: Format,
    separator: str | None,
    reading: Reading | None,
    expected: Collection[str],
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None,
    missing: tuple[str, ...],
) -> TableFile:
    """Read a file or standard input; cells of text files as they are written, or typed."""
    content = content_of(path, path)
    digest = hashlib.sha256(content).hexdigest()
    check_signature(path, content, form.name, is_text=form.read is None)
    if form.read is not None:
        check_types(io.BytesIO(content), form.name)
        try:
            with panics_as(OSError):
                labels = None if form.labels is None else form.labels(io.BytesIO(content))
                frame = without_extensions(form.read(io.BytesIO(content)))
                return TableFile(frame, digest, labels=labels)
        except (pl.exceptions.PolarsError, OSError):
            problem = f"cannot be read as a file of the format .{form.name}"
            raise DataError([Fault(path, problem, "Check that the file is whole.")]) from None
    if reading is None:
        text = as_utf8(path, content)
        chosen = separator or separator_of(text, form.separators)
        _check_names(header_of(path, text, chosen))
        return TableFile(read_text(path, text, chosen, typed), digest, separator=chosen)
    reading = replace(reading, separator=separator or reading.separator)
    if expected and is_utf8(content):
        reading = _of_release(path, content, form, reading, expected)
    return replace(_read_found(path, content, form, reading, typed, missing), sha256=digest)


def _of_release(
    path: str, content: bytes, form: Format, reading: Reading, expected: Collection[str]
) -> Reading:
    """Return how a text is read that has some names in its first line, as a release has them."""
    text = without_mark(content)
    by_ending = separator_of(text, form.separators)
    # The first of the best: what was said of the input, then what the ending says.
    found = (reading.separator or by_ending, by_ending, *SEPARATORS)
    names = {mark: {*header_of(path, text, mark)} & {*expected} for mark in found}
    chosen = max(found, key=lambda mark: len(names[mark]))
    if not names[chosen]:
        return reading
    return replace(
        reading,
        encoding=UTF_8,
        separator=chosen,
        quote=QUOTE,
        header=1,
        skip_rows=0,
        skip_last=0,
    )


def _read_found(  # noqa: PLR0913, PLR0917 - each says how it is read
    path: str,
    content: bytes,
    form: Format,
    reading: Reading,
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None,
    missing: tuple[str, ...],
) -> TableFile:
    """Read a text file as it is said, and as it is found where nothing is said."""
    text, encoding = decoded(path, content, reading.encoding)
    layout = usual_layout(path, text, reading, form.separators)
    _check_names(layout.header)
    words, reasons = layout.words, layout.reasons
    if encoding != UTF_8:
        words["encoding"] = encoding
        reasons["encoding"] = "Its bytes are not UTF-8, and become letters and signs in this one."
    decimal, why = mark_of_text(layout.text, layout.separator)
    if decimal == ",":
        words["decimal"], reasons["decimal"] = decimal, why
    columns = PlainColumns(reading, missing, decimal, layout.line)
    read = partial(columns.all_plain, typed=typed)
    frame = read_text(path, layout.text, layout.separator, read, layout.header)
    found = FoundReading(words, reasons, columns.found)
    return TableFile(frame, "", separator=layout.separator, found=found)


def _hash_of(frame: pl.DataFrame) -> str:
    """Hash the content of a frame."""
    return hashlib.sha256(frame.hash_rows(seed=0).to_numpy().tobytes()).hexdigest()


def sha256_of_text(text: str) -> str:
    """Hash a text as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
