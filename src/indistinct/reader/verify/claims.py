"""What a manifest claims of a release, beside what a reader counts: every claim, of any form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from indistinct.core.protocols import PlainClass
from indistinct.errors import Fault
from indistinct.models import BoundedModel
from indistinct.policy.sections.population import models_among
from indistinct.reader.verify.cells import HIDDEN, Cells
from indistinct.reader.verify.classes import classes_of
from indistinct.reader.verify.codebook import codebook_faults
from indistinct.reader.verify.columns import released_cells
from indistinct.reader.verify.data_cells import Midpoints
from indistinct.reader.verify.evidence import (
    CheckedRelease,
    VerificationInput,
    evidence_of,
    released_names,
)
from indistinct.reader.verify.input import n_people
from indistinct.reader.verify.judging import judge
from indistinct.reader.verify.manifest_check import (
    SAME_RUN,
    Recounted,
    claim_faults,
    determined_losses,
)
from indistinct.reader.verify.number_texts import is_range
from indistinct.reader.verify.sets import losses_of_columns
from indistinct.reader.verify.value_labels import listed_labels


def judge_plainly(
    reading: VerificationInput, models: Sequence[BoundedModel], same: CheckedRelease | None = None
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
    reading: VerificationInput,
    evidence: CheckedRelease,
    classes: Sequence[PlainClass] | None,
    entries: Sequence[Mapping[str, Any]],
) -> tuple[list[Fault], tuple[str, ...]]:
    """Compare the manifest, if it is at hand, with what a reader counts.

    Returns
    -------
    false claims, and the names of the losses that neither the file nor the input determines
    """
    manifest, promised = reading.manifest, reading.promised
    if manifest is None:
        return [], ()
    alone = list(entries)
    if evidence.original is not None and evidence.n_suppressed:
        # Distances to the input's distribution are published as those to the release's.
        models = models_among(
            promised.models,
            promised.population,
            evidence.n_released + evidence.n_suppressed,
            n_people(promised),
        )
        places = [place for place, model in enumerate(models) if model.compares_with_table]
        bare = replace(reading, original=None, rows=None, original_weights=None)
        found = judge_plainly(bare, [models[place] for place in places], evidence) if places else ()
        for place, entry in zip(places, found, strict=True):
            alone[place] = entry
    n_rows = reading.frame.height if reading.weights is None else evidence.n_released
    counted = Recounted(evidence, n_rows, classes, alone)
    determined = determined_losses(manifest, counted)
    losses, faults = losses_of_columns(manifest, promised.class_names, promised.set_names)
    if promised.set_names:
        manifest = {**manifest, "loss": losses}
        determined = {name: loss for name, loss in determined.items() if name in losses}
    faults += claim_faults(manifest, counted, determined)
    if promised.release.form != "anatomy":
        faults += level_faults(evidence, manifest)
    faults += codebook_faults(evidence, manifest)
    return faults, tuple(f"loss.{name}" for name in manifest["loss"] if name not in determined)


def level_faults(evidence: CheckedRelease, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find cells that do not stand at the level that the manifest claims for their column."""
    claimed = manifest["method"].get("transformation")
    if not isinstance(claimed, Mapping):
        return
    levels = cast("Mapping[str, object]", claimed)
    place = "manifest.method.transformation"
    shares = manifest["method"].get("levels")
    if shares is not None and shares != {n: {str(level): 1.0} for n, level in levels.items()}:
        yield Fault("manifest.method.levels", "are not those of the transformation", SAME_RUN)
    columns = evidence.promised.columns
    suggested, missing = evidence.promised.suggested_names, evidence.promised.data.texts_of_missing
    rules = {name: columns[name].hierarchy for name in evidence.promised.class_names}
    coded = listed_labels(manifest)
    # Codes with labels are kept or hidden, which the cells show, though no policy says so.
    names = [
        n for n, rule in rules.items() if rule is not None and (n not in suggested or n in coded)
    ]
    # A public policy does not say which of its rules were suggested; their levels are not said.
    sure = {n for n in names if (rule := rules[n]) and (rule.lists_values or rule.labels)}
    if not sure <= set(levels) <= set(names):
        problem = "does not name the quasi-identifiers whose hierarchy the policy has"
        yield Fault(place, problem, SAME_RUN)
        return
    for name in (name for name in names if name in levels):
        cells = released_cells(evidence, name)
        wrong = sum(
            count
            for cell, count in evidence.counts(name)
            if cell not in missing and not _may_stand(evidence, name, cells, cell, levels[name])
        )
        if wrong:
            yield Fault(f"{place}.{name}", f"is not the level of {wrong} released cells", SAME_RUN)


def _may_stand(evidence: CheckedRelease, name: str, cells: Cells, cell: str, level: object) -> bool:
    """Return whether a cell may stand at a level; two empty bounds are hidden, or missing."""
    is_pair = len(released_names(evidence.promised.columns[name], evidence.typed.columns)) > 1
    if is_pair and level == 0 and is_range(cell):
        return False  # two bounds stand for numbers, and the input has no bands of these
    is_open = isinstance(cells, Midpoints) or (is_pair and cell == HIDDEN)
    return is_open or level in cells.levels(cell)
