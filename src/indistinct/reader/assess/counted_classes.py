"""The classes of a table, and the groups that the models of a policy are measured in."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.frequencies import TOGETHER
from indistinct.counting.persons import columns_of_people, persons_of
from indistinct.engines.frames import Column, Frame
from indistinct.engines.tallies import columns_of, kinds_of, sizes_of
from indistinct.engines.tuples import combinations_of
from indistinct.policy.policy import Policy
from indistinct.reader.assess.anonymity import (
    CountedClasses,
    count_classes,
)
from indistinct.reader.assess.sensitive_columns import Secret
from indistinct.reader.assess.table import class_cells
from indistinct.reader.verify.texts_as_read import texts_as_read
from indistinct.reader.verify.wildcards import group_sizes


def counted_classes(
    released: Frame,
    policy: Policy,
    secrets: Mapping[str, Secret],
    weights: Column | None = None,
) -> CountedClasses:
    """Count the classes, with the combinations of sensitive values where some model asks.

    People are counted where the table has their column, which a release has not.

    Parameters
    ----------
    weights : (n_rows,), records of each row of ``released``; one each where left out
    """
    records = None if weights is None else weights.to_numpy().astype(np.int64)
    sensitive = {name: (secret.column, secret.after) for name, secret in secrets.items()}
    if policy.divides:
        sensitive[TOGETHER] = combinations_of(
            {name: secret.after for name, secret in secrets.items()}, records
        )
    if (persons := persons_of(released, policy)) is not None:
        columns, codes = columns_of_people(
            persons, {name: secret.after for name, secret in secrets.items()}
        )
        sensitive |= {name: (columns[name], codes[name]) for name in columns}
    return count_classes(class_cells(released, policy), sensitive, records)


def groups_of(
    released: Frame,
    policy: Policy,
    classes: EquivalenceClasses,
    weights: Column | None = None,
) -> EquivalenceClasses:
    """Give what the policy's models are measured in: where a star is any value, what fits."""
    if not policy.class_names or policy.release.suppressed_cell != "any":
        return classes
    return EquivalenceClasses(_group_sizes(released, policy, weights))


def _group_sizes(released: Frame, policy: Policy, weights: Column | None) -> Ints:
    """Count the records that are compatible with each kind of record: (n_kinds,)."""
    texts = texts_as_read(columns_of(released, policy.class_names))
    kinds, first = kinds_of([texts[name] for name in policy.class_names])
    return np.array(group_sizes(texts[first], sizes_of(kinds, weights)), np.int64)
