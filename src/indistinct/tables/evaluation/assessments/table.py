"""The table that is assessed: read, and brought back to the types that it had before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indistinct.errors import Fault, SchemaError
from indistinct.tables.core.schema import GROUP
from indistinct.tables.counting.table_faults import number_faults
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.set_forms import SetForms
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading import files
from indistinct.tables.reading.column_types import with_numbers
from indistinct.tables.reading.declared_formats import Reading
from indistinct.tables.reading.missing_values import with_one_missing


def read_original(data: Any, reading: Reading, sets: SetForms) -> Frame:
    """Read the original as the policy says."""
    return files.read_file(
        data,
        reading=reading,
        sets=sets,
    ).frame


def typed_again(
    frame: Frame, before: Frame | None, class_names: Sequence[str], suppressed: str
) -> Frame:
    """Return columns as numbers again that are text for the sake of masked records."""
    if suppressed != "mask":
        return frame
    names = [name for name in frame.columns if name not in class_names]
    return with_numbers(frame, names, before)


def released_as(name: str, present: Sequence[str]) -> list[str]:
    """Return the columns that a quasi-identifier stands in: itself, or its two bounds."""
    bounds = [f"{name}_min", f"{name}_max"]
    return [name] if name in present else [b for b in bounds if b in present]


def check_table(
    released: Frame, class_names: Sequence[str], models: Sequence[BoundedModel]
) -> None:
    """Refuse tables that lack columns, or numbers that a model measures by; all at once."""
    wanted = dict.fromkeys(name for model in models for name in model.columns)
    gone = [
        *(n for n in class_names if not released_as(n, released.columns)),
        *(name for name in wanted if name not in released.columns),
    ]
    if gone:
        raise SchemaError(
            Fault(f"columns.{name}", "is not in the table", "Assess the table of this policy.")
            for name in gone
        )
    faults = list(number_faults(released, models))
    if faults:
        raise SchemaError(faults)


def class_cells(released: Frame, spec: Specification) -> Frame:
    """Return the cells that form the classes; every way of writing a missing value is one."""
    names = [found for name in spec.class_names for found in released_as(name, released.columns)]
    if spec.algorithm.republishes and GROUP in released.columns:
        names.append(GROUP)
    tokens = list(spec.data.missing)
    return with_one_missing(columns_of(released, names), tokens)
