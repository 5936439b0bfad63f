"""A written file as verification reads it, and what it holds besides its cells.

Files of SPSS and Stata are read from their bytes here; what wrote them takes no part. Workbooks are
read by another library than the one that writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from indistinct.errors import Fault
from indistinct.reader.verify import dta_layout, sav_layout, workbook_scan
from indistinct.reader.verify.statistics_files import StatisticsFile, UnreadError
from indistinct.reader.verify.texts_as_read import text_as_read

DISMISS = "Do not publish this file: write the release again."
UNREAD = (
    "the file is compressed or in a form that is not read byte by byte: whether it holds more than "
    "its cells could not be decided"
)
MAGICS = (sav_layout.MAGIC, b"$FL3", b"<stata_dta>", b"\x00" * 12)


def frame_of(content: bytes) -> pl.DataFrame | None:
    """Read the cells of a file of SPSS or Stata from its bytes; None of any other."""
    found = _read(content)
    return None if found is None else found.frame


def faults_beside_cells(content: bytes, shown: pl.DataFrame) -> Iterator[Fault]:
    """Find what a file of SPSS, Stata or Excel holds besides its cells."""
    if content.startswith(workbook_scan.MAGIC):
        for problem in workbook_scan.beside_cells(content, shown):
            yield Fault("file", problem, DISMISS)
        return
    found = _read(content)
    if found is None:
        return
    for problem in found.beside:
        yield Fault("file", problem, DISMISS)
    for name, values in found.values.items():
        cells = set(text_as_read(found.frame[name].unique()).to_list())
        if values - cells:
            count = len(values - cells)
            yield Fault(f"columns.{name}", f"names {count} values that no cell shows", DISMISS)


def is_unread(content: bytes) -> bool:
    """Tell whether a file is one of statistics, and of a form that is not read here."""
    return content.startswith(MAGICS) and _read(content) is None


def searched(content: bytes) -> bytes:
    """Give the bytes in which texts of the input are looked for: those of a workbook unpacked."""
    if not content.startswith(workbook_scan.MAGIC):
        return content
    parts = workbook_scan.workbook_parts(content) or {}
    return b"\n".join([content, *parts.values()])


def content_of(path: str | Path) -> bytes:
    """Read the bytes of a file."""
    return Path(path).read_bytes()


def _read(content: bytes) -> StatisticsFile | None:
    """Read a file of SPSS or Stata; None where it is neither, or in another form."""
    for magic, read in (
        (sav_layout.MAGIC, sav_layout.read_sav),
        (dta_layout.MAGIC, dta_layout.read_dta),
    ):
        if content.startswith(magic):
            try:
                return read(content)
            except UnreadError:
                return None
    return None
