"""Release one table of equivalence classes whose records an engine counts, and later writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.tables.core.protocols import Solution
from indistinct.tables.counting.preparation import Count
from indistinct.tables.counting.table_faults import check_order, check_profile, check_weights
from indistinct.tables.drafting.identifier_columns import decided_identifiers
from indistinct.tables.engines.sources import EngineTable
from indistinct.tables.engines.staged import StagedTable
from indistinct.tables.findings.counted_table import KnownFacts
from indistinct.tables.frames.frame import empty_like
from indistinct.tables.publish.coarsening import count_within, uncounted_losses
from indistinct.tables.publish.counted_release import ReleaseInEngine
from indistinct.tables.publish.decision import plan_rows
from indistinct.tables.publish.forms.form import FormInput, FormTables, Stages
from indistinct.tables.publish.forms.table import search_classes
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.owner_manifest import owner_manifest, population_risk
from indistinct.tables.publish.protect import without_shown_values
from indistinct.tables.publish.public_manifest import public_manifest
from indistinct.tables.publish.release_findings import facts_of_search, told_of
from indistinct.tables.publish.searching import FoundRecoding, search
from indistinct.tables.release.closer_look import ReleaseJudge
from indistinct.tables.release.manifest import Manifest


@dataclass(frozen=True, slots=True)
class FoundRows:
    """The classes of the distinct rows.

    Parameters
    ----------
    count : of the rows
    result : what was searched, and found
    """

    count: Count
    result: FoundRecoding

    __repr__ = short_repr


def count_rows(given: FormInput[EngineTable]) -> Count:
    """Let an engine count the distinct rows of a table."""
    source, spec, resources = given.source, given.spec, given.resources
    profile = source.profile()
    check_profile(profile, spec)
    check_order(source, spec)
    marked = tuple(
        name for name in source.kinds if name not in spec.left_out and name not in spec.class_names
    )
    capacity = resources.capacity
    check_weights(source, spec.data.weight, capacity)
    return count_within(source, spec, capacity, profile, marked)


def _found(given: FormInput[EngineTable], count: Count) -> FoundRows:
    """Search the classes of the rows."""
    result = search_classes(
        given.source, given.spec, count, lambda prepared: search(prepared, given.progress)
    )
    given.progress(1.0, "writing")
    solution = _told_how_it_was_counted(result.solution, count, given.source)
    return FoundRows(count, replace(result, solution=solution))


def _told_how_it_was_counted(solution: Solution, count: Count, source: EngineTable) -> Solution:
    """Add to the facts of a search what its input was; an optimum among some levels is none."""
    counted: dict[str, Any] = {"tuples": count.tally.frame.height}
    facts = {**solution.facts, "engine": source.engine}
    if count.levels:
        counted["levels"] = count.levels
        facts |= {word: False for word in ("optimal",) if facts.get(word)}
    return replace(solution, facts={**facts, "counted": counted})


def _tables(given: FormInput[EngineTable], found: FoundRows) -> FormTables:
    """Return what becomes of each distinct row, in the types that hold what is released."""
    source, prepared, recoding = given.source, found.result.prepared, found.result.recoding
    plan = plan_rows(
        prepared, recoding, found.count, list(source.kinds), has_types=source.has_types
    )
    if not source.has_types and plan.passed:
        plan = replace(plan, types=source.narrow_types(plan))
    return FormTables(plan, prepared.spec, found.result)


def _manifests(
    given: FormInput[EngineTable], found: FoundRows, tables: FormTables
) -> tuple[Manifest, Manifest]:
    """Return what is told the owner, and everybody."""
    source, spec, plan, levels = given.source, tables.spec, tables.plan, found.count.levels
    nobody = empty_like(source.schema)
    changes: Mapping[str, Any] = source.changes if isinstance(source, StagedTable) else {}
    risk = population_risk(plan.pieces, spec, weights=plan.piece_records)
    noised = NoisyRecoding(found.result.solution, np.zeros(0, np.int32))
    owner = owner_manifest(source, found.result, noised, risk, changes, hashes=given.hashes)
    if levels:
        unknown = uncounted_losses(given.spec.data.missing_as)
        losses = {name: loss for name, loss in owner.loss.items() if name not in unknown}
        owner = replace(owner, loss=losses)
    published = public_manifest(owner, spec, nobody, found.result)
    facts = {**published.method.facts, "engine": source.engine}
    if levels:
        facts["counted"] = {"levels": levels}
    published = replace(published, method=replace(published.method, facts=facts))
    published = without_shown_values(published, spec)
    facts = facts_of_search(found.result, owner, KnownFacts())
    in_engine = ReleaseInEngine(source, plan, spec, given.resources.bytes)
    identifiers = [one for one in decided_identifiers(spec) if one in source.kinds]
    table = replace(in_engine.table(identifiers), facts=facts, closer=ReleaseJudge())
    own, public = told_of([table])
    return replace(owner, findings=own), replace(published, findings=public)


COUNTED_ROWS = Stages(_found, _tables, _manifests)
