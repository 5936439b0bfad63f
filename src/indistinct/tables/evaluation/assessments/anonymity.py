"""What every model reaches in a table as it is, promised or not: one figure per model and column.

Each figure is a model's own measure in the worst class; nothing is defined here a second time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import PERSON, TOGETHER, SensitiveColumn, ValueCounts
from indistinct.tables.counting.persons import class_sizes, columns_of_people, persons_of
from indistinct.tables.engines.tallies import (
    columns_of,
    equal_rows,
    kinds_of,
    sizes_of,
    sorted_with,
)
from indistinct.tables.evaluation.assessments.findings import (
    Anonymity,
    SecretFigures,
    SeparatingColumns,
    Separation,
)
from indistinct.tables.evaluation.assessments.sensitive_columns import Secret
from indistinct.tables.evaluation.assessments.table import class_cells
from indistinct.tables.frames.encoding import value_codes
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.frames.tuples import combinations_of
from indistinct.tables.metrics.disclosure import CERTAIN, private_information_disclosure
from indistinct.tables.metrics.separation import (
    ALMOST_ALL,
    separating_sets,
    separation_entry,
)
from indistinct.tables.models import (
    AlphaKAnonymity,
    BetaLikeness,
    BoundedModel,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    ProbabilisticLDiversity,
    RecursiveCLDiversity,
    TCloseness,
)
from indistinct.tables.models.in_people import counted_in_people
from indistinct.tables.policy.specification import Specification
from indistinct.tables.search.local.peel_kernels import count_members
from indistinct.tables.verification.texts import texts_as_read
from indistinct.tables.verification.wildcards import group_sizes

MOST_TAILS = 5
MOST_STEPS = 2_000_000_000
WORST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class CountedClasses:
    """The equivalence classes of a table, and how they read.

    Parameters
    ----------
    cells : one row per class: the quasi-identifiers as they are written
    classes : their sizes and sensitive values, in the same order
    """

    cells: Frame
    classes: EquivalenceClasses

    __repr__ = short_repr


def count_classes(
    quasi_identifiers: Frame,
    sensitive: Mapping[str, tuple[SensitiveColumn, Codes]],
    weights: Ints | None = None,
) -> CountedClasses:
    """Count the equivalence classes of a table, and the sensitive values in each.

    Parameters
    ----------
    quasi_identifiers : (n_rows, n_columns), equal rows are one class; missing equals missing
    sensitive : per sensitive column, what is known of it, and (n_rows,) its codes
    weights : (n_rows,), records of each row; one each where left out

    Notes
    -----
    One group-by, and one further pass over the records for each sensitive column.
    """
    if quasi_identifiers.height == 0:
        nothing = np.zeros(0, np.int64)
        empty = ValueCounts(np.zeros(1, np.int64), np.zeros(0, np.int32), nothing)
        columns = {name: column for name, (column, _) in sensitive.items()}
        counts = dict.fromkeys(sensitive, empty)
        return CountedClasses(quasi_identifiers, EquivalenceClasses(nothing, counts, columns))
    columns = {name: column for name, (column, _) in sensitive.items()}
    coded = [codes for _, codes in sensitive.values()]
    found = equal_rows(quasi_identifiers, coded if weights is None else [*coded, weights])
    n_rows = quasi_identifiers.height
    everyone = np.arange(n_rows, dtype=np.int32)
    records = np.ones(n_rows, np.int64) if weights is None else found.further[-1].astype(np.int64)
    sizes = np.add.reduceat(records, found.starts[:-1])
    counts = {
        name: ValueCounts(
            *count_members(everyone, found.starts, codes.astype(np.int32), records, column.n_values)
        )
        for (name, column), codes in zip(columns.items(), found.further, strict=False)
    }
    return CountedClasses(found.cells, EquivalenceClasses(sizes, counts, columns))


def anonymity_of(classes: EquivalenceClasses) -> Anonymity:
    """Return what every model reaches: k of the table, and the others per sensitive column.

    None stands for a figure that no parameter would satisfy, or that nothing gives.
    """
    if classes.n_classes == 0:
        return Anonymity(None, 0)
    sizes = np.sort(class_sizes(classes))
    return Anonymity(
        int(sizes[0]),
        int(np.count_nonzero(sizes == 1)),
        tuple(sizes[:WORST_SHOWN].tolist()),
        {
            name: secret_figures(classes, name)
            for name in classes.value_counts
            if not name.startswith(TOGETHER)
        },
    )


def secret_figures(classes: EquivalenceClasses, name: str) -> SecretFigures:
    """Return what every model reaches in one sensitive column.

    Parameters
    ----------
    classes : at least one
    name : of the sensitive column
    """
    measured = {
        figure: _worst(model, _measured(model, classes))
        for figure, model in models_of(classes, name).items()
    }
    fewest = measured["distinct_l"]
    tails = range(2, min(int(fewest or 1), MOST_TAILS) + 1)
    return SecretFigures(
        {**measured, "distinct_l": None if fewest is None else int(fewest)},
        {
            str(tail): _worst(model, _measured(model, classes))
            for tail, model in ((tail, RecursiveCLDiversity(name, c=1.0, l=tail)) for tail in tails)
        },
        private_information_disclosure(classes, name, 1.0),
        private_information_disclosure(classes, name, CERTAIN),
    )


def models_of(classes: EquivalenceClasses, name: str) -> dict[str, BoundedModel]:
    """Return the models that can be measured in a sensitive column, by their figures' names."""
    models: dict[str, BoundedModel] = {
        "distinct_l": DistinctLDiversity(name, l=1),
        "entropy_l": EntropyLDiversity(name, l=1.0),
        "probabilistic_l": ProbabilisticLDiversity(name, l=1.0),
        "alpha": AlphaKAnonymity(name, alpha=1.0, k=1),
        "t_equal": TCloseness(name, t=1.0),
    }
    column = classes.sensitive[name]
    if column.numbers is not None and classes.n_classes * column.n_values <= MOST_STEPS:
        models["t_ordered"] = TCloseness(name, t=1.0, distance="ordered")
    if column.hierarchy is not None:
        models["t_hierarchical"] = TCloseness(name, t=1.0, distance="hierarchical")
    return models | {
        "beta": BetaLikeness(name, beta=1.0, variant="basic"),
        "beta_enhanced": BetaLikeness(name, beta=1.0, variant="enhanced"),
        "delta": DeltaDisclosure(name, delta=1.0),
        "delta_present": DeltaDisclosure(name, delta=1.0, absent="ignore"),
    }


def separation_of(counted: CountedClasses) -> Separation:
    """Return how well the quasi-identifiers tell records apart, and which few already do."""
    sizes = counted.classes.sizes
    entry = separation_entry(sizes)
    names = counted.cells.columns
    sets: list[SeparatingColumns] = []
    if entry["unique"] >= ALMOST_ALL:
        columns = [value_codes(counted.cells[name])[1] for name in names]
        sets = [
            SeparatingColumns(
                tuple(names[column] for column in one.columns),
                one.distinction,
                one.separation,
                one.unique,
            )
            for one in separating_sets(columns, sizes)
        ]
    return Separation(**entry, at_least=ALMOST_ALL, sets=tuple(sets))


def per_class(counted: CountedClasses) -> Frame:
    """List the classes, the smallest first: cells, records, and every figure per sensitive column.

    Figures of a sensitive column are named as in ``t_equal(disease)``.
    """
    classes = counted.classes
    figures: dict[str, Ints | Floats] = {"records": classes.sizes}
    if classes.n_classes:
        figures |= {
            f"{figure}({name})": _measured(model, classes)
            for name in classes.value_counts
            if not name.startswith(TOGETHER)
            for figure, model in models_of(classes, name).items()
        }
    taken = counted.cells.columns
    return sorted_with(
        counted.cells,
        {f"{n} of the class" if n in taken else n: array for n, array in figures.items()},
    )


def smallest_classes(counted: CountedClasses) -> list[dict[str, Any]]:
    """List the smallest classes with their cells: for the data's owner alone."""
    sizes = EquivalenceClasses(counted.classes.sizes)
    names = counted.cells.columns
    table = per_class(CountedClasses(counted.cells, sizes))[:WORST_SHOWN]
    cells = zip(*(cell_texts(table[name]).to_list() for name in names), strict=True)
    return [
        {"records": size, "cells": dict(zip(names, row, strict=True))}
        for size, row in zip(table[table.columns[-1]].to_list(), cells, strict=True)
    ]


def _measured(model: BoundedModel, classes: EquivalenceClasses) -> Floats:
    """Measure a model in classes, in people where these are counted: (n_classes,)."""
    if PERSON in classes.value_counts:
        classes = counted_in_people(classes, model)
    return model.measured(classes)


def _worst(model: BoundedModel, measures: Floats) -> float | None:
    """Return the measure of the worst class; None where it is infinite."""
    worst = float(measures.min() if model.grows else measures.max())
    return worst if math.isfinite(worst) else None


def counted_classes(
    released: Frame,
    spec: Specification,
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
    if spec.divides:
        sensitive[TOGETHER] = combinations_of(
            {name: secret.after for name, secret in secrets.items()}, records
        )
    if (persons := persons_of(released, spec.data)) is not None:
        columns, codes = columns_of_people(
            persons, {name: secret.after for name, secret in secrets.items()}
        )
        sensitive |= {name: (columns[name], codes[name]) for name in columns}
    return count_classes(class_cells(released, spec), sensitive, records)


def groups_of(
    released: Frame,
    spec: Specification,
    classes: EquivalenceClasses,
    weights: Column | None = None,
) -> EquivalenceClasses:
    """Return what the policy's models are measured in: where a star is any value, what fits."""
    if not spec.class_names or spec.release.suppressed_cell != "any":
        return classes
    return EquivalenceClasses(_group_sizes(columns_of(released, spec.class_names), weights))


def _group_sizes(cells: Frame, weights: Column | None) -> Ints:
    """Count the records that are compatible with each kind of record: (n_kinds,)."""
    texts = texts_as_read(cells)
    kinds, first = kinds_of([texts[name] for name in texts.columns])
    return np.array(group_sizes(texts[first], sizes_of(kinds, weights)), np.int64)
