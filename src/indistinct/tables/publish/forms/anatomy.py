"""Release two linked tables: quasi-identifiers as they are, and sensitive values per group."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from indistinct import __version__
from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.classes import (
    EquivalenceClasses,
    classes_of,
    count_values as values_per_class,
)
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.recoding import inverse
from indistinct.tables.core.schema import COUNT, GROUP, Role
from indistinct.tables.counting.orders_of_records import (
    in_canonical_order,
    numbers_of_groups,
    secret_order,
)
from indistinct.tables.counting.preparation import Count, Prepared, prepare_counted
from indistinct.tables.engines.tallies import columns_of, counted_rows, without
from indistinct.tables.frames.frame import Frame, table_of, with_whole_columns
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.models.of_one_column import ColumnModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.decision import plan_of
from indistinct.tables.publish.forms.form import FormInput, FormTables, steps_of
from indistinct.tables.reading.rebuild import rebuilt
from indistinct.tables.release.entries import CountEntry, MethodEntry, OutputEntry, SensitiveEntry
from indistinct.tables.release.manifest import (
    Manifest,
    class_entry,
    input_entry,
    model_entry,
    risk_entry,
)
from indistinct.tables.search.anatomy import anatomy_groups

PROMISE = (
    "sensitive values are linked to groups only; quasi-identifiers are published as they are: who "
    "is in the table, and which row is whose, is not hidden"
)


@dataclass(frozen=True, slots=True)
class FoundGroups:
    """The groups of the records.

    Parameters
    ----------
    prepared : the counted records
    groups, values : (n_records,), group and sensitive value of each
    seconds : that the search took
    """

    prepared: Prepared
    groups: Ints
    values: Codes
    seconds: float

    __repr__ = short_repr


def _found(given: FormInput, count: Count) -> FoundGroups:
    """Group the records, and number the groups by the rows that come first.

    Raises
    ------
    NoSolutionError
        when the commonest sensitive value is too common
    """
    spec, chance = given.spec, given.chance
    prepared = prepare_counted(count, spec)
    started = time.perf_counter()
    (name,) = spec.named(Role.SENSITIVE)
    values = prepared.problem.table.sensitive_codes[name][prepared.tuple_of_row]
    column = prepared.problem.table.sensitive[name]
    order = secret_order(
        prepared.frame,
        spec.class_names,
        spec.left_out,
        chance.apart("order of the grouped records"),
    )
    groups = anatomy_groups(values[order], *_least_values(spec.models, column), chance)[
        inverse(order)
    ]
    seconds = time.perf_counter() - started
    shown = without(prepared.frame, [name, *spec.left_out])
    numbers = numbers_of_groups(shown, groups, _values_of(groups, values), spec.class_names)
    return FoundGroups(prepared, numbers[groups], values, seconds)


def _tables(given: FormInput, found: FoundGroups) -> FormTables:
    """Return the records with their group, and the sensitive values of each group."""
    prepared, spec = found.prepared, given.spec
    frame, sensitive = two_tables(prepared, spec, found.groups)
    frame, rows = in_canonical_order(frame, prepared.rows.astype(np.int64), spec.class_names)
    return FormTables(plan_of(rebuilt(frame), rows), spec, sensitive=rebuilt(sensitive))


def _values_of(groups: Ints, values: Codes) -> list[list[int]]:
    """Return the codes of the sensitive values of each group."""
    listed: list[list[int]] = [[] for _ in range(int(groups.max(initial=-1)) + 1)]
    numbers: list[int] = groups.tolist()
    for group, value in zip(numbers, values.tolist(), strict=True):
        listed[group].append(value)
    return listed


def two_tables(prepared: Prepared, spec: Specification, groups: Ints) -> tuple[Frame, Frame]:
    """Return the records with their group, and the sensitive values of each group, counted.

    Parameters
    ----------
    groups : (n_records,), group of each record
    """
    (name,) = spec.named(Role.SENSITIVE)
    numbered = with_whole_columns(prepared.frame, table_of({GROUP: groups}))
    sensitive = counted_rows(columns_of(numbered, [GROUP, name]), COUNT)
    return without(numbered, [name, *spec.left_out]), sensitive


def _least_values(
    models: Iterable[BoundedModel], column: SensitiveColumn
) -> tuple[int, int | None]:
    """Return the distinct values that each group needs, and the one that does not count, if any."""
    least = max(math.ceil(model.bound - 1e-9) for model in models)
    if not column.has_missing:
        return least, None
    column_models = [model.with_missing_columns([column.name]) for model in models]
    leaves_out = [isinstance(model, ColumnModel) and model.meets_missing for model in column_models]
    if all(leaves_out):
        return least, column.n_values - 1
    # Each value stands once in a group: one more of them, and enough are known.
    return least + any(leaves_out), None


def _manifest(given: FormInput, found: FoundGroups, tables: FormTables) -> Manifest:
    """Return what was promised and what was reached; the risk is that of the rows as they are."""
    source, spec, prepared, groups = given.source, given.spec, found.prepared, found.groups
    table = prepared.problem.table
    classes = _groups_as_classes(prepared, groups, found.values)
    labels, first, _ = group_rows(table.codes)
    alike = classes_of(table, labels, len(first))
    n_released = len(groups)
    (name,) = spec.named(Role.SENSITIVE)
    return Manifest(
        indistinct=__version__,
        input=input_entry(prepared.n_input, source.table.sha256),
        output=OutputEntry(n_released),
        method=MethodEntry("anatomy", round(found.seconds, 6), groups=classes.n_classes),
        models=tuple(model_entry(model, classes) for model in prepared.problem.models),
        records=CountEntry(n_released, prepared.n_input - n_released),
        classes=class_entry(classes.sizes),
        loss={},
        risk=risk_entry(alike.sizes),
        protection=source.changes,
        promise=PROMISE,
        sensitive=SensitiveEntry(name, 0 if tables.sensitive is None else tables.sensitive.height),
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


ANATOMY = steps_of(_found, _tables, _manifest)
