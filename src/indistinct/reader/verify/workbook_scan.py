"""What an Excel workbook holds besides the cells of its one sheet."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from html import unescape

import polars as pl

from indistinct.reader.verify.texts_as_read import text_as_read

MAGIC = b"PK\x03\x04"
PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|xl/(_rels/workbook\.xml\.rels|workbook\.xml|styles\.xml"
    r"|sharedStrings\.xml|theme/theme1\.xml|worksheets/sheet1\.xml)|docProps/(core|app)\.xml"
)
TEXT = re.compile(r"<si>(.*?)</si>", re.DOTALL)
RUN = re.compile(r"<t(?: [^>]*)?>(.*?)</t>", re.DOTALL)
PEOPLE = re.compile(
    r"<(dc:creator|cp:lastModifiedBy|dc:description|dc:title|dc:subject|cp:keywords"
    r"|cp:category|Company|Manager)>[^<]+<"
)
CONTROL = re.compile(r"_x([0-9A-Fa-f]{4})_")


def workbook_parts(content: bytes) -> dict[str, bytes] | None:
    """Unpack a workbook; None where it is broken."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return {name: book.read(name) for name in book.namelist()}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):
        return None


def beside_cells(content: bytes, shown: pl.DataFrame) -> Iterator[str]:
    """Find what a workbook holds besides its cells; each a sentence.

    Parameters
    ----------
    content : the bytes of the file
    shown : its cells as they were read
    """
    parts = workbook_parts(content)
    if parts is None:
        yield "cannot be unpacked"
        return
    if _packed_length(content) != len(content):
        yield "has bytes between or behind its parts"
    if any(PARTS.fullmatch(name) is None for name in parts):
        yield "holds parts besides one sheet, such as comments, pictures or a second sheet"
    said = b"".join(parts.get(f"docProps/{name}.xml", b"") for name in ("core", "app"))
    if PEOPLE.search(said.decode("utf-8", "replace")):
        yield "names its author, its company or its subject"
    sheet = parts.get("xl/worksheets/sheet1.xml", b"").decode("utf-8", "replace")
    if "<f>" in sheet or "<f " in sheet:
        yield "holds formulas"
    if 'hidden="' in sheet or "<definedName" in parts.get("xl/workbook.xml", b"").decode():
        yield "hides rows or columns, or names ranges"
    visible = {*shown.columns}
    for column in shown.iter_columns():
        if column.dtype == pl.String:
            visible |= set(text_as_read(column.unique()).to_list())
    texts = parts.get("xl/sharedStrings.xml", b"").decode("utf-8", "replace")
    if any(_plain(found) not in visible for found in TEXT.findall(texts)):
        yield "lists texts that no cell shows"


def _plain(entry: str) -> str:
    """Give the text of an entry of the list of texts."""
    text = unescape("".join(RUN.findall(entry)))
    return CONTROL.sub(lambda found: chr(int(found[1], 16)), text)


def _packed_length(content: bytes) -> int:
    """Add up the bytes of all parts of an archive, as it lists them."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        entries = book.infolist()
        listed = sum(46 + len(one.filename.encode()) + len(one.extra) for one in entries)
        local = 0
        for one in entries:
            header = content[one.header_offset : one.header_offset + 30]
            names = int.from_bytes(header[26:28], "little") + int.from_bytes(
                header[28:30], "little"
            )
            described = 16 if one.flag_bits & 8 else 0
            local += 30 + names + one.compress_size + described
        return local + listed + 22
