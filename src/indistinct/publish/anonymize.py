"""Publish a table: search a recoding that keeps the promise, and write it."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.brief import OwnersAlone
from indistinct.core.protocols import Deadline, Problem, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared, prepare
from indistinct.counting.table_faults import check_columns
from indistinct.engines import files
from indistinct.engines.cell_texts import coded_names
from indistinct.engines.choosing import Resources, is_large, refuse_for_records
from indistinct.engines.encoding import with_released_cells
from indistinct.engines.frames import Frame, with_whole_columns
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.set_forms import given_back
from indistinct.engines.tallies import without
from indistinct.engines.tuples import Decision
from indistinct.errors import PolicyError
from indistinct.policy.given import GivenPolicy, policy_of
from indistinct.policy.policy import Policy
from indistinct.policy.settings import invariant_model
from indistinct.publish.alternative import compared
from indistinct.publish.class_noise import Noised, add_class_noise, check_noise
from indistinct.publish.held_codes import in_codes, may_hold_codes
from indistinct.publish.owner_manifest import owner_manifest
from indistinct.publish.protect import Protected, protect_input
from indistinct.publish.public_manifest import Decided, public_manifest, released_cells
from indistinct.publish.release import Release
from indistinct.publish.released_labels import released_labels
from indistinct.publish.released_types import in_narrow_types
from indistinct.publish.risk_beside_people import risk_beside_people
from indistinct.publish.row_order import classes_of_records, in_canonical_order
from indistinct.publish.settled_rules import settle
from indistinct.publish.spellings import label_warnings
from indistinct.publish.stars import refuse_rows_of_stars, with_rows_of_stars
from indistinct.release.entries import RiskEntry
from indistinct.release.presentation import present
from indistinct.release.searching import searched
from indistinct.search.lattice.feasibility import refuse_beyond_the_table

AFTERWARDS = 8.0  # time of writing and verification at most, by that of reading and counting


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
    seed : makes the release repeatable, for tests: what is drawn at random, such as masks, and
        which of equal records goes to which class; secret when left out
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
    deadline = search_deadline(policy.method.time_limit, time.monotonic() - started)
    settled = settle(
        protected.frame,
        policy,
        partial(_prepared, protected.frame),
        lambda found, resolved: search(found, resolved, progress, deadline, chance),
        has_types=source.has_types,
    )
    given, policy, prepared = policy, settled.policy, settled.prepared
    solution = compared(prepared.problem, settled.solution, policy)
    progress(1.0, "writing")
    noised = add_class_noise(prepared, solution, policy, chance)
    if policy.set_names:
        from indistinct.publish.set_classes import with_sets_in_classes

        def search_again(problem: Problem) -> Noised:
            again = replace(prepared, problem=problem)
            found = search(again, policy, no_progress, deadline, chance)[0]
            return Noised(found, classes_of_records(found.recoding, prepared, policy, chance))

        noised = with_sets_in_classes(prepared, noised, policy, search_again)
    is_coded = spares_memory and past is None and may_hold_codes(source, policy)
    if is_coded:
        source, protected, prepared = in_codes(source, protected, prepared)
    frame, rows = _released(prepared, noised, policy, source, coded=is_coded)
    risk = _risk_beside_people(frame, rows, protected, policy)
    owner = owner_manifest(source, prepared, noised, policy, settled.seconds, protected, risk)
    decided = Decided(prepared, noised.solution.recoding)
    of_labels = label_warnings(policy, released_cells(policy, frame, decided))
    warnings = (*owner.warnings, *settled.warnings, *of_labels)
    owner = replace(owner, warnings=warnings, policy=policy.words())
    release = Release(
        data=files.to_native(given_back(frame, policy.set_forms, source.lists), source.native),
        published=public_manifest(owner, policy, frame, decided),
        frame=frame,
        owners=OwnersAlone((rows, protected.frame, owner)),
        policy=given,
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


def _prepared(frame: Frame, policy: Policy) -> Prepared:
    """Count a table, and refuse noise that its columns cannot have."""
    prepared = prepare(frame, policy)
    check_noise(prepared.frame, policy)
    return prepared


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


def _released(
    prepared: Prepared, noised: Noised, policy: Policy, source: files.Source, *, coded: bool = False
) -> tuple[Frame, Ints]:
    """Write the released records in canonical order; return the input row of each."""
    recoding, classes = noised.solution.recoding, noised.classes
    is_released = recoding.released[classes]
    positions = np.flatnonzero(is_released)
    frame = with_whole_columns(without(prepared.frame, policy.left_out), noised.columns)
    names = policy.class_names
    decision = Decision(recoding, names, classes, positions, policy.data.texts_of_missing)
    written = with_released_cells(frame, decision, coded=coded)
    rows = prepared.rows[positions].astype(np.int64)
    shown = present(written, prepared, policy)
    shown = with_one_missing(shown, ())
    if not source.has_types:
        shown = in_narrow_types(shown, prepared, recoding, policy)
    if policy.release.suppressed != "drop":
        refuse_rows_of_stars(shown, set(shown.columns) - set(written.columns))
        shown, rows = with_rows_of_stars(shown, rows, prepared.n_input)
    shown, rows = in_canonical_order(shown, rows, policy)
    return rebuilt(shown), rows


def _risk_beside_people(
    frame: Frame, rows: Ints, protected: Protected, policy: Policy
) -> RiskEntry | None:
    """Count who looks like each class of the release; None where no table of people says it."""
    persons = policy.data.person is not None
    original = protected.frame if persons else None
    records = rows.tolist() if persons else None
    return risk_beside_people(frame, policy, original=original, rows=records)
