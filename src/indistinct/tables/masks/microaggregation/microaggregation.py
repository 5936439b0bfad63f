"""Microaggregation of columns: groups of at least k records that share their centre."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes, Floats
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import (
    is_number,
    like,
    released_numbers,
    to_numbers,
    with_present,
)
from indistinct.tables.frames.texts import filled_texts
from indistinct.tables.masks.microaggregation.groups import (
    Attribute,
    AttributeType,
    Method,
    centres,
    microaggregate,
)
from indistinct.tables.masks.numbers import change_facts, only_finite
from indistinct.tables.masks.protection import Masked, Protection

CLOSE = 1e-6  # of a column's range: how far released means may be from those of the original


@final
@dataclass(frozen=True, slots=True)
class MicroaggregationProtection(Protection):
    """Groups of at least k similar records are released with the mean, median or mode of each.

    Columns with the same settings are grouped together: over them, every record equals at least
    k-1 others.

    Source: domingo2005, the algorithm MDAV-generic; hansen2003; soriacomas2019.
    """

    k: int = parameter(int, at_least=2, help="least records of a group")
    method: str = parameter(
        str, choices=tuple(Method), default="refined", help="mdav, or refined, which loses less"
    )
    group: str = parameter(str, default="all", help="columns of one word are grouped together")

    name: ClassVar[str] = "microaggregation"
    promise: ClassVar[str] = (
        "The values of {column} were replaced by the center of a group of similar "
        "records, so that each record has the same values as the others of its group."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "What all records of a group have in common is not hidden.",
        "Members of a group who put their own values together can compute the last one.",
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    jointly: ClassVar[bool] = True
    checked_facts: ClassVar[tuple[str, ...]] = ("records", "smallest")
    public_facts: ClassVar[frozenset[str]] = frozenset({"records", "smallest"})

    def faults(self, columns: pl.DataFrame) -> Iterator[Fault]:
        """Find numbers that are not finite, and missing values that fewer than k records share."""
        for column in columns:
            yield from only_finite(column)
            if column.dtype.is_temporal() and column.dtype != pl.Date:
                yield Fault(
                    f"columns.{column.name}.protect",
                    "is a time of day; numbers, dates and categories have centres",
                    "Write it as a date or a number.",
                )
        place = f"columns.{columns.columns[0]}.protect"
        sizes = np.bincount(_gaps(columns))
        if columns.height < self.k:
            yield Fault(
                place,
                f"k = {self.k} is larger than the table, which has {columns.height:,} records",
                "Choose a smaller k.",
            )
        elif n_few := int(sizes[sizes < self.k].sum()):
            yield Fault(
                place,
                f"{n_few:,} records have no value of {', '.join(columns.columns)} as fewer than"
                f" {self.k} do",
                "Fill in their missing values, leave them out, or use several groups.",
            )

    def among_released(self, n_values: Callable[[], int]) -> Mapping[str, Any]:
        """Return what is promised of the smallest group, of which suppressed records are a part."""
        del n_values
        return {"smallest": self.k}

    def mask(self, columns: pl.DataFrame, source: RandomSource) -> Masked:
        """Group the records and give each the centre of its group; no chance takes part."""
        del source
        labels = self._labels(columns)
        released = pl.DataFrame([_centres(column, labels) for column in columns])
        numbers = [column.name for column in columns if _kind(column) == AttributeType.NUMBER]
        facts: dict[str, Any] = {"records": columns.height}
        if numbers:
            facts |= change_facts(columns[numbers], released[numbers])
        sizes = np.bincount(labels)
        return Masked(released, {**facts, "groups": len(sizes), "smallest": int(sizes.min())})

    def _labels(self, columns: pl.DataFrame) -> Codes:
        """Group the records, those with different gaps apart: (n,)."""
        patterns = _gaps(columns)
        labels = np.empty(columns.height, np.int32)
        n_groups = 0
        for pattern in range(int(patterns.max()) + 1):
            rows = np.flatnonzero(patterns == pattern)
            part = [column for column in columns[rows] if _is_there(column)]
            found = (
                microaggregate([_attribute(one) for one in part], self.k, Method(self.method))
                if part
                else np.zeros(len(rows), np.int32)
            )
            labels[rows] = n_groups + found
            n_groups += int(found.max()) + 1
        return labels

    def check_release(
        self, released: pl.DataFrame, facts: Mapping[str, Any] | None
    ) -> Iterator[Fault]:
        """Count equal records; only suppressed and further generalized ones may be lacking."""
        shown = released.filter(~_is_generalized(released))
        sizes = np.bincount(_group_numbers(shown))
        lacking = int(np.maximum(self.k - sizes, 0).sum())
        n_suppressed = 0 if facts is None else int(facts["records"]) - shown.height
        place = f"columns.{released.columns[0]}"
        if lacking > n_suppressed:
            yield Fault(
                place,
                f"{int((sizes < self.k).sum()):,} groups have fewer than {self.k} equal records",
                "Do not publish this file.",
            )
        if facts is not None and int(facts["smallest"]) < self.k:
            yield Fault(
                f"manifest.protection.{released.columns[0]}",
                "does not say what the policy asks",
                "Take the file, the manifest and the policy of one run.",
            )

    def check_against(
        self, released: pl.DataFrame, original: pl.DataFrame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Compare the mean of each column, and of each group, with that of its own records."""
        if released.height != original.height:
            return
        groups = np.zeros(released.height, np.int32)
        if rows is not None:
            # A column that was generalized further may part the records of a group.
            whole = [column.name for column in original if _has_centres(released, column)]
            groups = _group_numbers(released.select(pl.col(whole))) if whole else groups
        for column in original:
            if _kind(column) != AttributeType.NUMBER:
                continue
            found = released_numbers(released[column.name], column)
            own = to_numbers(column)
            own = own if rows is None else own[np.asarray(rows)]
            if not _means_agree(own, found, groups, column):
                yield Fault(
                    f"columns.{column.name}",
                    "does not have the means of the original",
                    "Take the release, the crosswalk and the original of one run.",
                )


def _attribute(column: pl.Series) -> Attribute:
    """Return a column as numbers, or as the ranks of its values; a missing category is one too."""
    kind = _kind(column)
    if kind == AttributeType.NUMBER:
        return Attribute(to_numbers(column), kind)
    ranks = column.rank("dense").cast(pl.Int64).fill_null(0)
    return Attribute((ranks - ranks.min()).to_numpy().astype(np.float64), kind)


def _centres(column: pl.Series, labels: Codes) -> pl.Series:
    """Return the centre of each record's group; means of whole numbers are not whole numbers."""
    attribute = _attribute(column)
    if attribute.kind != AttributeType.NUMBER:
        codes = centres(attribute, labels).astype(np.int64)
        return column.unique().sort().gather(codes).alias(column.name)
    present = column.is_not_null().to_numpy()
    used, numbers = np.unique(labels[present], return_inverse=True)
    values = column.drop_nulls()
    found = np.empty(0)
    if len(used):
        found = centres(Attribute(to_numbers(values)), numbers.astype(np.int32))
    released = like(found, values) if column.dtype == pl.Date else pl.Series(found)
    return with_present(column, released)


def _gaps(columns: pl.DataFrame) -> Codes:
    """Return numbers of records from 0; those that lack the same numbers share one: (n,)."""
    numbers = [column.name for column in columns if _kind(column) != AttributeType.NOMINAL]
    if not numbers:
        return np.zeros(columns.height, np.int32)
    return _group_numbers(columns.select(pl.col(numbers).is_null()))


def _is_there(column: pl.Series) -> bool:
    """Return whether a column of some records that lack the same numbers is not one they lack."""
    return _kind(column) == AttributeType.NOMINAL or not column.null_count()


def _kind(column: pl.Series) -> AttributeType:
    """Return by the type what the centre of a column is."""
    if is_number(column):
        return AttributeType.NUMBER
    return AttributeType.ORDINAL if isinstance(column.dtype, pl.Enum) else AttributeType.NOMINAL


def _group_numbers(released: pl.DataFrame) -> Codes:
    """Return numbers of rows, equal ones for equal rows: (n,)."""
    ranked = released.select(pl.struct(pl.all()).rank("dense")).to_series() - 1
    return ranked.to_numpy().astype(np.int32)


def _has_centres(released: pl.DataFrame, column: pl.Series) -> bool:
    """Return whether a column is released as the centres of its groups, and no cell as a label."""
    cells = released[column.name]
    if _kind(column) != AttributeType.NUMBER:
        values = filled_texts(column).unique()
        return bool(cells.is_in(values.implode()).all())
    labels = np.isnan(released_numbers(cells, column)).sum()
    return int(labels) == int(np.isnan(to_numbers(column)).sum())


def _is_generalized(released: pl.DataFrame) -> pl.Series:
    """Return which rows have a cell that is hidden or a range: (n,)."""
    found = np.zeros(released.height, np.bool_)
    for column in released:
        if column.dtype == pl.String:
            hidden = column.str.ends_with("*") | column.str.starts_with("[")
            found |= hidden.fill_null(value=False).to_numpy()
    return pl.Series(found)


def _means_agree(own: Floats, found: Floats, groups: Codes, column: pl.Series) -> bool:
    """Return whether released cells have the means of the original ones in every group.

    Cells that are labels (generalized further) are not compared.
    """
    known = ~(np.isnan(found) | np.isnan(own))
    if not known.any() or not np.array_equal(np.isnan(found), np.isnan(own)):
        return True
    own, found, groups = own[known], found[known], groups[known]
    room = CLOSE * float(np.ptp(own)) + (1.0 if column.dtype == pl.Date else 0.0)
    sizes = np.maximum(np.bincount(groups), 1)
    # Doubles that are far from 0 lie apart, and the sum of a group's more so.
    rounding = sizes * float(np.spacing(np.abs(own).max()))
    gaps = np.bincount(groups, own - found) / sizes
    return bool((np.abs(gaps) <= room + rounding).all())
