"""The content of one file as a table: text in any layout, workbooks, and files that know types."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import polars as pl

from indistinct.base.cells.decoding import decoded
from indistinct.base.cells.encodings import UTF_8
from indistinct.base.cells.missing_words import MissingWords
from indistinct.base.coded_text import joined
from indistinct.base.files.text import (
    SEPARATORS,
    as_utf8,
    content_of,
    header_of,
    is_utf8,
    separator_of,
    without_mark,
)
from indistinct.base.panics import panics_as
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.arrow_types import check_types, without_extensions
from indistinct.tables.reading.births import are_to_be_found, with_centuries
from indistinct.tables.reading.column_types import with_types
from indistinct.tables.reading.declared_formats import FoundReading, Reading
from indistinct.tables.reading.encoding_doubts import with_encoding_said
from indistinct.tables.reading.formats import Format, check_signature
from indistinct.tables.reading.odd_cells import formats_of_odd, with_fingerprints
from indistinct.tables.reading.plain_columns import PlainColumns, mark_of_text
from indistinct.tables.reading.table_file import TableFile
from indistinct.tables.reading.text_frames import read_text
from indistinct.tables.reading.text_layout import QUOTE, separator_of_lines, usual_layout
from indistinct.tables.reading.workbooks import read_sheet


def read_path(  # noqa: PLR0913, PLR0917 - each says how it is read
    path: str,
    form: Format,
    separator: str | None,
    reading: Reading | None,
    expected: Collection[str],
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None,
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
            raise _broken(path, form.name) from None
    if reading is None:
        text = as_utf8(path, content)
        chosen = separator or separator_of_lines(path, text, form.separators)
        check_names(header_of(path, text, chosen))
        return TableFile(read_text(path, text, chosen, typed), digest, separator=chosen)
    reading = replace(reading, separator=separator or reading.separator)
    if expected and is_utf8(content):
        reading = _of_release(path, content, form, reading, expected)
    return replace(_read_found(path, content, form, reading, typed), sha256=digest)


def read_found_workbook(
    path: str, sheet: str | None, reading: Reading, *, is_release: bool
) -> TableFile:
    """Read a sheet of a workbook, whose texts may be dates or numbers.

    Parameters
    ----------
    is_release : whether it may be a release, whose first row has the names
    """
    content = content_of(path, path)
    check_signature(path, content, "xlsx", is_text=False)
    if is_release and reading.header is None:
        reading = replace(reading, header=1, skip_rows=0, skip_last=0)
    try:
        with panics_as(OSError):
            table = read_sheet(io.BytesIO(content), sheet, reading)
    except (pl.exceptions.PolarsError, OSError):
        raise _broken(path, "xlsx") from None
    check_names(table.frame.columns)
    digest = hashlib.sha256(content).hexdigest()
    source = TableFile(table.frame, digest, found=table.found, mixed=table.mixed)
    return with_plain_texts(source, reading, lambda record: table.rows[record])


def with_plain_texts(
    source: TableFile, reading: Reading, line: Callable[[int], int] = lambda record: record + 1
) -> TableFile:
    """Return columns of texts that are dates or numbers as such; a frame and a workbook have types.

    A column whose texts are plain numbers stays text: whoever made it so wanted codes.

    Parameters
    ----------
    line : says in which row a record stands
    """
    columns = PlainColumns(reading, None, line, "row")
    texts = [column for column in source.frame.iter_columns() if column.dtype == pl.String]
    changed = [
        plain
        for column in texts
        if (plain := columns.plain(column)) is not column
        or (column.name in source.mixed and not reading.stays(column.name))
    ]
    both = {
        name: replace(
            one,
            said=joined(before.said, one.said),
            unread=joined(before.unread, one.unread),
            n_unread=before.n_unread + one.n_unread,
        )
        for name, one in columns.found.items()
        if (before := source.found.columns.get(name)) is not None
    }
    found = replace(
        source.found,
        columns={**source.found.columns, **columns.found, **both},
        doubts=(*source.found.doubts, *columns.doubts),
    )
    source = replace(source, found=found, plain=columns)
    if not changed:
        return source
    known = pl.DataFrame([one.set((one == "").fill_null(value=False), None) for one in changed])
    frame = source.frame.with_columns(with_types(known, reading.words))
    return replace(source, frame=frame)


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


def _read_found(
    path: str,
    content: bytes,
    form: Format,
    reading: Reading,
    typed: Callable[[pl.DataFrame], pl.DataFrame] | None,
) -> TableFile:
    """Read a text file as it is said, and as it is found where nothing is said."""
    text = decoded(path, content, reading.encoding, asks=reading.suggests)
    layout = usual_layout(path, text.text, reading, form.separators)
    check_names(layout.header)
    words, reasons = layout.words, layout.reasons
    doubts = with_encoding_said(
        content, text, words, reasons, is_given=reading.encoding is not None
    )
    decimal, why = mark_of_text(layout.text, layout.separator)
    if decimal == ",":
        words["decimal"], reasons["decimal"] = decimal, why
    columns = PlainColumns(reading, decimal, layout.line)
    read = partial(columns.all_plain, typed=typed)
    written = (path, layout.text, layout.separator)
    frame = read_text(*written, read, layout.header, layout.before)
    doubts = (*doubts, *columns.doubts)
    if typed is not None and are_to_be_found(reading, columns.found):
        texts = read_text(*written, None, layout.header, layout.before)
        frame, forms, open_ones = with_centuries(
            frame, texts, columns.found, datetime.now(UTC).year
        )
        columns.found.update(forms)
        doubts = (*doubts, *open_ones)
    found = FoundReading(words, reasons, columns.found, doubts=doubts)
    return TableFile(frame, "", separator=layout.separator, found=found, plain=columns)


def with_odd_cells(source: TableFile, reading: Reading) -> TableFile:
    """Return columns of bytes, lists and records as fingerprints, where nothing else is needed.

    An inspection looks at all of them, and says what they hold; a release needs those that it
    leaves out.
    """
    odd = formats_of_odd(source.frame)
    names = [name for name in odd if reading.suggests or name in reading.left_out]
    if not names:
        return source
    said = {name: odd[name] for name in names}
    found = replace(source.found, columns={**source.found.columns, **said})
    return replace(source, frame=with_fingerprints(source.frame, names), found=found)


def _broken(path: str, form: str) -> DataError:
    """Return the error that a file is not what its ending says."""
    problem = f"cannot be read as a file of the format .{form}"
    remedy = "Check that the file is whole."
    return DataError([Fault(path, problem, remedy, code="broken-file", parts={"form": form})])


def in_types(frame: pl.DataFrame, missing: MissingWords, texts: tuple[str, ...]) -> pl.DataFrame:
    """Find the types of columns whose names can be used; else Polars fails at the first of them."""
    check_names(frame.columns)
    kept = [frame[name] for name in texts if name in frame.columns]
    return with_types(frame, missing).with_columns(kept)


def check_names(names: Iterable[str]) -> None:
    """Refuse names that Polars takes for patterns, wherever a column is called by its name."""
    faults = [
        Fault(
            f"columns.{name}",
            "has a name that begins with ^ and ends with $, which is read as a pattern",
            "Rename it.",
            code="pattern-as-name",
            columns=(name,),
        )
        for name in names
        if name.startswith("^") and name.endswith("$")
    ]
    if faults:
        raise DataError(faults)
