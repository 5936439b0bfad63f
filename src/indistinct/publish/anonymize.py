"""Publish a table: search a recoding that keeps the promise, and write it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.brief import OwnersAlone
from indistinct.core.protocols import Deadline, Problem, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.persons import class_sizes, people_released
from indistinct.counting.prepare import Prepared, prepare
from indistinct.counting.table_faults import check_columns
from indistinct.engines import files
from indistinct.engines.choosing import Resources, is_large, refuse_for_records
from indistinct.engines.coded_texts import coded_names
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.protocol import Decision
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.registry import IN_MEMORY
from indistinct.engines.set_forms import given_back
from indistinct.engines.tallies import without
from indistinct.errors import PolicyError
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.policy import Policy
from indistinct.policy.republication_faults import invariant_model
from indistinct.publish.alternative import compared
from indistinct.publish.class_noise import Noised, add_class_noise, check_noise
from indistinct.publish.doubtful_roles import doubtful_roles
from indistinct.publish.held_codes import in_codes, may_hold_codes
from indistinct.publish.protect import Protected, protect_input
from indistinct.publish.public_manifest import Decided, public_manifest
from indistinct.publish.release import VERSION, Release
from indistinct.publish.released_labels import released_labels
from indistinct.publish.repeated_identifiers import repeated_identifiers
from indistinct.publish.stars import refuse_rows_of_stars, with_rows_of_stars
from indistinct.publish.truths import truths_of
from indistinct.publish.unprotected import warnings_of
from indistinct.reader.verify.verify import Reading, people_of
from indistinct.release.entries import (
    CountEntry,
    MethodEntry,
    ModelEntry,
    OutputEntry,
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
from indistinct.release.presentation import present
from indistinct.release.searching import RAN, searched
from indistinct.search.lattice.feasibility import refuse_beyond_the_table

AFTERWARDS = 8.0  # time of writing and verification at most, by that of reading and counting
# Facts of a search that stand elsewhere in the manifest than beside the method.
ELSEWHERE = frozenset({"risk", "lower_bound", RAN})


def anonymize(  # noqa: PLR0913 - each is a keyword of one release
    data: Any,
    policy: GivenPolicy | None = None,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    engine: str = "auto",
    **keywords: Any,
) -> Release:
    """Make a release of a table that satisfies a policy.

    Parameters
    ----------
    data : a path, or an eager frame of Polars, pandas or pyarrow
    policy : what is promised; or give the keywords of :meth:`Policy.from_keywords`; a policy, or
        the path of its TOML file
    history : path of the record of earlier releases of this table, which writing the release
        continues, or begins
    seed : makes the order of the released records repeatable, for tests; secret when left out
    progress : called with the share done and a message
    engine : ``memory``, ``polars`` or ``duckdb``; left out, small tables are read whole, and data
        that are lazy stay where they are

    Returns
    -------
    the release, verified: a :class:`~indistinct.publish.release.Release`, or, of data that are not
    read whole, a :class:`~indistinct.publish.large_release.LargeRelease`

    Raises
    ------
    UsageError
        when the policy or the input is wrong; every fault at once. Of data that are not read whole,
        also when a history or a seed is given
    NoSolutionError
        when no release satisfies the policy
    VerificationError
        when the release does not hold its promise, which would be an error of this program
    """
    if policy is None:
        if not keywords:
            raise PolicyError("there is no policy", "Give a policy, or quasi_identifiers and k.")
        policy = Policy.from_keywords(**keywords)
    elif keywords:
        raise PolicyError("both a policy and its short form are given", "Give one of them.")
    policy = policy_of(policy)
    resources = Resources(engine)
    if is_large(data, None, resources):
        refuse_for_records(history=history, seed=seed)
        # That package imports this one, as what is made here is a part of what it makes.
        large: Any = import_module("indistinct.publish.large_release")
        return large.LargeRelease(data, policy, resources, progress)
    draft = draft_release(data, policy, history=history, seed=seed, progress=progress)
    return draft.verified()


def draft_release(  # noqa: PLR0913 - each is a keyword of one release
    data: Any,
    policy: Policy,
    *,
    history: str | Path | None = None,
    seed: int | None = None,
    progress: Progress = no_progress,
    spares_memory: bool = False,
) -> Release:
    """Make a release that nobody has verified yet: for callers that verify the written file.

    Parameters
    ----------
    spares_memory : for callers that do nothing but write it: of a large table, the release and the
        input are held as places in lists of texts, where the form of the release allows it
    """
    started = time.monotonic()
    past = None
    if history is not None:
        from indistinct.publish.remembered import read_past

        past = read_past(history, policy)
    progress(0.0, "reading")
    source = files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
        sets=policy.set_forms,
    )
    progress(0.0, "counting")
    check_columns(source.frame, policy)
    chance = RandomSource(seed)
    if invariant_model(policy.models) is not None:
        if past is None:
            raise PolicyError(
                "m-invariance is a promise about all releases of a table, but no history is given",
                "Name its file with --history; the first release makes it.",
            )
        from indistinct.publish.republish import remembered_by, republished

        protected = protect_input(source.frame, policy, chance)
        release = republished(source, protected, policy, chance, past, progress)
        return remembered_by(release, history)
    protected = protect_input(source.frame, policy, chance)
    if policy.release.form == "anatomy":
        from indistinct.publish.anatomize import anatomized

        return anatomized(source, protected, policy, chance)
    prepared = prepare(protected.frame, policy)
    check_noise(prepared.frame, policy)
    deadline = search_deadline(policy.method.time_limit, time.monotonic() - started)
    solution, seconds = search(prepared, policy, progress, deadline, chance)
    solution = compared(prepared.problem, solution, policy)
    progress(1.0, "writing")
    noised = add_class_noise(prepared, solution, policy, chance)
    if policy.set_names:
        from indistinct.publish.set_classes import with_sets_in_classes

        def search_again(problem: Problem) -> Solution:
            again = replace(prepared, problem=problem)
            return search(again, policy, no_progress, deadline, chance)[0]

        noised = with_sets_in_classes(prepared, noised, policy, search_again)
    is_coded = spares_memory and past is None and may_hold_codes(source, policy)
    if is_coded:
        source, protected, prepared = in_codes(source, protected, prepared)
    frame, rows = _released(prepared, noised, policy, chance, coded=is_coded)
    owner = _manifest(source, prepared, noised, policy, seconds, protected, frame, rows)
    decided = Decided(prepared, noised.solution.recoding)
    release = Release(
        data=files.to_native(given_back(frame, policy.set_forms, source.lists), source.native),
        published=public_manifest(owner, policy, frame, decided),
        frame=frame,
        owners=OwnersAlone((rows, protected.frame, owner)),
        policy=policy,
        separator=source.separator,
        labels=released_labels(source.labels, policy, frame),
        lists=source.lists,
        coded=coded_names(frame) if is_coded else (),
    )
    if past is None or history is None:
        return release
    from indistinct.publish.composition import composed

    return composed(release, history, past, source.sha256)


def search(
    prepared: Prepared,
    policy: Policy,
    progress: Progress = no_progress,
    deadline: Deadline | None = None,
    chance: RandomSource | None = None,
) -> tuple[Solution, float]:
    """Search a counted table for what a policy asks; it can be asked again and again.

    Parameters
    ----------
    deadline : when it returns the best it has; the policy's time limit from now when left out
    chance : breaks ties where the policy asks for that; secret when left out

    Returns
    -------
    what was found, and the seconds it took

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    started = time.perf_counter()
    refuse_beyond_the_table(prepared.problem)
    deadline = deadline or Deadline.after(policy.method.time_limit)
    solution = searched(prepared, policy, progress, deadline, chance)
    return solution, time.perf_counter() - started


def search_deadline(limit: float | None, spent: float) -> Deadline:
    """Give the moment when the search has to end, so that the whole run keeps its time limit.

    Parameters
    ----------
    limit : seconds for the whole run; None for none
    spent : seconds that reading and counting took

    Notes
    -----
    Writing and verification cannot be cut short. Their time is foreseen as a multiple of what
    reading and counting took, on this machine and as busy as it is now. A search whose time is over
    before it begins gives the coarsest release that holds.
    """
    if limit is None:
        return Deadline()
    return Deadline.after(max(limit - spent - AFTERWARDS * spent, 0.0))


def reached(prepared: Prepared, solution: Solution, policy: Policy) -> Reached:
    """Say what a solution reaches and costs, as the manifest does."""
    problem, recoding = prepared.problem, solution.recoding
    classes = alike = released_classes(problem, recoding)
    if policy.class_names and policy.release.suppressed_cell == "any":
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


def _released(
    prepared: Prepared, noised: Noised, policy: Policy, source: RandomSource, *, coded: bool = False
) -> tuple[pl.DataFrame, Ints]:
    """Write the released records in a secret order; give the input row of each."""
    recoding, classes = noised.solution.recoding, noised.classes
    is_released = recoding.released[classes]
    positions = np.flatnonzero(is_released)
    order = source.apart("order of the release").permutation(len(positions))
    positions = positions[order]
    frame = without(prepared.frame, policy.left_out).with_columns(noised.columns)
    names = policy.class_names
    decision = Decision(recoding, names, classes, positions)
    written = IN_MEMORY.write(frame, decision, coded=coded)
    rows = prepared.rows[positions].astype(np.int64)
    shown = present(written, prepared, names, policy.release.intervals)
    shown = rebuilt(with_one_missing(shown, ()))
    if policy.release.suppressed == "drop":
        return shown, rows
    refuse_rows_of_stars(shown, set(shown.columns) - set(written.columns))
    return with_rows_of_stars(shown, rows, prepared.n_input, source)


def _manifest(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: files.Source,
    prepared: Prepared,
    noised: Noised,
    policy: Policy,
    seconds: float,
    protected: Protected,
    frame: pl.DataFrame,
    rows: Ints,
) -> Manifest:
    """Say what was promised and what was reached."""
    found = reached(prepared, noised.solution, policy)
    facts = noised.solution.facts
    bound = {"lower_bound": facts["lower_bound"]} if "lower_bound" in facts else {}
    protection = {**protected.entries, **(noised.entries or {})}
    return Manifest(
        indistinct=VERSION,
        input=input_entry(prepared.n_input, source.sha256),
        output=OutputEntry(_output_rows(policy, prepared, found.records.released)),
        policy_sha256=policy.sha256,
        method=_method(prepared, noised, policy, seconds),
        models=_models(found, noised),
        records=found.records,
        people=found.people,
        classes=found.classes,
        loss={**found.loss, **bound},
        risk=_risk_beside_people(frame, rows, protected, policy) or found.risk,
        protection=protection,
        promise=promise_of(prepared.problem.models, protection, policy),
        suppression=noised.suppression,
        sets={name: one.entry for name, one in noised.sets.items()},
        warnings=(
            *doubtful_roles(source.frame, policy),
            *repeated_identifiers(source.frame, policy),
            *truths_of(prepared, noised.solution.recoding, noised.classes, policy),
            *_warnings(prepared, noised, policy),
        ),
    )


def _models(found: Reached, noised: Noised) -> tuple[ModelEntry, ...]:
    """Give what the models reach, in the columns of sets as well."""
    if not noised.sets:
        return found.models
    from indistinct.publish.sets import with_supports

    return with_supports(found.models, noised.sets)


def _method(prepared: Prepared, noised: Noised, policy: Policy, seconds: float) -> MethodEntry:
    """Say how the release was found; where nothing but sets was searched for, how they were."""
    entry = method_entry(prepared, noised.solution, policy, seconds)
    if policy.class_names or not noised.sets:
        return entry
    return replace(entry, algorithm=", ".join(one.entry.algorithm for one in noised.sets.values()))


def method_entry(
    prepared: Prepared, solution: Solution, policy: Policy, seconds: float
) -> MethodEntry:
    """Say how the release was found."""
    problem, recoding = prepared.problem, solution.recoding
    levels = transformation = None
    if recoding.transformation is None:
        levels = level_summary(problem, recoding)
    else:
        transformation = dict(zip(problem.table.columns, recoding.transformation, strict=True))
    return MethodEntry(
        algorithm=solution.facts.get(RAN, policy.algorithm_name),
        objective=policy.method.objective,
        transformation=transformation,
        levels=levels,
        facts={name: fact for name, fact in solution.facts.items() if name not in ELSEWHERE},
        seconds=round(seconds, 6),
    )


def _risk_beside_people(
    frame: pl.DataFrame, rows: Ints, protected: Protected, policy: Policy
) -> RiskEntry | None:
    """Count who looks like each class of the release; None where no table of people says it.

    Not every search counts them, and none counts them as what a protected column shows.
    """
    if policy.release.suppressed_cell != "value" or policy.release.intervals == "midpoint":
        return None
    persons = policy.data.person is not None
    original = protected.frame if persons else None
    people = people_of(Reading(frame, policy, original, rows.tolist() if persons else None))
    return None if people is None else risk_entry(*people)


def _warnings(prepared: Prepared, noised: Noised, policy: Policy) -> list[WarningEntry]:
    """Say which unprotected columns single released records out."""
    kept = noised.solution.recoding.released[noised.classes]
    rows = None if kept.all() else np.flatnonzero(kept)
    labels = noised.classes if rows is None else noised.classes[rows]
    return warnings_of(prepared.frame, labels.astype(np.int64), policy, rows)


def _output_rows(policy: Policy, prepared: Prepared, n_released: int) -> int:
    """Give the rows of the file: masked records are among them."""
    return prepared.n_input if policy.release.suppressed == "mask" else n_released
