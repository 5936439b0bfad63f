"""What a manifest claims of a release, beside what a reader counts: every claim, of any form.

The codebook is made once more from the texts of the file and the rules of the policy, and compared
whole. Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from indistinct.base.files.documents import plain
from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass, Scope
from indistinct.tables.core.schema import GROUP, Role
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.verification.classes import classes_of
from indistinct.tables.verification.columns import renderer_of, shows_midpoints
from indistinct.tables.verification.evidence import (
    CheckedRelease,
    VerificationInput,
    evidence_of,
    released_names,
)
from indistinct.tables.verification.input import n_people
from indistinct.tables.verification.judging import Judgement, judge
from indistinct.tables.verification.listed import Listed, list_of
from indistinct.tables.verification.manifest_check import (
    SAME_RUN,
    Recounted,
    claim_faults,
    determined_losses,
)
from indistinct.tables.verification.manifest_shape import mapping_in
from indistinct.tables.verification.promise_texts import promise_faults
from indistinct.tables.verification.public_policy import word_faults
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import HIDDEN, is_range
from indistinct.tables.verification.value_labels import listed_labels

WHOLE = "Take the manifest as it was written beside the release."
BY_RULE = ("intervals", "dates", "mask", "ranges")


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


def as_readers_count(
    reading: VerificationInput, evidence: CheckedRelease, judged: Sequence[Judgement]
) -> list[Mapping[str, Any]]:
    """Return what each model reaches in the release alone.

    Parameters
    ----------
    judged : per model, with all that is at hand
    """
    spec = reading.spec
    alone: list[Mapping[str, Any]] = [entry for entry, _, _ in judged]
    if evidence.original is None:
        return alone
    # Distances to the input's distribution are published as those to the release's, and readers may
    # not see every region around a class.
    models = models_among(
        spec.models,
        spec.population,
        evidence.n_released + (evidence.n_suppressed or 0),
        n_people(spec),
    )
    places = [
        place
        for place, model in enumerate(models)
        if model.scope is Scope.REGION or (model.compares_with_table and evidence.n_suppressed)
    ]
    bare = replace(reading, original=None, rows=None, original_weights=None)
    found = judge_plainly(bare, [models[place] for place in places], evidence) if places else ()
    for place, entry in zip(places, found, strict=True):
        alone[place] = entry
    return alone


def claims(
    reading: VerificationInput,
    evidence: CheckedRelease,
    classes: Sequence[PlainClass] | None,
    alone: Sequence[Mapping[str, Any]],
) -> tuple[list[Fault], tuple[str, ...]]:
    """Compare the manifest, if it is at hand, with what a reader counts.

    Parameters
    ----------
    alone : what each model reaches in the release alone

    Returns
    -------
    false claims, and the names of the losses that neither the file nor the input determines
    """
    manifest, spec = reading.manifest, reading.spec
    if manifest is None:
        return [], ()
    n_rows = reading.frame.height if reading.weights is None else evidence.n_released
    counted = Recounted(evidence, n_rows, classes, alone)
    determined = determined_losses(manifest, counted)
    # Readers lack the lists that the policy leaves out, by which labels lose.
    is_listed = any(one.startswith("hierarchies.") for one in spec.withheld)
    left = {"loss", "ncp"} & {*manifest["loss"]} - {*determined} if is_listed else set[str]()
    losses = {name: loss for name, loss in manifest["loss"].items() if name not in left}
    faults = list(claim_faults({**manifest, "loss": losses}, counted, determined))
    if spec.release.form != "anatomy":
        faults += level_faults(evidence, manifest)
    faults += sensitive_faults(reading, manifest)
    faults += promise_faults(spec, manifest)
    faults += codebook_faults(evidence, manifest)
    faults += protection_faults(evidence, manifest)
    faults += label_list_faults(evidence, manifest)
    return faults, tuple(f"loss.{name}" for name in sorted(left))


def sensitive_faults(reading: VerificationInput, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find what the manifest says of a sensitive table, linked by groups, that it is not."""
    said = mapping_in(manifest, "sensitive")
    if reading.sensitive is None or not said:
        return
    column, rows = reading.spec.named(Role.SENSITIVE)[0], reading.sensitive.height
    for word, expected in (("column", column), ("rows", rows)):
        if said.get(word) != expected:
            problem = "is not that of the sensitive table"
            yield Fault(f"manifest.sensitive.{word}", problem, SAME_RUN)


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
    columns = evidence.spec.columns
    suggested, missing = evidence.spec.suggested_names, evidence.spec.data.texts_of_missing
    rules = {name: columns[name].hierarchy for name in evidence.spec.class_names}
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
        wrong = sum(
            count
            for cell, count in evidence.counts(name)
            if cell not in missing and not _may_stand(evidence, name, cell, levels[name])
        )
        if wrong:
            yield Fault(f"{place}.{name}", f"is not the level of {wrong} released cells", SAME_RUN)


def _may_stand(evidence: CheckedRelease, name: str, cell: str, level: object) -> bool:
    """Return whether a cell may stand at a level; two empty bounds are hidden, or missing."""
    is_pair = len(released_names(evidence.spec.columns[name], evidence.typed.columns)) > 1
    if is_pair and level == 0 and is_range(cell):
        return False  # two bounds stand for numbers, and the input has no bands of these
    is_open = (is_pair and cell == HIDDEN) or shows_midpoints(evidence, name)
    return is_open or level in renderer_of(evidence, name).levels(cell)


def _entry_of(said: object) -> tuple[object, ...]:
    """Return an entry of a list of labels; the empty one for what is none."""
    return tuple(cast("Sequence[object]", said)) if isinstance(said, list | tuple) else ()


def _labels_above(listed: Listed, cells: Iterable[str], least: int) -> set[tuple[object, ...]]:
    """Return the labels among some cells and those above them: text, level and label above."""
    found: dict[str, tuple[object, ...]] = {}
    waiting = [*cells]
    while waiting:
        text = waiting.pop()
        place = None if text in found else listed.place(text, least)
        if place is not None:
            found[text] = (text, *place)
            waiting.append(place[1])
    return {*found.values()}


def protection_faults(evidence: CheckedRelease, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find masks of which the manifest says otherwise than the policy."""
    entries = mapping_in(manifest, "protection")
    for name, mask in evidence.spec.protections.items():
        own = {"name": mask.name, "required": mask.required(), "in_classes": mask.in_classes}
        for word, expected in own.items():
            said = mapping_in(entries, name).get(word)
            if name in entries and any(word_faults("", {word: said}, {word: plain(expected)})):
                problem = "is not what the policy says"
                yield Fault(f"manifest.protection.{name}.{word}", problem, SAME_RUN)


def label_list_faults(evidence: CheckedRelease, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find labels in the public policy that no cell shows, or that lack beside those above them."""
    columns = mapping_in(mapping_in(manifest, "policy"), "columns")
    for name in evidence.spec.class_names:
        rule = evidence.spec.columns[name]
        listed = list_of(rule)
        said: object = mapping_in(mapping_in(columns, name), "hierarchy").get("labels")
        if listed is None or not isinstance(said, list | tuple) or shows_midpoints(evidence, name):
            continue
        first, shown = rule.words.min_level, {cell for cell, _ in evidence.counts(name)}
        # A value is no label, unless the policy allows it as one alone.
        cells = {cell for cell in shown if first or cell not in listed.paths}
        least = max(first, 1)
        expected = _labels_above(listed, cells, least)
        # An empty cell is a missing value, under the labels that the list has above it.
        missing = {*listed.missing_path} if "" in shown else set[str]()
        may_be = _labels_above(listed, cells | missing, least)
        entries = cast("Sequence[object]", said)
        found = {_entry_of(one) for one in entries}
        if len(found) != len(entries) or not expected <= found <= may_be:
            problem = "are not the labels that the release shows and those above them"
            yield Fault(f"manifest.policy.columns.{name}.hierarchy.labels", problem, SAME_RUN)


def codebook_faults(evidence: CheckedRelease, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Find columns of which the codebook says what the cells do not show, or not all of it.

    Parameters
    ----------
    manifest : without faults of its shape
    """
    book = mapping_in(manifest, "codebook")
    spec = evidence.spec
    left_out = {*spec.left_out}
    expected = [name for name in spec.columns if name not in left_out]
    expected += [GROUP] if spec.release.form == "anatomy" else []
    for name in sorted({*book} ^ {*expected}):
        problem = "is there and should not be" if name in book else "is missing"
        yield Fault(f"manifest.codebook.{name}", problem, WHOLE)
    for name in (name for name in expected if name in book):
        said = book[name]
        if isinstance(said, Mapping):
            # Labels of codes are compared with those of the input's file.
            words = cast("Mapping[str, object]", said)
            said = {word: one for word, one in words.items() if word != "labels"}
        if said != _entry(evidence, name, said):
            problem = "does not say what the cells of this column show"
            yield Fault(f"manifest.codebook.{name}", problem, WHOLE)


def _entry(evidence: CheckedRelease, name: str, said: object) -> object:
    """Return what a codebook has to say of a column."""
    spec = evidence.spec
    if spec.release.form == "anatomy" and name not in spec.protections:
        return {"kind": "group" if name == GROUP else "values"}  # nothing is generalized
    if name in spec.class_names:
        return _of_labels(evidence, name, said)
    if name in spec.set_names:
        separator = spec.columns[name].words.separator
        cells = evidence.release[name].unique() if name in evidence.release.columns else ()
        items = {item for cell in cells for item in cell.split(separator)}
        entries = Renderer.of(spec.columns[name]).entries(items - {HIDDEN, ""})
        listed = [entry.words for entry in entries]
        return {"kind": "items", "separator": separator, "cells": listed}
    if name in spec.protections:
        return {"kind": "protected", "by": spec.protections[name].name}
    return {"kind": "values"}


def _of_labels(evidence: CheckedRelease, name: str, said: object) -> dict[str, Any]:
    """Return what a codebook has to say of a quasi-identifier."""
    spec = evidence.spec
    cells = {cell for cell, _ in evidence.counts(name)}
    missing = spec.data.texts_of_missing
    shown = cells - missing - {HIDDEN}
    # Of a column that shows no cell nothing suggests a rule.
    is_known = bool(shown) or name not in spec.suggested_names
    renderer = renderer_of(evidence, name)
    kind = renderer.kind if renderer.kind in BY_RULE and is_known else ""
    is_pair = len(released_names(spec.columns[name], evidence.typed.columns)) > 1
    is_middle = not is_pair and spec.release.intervals == "midpoint" and _says_midpoint(said)
    entries = [] if is_middle else [entry.words for entry in renderer.entries(shown)]
    found: dict[str, Any] = {"kind": kind or ("labels" if entries else "values")}
    is_missing, is_hidden = not missing.isdisjoint(cells), HIDDEN in cells
    if is_pair or is_middle:
        found["as"] = "midpoint" if is_middle else "bounds"
        is_missing, is_hidden = False, is_missing or is_hidden
    if not is_middle:
        n_ranges = sum(kind == "ranges" and is_range(cell) for cell in shown)
        found |= {"cells": entries, "values": len(shown) > len(entries) + n_ranges}
    found |= {"hidden": is_hidden, "missing": is_missing}
    if spec.release.suppressed_cell == "any":
        found["hidden_means"] = "any"
    return found


def _says_midpoint(said: object) -> bool:
    """Return whether a codebook says that the numbers of a column are midpoints."""
    return isinstance(said, Mapping) and cast("Mapping[str, object]", said).get("as") == "midpoint"
