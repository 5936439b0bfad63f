"""Run every check on what was read of a release, and put the verdict together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from indistinct.core.protocols import PlainClass
from indistinct.core.schema import Role
from indistinct.errors import Fault
from indistinct.models import BoundedModel
from indistinct.policy.policy import Policy
from indistinct.reader.verify import linked
from indistinct.reader.verify.claimed_levels import level_faults
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.codebook import codebook_faults
from indistinct.reader.verify.columns import (
    cell_faults,
    cell_notes,
    column_faults,
    input_order_faults,
)
from indistinct.reader.verify.evidence import (
    Evidence,
    Reading,
    evidence_of,
    input_of,
    n_input,
    n_suppressed,
    promises_of_all_releases,
    suppression_faults,
)
from indistinct.reader.verify.input import n_people
from indistinct.reader.verify.judging import Judgement, judge
from indistinct.reader.verify.linked import (
    counts_of,
    link_faults,
    linked_groups,
    origin_faults,
)
from indistinct.reader.verify.manifest_check import (
    Recounted,
    claim_faults,
    determined_losses,
)
from indistinct.reader.verify.mask_tests import mask_faults
from indistinct.reader.verify.masks import original_faults, protection_faults, protection_notes
from indistinct.reader.verify.missing_words import missing_word_faults
from indistinct.reader.verify.order import order_faults, whole
from indistinct.reader.verify.original import (
    crosswalk_faults,
    input_faults,
    linked_input_faults,
)
from indistinct.reader.verify.people import (
    counted_in_people,
    judged_by_records,
    people_faults,
    persons_in,
    sized_in_people,
    with_people,
)
from indistinct.reader.verify.public_policy import (
    public_policy_faults,
    with_suggested_rules,
)
from indistinct.reader.verify.sets import losses_of_columns, set_faults, set_risks
from indistinct.reader.verify.suggestion import suggestion_faults
from indistinct.reader.verify.texts_as_read import lost_differences, texts_as_read
from indistinct.reader.verify.verification import Verification


def verdict_on(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on what was read."""
    if reading.manifest is not None:
        faults = [*faults, *public_policy_faults(reading.policy, reading.manifest)]
        rules = with_suggested_rules(reading.policy, reading.manifest)
        reading = replace(reading, policy=rules)
    wrong_rows = list(crosswalk_faults(reading))
    if wrong_rows:
        reading, faults = replace(reading, rows=None), [*faults, *wrong_rows]
    frame, policy = reading.frame, reading.policy
    if promises_of_all_releases(policy):
        return _verdict_on_many(reading, faults)
    if policy.release.form == "anatomy":
        return _linked_verdict(reading, faults)
    names = frame.columns if reading.columns is None else reading.columns
    wrong_columns = list(column_faults(names, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    evidence = evidence_of(reading)
    persons = _persons(evidence)
    classes = list(classes_of(evidence if persons is None else _telling_people(evidence, persons)))
    n_records = evidence.n_released + (evidence.n_suppressed or 0)
    n_sampled = n_records if persons is None else len(set(persons))
    models = policy.models_among(n_sampled, n_people(policy))
    judged = [_judge_units(model, classes, evidence, persons) for model in models]
    if persons is not None:
        faults += people_faults(classes, n_sampled, reading.manifest)
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += cell_faults(evidence)
    protected = evidence.release if reading.protected is None else reading.protected
    faults += protection_faults(protected, policy, reading.manifest)
    if reading.original is not None and not reading.original_is_masked:
        faults += original_faults(evidence.release, policy, reading.original, evidence.rows)
        if evidence.rows is not None:
            faults += mask_faults(evidence, reading.original, reading.manifest)
    faults += set_faults(evidence, reading.manifest)
    faults += lost_differences(frame)
    faults += missing_word_faults(_with_labels(evidence), policy)
    if reading.weights is None:  # distinct rows stand in no order
        faults += order_faults(whole(frame), policy)
    faults += input_order_faults(evidence)
    faults += input_faults(evidence)
    faults += suggestion_faults(evidence)
    faults += suppression_faults(reading, evidence.n_released)
    entries = [entry for entry, _, _ in judged]
    sized = _known_sizes(classes, persons, policy)
    false_claims, not_checked = _claims(reading, evidence, sized, entries)
    faults += false_claims
    return Verification(
        holds=_decided(faults, judged),
        faults=tuple(faults),
        models=tuple(entries),
        records=evidence.n_released,
        classes=len(classes),
        notes=(
            *(note for _, _, notes in judged for note in notes),
            *cell_notes(evidence),
            *protection_notes(policy),
        ),
        not_checked=not_checked,
    )


def _known_sizes(
    classes: Sequence[PlainClass], persons: Sequence[str] | None, policy: Policy
) -> Sequence[PlainClass] | None:
    """Return the classes with their sizes; None where these count people, whom nothing tells."""
    if persons is not None:
        return sized_in_people(classes)
    return classes if policy.data.person is None else None


def _verdict_on_many(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on a release whose promise is about all releases of its table."""
    if reading.policy.release.form == "anatomy":
        from indistinct.reader.verify.linked_republication import linked_republication_verdict

        return linked_republication_verdict(reading, faults)
    from indistinct.reader.verify.republication import republication_verdict

    return republication_verdict(reading, faults)


def _with_labels(evidence: Evidence) -> pl.DataFrame:
    """Return the released columns with their types, but pairs of bounds as the label they are."""
    typed = {column.name: column for column in evidence.typed.iter_columns()}
    return pl.DataFrame([typed.get(one.name, one) for one in evidence.release.iter_columns()])


def _persons(evidence: Evidence) -> list[str] | None:
    """Give the person behind each record of the input, where people count and can be counted."""
    if evidence.original is None or evidence.rows is None:
        return None
    return persons_in(evidence.original, evidence.policy)


def _telling_people(evidence: Evidence, persons: Sequence[str]) -> Evidence:
    """Add the people to the columns of the release and of the input."""
    policy, rows = evidence.policy, evidence.rows or ()
    columns = sorted({name for model in policy.models for name in model.columns})
    of_release = [persons[row] for row in rows]
    original = evidence.original
    return replace(
        evidence,
        release=with_people(evidence.release, of_release, columns, policy),
        original=None if original is None else with_people(original, persons, columns, policy),
    )


def _judge_units(
    model: BoundedModel,
    classes: Sequence[PlainClass],
    evidence: Evidence,
    persons: Sequence[str] | None,
) -> Judgement:
    """Judge a model by what its sizes count: records, or the people of the policy."""
    if evidence.policy.data.person is None:
        return judge(model, classes, evidence)
    if persons is None:
        entry, faults, _ = judge(model, classes, evidence)
        return judged_by_records(model, entry, faults, evidence.policy)
    return judge(model, counted_in_people(classes, model), evidence)


def _linked_verdict(reading: Reading, faults: list[Fault]) -> Verification:
    """Run every check on two linked tables."""
    policy, frame = reading.policy, reading.frame
    records = texts_as_read(frame)
    sensitive = pl.DataFrame() if reading.sensitive is None else texts_as_read(reading.sensitive)
    wrong_columns = list(linked.column_faults(records, sensitive, policy))
    if wrong_columns:
        return Verification(
            holds=False, faults=(*faults, *wrong_columns), models=(), records=0, classes=0
        )
    original = input_of(reading)
    hidden = n_suppressed(reading, records.height)
    evidence = Evidence(records, frame, policy, original, reading.rows, hidden, n_input(reading))
    (name,) = policy.named(Role.SENSITIVE)
    counts, unreadable = counts_of(sensitive, name, policy.data.missing)
    if unreadable:
        problem = f"{unreadable} rows say no count, or one that was said before"
        faults = [*faults, Fault("sensitive", problem, "Do not publish these files.")]
    groups = linked_groups(records, counts, name)
    judged = [judge(model, groups, evidence) for model in policy.models]
    faults = [*faults, *(fault for _, found, _ in judged for fault in found)]
    faults += link_faults(records, counts)
    if original is not None and reading.rows is not None:
        faults += origin_faults(records, counts, texts_as_read(original), reading.rows, policy)
        if reading.original is not None and not reading.original_is_masked:
            faults += mask_faults(evidence, reading.original, reading.manifest)
    faults += protection_faults(records, policy, reading.manifest)
    total = Counter[str]()
    for values in counts.values():
        total.update(values)
    faults += linked_input_faults(evidence, total)
    for table in (frame, reading.sensitive):
        faults += () if table is None else lost_differences(table)
        faults += () if table is None else missing_word_faults(table, policy)
    faults += order_faults(whole(frame), policy)
    if reading.sensitive is not None:
        faults += order_faults(whole(reading.sensitive), policy, "sensitive")
    faults += input_order_faults(evidence)
    entries = [entry for entry, _, _ in judged]
    false_claims, not_checked = _claims(reading, evidence, groups, entries)
    faults += false_claims
    return Verification(
        holds=_decided(faults, judged),
        faults=tuple(faults),
        models=tuple(entries),
        records=records.height,
        classes=len(groups),
        not_checked=not_checked,
    )


def _decided(faults: Sequence[Fault], judged: Sequence[Judgement]) -> bool | None:
    """Say whether a release holds; None where some model could not be decided."""
    if faults:
        return False
    return None if any(entry["holds"] is None for entry, _, _ in judged) else True


def judge_plainly(
    reading: Reading, models: Sequence[BoundedModel], same: Evidence | None = None
) -> list[dict[str, Any]]:
    """Measure models in a table from their definitions, one class at a time.

    Parameters
    ----------
    reading : a table with the columns of its policy
    models : some of the policy's
    same : of the same rows, where its classes were counted already

    Returns
    -------
    per model: name, required, achieved, holds
    """
    evidence = evidence_of(reading)
    if same is not None:
        evidence.take_kinds(same)
    classes = list(classes_of(evidence))
    return [judge(model, classes, evidence)[0] for model in models]


def _claims(
    reading: Reading,
    evidence: Evidence,
    classes: Sequence[PlainClass] | None,
    entries: Sequence[Mapping[str, Any]],
) -> tuple[list[Fault], tuple[str, ...]]:
    """Compare the manifest, if it is at hand, with what a reader counts.

    Returns
    -------
    false claims, and the names of the losses that neither the file nor the input determines
    """
    manifest, policy = reading.manifest, reading.policy
    if manifest is None:
        return [], ()
    alone = list(entries)
    if evidence.original is not None and evidence.n_suppressed:
        # Distances to the input's distribution are published as those to the release's.
        models = policy.models_among(evidence.n_released + evidence.n_suppressed, n_people(policy))
        places = [place for place, model in enumerate(models) if model.compares_with_table]
        bare = replace(reading, original=None, rows=None, original_weights=None)
        found = judge_plainly(bare, [models[place] for place in places], evidence) if places else ()
        for place, entry in zip(places, found, strict=True):
            alone[place] = entry
    n_rows = reading.frame.height if reading.weights is None else evidence.n_released
    cells = {}
    if policy.release.form != "anatomy":
        cells = {name: evidence.counts(name) for name in policy.class_names}
    counted = Recounted(
        evidence.release,
        n_rows,
        classes,
        alone,
        evidence.weights,
        cells,
        set_risks(evidence),
    )
    determined = determined_losses(manifest, counted, policy)
    losses, faults = losses_of_columns(manifest, policy)
    if policy.set_names:
        manifest = {**manifest, "loss": losses}
        determined = {name: loss for name, loss in determined.items() if name in losses}
    faults += claim_faults(manifest, counted, policy, determined)
    if policy.release.form != "anatomy":
        faults += level_faults(evidence, manifest)
    faults += codebook_faults(evidence, manifest)
    return faults, tuple(f"loss.{name}" for name in manifest["loss"] if name not in determined)
