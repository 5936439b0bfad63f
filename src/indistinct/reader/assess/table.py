"""The table that is assessed: read, and brought back to the types that it had before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from indistinct.counting.table_faults import number_faults
from indistinct.engines import files
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.tallies import columns_of
from indistinct.errors import DataError, Fault, PolicyError
from indistinct.policy.linked_form import GROUP
from indistinct.policy.policy import Policy


def read_original(data: Any, policy: Policy) -> pl.DataFrame:
    """Read the original as the policy says."""
    return files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
        sets=policy.set_forms,
    ).frame


def without_masked(frame: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Leave out records that are masked whole, where the policy has them masked."""
    if policy.release.suppressed != "mask":
        return frame
    stars = pl.all_horizontal(pl.all().cast(pl.String).fill_null("") == "*")
    return frame.filter(~stars)


def typed_again(frame: pl.DataFrame, before: pl.DataFrame | None, policy: Policy) -> pl.DataFrame:
    """Give back their numbers to columns that are text for the sake of masked records."""
    if policy.release.suppressed != "mask":
        return frame
    labels = policy.class_names
    kinds = {} if before is None else dict(before.schema)
    return frame.with_columns(
        _numbers_if_all(frame[name], kinds.get(name))
        for name in frame.columns
        if name not in labels and frame[name].dtype == pl.String
    )


def _numbers_if_all(column: pl.Series, kind: pl.DataType | None) -> pl.Series:
    """Give a column of texts as the type it had, or as numbers, if every text is one."""
    for wanted in (pl.Int64(), pl.Float64()) if kind is None else (kind,):
        if wanted.is_numeric():
            numbers = column.cast(wanted, strict=False)
            if numbers.null_count() == column.null_count():
                return numbers
    return column


def released_as(name: str, present: Sequence[str]) -> list[str]:
    """Give the columns that a quasi-identifier stands in: itself, or its two bounds."""
    bounds = [f"{name}_min", f"{name}_max"]
    return [name] if name in present else [b for b in bounds if b in present]


def check_table(released: pl.DataFrame, policy: Policy) -> None:
    """Refuse tables that lack columns, or numbers that a model measures by; all at once."""
    wanted = dict.fromkeys(name for model in policy.models for name in model.columns)
    gone = [
        *(n for n in policy.class_names if not released_as(n, released.columns)),
        *(name for name in wanted if name not in released.columns),
    ]
    if gone:
        raise DataError(
            Fault(f"columns.{name}", "is not in the table", "Assess the table of this policy.")
            for name in gone
        )
    faults = list(number_faults(released, policy))
    if faults:
        raise PolicyError(faults)


def class_cells(released: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    """Give the cells that form the classes; every way of writing a missing value is one."""
    names = [found for name in policy.class_names for found in released_as(name, released.columns)]
    if policy.algorithm.republishes and GROUP in released.columns:
        names.append(GROUP)
    tokens = list(policy.data.missing)
    return with_one_missing(columns_of(released, names), tokens)
