"""The forms in which tables have sets of items: delimited texts, lists, and a row per item.

Inside, a set is one cell of text with a separator between the items. Lists of Parquet, Arrow and
frames, and files with a row per person and item, are brought into this form where they are read,
and back into their own where a release is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from indistinct.base.brief import short_repr
from indistinct.base.cells.bracket_lists import are_lists as are_bracketed, items_of
from indistinct.errors import DataError, Fault
from indistinct.tables.frames.texts import cell_texts

SEPARATORS = ";|,/ +\x1f"  # of lists whose separator nobody has named, the first that no item has
LOOK = 100  # cells by which lists in brackets are looked for
ITEM_TYPES = (pl.String, pl.Categorical, pl.Enum, pl.Null)


@dataclass(frozen=True, slots=True)
class SetForms:
    """What a policy says of the form of its sets.

    Parameters
    ----------
    separators : of each column of sets
    person, item : the two columns of a file with a row per person and item; empty for any other
    takes_lists : whether any column of lists may be a set, since there is no policy
    left_out : columns that are left out of a release, and so need not agree
    """

    separators: Mapping[str, str] = field(default_factory=dict[str, str])
    person: str = ""
    item: str = ""
    takes_lists: bool = False
    left_out: frozenset[str] = frozenset()

    __repr__ = short_repr


NO_SETS = SetForms()
ANY_LISTS = SetForms(takes_lists=True)


def are_lists(dtype: pl.DataType) -> bool:
    """Return whether the cells of a column are lists of texts or of whole numbers."""
    if not isinstance(dtype, pl.List | pl.Array):
        return False
    inner = dtype.inner
    return isinstance(inner, ITEM_TYPES) or inner.is_integer()  # pyright: ignore[reportUnknownVariableType, reportAttributeAccessIssue]


def taken_in(
    frame: pl.DataFrame, forms: SetForms, missing: tuple[str, ...] = (), *, is_file: bool = True
) -> tuple[pl.DataFrame, Mapping[str, str]]:
    """Return a table with a record per person and texts for sets.

    Parameters
    ----------
    forms : what the policy says
    missing : words for a missing person or item, besides the empty text
    is_file : whether the table is a file, which has the column of the person; a frame without it
        was taken in before

    Returns
    -------
    the table, and of each column that had lists the separator of its texts

    Raises
    ------
    DataError
        when an item contains the separator, a row has no person, or another column differs within
        the rows of a person
    """
    frame = _with_lists(frame, forms)
    lists = {
        name: _separator(frame[name], forms)
        for name, dtype in frame.schema.items()
        if are_lists(dtype) and (forms.takes_lists or name in forms.separators)
    }
    faults = [
        fault
        for name, separator in lists.items()
        for fault in _item_faults(_items(frame[name]), name, separator)
    ]
    if faults:
        raise DataError(faults)
    joined = [_joined(frame[name], mark) for name, mark in lists.items()]
    frame = frame.with_columns(joined) if joined else frame
    if not forms.person or not (is_file or forms.person in frame.columns):
        return frame, lists
    return _gathered(frame, forms, missing), lists


def _with_lists(frame: pl.DataFrame, forms: SetForms) -> pl.DataFrame:
    """Return texts that are lists in brackets or braces as lists."""
    columns: list[pl.Series] = []
    for column in frame.iter_columns():
        may_be = forms.takes_lists or column.name in forms.separators
        if not may_be or column.dtype != pl.String or not _begin_with_brackets(column):
            continue
        counted = column.drop_nulls().alias("").value_counts(name="n")
        texts: list[str] = counted[""].to_list()
        if are_bracketed(texts, counted["n"].to_list()):
            items = {text: items_of(text) for text in texts}
            cells = [None if cell is None else items[cell] for cell in column.to_list()]
            columns.append(pl.Series(column.name, cells, pl.List(pl.String)))
    return frame.with_columns(columns) if columns else frame


def _begin_with_brackets(column: pl.Series) -> bool:
    """Return whether the first cells may be lists, so that all are worth a look."""
    first = column.drop_nulls().head(LOOK)
    return bool(first.str.contains(r"^\s*[\[{]").any())


def given_back(
    frame: pl.DataFrame, forms: SetForms, lists: Mapping[str, str], *, as_text: bool = False
) -> pl.DataFrame:
    """Return a release in the form in which its input had its sets.

    Parameters
    ----------
    frame : a record per row, texts for sets
    lists : the columns that had lists, as :func:`taken_in` found them
    as_text : whether the format has no lists; their texts then stay

    Returns
    -------
    the table; with a row per item the people are numbered in the order of the rows, which is drawn
    at random, and who has no item has one row without one
    """
    if lists and not as_text:
        frame = frame.with_columns(
            pl.Series(name, _split(frame[name], mark), pl.List(pl.String))
            for name, mark in lists.items()
            if name in frame.columns
        )
    if not forms.person:
        return frame
    labels = _split(frame[forms.item], forms.separators[forms.item])
    rows = [row for row, own in enumerate(labels) for _ in own or [""]]
    items = [label for own in labels for label in own or [None]]
    numbers = pl.Series(forms.person, rows, pl.Int64)
    unfolded = frame[rows].with_columns(pl.Series(forms.item, items, pl.String))
    return unfolded.insert_column(0, numbers)


def _separator(column: pl.Series, forms: SetForms) -> str:
    """Return the separator of a column's texts; without a policy one that no item has."""
    if column.name in forms.separators:
        return forms.separators[column.name]
    items = _items(column)
    return next(
        (mark for mark in SEPARATORS if not items.str.contains(mark, literal=True).any()),
        SEPARATORS[0],
    )


def _items(column: pl.Series) -> pl.Series:
    """Return the different items of a column of lists, as texts."""
    return cell_texts(column.explode().drop_nulls().unique())


def _item_faults(items: pl.Series, name: str, separator: str) -> list[Fault]:
    """Find items that contain the separator, so that nobody could tell one from two."""
    torn = items.filter(items.str.contains(separator, literal=True)).n_unique()
    if not torn:
        return []
    problem = f"{torn} of its items contain the separator of the column"
    return [Fault(f"columns.{name}.separator", problem, "Name a separator that no item contains.")]


def _joined(column: pl.Series, separator: str) -> pl.Series:
    """Write each list as a text; missing items do not count."""
    texts = pl.col(column.name).cast(pl.List(pl.String)).list.drop_nulls().list.join(separator)
    return pl.DataFrame([column]).select(texts).to_series()


def _split(column: pl.Series, separator: str) -> list[list[str]]:
    """Split the released texts of a column into their labels."""
    known = {text: text.split(separator) for text in column.unique().to_list() if text}
    return [known.get(text, []) for text in column.to_list()]


def _gathered(frame: pl.DataFrame, forms: SetForms, missing: tuple[str, ...]) -> pl.DataFrame:
    """Return the rows of each person together, in the order in which people come first."""
    person, item = forms.person, forms.item
    faults = [
        Fault(
            f"data.long.{word}", f'names "{name}", which is not in the data', "Check the spelling."
        )
        for word, name in (("person", person), ("item", item))
        if name not in frame.columns
    ]
    if faults:
        raise DataError(faults)
    keys = pl.DataFrame([cell_texts(frame[name]) for name in (person, item)])
    words = ["", *missing]
    frame = frame.with_columns(column.set(column.is_in(words), None) for column in keys)
    separator = forms.separators[item]
    faults = [*_item_faults(frame[item].drop_nulls().unique(), item, separator)]
    if n_missing := frame[person].null_count():
        problem = f"{n_missing} rows have no person"
        faults.append(Fault(f"data.long.{person}", problem, "Complete them, or leave them out."))
    others = [name for name in frame.columns if name not in {person, item}]
    by_person = frame.group_by(person, maintain_order=True)
    needed = [name for name in others if name not in forms.left_out]
    differ = by_person.agg(pl.col(needed).n_unique() > 1).drop(person)
    faults += [
        Fault(
            f"columns.{name}",
            f"differs within the rows of {int(differ[name].sum())} people",
            "In a file with a row per item every other column must say the same in all rows of a "
            "person. Correct it, or take it out of the file.",
        )
        for name in needed
        if differ[name].any()
    ]
    if faults:
        raise DataError(faults)
    sets = pl.col(item).drop_nulls().str.join(separator)
    return by_person.agg(pl.col(others).first(), sets).select(
        name for name in frame.columns if name != person
    )
