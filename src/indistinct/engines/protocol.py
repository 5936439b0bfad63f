"""Encoded columns, and what was decided of records, as counting and writing exchange them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.recoding import Recoding


class Kind(StrEnum):
    """What the values of a column are, whatever library holds them."""

    WHOLE = "whole"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    TRUTH = "truth"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """A column as integer codes.

    Parameters
    ----------
    codes : (n_rows,), value code of each record
    texts : (n_values,), how each value is written; the missing value, if there is one, comes last
    numbers : (n_values,), the number of each value, NaN for missing; None for a column of words
    is_missing : (n_values,), True for the missing value
    """

    codes: Codes
    texts: tuple[str, ...]
    numbers: Floats | None
    is_missing: Bools

    __repr__ = briefly

    def chosen(self, which: Bools) -> EncodedColumn:
        """Return some of the values, without records."""
        return EncodedColumn(
            self.codes[:0],
            tuple(text for text, is_chosen in zip(self.texts, which, strict=True) if is_chosen),
            None if self.numbers is None else self.numbers[which],
            self.is_missing[which],
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of the records.

    Parameters
    ----------
    recoding : the cells of each class
    columns : names of the quasi-identifiers, in the recoding's order
    classes : (n_rows,), class of every record
    rows : (n_released,), the records to write, in the order wanted
    missing : the labels of missing values, which are written as empty cells
    """

    recoding: Recoding
    columns: Sequence[str]
    classes: Codes
    rows: Ints
    missing: Container[str] = ("",)

    __repr__ = briefly


@dataclass(frozen=True, slots=True)
class CountedRows:
    """The distinct rows of a release, in the order of their texts; a missing cell comes last.

    Parameters
    ----------
    names : of the columns
    texts : per column, (n_texts,), every cell that stands in it, once; None for a missing one
    cells : (n_distinct, n_columns), place of each cell among the texts of its column
    weights : (n_distinct,), records
    row_of : (n_records,), distinct row of each record
    """

    names: tuple[str, ...]
    texts: tuple[tuple[str | None, ...], ...]
    cells: Codes
    weights: Ints
    row_of: Codes

    __repr__ = briefly
