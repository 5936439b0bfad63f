"""From the owner's manifest to the one that is published beside a release.

The owner's has exact figures. The public one says nothing that a suppressed record has a part in:
what the released file and the policy determine is exact, what else is useful is measured over the
released records and rounded (see :mod:`indistinct.tables.publish.released_loss`), and the rest is
left out. ``docs/how-it-works.md`` says field by field what each can tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Scope
from indistinct.tables.counting.population import n_people
from indistinct.tables.engines.tallies import n_values_of
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.texts import cell_texts, known_texts
from indistinct.tables.masks import Protection
from indistinct.tables.models import BoundedModel
from indistinct.tables.policy.public import public_policy
from indistinct.tables.policy.sections.population import models_among
from indistinct.tables.policy.settings import invariant_model
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.among_released import among_themselves
from indistinct.tables.publish.released_loss import among_released, public_losses
from indistinct.tables.publish.searching import FoundRecoding
from indistinct.tables.release.codebook import codebook_of
from indistinct.tables.release.entries import (
    MethodEntry,
    ModelEntry,
    ProtectionEntry,
    RiskEntry,
    SuppressionEntry,
)
from indistinct.tables.release.manifest import (
    Manifest,
    level_summary,
    model_entry,
    released_classes,
)
from indistinct.tables.release.presentation import shown_as_numbers
from indistinct.tables.release.set_entry import SetEntry

RELEASED = "the released records"

# Facts of a search that its options or the released cells determine.
PUBLIC_FACTS = frozenset({"optimal", "relaxed", "minimal", "suppressed_cells"})


def public_manifest(
    owner: Manifest, spec: Specification, frame: Frame, found: FoundRecoding | None = None
) -> Manifest:
    """Return what of a manifest may be published.

    Parameters
    ----------
    owner : the exact manifest
    spec : what was promised
    frame : the release
    found : what the losses are measured by; None where there are none
    """
    suppression = owner.suppression
    n_suppressed = owner.records.suppressed or 0
    cells = released_cells(spec, frame, found)
    numbers = () if found is None else shown_as_numbers(found.prepared)
    has_history = invariant_model(spec.models) is not None
    return replace(
        owner,
        input=replace(owner.input, salt=None),
        method=_method(owner.method, spec, found),
        models=owner.models if found is None else _models(owner, spec, found),
        loss={} if found is None else _losses(owner, found),
        risk=_risk(owner.risk) if spec.release.suppressed_cell == "any" else owner.risk,
        protection={
            name: _protection(entry, spec.protections[name], n_suppressed, _counter(frame, name))
            for name, entry in owner.protection.items()
        },
        sets={
            name: SetEntry(one.empty, one.labels, one.algorithm) for name, one in owner.sets.items()
        },
        policy=public_policy(spec, cells),
        codebook={} if has_history else codebook_of(spec, cells, numbers),
        suppression=None if suppression is None else SuppressionEntry(suppression.confidence),
    )


def released_cells(
    spec: Specification, frame: Frame, found: FoundRecoding | None
) -> dict[str, Collection[str]]:
    """Return the different released cells of the columns whose rule depends on them, as labels.

    Parameters
    ----------
    frame : the release, or a table without records where an engine has them
    """
    cells: dict[str, Collection[str]] = {}
    for name in spec.set_names if frame.height else ():
        separator = spec.columns[name].words.separator
        texts = known_texts(cell_texts(frame[name]))
        cells[name] = {item for text in texts for item in text.split(separator)}
    if found is None:
        return cells
    problem, recoding = found.prepared.problem, found.recoding
    for place, name in enumerate(spec.class_names):
        labels = recoding.domains[place].labels
        shown = np.unique(recoding.cells[recoding.released, place]).tolist()
        cells[name] = {labels[cell] for cell in shown}
    tuples = recoding.tuples[recoding.released[recoding.labels]]
    for name, codes in problem.table.sensitive_codes.items():
        values = problem.table.sensitive[name].values
        cells[name] = {values[value] for value in np.unique(codes[tuples]).tolist()}
    return cells


def _losses(owner: Manifest, found: FoundRecoding) -> dict[str, float]:
    """Return the losses that may be published: none where items of sets have a part in them."""
    if owner.sets:
        return {}
    return public_losses(found.prepared, found.recoding, owner.loss)


def _risk(exact: RiskEntry) -> RiskEntry:
    """Round every risk up."""
    return RiskEntry(
        _at_most(exact.prosecutor), _at_most(exact.journalist), _at_most(exact.marketer)
    )


def _method(method: MethodEntry, spec: Specification, found: FoundRecoding | None) -> MethodEntry:
    """Leave out what a search tells of the records: bounds, gains, times, counts of classes.

    A suggested hierarchy has as many levels as all records ask for, suppressed ones included, so
    that the level of a released cell would tell of them.
    """
    facts = {name: fact for name, fact in method.facts.items() if name in PUBLIC_FACTS}
    levels = method.levels
    if levels is not None and found is not None:
        # A range counts as the whole column by what is released, too.
        narrowed = among_released(found.prepared, found.recoding)
        levels = level_summary(found.prepared.problem, narrowed)
    return replace(
        method,
        transformation=_written_by_policy(method.transformation, spec),
        levels=_written_by_policy(levels, spec),
        facts=facts,
        seconds=None,
    )


def _written_by_policy(
    of_column: Mapping[str, Any] | None, spec: Specification
) -> Mapping[str, Any] | None:
    """Return what is said of the columns whose hierarchy the policy writes; None where none is."""
    if of_column is None:
        return None
    written = {
        name: said
        for name, said in of_column.items()
        if spec.columns[name].hierarchy is not None and name not in spec.suggested_names
    }
    return written or None


def _models(owner: Manifest, spec: Specification, found: FoundRecoding) -> tuple[ModelEntry, ...]:
    """Return what a reader of the file can measure of each model.

    The distance to a distribution is that to the released records' where the input's has more.
    """
    models = models_among(
        spec.models,
        spec.population,
        owner.input.rows,
        n_people(spec.people_file, spec.class_names, spec.reading),
    )
    afresh = [
        model
        for model in models
        if owner.records.suppressed
        and model.compares_with_table
        and model.scope is not Scope.REGION
    ]
    classes = EquivalenceClasses(np.zeros(0, np.int64))
    if afresh:
        classes = released_classes(found.prepared.problem, found.recoding)
        classes = among_themselves(classes, spec.columns)
    entries: list[ModelEntry] = []
    for model, entry in zip(models, owner.models, strict=True):
        if model in afresh:
            achieved = model_entry(model, classes).achieved
            entries.append(replace(entry, achieved=achieved, measured_against=RELEASED))
        elif model.scope is Scope.REGION and entry.achieved is not None:
            entries.append(replace(entry, achieved=_up_to(model, entry.achieved)))
        else:
            entries.append(entry)
    return tuple(entries)


def _up_to(model: BoundedModel, achieved: Mapping[str, Any]) -> dict[str, Any]:
    """Return only what is promised of a distance to records that are not shown as such."""
    return {
        name: model.bound if name == model.letter and value is not None else value
        for name, value in achieved.items()
    }


def _at_most(value: Any) -> Any:
    """Round a risk up to one digit, so that it is never understated."""
    if not isinstance(value, float) or value <= 0:
        return value
    power = math.floor(math.log10(value) + 1e-12)
    return min(1.0, float(f"{math.ceil(value / 10.0**power - 1e-9)}e{power}"))


def _protection(
    entry: ProtectionEntry,
    protection: Protection,
    n_suppressed: int,
    n_values: Callable[[], int],
) -> ProtectionEntry:
    """Return what is known of a protected column without its values before.

    Parameters
    ----------
    entry : what the owner knows
    n_values : counts the different values that the released column shows
    """
    facts = {word: fact for word, fact in entry.facts.items() if word in protection.public_facts}
    facts |= {
        word: _at_most(fact)
        for word, fact in entry.facts.items()
        if word in protection.rounded_facts
    }
    if n_suppressed:
        facts |= dict(protection.among_released(n_values))
    return replace(entry, facts=facts)


def _counter(frame: Frame, name: str) -> Callable[[], int]:
    """Return what counts a column's values: generalized ones may be released by other names."""
    return lambda: n_values_of(frame[name])
