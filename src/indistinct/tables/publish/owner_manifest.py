"""The owner's manifest of a release: what was promised, what was reached, and how it was found."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct import __version__
from indistinct.base.arrays import Ints
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.core.keys import counted_text, counted_texts
from indistinct.tables.core.protocols import Solution
from indistinct.tables.counting.persons import class_sizes, n_joined_persons, people_released
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.drafting.repeated_identifiers import (
    decided_identifiers,
    repeated_identifiers,
)
from indistinct.tables.engines.sources import Source
from indistinct.tables.frames.frame import Frame, as_series
from indistinct.tables.frames.texts import distinct_texts
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_hierarchy
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.policy.sections.data import DataPolicy
from indistinct.tables.publish.class_noise import NoisyRecoding
from indistinct.tables.publish.public_manifest import released_cells
from indistinct.tables.publish.release_warnings import losses_of_columns, shared_keys
from indistinct.tables.publish.searching import RAN, FoundRecoding, search
from indistinct.tables.release.entries import (
    CASE,
    JOINED,
    READ_ALIKE,
    RENAMED,
    CountEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
    ProtectionEntry,
    Reached,
    RiskEntry,
    WarningEntry,
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
WITH_LEVEL = re.compile(r"(.+) \(level [0-9]+\)", re.DOTALL)


def owner_manifest(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: Source,
    searched: FoundRecoding,
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
    prepared, recoding = searched.prepared, noised.solution.recoding
    resolved = prepared.resolved
    shown = released_cells(resolved, frame, replace(searched, solution=noised.solution))
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
        loss=with_sets({**found.loss, **bound}, sets, len(resolved.class_names), suppressed),
        risk=_risk_of_items(noised) or risk or found.risk,
        protection=protection,
        promise=promise_of(prepared.problem.models, protection, resolved.release.suppressed_cell),
        suppression=noised.suppression,
        sets=sets,
        warnings=(
            *losses_of_columns(recoding, resolved.class_names, resolved.important),
            *searched.warnings,
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
        *codes_of_one_label(frame, resolved),
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
    from indistinct.tables.publish.sets import with_supports

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


def spellings_of(frame: Frame, table: FrequencyTable, data: DataPolicy) -> Iterator[WarningEntry]:
    """Warn of sensitive values that differ by case alone, and of people whose ids were joined.

    Parameters
    ----------
    frame : the input
    table : the same, counted
    """
    for name, column in table.sensitive_in_file.items():
        records: dict[str, list[int]] = defaultdict(list)
        known = zip(counted_texts(column.known.values), column.known.counts.tolist(), strict=True)
        for text, count in known:
            records[text.casefold()].append(count)
        several = [counts for counts in records.values() if len(counts) > 1]
        if several:
            n_values, n_records = sum(map(len, several)), sum(map(sum, several))
            message = (
                f"{n_values} values of {name} (sensitive) differ by upper and lower case alone, "
                "and count as different values: write them in one way if they mean the same"
            )
            share = n_records / max(int(column.counts.sum()), 1)
            yield WarningEntry(CASE, (name,), round(share, 6), message)
    if n_joined := n_joined_persons(frame, data):
        person = data.person or ""
        message = (
            f"{n_joined} ways of writing a person in {person} read like another one, and count as "
            "the same person: write each person in one way, or tell different people apart"
        )
        yield WarningEntry(JOINED, (person,), 1.0, message)


def codes_of_one_label(frame: Frame, resolved: Resolved) -> Iterator[WarningEntry]:
    """Warn of codes whose labels read alike: they were counted as one value."""
    for name in resolved.counted:
        labels = resolved.columns[name].code_labels
        known = distinct_texts(frame[name]) if labels else []
        alike = Counter(counted_text(labels[code]) for code in known if code in labels)
        n_codes = sum(count for count in alike.values() if count > 1)
        if n_codes:
            message = (
                f"{n_codes} codes of {name} have labels that read alike, and count as the same "
                "value: give them one code, or labels that tell them apart"
            )
            yield WarningEntry(READ_ALIKE, (name,), round(n_codes / len(known), 6), message)


def label_warnings(
    rules: Sequence[ColumnRule], cells: Mapping[str, Collection[str]]
) -> Iterator[WarningEntry]:
    """Warn of labels that got another name, and of released cells that may be read as one.

    Parameters
    ----------
    cells : per quasi-identifier, the different released cells
    """
    yield from _labels_with_levels(rules)
    yield from _texts_read_alike([rule.name for rule in rules], cells)


def _labels_with_levels(rules: Iterable[ColumnRule]) -> Iterator[WarningEntry]:
    """Yield the owner's warnings of labels with their level behind them, listed twice."""
    for rule in rules:
        listed = listed_hierarchy(rule)
        if listed is None:
            continue
        labels = {text for labels in listed.labels[1:] for text in labels}
        found = [one for one in map(WITH_LEVEL.fullmatch, sorted(labels)) if one is not None]
        texts = {*labels, *listed.values} if found else labels
        renamed = [one[0] for one in found if one[1] in texts]
        if renamed:
            message = (
                f"{len(renamed)} labels of {rule.name} are also values or labels of other groups, "
                f"so that their level is added to them (the first is {renamed[0]}): give these "
                "groups names of their own"
            )
            yield WarningEntry(RENAMED, (rule.name,), round(len(renamed) / len(texts), 6), message)


def _texts_read_alike(
    class_names: Sequence[str], cells: Mapping[str, Collection[str]]
) -> Iterator[WarningEntry]:
    """Warn of released cells that another program may read as one: 007 and 7, ``A`` and ``a ``."""
    for name in class_names:
        shown = cells.get(name, ())
        kinds = {counted_text(text).casefold() for text in shown}
        if n_alike := len(shown) - len(kinds):
            message = (
                f"{n_alike} cells of {name} read like another one but for case, blanks or the form "
                "of a number: programs that take them for one only make classes larger"
            )
            share = round(n_alike / len(shown), 6)
            yield WarningEntry(READ_ALIKE, (name,), share, message)


def population_risk(
    cells: Any,
    promised: Resolved,
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
    if promised.release.suppressed_cell != "value" or promised.release.intervals == "midpoint":
        return None
    records = None if weights is None else as_series(weights)
    people = people_of(VerificationInput(cells, promised, original, rows, weights=records))
    return None if people is None else risk_entry(*people)
