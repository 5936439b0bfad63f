"""The owner's manifest of a release: what was promised, what was reached, and how it was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct import __version__
from indistinct.base.arrays import Ints
from indistinct.tables.core.protocols import Solution
from indistinct.tables.counting.persons import class_sizes, people_released
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.sources import Source
from indistinct.tables.frames.frame import as_series
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.searching import RAN, FoundRecoding, search
from indistinct.tables.release.entries import (
    CountEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
    ProtectionEntry,
    Reached,
    RiskEntry,
)
from indistinct.tables.release.manifest import (
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
from indistinct.tables.release.set_entry import with_sets
from indistinct.tables.verification.verify_release import VerificationInput, people_of

# Facts of a search that stand elsewhere in the manifest than beside the method.
ELSEWHERE = frozenset({"risk", "lower_bound", RAN})


def owner_manifest(  # noqa: PLR0913 - all that a manifest speaks of
    source: Source,
    searched: FoundRecoding,
    noised: NoisyRecoding,
    risk: RiskEntry | None,
    changes: Mapping[str, ProtectionEntry],
    *,
    hashes: bool = True,
) -> Manifest:
    """Return what was promised and what was reached, and what is to be said of the rules.

    Parameters
    ----------
    risk : by a count of the people who look like each class; None where the search says it
    changes : per column that was masked before it was counted, what the manifest says of it
    hashes : whether the input is hashed, where that takes another look at it
    """
    prepared = searched.prepared
    spec = prepared.spec
    found = reached(prepared, noised.solution)
    facts = noised.solution.facts
    bound = {"lower_bound": facts["lower_bound"]} if "lower_bound" in facts else {}
    protection = {**changes, **(noised.entries or {})}
    sets = {name: one.entry for name, one in noised.sets.items()}
    suppressed = found.records.suppressed_share
    return Manifest(
        indistinct=__version__,
        input=input_entry(prepared.n_input, source.fingerprint(hashes=hashes)),
        output=OutputEntry(_output_rows(prepared, found.records.released)),
        method=_method(prepared, noised, searched.seconds),
        models=_models(found, noised),
        records=found.records,
        people=found.people,
        classes=found.classes,
        loss=with_sets({**found.loss, **bound}, sets, len(spec.class_names), suppressed),
        risk=_risk_of_items(noised) or risk or found.risk,
        protection=protection,
        promise=promise_of(prepared.problem.models, protection, spec.release.suppressed_cell),
        suppression=noised.suppression,
        sets=sets,
        policy=spec.words,
    )


def searched_and_reached(prepared: Prepared) -> Reached:
    """Search a counted table, and return what the solution reaches and costs.

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    solution, _ = search(prepared)
    return reached(prepared, solution)


def reached(prepared: Prepared, solution: Solution) -> Reached:
    """Return what a solution reaches and costs, as the manifest does."""
    problem, recoding, spec = prepared.problem, solution.recoding, prepared.spec
    classes = alike = released_classes(problem, recoding)
    if spec.class_names and spec.release.suppressed_cell == "any":
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
    from indistinct.tables.publish.sets import with_supports

    return with_supports(found.models, noised.sets)


def _method(prepared: Prepared, noised: NoisyRecoding, seconds: float) -> MethodEntry:
    """Return how the release was found; where nothing but sets was searched for, how they were."""
    entry = method_entry(prepared, noised.solution, seconds)
    if prepared.spec.class_names or not noised.sets:
        return entry
    return replace(entry, algorithm=", ".join(one.entry.algorithm for one in noised.sets.values()))


def method_entry(prepared: Prepared, solution: Solution, seconds: float) -> MethodEntry:
    """Return how the release was found."""
    problem, recoding, spec = prepared.problem, solution.recoding, prepared.spec
    levels = transformation = None
    if recoding.transformation is None:
        levels = level_summary(problem, recoding)
    else:
        transformation = dict(zip(problem.table.columns, recoding.transformation, strict=True))
    return MethodEntry(
        algorithm=solution.facts.get(RAN, spec.algorithm_name),
        objective=spec.method.objective,
        transformation=transformation,
        levels=levels,
        facts={name: fact for name, fact in solution.facts.items() if name not in ELSEWHERE},
        seconds=round(seconds, 6),
    )


def _output_rows(prepared: Prepared, n_released: int) -> int:
    """Return the rows of the file: masked records are among them."""
    return prepared.n_input if prepared.spec.release.suppressed == "mask" else n_released


def population_risk(
    cells: Any,
    spec: Specification,
    *,
    weights: Ints | None = None,
    original: Any = None,
    rows: Sequence[int] | None = None,
) -> RiskEntry | None:
    """Count who looks like each class of a release; None where no table of people says it.

    Not every search counts them, and none counts them by what the cells show: a protected column
    shows other values, and a value may read like a label of others.

    Parameters
    ----------
    cells : of the released records, or of their distinct rows
    weights : records of each distinct row; one of each where left out
    original, rows : the input, and its row behind each released record, where people are counted
    """
    if spec.release.suppressed_cell != "value" or spec.release.intervals == "midpoint":
        return None
    records = None if weights is None else as_series(weights)
    people = people_of(VerificationInput(cells, spec, original, rows, weights=records))
    return None if people is None else risk_entry(*people)
