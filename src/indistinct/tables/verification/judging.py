"""Models measured in a release from their definitions, one class at a time.

Some are about the regions around a class, which not all cells show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.errors import Fault
from indistinct.tables.core.protocols import PlainClass, Scope
from indistinct.tables.frames.frame import Column
from indistinct.tables.models import BoundedModel, SetModel
from indistinct.tables.models.bounded import Needs
from indistinct.tables.models.of_one_column import ColumnModel
from indistinct.tables.policy.specification import Specification
from indistinct.tables.verification.boxes import Box
from indistinct.tables.verification.evidence import CheckedRelease, most_suppressed, released_names
from indistinct.tables.verification.listed import missing_label
from indistinct.tables.verification.sets import judged_sets
from indistinct.tables.verification.texts import CLOSED, HIDDEN, series_as_read, text_as_read

SLACK = 1e-9

Judgement = tuple[dict[str, Any], list[Fault], list[str]]  # entry, faults, notes


class FormFindings(NamedTuple):
    """What was found in a release of some form.

    Parameters
    ----------
    evidence : what was looked at
    judged : per model, its measure, and what is wrong or undecided
    faults : those of this form alone
    n_records, n_classes : records of people that are released, and the classes they form
    notes : what could not be decided
    not_checked : what the manifest claims and nothing at hand determines
    models : those that were judged
    sized : the classes with their sizes in the unit of the policy; None where nothing tells whose
        the records are
    units : (n_rows,), the person or the household of each row of the evidence, where one is known
    n_units_of_input : people or households of the input, where they are known
    compared : the evidence with the record behind each row, where ``evidence`` has it not
    readers : per model, its measure in the release alone, where it differs
    """

    evidence: CheckedRelease
    judged: Sequence[Judgement]
    faults: Sequence[Fault]
    n_records: int
    n_classes: int
    notes: Sequence[str] = ()
    not_checked: Sequence[str] = ()
    models: Sequence[BoundedModel] = ()
    sized: Sequence[PlainClass] | None = ()
    units: Sequence[str] | None = None
    n_units_of_input: int | None = None
    compared: CheckedRelease | None = None
    readers: Sequence[Mapping[str, Any]] = ()


def judge(
    model: BoundedModel, classes: Sequence[PlainClass], evidence: CheckedRelease
) -> Judgement:
    """Measure a model in every class, and compare the worst with the bound."""
    if isinstance(model, SetModel):
        return judged_sets(model, evidence)
    if not _knows_population(model, evidence.spec):
        return _without_population(model)
    if not classes:
        return _entry(model) | {"achieved": None, "holds": True}, [], []
    return _measured(model, classes, evidence)


def _entry(model: BoundedModel) -> dict[str, Any]:
    """Return what a model asks."""
    return {"name": model.name, "required": model.required()}


def _measured(
    model: BoundedModel, classes: Sequence[PlainClass], evidence: CheckedRelease
) -> Judgement:
    """Measure a model in classes, at least one."""
    entry = _entry(model)
    judged = classes[:1] if model.scope is Scope.TABLE else classes
    measures = [model.measured_plainly(one) for one in judged]
    worst = min(measures) if model.grows else max(measures)
    holds = _within(model, worst, 0.0)
    entry |= {"achieved": model.achieved(worst), "holds": holds}
    gone = _most_gone(evidence)
    doubt = _doubt(model, evidence, gone)
    if holds:
        return entry, [], []
    if doubt > 0 and _within(model, _best(model, judged, gone), doubt):
        note = (
            f"{model.name}: it is beyond its bound when measured against the released records; "
            "whether it holds against the input, of which some records were suppressed, takes the "
            "input (original)"
        )
        return {**entry, "holds": None}, [], [note]
    # Without any larger set of so many records, the distance is infinite, whatever the regions are.
    looks_around = model.scope is Scope.REGION and math.isfinite(worst)
    if reasons := why_unseen(evidence) if looks_around else []:
        note = (
            f"{model.name}: some class is close enough to none of the larger sets that the release "
            f"shows. Whether there is another one is undecided: {'; '.join(reasons)}"
        )
        return {**entry, "holds": None}, [], [note]
    failing = sum(not _within(model, measure, doubt) for measure in measures)
    problem = f"does not hold in {failing} of {len(classes)} classes"
    if model.scope is Scope.TABLE:
        problem = "does not hold for the release as a whole"
    return entry, [Fault(f"models.{model.name}", problem, "Do not publish this file.")], []


def _without_population(model: BoundedModel) -> Judgement:
    """Return that a model is undecided, since nobody knows who else there is."""
    note = (
        f"{model.name}: it asks for the table of the population, which is not at hand; the policy "
        "of the owner (--policy) names it"
    )
    return _entry(model) | {"achieved": None, "holds": None}, [], [note]


def _knows_population(model: BoundedModel, spec: Specification) -> bool:
    """Return whether as much is known of the population as a model asks for."""
    known = spec.population
    if model.needs is Needs.SIZE and known is not None and known.size is not None:
        return "population.data" not in spec.withheld
    return model.needs is Needs.TABLE or spec.people_file is not None


def _most_gone(evidence: CheckedRelease) -> float:
    """Return how many records may be missing from the release.

    Where nothing but the manifest tells it, its claim counts up to what the policy's limit allows,
    and without a manifest that limit itself.
    """
    if evidence.original is not None:
        return evidence.n_suppressed or 0
    limit = most_suppressed(evidence.spec, evidence.n_released)
    return limit if evidence.n_suppressed is None else min(evidence.n_suppressed, limit)


def _doubt(model: BoundedModel, evidence: CheckedRelease, gone: float) -> float:
    """Return how far a measure against the release may be from that against the input.

    Parameters
    ----------
    gone : records that may be missing from the release, at most
    """
    is_known = all(evidence.before(name) is not None for name in model.columns)
    if not model.compares_with_table or is_known or not gone:
        return 0.0
    if evidence.spec.data.person is not None:
        return math.inf  # a person of a suppressed record may be released with others
    return model.doubt(gone, _n_counted(model, evidence))


def _n_counted(model: BoundedModel, evidence: CheckedRelease) -> int:
    """Count the released records that a model counts: those with a known value, or all."""
    if not isinstance(model, ColumnModel) or model.missing_counts:
        return evidence.n_released
    known = series_as_read(evidence.release[model.column], evidence.spec.data.missing) != ""
    return int(known.sum() if evidence.weights is None else evidence.weights.filter(known).sum())


def _best(model: BoundedModel, classes: Sequence[PlainClass], gone: float) -> float:
    """Return the worst class's measure, each class measured as well as it can be."""
    measures = [model.measured_at_best(one, gone) for one in classes]
    return min(measures) if model.grows else max(measures)


def _within(model: BoundedModel, measure: float, doubt: float) -> bool:
    """Compare a measure with the model's bound."""
    if model.strict:
        return measure > model.bound if model.grows else measure < model.bound + doubt
    if model.grows:
        return measure >= model.bound - SLACK
    return measure <= model.bound + SLACK + doubt


def why_unseen(evidence: CheckedRelease) -> list[str]:
    """Return the reasons why some class may lie in a larger region that the cells do not show."""
    names = evidence.spec.class_names
    reasons: list[str] = []
    if unknown := [name for name in names if _has_unknown_labels(evidence, name)]:
        reasons.append(
            f"this depends on the labels above the cells of {', '.join(unknown)}. Without a "
            "hierarchy in the policy, the labels follow from the values that were counted, which "
            "are not at hand"
        )
    empty = [name for name in names if _has_empty_bounds(evidence, name)]
    if empty and not _are_rows_known(evidence):
        reasons.append(
            f"the empty bounds of {', '.join(empty)} stand for numbers that are missing or that "
            "are hidden, and only the input and the crosswalk together tell which"
        )
    return reasons


def with_missing_boxes(evidence: CheckedRelease, boxes: Sequence[Box]) -> Sequence[Box]:
    """Return boxes that tell missing numbers from hidden ones, both with empty bounds.

    Parameters
    ----------
    boxes : per class, a cell of each quasi-identifier

    Returns
    -------
    The same, with the word for a missing number where it is missing in all records of the class.
    """
    if not boxes or not _are_rows_known(evidence):
        return boxes
    found = [list(box) for box in boxes]
    for column, name in enumerate(evidence.spec.class_names):
        if not _has_empty_bounds(evidence, name):
            continue
        word = missing_label(evidence.spec.columns[name])
        for box, lacks in zip(found, _lack_numbers(evidence, name).tolist(), strict=True):
            if lacks and box[column] == HIDDEN:
                box[column] = word
    return [tuple(box) for box in found]


def _are_rows_known(evidence: CheckedRelease) -> bool:
    """Return whether the input and the crosswalk say what each released record was."""
    models = evidence.spec.models
    names = {*evidence.spec.class_names, *(name for model in models for name in model.columns)}
    are_known = all(evidence.counted_before(name) is not None for name in names)
    return evidence.rows is not None and are_known


def _has_unknown_labels(evidence: CheckedRelease, name: str) -> bool:
    """Return whether the labels of a column are suggested by values that are not at hand.

    They are not at hand without the input, nor where the column was masked before it was counted.
    Where the cells are ranges, the ranges themselves show how the records were divided.
    """
    return (
        evidence.spec.columns[name].hierarchy is None
        and evidence.counted_before(name) is None
        and not any(CLOSED.match(cell) for cell, _ in evidence.counts(name))
    )


def _has_empty_bounds(evidence: CheckedRelease, name: str) -> bool:
    """Return whether a column is released in empty bounds, perhaps for a missing number."""
    if len(released_names(evidence.spec.columns[name], evidence.typed.columns)) == 1:
        return False
    if all(cell != HIDDEN for cell, _ in evidence.counts(name)):
        return False
    before = evidence.counted_before(name)
    return before is None or bool(_is_missing(evidence, before).any())


def _lack_numbers(evidence: CheckedRelease, name: str) -> Bools:
    """Return in which classes the number is missing in all records: (n_classes,)."""
    values, codes = evidence.numbered_before(name)
    is_missing = _is_missing(evidence, values).to_numpy()
    kinds = evidence.kinds()
    lacks = np.ones(len(kinds.sizes), np.bool_)
    is_number = ~is_missing[codes[np.asarray(evidence.rows, np.int64)]]
    lacks[kinds.of_row.to_numpy()[is_number]] = False
    return lacks


def _is_missing(evidence: CheckedRelease, column: Column) -> Column:
    """Return which values of a column of the input have no bounds."""
    return text_as_read(column).is_in(["", "NaN", *evidence.spec.data.missing])
