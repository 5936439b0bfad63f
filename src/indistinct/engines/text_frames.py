"""Separated text as a frame of texts, every cell as it is written."""

from __future__ import annotations

import csv
import io

import polars as pl

from indistinct.engines.text import header_of, malformed
from indistinct.errors import DataError, EmptyDataError, Fault


def read_text(path: str, text: bytes, separator: str) -> pl.DataFrame:
    """Read separated text, every cell as it is written."""
    header = header_of(path, text, separator)
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
        raise malformed(path) from None
    if frame.width == len(header):
        frame.columns = header  # Polars leaves the quotes inside a quoted name doubled.
    return frame


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
