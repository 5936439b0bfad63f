"""The groups of a version as two linked tables: people as they are, and the values of each group.

A counterfeit has no row in the first table. In the second, its value stands like any other: every
value of a group once, sorted. Which of them belong to nobody cannot be seen, because the order, the
counts and the texts are the same as if a person stood behind each.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.schema import COUNT, GROUP
from indistinct.tables.engines.tallies import columns_of, without
from indistinct.tables.frames.frame import numbered, once_each, with_texts
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.forms.version import Version
from indistinct.tables.release.entries import OutputEntry, SensitiveEntry
from indistinct.tables.release.manifest import Manifest, risk_entry
from indistinct.tables.search.invariant.person_history import NOBODY

PROMISE = (
    "in every release of this table, each released person is linked to a group of at least m "
    "sensitive values, which all differ and are the same ones each time; quasi-identifiers are "
    "published as they are: who is in the table, and which row is whose, is not hidden"
)


def people_as_they_are(version: Version, spec: Specification) -> tuple[Any, Ints, Ints]:
    """Write the people.

    Returns
    -------
    the rows, without the numbers of their groups; the group and the input row of each
    """
    groups, prepared = version.found.groups, version.prepared
    real = np.flatnonzero(groups.members != NOBODY)
    members = groups.members[real]
    records = without(prepared.frame, [*spec.left_out, version.column])[members]
    return records, groups.owners[real], prepared.rows[members].astype(np.int64)


def values_of_groups(version: Version) -> Any:
    """List the values of each group, written as in the input, or as they once were there."""
    groups = version.found.groups
    known, first = np.unique(version.person_history.values, return_index=True)
    place = np.minimum(np.searchsorted(known, groups.values), len(known) - 1)
    is_foreign = known[place] != groups.values
    numbers: list[int] = groups.values[is_foreign].tolist()
    cells = columns_of(version.prepared.frame, [version.column])[first[place]]
    cells = with_texts(cells, version.column, is_foreign, [version.texts[one] for one in numbers])
    return once_each(numbered(cells, GROUP, version.numbers[groups.owners]), COUNT)


def linked_manifest(manifest: Manifest, version: Version) -> Manifest:
    """Return the manifest of two linked tables: no cell lost anything, every row is exact."""
    groups, prepared = version.found.groups, version.prepared
    members = groups.members[groups.members != NOBODY]
    shown = prepared.problem.table.codes[prepared.tuple_of_row[members]]
    _, _, alike = group_rows(np.ascontiguousarray(shown))
    return replace(
        manifest,
        output=OutputEntry(len(members)),
        method=replace(manifest.method, objective=None, levels=None),
        loss={},
        risk=risk_entry(alike),
        promise=PROMISE,
        sensitive=SensitiveEntry(version.column, len(groups.values)),
    )
