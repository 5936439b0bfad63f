"""The owner's manifest of a release: what was promised, what was reached, and how it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from indistinct.core.protocols import Solution
from indistinct.counting.persons import class_sizes, people_released
from indistinct.counting.prepare import Prepared
from indistinct.engines.frames import Frame
from indistinct.engines.sources import Source
from indistinct.publish.class_noise import NoisyRecoding
from indistinct.publish.public_manifest import RecodingResult, released_cells
from indistinct.publish.release import VERSION
from indistinct.publish.release_warnings import losses_of_columns, shared_keys
from indistinct.publish.repeated_identifiers import decided_identifiers, repeated_identifiers
from indistinct.publish.settled_rules import Settled
from indistinct.publish.spellings import label_warnings, spellings_of
from indistinct.release.entries import (
    CountEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
    ProtectionEntry,
    Reached,
    RiskEntry,
    WarningEntry,
)
from indistinct.release.manifest import (
    Manifest,
    class_entry,
    compatible_groups,
    input_entry,
    level_summary,
    loss_entry,
    model_entry,
    promise_of,
    released_classes,
    risk_entry,
)
from indistinct.release.searching import RAN
from indistinct.release.set_entry import with_sets

# Facts of a search that stand elsewhere in the manifest than beside the method.
ELSEWHERE = frozenset({"risk", "lower_bound", RAN})


def owner_manifest(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: Source,
    settled: Settled,
    noised: NoisyRecoding,
    risk: RiskEntry | None,
    changes: Mapping[str, ProtectionEntry],
    frame: Frame,
    *,
    hashes: bool = True,
) -> Manifest:
    """Return what was promised and what was reached, and what is to be said of the rules.

    Parameters
    ----------
    risk : by a count of the people who look like each class; None where the search says it
    changes : per column that was masked before it was counted, what the manifest says of it
    frame : the release, or a table without records where an engine has them
    hashes : whether the input is hashed, where that takes another look at it
    """
    prepared, recoding = settled.prepared, noised.solution.recoding
    resolved = prepared.resolved
    shown = released_cells(resolved, frame, RecodingResult(prepared, recoding))
    found = reached(prepared, noised.solution)
    facts = noised.solution.facts
    bound = {"lower_bound": facts["lower_bound"]} if "lower_bound" in facts else {}
    protection = {**changes, **(noised.entries or {})}
    sets = {name: one.entry for name, one in noised.sets.items()}
    suppressed = found.records.suppressed_share
    return Manifest(
        indistinct=VERSION,
        input=input_entry(prepared.n_input, source.fingerprint(hashes=hashes)),
        output=OutputEntry(_output_rows(prepared, found.records.released)),
        method=_method(prepared, noised, settled.seconds),
        models=_models(found, noised),
        records=found.records,
        people=found.people,
        classes=found.classes,
        loss=with_sets({**found.loss, **bound}, sets, len(resolved.class_names), suppressed),
        risk=_risk_of_items(noised) or risk or found.risk,
        protection=protection,
        promise=promise_of(prepared.problem.models, protection, resolved.release.suppressed_cell),
        suppression=noised.suppression,
        sets=sets,
        warnings=(
            *losses_of_columns(recoding, resolved.class_names, resolved.important),
            *settled.warnings,
            *shared_keys(changes),
            *label_warnings(resolved.class_rules, shown),
        ),
        policy=resolved.words,
    )


def record_warnings(frame: Frame, prepared: Prepared) -> tuple[WarningEntry, ...]:
    """Return what the owner is told of the records, which only a table in memory shows.

    Parameters
    ----------
    frame : the input as it was read
    """
    resolved = prepared.resolved
    return (
        *repeated_identifiers(frame, decided_identifiers(resolved), resolved.data),
        *spellings_of(frame, prepared.problem.table, resolved.data),
    )


def reached(prepared: Prepared, solution: Solution) -> Reached:
    """Return what a solution reaches and costs, as the manifest does."""
    problem, recoding, resolved = prepared.problem, solution.recoding, prepared.resolved
    classes = alike = released_classes(problem, recoding)
    if resolved.class_names and resolved.release.suppressed_cell == "any":
        classes = compatible_groups(recoding)
    n_released = recoding.n_records - recoding.n_suppressed
    people = people_released(problem, recoding)
    risk: Mapping[str, Any] | None = solution.facts.get("risk")
    return Reached(
        models=tuple(model_entry(model, classes) for model in problem.models),
        records=CountEntry(n_released, prepared.n_input - n_released),
        people=None if people is None else CountEntry(*people),
        classes=class_entry(class_sizes(classes)),
        loss=loss_entry(problem, recoding),
        risk=RiskEntry(**risk) if risk else risk_entry(class_sizes(alike), alike.population),
    )


def _risk_of_items(noised: NoisyRecoding) -> RiskEntry | None:
    """Measure the risk where somebody knows items of a record, too; None where there are none."""
    for figures in noised.sets.values():
        alike = figures.candidates
        if len(alike):
            return RiskEntry(float(1 / alike.min()), None, float((1 / alike).mean()))
    return None


def _models(found: Reached, noised: NoisyRecoding) -> tuple[ModelEntry, ...]:
    """Return what the models reach, in the columns of sets as well."""
    if not noised.sets:
        return found.models
    from indistinct.publish.sets import with_supports

    return with_supports(found.models, noised.sets)


def _method(prepared: Prepared, noised: NoisyRecoding, seconds: float) -> MethodEntry:
    """Return how the release was found; where nothing but sets was searched for, how they were."""
    entry = method_entry(prepared, noised.solution, seconds)
    if prepared.resolved.class_names or not noised.sets:
        return entry
    return replace(entry, algorithm=", ".join(one.entry.algorithm for one in noised.sets.values()))


def method_entry(prepared: Prepared, solution: Solution, seconds: float) -> MethodEntry:
    """Return how the release was found."""
    problem, recoding, resolved = prepared.problem, solution.recoding, prepared.resolved
    levels = transformation = None
    if recoding.transformation is None:
        levels = level_summary(problem, recoding)
    else:
        transformation = dict(zip(problem.table.columns, recoding.transformation, strict=True))
    return MethodEntry(
        algorithm=solution.facts.get(RAN, resolved.algorithm_name),
        objective=resolved.method.objective,
        transformation=transformation,
        levels=levels,
        facts={name: fact for name, fact in solution.facts.items() if name not in ELSEWHERE},
        seconds=round(seconds, 6),
    )


def _output_rows(prepared: Prepared, n_released: int) -> int:
    """Return the rows of the file: masked records are among them."""
    return prepared.n_input if prepared.resolved.release.suppressed == "mask" else n_released
