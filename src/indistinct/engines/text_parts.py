"""Hash files, and check text files, without holding one whole."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from indistinct.engines.places import Files
from indistinct.engines.text import SAMPLE_BYTES, header_of, malformed, separator_of, without_mark
from indistinct.errors import DataError, EmptyDataError, Fault

BLOCK_BYTES = 16 << 20


def hash_of_parts(hashes: list[tuple[str, str]]) -> str:
    """Give the SHA-256 of the lines that ``sha256sum`` prints for some files, sorted by path.

    Parameters
    ----------
    hashes : path and SHA-256 of each file
    """
    lines = "".join(f"{digest}  {path}\n" for path, digest in sorted(hashes))
    return hashlib.sha256(lines.encode()).hexdigest()


def sha256_of_files(files: Files) -> str:
    """Hash a file, or the parts of a table as :func:`hash_of_parts` does."""
    hashes: list[tuple[str, str]] = []
    for path, name in zip(files.paths, files.names, strict=True):
        with Path(path).open("rb") as file:
            hashes.append((name, hashlib.file_digest(file, "sha256").hexdigest()))
    return hash_of_parts(hashes) if files.are_parts else hashes[0][1]


def check_texts(files: Files, separator: str | None) -> str:
    """Check that every line of text files has as many cells as the header; give the separator.

    Raises
    ------
    DataError
        when a file is no UTF-8, lines are too short or too long, or headers differ
    """
    found: set[tuple[str, ...]] = set()
    for path in files.paths:
        with Path(path).open("rb") as file:
            beginning = without_mark(file.read(SAMPLE_BYTES))
        separator = separator or separator_of(beginning, files.separators)
        header = header_of(path, beginning, separator)
        if not header:
            raise EmptyDataError("the file is empty", "Check that this is the right file.")
        twice = sorted({name for name in header if header.count(name) > 1})
        if twice:
            raise DataError(
                [Fault(f"column {name}", "is named twice", "Rename one of them.") for name in twice]
            )
        found.add(tuple(header))
        _check_lines(path, separator, len(header))
    if len(found) > 1:
        raise DataError("the files have different columns", "Give files with the same header.")
    return separator or ","


def _check_lines(path: str, separator: str, n_cells: int) -> None:
    """Refuse lines with too few or too many cells."""
    try:
        wrong = list(_wrong_lines(path, separator, n_cells))
    except UnicodeDecodeError:
        remedy = "Convert it to UTF-8, or take --engine memory and data.encoding in the policy."
        raise DataError([Fault(path, "is not UTF-8", remedy)]) from None
    except csv.Error:
        raise malformed(path) from None
    if wrong:
        listed = ", ".join(map(str, wrong[:5]))
        problem = f"{len(wrong)} lines do not have {n_cells} cells (lines {listed})"
        raise DataError([Fault(path, problem, "Correct these lines, or name the separator.")])


def _wrong_lines(path: str, separator: str, n_cells: int) -> Iterator[int]:
    """Give the numbers of lines with another number of cells.

    Without quotes a line's cells are its separators plus one; from the first quote on the text is
    parsed.
    """
    before, rest = 0, b""
    with Path(path).open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            if b'"' in block:
                break
            lines, _, rest = (rest + block).rpartition(b"\n")
            lines.decode("utf-8")
            yield from _counted(lines, separator, n_cells, before) if lines else ()
            before += lines.count(b"\n") + bool(lines)
        else:
            rest.decode("utf-8")
            yield from _counted(rest, separator, n_cells, before) if rest else ()
            return
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        for number, row in enumerate(csv.reader(text, delimiter=separator), start=1):
            if row and len(row) != n_cells:
                yield number


def _counted(lines: bytes, separator: str, n_cells: int, before: int) -> Iterator[int]:
    """Count the separators of lines without quotes.

    Parameters
    ----------
    before : lines that were read before
    """
    bytes_ = np.frombuffer(lines + b"\n", np.uint8)
    ends = np.flatnonzero(bytes_ == ord("\n"))
    marks = np.concatenate([[0], np.cumsum(bytes_ == ord(separator))])
    starts = np.concatenate([[0], ends[:-1] + 1])
    cells = marks[ends] - marks[starts] + 1
    lengths = ends - starts - (bytes_[np.maximum(ends - 1, 0)] == ord("\r"))
    wrong = (cells != n_cells) & ((lengths > 0) | (n_cells > 1))
    yield from (np.flatnonzero(wrong) + before + 1).tolist()
