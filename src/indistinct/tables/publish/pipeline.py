"""Decide on a release: count a table, search, and say what becomes of each record.

A table in memory is searched by its records, and the form that the policy asks for says what is
done at each step. Of any other table an engine counts the distinct rows, and later writes what was
decided of them; see :mod:`indistinct.tables.publish.parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.errors import Fault, HierarchyError, PolicyError
from indistinct.tables.core.protocols import Progress, Solution, no_progress
from indistinct.tables.counting.preparation import CountedTable
from indistinct.tables.counting.table_faults import (
    check_columns,
    check_order,
    check_profile,
    check_weights,
)
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sources import Capacity, EngineTable, ReleasePlan
from indistinct.tables.engines.staged import StagedTable
from indistinct.tables.frames.frame import empty_like
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.publish.class_noise import NoisyRecoding
from indistinct.tables.publish.coarsening import CountedSource, count_within, uncounted_losses
from indistinct.tables.publish.decision import plan_rows
from indistinct.tables.publish.forms.form import FormInput, FormTables, Found, Steps
from indistinct.tables.publish.forms.table import search_classes
from indistinct.tables.publish.owner_manifest import owner_manifest, population_risk
from indistinct.tables.publish.protect import without_shown_values
from indistinct.tables.publish.public_manifest import public_manifest
from indistinct.tables.publish.release_warnings import warnings_of_rows
from indistinct.tables.publish.released_loss import public_losses
from indistinct.tables.publish.searching import SearchResult, search
from indistinct.tables.release.manifest import Manifest
from indistinct.tables.verification.true_labels import false_labels

REMEDY = "Correct these labels, or give the groups names that are no ranges or dates."


@dataclass(frozen=True, slots=True)
class RecordDecision:
    """What was decided of the records of a table in memory.

    Parameters
    ----------
    tables : what becomes of each record
    owner, published : the manifests before anything was written
    """

    tables: FormTables
    owner: Manifest
    published: Manifest
    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class ReleaseDecision:
    """What was decided of the distinct rows of a table that an engine has.

    Parameters
    ----------
    source : the table, open
    tables : what becomes of each distinct row
    counting : the distinct rows, and how they were counted
    owner, published : the manifests before anything was written
    folder : for what does not fit into memory
    most_names : names of records that fit into memory
    """

    source: EngineTable
    tables: FormTables
    counting: CountedSource
    owner: Manifest
    published: Manifest
    folder: str | None = None
    most_names: int = 0
    __repr__ = short_repr

    @property
    def plan(self) -> ReleasePlan:
        """What is written for each distinct row."""
        return self.tables.plan

    @property
    def resolved(self) -> Resolved:
        """What is promised, with every rule written out."""
        return self.tables.resolved


def decide_records(given: FormInput, steps: Steps[Found]) -> RecordDecision:
    """Search the records of a table in memory, and say what becomes of each.

    Parameters
    ----------
    steps : of the form that the policy asks for

    Raises
    ------
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no release satisfies the policy
    """
    source = given.source
    given.progress(0.0, "counting")
    check_labels(given.resolved.class_rules)
    found = steps.search(given, CountedTable(source.frame, source.frame.height, kept=source.kept))
    tables = steps.tables(given, found)
    owner = steps.manifest(given, found, tables)
    published = public_manifest(owner, tables.resolved, tables.plan.cells, tables.found)
    return RecordDecision(tables, owner, published)


def decide(
    source: EngineTable,
    resolved: Resolved,
    resources: Resources,
    progress: Progress = no_progress,
    *,
    hashes: bool = True,
) -> ReleaseDecision:
    """Let an engine count a table, search, and say what becomes of each distinct row.

    Parameters
    ----------
    hashes : whether the input is hashed, where that takes another look at it

    Raises
    ------
    UsageError
        when the policy or the input is wrong
    NoSolutionError
        when no release satisfies the policy
    """
    progress(0.0, "counting")
    check_columns(empty_like(source.schema), resolved)
    check_labels(resolved.class_rules)
    counting = _counting_of(source, resolved, resources)
    settled = search_classes(
        source, resolved, counting.table, lambda prepared: search(prepared, progress)
    )
    progress(1.0, "writing")
    return _decided_rows(source, counting, settled, resources, hashes=hashes)


def _counting_of(source: EngineTable, resolved: Resolved, resources: Resources) -> CountedSource:
    """Let an engine count the distinct rows of a table."""
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


def _decided_rows(
    source: EngineTable,
    counting: CountedSource,
    settled: SearchResult,
    resources: Resources,
    *,
    hashes: bool,
) -> ReleaseDecision:
    """Return what becomes of each distinct row that an engine counted."""
    prepared, resolved = settled.prepared, settled.prepared.resolved
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
    if not source.has_types and plan.passed:
        plan = replace(plan, types=source.narrow_types(plan))
    nobody = empty_like(source.schema)
    changes: Mapping[str, Any] = source.changes if isinstance(source, StagedTable) else {}
    risk = population_risk(plan.pieces, prepared.resolved, weights=plan.piece_records)
    noised = NoisyRecoding(solution, np.zeros(0, np.int32))
    owner = owner_manifest(source, settled, noised, risk, changes, nobody, hashes=hashes)
    if counting.levels:
        unknown = uncounted_losses(resolved.data.missing_as)
        losses = {name: loss for name, loss in owner.loss.items() if name not in unknown}
        owner = replace(owner, loss=losses)
    tables = FormTables(plan, resolved, replace(settled, solution=solution))
    published = public_manifest(owner, resolved, nobody, tables.found)
    facts = {**published.method.facts, "engine": source.engine}
    if counting.levels:
        facts["counted"] = {"levels": counting.levels}
        # Other figures ask how many released records have each value, which nobody counted.
        losses = public_losses(prepared, recoding, owner.loss, are_counted=False)
        published = replace(published, loss=losses)
    published = replace(published, method=replace(published.method, facts=facts))
    published = without_shown_values(published, resolved)
    public, own = warnings_of_rows(source, plan, prepared.resolved, resources.bytes)
    owner = replace(owner, warnings=(*owner.warnings, *own))
    published = replace(published, warnings=(*published.warnings, *public))
    fitting = Capacity(resources.bytes, resources.most_rows).rows(1)
    return ReleaseDecision(source, tables, counting, owner, published, resources.folder, fitting)


def _told_how_it_was_counted(
    solution: Solution, counting: CountedSource, source: EngineTable
) -> Solution:
    """Add to the facts of a search what its input was; an optimum among some levels is none."""
    counted: dict[str, Any] = {"tuples": counting.table.frame.height}
    facts = {**solution.facts, "engine": source.engine}
    if counting.levels:
        counted["levels"] = counting.levels
        facts |= {word: False for word in ("optimal",) if facts.get(word)}
    return replace(solution, facts={**facts, "counted": counted})


def check_labels(rules: Iterable[ColumnRule]) -> None:
    """Refuse files and trees with labels that are not true of a value below them.

    Raises
    ------
    PolicyError
        when there are such labels, with their number at each level
    """
    faults = [fault for rule in rules for fault in _false_label_faults(rule)]
    if faults:
        raise PolicyError(faults)


def _false_label_faults(rule: ColumnRule) -> Iterator[Fault]:
    """Yield the levels of a rule that have false labels."""
    written = rule.hierarchy
    if written is None or not written.lists_values:
        return
    try:
        paths = {path[0]: path for path in listed_paths(rule)}
    except HierarchyError:
        return  # whoever encodes the columns names all that is wrong with their hierarchies
    for level, count in sorted(false_labels(rule.name, paths).items()):
        what = "1 label that is" if count == 1 else f"{count:,} labels that are"
        problem = f"level {level} has {what} not true of a value below, such as a range without it"
        yield Fault(f"columns.{rule.name}.hierarchy", problem, REMEDY)
