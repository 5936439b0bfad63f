"""How long writing and verification will take, by a trial with a part of the table."""

from __future__ import annotations

import io
import time
from collections import Counter

import polars as pl

from indistinct.tables.frames.texts import all_cell_texts

PART = 20_000  # records of the trial, at most
# A trial writes, reads and counts once. Making a release, verifying it in memory, writing it and
# verifying what was written took three to six times as long: tables of 30,000 records with 24
# columns and of 200,000 with five, in classes of five.
TIMES = 8.0


def estimate_seconds(frame: pl.DataFrame) -> float:
    """Return the seconds in which a table like this one is written and verified, now and here.

    Parameters
    ----------
    frame : its records, as they are counted

    Notes
    -----
    Other programs that keep the machine busy slow the trial down as much as what it stands for.
    """
    part = frame.head(PART)
    if part.is_empty():
        return 0.0
    begun = time.monotonic()
    written = io.BytesIO()
    all_cell_texts(part).write_csv(written)
    _count(written.getvalue())
    return TIMES * (time.monotonic() - begun) * frame.height / part.height


def _count(text: bytes) -> Counter[tuple[str | None, ...]]:
    """Count the records of a table in a text, as plainly as verification does."""
    return Counter(pl.read_csv(text, infer_schema=False).rows())
