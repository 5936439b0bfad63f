"""The tables that attacks read: of people, of releases, and crosswalks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Ints
from indistinct.core.hierarchy import ROOT
from indistinct.core.schema import Role
from indistinct.engines import files
from indistinct.errors import DataError, Fault
from indistinct.policy.policy import Policy
from indistinct.reader.verify.texts_as_read import texts_as_read
from indistinct.reader.verify.verify import as_labels
from indistinct.release.reading import read_release

CROSSWALK = ("output_row", "input_row")


def read_people(data: Any, policy: Policy) -> pl.DataFrame:
    """Read a table of people as the policy says."""
    source = files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )
    return _with_days(source.frame)


def _with_days(frame: pl.DataFrame) -> pl.DataFrame:
    """Give moments that are all midnights as days: pandas has no other days."""
    moments = [
        name
        for name, kind in frame.schema.items()
        if kind == pl.Datetime and bool((frame[name].dt.time() == time()).all())
    ]
    return frame.with_columns(pl.col(moments).cast(pl.Date)) if moments else frame


def released_texts(
    data: Any, policy: Policy, *, midpoints: bool = False
) -> tuple[pl.DataFrame, Bools]:
    """Read a release as texts; the records that are masked whole are none.

    Parameters
    ----------
    midpoints : whether midpoints may stand for ranges, and are taken for numbers

    Returns
    -------
    the records, and which rows of the file are records
    """
    frame = read_release(data, policy, typed=False, may_be_empty=True)
    texts = as_labels(texts_as_read(_with_days(frame)), policy)
    if not midpoints:
        _check_midpoints(texts, policy)
    kept = ~texts.select(pl.all_horizontal(pl.all() == ROOT)).to_series()
    return texts.filter(kept), kept.to_numpy()


def _check_midpoints(texts: pl.DataFrame, policy: Policy) -> None:
    """Refuse cells that do not say which values they cover."""
    if policy.release.intervals != "midpoint":
        return
    named = [n for n in policy.named(Role.QUASI_IDENTIFIER) if n in texts.columns]
    raise DataError(
        Fault(
            f"columns.{name}",
            "may be released as midpoints, which do not say what they cover",
            'Attack the release in the form intervals = "label"; it tells no less.',
        )
        for name in named
    )


def crosswalk_rows(given: str | Path | Sequence[int] | Ints, n_rows: int) -> Ints:
    """Give the row of the original behind each row of the release; -1 for none.

    Raises
    ------
    DataError
        when the crosswalk is of another release
    """
    if not isinstance(given, str | Path):
        rows = np.asarray(given, np.int64)
        if len(rows) != n_rows:
            raise _wrong_crosswalk()
        return rows
    frame = files.read(given).frame
    if not set(CROSSWALK) <= set(frame.columns):
        raise _wrong_crosswalk()
    pairs: Mapping[str, Ints] = {name: frame[name].cast(pl.Int64).to_numpy() for name in CROSSWALK}
    released = pairs["output_row"] >= 0
    if released.any() and int(pairs["output_row"].max()) >= n_rows:
        raise _wrong_crosswalk()
    rows = np.full(n_rows, -1, np.int64)
    rows[pairs["output_row"][released]] = pairs["input_row"][released]
    return rows


def _wrong_crosswalk() -> DataError:
    """Say that a crosswalk does not fit."""
    return DataError(
        [Fault("--crosswalk", "does not fit the release", "Take the files of one run.")]
    )
