"""Publish a table: search a recoding that keeps the promise, and write it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from indistinct.base.brief import Confidential
from indistinct.base.hierarchy import ROOT
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.core.protocols import Progress, no_progress
from indistinct.tables.counting.table_faults import check_columns
from indistinct.tables.engines.choosing import Resources, is_large, refuse_for_records
from indistinct.tables.engines.frame_table import FrameTable
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.frames.frame import Frame
from indistinct.tables.frames.small_columns import known_values
from indistinct.tables.history.writing import Remembering
from indistinct.tables.policy.given import GivenPolicy, policy_of
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.short_form import (
    PolicyKeywords,
    functions_of,
    with_rules_of_functions,
)
from indistinct.tables.policy.specification import Specification, resolve
from indistinct.tables.publish.forms import form_of
from indistinct.tables.publish.forms.form import Earlier, FormInput
from indistinct.tables.publish.pipeline import PlannedRelease, decide_records
from indistinct.tables.publish.policy_trials import SEED as TRIAL_SEED, hidden_columns
from indistinct.tables.publish.protect import protect_input
from indistinct.tables.publish.release import Release
from indistinct.tables.publish.release_findings import with_findings
from indistinct.tables.publish.released_tables import OwnerParts, ReleasedTables
from indistinct.tables.publish.searching import FoundRecoding, search_deadline
from indistinct.tables.publish.tried_remedies import with_tried_remedies
from indistinct.tables.reading import files
from indistinct.tables.reading.statistical import Labels
from indistinct.tables.reading.table_file import coded_names
from indistinct.tables.release.manifest import Manifest


def anonymize(  # noqa: PLR0913 - each is a keyword of one release
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: str = "auto",
    **keywords: Unpack[PolicyKeywords],
) -> Release[Any]:
    """Make a release of one table that satisfies a policy; see :func:`indistinct.anonymize`."""
    if policy is None:
        if not keywords:
            raise PolicyError("there is no policy", "Give a policy, or quasi_identifiers and k.")
        policy = _policy_of_keywords(data, keywords)
    elif keywords:
        raise PolicyError("both a policy and its short form are given", "Give one of them.")
    policy = policy_of(policy)
    resources = Resources(engine)
    if is_large(data, None, resources):
        refuse_for_records(history=history, seed=seed)
        from indistinct.tables.publish.in_place import planned_tables  # loaded when it is needed

        return Release(planned_tables(data, policy, resources, progress))
    tables = draft_tables(data, policy, history=history, seed=seed, progress=progress)
    return Release(tables.verified())


def _policy_of_keywords(data: Any, keywords: PolicyKeywords) -> Policy:
    """Return the policy of the short form, its functions asked for the values of a table."""
    if not (functions := functions_of(keywords)):
        return Policy.from_keywords(**keywords)
    policy = Policy.from_keywords(**with_rules_of_functions(keywords, {}))
    frame = files.read_file(data, reading=policy.reading, sets=policy.set_forms).frame
    values = {name: known_values(frame[name]) for name in functions & {*frame.columns}}
    return Policy.from_keywords(**with_rules_of_functions(keywords, values))


def draft_release(
    data: Any,
    policy: Policy,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Release:
    """Make a release that nobody has verified yet: for callers that verify the written file."""
    return Release(draft_tables(data, policy, history=history, seed=seed, progress=progress))


def draft_tables(  # noqa: PLR0913 - what a release is made from, and how
    data: Any,
    policy: Policy,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    tries: bool = True,
) -> ReleasedTables:
    """Make the tables of a release that nobody has verified yet.

    Parameters
    ----------
    tries : whether a refusal says which other policies have a release, each tried
    """
    started = time.monotonic()
    spec = resolve(policy)
    earlier = None if history is None else _earlier(history, spec)
    progress(0.0, "reading")
    table = files.read_file(
        data,
        reading=spec.reading,
        sets=spec.set_forms,
    )
    progress(0.0, "counting")
    check_columns(table.frame, spec)
    labeled = coded_names(table, spec.reading)
    if coded := [name for name in labeled if policy.columns[name].hierarchy is None]:
        policy = _with_codes(policy, coded)
        spec = resolve(policy)
    spec = spec.with_code_labels(table.code_labels)
    chance = RandomSource(seed)
    protected = protect_input(table.frame, spec, chance)
    source = FrameTable(table, protected.frame, protected.entries, spec.set_forms, protected.kept)
    spent = time.monotonic() - started
    deadline = search_deadline(spec.method.time_limit, spent, source.frame)
    given = FormInput(source, spec, chance, progress, deadline, earlier)
    try:
        decided = decide_records(given, form_of(spec).steps())
        released = _released(decided, policy)
        released = replace(released, unread=Confidential(table.found.unread_cells()))
        exact = replace(released.exact, reading=table.found.document())
        released = released.with_manifests(released.published, exact)
        made = decided.tables
        return with_findings(released, spec, table.frame, made.found, made.repair)
    except NoSolutionError as error:
        if not tries or earlier is not None:
            raise
        raise with_tried_remedies(error, table.frame, policy, spec, _draft_of(policy)) from None


def _draft_of(policy: Policy) -> Callable[[Frame, Mapping[str, Any]], ReleasedTables]:
    """Return what makes a release by other words, in the folder of a policy."""
    return lambda frame, words: draft_tables(
        frame, policy.with_all_words(words), seed=TRIAL_SEED, tries=False
    )


def tried_for(made: ReleasedTables) -> list[Mapping[str, Any]]:
    """Return the quasi-identifiers that a release hides in most records, with trials."""
    if made.given is None:
        return []
    found = hidden_columns(made, made.given, made.levels, _draft_of(made.policy))
    return [one.document() for one in found]


def _with_codes(policy: Policy, names: Sequence[str]) -> Policy:
    """Return a policy by which codes with labels are kept or hidden, and not joined."""
    columns = dict(policy.words()["columns"])
    for name in names:
        columns[name] = {**columns[name], "hierarchy": {"labels": []}}
    return policy.with_words({"columns": columns})


def _released(decided: PlannedRelease[FrameTable], policy: Policy) -> ReleasedTables:
    """Return the tables that were decided on, and what they add to a history."""
    given, source, tables = decided.given, decided.source, decided.tables
    earlier = given.earlier
    table, plan = source.table, tables.plan
    labels = released_labels(table.labels, tables.spec, plan.cells)
    release = ReleasedTables(
        published=with_value_labels(decided.published, labels),
        owners=Confidential(
            OwnerParts(
                decided.owner,
                crosswalk=plan.piece_rows,
                original=source.frame,
                masked_values=columns_of(table.frame, [*given.spec.protections]),
                given=table.frame,
                levels=_useful_levels(tables.found),
                tries=tried_for,
            )
        ),
        policy=policy,
        spec=given.spec,
        cells=plan.cells,
        native=source.lazy(plan),
        separator=table.separator,
        sensitive=tables.sensitive,
        labels=labels,
        counterfeits=tables.counterfeits,
        lists=table.lists,
    )
    if earlier is None:
        return release
    if tables.step is not None:
        return replace(release, remembered=Confidential(Remembering(earlier.path, tables.step)))
    from indistinct.tables.publish.composition import composed  # loaded when it is needed

    return composed(release, earlier.path, earlier.past, table.sha256)


def _useful_levels(found: FoundRecoding | None) -> dict[str, int]:
    """Return, per quasi-identifier, the coarsest level that still says something."""
    if found is None:
        return {}
    problem = found.prepared.problem
    return {
        name: hierarchy.height - (hierarchy.labels[-1] == (ROOT,))
        for name, hierarchy in zip(problem.table.columns, problem.hierarchies, strict=True)
    }


def _earlier(history: str | Path, spec: Specification) -> Earlier:
    """Read what the record of earlier releases says."""
    from indistinct.tables.publish.remembered import read_past  # loaded when it is needed

    return Earlier(Path(history), read_past(history, spec))


def released_labels(labels: Labels | None, spec: Specification, frame: Any) -> Labels | None:
    """Return the labels of the released columns, and of the values that their cells show.

    Parameters
    ----------
    labels : of the input; None where it has none
    frame : the released records, as Polars has them

    Notes
    -----
    Where a protection changed the numbers of a column, or a number is the middle of an interval,
    equal numbers no longer mean the same, and the labels of its values are left out.
    """
    if labels is None:
        return None
    changed = set(spec.protections) | set(spec.set_names)
    if spec.release.intervals == "midpoint":
        changed |= set(spec.class_names)
    kept = {name: own for name, own in labels.values.items() if name not in changed}
    return Labels(labels.columns, kept).shown_in(frame)


def with_value_labels(published: Manifest, labels: Labels | None) -> Manifest:
    """Return a manifest whose codebook has the labels of the codes that cells show.

    Formats other than those of SPSS and Stata hold no labels beside their cells.

    Parameters
    ----------
    labels : of the released columns
    """
    known = {} if labels is None else {name: labels.texts_of(name) for name in labels.values}
    book = {
        name: {**entry, "labels": known[name]} if known.get(name) else entry
        for name, entry in published.codebook.items()
    }
    return replace(published, codebook=book)
