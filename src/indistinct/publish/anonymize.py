"""Publish a table: search a recoding that keeps the promise, and write it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.brief import OwnersAlone
from indistinct.core.protocols import Deadline, Progress, Solution, no_progress
from indistinct.core.randomness import RandomSource
from indistinct.counting.persons import class_sizes, people_entry
from indistinct.counting.prepare import Prepared, check_columns, prepare
from indistinct.engines import files
from indistinct.engines.cell_texts import all_cell_texts
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.protocol import Decision
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.registry import IN_MEMORY
from indistinct.engines.tallies import without
from indistinct.errors import PolicyError
from indistinct.policy.policy import Policy
from indistinct.publish.anatomize import anatomized
from indistinct.publish.class_noise import Noised, add_class_noise, check_noise
from indistinct.publish.protect import Protected, protect_input
from indistinct.publish.public_manifest import Decided, public_manifest
from indistinct.publish.release import VERSION, Release
from indistinct.publish.repeated_identifiers import repeated_identifiers
from indistinct.publish.stars import refuse_rows_of_stars
from indistinct.publish.unprotected import warnings_of
from indistinct.reader.verify.verify import Reading, people_of
from indistinct.release.manifest import (
    class_entry,
    compatible_groups,
    input_entry,
    level_summary,
    loss_entry,
    model_entry,
    promise_entry,
    reading_entry,
    released_classes,
    risk_entry,
    warning_entry,
)
from indistinct.release.presentation import present, reading_of
from indistinct.search import algorithm_named
from indistinct.search.finish import finished, solve
from indistinct.search.lattice.feasibility import refuse_beyond_the_table
from indistinct.search.undivided import undivided


def anonymize(
    data: Any,
    policy: Policy | None = None,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
    **keywords: Any,
) -> Release:
    """Make a release of a table in which nobody stands out.

    Parameters
    ----------
    data : a path, or an eager frame of Polars, pandas or pyarrow
    policy : what is promised; or give the keywords of :meth:`Policy.from_keywords`
    seed : makes the order of the released records repeatable, for tests; secret when left out
    progress : called with the share done and a message

    Returns
    -------
    the release, verified

    Raises
    ------
    UsageError
        when the policy or the input is wrong; every fault at once
    NoSolutionError
        when no release satisfies the policy
    VerificationError
        when the release does not hold its promise, which would be an error of this program
    """
    if policy is None:
        if "quasi_identifiers" not in keywords:
            raise PolicyError("there is no policy", "Give a policy, or quasi_identifiers and k.")
        policy = Policy.from_keywords(**keywords)
    return draft_release(data, policy, seed=seed, progress=progress).verified()


def draft_release(
    data: Any, policy: Policy, *, seed: int | None = None, progress: Progress = no_progress
) -> Release:
    """Make a release that nobody has verified yet: for callers that verify the written file."""
    source = files.read(
        data,
        missing=policy.data.missing,
        separator=policy.data.separator,
        encoding=policy.data.encoding,
    )
    progress(0.0, "counting")
    check_columns(source.frame, policy)
    chance = RandomSource(seed)
    protected = protect_input(source.frame, policy, chance)
    if policy.release.form == "anatomy":
        return anatomized(source, protected, policy, chance)
    prepared = prepare(protected.frame, policy)
    check_noise(prepared.frame, policy)
    solution, seconds = search(prepared, policy, progress)
    progress(1.0, "writing")
    noised = add_class_noise(prepared, solution, policy, chance)
    frame, rows = _released(prepared, noised, policy, chance)
    owner = _manifest(source, prepared, noised, policy, seconds, protected, frame)
    decided = Decided(prepared, noised.solution.recoding)
    return Release(
        data=files.to_native(frame, source.native),
        manifest=public_manifest(owner, policy, frame, decided),
        frame=frame,
        owners=OwnersAlone((rows, protected.frame, owner)),
        policy=policy,
        separator=source.separator,
    )


def search(
    prepared: Prepared, policy: Policy, progress: Progress = no_progress
) -> tuple[Solution, float]:
    """Search a counted table for what a policy asks; it can be asked again and again.

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
    solution = _searched(prepared, policy, progress)
    return solution, time.perf_counter() - started


def _searched(prepared: Prepared, policy: Policy, progress: Progress) -> Solution:
    """Run the policy's algorithm; where no column forms classes, all records are one."""
    if not policy.class_names:
        return finished(prepared.problem, undivided(prepared.problem))
    words = policy.method.model_dump() | policy.release.model_dump()
    algorithm = algorithm_named(policy.method.algorithm, words)
    deadline = Deadline.after(policy.method.time_limit)
    reading = reading_of(prepared, policy.class_names, policy.release.intervals)
    return solve(algorithm, prepared.problem, deadline, progress, reading)


def reached(prepared: Prepared, solution: Solution, policy: Policy) -> dict[str, Any]:
    """Say what a solution reaches and costs, in the words of the manifest."""
    problem, recoding = prepared.problem, solution.recoding
    classes = alike = released_classes(problem, recoding)
    if policy.class_names and policy.release.suppressed_cell == "any":
        classes = compatible_groups(recoding)
    n_released = recoding.n_records - recoding.n_suppressed
    risk: Mapping[str, Any] | None = solution.facts.get("risk")
    return {
        "models": [model_entry(model, classes) for model in problem.models],
        "records": {"released": n_released, "suppressed": prepared.n_input - n_released},
        **people_entry(problem, recoding),
        "classes": class_entry(class_sizes(classes)),
        "loss": loss_entry(problem, recoding),
        "risk": risk or risk_entry(class_sizes(alike), alike.population),
    }


def _released(
    prepared: Prepared, noised: Noised, policy: Policy, source: RandomSource
) -> tuple[pl.DataFrame, Ints]:
    """Write the released records in a secret order; give the input row of each."""
    recoding, classes = noised.solution.recoding, noised.classes
    is_released = recoding.released[classes]
    positions = np.flatnonzero(is_released)
    positions = positions[source.permutation(len(positions))]
    frame = without(prepared.frame, policy.left_out).with_columns(noised.columns)
    names = policy.class_names
    written = IN_MEMORY.write(frame, Decision(recoding, names, classes, positions))
    rows = prepared.rows[positions].astype(np.int64)
    shown = present(written, prepared, names, policy.release.intervals)
    shown = rebuilt(with_one_missing(shown, ()))
    if policy.release.suppressed == "drop":
        return shown, rows
    refuse_rows_of_stars(shown, set(shown.columns) - set(written.columns))
    return _with_masked(shown, rows, prepared.n_input, source)


def _with_masked(
    written: pl.DataFrame, rows: Ints, n_input: int, source: RandomSource
) -> tuple[pl.DataFrame, Ints]:
    """Add a row of stars for each suppressed record, and mix them in."""
    n_masked = n_input - written.height
    if n_masked == 0:
        return written, rows
    stars = pl.DataFrame({name: ["*"] * n_masked for name in written.columns})
    together = pl.concat([all_cell_texts(written), stars])
    gone = np.setdiff1d(np.arange(n_input), rows)
    # Apart: a seed would draw the first order once more, and twice the same may undo itself.
    order = source.apart("masked rows").permutation(n_input)
    return rebuilt(together[order]), np.concatenate([rows, gone])[order]


def _manifest(  # noqa: PLR0913, PLR0917 - all that a manifest speaks of
    source: files.Source,
    prepared: Prepared,
    noised: Noised,
    policy: Policy,
    seconds: float,
    protected: Protected,
    frame: pl.DataFrame,
) -> Mapping[str, Any]:
    """Say what was promised and what was reached."""
    problem, recoding = prepared.problem, noised.solution.recoding
    method: dict[str, Any] = {
        "algorithm": policy.method.algorithm,
        "objective": policy.method.objective,
    }
    if recoding.transformation is not None:
        method["transformation"] = dict(
            zip(problem.table.columns, recoding.transformation, strict=True)
        )
    else:
        method["levels"] = level_summary(problem, recoding)
    found = reached(prepared, noised.solution, policy)
    found["risk"] = _risk_beside_people(frame, policy) or found["risk"]
    facts = dict(noised.solution.facts)
    if "lower_bound" in facts:
        found["loss"]["lower_bound"] = facts.pop("lower_bound")
    facts.pop("risk", None)
    n_rows = _output_rows(policy, prepared, found["records"]["released"])
    return {
        "indistinct": VERSION,
        "input": input_entry(prepared.n_input, source.sha256),
        "output": {"rows": n_rows, "sha256": None},
        "policy_sha256": policy.sha256,
        "method": {**method, **facts, "seconds": round(seconds, 6)},
        **found,
        **promise_entry(problem.models, {**protected.entries, **(noised.entries or {})}),
        **({"suppression": noised.suppression} if noised.suppression else {}),
        **reading_entry(policy),
        **warning_entry(
            [*repeated_identifiers(source.frame, policy), *_warnings(prepared, noised, policy)]
        ),
        "verified": False,
    }


def _risk_beside_people(frame: pl.DataFrame, policy: Policy) -> Mapping[str, Any] | None:
    """Count who looks like each class of the release; None where no table of people says it.

    Not every search counts them, and none counts them as what a protected column shows.
    """
    is_counted = policy.data.person is None and policy.release.suppressed_cell == "value"
    if not is_counted or policy.release.intervals == "midpoint":
        return None
    people = people_of(Reading(frame, policy))
    return None if people is None else risk_entry(*people)


def _warnings(prepared: Prepared, noised: Noised, policy: Policy) -> list[dict[str, Any]]:
    """Say which unprotected columns single released records out."""
    kept = noised.solution.recoding.released[noised.classes]
    labels = noised.classes[kept].astype(np.int64)
    return warnings_of(prepared.frame.filter(pl.Series(kept)), labels, policy)


def _output_rows(policy: Policy, prepared: Prepared, n_released: int) -> int:
    """Give the rows of the file: masked records are among them."""
    return prepared.n_input if policy.release.suppressed == "mask" else n_released
