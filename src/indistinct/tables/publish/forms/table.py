"""Release one table of equivalence classes; other forms refine how its cells are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Any, TypeAlias

from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.tables.core.protocols import Deadline, Problem, Solution, no_progress
from indistinct.tables.core.recoding import read_as_labels
from indistinct.tables.counting.orders_of_records import classes_of_records
from indistinct.tables.counting.preparation import Count, Prepared, prepare_counted
from indistinct.tables.engines.sources import ReleasePlan, Source
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.forms.form import FormInput, FormTables, Stages, steps_of
from indistinct.tables.publish.noisy_recoding import NoisyRecoding
from indistinct.tables.publish.owner_manifest import owner_manifest, population_risk
from indistinct.tables.publish.records_of_release import plan_records
from indistinct.tables.publish.repair.repair import is_repaired, repaired
from indistinct.tables.publish.repair.repaired_release import RepairOutcome
from indistinct.tables.publish.searching import INSTEAD, FoundRecoding, search, settle
from indistinct.tables.release.manifest import Manifest, loss_entry
from indistinct.tables.search import DEFAULT_ALGORITHM, EXACT_ALGORITHM, algorithm_named
from indistinct.tables.search.finish import solve

Find: TypeAlias = Callable[[Prepared], tuple[Solution, float]]
Refine: TypeAlias = Callable[[FormInput, Prepared, Solution], NoisyRecoding]
OTHER = "alternative"  # the fact that says what another algorithm would have cost
SECONDS = 0.5  # that the comparison may take
# Larger problems are not compared: the lattice alone, or one look at the tuples, would take long.
MOST_NODES, MOST_CELLS = 100_000, 2_000_000


@dataclass(frozen=True, slots=True)
class FoundClasses:
    """The classes of the records, and what is written in their cells.

    Parameters
    ----------
    settled : what was searched, and found
    noised : the same after the last step that changes cells
    plan : the records as they are written
    outcome : what was done so that less is read back
    """

    settled: FoundRecoding
    noised: NoisyRecoding
    plan: ReleasePlan
    outcome: RepairOutcome = field(default_factory=RepairOutcome)

    __repr__ = short_repr


def in_classes(prepared: Prepared, solution: Solution, chance: RandomSource) -> NoisyRecoding:
    """Return a solution as it was found, with the class of each record."""
    return NoisyRecoding(solution, classes_of_records(solution.recoding, prepared, chance))


def search_classes(source: Source, spec: Specification, count: Count, find: Find) -> FoundRecoding:
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
        count.tally.frame,
        spec,
        partial(_prepared, count),
        find,
        count.records,
        has_types=source.has_types,
    )


def _prepared(count: Count, spec: Specification) -> Prepared:
    """Encode a counted table, and refuse noise that its columns cannot have."""
    prepared = prepare_counted(count, spec)
    if spec.noises:
        from indistinct.tables.publish.class_noise import check_noise

        check_noise(prepared.frame, spec.noises)
    return prepared


def _unchanged(given: FormInput, prepared: Prepared, solution: Solution) -> NoisyRecoding:
    return in_classes(prepared, solution, given.chance)


def with_class_noise(given: FormInput, prepared: Prepared, solution: Solution) -> NoisyRecoding:
    """Add noise by class."""
    from indistinct.tables.publish.class_noise import add_class_noise

    return add_class_noise(prepared, solution, given.chance)


def table_steps(refine: Refine = _unchanged) -> Stages[FoundClasses]:
    """Return the steps of a table of classes.

    Parameters
    ----------
    refine : makes what was found into the classes and cells that are written
    """
    return steps_of(partial(_found, refine), tables_of_classes, manifest_of_classes)


def _found(refine: Refine, given: FormInput, count: Count) -> FoundClasses:
    """Search the classes of the records."""
    settled = search_classes(
        given.source,
        given.spec,
        count,
        lambda prepared: search(prepared, given.progress, given.deadline, given.chance),
    )
    given.progress(1.0, "writing")
    solution = compared(settled.prepared, settled.solution)
    return written_classes(given, settled, refine(given, settled.prepared, solution))


def written_classes(
    given: FormInput, settled: FoundRecoding, noised: NoisyRecoding, *, in_units: bool = False
) -> FoundClasses:
    """Write the released records, and repair what they give back.

    Parameters
    ----------
    in_units : whether records belong to units that stay together
    """
    has_types = given.source.has_types
    plan = plan_records(settled.prepared, noised, has_types=has_types)
    if not is_repaired(settled.prepared.spec):
        return FoundClasses(settled, noised, plan)
    done = repaired(settled.prepared, noised, plan, has_types=has_types, in_units=in_units)
    if done.outcome.done is None:
        return FoundClasses(settled, noised, plan, done.outcome)
    plan = plan_records(done.prepared, done.noised, has_types=has_types)
    return FoundClasses(replace(settled, prepared=done.prepared), done.noised, plan, done.outcome)


def tables_of_classes(given: FormInput, found: FoundClasses) -> FormTables:
    """Return the released records, and what was found."""
    del given
    settled = found.settled
    return FormTables(
        found.plan,
        settled.prepared.spec,
        replace(settled, solution=found.noised.solution),
        repair=found.outcome,
    )


def manifest_of_classes(given: FormInput, found: FoundClasses, tables: FormTables) -> Manifest:
    """Return the manifest with what was reached."""
    source, settled, plan = given.source, found.settled, tables.plan
    people: dict[str, Any] = {}
    spec = settled.prepared.spec
    if spec.data.person is not None:
        people = {"original": source.frame, "rows": plan.piece_rows.tolist()}
    risk = population_risk(plan.cells, spec, **people)
    return owner_manifest(source, settled, found.noised, risk, source.changes)


def compared(prepared: Prepared, solution: Solution) -> Solution:
    """Add what the best full-domain release would have cost, where the policy left the choice.

    It is added to the facts of the search, as ``alternative``: the algorithm, its ``loss`` by the
    policy's objective, None where it has no release, and whether that is its optimum.
    """
    problem = prepared.problem
    is_open = prepared.spec.is_default and prepared.spec.algorithm is DEFAULT_ALGORITHM
    if not (is_open and INSTEAD not in solution.facts and prepared.spec.class_names):
        return solution
    if not is_cheap(problem):
        return solution
    return replace(
        solution, facts={**solution.facts, OTHER: _cost_of_exact(problem, prepared.spec)}
    )


def is_cheap(problem: Problem) -> bool:
    """Return whether the lattice and the table are so small that the optimum is soon known."""
    levels = zip(problem.min_levels, problem.max_levels, strict=True)
    n_nodes = prod(most - least + 1 for least, most in levels)
    return n_nodes <= MOST_NODES and problem.table.codes.size <= MOST_CELLS


def _cost_of_exact(problem: Problem, spec: Specification) -> Mapping[str, Any]:
    """Search for the best full-domain release, and say what it costs."""
    words = spec.method.model_dump() | spec.release.model_dump()
    algorithm = algorithm_named(EXACT_ALGORITHM.name, words)
    deadline = Deadline.after(SECONDS)
    entry: dict[str, Any] = {"algorithm": algorithm.name}
    try:
        found = solve(algorithm, problem, deadline, no_progress, read_as_labels)
    except NoSolutionError:
        return {**entry, "loss": None}
    loss = loss_entry(problem, found.recoding)[problem.objective.name]
    return {**entry, "loss": float(loss), "optimal": bool(found.facts["optimal"])}
