"""Classes as one counts them who has never seen a suppressed record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.base.hierarchy_builders import from_masks
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn, Share, ValueCounts
from indistinct.tables.policy.column_rule import ColumnRule


def among_themselves(
    classes: EquivalenceClasses, rules: Mapping[str, ColumnRule]
) -> EquivalenceClasses:
    """Return released classes whose whole table is their own records.

    Values that suppressed records alone have are no values of the sensitive columns then: they
    have no place in an order of the values, and no share in a distribution.

    Parameters
    ----------
    classes : those that are released
    rules : of the columns, which tell what stands above the values
    """
    counts = {
        name: np.bincount(found.values, found.counts, classes.sensitive[name].n_values)
        for name, found in classes.value_counts.items()
    }
    shown = {name: held > 0 for name, held in counts.items()}
    sensitive = {
        name: _narrowed(
            replace(classes.sensitive[name], counts=held.astype(np.int64)),
            shown[name],
            shown,
            rules,
        )
        for name, held in counts.items()
    }
    values = {
        name: ValueCounts(found.starts, _numbers(shown[name])[found.values], found.counts)
        for name, found in classes.value_counts.items()
    }
    return replace(classes, value_counts=values, sensitive=sensitive)


def _narrowed(
    column: SensitiveColumn,
    shown: Bools,
    of_column: Mapping[str, Bools],
    rules: Mapping[str, ColumnRule],
) -> SensitiveColumn:
    """Return a column with some of its values only.

    Parameters
    ----------
    shown : (n_values,), which of the column's values
    of_column : the same, of every sensitive column
    """
    values = tuple(value for value, is_shown in zip(column.values, shown, strict=True) if is_shown)
    joins = {
        name: Share(_numbers(of_column[name])[share.own[shown]], share.rest[shown])
        for name, share in column.joins.items()
    }
    return SensitiveColumn(
        column.name,
        values,
        None if column.numbers is None else column.numbers[shown],
        column.counts[shown],
        None if column.hierarchy is None else _over(values, column.hierarchy, rules[column.name]),
        joins,
        has_missing=column.has_missing and bool(shown[-1]),
    )


def _over(
    values: tuple[str, ...], hierarchy: GeneralizationHierarchy, rule: ColumnRule
) -> GeneralizationHierarchy:
    """Return the hierarchy over some of its values, as it is made where there are no others."""
    written = rule.hierarchy
    if written is not None and written.mask is not None:
        # At which level a mask hides everything is decided by the lengths of all values.
        return from_masks(values, written.mask)
    return hierarchy.restricted(values)


def _numbers(shown: Bools) -> Codes:
    """Count the values that are shown up from 0: (n_values,)."""
    return (np.cumsum(shown) - 1).astype(np.int32)
