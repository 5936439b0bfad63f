"""Words for a missing value in released cells: a release writes a missing cell in one way.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from indistinct.errors import Fault
from indistinct.policy.column_rule import ColumnRule
from indistinct.policy.resolved import Resolved
from indistinct.reader.verify.cells import HIDDEN, Listed, MadeFromData, Periods, is_number
from indistinct.reader.verify.policy_cells import cells_of
from indistinct.reader.verify.texts_as_read import text_as_read

TRUTHS = ("true", "false")  # a column of truth values has no word for a missing one


def missing_word_faults(frame: pl.DataFrame, promised: Resolved) -> Iterator[Fault]:
    """Find cells that hold a word which the policy lists for a missing value.

    A word is passed over where an honest cell may be written so: in a masked column, whose numbers
    are drawn, or as a label, a midpoint, a hidden cell or a truth value.

    Parameters
    ----------
    frame : released columns, as texts or with their types
    """
    listed = [word for word in promised.data.missing if word.strip(HIDDEN) and word not in TRUTHS]
    for column in frame.iter_columns() if listed else ():
        if column.name not in promised.columns or column.name in promised.protections:
            continue
        if column.name in promised.set_names or column.dtype == pl.Boolean:
            continue
        distinct = column.unique()
        words = _words(promised.columns[column.name], listed, text_as_read(distinct))
        # Nearly always no word stands there, and the distinct cells show it.
        count = _count(column, words) if _count(distinct, words) else 0
        if count:
            yield Fault(
                f"columns.{column.name}",
                f"{count} cells hold a word that the policy lists as missing, but a release leaves "
                "a missing cell empty",
                "Do not publish this file: write the release again.",
            )


def _count(column: pl.Series, words: Sequence[str]) -> int:
    """Count the cells that hold one of some words."""
    if column.dtype.is_numeric():
        numbers = [float(word) for word in words if is_number(word.strip())]
        found = column.cast(pl.Float64).is_in(numbers)
    else:
        found = text_as_read(column).is_in(words)
    return int(found.fill_null(value=False).sum())


def _words(rule: ColumnRule, words: Sequence[str], shown: pl.Series) -> Sequence[str]:
    """Return those of some words that no honest cell of a column is."""
    if not rule.in_classes:
        return words
    if rule.shown_as == "midpoint":
        words = [word for word in words if not is_number(word)]
    cells = cells_of(rule)
    if isinstance(cells, Listed | Periods):
        return [word for word in words if not any(cells.levels(word))]
    if isinstance(cells, MadeFromData) and not all(is_number(one) for one in shown if one):
        # A number of four digits is a year in a column of dates alone.
        return [word for word in words if len(MadeFromData(()).levels(word)) == 1]
    return words
