"""Measure a table that is not read whole, by its distinct rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from indistinct.base.arrays import Ints
from indistinct.errors import DataError, Fault, PolicyError
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.population import n_people
from indistinct.tables.counting.preparation import (
    Count,
    prepare_counted,
)
from indistinct.tables.engines.choosing import (
    Resources,
    open_table,
)
from indistinct.tables.engines.sources import EngineTable, Tally, count_fitting, weights_of
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.evaluation.assessments.anonymity import (
    CountedClasses,
    anonymity_of,
    counted_classes,
    groups_of,
    separation_of,
)
from indistinct.tables.evaluation.assessments.assessment import Assessment
from indistinct.tables.evaluation.assessments.findings import Findings, ReadBackFigures
from indistinct.tables.evaluation.assessments.further_risk import assessed_risk
from indistinct.tables.evaluation.assessments.models_in_table import (
    masks_classes,
    model_entries,
    unit_of,
)
from indistinct.tables.evaluation.assessments.sensitive_columns import (
    Secret,
    sensitive_column,
    sensitive_names,
)
from indistinct.tables.evaluation.assessments.table import (
    check_table,
    released_as,
)
from indistinct.tables.evaluation.utility.recover import full_domain, read_cells, recoding_of
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.policy.specification import Specification
from indistinct.tables.release.entries import CountEntry
from indistinct.tables.release.manifest import class_entry, loss_entry, risk_entry
from indistinct.tables.release.read_back_of_release import released_read_back
from indistinct.tables.release.released import labels_of, with_codebook
from indistinct.tables.verification.verify_release import VerificationInput, people_of


def assess_large(
    data: Any,
    spec: Specification,
    *,
    original: Any = None,
    weights: str | None = None,
    resources: Resources,
) -> Assessment:
    """Measure a table by a policy, its records counted by an engine.

    Parameters
    ----------
    data, original : where the tables are
    spec : tells the quasi-identifiers, the sensitive columns and the models
    weights : column that says how many people each record stands for
    resources : which engine counts, and with how much memory

    Raises
    ------
    PolicyError
        when the policy asks for what only a table in memory shows
    CapacityError
        when the distinct rows do not fit

    Notes
    -----
    Gives the figures of a table in memory except the utility, which takes single records.
    """
    opening = resources.opening(spec.data.missing, spec.data.separator, reading=spec.reading)
    capacity = resources.capacity
    with open_table(data, opening, resources.engine) as source:
        _check(source, spec, weights)
        found = count_fitting(source, _counted_columns(source, spec, weights), capacity)
        ruled = with_codebook(spec, data, found.frame)
    before = None
    if original is not None:
        with open_table(original, opening, resources.engine) as source:
            wanted = dict.fromkeys(
                (
                    *spec.counted_names,
                    *sensitive_names(found.frame.columns, spec.named(Role.SENSITIVE)),
                )
            )
            before = count_fitting(source, list(wanted), capacity)
    return _assessed(found, before, ruled, weights)


def _check(source: EngineTable, spec: Specification, weights: str | None) -> None:
    """Refuse what cannot be measured from counts, all of it at once."""
    faults = list(_faults(source, spec))
    if faults:
        raise PolicyError(faults)
    if weights is not None and weights not in source.kinds:
        raise DataError([Fault("--weights", "is not a column of the table", "Name one that is.")])


def _faults(source: EngineTable, spec: Specification) -> Iterator[Fault]:
    """Find words of a policy that take the records themselves."""
    instead = "Take the engine memory, or leave it out."
    if spec.release.suppressed == "mask":
        yield Fault("release.suppressed", "makes rows of stars, which an engine counts", instead)
    if spec.data.person in source.kinds:
        yield Fault("data.person", "counts people, whose records only memory joins", instead)
    for name in spec.set_names:
        yield Fault(f"columns.{name}", "is a set, whose items only memory counts", instead)


def _counted_columns(source: EngineTable, spec: Specification, weights: str | None) -> list[str]:
    """Name the columns whose distinct rows are counted."""
    present = list(source.kinds)
    of_classes = [found for name in spec.class_names for found in released_as(name, present)]
    names = [*of_classes, *sensitive_names(present, spec.named(Role.SENSITIVE))]
    own = weights if weights is not None else spec.data.weight
    if own in present:
        names.append(own)
    return list(dict.fromkeys(names))


def _assessed(
    found: Tally, before: Tally | None, spec: Specification, weights: str | None
) -> Assessment:
    """Measure distinct rows with their records."""
    released = found.frame
    check_table(released, spec.class_names, spec.models)
    secrets = _secrets(found, before, spec)
    counted = counted_classes(released, spec, secrets, found.records)
    n_suppressed = None if before is None else before.n_records - found.n_records
    reading = VerificationInput(
        released,
        spec,
        None if before is None else before.frame,
        weights=found.records,
        original_weights=None if before is None else before.records,
    )
    sizes = counted.classes.sizes
    risk = risk_entry(*(people_of(reading) or (sizes,)))
    groups = groups_of(released, spec, counted.classes, found.records)
    models = models_among(
        spec.models,
        spec.population,
        found.n_records + (n_suppressed or 0),
        n_people(spec.people_file, spec.class_names, spec.reading),
    )
    findings = Findings(
        model_entries(models, groups, reading),
        CountEntry(found.n_records, n_suppressed),
        replace(class_entry(groups.sizes), counted=unit_of(spec.data.person, counts_people=False)),
        assessed_risk(reading, risk, weights=weights),
        anonymity_of(counted.classes),
        separation_of(counted),
        _loss(found, before, spec),
        read_back=read_back_figures(released, spec, weights_of(found)),
    )
    return Assessment(findings, CountedClasses(counted.cells, counted.classes))


def _secrets(found: Tally, before: Tally | None, spec: Specification) -> dict[str, Secret]:
    """Encode the sensitive columns, which are compared with those of the original."""
    known = None if before is None else before.frame
    secrets: dict[str, Secret] = {}
    for name in sensitive_names(found.frame.columns, spec.named(Role.SENSITIVE)):
        reference = None if name in spec.protections else known
        compared = found if reference is None or before is None else before
        secrets[name] = sensitive_column(
            found.frame[name],
            reference,
            spec.columns[name],
            spec.models,
            weights_of(compared),
        )
    return secrets


def _loss(found: Tally, before: Tally | None, spec: Specification) -> dict[str, float] | None:
    """Return the loss of a release beside its original."""
    if before is None or masks_classes(spec.class_names, spec.protections):
        return None
    rows = columns_of(before.frame, spec.counted_names)
    count = Count(replace(before, frame=rows), before.n_records)
    prepared = prepare_counted(count, spec, is_search=False)
    problem = prepared.problem
    cells = labels_of(found.frame, spec.class_rules)
    read = read_cells(cells, problem, found.records)
    recoding = full_domain(cells, problem, found.records) or recoding_of(read, problem)
    return loss_entry(problem, recoding)


def read_back_figures(
    released: Frame, spec: Specification, records: Ints | None = None
) -> ReadBackFigures | None:
    """Measure what columns that are not generalized give back of the others."""
    aside = (*spec.set_names, spec.data.household or "")
    found = released_read_back(released, spec.class_rules, aside, records)
    return None if found is None else ReadBackFigures.of(found)
