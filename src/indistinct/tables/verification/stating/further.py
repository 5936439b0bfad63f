"""Who is found in a release by somebody who also knows one more released column.

A unit is a record, a person or a household. It is alone in a column if no other unit of its class
shows the same cell. Where a mask changed numbers, a unit is alone if the cell nearest to its true
value is its own and nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.statements.risk_figures import RELEASE, further_of
from indistinct.base.statements.statements import NeededEvidence, not_examined
from indistinct.tables.core.schema import Role
from indistinct.tables.findings.counted_table import both
from indistinct.tables.frames.cell_numbers import positions_of
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.evidence import CheckedRelease, released_names
from indistinct.tables.verification.order_traces import numbered
from indistinct.tables.verification.texts import series_as_read, text_as_read

CROSSWALK = "crosswalk"


@dataclass(frozen=True, slots=True)
class UnitsInClasses:
    """The released rows: the class and the unit of each, and the records that it stands for.

    Parameters
    ----------
    classes, units : (n_rows,), numbers from 0 on
    records : (n_rows,), above 1 only where rows are distinct ones, each of which is then a unit
    unit : what is counted: ``records``, ``people`` or ``households``
    k : units that a class has at least, by the models
    """

    classes: Ints
    units: Ints
    records: Ints
    unit: str
    k: int

    __repr__ = short_repr

    @property
    def n_units(self) -> int:
        """How many units are released."""
        return int(self.records.sum()) if self.is_of_records else int(np.unique(self.units).size)

    @property
    def is_of_records(self) -> bool:
        """Whether each record counts."""
        return self.unit == "records"

    def among(self, keys: Ints) -> Ints:
        """Count the units that share the key of each row: (n_rows,)."""
        if self.is_of_records:
            return np.bincount(keys, self.records)[keys].astype(np.int64)
        pairs = np.unique(np.stack([keys, self.units]), axis=1)[0]
        return np.bincount(pairs, minlength=int(keys.max(initial=0)) + 1)[keys]

    def counted(self, rows: Bools) -> int:
        """Count the units that have one of some rows."""
        if self.is_of_records:
            return int(self.records[rows].sum())
        return int(np.unique(self.units[rows]).size)


def further_in(
    evidence: CheckedRelease, units: UnitsInClasses | None, masked: pl.DataFrame | None
) -> dict[str, Any]:
    """Return who is found by one further column, column by column.

    Parameters
    ----------
    units : None where nothing at hand tells whose the records are
    masked : the masked columns of the input, before they were masked, if they are at hand
    """
    spec = evidence.spec
    if units is None:
        return not_examined("whose each record is takes the input and the crosswalk", CROSSWALK)
    columns: dict[str, Any] = {}
    plain: list[str] = []
    for name in further_names(spec):
        if any(one not in evidence.release.columns for one in _cells_of(evidence, name)):
            columns[name] = not_examined("the records stay where they are", "engine")
        elif name in spec.protections:
            columns[name] = _by_masked(evidence, units, name, masked)
        else:
            is_rare = spec.columns[name].words.role is Role.SENSITIVE
            columns[name] = _by_cells(units, _codes(evidence, name), is_rare=is_rare)
            plain += [] if is_rare else [name]
    together = _together(evidence, units, plain) if len(plain) > 1 else None
    return further_of(columns, together, units.n_units, units.unit)


def further_names(spec: Specification) -> list[str]:
    """Name the released columns by which classes are not formed and that somebody may know."""
    aside = {*spec.class_names, *spec.left_out, *spec.set_names}
    aside.add(spec.data.household or "")
    if spec.release.form == "anatomy":
        aside |= {*spec.named(Role.SENSITIVE)}  # they stand in the other table
    return [name for name in spec.columns if name not in aside]


def _cells_of(evidence: CheckedRelease, name: str) -> Sequence[str]:
    """Name the columns that a column is released as."""
    return released_names(evidence.spec.columns[name], evidence.typed.columns)


def _codes(evidence: CheckedRelease, name: str) -> Ints:
    """Return numbers to the cells of a column, those that read as missing being one: (n_rows,)."""
    return _numbers(series_as_read(evidence.release[name], evidence.spec.data.missing))


def _numbers(column: pl.Series) -> Ints:
    """Return numbers from 0 on to the texts of a column."""
    return numbered(column).codes.astype(np.int64)


def _figures(units: UnitsInClasses, sharing: Ints, rows: Bools, *needs: str) -> dict[str, Any]:
    """Return the units of some rows that stand alone, and those with fewer than k beside them."""
    return {
        "alone": units.counted(rows & (sharing == 1)),
        "below_k": units.counted(rows & (sharing < units.k)),
        "of": units.n_units,
        "needs": list(needs),
    }


def _by_cells(units: UnitsInClasses, codes: Ints, *, is_rare: bool) -> dict[str, Any]:
    """Count by the cells of a column; of a sensitive one, by values that few units have."""
    rows = units.among(codes) < units.k if is_rare else np.ones(len(codes), np.bool_)
    return _figures(units, units.among(both(units.classes, codes)), rows, RELEASE)


def _together(
    evidence: CheckedRelease, units: UnitsInClasses, names: Sequence[str]
) -> dict[str, Any]:
    """Count by several columns at once."""
    keys = units.classes
    for name in names:
        keys = both(keys, _codes(evidence, name))
    alone = units.counted(units.among(keys) == 1)
    return {"columns": list(names), "alone": alone}


def _by_masked(
    evidence: CheckedRelease, units: UnitsInClasses, name: str, masked: pl.DataFrame | None
) -> dict[str, Any] | NeededEvidence:
    """Count by a masked column: who knows the true value takes the cell that fits it best."""
    rows = None if evidence.rows is None else np.asarray(evidence.rows, np.int64)
    if masked is None or name not in masked.columns or rows is None:
        why = "what the mask left as it was takes the input and the crosswalk"
        return not_examined(why, CROSSWALK)
    is_record = rows >= 0
    own = masked[name].gather(pl.Series(np.maximum(rows, 0)))
    cells = evidence.release[name]
    found, true = positions_of(cells), positions_of(own)
    if found is not None and true is not None:
        sharing = _nearer(units, found, true)
        is_asked = is_record & ~np.isnan(true) & ~np.isnan(found)
        return _figures(units, sharing, is_asked, CROSSWALK)
    unchanged = (cells == text_as_read(own)).to_numpy() & is_record
    keys = both(units.classes, _numbers(cells))
    return _figures(units, units.among(keys), unchanged, CROSSWALK)


def _nearer(units: UnitsInClasses, found: Floats, true: Floats) -> Ints:
    """Count, for each row, the units of its class whose cell is as near to its value as its own.

    Parameters
    ----------
    found, true : (n_rows,), the released cells and the values behind them
    """
    counts = np.full(len(found), len(found) + 1, np.int64)
    for rows in _rows_of_classes(units.classes):
        rows = rows[~np.isnan(found[rows])]  # noqa: PLW2901 - what is missing is nobody's number
        order = rows[np.argsort(found[rows], kind="stable")]
        cells = found[order]
        far = np.abs(found[rows] - true[rows])
        low = np.minimum(found[rows], true[rows] - far)
        high = np.maximum(found[rows], true[rows] + far)
        first, last = np.searchsorted(cells, low, "left"), np.searchsorted(cells, high, "right")
        if units.is_of_records:
            counts[rows] = last - first
        else:
            own = units.units[order]
            ends = zip(first.tolist(), last.tolist(), strict=True)
            counts[rows] = [len(np.unique(own[start:end])) for start, end in ends]
    return counts


def _rows_of_classes(classes: Ints) -> Iterator[Ints]:
    """Yield the rows of each class."""
    order = np.argsort(classes, kind="stable")
    starts = np.flatnonzero(np.diff(classes[order])) + 1
    yield from np.split(order, starts)
