"""Decide on a release, wherever its records are: count them, search, and say what becomes of each.

A table in memory is searched by its records. Of any other table an engine counts the distinct rows,
and later writes what was decided of them; see :mod:`indistinct.publish.parts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from indistinct.core.brief import short_repr
from indistinct.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import CountedTable, Prepared, prepare_counted
from indistinct.counting.source_faults import check_order, check_profile, check_weights
from indistinct.counting.table_faults import check_columns
from indistinct.engines.choosing import Resources
from indistinct.engines.frame_table import FrameTable
from indistinct.engines.frames import Frame, empty_like
from indistinct.engines.sources import Capacity, EngineTable, Source
from indistinct.engines.staged import StagedTable
from indistinct.policy.policy import Policy
from indistinct.policy.resolved import Resolved, resolve
from indistinct.publish.alternative import compared
from indistinct.publish.class_noise import NoisyRecoding, check_noise
from indistinct.publish.coarsening import Counting, count_within, uncounted_losses
from indistinct.publish.decision import ReleasePlan, plan_records, plan_rows
from indistinct.publish.owner_manifest import owner_manifest, record_warnings
from indistinct.publish.protect import without_shown_values
from indistinct.publish.public_manifest import RecodingResult, public_manifest, released_cells
from indistinct.publish.release_warnings import shared_keys, warnings_of_rows
from indistinct.publish.released_loss import public_losses
from indistinct.publish.risk_beside_people import risk_beside_people
from indistinct.publish.row_order import classes_of_records
from indistinct.publish.search import search
from indistinct.publish.settled_rules import Settled, settle
from indistinct.publish.spellings import label_warnings
from indistinct.release.entries import ProtectionEntry, RiskEntry
from indistinct.release.manifest import Manifest

Find: TypeAlias = Callable[[Prepared, Progress, Deadline | None], tuple[Solution, float]]
Refine: TypeAlias = Callable[[Prepared, Solution, RandomSource], NoisyRecoding]


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided of a table, wherever it is.

    Parameters
    ----------
    source : the table, open
    plan : what becomes of each record, or of each distinct row
    counting : the records or the distinct rows, and how they were counted
    owner, published : the manifests before anything was written
    policy : with every rule written out
    folder : for what does not fit into memory
    most_names : names of records that fit into memory
    """

    source: FrameTable | EngineTable
    plan: ReleasePlan
    counting: Counting
    owner: Manifest
    published: Manifest
    policy: Policy
    folder: str | None = None
    most_names: int = 0

    __repr__ = short_repr


def decide(  # noqa: PLR0913 - what a decision depends on
    source: FrameTable | EngineTable,
    policy: Policy,
    resources: Resources | None = None,
    progress: Progress = no_progress,
    *,
    hashes: bool = True,
    deadline: Deadline | None = None,
    chance: RandomSource | None = None,
    refine: Refine | None = None,
    find: Find | None = None,
) -> Decided:
    """Count a table, search, and say what becomes of each record, or of each distinct row.

    Parameters
    ----------
    resources : of an engine that counts; none are needed for a table in memory
    hashes : whether the input is hashed, where that takes another look at it
    deadline : of the search; the policy's time limit from now when left out
    chance : secure, or seeded for tests; secure when left out
    refine : makes what was found into the classes and cells that are written, of a table in memory
    find : searches a counted table; the policy's algorithm when left out

    Raises
    ------
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no release satisfies the policy
    """
    resources = resources or Resources()
    progress(0.0, "counting")
    resolved = resolve(policy)
    check_columns(empty_like(source.schema), resolved)
    counting = _counting_of(source, resolved, resources)
    settled = settle(
        counting.table.frame,
        policy,
        partial(_prepared, counting.table),
        lambda prepared: (
            search(prepared, progress, deadline, chance)
            if find is None
            else find(prepared, progress, deadline)
        ),
        counting.table.records,
        has_types=source.has_types,
    )
    progress(1.0, "writing")
    if isinstance(source, FrameTable):
        if find is None:
            solution = compared(settled.prepared, settled.solution)
            settled = replace(settled, solution=solution)
        return _decided_records(source, counting, settled, refine, chance or RandomSource())
    return _decided_rows(source, counting, settled, resources, hashes=hashes)


def _counting_of(
    source: FrameTable | EngineTable, resolved: Resolved, resources: Resources
) -> Counting:
    """Return the records of a table in memory, or the distinct rows that an engine counts."""
    if isinstance(source, FrameTable):
        return Counting(None, CountedTable(source.frame, source.frame.height))
    profile = source.profile()
    check_profile(profile, resolved)
    check_order(source, resolved)
    marked = tuple(
        name
        for name in source.kinds
        if name not in resolved.left_out and name not in resolved.class_names
    )
    capacity = Capacity(resources.bytes, resources.most_rows)
    check_weights(source, resolved.data.weight, capacity)
    return count_within(source, resolved, capacity, profile, marked)


def _prepared(counted: CountedTable, resolved: Resolved) -> Prepared:
    """Encode a counted table, and refuse noise that its columns cannot have."""
    prepared = prepare_counted(counted, resolved)
    check_noise(prepared.frame, resolved.noises)
    return prepared


def in_classes(prepared: Prepared, solution: Solution, chance: RandomSource) -> NoisyRecoding:
    """Return a solution as it was found, with the class of each record."""
    return NoisyRecoding(solution, classes_of_records(solution.recoding, prepared, chance))


def _decided_records(
    source: FrameTable,
    counting: Counting,
    settled: Settled,
    refine: Refine | None,
    chance: RandomSource,
) -> Decided:
    """Return what becomes of each record of a table in memory."""
    policy, prepared = settled.policy, settled.prepared
    noised = (refine or in_classes)(prepared, settled.solution, chance)
    plan = plan_records(prepared, noised, has_types=source.has_types)
    people: dict[str, Any] = {}
    if policy.data.person is not None:
        people = {"original": source.frame, "rows": plan.rows.tolist()}
    risk = risk_beside_people(plan.cells, prepared.resolved, **people)
    owner = _owners(source, settled, noised, risk, source.changes, plan.cells)
    own = record_warnings(source.table.frame, prepared, policy)
    owner = replace(owner, warnings=(*own, *owner.warnings))
    decided = RecodingResult(prepared, noised.solution.recoding)
    published = public_manifest(owner, policy, plan.cells, decided)
    return Decided(source, plan, counting, owner, published, policy)


def _decided_rows(
    source: EngineTable, counting: Counting, settled: Settled, resources: Resources, *, hashes: bool
) -> Decided:
    """Return what becomes of each distinct row that an engine counted."""
    policy, prepared = settled.policy, settled.prepared
    solution = _told_how_it_was_counted(settled.solution, counting, source)
    recoding = solution.recoding
    columns = list(source.kinds)
    plan = plan_rows(
        prepared,
        recoding,
        counting.table,
        columns,
        counting.coarse,
        has_types=source.has_types,
    )
    if not source.has_types and plan.decision.passed:
        decision = replace(plan.decision, types=source.narrow_types(plan.decision))
        plan = replace(plan, decision=decision)
    nobody = empty_like(source.schema)
    changes: Mapping[str, Any] = source.changes if isinstance(source, StagedTable) else {}
    risk = risk_beside_people(plan.cells, prepared.resolved, weights=plan.records)
    noised = NoisyRecoding(solution, np.zeros(0, np.int32))
    owner = _owners(source, settled, noised, risk, changes, nobody, hashes=hashes)
    if counting.levels:
        unknown = uncounted_losses(policy.data.missing_as)
        losses = {name: loss for name, loss in owner.loss.items() if name not in unknown}
        owner = replace(owner, loss=losses)
    published = public_manifest(owner, policy, nobody, RecodingResult(prepared, recoding))
    facts = {**published.method.facts, "engine": source.engine}
    if counting.levels:
        facts["counted"] = {"levels": counting.levels}
        # Other figures ask how many released records have each value, which nobody counted.
        losses = public_losses(prepared, recoding, owner.loss, are_counted=False)
        published = replace(published, loss=losses)
    published = replace(published, method=replace(published.method, facts=facts))
    published = without_shown_values(published, policy)
    public, own = warnings_of_rows(source, plan.decision, prepared.resolved, resources.bytes)
    owner = replace(owner, warnings=(*owner.warnings, *own))
    published = replace(published, warnings=(*published.warnings, *public))
    fitting = Capacity(resources.bytes, resources.most_rows).rows(1)
    return Decided(source, plan, counting, owner, published, policy, resources.folder, fitting)


def _owners(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: Source,
    settled: Settled,
    noised: NoisyRecoding,
    risk: RiskEntry | None,
    changes: Mapping[str, ProtectionEntry],
    frame: Frame,
    *,
    hashes: bool = True,
) -> Manifest:
    """Return the owner's manifest, with what is to be said of the rules and their labels.

    Parameters
    ----------
    frame : the release, or a table without records where an engine has them
    """
    policy, prepared = settled.policy, settled.prepared
    owner = owner_manifest(
        source, prepared, noised, policy, settled.seconds, risk, changes, hashes=hashes
    )
    decided = RecodingResult(prepared, noised.solution.recoding)
    of_labels = label_warnings(policy.class_rules, released_cells(policy, frame, decided))
    keys = shared_keys(changes)
    warnings = (*owner.warnings, *settled.warnings, *keys, *of_labels)
    return replace(owner, warnings=warnings, policy=policy.words())


def _told_how_it_was_counted(
    solution: Solution, counting: Counting, source: EngineTable
) -> Solution:
    """Add to the facts of a search what its input was; an optimum among some levels is none."""
    counted: dict[str, Any] = {"tuples": counting.table.frame.height}
    facts = {**solution.facts, "engine": source.engine}
    if counting.levels:
        counted["levels"] = counting.levels
        facts |= {word: False for word in ("optimal",) if facts.get(word)}
    return replace(solution, facts={**facts, "counted": counted})
