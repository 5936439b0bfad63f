"""The sensitive columns of a table and of its original, in one code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.errors import HierarchyError
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.counting.columns import encode_both
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.tuples import EncodedColumn
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import hierarchy_of


@dataclass(frozen=True, slots=True)
class Secret:
    """A sensitive column of a table and of its original, in one code.

    Parameters
    ----------
    column : its values in the whole table
    before : (n_original,), codes of the original; those of the table where there is none
    after : (n_rows,), codes of the table
    """

    column: SensitiveColumn
    before: Codes
    after: Codes

    __repr__ = short_repr


def sensitive_names(present: Sequence[str], sensitive: Sequence[str]) -> list[str]:
    """Name the sensitive columns among those of a table."""
    return [name for name in sensitive if name in present]


def sensitive_column(
    released: Column,
    before: Frame | None,
    rule: ColumnRule,
    models: Sequence[BoundedModel],
    weights: Ints | None = None,
) -> Secret:
    """Encode a sensitive column over the values of the whole table.

    Parameters
    ----------
    weights : records of each row of the table that the column is compared with: of the original,
        or of its own where there is none; one each where left out
    """
    name = released.name
    encoded = encode_both(None if before is None else before[name], released, rule)
    n_before = len(encoded.codes) - len(released)
    reference = encoded.codes if before is None else encoded.codes[:n_before]
    column = SensitiveColumn(
        name,
        encoded.texts,
        encoded.numbers,
        np.bincount(reference, weights, len(encoded.texts)).astype(np.int64),
        _hierarchy(rule, models, encoded),
        has_missing=bool(encoded.is_missing.any()),
    )
    return Secret(column, reference, encoded.codes[n_before:])


def _hierarchy(
    rule: ColumnRule, models: Sequence[BoundedModel], encoded: EncodedColumn
) -> GeneralizationHierarchy | None:
    """Build the hierarchy of a sensitive column; one that no model reads may lack values."""
    if rule.hierarchy is None:
        return None
    try:
        return hierarchy_of(rule, encoded)
    except HierarchyError:
        if any(rule.name in model.columns for model in models):
            raise
        return None
