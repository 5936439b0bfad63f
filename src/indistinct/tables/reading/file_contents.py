"""The content of one file as a table: text in any layout, workbooks, and files that know types."""

from __future__ import annotations

import codecs
import hashlib
import io
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial

import polars as pl

from indistinct.base.files.text import (
    SEPARATORS,
    as_utf8,
    content_of,
    header_of,
    is_utf8,
    line_at,
    separator_of,
    without_mark,
)
from indistinct.base.panics import panics_as
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.arrow_types import check_types, without_extensions
from indistinct.tables.reading.column_types import with_types
from indistinct.tables.reading.declared_formats import SAMPLE, FoundReading, Reading
from indistinct.tables.reading.formats import Format, check_signature
from indistinct.tables.reading.odd_cells import formats_of_odd, with_fingerprints
from indistinct.tables.reading.plain_columns import PlainColumns, mark_of_text
from indistinct.tables.reading.table_file import TableFile
from indistinct.tables.reading.text_frames import read_text
from indistinct.tables.reading.text_layout import QUOTE, separator_of_lines, usual_layout
from indistinct.tables.reading.workbooks import read_sheet

UTF_8 = "utf-8"
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Letters and signs that texts have in the languages that an encoding of one byte is made for.
LETTERS = {
    "cp1252": "àáâãäåæçèéêëìíîïðñòóôõöøœßùúûüýþÿšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØŒÙÚÛÜÝÞŠŽ"
    "€£§°ºª«»\u201c\u201d\u2018\u2019\u201e\u2013\u2014\u2026·¿¡\u00a0²µ",
    "cp1250": "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽőűöüŐŰÖÜôľĺŕäăâîşţĂÂÎŞŢ"
    "€§°«»\u201c\u201d\u2018\u2019\u201e\u2013\u2014\u2026\u00a0",
    "cp1251": "".join(map(chr, range(0x410, 0x450)))
    + "ёЁіїєґІЇЄҐ№«»\u201c\u201d\u2013\u2014\u2026\u00a0",
}
MOST_ZEROS, LEAST_LETTERS = 0.3, 0.9
REMEDY = (
    "Name the encoding, such as cp1252: --encoding of inspect, encoding in ind.inspect, or "
    "data.encoding in the policy."
)


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
            problem = f"cannot be read as a file of the format .{form.name}"
            raise DataError([Fault(path, problem, "Check that the file is whole.")]) from None
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
        problem = "cannot be read as a file of the format .xlsx"
        raise DataError([Fault(path, problem, "Check that the file is whole.")]) from None
    check_names(table.frame.columns)
    source = TableFile(table.frame, hashlib.sha256(content).hexdigest(), found=table.found)
    source = with_plain_texts(source, reading, table.first)
    columns = {
        name: replace(one, said=one.said.replace("(line", "(row"))
        for name, one in source.found.columns.items()
    }
    return replace(source, found=replace(source.found, columns=columns))


def with_plain_texts(source: TableFile, reading: Reading, first: int = 2) -> TableFile:
    """Return columns of texts that are dates or numbers as such; a frame and a workbook have types.

    A column whose texts are plain numbers stays text: whoever made it so wanted codes.

    Parameters
    ----------
    first : the line or row of the first record
    """
    columns = PlainColumns(reading, None, lambda record: record + first)
    texts = [column for column in source.frame.iter_columns() if column.dtype == pl.String]
    changed = [plain for column in texts if (plain := columns.plain(column)) is not column]
    found = replace(source.found, columns={**source.found.columns, **columns.found})
    source = replace(source, found=found, plain=columns)
    if not changed:
        return source
    known = pl.DataFrame([one.set((one == "").fill_null(value=False), None) for one in changed])
    frame = source.frame.with_columns(with_types(known, reading.missing))
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
    text, encoding = decoded(path, content, reading.encoding)
    layout = usual_layout(path, text, reading, form.separators)
    check_names(layout.header)
    words, reasons = layout.words, layout.reasons
    if encoding != UTF_8:
        words["encoding"] = encoding
        reasons["encoding"] = "Its bytes are not UTF-8, and become letters and signs in this one."
    decimal, why = mark_of_text(layout.text, layout.separator)
    if decimal == ",":
        words["decimal"], reasons["decimal"] = decimal, why
    columns = PlainColumns(reading, decimal, layout.line)
    read = partial(columns.all_plain, typed=typed)
    frame = read_text(path, layout.text, layout.separator, read, layout.header, layout.before)
    found = FoundReading(words, reasons, columns.found)
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


def in_types(frame: pl.DataFrame, missing: tuple[str, ...], texts: tuple[str, ...]) -> pl.DataFrame:
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
        )
        for name in names
        if name.startswith("^") and name.endswith("$")
    ]
    if faults:
        raise DataError(faults)


def decoded(path: str, content: bytes, encoding: str | None) -> tuple[bytes, str]:
    """Return a text as UTF-8, and the encoding that it is in.

    Parameters
    ----------
    path : what a message names the file
    encoding : found where it is not given

    Raises
    ------
    DataError
        when the bytes are in another encoding, or nobody knows the encoding named
    """
    if encoding is None:
        encoding = found_encoding(content)
        if encoding == UTF_8:
            return without_mark(content), UTF_8
    encoding = encoding or UTF_8
    try:
        if codecs.lookup(encoding).name == UTF_8:
            content.decode(UTF_8)
            return without_mark(content), UTF_8
        return without_mark(content.decode(encoding).encode(UTF_8)), encoding
    except UnicodeDecodeError as error:
        problem = f"is not {_called(encoding)} (line {line_at(content, error.start)})"
        raise DataError([Fault(path, problem, REMEDY)]) from None
    except (LookupError, UnicodeEncodeError):
        raise DataError(
            [Fault("data.encoding", "is not a known encoding", "Try latin-1 or cp1252.")]
        ) from None


def _called(encoding: str) -> str:
    """Name an encoding as people do."""
    return "UTF-8" if encoding == UTF_8 else encoding


def found_encoding(content: bytes) -> str | None:
    """Return the encoding of some bytes; None where they are no UTF-8 and nothing is probable."""
    for mark, name in MARKS:
        if content.startswith(mark):
            return name
    if (wide := _of_two_bytes(content[:SAMPLE])) is not None:
        return wide
    if content.isascii():
        return UTF_8
    try:
        content.decode(UTF_8)
    except UnicodeDecodeError as error:
        start = max(0, error.start - SAMPLE // 2)
        return _of_other_bytes(content[start : start + SAMPLE], content)
    return UTF_8


def _of_two_bytes(sample: bytes) -> str | None:
    """Return the encoding of bytes of which every second one is zero."""
    size = len(sample) // 2
    if not size or b"\0" not in sample:
        return None
    first, second = sample[0 : 2 * size : 2].count(0) / size, sample[1::2].count(0) / size
    if max(first, second) < MOST_ZEROS:
        return None
    return "utf-16-be" if first > second else "utf-16-le"


def _of_other_bytes(sample: bytes, content: bytes) -> str | None:
    """Return the encoding of bytes that are no UTF-8.

    An encoding of one byte reads any bytes, so that what decides is whether they become the letters
    of the languages that it is made for.
    """
    from charset_normalizer import from_bytes  # few texts need it

    best = from_bytes(sample).best()
    found = UTF_8 if best is None else best.encoding
    if _is_of_several_bytes(found):
        return _superset(found)
    shares = [(_share_of_letters(content, name), name) for name in LETTERS]
    share, name = max(shares, key=lambda one: one[0])
    return name if share >= LEAST_LETTERS else None


def _is_of_several_bytes(encoding: str) -> bool:
    """Return whether an encoding writes some letters in more than one byte."""
    names = ("big5", "cp932", "shift", "euc", "gb", "cp949", "johab", "iso2022", "utf", "hz")
    return encoding.startswith(names)


def _superset(encoding: str) -> str:
    """Return the encoding that programs of Windows really write."""
    return "cp932" if encoding.startswith("shift") else encoding


def _share_of_letters(content: bytes, encoding: str) -> float:
    """Return the share of other characters than ASCII's that are letters of an encoding; at most 1.

    Bytes that the encoding does not know make it impossible: 0.
    """
    others = content.translate(None, bytes(range(128)))
    try:
        text = others.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    known = LETTERS[encoding]
    return sum(text.count(letter) for letter in set(text) if letter in known) / max(len(text), 1)
