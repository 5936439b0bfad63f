"""Release one table of equivalence classes; other forms refine how its cells are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from indistinct.core.brief import short_repr
from indistinct.core.protocols import Solution
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import CountedTable, Prepared, prepare_counted
from indistinct.engines.sources import Source
from indistinct.policy.resolved import Resolved
from indistinct.publish.alternative import compared
from indistinct.publish.class_noise import NoisyRecoding, add_class_noise, check_noise
from indistinct.publish.decision import plan_records
from indistinct.publish.doubtful_roles import doubtful_roles
from indistinct.publish.forms.form import FormInput, FormTables, Steps
from indistinct.publish.owner_manifest import owner_manifest, record_warnings
from indistinct.publish.population_risk import population_risk
from indistinct.publish.public_manifest import RecodingResult
from indistinct.publish.row_order import classes_of_records
from indistinct.publish.search import search
from indistinct.publish.settled_rules import Settled, settle
from indistinct.release.manifest import Manifest

Find: TypeAlias = Callable[[Prepared], tuple[Solution, float]]
Refine: TypeAlias = Callable[[FormInput, Prepared, Solution], NoisyRecoding]


@dataclass(frozen=True, slots=True)
class FoundClasses:
    """The classes of the records, and what is written in their cells.

    Parameters
    ----------
    settled : what was searched, and found
    noised : the same after the last step that changes cells
    """

    settled: Settled
    noised: NoisyRecoding

    __repr__ = short_repr


def in_classes(prepared: Prepared, solution: Solution, chance: RandomSource) -> NoisyRecoding:
    """Return a solution as it was found, with the class of each record."""
    return NoisyRecoding(solution, classes_of_records(solution.recoding, prepared, chance))


def search_classes(
    source: Source, resolved: Resolved, counted: CountedTable, find: Find
) -> Settled:
    """Search the classes of a table, by its records or by its distinct rows.

    Parameters
    ----------
    find : searches the counted table

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    return settle(
        counted.frame,
        resolved,
        partial(_prepared, counted),
        find,
        counted.records,
        has_types=source.has_types,
    )


def _prepared(counted: CountedTable, resolved: Resolved) -> Prepared:
    """Encode a counted table, and refuse noise that its columns cannot have."""
    prepared = prepare_counted(counted, resolved)
    check_noise(prepared.frame, resolved.noises)
    return prepared


def _unchanged(given: FormInput, prepared: Prepared, solution: Solution) -> NoisyRecoding:
    return in_classes(prepared, solution, given.chance)


def with_class_noise(given: FormInput, prepared: Prepared, solution: Solution) -> NoisyRecoding:
    """Add noise by class."""
    return add_class_noise(prepared, solution, given.chance)


def table_steps(refine: Refine = _unchanged) -> Steps[FoundClasses]:
    """Return the steps of a table of classes.

    Parameters
    ----------
    refine : makes what was found into the classes and cells that are written
    """
    return Steps(partial(_found, refine), tables_of_classes, manifest_of_classes)


def _found(refine: Refine, given: FormInput, counted: CountedTable) -> FoundClasses:
    """Search the classes of the records."""
    settled = search_classes(
        given.source,
        given.resolved,
        counted,
        lambda prepared: search(prepared, given.progress, given.deadline, given.chance),
    )
    given.progress(1.0, "writing")
    solution = compared(settled.prepared, settled.solution)
    return FoundClasses(settled, refine(given, settled.prepared, solution))


def tables_of_classes(given: FormInput, found: FoundClasses) -> FormTables:
    """Write the cells of each released record."""
    settled, noised = found.settled, found.noised
    plan = plan_records(settled.prepared, noised, has_types=given.source.has_types)
    decided = RecodingResult(settled.prepared, noised.solution.recoding)
    return FormTables(plan, settled.prepared.resolved, decided)


def manifest_of_classes(given: FormInput, found: FoundClasses, tables: FormTables) -> Manifest:
    """Return the manifest with what was reached, and what is to be said of the records."""
    source, settled, plan = given.source, found.settled, tables.plan
    people: dict[str, Any] = {}
    resolved = settled.prepared.resolved
    if resolved.data.person is not None:
        people = {"original": source.frame, "rows": plan.rows.tolist()}
    risk = population_risk(plan.cells, resolved, **people)
    owner = owner_manifest(source, settled, found.noised, risk, source.changes, plan.cells)
    own = (
        *doubtful_roles(source.table.frame, resolved),
        *record_warnings(source.table.frame, settled.prepared),
    )
    return replace(owner, warnings=(*own, *owner.warnings))
