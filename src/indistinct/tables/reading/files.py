"""Tables in and out: CSV, TSV, Parquet and Arrow files, standard streams, and frames."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from indistinct.base.cells.missing_words import MissingWords
from indistinct.base.files.confidential import refuse_obstacle
from indistinct.base.files.text import (
    STANDARD_STREAM,
    file_rows,
)
from indistinct.errors import DataError, EmptyDataError, Fault, OutputError
from indistinct.tables.frames.set_forms import NO_SETS, SetForms, are_lists, taken_in
from indistinct.tables.reading.addresses import file_of, is_address, read_address
from indistinct.tables.reading.column_types import with_types, with_types_of_texts
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.file_contents import (
    check_names,
    in_types,
    read_found_workbook,
    read_path,
    with_odd_cells,
    with_plain_texts,
)
from indistinct.tables.reading.formats import (
    FORMATS_BY_NAME,
    as_text,
    check_read,
    check_written,
    format_of_file,
    write_file,
    writers_of,
)
from indistinct.tables.reading.missing_values import with_one_missing
from indistinct.tables.reading.native_frames import from_native, to_native
from indistinct.tables.reading.odd_cells import HELD, REMEDIES, odd_kind
from indistinct.tables.reading.places import same_file, sha256_of
from indistinct.tables.reading.table_file import TableFile, with_codes
from indistinct.tables.reading.workbooks import read_workbook, sheet_of

__all__ = [
    "STANDARD_STREAM",
    "TableFile",
    "as_text",
    "check_output",
    "check_table_output",
    "file_rows",
    "format_of_file",
    "read_file",
    "same_file",
    "sha256_of",
    "sha256_of_text",
    "to_native",
    "write_file",
    "writers_of",
]


WITHOUT_TYPES = {"xlsx"}  # besides texts: each cell has a type, and no column


def read_file(  # noqa: PLR0913 - each is a keyword of one reading
    data: Any,
    *,
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
    separator : of a text file; found when not given
    reading : how a table that a release is made from is read, and which texts stand for a missing
        value; what it does not say is found. Left out, a text file is one that a program wrote:
        UTF-8, a header and records
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
    missing = () if reading is None else reading.missing
    words = MissingWords() if reading is None else reading.words
    if reading is not None and expected:
        reading = replace(reading, may_be_release=True)
    if isinstance(data, str) and is_address(data):
        frame = read_address(data)
        source = TableFile(frame, _hash_of(frame))
        check_names(frame.columns)
    elif isinstance(data, str | Path):
        said = () if reading is None else reading.texts
        texts = tuple(dict.fromkeys((*sets.separators, *said)))
        found_types = partial(in_types, missing=words, texts=texts) if typed else None
        source = _read_file(str(data), file_format, separator, reading, expected, found_types)
        source = with_codes(source, reading)
    else:
        left_out = () if reading is None else reading.left_out
        frame, native = from_native(data, left_out)
        source = TableFile(frame, _hash_of(frame), native)
        check_names(frame.columns)
        if reading is not None:
            source = with_plain_texts(source, reading)
    if not as_found:
        frame, lists = taken_in(source.frame, sets, missing, is_file=source.native is None)
        source = replace(source, frame=frame, lists=lists)
    if reading is not None:
        source = with_odd_cells(source, reading)
    if typed:
        source = replace(source, frame=with_one_missing(source.frame, words))
    if source.frame.width == 0 or (source.frame.height == 0 and not may_be_empty):
        remedy = "Check that this is the right file."
        raise EmptyDataError("the table has no records", remedy, code="no-records")
    _check_cells(source.frame, as_found=as_found)
    return source


def _read_file(  # noqa: PLR0913, PLR0917 - each says how it is read
    path: str,
    file_format: str | None,
    separator: str | None,
    reading: Reading | None,
    expected: Collection[str],
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None,
) -> TableFile:
    """Read a file, or a sheet of a workbook."""
    path, sheet = sheet_of(path)
    if file_format is None:
        check_read(path)
    form = FORMATS_BY_NAME[file_format or format_of_file(path)]
    if form.name == "xlsx" and reading is not None:
        source = read_found_workbook(path, sheet, reading, is_release=bool(expected))
    else:
        if sheet is not None:
            form = replace(form, read=partial(read_workbook, sheet=sheet))
        source = read_path(path, form, separator, reading, expected, typed)
    check_names(source.frame.columns)
    return replace(source, has_types=not form.separators and form.name not in WITHOUT_TYPES)


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


def _check_cells(frame: pl.DataFrame, *, as_found: bool) -> None:
    """Refuse cells that are no single value, and numbers without end."""
    faults = [
        Fault(
            f"columns.{name}",
            f"holds {HELD.get(kind, kind)} in its cells",
            REMEDIES[kind],
            code="lists-in-cells" if kind in HELD else "objects-in-cells",
            columns=(name,),
        )
        for name, dtype in frame.schema.items()
        if (kind := odd_kind(dtype)) is not None and not (as_found and are_lists(dtype))
    ]
    faults += [
        Fault(
            f"columns.{name}",
            f"{count} numbers are infinite",
            "Write them as missing.",
            code="infinite-numbers",
            columns=(name,),
            parts={"count": count},
        )
        for name, dtype in frame.schema.items()
        if dtype.is_float() and (count := int(frame[name].is_infinite().sum() or 0))
    ]
    if faults:
        raise DataError(faults)


def _hash_of(frame: pl.DataFrame) -> str:
    """Hash the content of a frame."""
    return hashlib.sha256(frame.hash_rows(seed=0).to_numpy().tobytes()).hexdigest()


def sha256_of_text(text: str) -> str:
    """Hash a text as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def without_words(source: TableFile, words: MissingWords) -> TableFile:
    """Return a table without further words for a missing value.

    Columns of a text file may get other types, and texts beside the words may be dates or numbers.
    """
    is_text = source.separator is not None
    plain = [
        column
        for column in source.frame.iter_columns()
        if is_text
        or column.name in source.mixed
        or ((form := source.found.columns.get(column.name)) and not form.doubt)
    ]
    typed = with_types_of_texts(pl.DataFrame(plain), words).get_columns()
    frame = source.frame.with_columns(typed)
    if source.plain is not None:
        columns = source.plain.without(words)
        again = [
            column
            for column in frame.iter_columns()
            if column.dtype == pl.String
            and column.name not in source.found.columns
            and source.frame[column.name].is_in(words.of(column.name)).any()
        ]
        changed = [plain for column in again if (plain := columns.plain(column)) is not column]
        if changed:
            frame = frame.with_columns(with_types(pl.DataFrame(changed), words))
            found = {**source.found.columns, **columns.found}
            source = replace(source, found=replace(source.found, columns=found))
    return replace(source, frame=with_one_missing(frame, words))
