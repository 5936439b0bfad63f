"""Who is found by someone who knows one more column: detectors of columns that single out.

A unit is a record, or the person or household whose records they are. It is alone if one of its
rows shows cells that no other unit of its class shows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.core.schema import Role
from indistinct.tables.engines.tallies import value_hashes
from indistinct.tables.findings.counted_table import (
    SEED,
    CountedCells,
    CountedTable,
    both,
    numbered,
)
from indistinct.tables.findings.finding import Finding, NotExamined
from indistinct.tables.findings.kinds import CROSSWALK, INSENSITIVE, SENSITIVE, TOGETHER
from indistinct.tables.frames.cell_numbers import positions_of
from indistinct.tables.frames.texts import cell_texts

LEAST_SHARE = 0.01  # of the units: below, single people are found by chance in any table


def insensitive_columns(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the insensitive columns that single units out."""
    names = table.shown(Role.INSENSITIVE)
    return _of_role(table, names, INSENSITIVE) if names else None


def sensitive_columns(table: CountedTable) -> Iterator[Finding | NotExamined] | None:
    """Yield the sensitive columns that single units out by values that few of them have."""
    names = table.shown(Role.SENSITIVE)
    return _of_role(table, names, SENSITIVE) if names else None


def columns_together(table: CountedTable) -> Iterator[Finding] | None:
    """Yield the insensitive columns if all of them single out more units than each of them."""
    names = [one for one in table.shown(Role.INSENSITIVE) if one not in table.random_masks]
    return _together(table, names) if len(names) > 1 else None


def _of_role(table: CountedTable, names: list[str], code: str) -> Iterator[Finding | NotExamined]:
    for name in names:
        is_beside = table.identifiers is not None and table.has_true_values
        if name in table.random_masks and not is_beside:
            why = f"a mask drew the cells of {name} at random"
            yield NotExamined(code, CROSSWALK, why)
            continue
        n_alone = n_alone_by(table, name, is_rare=code == SENSITIVE)
        least = LEAST_SHARE * table.n_units
        if name in table.random_masks:
            least += most_by_chance(table)
        if n_alone >= least and n_alone:
            yield Finding(code, (name,), n_alone, table.n_units, table.unit, table.table)


def _together(table: CountedTable, names: list[str]) -> Iterator[Finding]:
    rows = table.cells(names)
    n_alone = n_units(rows, alone(rows, rows.groups(names)))
    greatest = max(n_alone_by(table, name) for name in names)
    if n_alone > greatest and n_alone >= LEAST_SHARE * table.n_units:
        yield Finding(TOGETHER, tuple(names), n_alone, table.n_units, table.unit, table.table)


def n_alone_by(table: CountedTable, name: str, *, is_rare: bool = False) -> int:
    """Count the units that someone finds who knows their classes and one more column.

    Parameters
    ----------
    is_rare : count those alone whose value fewer units have than the models ask for
    """
    if name in table.random_masks:
        rows = table.count([name], [name])
        found = _known_cells(rows, name)
    else:
        rows = table.cells([name])
        found = alone(rows, rows.groups([name]))
    if is_rare:
        codes = rows.codes(name)
        found = found & (units_in(rows, codes)[codes] < table.least)
    return n_units(rows, found)


def most_by_chance(table: CountedTable) -> float:
    """Return how many units are found, at most, where cells have nothing to do with the values.

    The nearest cell is then that of each unit of a class with the same chance, so that one is
    found in a class; three deviations are added.
    """
    n_classes = len(np.unique(table.cells([]).classes))
    return float(n_classes + 3 * np.sqrt(n_classes))


def alone(rows: CountedCells, groups: Ints) -> Bools:
    """Return which rows are of a unit that has its group to itself: (n_rows,)."""
    return units_in(rows, groups)[groups] == 1


def units_in(rows: CountedCells, groups: Ints) -> Ints:
    """Count the units of each group: (n_groups,)."""
    if rows.units is None:
        return np.bincount(groups, rows.records).astype(np.int64)
    width = int(rows.units.max(initial=0)) + 1
    pairs = np.unique(groups * width + rows.units)
    return np.bincount(pairs // width, minlength=int(groups.max(initial=-1)) + 1)


def n_units(rows: CountedCells, which: Bools) -> int:
    """Count the units of some rows."""
    if rows.units is None:
        return int(rows.records[which].sum())
    return len(np.unique(rows.units[which]))


def _known_cells(rows: CountedCells, name: str) -> Bools:
    """Return which rows show the masked cell that their true value leads to: (n_rows,).

    Of numbers and dates the nearest cell of the class, of others the value itself. Either has to be
    there once.
    """
    cells, before = rows.frame[name], rows.before[name]
    is_alone = alone(rows, rows.groups([name]))
    if rows.is_real is not None:
        is_alone &= rows.is_real
    shown, true = positions_of(cells), positions_of(before)
    if shown is None or true is None:
        texts = (value_hashes(cell_texts(one), SEED) for one in (cells, before))
        return is_alone & np.equal(*texts)
    return is_alone & _is_nearest(rows.classes, shown, true)


def _is_nearest(classes: Ints, shown: Floats, true: Floats) -> Bools:
    """Return which rows show the cell of their class that is nearest to their own value: (n_rows,).

    Parameters
    ----------
    shown, true : (n_rows,), numbers of the released and of the true cells, NaN for none. Where two
        different cells are equally near, neither is

    Notes
    -----
    O(n log n): one sort of the cells by class and number, and two searches.
    """
    is_known = ~(np.isnan(shown) | np.isnan(true))
    found = np.zeros(len(shown), np.bool_)
    own, places, wanted = classes[is_known], shown[is_known], true[is_known]
    # Ranks of numbers in place of numbers: one key then holds class and number exactly.
    values = np.unique(np.concatenate([places, wanted]))
    width = len(values)
    keys = np.unique(own * width + np.searchsorted(values, places))
    cells, of_class = values[keys % width], keys // width
    right = np.searchsorted(keys, own * width + np.searchsorted(values, wanted))
    left = right - 1
    gaps = [
        np.where(
            (at >= 0) & (at < len(keys)) & (of_class[np.clip(at, 0, len(keys) - 1)] == own),
            np.abs(cells[np.clip(at, 0, len(keys) - 1)] - wanted),
            np.inf,
        )
        for at in (left, right)
    ]
    gap = np.abs(places - wanted)
    is_least = (gap <= np.minimum(*gaps)) & (gaps[0] != gaps[1])
    found[is_known] = is_least
    return found


def few_people(table: CountedTable, name: str) -> tuple[int, int]:
    """Count the classes with fewer different values of an identifier than the models ask, and all.

    Parameters
    ----------
    name : of a column of the input
    """
    rows = table.count([], [name])
    people = numbered(value_hashes(cell_texts(rows.before[name]), SEED))
    is_real = np.ones(len(people), np.bool_) if rows.is_real is None else rows.is_real
    classes = numbered(rows.classes[is_real])
    pairs = np.unique(both(classes, people[is_real]), return_index=True)[1]
    n_people = np.bincount(classes[pairs])
    return int((n_people < table.least).sum()), len(n_people)
