"""Release two linked tables: quasi-identifiers as they are, and sensitive values per group."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import Confidential
from indistinct.core.classes import EquivalenceClasses, classes_of
from indistinct.core.classes import count_values as values_per_class
from indistinct.core.frequencies import SensitiveColumn
from indistinct.core.kernels import group_rows
from indistinct.core.recoding import inverse
from indistinct.core.schema import Role
from indistinct.counting.prepare import Prepared, prepare
from indistinct.engines import files
from indistinct.engines.frame_table import FrameTable
from indistinct.engines.frames import Frame, table_of, with_whole_columns
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.tallies import columns_of, counted_rows, without
from indistinct.models.bounded import BoundedModel
from indistinct.models.of_one_column import ColumnModel
from indistinct.policy.linked_form import COUNT, GROUP
from indistinct.policy.policy import Policy
from indistinct.policy.resolved import resolve
from indistinct.publish.forms.form import FormInput
from indistinct.publish.public_manifest import public_manifest
from indistinct.publish.release import VERSION
from indistinct.publish.released_labels import released_labels
from indistinct.publish.released_tables import ReleasedTables
from indistinct.publish.repeated_identifiers import repeated_identifiers
from indistinct.publish.row_order import in_canonical_order, numbers_of_groups, secret_order
from indistinct.publish.spellings import spellings_of
from indistinct.release.entries import CountEntry, MethodEntry, OutputEntry, SensitiveEntry
from indistinct.release.manifest import (
    Manifest,
    class_entry,
    input_entry,
    model_entry,
    risk_entry,
)
from indistinct.search.anatomy import anatomy_groups

PROMISE = (
    "sensitive values are linked to groups only; quasi-identifiers are published as they are: who "
    "is in the table, and which row is whose, is not hidden"
)


def draft_linked_tables(given: FormInput) -> ReleasedTables:
    """Make a release of two linked tables that nobody has verified yet.

    Raises
    ------
    NoSolutionError
        when the commonest sensitive value is too common
    """
    source, table, policy, chance = given.source, given.source.table, given.policy, given.chance
    prepared = prepare(source.frame, resolve(policy))
    started = time.perf_counter()
    (name,) = policy.named(Role.SENSITIVE)
    values = prepared.problem.table.sensitive_codes[name][prepared.tuple_of_row]
    column = prepared.problem.table.sensitive[name]
    order = secret_order(
        prepared.frame,
        policy.class_names,
        policy.left_out,
        chance.apart("order of the grouped records"),
    )
    groups = anatomy_groups(values[order], *_least_values(policy.models, column), chance)[
        inverse(order)
    ]
    seconds = time.perf_counter() - started
    shown = without(prepared.frame, [name, *policy.left_out])
    groups = numbers_of_groups(shown, groups, _values_of(groups, values), policy.class_names)[
        groups
    ]
    frame, sensitive = two_tables(prepared, policy, groups)
    frame, rows = in_canonical_order(frame, prepared.rows.astype(np.int64), policy.class_names)
    frame, sensitive = rebuilt(frame), rebuilt(sensitive)
    owner = _manifest(source, prepared, policy, groups, values, sensitive.height, seconds)
    return ReleasedTables(
        data=files.to_native(frame, table.native),
        published=public_manifest(owner, policy, frame),
        frame=frame,
        owners=Confidential((rows, source.frame, owner)),
        policy=policy,
        separator=table.separator,
        sensitive=sensitive,
        labels=released_labels(table.labels, policy, frame),
    )


def _values_of(groups: Ints, values: Codes) -> list[list[int]]:
    """Return the codes of the sensitive values of each group."""
    listed: list[list[int]] = [[] for _ in range(int(groups.max(initial=-1)) + 1)]
    numbers: list[int] = groups.tolist()
    for group, value in zip(numbers, values.tolist(), strict=True):
        listed[group].append(value)
    return listed


def two_tables(prepared: Prepared, policy: Policy, groups: Ints) -> tuple[Frame, Frame]:
    """Return the records with their group, and the sensitive values of each group, counted.

    Parameters
    ----------
    groups : (n_records,), group of each record
    """
    (name,) = policy.named(Role.SENSITIVE)
    numbered = with_whole_columns(prepared.frame, table_of({GROUP: groups}))
    sensitive = counted_rows(columns_of(numbered, [GROUP, name]), COUNT)
    return without(numbered, [name, *policy.left_out]), sensitive


def _least_values(
    models: Iterable[BoundedModel], column: SensitiveColumn
) -> tuple[int, int | None]:
    """Return the distinct values that each group needs, and the one that does not count, if any."""
    least = max(math.ceil(model.bound - 1e-9) for model in models)
    if not column.has_missing:
        return least, None
    told = [model.told_of_missing([column.name]) for model in models]
    leaves_out = [isinstance(model, ColumnModel) and model.meets_missing for model in told]
    if all(leaves_out):
        return least, column.n_values - 1
    # Each value stands once in a group: one more of them, and enough are known.
    return least + any(leaves_out), None


def _manifest(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: FrameTable,
    prepared: Prepared,
    policy: Policy,
    groups: Ints,
    values: Codes,
    n_listed: int,
    seconds: float,
) -> Manifest:
    """Return what was promised and what was reached; the risk is that of the rows as they are."""
    table = prepared.problem.table
    classes = _groups_as_classes(prepared, groups, values)
    labels, first, _ = group_rows(table.codes)
    alike = classes_of(table, labels, len(first))
    n_released = len(groups)
    (name,) = policy.named(Role.SENSITIVE)
    return Manifest(
        indistinct=VERSION,
        input=input_entry(prepared.n_input, source.table.sha256),
        output=OutputEntry(n_released),
        method=MethodEntry("anatomy", round(seconds, 6), groups=classes.n_classes),
        models=tuple(model_entry(model, classes) for model in prepared.problem.models),
        records=CountEntry(n_released, prepared.n_input - n_released),
        classes=class_entry(classes.sizes),
        loss={},
        risk=risk_entry(alike.sizes),
        protection=source.changes,
        promise=PROMISE,
        sensitive=SensitiveEntry(name, n_listed),
        warnings=(
            *repeated_identifiers(source.table.frame, policy.named(Role.IDENTIFIER), policy.data),
            *spellings_of(source.table.frame, prepared.problem.table, policy.data),
        ),
    )


def _groups_as_classes(prepared: Prepared, groups: Ints, values: Codes) -> EquivalenceClasses:
    """Return the groups as models measure them."""
    sensitive = prepared.problem.table.sensitive
    ones = np.ones(len(groups), np.int64)
    n_groups = int(groups.max()) + 1
    counts = {
        name: values_per_class(groups.astype(np.int32), values, ones, n_groups, column.n_values)
        for name, column in sensitive.items()
    }
    return EquivalenceClasses(np.bincount(groups).astype(np.int64), counts, sensitive)
