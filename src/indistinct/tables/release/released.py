"""A release as its reader counts it: distinct rows of cells with weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any, cast, final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.files.pair import SUFFIX, manifest_beside
from indistinct.base.hierarchy import ROOT
from indistinct.errors import DataError, Fault, PolicyError, SchemaError
from indistinct.tables.core.codebook import ColumnEntries
from indistinct.tables.core.grouping import DENSE, group_plainly
from indistinct.tables.core.interval_hierarchies import number_text
from indistinct.tables.core.keys import number_key
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.frames.cell_numbers import has_floats, paired_texts
from indistinct.tables.frames.encoding import encode
from indistinct.tables.frames.frame import Column, Frame, frame_of
from indistinct.tables.frames.texts import distinct_texts, is_written_plainly, texts_with
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import label_levels, missing_text
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.reading.missing_values import are_missing
from indistinct.tables.release.cells import is_range, read_ends
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, cells_on, scale_of
from indistinct.tables.release.label_rules import labels_of as written_by
from indistinct.tables.release.released_file import bounds_of

OF_ONE_RUN = "Is this the manifest of this file? Put the two files of one run beside each other."


@final
@dataclass(frozen=True, slots=True)
class ReleasedTable:
    """Distinct rows of cells with weights; the table that was released may be counted so, too.

    Parameters
    ----------
    books : per column, its cells
    cells : (n_distinct, n_columns), number of the cell in its book
    weights : (n_distinct,), records, or the people that they stand for
    row_of : (n_records,), distinct row of each record, where single records matter
    """

    books: tuple[ColumnCells, ...]
    cells: Codes
    weights: Ints | Floats
    row_of: Codes

    __repr__ = short_repr

    @property
    def records(self) -> Codes:
        """Number of the cell of each record: (n_records, n_columns)."""
        return self.cells[self.row_of]

    def among(self, columns: Sequence[int]) -> tuple[Codes, Floats]:
        """Count the distinct rows of some columns: (n_found, n_chosen) cells, (n_found,) weights.

        O(n_distinct) expected time, whatever the number of records. Columns of few combinations are
        grouped by whole numbers that name them, which takes less than to hash rows.
        """
        rows = np.ascontiguousarray(self.cells[:, list(columns)])
        n_combined = prod(len(self.books[column].texts) for column in columns)
        group = group_plainly if n_combined <= DENSE * len(rows) else group_rows
        labels, representatives, _ = group(rows)
        weights = np.bincount(labels, self.weights, len(representatives))
        return rows[representatives], weights.astype(np.float64)


def column_scale(original: Frame, rule: ColumnRule) -> ColumnScale:
    """Make the line of a column from the values of the original.

    Raises
    ------
    HierarchyError
        when the hierarchy does not fit the values
    """
    return scale_of(rule, encode_column(original, rule))


def count_release(frame: Frame, lines: Sequence[ColumnScale]) -> ReleasedTable:
    """Count the cells of a table, a release or its original.

    Parameters
    ----------
    lines : of the columns to count

    Raises
    ------
    DataError
        when a column is not there, or a cell is no generalization of the original's values
    """
    books: list[ColumnCells] = []
    rows = np.empty((frame.height, len(lines)), np.int32)
    for column, line in enumerate(lines):
        book, rows[:, column] = coded_cells(frame, line)
        books.append(book)
    return counted_cells(books, rows)


def coded_cells(frame: Frame, line: ColumnScale) -> tuple[ColumnCells, Codes]:
    """Return the cells of a column, and the number of each record's: (n_records,).

    Raises
    ------
    SchemaError
        when the column is not there, or a cell is no generalization of the original's values
    """
    encoded = encode(cell_texts_of(frame, line.rule), "")
    book = cells_on(line, encoded.texts)
    if not book.are_cells.all():
        problem = "has cells that are not a generalization of the original's values"
        remedy = "Compare the release with the table that it was made from."
        raise DataError([Fault(f"columns.{line.name}", problem, remedy)])
    return book, encoded.codes


def counted_cells(books: Sequence[ColumnCells], rows: Codes) -> ReleasedTable:
    """Count the distinct rows of cells: (n_records, n_columns) numbers in the books."""
    row_of, representatives, weights = group_rows(rows)
    return ReleasedTable(tuple(books), rows[representatives], weights, row_of)


def labels_of(frame: Frame, rules: Iterable[ColumnRule]) -> Frame:
    """Return the labels of some columns: what the codebook says of a cell, or else its text."""
    return frame_of({rule.name: _labels(cell_texts_of(frame, rule), rule) for rule in rules})


def _labels(cells: Column, rule: ColumnRule) -> Column:
    """Return the label of each cell; an entry at a level that has no such label is no cell."""
    if rule.entries is None:
        return cells
    render = written_by(rule).render
    said = {text: render(entry) or "" for text, entry in rule.entries.cells.items()}
    changed = {text: label for text, label in said.items() if text != label}
    return cells.replace(changed) if changed else cells


def cell_texts_of(frame: Frame, rule: ColumnRule) -> Column:
    """Return the cells of a column as texts, a pair of bounds and every missing value as one text.

    Raises
    ------
    DataError
        when the column is not there
    """
    low, high = bounds_of(rule.name)
    if rule.name in frame.columns:
        column = frame[rule.name]
        is_midpoint = rule.shown_as == "midpoint" and has_floats(column)
        unwritten = ROOT if is_midpoint else missing_text(rule)
        return texts_with(column, are_missing(column, rule.missing), unwritten)
    if low not in frame.columns or high not in frame.columns:
        problem = "is not in the table"
        raise SchemaError(
            [Fault(f"columns.{rule.name}", problem, "Measure the table of this policy.")]
        )
    return from_bounds(frame[low], frame[high], rule)


def from_bounds(low: Column, high: Column, rule: ColumnRule) -> Column:
    """Return cells of pairs of bounds: a range made from the data includes both its ends.

    A file or a tree says how its own ranges are written.
    """
    end = "]" if rule.in_ranges else ")"
    labels = [label for label in label_levels(rule) if is_range(label)]
    ends = read_ends(labels)
    pairs = zip(ends.lows.tolist(), ends.highs.tolist(), strict=True)
    listed = dict[tuple[float | None, float | None], str](zip(pairs, labels, strict=True))
    return paired_texts(
        low, high, lambda first, last: listed.get((first, last)) or _pair(first, last, end)
    )


def _pair(low: float | None, high: float | None, end: str) -> str:
    """Write two bounds as a cell; none stand for the whole column."""
    if low is None or high is None:
        return ROOT
    if low == high:
        return number_key(str(low)) or str(low)
    return f"[{number_text(low)}, {number_text(high)}{end}"


def is_released(name: str, frame: Frame) -> bool:
    """Return whether a column is there, as itself or as bounds."""
    return name in frame.columns or all(bound in frame.columns for bound in bounds_of(name))


def is_written_as_read(column: Column, shown_as: str) -> bool:
    """Return whether the cells of a column are written as its values are.

    Where midpoints are released, a missing number is written as a hidden one.
    """
    return is_written_plainly(column) or (has_floats(column) and shown_as != "midpoint")


def with_codebook(spec: Specification, data: Any, frame: Frame) -> Specification:
    """Return what is promised, knowing what the manifest beside a release says of its cells.

    Parameters
    ----------
    spec : by the policy; a column without a rule gets the one that the release was made with
    data : a path, beside which the manifest stands; anything else has none
    frame : the records that were read from it

    Raises
    ------
    DataError
        when the codebook lists labels that no cell shows
    """
    manifest = manifest_beside(data)
    book = manifest.get("codebook")
    if not isinstance(book, Mapping):
        return spec
    spec = spec.with_suggestions(_used_rules(spec, manifest))
    columns = dict(spec.columns)
    faults: list[Fault] = []
    for rule in spec.class_rules:
        entries = ColumnEntries.read(cast("Mapping[str, Any]", book).get(rule.name))
        if entries is None or not is_released(rule.name, frame):
            continue
        known = columns[rule.name] = replace(rule, entries=entries)
        listed = entries.cells.keys()
        if listed and not listed <= {*distinct_texts(cell_texts_of(frame, known))}:
            problem = "lists labels that no cell of the column shows"
            faults.append(
                Fault(f"{Path(data).name}{SUFFIX}: codebook.{rule.name}", problem, OF_ONE_RUN)
            )
    if faults:
        raise DataError(faults)
    return replace(spec, columns=columns)


def _used_rules(spec: Specification, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules that nobody wrote, as the policy of a manifest says them."""
    unruled = [rule.name for rule in spec.class_rules if rule.hierarchy is None]
    words = manifest.get("policy")
    if not unruled or not isinstance(words, Mapping):
        return {}
    try:
        said = Policy.of_public_words(cast("Mapping[str, Any]", words))
    except (PolicyError, TypeError, ValueError):
        return {}  # verify finds what is wrong with it
    rules = {name: said.rule_of(name).hierarchy for name in unruled if name in said.columns}
    return {name: rule for name, rule in rules.items() if rule is not None and rule.labels is None}
