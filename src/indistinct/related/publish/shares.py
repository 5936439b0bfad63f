"""Which rows of related tables have a value whose share among units is limited."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.base.brief import short_repr
from indistinct.base.nearest_words import nearest
from indistinct.errors import Fault, PolicyError
from indistinct.related.publish.history import ReleasedRows, shown_rows
from indistinct.related.publish.tables import RelatedTables, RowColumn, RowTable, placed
from indistinct.tables.core import counted_text, counted_texts
from indistinct.tables.counting import encode_column
from indistinct.tables.masks import ValueRows
from indistinct.tables.models import LargestShare
from indistinct.tables.policy import ColumnRule, hierarchy_of, listed_texts, resolve

MOST_CLOSE = 5  # values that are shown where somebody asks for them


def value_rows(tables: RelatedTables, found: Sequence[ReleasedRows]) -> list[ValueRows]:
    """Return for each limited share which released rows have one of its values.

    Parameters
    ----------
    found : per table, the released rows
    """
    return [_value_rows(tables, found, model) for model in tables.policy.largest_shares]


def _value_rows(
    tables: RelatedTables, found: Sequence[ReleasedRows], model: LargestShare
) -> ValueRows:
    """Return which released rows have one of the values of one limited share."""
    true: list[Bools] = []
    seen: list[Bools] = []
    for table, one in zip(tables.row_tables, found, strict=True):
        is_true, is_seen = _of_table(tables, table, one, model)
        shows = shown_rows(tables, table, one)[one.kept]
        true.append(is_true[one.kept] & shows)
        seen.append(is_seen[one.kept] & shows)
    is_in_label = model.column_name in tables.policy.quasi_identifiers(model.table)
    return ValueRows(model.share, np.concatenate(true), np.concatenate(seen), is_in_label)


def _of_table(
    tables: RelatedTables, table: RowTable, rows: ReleasedRows, model: LargestShare
) -> tuple[Bools, Bools]:
    """Return which rows of a table truly have one of the values, and in which it is seen."""
    is_true, names = rows_with_value(tables, table, model), [one.name for one in table.columns]
    if table.name != model.table or model.column_name not in names:
        return is_true, is_true
    at = names.index(model.column_name)
    is_cell = _sensitive_cells(tables, table.columns[at], model)[1]
    return is_true, is_cell[rows.cells[:, at]] & rows.kept


def rows_with_value(tables: RelatedTables, table: RowTable, model: LargestShare) -> Bools:
    """Return which rows of a table truly have one of the values: (n_rows,)."""
    if table.name != model.table:
        return np.zeros(table.n_rows, np.bool_)
    names = [column.name for column in table.columns]
    if model.column_name not in names:
        values = _unknown_column(tables, model)
        return np.array([_is_named(labels, model, tables) for labels in values.labels], np.bool_)[
            values.codes
        ]
    at = names.index(model.column_name)
    return _sensitive_cells(tables, table.columns[at], model)[0][table.codes[:, at]]


def refuse_unmet_values(tables: RelatedTables) -> None:
    """Refuse values of limited shares that no cell has and no list: nobody would be protected.

    Raises
    ------
    PolicyError
        with every such value, which is a word of the policy
    """
    faults = [
        fault for model in tables.policy.largest_shares for fault in _unmet_faults(tables, model)
    ]
    if faults:
        raise PolicyError(faults)


def _unmet_faults(tables: RelatedTables, model: LargestShare) -> Iterator[Fault]:
    """Find the values of a limited share that read like none that its column has or lists."""
    listed, cells = _known_values(tables, model)
    alike = set(counted_texts({*_rule(tables, model).texts_of_missing, *listed, *cells}))
    for value in dict.fromkeys(model.values):
        if counted_text(value) not in alike:
            yield _unmet_fault(model, value, listed, cells)


def _known_values(tables: RelatedTables, model: LargestShare) -> tuple[set[str], set[str]]:
    """Return what the list of a column has, and its cells with the labels above them."""
    table = next(one for one in tables.row_tables if one.name == model.table)
    columns = {column.name: column for column in table.columns}
    if model.column_name in columns:
        cells = {text for text in columns[model.column_name].texts if text is not None}
    else:
        cells = {text for labels in _unknown_column(tables, model).labels for text in labels}
    return listed_texts(_rule(tables, model)), cells


def _unmet_fault(
    model: LargestShare, value: str, listed: Collection[str], cells: Collection[str]
) -> Fault:
    """Return the fault of a value that nothing has; it names what a list has, and no cell."""
    place, problem = f"values of {model.name}", f"{value} is in no cell and no list of the column"
    if (meant := nearest(value, listed)) is not None:
        return Fault(place, problem, f'Did you mean "{meant}"? Else leave it out.')
    close = sorted(cell for cell in cells if nearest(value, [cell]) is not None)
    remedy = f"Write it as the cells of {model.column} or its hierarchy have it, or leave it out."
    if close:
        are = "1 value is" if len(close) == 1 else f"{len(close):,} values are"
        remedy = f"{are} close; --show-values prints them. {remedy}"
    return Fault(place, problem, remedy, tuple(close[:MOST_CLOSE]))


@dataclass(frozen=True, slots=True)
class _LabelledValues:
    """The values of a column that is no quasi-identifier.

    Parameters
    ----------
    codes : (n_rows,), the value of each row
    labels : (n_values,), each value with the labels above it
    """

    codes: Codes
    labels: Sequence[Collection[str]]

    __repr__ = short_repr


def _unknown_column(tables: RelatedTables, model: LargestShare) -> _LabelledValues:
    """Return the values of a column that nobody knows, each with the labels above it."""
    rule = _rule(tables, model)
    column = encode_column(tables.files[model.table].frame, rule)
    if rule.hierarchy is None:
        return _LabelledValues(column.codes, [{text} for text in column.texts])
    with placed(model.table):
        built = hierarchy_of(rule, column)
    of_values: list[list[int]] = built.codes.T.tolist()
    paths = [
        {labels[code] for labels, code in zip(built.labels, codes, strict=True)}
        for codes in of_values
    ]
    return _LabelledValues(column.codes, paths)


def _rule(tables: RelatedTables, model: LargestShare) -> ColumnRule:
    """Return what the policy says of the column of a limited share."""
    return resolve(tables.policy.flat(model.table)).columns[model.column_name]


def _is_named(labels: Collection[str | None], model: LargestShare, tables: RelatedTables) -> bool:
    """Return whether a value or a label above it reads like a named one; missing ones are one."""
    gone = {"", *counted_texts(tables.policy.data.missing)}
    named = set(counted_texts(model.values))
    read = {counted_text(label or "") for label in labels}
    return not named.isdisjoint(read) or not (gone.isdisjoint(named) or gone.isdisjoint(read))


def _sensitive_cells(
    tables: RelatedTables, column: RowColumn, model: LargestShare
) -> tuple[Bools, Bools]:
    """Return which values of a column are sensitive, and which of its cells."""
    cells = column.levels.cells
    is_named = np.array([_is_named([text], model, tables) for text in column.texts], np.bool_)
    # From the root down: a cell is sensitive if it is named, or the cell above it is.
    at_or_above = np.logical_or.accumulate(is_named[cells][::-1], axis=0)[::-1]
    is_cell = np.zeros(len(column.texts), np.bool_)
    is_cell[cells[at_or_above]] = True
    return at_or_above[0], is_cell
