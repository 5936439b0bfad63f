"""Columns whose released cells do not show in which larger regions a class lies.

A model that compares a class with a larger set around it is judged by the regions that a reader of
the release can see. Where a cell may stand for several regions, nobody can tell which are meant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.core.arrays import Bools
from indistinct.engines.frames import Column
from indistinct.reader.verify.boxes import Box
from indistinct.reader.verify.cells import CLOSED, HIDDEN
from indistinct.reader.verify.evidence import CheckedRelease, released_names
from indistinct.reader.verify.policy_cells import missing_label
from indistinct.reader.verify.texts_as_read import text_as_read


def why_unseen(evidence: CheckedRelease) -> list[str]:
    """Return the reasons why some class may lie in a larger region that the cells do not show."""
    names = evidence.promised.class_names
    reasons: list[str] = []
    if unknown := [name for name in names if _has_unknown_labels(evidence, name)]:
        reasons.append(
            f"this depends on the labels above the cells of {', '.join(unknown)}. Without a "
            "hierarchy in the policy, the labels follow from the values that were counted, which "
            "are not at hand"
        )
    empty = [name for name in names if _has_empty_bounds(evidence, name)]
    if empty and not _are_rows_known(evidence):
        reasons.append(
            f"the empty bounds of {', '.join(empty)} stand for numbers that are missing or that "
            "are hidden, and only the input and the crosswalk together tell which"
        )
    return reasons


def with_missing_boxes(evidence: CheckedRelease, boxes: Sequence[Box]) -> Sequence[Box]:
    """Return boxes that tell missing numbers from hidden ones, both with empty bounds.

    Parameters
    ----------
    boxes : per class, a cell of each quasi-identifier

    Returns
    -------
    The same, with the word for a missing number where it is missing in all records of the class.
    """
    if not boxes or not _are_rows_known(evidence):
        return boxes
    found = [list(box) for box in boxes]
    for column, name in enumerate(evidence.promised.class_names):
        if not _has_empty_bounds(evidence, name):
            continue
        word = missing_label(evidence.promised.columns[name])
        for box, lacks in zip(found, _lack_numbers(evidence, name).tolist(), strict=True):
            if lacks and box[column] == HIDDEN:
                box[column] = word
    return [tuple(box) for box in found]


def _are_rows_known(evidence: CheckedRelease) -> bool:
    """Return whether the input and the crosswalk say what each released record was."""
    models = evidence.promised.models
    names = {*evidence.promised.class_names, *(name for model in models for name in model.columns)}
    are_known = all(evidence.counted_before(name) is not None for name in names)
    return evidence.rows is not None and are_known


def _has_unknown_labels(evidence: CheckedRelease, name: str) -> bool:
    """Return whether the labels of a column are suggested by values that are not at hand.

    They are not at hand without the input, nor where the column was masked before it was counted.
    Where the cells are ranges, the ranges themselves show how the records were divided.
    """
    return (
        evidence.promised.columns[name].hierarchy is None
        and evidence.counted_before(name) is None
        and not any(CLOSED.match(cell) for cell, _ in evidence.counts(name))
    )


def _has_empty_bounds(evidence: CheckedRelease, name: str) -> bool:
    """Return whether a column is released in empty bounds, perhaps for a missing number."""
    if len(released_names(evidence.promised.columns[name], evidence.typed.columns)) == 1:
        return False
    if all(cell != HIDDEN for cell, _ in evidence.counts(name)):
        return False
    before = evidence.counted_before(name)
    return before is None or bool(_is_missing(evidence, before).any())


def _lack_numbers(evidence: CheckedRelease, name: str) -> Bools:
    """Return in which classes the number is missing in all records: (n_classes,)."""
    values, codes = evidence.numbered_before(name)
    is_missing = _is_missing(evidence, values).to_numpy()
    kinds = evidence.kinds()
    lacks = np.ones(len(kinds.sizes), np.bool_)
    is_number = ~is_missing[codes[np.asarray(evidence.rows, np.int64)]]
    lacks[kinds.of_row.to_numpy()[is_number]] = False
    return lacks


def _is_missing(evidence: CheckedRelease, column: Column) -> Column:
    """Return which values of a column of the input have no bounds."""
    return text_as_read(column).is_in(["", "NaN", *evidence.promised.data.missing])
