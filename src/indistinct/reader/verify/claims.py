"""What a manifest claims of a release, beside what a reader counts: every claim, of any form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct.core.protocols import PlainClass
from indistinct.errors import Fault
from indistinct.models import BoundedModel
from indistinct.reader.verify.claimed_levels import level_faults
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.codebook import codebook_faults
from indistinct.reader.verify.evidence import Evidence, Reading, evidence_of
from indistinct.reader.verify.input import n_people
from indistinct.reader.verify.judging import judge
from indistinct.reader.verify.manifest_check import Recounted, claim_faults, determined_losses
from indistinct.reader.verify.sets import losses_of_columns, set_risks


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


def claims(
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
    has_cells = policy.release.form != "anatomy"
    counted = Recounted(
        evidence.release,
        n_rows,
        classes,
        alone,
        evidence.weights,
        {name: evidence.counts(name) for name in policy.class_names if has_cells},
        set_risks(evidence),
    )
    determined = determined_losses(manifest, counted, policy)
    losses, faults = losses_of_columns(manifest, policy)
    if policy.set_names:
        manifest = {**manifest, "loss": losses}
        determined = {name: loss for name, loss in determined.items() if name in losses}
    faults += claim_faults(manifest, counted, policy, determined)
    if has_cells:
        faults += level_faults(evidence, manifest)
    faults += codebook_faults(evidence, manifest)
    return faults, tuple(f"loss.{name}" for name in manifest["loss"] if name not in determined)
