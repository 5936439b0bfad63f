"""A release of one table, with one row for each record: what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from indistinct.core.protocols import PlainClass
from indistinct.errors import Fault
from indistinct.models import BoundedModel
from indistinct.policy.sections.population import models_among
from indistinct.reader.verify.claims import claims
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.columns import cell_faults, cell_notes, column_faults
from indistinct.reader.verify.evidence import (
    CheckedRelease,
    VerificationInput,
    evidence_of,
    suppression_faults,
)
from indistinct.reader.verify.input import n_people
from indistinct.reader.verify.judging import FormFindings, Judgement, judge
from indistinct.reader.verify.mask_checks import mask_faults, mask_faults_with_input, mask_notes
from indistinct.reader.verify.mask_tests import random_mask_faults
from indistinct.reader.verify.original import input_faults
from indistinct.reader.verify.people import (
    counted_in_people,
    judged_by_records,
    people_faults,
    persons_in,
    sized_in_people,
    with_people,
)
from indistinct.reader.verify.sets import set_faults
from indistinct.reader.verify.suggestion import suggestion_faults


def table_column_faults(reading: VerificationInput) -> Iterator[Fault]:
    """Find columns that should not or should be there."""
    names = reading.frame.columns if reading.columns is None else reading.columns
    yield from column_faults(names, reading.promised)


def table_findings(reading: VerificationInput) -> FormFindings:
    """Run every check of one table."""
    promised, evidence = reading.promised, evidence_of(reading)
    persons = None
    if evidence.original is not None and evidence.rows is not None:
        persons = persons_in(evidence.original, promised.data)
    classes = list(classes_of(evidence if persons is None else _telling_people(evidence, persons)))
    n_records = evidence.n_released + (evidence.n_suppressed or 0)
    n_sampled = n_records if persons is None else len(set(persons))
    models = models_among(promised.models, promised.population, n_sampled, n_people(promised))
    judged = [_judge_units(model, classes, evidence, persons) for model in models]
    # Sizes count people where the policy names them, whom nothing may tell.
    sized = classes if promised.data.person is None else None
    faults: list[Fault] = []
    if persons is not None:
        sized = sized_in_people(classes)
        faults += people_faults(classes, n_sampled, reading.manifest)
    faults += cell_faults(evidence)
    protected = evidence.release if reading.protected is None else reading.protected
    faults += mask_faults(protected, promised, reading.manifest)
    if reading.original is not None and not reading.original_is_masked:
        faults += mask_faults_with_input(
            evidence.release, promised, reading.original, evidence.rows
        )
        if evidence.rows is not None:
            faults += random_mask_faults(evidence, reading.original, reading.manifest)
    faults += set_faults(evidence, reading.manifest)
    faults += input_faults(evidence)
    faults += suggestion_faults(evidence)
    faults += suppression_faults(reading, evidence.n_released)
    false_claims, not_checked = claims(reading, evidence, sized, [entry for entry, _, _ in judged])
    return FormFindings(
        evidence,
        judged,
        [*faults, *false_claims],
        evidence.n_released,
        len(classes),
        (*cell_notes(evidence), *mask_notes(promised)),
        not_checked,
    )


def _telling_people(evidence: CheckedRelease, persons: Sequence[str]) -> CheckedRelease:
    """Add the people to the columns of the release and of the input."""
    promised, rows = evidence.promised, evidence.rows or ()
    columns = sorted({name for model in promised.models for name in model.columns})
    of_release = [persons[row] for row in rows]
    original = evidence.original
    return replace(
        evidence,
        release=with_people(evidence.release, of_release, columns, promised.data.missing),
        original=None
        if original is None
        else with_people(original, persons, columns, promised.data.missing),
    )


def _judge_units(
    model: BoundedModel,
    classes: Sequence[PlainClass],
    evidence: CheckedRelease,
    persons: Sequence[str] | None,
) -> Judgement:
    """Judge a model by what its sizes count: records, or the people of the policy."""
    if evidence.promised.data.person is None:
        return judge(model, classes, evidence)
    if persons is None:
        entry, faults, _ = judge(model, classes, evidence)
        return judged_by_records(model, entry, faults, evidence.promised.people_file)
    return judge(model, counted_in_people(classes, model), evidence)
