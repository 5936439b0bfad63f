"""Count and rewrite with Polars, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.frequencies import TOGETHER, FrequencyTable, SensitiveColumn, Share
from indistinct.core.kernels import group_rows
from indistinct.core.recoding import Recoding
from indistinct.engines.cell_texts import cell_texts

LOOKUP_RANGE = 4_000_000
WORD_BITS = 62


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """A column as integer codes.

    Parameters
    ----------
    codes : (n_rows,), value code of each record
    texts : (n_values,), how each value is written; the missing value is ``missing_text``
    numbers : (n_values,), the number of each value, NaN for missing; None for a column of words
    is_missing : (n_values,), True for the missing value
    """

    codes: Codes
    texts: tuple[str, ...]
    numbers: Floats | None
    is_missing: Bools

    __repr__ = briefly


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


def encode(column: pl.Series, missing_text: str) -> EncodedColumn:
    """Replace a column's values by codes, in value order; a missing value comes last.

    Numbers and dates are ordered as such, all else as text. O(n_rows) expected time.
    """
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.dtype.is_integer() or column.dtype.is_float():
        return _encode_numbers(column, missing_text)
    return _encode_texts(cell_texts(column), missing_text)


def count(
    quasi_identifiers: Mapping[str, Codes],
    sensitive: Mapping[str, SensitiveColumn],
    sensitive_codes: Mapping[str, Codes],
    n_records: int = 0,
) -> Counted:
    """Reduce records to distinct tuples with weights.

    Parameters
    ----------
    quasi_identifiers, sensitive_codes : per column, (n_rows,), value codes
    sensitive : the sensitive columns in the whole table
    n_records : number of records, where no column says it
    """
    columns = [*quasi_identifiers.values(), *sensitive_codes.values()]
    n_rows = len(columns[0]) if columns else n_records
    rows = np.empty((n_rows, len(columns)), dtype=np.int32)
    for index, codes in enumerate(columns):
        rows[:, index] = codes
    labels, representatives, weights = group_rows(rows)
    order, rank = _canonical(rows[representatives])
    distinct = rows[representatives[order]]
    width = len(quasi_identifiers)
    table = FrequencyTable(
        tuple(quasi_identifiers),
        np.ascontiguousarray(distinct[:, :width]),
        weights[order],
        dict(sensitive),
        {
            name: np.ascontiguousarray(distinct[:, width + index])
            for index, name in enumerate(sensitive_codes)
        },
    )
    return Counted(table, rank[labels])


def together(codes: Mapping[str, Codes]) -> tuple[SensitiveColumn, Codes]:
    """Make one column of several: its values are their combinations.

    Parameters
    ----------
    codes : per sensitive column, (n_rows,), value codes

    Returns
    -------
    the column, and the combination of each row
    """
    names = list(codes)
    rows = np.stack([codes[name] for name in names], axis=1)
    labels, representatives, counts = group_rows(np.ascontiguousarray(rows))
    kinds = rows[representatives]
    joins: dict[str, Share] = {}
    for index, name in enumerate(names):
        others = np.ascontiguousarray(np.delete(kinds, index, axis=1))
        joins[name] = Share(np.ascontiguousarray(kinds[:, index]), group_rows(others)[0])
    texts = tuple(str(number) for number in range(len(kinds)))
    return SensitiveColumn(TOGETHER, texts, None, counts, joins=joins), labels


def _canonical(tuples: Codes) -> tuple[Ints, Codes]:
    """Sort distinct tuples, so that nothing later depends on the order of the records.

    Parameters
    ----------
    tuples : (n_tuples, n_columns)

    Returns
    -------
    order : (n_tuples,), the tuples in order
    rank : (n_tuples,), place of each tuple in it
    """
    radices = tuples.max(axis=0, initial=0).astype(np.int64) + 1
    if np.log2(radices).sum() < WORD_BITS:
        keys = np.zeros(len(tuples), np.int64)
        for column, radix in enumerate(radices.tolist()):
            keys = keys * radix + tuples[:, column]
        order = np.argsort(keys, kind="stable")
    else:
        order = np.lexsort(tuples.T[::-1])
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return order, rank


def classes_of_rows(recoding: Recoding, tuple_of_row: Codes) -> Codes:
    """Give the class of every record: (n_rows,).

    A tuple that is split over classes gives each as many of its records as the recoding says;
    which of them does not matter, since they are alike in all that the models look at.
    """
    if len(recoding.tuples) == recoding.tuples.max(initial=-1) + 1 and _is_range(recoding.tuples):
        return recoding.labels[tuple_of_row]
    by_tuple = np.argsort(recoding.tuples, kind="stable")
    classes = np.empty(len(tuple_of_row), np.int32)
    classes[np.argsort(tuple_of_row, kind="stable")] = np.repeat(
        recoding.labels[by_tuple], recoding.weights[by_tuple]
    )
    return classes


def rewrite(
    frame: pl.DataFrame, recoding: Recoding, columns: Sequence[str], classes: Codes, rows: Ints
) -> pl.DataFrame:
    """Write the released cells of some records.

    Parameters
    ----------
    frame : the original columns that are released, quasi-identifiers among them
    recoding : the decision
    columns : names of the quasi-identifiers, in the recoding's order
    classes : (n_rows,), class of every record of ``frame``
    rows : (n_released,), the records to write, in the order wanted

    Notes
    -----
    A column that is nowhere generalized keeps its type.
    """
    labels = classes[rows]
    chosen = frame[rows]
    written: list[pl.Series] = []
    for index, name in enumerate(columns):
        cells = recoding.cells[labels, index]
        domain = recoding.domains[index]
        if len(cells) == 0 or domain.levels[cells].max() == 0:
            continue
        texts = pl.Series(name, domain.labels, dtype=pl.String)
        written.append(texts.gather(pl.Series(cells)).alias(name))
    return chosen.with_columns(written)


def _encode_numbers(column: pl.Series, missing_text: str) -> EncodedColumn:
    """Give codes to numbers, ascending."""
    known = _distinct(column)
    has_missing = column.null_count() > 0
    if isinstance(column.dtype, pl.Int128 | pl.UInt128):  # which NumPy does not have
        places = column.rank("dense").cast(pl.Int64) - 1
        codes = places.fill_null(len(known)).to_numpy().astype(np.int32)
        wide = known.cast(pl.Float64).to_numpy()
        return _numbers_as(codes, known, wide, missing_text if has_missing else None)
    values = known.to_numpy()
    if has_missing:
        filled = column.fill_null(known[0] if len(known) else 0).to_numpy()
        is_null = column.is_null().to_numpy()
        codes = np.where(is_null, len(values), _positions(filled, values)).astype(np.int32)
    else:
        codes = _positions(column.to_numpy(), values)
    return _numbers_as(codes, known, values, missing_text if has_missing else None)


def _numbers_as(
    codes: Codes, known: pl.Series, values: Ints | Floats, missing_text: str | None
) -> EncodedColumn:
    """Put an encoded column of numbers together.

    Parameters
    ----------
    codes : (n_rows,)
    known, values : (n_known,), the distinct numbers, ascending, as Polars and as NumPy have them
    missing_text : None where no number is missing
    """
    texts = tuple(known.cast(pl.String).to_list())
    texts += () if missing_text is None else (missing_text,)
    numbers = np.append(values.astype(np.float64), [] if missing_text is None else [np.nan])
    return EncodedColumn(codes, texts, numbers, np.isnan(numbers))


def _distinct(column: pl.Series) -> pl.Series:
    """Give the distinct values of a column, sorted, none missing."""
    known = column.unique()
    return (known.drop_nulls() if column.null_count() else known).sort()


def _positions(numbers: Ints | Floats, values: Ints | Floats) -> Codes:
    """Find each number among the sorted distinct values."""
    if len(values) == 0:
        return np.zeros(len(numbers), np.int32)
    if values.dtype.kind in "iu" and int(values[-1]) - int(values[0]) < LOOKUP_RANGE:
        wide = np.uint64 if values.dtype == np.uint64 else np.int64
        steps = values.astype(wide) - wide(values[0])
        table = np.zeros(int(steps[-1]) + 1, np.int32)
        table[steps] = np.arange(len(values), dtype=np.int32)
        return table[numbers.astype(wide) - wide(values[0])]
    return np.searchsorted(values, numbers).astype(np.int32)


def _encode_texts(column: pl.Series, missing_text: str) -> EncodedColumn:
    """Give codes to texts, in alphabetical order."""
    known = _distinct(column)
    texts = tuple(known.to_list())
    if known.is_empty():
        codes = np.zeros(len(column), np.int32)
    else:
        places = column.cast(pl.Enum(known)).to_physical()
        if column.null_count():
            places = places.cast(pl.Int32).fill_null(len(texts))
        codes = places.to_numpy().astype(np.int32)
    if column.null_count():
        texts = (*texts, missing_text)
    is_missing = np.arange(len(texts)) == (len(texts) - 1 if column.null_count() else -1)
    return EncodedColumn(codes, texts, None, is_missing)


def _is_range(numbers: Codes) -> bool:
    """Tell whether the numbers are 0, 1, 2, ... in order."""
    return bool(np.array_equal(numbers, np.arange(len(numbers))))
