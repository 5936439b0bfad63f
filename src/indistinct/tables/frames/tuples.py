"""Columns as codes, and the distinct tuples of them: what is the same for every engine.

Between counting and writing, nobody sees a record: an algorithm, a model and the reader of a
release work on distinct tuples of codes with weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.frequencies import TOGETHER, FrequencyTable, SensitiveColumn, Share
from indistinct.tables.core.grouping import group_few_rows
from indistinct.tables.core.keys import Meaning
from indistinct.tables.core.recoding import Recoding

WORD_BITS = 62


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """A column as integer codes.

    Parameters
    ----------
    codes : (n_rows,), value code of each record
    texts : (n_values,), how each value is written; the missing value, if there is one, comes last
    numbers : (n_values,), the number of each value, NaN for missing; None for a column of words
    is_missing : (n_values,), True for the missing value
    meaning : what the values are
    """

    codes: Codes
    texts: tuple[str, ...]
    numbers: Floats | None
    is_missing: Bools
    meaning: Meaning = "text"

    __repr__ = short_repr

    def chosen(self, which: Bools | None = None) -> EncodedColumn:
        """Return some of the values, or all of them, without records."""
        if which is None:
            return replace(self, codes=self.codes[:0].copy())
        return EncodedColumn(
            self.codes[:0],
            tuple(text for text, is_chosen in zip(self.texts, which, strict=True) if is_chosen),
            None if self.numbers is None else self.numbers[which],
            self.is_missing[which],
            self.meaning,
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

    __repr__ = short_repr


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

    __repr__ = short_repr


def count_tuples(
    quasi_identifiers: Mapping[str, Codes],
    sensitive: Mapping[str, SensitiveColumn],
    sensitive_codes: Mapping[str, Codes],
    n_rows: int = 0,
    records: Ints | None = None,
) -> Counted:
    """Reduce encoded rows to distinct tuples with weights.

    Parameters
    ----------
    quasi_identifiers, sensitive_codes : per column, (n_rows,), value codes
    sensitive : the sensitive columns in the whole table
    n_rows : their number, where no column says it
    records : (n_rows,), records of each row; one each where left out
    """
    columns = [*quasi_identifiers.values(), *sensitive_codes.values()]
    n_rows = len(columns[0]) if columns else n_rows
    if records is None:
        # Two halves of a number are compared as quickly as two of the many columns in it.
        numbers = np.stack(_packed(columns, n_rows), axis=1)
        labels, representatives, sizes = group_rows(numbers.view(np.int32))
    else:
        labels, representatives, sizes = group_few_rows(_beside(columns, n_rows))
    tuples = _beside([codes[representatives] for codes in columns], len(representatives))
    order, rank = canonical(tuples)
    distinct, tuple_of_row = tuples[order], rank[labels]
    weights = sizes[order]
    if records is not None:
        weights = np.bincount(tuple_of_row, records, len(order)).astype(np.int64)
    width = len(quasi_identifiers)
    table = FrequencyTable(
        tuple(quasi_identifiers),
        np.ascontiguousarray(distinct[:, :width]),
        weights,
        dict(sensitive),
        {
            name: np.ascontiguousarray(distinct[:, width + index])
            for index, name in enumerate(sensitive_codes)
        },
    )
    return Counted(table, tuple_of_row)


def combinations_of(
    codes: Mapping[str, Codes], weights: Ints | None = None
) -> tuple[SensitiveColumn, Codes]:
    """Make one column of several: its values are their combinations.

    Parameters
    ----------
    codes : per sensitive column, (n_rows,), value codes
    weights : (n_rows,), records of each row; one each where left out

    Returns
    -------
    the column, and the combination of each row
    """
    names = list(codes)
    rows = np.stack([codes[name] for name in names], axis=1)
    labels, representatives, counts = group_rows(np.ascontiguousarray(rows))
    if weights is not None:
        counts = np.bincount(labels, weights, len(representatives)).astype(np.int64)
    kinds = rows[representatives]
    joins: dict[str, Share] = {}
    for index, name in enumerate(names):
        others = np.ascontiguousarray(np.delete(kinds, index, axis=1))
        joins[name] = Share(np.ascontiguousarray(kinds[:, index]), group_rows(others)[0])
    texts = tuple(str(number) for number in range(len(kinds)))
    return SensitiveColumn(TOGETHER, texts, None, counts, joins=joins), labels


def canonical(tuples: Codes) -> tuple[Ints, Codes]:
    """Sort distinct tuples, so that nothing later depends on the order of the records.

    Parameters
    ----------
    tuples : (n_tuples, n_columns)

    Returns
    -------
    order : (n_tuples,), the tuples in order
    rank : (n_tuples,), place of each tuple in it
    """
    keys = _packed(tuples.T, len(tuples))
    # No two tuples are equal, so that every sort gives one order.
    order = np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return order, rank


def classes_of_rows(recoding: Recoding, tuple_of_row: Codes) -> Codes:
    """Return the class of every record: (n_rows,).

    A tuple that is split over classes gives each as many of its records as the recoding says;
    these are the first ones of the table, then the next. Models see no difference between them, but
    a release has to choose them in secret (:mod:`indistinct.tables.counting.orders_of_records`).
    """
    if not divides_tuples(recoding):
        return recoding.labels[tuple_of_row]
    by_tuple = np.argsort(recoding.tuples, kind="stable")
    classes = np.empty(len(tuple_of_row), np.int32)
    classes[np.argsort(tuple_of_row, kind="stable")] = np.repeat(
        recoding.labels[by_tuple], recoding.weights[by_tuple]
    )
    return classes


def divides_tuples(recoding: Recoding) -> bool:
    """Return whether records with equal quasi-identifiers go to several classes."""
    return not np.array_equal(recoding.tuples, np.arange(len(recoding.tuples)))


def _beside(columns: Sequence[Codes], n_rows: int) -> Codes:
    """Return columns of codes beside each other: (n_rows, n_columns)."""
    rows = np.stack(columns, axis=1) if columns else np.empty((n_rows, 0))
    return rows.astype(np.int32, copy=False)


def _packed(columns: Iterable[Codes], n_rows: int) -> list[Ints]:
    """Return neighboring columns in as few whole numbers as hold them, in the same order.

    Parameters
    ----------
    columns : (n_rows,) each

    Returns
    -------
    (n_rows,) each; to sort by all of them is to sort by all columns
    """
    packed: list[Ints] = []
    bits = np.inf
    for codes in columns:
        radix = int(codes.max(initial=0)) + 1
        bits += np.log2(radix)
        if bits < WORD_BITS:
            packed[-1] = packed[-1] * radix + codes
        else:
            packed.append(codes.astype(np.int64))
            bits = np.log2(radix)
    return packed or [np.zeros(n_rows, np.int64)]
