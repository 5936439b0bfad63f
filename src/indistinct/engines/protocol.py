"""What an engine does: it counts records, and writes the cells that were decided for them.

Between these two, nobody sees a record: an algorithm, a model and the reader of a release work on
distinct tuples of codes with weights.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.frequencies import FrequencyTable, SensitiveColumn
from indistinct.core.recoding import Recoding

Table = TypeVar("Table")


class Kind(StrEnum):
    """What the values of a column are, whatever library holds them."""

    WHOLE = "whole"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    TRUTH = "truth"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of a table without looking at its tuples.

    Parameters
    ----------
    n_records : rows
    kinds : per column, in the table's order
    n_missing : per column, cells that are missing
    """

    n_records: int
    kinds: Mapping[str, Kind]
    n_missing: Mapping[str, int]


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
class Counted:
    """The distinct tuples of a table, and where each record went.

    Parameters
    ----------
    table : the distinct tuples
    tuple_of_row : (n_rows,), distinct tuple of each record
    """

    table: FrequencyTable
    tuple_of_row: Codes

    __repr__ = briefly


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


class Engine(Protocol[Table]):
    """Where records are: the only one that touches them, once to count and once to write.

    Every engine gives the same answers bit for bit: codes follow the order of the values, texts are
    those of :func:`indistinct.engines.cell_texts.cell_texts`, and tuples come sorted.
    """

    name: str

    def describe(self, table: Table) -> Description:
        """Say how many records there are, and what each column holds."""
        ...

    def encode(self, table: Table, name: str, missing: Sequence[str] = ()) -> EncodedColumn:
        """Replace the values of a column by codes, in value order; a missing value comes last.

        Parameters
        ----------
        missing : texts that stand for a missing value in a column of texts

        Returns
        -------
        the column, in which the missing value is written as the empty text
        """
        ...

    def count(
        self,
        quasi_identifiers: Mapping[str, Codes],
        sensitive: Mapping[str, SensitiveColumn],
        sensitive_codes: Mapping[str, Codes],
        n_records: int = 0,
    ) -> Counted:
        """Reduce encoded records to distinct tuples with weights.

        Parameters
        ----------
        quasi_identifiers, sensitive_codes : per column, (n_rows,), value codes
        sensitive : the sensitive columns in the whole table
        n_records : number of records, where no column says it
        """
        ...

    def write(self, table: Table, decision: Decision) -> Table:
        """Write the released cells of some records.

        A column that is nowhere generalized keeps its type and its cells, as do columns that the
        decision does not speak of.
        """
        ...

    def count_release(self, table: Table, names: Sequence[str]) -> CountedRows:
        """Count the distinct rows of some columns of a release."""
        ...
