"""Measure a table as it is: what each model reaches, what it cost, what an attacker may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.core import extras
from indistinct.core.arrays import Ints
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.frequencies import PERSON
from indistinct.core.schema import Role
from indistinct.counting.persons import class_sizes
from indistinct.counting.population import n_people
from indistinct.counting.prepare import (
    CountedTable,
    Prepared,
    prepare,
    prepare_counted,
)
from indistinct.engines.choosing import (
    Resources,
    is_large,
    open_table,
    refuse_for_records,
    resources_of,
)
from indistinct.engines.frames import Frame
from indistinct.engines.sources import Capacity, EngineTable, Tally, weights_of
from indistinct.engines.tallies import columns_of
from indistinct.errors import DataError, Fault, PolicyError
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.related import related_policy
from indistinct.policy.resolved import Resolved, resolve
from indistinct.policy.sections.population import models_among
from indistinct.reader.assess.anonymity import (
    CountedClasses,
    anonymity_of,
    counted_classes,
    groups_of,
    separation_of,
)
from indistinct.reader.assess.assessment import Assessment
from indistinct.reader.assess.findings import Findings, ReadBackFigures
from indistinct.reader.assess.further_risk import assessed_risk
from indistinct.reader.assess.households import counted_in_households
from indistinct.reader.assess.known_items import (
    anonymity_with,
    known_items,
    risk_with,
    separation_with,
)
from indistinct.reader.assess.models_in_table import masks_classes, model_entries, unit_of
from indistinct.reader.assess.noise import assess_noise
from indistinct.reader.assess.sensitive_columns import (
    Secret,
    sensitive_column,
    sensitive_names,
)
from indistinct.reader.assess.table import (
    check_table,
    read_original,
    released_as,
    typed_again,
    without_masked,
)
from indistinct.reader.utility.recover import full_domain, read_cells, recoding_of
from indistinct.reader.utility.report import asked_utility
from indistinct.reader.utility.usefulness import Compared, Utility, utility_entry
from indistinct.reader.verify.invariant import people_in
from indistinct.reader.verify.large import counted_rows
from indistinct.reader.verify.verify import VerificationInput, people_of
from indistinct.release.entries import CountEntry
from indistinct.release.manifest import class_entry, loss_entry, risk_entry, tuple_bits
from indistinct.release.released import labels_of
from indistinct.release.released_file import read_release
from indistinct.release.released_read_back import released_read_back


def assess(  # noqa: PLR0913 - each is a keyword of one measurement
    data: Any,
    policy: GivenPolicy,
    *,
    original: Any = None,
    population: str | Path | None = None,
    queries: int | None = None,
    learn: str | None = None,
    weights: str | None = None,
    counterfeits: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
) -> Assessment:
    """Measure a table, published or not, by a policy.

    Parameters
    ----------
    data : path of the table, or an eager frame
    policy : tells the quasi-identifiers, the sensitive columns and the models; a policy, or the
        path of its TOML file
    original : the input that the table was made from: gives the distribution that closeness is
        measured to, the suppressed records, the loss and the utility
    population : path of a table with the same quasi-identifiers: gives the journalist's risk, and
        takes the place of the policy's
    queries : number of random count queries whose error is measured; none when left out
    learn : column that a model, trained on the table, is to predict; none when left out
    counterfeits : of a release of m-invariance, path or frame of the list of counterfeits; the one
        beside the file when left out
    weights : column that says how many people each record stands for: gives individual risks
    engine : ``memory``, ``polars``, ``duckdb`` or ``spark``; left out, the size of the table
        decides
    memory : what an engine may take, such as ``2GB``; left out, half of what is free
    temp : folder for data that do not fit into memory

    Raises
    ------
    EmptyDataError
        when the table has no records, and there is no original that they could be suppressed from
    DataError
        when a table cannot be read, lacks a column, or is no generalization of the original
    PolicyError
        when the policy asks for two linked tables
    """
    if related_policy(policy) is not None:
        raise PolicyError("an assessment measures one table", "Verify the related tables.")
    policy = policy_of(policy)
    if population is not None:
        place = str(Path(population).absolute())
        policy = policy.with_words({"population": {"size": None, "data": place}})
    if policy.release.form == "anatomy":
        raise PolicyError("an assessment measures one table", "Verify the two linked tables.")
    if learn is not None:
        extras.load("sklearn")  # so that a missing one is told before anything is read
    resources = resources_of(engine, memory, temp)
    if is_large(data, None, resources) or is_large(original, None, resources):
        refuse_for_records(queries=queries, learn=learn)
        return assess_large(
            data, resolve(policy), original=original, weights=weights, resources=resources
        )
    promised = resolve(policy)
    before = (
        None if original is None else read_original(original, promised.reading, promised.set_forms)
    )
    table = read_release(data, promised, may_be_empty=before is not None)
    released = typed_again(
        without_masked(table, promised.release.suppressed),
        before,
        promised.class_names,
        promised.release.suppressed,
    )
    check_table(released, promised.class_names, promised.models)
    secrets = {
        name: sensitive_column(
            released[name],
            None if name in promised.protections else before,
            promised.columns[name],
            promised.models,
        )
        for name in sensitive_names(released.columns, promised.named(Role.SENSITIVE))
    }
    counted = counted_classes(released, promised, secrets)
    classes = counted.classes
    groups = groups_of(released, promised, classes)
    people = released if before is None else people_in(released, promised, data, counterfeits)
    n_suppressed = None if before is None else before.height - people.height
    counts_people = PERSON in classes.value_counts
    n_units = released.height + (n_suppressed or 0)
    if counts_people:
        n_units = classes.sensitive[PERSON].n_values
    models = models_among(
        promised.models,
        promised.population,
        n_units,
        n_people(promised.people_file, promised.class_names, promised.reading),
    )
    reading = VerificationInput(released, promised, before)
    prepared = (
        None
        if before is None or masks_classes(promised.class_names, promised.protections)
        else prepare(before, promised)
    )
    beside = classes
    if people is not released:
        # Which sensitive values are counterfeits' is told nowhere: only cells can be compared.
        secrets, beside = {}, counted_classes(people, promised, {}).classes
    plain = {name: own for name, own in secrets.items() if name not in promised.protections}
    loss, utility = (None, None) if prepared is None else _compare(people, prepared, plain, beside)
    asked = asked_utility(people, before, policy, queries=queries, learn=learn)
    risk = risk_entry(*(people_of(reading) or (class_sizes(classes),)))
    known = known_items(released, promised)
    further = assessed_risk(reading, risk, weights=weights)
    anonymity, separation = anonymity_of(classes), separation_of(counted)
    if known is not None:
        further = risk_with(known, further)
        anonymity = anonymity_with(known, anonymity)
        separation = separation_with(known, separation)
    findings = Findings(
        model_entries(models, groups, reading),
        CountEntry(released.height, n_suppressed),
        replace(
            class_entry(class_sizes(groups)),
            counted=unit_of(promised.data.person, counts_people=counts_people),
        ),
        further,
        anonymity,
        separation,
        loss,
        replace(utility or Utility(), asked=asked) if utility or asked else None,
        None if prepared is None else assess_noise(released, prepared),
        _read_back(released, promised),
    )
    return Assessment(counted_in_households(findings, reading), counted)


def _read_back(
    released: Frame, promised: Resolved, records: Ints | None = None
) -> ReadBackFigures | None:
    """Measure what columns that are not generalized give back of the others."""
    aside = (*promised.set_names, promised.data.household or "")
    found = released_read_back(released, promised.class_rules, aside, records)
    return None if found is None else ReadBackFigures.of(found)


def _compare(
    released: Frame,
    prepared: Prepared,
    secrets: Mapping[str, Secret],
    classes: EquivalenceClasses,
) -> tuple[dict[str, float], Utility]:
    """Return the loss and the utility of a release, from its cells and the original.

    Raises
    ------
    DataError
        when cells are no generalization of the original's values
    """
    problem = prepared.problem
    read = read_cells(labels_of(released, prepared.resolved.class_rules), problem)
    recoding = full_domain(released, problem) or recoding_of(read, problem)
    recoding = replace(recoding, tuple_bits=tuple_bits(problem.table))
    codes = {name: (secret.before[prepared.rows], secret.after) for name, secret in secrets.items()}
    utility = utility_entry(Compared(prepared, released, read, classes, codes, recoding.tuple_bits))
    return loss_entry(problem, recoding), utility


def assess_large(
    data: Any,
    promised: Resolved,
    *,
    original: Any = None,
    weights: str | None = None,
    resources: Resources,
) -> Assessment:
    """Measure a table by a policy, its records counted by an engine.

    Parameters
    ----------
    data, original : where the tables are
    promised : tells the quasi-identifiers, the sensitive columns and the models
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
    opening = resources.opening(
        promised.data.missing, promised.data.separator, reading=promised.reading
    )
    capacity = Capacity(resources.bytes, resources.most_rows)
    with open_table(data, opening, resources.engine) as source:
        _check(source, promised, weights)
        found = counted_rows(source, _counted_columns(source, promised, weights), capacity)
    before = None
    if original is not None:
        with open_table(original, opening, resources.engine) as source:
            wanted = dict.fromkeys(
                (
                    *promised.counted_names,
                    *sensitive_names(found.frame.columns, promised.named(Role.SENSITIVE)),
                )
            )
            before = counted_rows(source, list(wanted), capacity)
    return _assessed(found, before, promised, weights)


def _check(source: EngineTable, promised: Resolved, weights: str | None) -> None:
    """Refuse what cannot be measured from counts, all of it at once."""
    faults = list(_faults(source, promised))
    if faults:
        raise PolicyError(faults)
    if weights is not None and weights not in source.kinds:
        raise DataError([Fault("--weights", "is not a column of the table", "Name one that is.")])


def _faults(source: EngineTable, promised: Resolved) -> Iterator[Fault]:
    """Find words of a policy that take the records themselves."""
    instead = "Take the engine memory, or leave it out."
    if promised.release.suppressed == "mask":
        yield Fault("release.suppressed", "makes rows of stars, which an engine counts", instead)
    if promised.data.person in source.kinds:
        yield Fault("data.person", "counts people, whose records only memory joins", instead)
    for name in promised.set_names:
        yield Fault(f"columns.{name}", "is a set, whose items only memory counts", instead)


def _counted_columns(source: EngineTable, promised: Resolved, weights: str | None) -> list[str]:
    """Name the columns whose distinct rows are counted."""
    present = list(source.kinds)
    of_classes = [found for name in promised.class_names for found in released_as(name, present)]
    names = [*of_classes, *sensitive_names(present, promised.named(Role.SENSITIVE))]
    own = weights if weights is not None else promised.data.weight
    if own in present:
        names.append(own)
    return list(dict.fromkeys(names))


def _assessed(
    found: Tally, before: Tally | None, promised: Resolved, weights: str | None
) -> Assessment:
    """Measure distinct rows with their records."""
    released = found.frame
    check_table(released, promised.class_names, promised.models)
    secrets = _secrets(found, before, promised)
    counted = counted_classes(released, promised, secrets, found.records)
    n_suppressed = None if before is None else before.n_records - found.n_records
    reading = VerificationInput(
        released,
        promised,
        None if before is None else before.frame,
        weights=found.records,
        original_weights=None if before is None else before.records,
    )
    sizes = counted.classes.sizes
    risk = risk_entry(*(people_of(reading) or (sizes,)))
    groups = groups_of(released, promised, counted.classes, found.records)
    models = models_among(
        promised.models,
        promised.population,
        found.n_records + (n_suppressed or 0),
        n_people(promised.people_file, promised.class_names, promised.reading),
    )
    findings = Findings(
        model_entries(models, groups, reading),
        CountEntry(found.n_records, n_suppressed),
        replace(
            class_entry(groups.sizes), counted=unit_of(promised.data.person, counts_people=False)
        ),
        assessed_risk(reading, risk, weights=weights),
        anonymity_of(counted.classes),
        separation_of(counted),
        _loss(found, before, promised),
        read_back=_read_back(released, promised, weights_of(found)),
    )
    return Assessment(findings, CountedClasses(counted.cells, counted.classes))


def _secrets(found: Tally, before: Tally | None, promised: Resolved) -> dict[str, Secret]:
    """Encode the sensitive columns, which are compared with those of the original."""
    known = None if before is None else before.frame
    secrets: dict[str, Secret] = {}
    for name in sensitive_names(found.frame.columns, promised.named(Role.SENSITIVE)):
        reference = None if name in promised.protections else known
        compared = found if reference is None or before is None else before
        secrets[name] = sensitive_column(
            found.frame[name],
            reference,
            promised.columns[name],
            promised.models,
            weights_of(compared),
        )
    return secrets


def _loss(found: Tally, before: Tally | None, promised: Resolved) -> dict[str, float] | None:
    """Return the loss of a release beside its original."""
    if before is None or masks_classes(promised.class_names, promised.protections):
        return None
    rows = columns_of(before.frame, promised.counted_names)
    counted = CountedTable(rows, before.n_records, weights_of(before))
    prepared = prepare_counted(counted, promised)
    problem = prepared.problem
    read = read_cells(
        labels_of(found.frame, promised.class_rules),
        problem,
        found.records,
    )
    recoding = full_domain(found.frame, problem, found.records) or recoding_of(read, problem)
    return loss_entry(problem, recoding)
