"""What the owner's manifest says of a release: exact numbers and names, no value of any record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.classes import Around, EquivalenceClasses, Region, count_values
from indistinct.core.compatible import count_compatible
from indistinct.core.fingerprint import fingerprint, fresh_salt
from indistinct.core.frequencies import FrequencyTable
from indistinct.core.hierarchy import ROOT
from indistinct.core.kernels import group_rows
from indistinct.core.protocols import PrivacyModel, Problem
from indistinct.core.recoding import Recoding, value_bits
from indistinct.metrics import METRICS, SeparableMetric
from indistinct.metrics.risk import journalist_risk, marketer_risk, prosecutor_risk
from indistinct.policy.policy import Policy
from indistinct.search.lattice.lattice import Lattice


def released_classes(problem: Problem, recoding: Recoding) -> EquivalenceClasses:
    """Count the released classes of a recoding; classes of equal cells are one class."""
    cells, merged = np.unique(recoding.cells, axis=0, return_inverse=True)
    kept = recoding.released[recoding.labels]
    labels = merged.reshape(-1)[recoding.labels[kept]]
    present, labels = np.unique(labels, return_inverse=True)
    del cells
    weights = recoding.weights[kept]
    counts = {
        name: count_values(
            labels.astype(np.int32),
            codes[recoding.tuples[kept]],
            weights,
            len(present),
            problem.table.sensitive[name].n_values,
        )
        for name, codes in problem.table.sensitive_codes.items()
    }
    sizes = np.bincount(labels, weights, len(present)).astype(np.int64)
    classes = EquivalenceClasses(sizes, counts, problem.table.sensitive)
    owners = np.full(len(present), -1, np.int64)
    owners[labels] = recoding.labels[kept]
    if recoding.people is not None:
        classes = replace(classes, population=recoding.people[owners])
    if recoding.regions is not None and problem.reads_regions:
        is_one = np.bincount(merged.reshape(-1)[recoding.released])[present] == 1
        return replace(classes, regions=_regions_of(recoding.regions, owners, is_one))
    if recoding.transformation is None or not problem.reads_beyond_classes:
        return classes
    representatives = np.zeros(len(present), np.int32)
    representatives[labels] = recoding.tuples[kept]
    return Lattice(problem).described(recoding.transformation, representatives, classes)


def _regions_of(
    regions: Callable[[], Iterator[Region]], owners: Ints, is_one: Bools
) -> Callable[[], Iterator[Region]]:
    """Give the supersets of a recoding's classes as those of what is released.

    Parameters
    ----------
    owners : (n_released,), class of the recoding
    is_one : (n_released,), False where several classes are released alike
    """
    return lambda: (Around(region.parts, region.part_of, owners, is_one) for region in regions())


def compatible_groups(recoding: Recoding) -> EquivalenceClasses:
    """Count the records compatible with each kind of released record, a star being any value."""
    cells, labels = np.unique(recoding.cells[recoding.released], axis=0, return_inverse=True)
    weights = np.bincount(labels.reshape(-1), recoding.sizes[recoding.released], len(cells))
    hidden = np.column_stack(
        [
            np.array([label == ROOT for label in domain.labels])[cells[:, column]]
            for column, domain in enumerate(recoding.domains)
        ]
    )
    return EquivalenceClasses(count_compatible(cells, hidden, weights.astype(np.int64)))


def model_entry(model: PrivacyModel, classes: EquivalenceClasses) -> dict[str, Any]:
    """Say what a model asks, what the worst class reaches, and whether it holds."""
    entry = {"name": model.name, "required": model.required()}
    if classes.n_classes == 0:
        return {**entry, "achieved": None, "holds": True}
    measures = model.measured(classes)
    worst = float(measures.min() if model.grows else measures.max())
    return {
        **entry,
        "achieved": model.achieved(worst),
        "holds": bool(model.holds(classes).all()),
    }


def warning_entry(warnings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Say what looks wrong, where something does."""
    return {"warnings": list(warnings)} if warnings else {}


def promise_entry(
    models: Sequence[PrivacyModel], protection: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Say how columns are protected besides the models, and where no model is promised."""
    if not protection:
        return {}
    entry: dict[str, Any] = {"protection": dict(protection)}
    if not models:
        entry["promise"] = "no model is promised; columns are protected as protection says"
    return entry


def reading_entry(policy: Policy) -> dict[str, str]:
    """Say what is promised where a star in a cell stands for any value."""
    if policy.release.suppressed_cell == "value":
        return {}
    return {
        "promise": "each record is compatible with enough others, a star being any value; someone "
        "who knows a person's own values may find fewer records that fit"
    }


def input_entry(n_rows: int, sha256: str) -> dict[str, Any]:
    """Say what the release was made from; the salt is for the owner alone."""
    salt = fresh_salt()
    return {"rows": n_rows, "fingerprint": fingerprint(sha256, salt), "salt": salt}


def class_entry(sizes: Ints) -> dict[str, Any]:
    """Say how many classes there are, and how large they are."""
    if len(sizes) == 0:
        return {"count": 0, "smallest": None, "mean": None, "largest": None}
    return {
        "count": len(sizes),
        "smallest": int(sizes.min()),
        "mean": float(sizes.mean()),
        "largest": int(sizes.max()),
    }


def risk_entry(sizes: Ints, people: Ints | None = None) -> dict[str, Any]:
    """Say what an attacker may hope for; the journalist's risk takes a table of the population."""
    return {
        "prosecutor": prosecutor_risk(sizes),
        "journalist": None if people is None else journalist_risk(sizes, people),
        "marketer": marketer_risk(sizes, people),
    }


def tuple_bits(table: FrequencyTable) -> float:
    """Give the sum over records of log2(records with the same quasi-identifiers)."""
    labels, representatives, _ = group_rows(table.codes)
    sizes = np.bincount(labels, table.weights, len(representatives))
    return value_bits(sizes.astype(np.int64))


def loss_entry(problem: Problem, recoding: Recoding) -> dict[str, float]:
    """Give the objective and the standard metrics; the objective with its own aggregate."""
    outcome = recoding
    if math.isnan(recoding.tuple_bits):
        outcome = replace(recoding, tuple_bits=tuple_bits(problem.table))
    losses: dict[str, float] = {}
    for name, kind in METRICS.items():
        if name == problem.objective.name:
            losses[name] = problem.objective.evaluate(outcome)
        elif issubclass(kind, SeparableMetric):
            losses[name] = kind(problem.weights).evaluate(outcome)
        else:
            losses[name] = kind().evaluate(outcome)
    return losses


def level_summary(problem: Problem, recoding: Recoding) -> Mapping[str, Any]:
    """Say which share of the released records stands at which level, per column."""
    summary: dict[str, Any] = {}
    for column, name in enumerate(problem.table.columns):
        domain = recoding.domains[column]
        counts = recoding.cell_counts(column, released=True)
        of_level = np.bincount(domain.levels.astype(np.int64), counts)
        total = max(int(counts.sum()), 1)
        summary[name] = {
            str(level): round(float(count) / total, 6)
            for level, count in enumerate(of_level)
            if count
        }
    return summary
