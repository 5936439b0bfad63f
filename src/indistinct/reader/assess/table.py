"""The table that is assessed: read, and brought back to the types that it had before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from indistinct.counting.table_faults import number_faults
from indistinct.engines import files
from indistinct.engines.column_types import with_numbers
from indistinct.engines.frames import Frame, are_starred
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.tallies import columns_of
from indistinct.errors import Fault, SchemaError
from indistinct.policy.linked_form import GROUP
from indistinct.policy.policy import Policy


def read_original(data: Any, policy: Policy) -> Frame:
    """Read the original as the policy says."""
    return files.read(
        data,
        missing=policy.data.missing,
        reading=policy.reading,
        sets=policy.set_forms,
    ).frame


def without_masked(frame: Frame, policy: Policy) -> Frame:
    """Leave out records that are masked whole, where the policy has them masked."""
    if policy.release.suppressed != "mask":
        return frame
    starred = are_starred(frame)
    return frame[np.flatnonzero(~starred)] if starred.any() else frame


def typed_again(frame: Frame, before: Frame | None, policy: Policy) -> Frame:
    """Give back their numbers to columns that are text for the sake of masked records."""
    if policy.release.suppressed != "mask":
        return frame
    names = [name for name in frame.columns if name not in policy.class_names]
    return with_numbers(frame, names, before)


def released_as(name: str, present: Sequence[str]) -> list[str]:
    """Return the columns that a quasi-identifier stands in: itself, or its two bounds."""
    bounds = [f"{name}_min", f"{name}_max"]
    return [name] if name in present else [b for b in bounds if b in present]


def check_table(released: Frame, policy: Policy) -> None:
    """Refuse tables that lack columns, or numbers that a model measures by; all at once."""
    wanted = dict.fromkeys(name for model in policy.models for name in model.columns)
    gone = [
        *(n for n in policy.class_names if not released_as(n, released.columns)),
        *(name for name in wanted if name not in released.columns),
    ]
    if gone:
        raise SchemaError(
            Fault(f"columns.{name}", "is not in the table", "Assess the table of this policy.")
            for name in gone
        )
    faults = list(number_faults(released, policy))
    if faults:
        raise SchemaError(faults)


def class_cells(released: Frame, policy: Policy) -> Frame:
    """Return the cells that form the classes; every way of writing a missing value is one."""
    names = [found for name in policy.class_names for found in released_as(name, released.columns)]
    if policy.algorithm.republishes and GROUP in released.columns:
        names.append(GROUP)
    tokens = list(policy.data.missing)
    return with_one_missing(columns_of(released, names), tokens)
