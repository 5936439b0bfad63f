"""The values of columns in memory: as codes, counted, and back as the cells decided for them.

Texts that read alike, and columns of several tables beneath each other, get the same codes.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.keys import Meaning, counted_text, counted_texts
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.frames.row_ranks import are_all_numbers
from indistinct.tables.frames.small_columns import (
    SMALL,
    are_among,
    distinct,
    places_among,
    present_cells,
)
from indistinct.tables.frames.texts import (
    cell_texts,
    distinct_texts,
    in_normal_form,
    midnights_as_days,
)
from indistinct.tables.frames.tuples import CountedRows, EncodedColumn, canonical

LOOKUP_RANGE = 4_000_000
TRUTHS = ({"true", "false"}, {"True", "False"}, {"TRUE", "FALSE"})
# Days since 1970 whose texts have four digits for the year, and so the order of the days.
FIRST_DAY, LAST_DAY = -719_162, 2_932_896


def encode_written(column: pl.Series, missing: Sequence[str] = ()) -> EncodedColumn:
    """Replace cells by codes, in value order; a missing value comes last, as the empty text.

    Parameters
    ----------
    missing : texts that stand for a missing value in a column of texts
    """
    if not (column.dtype.is_numeric() or column.dtype.is_temporal()):
        column = column.cast(pl.String)
        gone = are_among(column, missing) if missing else None
        # A null is in no list, and `any` passes over it.
        if gone is not None and gone.any():
            column = column.set(gone.fill_null(value=False), None)
    return encode(column, "")


def with_released_cells(
    table: pl.DataFrame,
    recoding: Recoding,
    names: Sequence[str],
    chosen_rows: tuple[Codes, Ints],
    missing: Container[str] = ("",),
) -> pl.DataFrame:
    """Write the released cells of some records.

    A column that is nowhere generalized keeps its type and its cells, as do columns that are not
    recoded.

    Parameters
    ----------
    recoding : the cells of each class
    names : of the quasi-identifiers, in the recoding's order
    chosen_rows : the class of each record, and the records to write, in the order wanted
    missing : the labels of missing values, which are written as empty cells
    """
    classes, rows = chosen_rows
    labels = classes[rows]
    found: dict[str, pl.Series] = {}
    for index, name in enumerate(names):
        if name not in table.columns:
            continue
        cells = recoding.cells[labels, index]
        domain = recoding.domains[index]
        if len(cells) == 0 or domain.levels[cells].max() == 0:
            continue
        shown = [None if text in missing else text for text in domain.labels]
        found[name] = pl.Series(name, shown, dtype=pl.String)[cells]
    kept = pl.DataFrame([column for column in table.iter_columns() if column.name not in found])
    kept = kept[rows] if kept.width else kept
    kept = kept.with_columns(
        in_normal_form(kept[name])
        for name in names
        if name in kept.columns and kept[name].dtype == pl.String
    )
    return pl.DataFrame([found[name] if name in found else kept[name] for name in table.columns])


def count_release(table: pl.DataFrame, names: Sequence[str]) -> CountedRows:
    """Count the distinct rows of some columns of a release."""
    columns = [encode(cell_texts(table[name]), "") for name in names]
    rows = np.empty((table.height, len(names)), np.int32)
    for index, column in enumerate(columns):
        rows[:, index] = column.codes
    labels, representatives, weights = group_rows(rows)
    order, rank = canonical(rows[representatives])
    return CountedRows(
        tuple(names),
        tuple(
            tuple(
                None if gone else text
                for text, gone in zip(column.texts, column.is_missing.tolist(), strict=True)
            )
            for column in columns
        ),
        rows[representatives[order]],
        weights[order],
        rank[labels],
    )


def encode(column: pl.Series, missing_text: str) -> EncodedColumn:
    """Replace a column's values by codes, in value order; a missing value comes last.

    Numbers and dates are ordered as such, and so are texts that are all numbers; all else as text.
    O(n_rows) expected time.
    """
    column = _by_meaning(column)
    known, codes = value_codes(column)
    has_missing = bool(len(codes)) and int(codes.max()) == len(known)
    if column.dtype.is_numeric():
        return _numbers_as(codes, known, missing_text if has_missing else None)
    meaning = meaning_of(column, known)
    texts = tuple(known.to_list())
    is_missing = np.zeros(len(texts), np.bool_)
    if has_missing:
        texts, is_missing = (*texts, missing_text), np.append(is_missing, [True])
    return EncodedColumn(codes, texts, None, is_missing, meaning)


def _by_meaning(column: pl.Series) -> pl.Series:
    """Return texts in Unicode's normal form C, and moments that are all midnights as days."""
    if column.dtype == pl.String:
        return in_normal_form(column)
    return midnights_as_days(column)


def meaning_of(column: pl.Series, known: pl.Series) -> Meaning:
    """Return what the values of a column are: by its type, or by texts that are all truths.

    Parameters
    ----------
    known : (n_known,), its different values
    """
    if isinstance(column.dtype, pl.Date):
        return "date"
    if isinstance(column.dtype, pl.Datetime):
        return "moment"
    is_truth = isinstance(column.dtype, pl.Boolean)
    return "truth" if is_truth or _are_truths(known) else "text"


def _are_truths(known: pl.Series) -> bool:
    """Return whether texts are those of truths, in one writing."""
    is_pair = 0 < len(known) <= len(TRUTHS[0])
    return is_pair and any(words.issuperset(known.to_list()) for words in TRUTHS)


def value_codes(column: pl.Series) -> tuple[pl.Series, Codes]:
    """Return the distinct values of a column in their order, and the place of each record's.

    Returns
    -------
    the values that are not missing, as numbers or as texts; and (n_rows,) codes, in which a missing
    value has the number after all others
    """
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.dtype.is_integer() or column.dtype.is_float():
        known = _distinct(column)
        return known, _number_codes(column, known)
    if isinstance(column.dtype, pl.Date):
        days = column.to_physical()
        known = _distinct(days)
        if known.is_between(FIRST_DAY, LAST_DAY).all():
            return cell_texts(known.cast(pl.Date)), _number_codes(days, known)
    texts = cell_texts(column)
    # Decimals are ordered as the numbers they are, not as their texts.
    known = cell_texts(_distinct(column)) if column.dtype.is_decimal() else _distinct(texts)
    known = _in_number_order(known)
    return known, _text_codes(texts, known)


def _number_codes(column: pl.Series, known: pl.Series) -> Codes:
    """Return codes to numbers, ascending."""
    if isinstance(column.dtype, pl.Int128 | pl.UInt128):  # which NumPy does not have
        places = column.rank("dense").cast(pl.Int64) - 1
        return places.fill_null(len(known)).to_numpy().astype(np.int32)
    values = known.to_numpy()
    if column.null_count() == 0:
        return _positions(column.to_numpy(), values)
    filled = column.fill_null(known[0] if len(known) else 0).to_numpy()
    is_null = column.is_null().to_numpy()
    return np.where(is_null, len(values), _positions(filled, values)).astype(np.int32)


def _numbers_as(codes: Codes, known: pl.Series, missing_text: str | None) -> EncodedColumn:
    """Return an encoded column of numbers.

    Parameters
    ----------
    codes : (n_rows,)
    known : (n_known,), the distinct numbers, ascending
    missing_text : None where no number is missing
    """
    texts = tuple(cell_texts(known).to_list())
    texts += () if missing_text is None else (missing_text,)
    numbers = np.append(numbers_of(known), [] if missing_text is None else [np.nan])
    return EncodedColumn(codes, texts, numbers, np.isnan(numbers), "number")


def numbers_of(known: pl.Series) -> Floats:
    """Return numbers as floating point numbers of 64 bits.

    Ranges end at what a cell says: the shortest text of a single float is another double.
    """
    if known.dtype == pl.Float32:
        known = known.cast(pl.String)
    return known.cast(pl.Float64).to_numpy()


def _distinct(column: pl.Series) -> pl.Series:
    """Return the distinct values of a column, sorted, none missing."""
    return present_cells(distinct(column)).sort()


def _in_number_order(texts: pl.Series) -> pl.Series:
    """Sort distinct texts as the numbers that they are, where all of them are numbers.

    Whoever reads them in a text file, in which no column has a type, takes them for numbers.
    """
    if not are_all_numbers(texts):
        return texts
    if len(texts) <= SMALL:
        ordered = sorted(texts.to_list(), key=lambda text: (float(text), text))
        return pl.Series(texts.name, ordered, pl.String)
    numbers = texts.cast(pl.Float64) + 0.0  # minus zero is zero
    places = pl.DataFrame([numbers.alias("number"), texts.alias("text")]).select(
        pl.arg_sort_by("number", "text")
    )
    return texts.gather(places.to_series())


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


def _text_codes(column: pl.Series, known: pl.Series) -> Codes:
    """Return codes to texts: the places among the known ones."""
    if known.is_empty():
        return np.zeros(len(column), np.int32)
    places = places_among(column, known)
    if places.null_count():
        places = places.fill_null(len(known))
    return places.to_numpy().astype(np.int32)


def counted_alike(column: EncodedColumn, missing: Sequence[str] = ()) -> EncodedColumn:
    """Return values that read alike one code, in the order of their canonical writing.

    Each is written as it stands in the table: canonically if some cell has it so, else as the least
    of its texts. A column of numbers is what it was.

    Parameters
    ----------
    missing : texts that stand for a missing value, as a text of blanks always does
    """
    if column.numbers is not None:
        return column
    n_known = len(column.texts) - int(column.is_missing.any())
    written = column.texts[:n_known]
    alike, gone = counted_texts(written), {"", *counted_texts(missing)}
    if list(written) == alike and gone.isdisjoint(alike):
        return column
    chosen: dict[str, str] = {}
    for own, text in zip(alike, written, strict=True):
        least = min(chosen.get(own, text), text)
        chosen[own] = own if own in {least, text, chosen.get(own)} else least
    texts = pl.Series([None if own in gone else own for own in alike], dtype=pl.String)
    found = encode(texts, "")
    n_values = len(found.texts) - int(found.is_missing.any())
    codes = np.append(found.codes, [n_values]).astype(np.int32)[column.codes]
    has_missing = n_known < len(column.texts) or bool(found.is_missing.any())
    return replace(
        column,
        codes=codes,
        texts=(*(chosen[own] for own in found.texts[:n_values]), *[""][: int(has_missing)]),
        is_missing=np.arange(n_values + has_missing) == n_values,
    )


def counted_by_label(column: EncodedColumn, labels: Mapping[str, str]) -> EncodedColumn:
    """Return codes whose labels read alike as one value, the one with the least code.

    Parameters
    ----------
    labels : of codes
    """
    first_of: dict[str, int] = {}
    places = np.arange(len(column.texts))
    codes = [place for place, text in enumerate(column.texts) if text in labels]
    for place in sorted(codes, key=lambda place: (len(column.texts[place]), column.texts[place])):
        label = counted_text(labels[column.texts[place]])
        places[place] = first_of.setdefault(label, place)
    if len(first_of) == len(codes):
        return column
    own, place_of = np.unique(places, return_inverse=True)
    kept = column.chosen(np.isin(np.arange(len(places)), own))
    return replace(kept, codes=place_of[column.codes].astype(np.int32))


def persons_in(column: pl.Series, missing: Sequence[str] = ()) -> Codes:
    """Return the number of the person that each cell names: (n_rows,), from 0.

    All cells without a person name one and the same.

    Parameters
    ----------
    missing : texts that stand for no person
    """
    codes = counted_alike(encode_written(column, missing), missing).codes
    return np.unique(codes, return_inverse=True)[1].astype(np.int32)


def n_joined(column: pl.Series, missing: Sequence[str] = ()) -> int:
    """Count the ways of writing a person that read like another one.

    Parameters
    ----------
    missing : texts that stand for no person
    """
    gone = {"", *counted_texts(missing)}
    read = [] if column.dtype.is_numeric() else counted_texts(distinct_texts(column))
    known = [text for text in read if text not in gone]
    return len(known) - len(set(known))


def texts_beneath(columns: Sequence[pl.Series]) -> pl.Series:
    """Return the texts of columns beneath each other, under no name."""
    return pl.concat([cell_texts(column).alias("") for column in columns])


def beneath(upper: pl.Series, lower: pl.Series) -> pl.Series:
    """Return a column beneath another, whose cells take its type."""
    above = cell_texts(upper) if lower.dtype == pl.String else upper.cast(lower.dtype)
    return above.append(lower)


def encode_together(
    columns: Sequence[pl.Series], missing: Sequence[str], missing_text: str
) -> tuple[EncodedColumn, list[Codes]]:
    """Encode columns by the same codes: as numbers where all have numbers, else as texts.

    Parameters
    ----------
    columns : at least one
    missing : texts that stand for a missing value, besides the empty text
    missing_text : how a missing value is written

    Returns
    -------
    the cells of all columns, and the codes of each: (n_rows,)
    """
    if all(column.dtype.is_numeric() for column in columns):
        is_float = any(column.dtype.is_float() for column in columns)
        kind = pl.Float64() if is_float else pl.Int64()
        whole = pl.concat([column.cast(kind).alias("") for column in columns])
    else:
        whole = texts_beneath(columns)
        whole = whole.set(whole.is_in(["", *missing]).fill_null(value=False), None)
    encoded = encode(whole, missing_text)
    ends = np.cumsum([len(column) for column in columns])
    return encoded, np.split(encoded.codes, ends[:-1])
