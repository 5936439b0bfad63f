"""Measure a table as it is: what each model reaches, what it cost, what an attacker may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from indistinct.base import extras
from indistinct.errors import PolicyError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import PERSON
from indistinct.tables.core.schema import Role
from indistinct.tables.counting.persons import class_sizes
from indistinct.tables.counting.population import n_people
from indistinct.tables.counting.preparation import (
    Prepared,
    prepare,
)
from indistinct.tables.engines.choosing import (
    is_large,
    refuse_for_records,
    resources_of,
)
from indistinct.tables.evaluation.assessments.anonymity import (
    anonymity_of,
    counted_classes,
    groups_of,
    separation_of,
)
from indistinct.tables.evaluation.assessments.assessment import Assessment
from indistinct.tables.evaluation.assessments.findings import Findings
from indistinct.tables.evaluation.assessments.further_risk import assessed_risk
from indistinct.tables.evaluation.assessments.households import counted_in_households
from indistinct.tables.evaluation.assessments.known_items import (
    anonymity_with,
    known_items,
    risk_with,
    separation_with,
)
from indistinct.tables.evaluation.assessments.large import assess_large, read_back_figures
from indistinct.tables.evaluation.assessments.models_in_table import (
    masks_classes,
    model_entries,
    unit_of,
)
from indistinct.tables.evaluation.assessments.noise import assess_noise
from indistinct.tables.evaluation.assessments.sensitive_columns import (
    Secret,
    sensitive_column,
    sensitive_names,
)
from indistinct.tables.evaluation.assessments.table import check_table, read_original, typed_again
from indistinct.tables.evaluation.utility.recover import full_domain, read_cells, recoding_of
from indistinct.tables.evaluation.utility.report import asked_utility
from indistinct.tables.evaluation.utility.usefulness import Compared, Utility, utility_entry
from indistinct.tables.frames.frame import Frame, drop_masked
from indistinct.tables.policy.given import GivenPolicy, policy_to_measure
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.closer_look import ReleaseJudge
from indistinct.tables.release.entries import CountEntry
from indistinct.tables.release.manifest import class_entry, loss_entry, risk_entry, tuple_bits
from indistinct.tables.release.released import labels_of, with_codebook
from indistinct.tables.release.released_file import table_of
from indistinct.tables.verification.invariant import people_in
from indistinct.tables.verification.verify_release import (
    Verification,
    VerificationInput,
    people_of,
    verify,
)


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
    crosswalk: Any = None,
    engine: str = "auto",
    memory: str | None = None,
    temp: str | Path | None = None,
) -> Assessment:
    """Measure one table, published or not, by a policy; see :func:`indistinct.assess`."""
    policy = _with_population(policy_to_measure(policy), population)
    spec = resolve(policy)
    if spec.release.form == "anatomy":
        raise PolicyError("an assessment measures one table", "Verify the two linked tables.")
    if learn is not None:
        extras.load("sklearn")  # so that a missing one is told before anything is read
    resources = resources_of(engine, memory, temp)
    if is_large(data, None, resources) or is_large(original, None, resources):
        refuse_for_records(queries=queries, learn=learn)
        measured = assess_large(data, spec, original=original, weights=weights, resources=resources)
        verified = verify(
            data,
            policy,
            original=original,
            crosswalk=crosswalk,
            engine=engine,
            memory=memory,
            temp=temp,
            closer=ReleaseJudge(),
        )
        return _stated(measured, verified)
    before = None if original is None else read_original(original, spec.reading, spec.set_forms)
    table = table_of(data, spec, may_be_empty=before is not None)
    spec = spec.with_code_labels(table.code_labels)
    spec = with_codebook(spec, data, table.frame)
    released = typed_again(
        drop_masked(table.frame, spec.release.suppressed),
        before,
        spec.class_names,
        spec.release.suppressed,
    )
    check_table(released, spec.class_names, spec.models)
    secrets = {
        name: sensitive_column(
            released[name],
            None if name in spec.protections else before,
            spec.columns[name],
            spec.models,
        )
        for name in sensitive_names(released.columns, spec.named(Role.SENSITIVE))
    }
    counted = counted_classes(released, spec, secrets)
    classes = counted.classes
    groups = groups_of(released, spec, classes)
    people = released if before is None else people_in(released, spec, data, counterfeits)
    n_suppressed = None if before is None else before.height - people.height
    counts_people = PERSON in classes.value_counts
    n_units = released.height + (n_suppressed or 0)
    if counts_people:
        n_units = classes.sensitive[PERSON].n_values
    models = models_among(
        spec.models,
        spec.population,
        n_units,
        n_people(spec.people_file, spec.class_names, spec.reading),
    )
    reading = VerificationInput(released, spec, before)
    prepared = (
        None
        if before is None or masks_classes(spec.class_names, spec.protections)
        else prepare(before, spec, is_search=False)
    )
    classes_of_people = classes
    if people is not released:
        # Which sensitive values are counterfeits' is told nowhere: only cells can be compared.
        secrets, classes_of_people = {}, counted_classes(people, spec, {}).classes
    plain = {name: own for name, own in secrets.items() if name not in spec.protections}
    loss, utility = (
        (None, None) if prepared is None else _compare(people, prepared, plain, classes_of_people)
    )
    asked = asked_utility(people, before, spec, queries=queries, learn=learn)
    risk = risk_entry(*(people_of(reading) or (class_sizes(classes),)))
    known = known_items(released, spec)
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
            counted=unit_of(spec.data.person, counts_people=counts_people),
        ),
        further,
        anonymity,
        separation,
        loss,
        replace(utility or Utility(), asked=asked) if utility or asked else None,
        None if prepared is None else assess_noise(released, prepared),
        read_back_figures(released, spec),
    )
    measured = Assessment(counted_in_households(findings, reading), counted)
    evidence = {"crosswalk": crosswalk, "counterfeits": counterfeits}
    verified = verify(data, policy, original=original, closer=ReleaseJudge(), **evidence)
    return _stated(measured, verified)


def _stated(measured: Assessment, verified: Verification) -> Assessment:
    """Return an assessment with what is said about the table as a release.

    Where people count, records decide no promise: then it is decided as verification decides it.
    """
    findings, models, stated = measured.findings, verified.models, verified.statements
    of_people = stated is not None and any(one["counts"] == "people" for one in stated.reached)
    if of_people and len(models) == len(findings.models):
        judged = tuple(
            replace(own, achieved=entry["achieved"], holds=entry["holds"])
            for own, entry in zip(findings.models, models, strict=True)
        )
        findings = replace(findings, models=judged)
    return replace(measured, findings=findings, gives_away=verified.findings, statements=stated)


def _with_population(policy: Policy, population: str | Path | None) -> Policy:
    """Return a policy whose people are those of another table, if one is given."""
    if population is None:
        return policy
    place = str(Path(population).absolute())
    return policy.with_words({"population": {"size": None, "data": place}})


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
    cells = labels_of(released, prepared.spec.class_rules)
    read = read_cells(cells, problem)
    recoding = full_domain(cells, problem) or recoding_of(read, problem)
    recoding = replace(recoding, tuple_bits=tuple_bits(problem.table))
    codes = {name: (secret.before[prepared.rows], secret.after) for name, secret in secrets.items()}
    utility = utility_entry(Compared(prepared, released, read, classes, codes, recoding.tuple_bits))
    return loss_entry(problem, recoding), utility
