"""How generalized numbers are written: as labels, as two bounds, or as midpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.recoding import Reading, read_as_labels
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.frames.cell_numbers import (
    is_numeric,
    middles_of,
    numbers_as_read,
    numbers_of_cells,
    whole_as_before,
)
from indistinct.tables.frames.frame import Column, Frame, frame_of
from indistinct.tables.frames.texts import known_texts, text_column
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.release.cells import is_number, is_range, read_ends

LARGEST_COUNTED = 2.0**53  # whole numbers up to here are doubles


def present(written: Frame, prepared: Prepared) -> Frame:
    """Write the numeric quasi-identifiers as the policy asks.

    Parameters
    ----------
    written : the released records, cells as labels
    prepared : tells which columns are numbers in the input, and the form of the release: labels,
        bounds (columns ``x_min`` and ``x_max``) or midpoints

    Notes
    -----
    A cell that is hidden whole, or missing, has no bounds: it is left empty. A column of numbers
    that is generalized to other words than ranges, such as ``47***``, keeps them.
    """
    intervals = prepared.spec.release.intervals
    if intervals == "label":
        return written
    columns: dict[str, Column] = {}
    numeric = _numeric(prepared)
    for name in written.columns:
        if name not in numeric:
            columns[name] = written[name]
            continue
        low, high = _ends(written[name])
        if intervals == "bounds":
            before = prepared.frame[name]
            columns[f"{name}_min"] = whole_as_before(low, before)
            columns[f"{name}_max"] = whole_as_before(high, before)
        else:
            columns[name] = middles_of(low, high)
    return frame_of(columns)


def reading_of(prepared: Prepared) -> Reading:
    """Return how a reader reads the cells of the quasi-identifiers in the form of the release."""
    spec = prepared.spec
    intervals, columns = spec.release.intervals, spec.class_names
    if intervals == "label":
        return read_as_labels
    numeric = set(_numeric(prepared))

    def read(column: int, labels: Sequence[str]) -> Sequence[str]:
        if columns[column] not in numeric:
            return labels
        low, high = _ends(text_column("", labels))
        shown = (low, high) if intervals == "bounds" else (middles_of(low, high),)
        return [repr(row) for row in zip(*map(numbers_as_read, shown), strict=True)]

    return read


def shown_as_numbers(prepared: Prepared) -> list[str]:
    """Return the quasi-identifiers that are released as bounds or as midpoints, if any are."""
    return [] if prepared.spec.release.intervals == "label" else _numeric(prepared)


def _numeric(prepared: Prepared) -> list[str]:
    """Name the quasi-identifiers that are numbers in the input and are released as such."""
    hierarchies = zip(prepared.spec.class_rules, prepared.problem.hierarchies, strict=True)
    return [
        rule.name
        for rule, hierarchy in hierarchies
        if is_numeric(prepared.frame[rule.name])
        and not _is_masked(rule)
        and _has_ranges(hierarchy)
        and _tells_cells_apart(hierarchy)
    ]


def _is_masked(rule: ColumnRule) -> bool:
    """Return whether the policy hides characters, and so takes a column's numbers for codes."""
    return rule.hierarchy is not None and rule.hierarchy.mask is not None


def _has_ranges(hierarchy: GeneralizationHierarchy) -> bool:
    """Return whether all that stands between a value and the root is ranges and values.

    A label may be the value that it stands above, but no other number, and no range beside it.
    """
    own = np.array(hierarchy.values, np.object_)
    numbers = read_ends(hierarchy.values).lows
    *between, root = hierarchy.labels
    is_root = len(root) == 1 and not is_number(root[0]) and not is_range(root[0])
    checked = between if is_root else hierarchy.labels  # whatever the root is called
    for labels, codes in zip(checked, hierarchy.codes, strict=False):
        ends = read_ends(labels)
        lows, highs, is_open = ends.lows[codes], ends.highs[codes], ends.is_open[codes]
        is_within = (lows <= numbers) & np.where(is_open, numbers < highs, numbers <= highs)
        of_none = np.isnan(numbers) & np.array(list(map(is_range, labels)))[codes]
        if not (is_within | of_none | (np.array(labels, np.object_)[codes] == own)).all():
            return False
    return True


def _tells_cells_apart(hierarchy: GeneralizationHierarchy) -> bool:
    """Return whether bounds do: ``[5, 9)`` and ``[5, 9]`` have the same, and ``5`` and ``[5, 5]``.

    Ends beyond the whole numbers that a double can count are not the written ones, and neither is
    a number of more digits than a double has.
    """
    texts = sorted({label for labels in hierarchy.labels for label in labels})
    if not all(_is_double(text) for text in texts if is_number(text)):
        return False
    ends = read_ends(texts)
    known: dict[tuple[float, float], str] = {}
    for text, low, high in zip(texts, ends.lows.tolist(), ends.highs.tolist(), strict=True):
        kind = text if is_range(text) else ""  # a number may be written in several ways
        if kind and max(abs(low), abs(high)) > LARGEST_COUNTED:
            return False
        if not math.isnan(low) and known.setdefault((low, high), kind) != kind:
            return False
    return True


def _is_double(number: str) -> bool:
    """Return whether a number is the same after it was read as a double and written again."""
    read = float(number)
    return math.isinf(read) or math.isnan(read) or Decimal(repr(read)) == Decimal(number)


def _ends(cells: Column) -> tuple[Column, Column]:
    """Read both ends of each cell; a single value is both."""
    if is_numeric(cells):
        return cells, cells
    texts = known_texts(cells)
    ends = read_ends(texts)
    return (
        numbers_of_cells(cells, texts, ends.lows),
        numbers_of_cells(cells, texts, ends.highs),
    )
