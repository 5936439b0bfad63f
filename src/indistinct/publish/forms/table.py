"""Release one table of equivalence classes; other forms refine how its cells are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.brief import Confidential
from indistinct.core.protocols import Solution
from indistinct.core.randomness import RandomSource
from indistinct.counting.prepare import Prepared, prepare
from indistinct.engines import files
from indistinct.engines.cell_texts import coded_names
from indistinct.engines.encoding import with_released_cells
from indistinct.engines.frames import Frame, with_whole_columns
from indistinct.engines.missing_values import with_one_missing
from indistinct.engines.rebuild import rebuilt
from indistinct.engines.set_forms import given_back
from indistinct.engines.tallies import without
from indistinct.engines.tuples import Decision
from indistinct.policy.policy import Policy
from indistinct.policy.resolved import Resolved
from indistinct.publish.alternative import compared
from indistinct.publish.class_noise import NoisyRecoding, check_noise
from indistinct.publish.forms.form import FormInput
from indistinct.publish.held_codes import in_codes, may_hold_codes
from indistinct.publish.hidden_rows import refuse_rows_of_stars, with_rows_of_stars
from indistinct.publish.owner_manifest import owner_manifest
from indistinct.publish.protect import Protected
from indistinct.publish.public_manifest import RecodingResult, public_manifest, released_cells
from indistinct.publish.release import Release
from indistinct.publish.released_labels import released_labels
from indistinct.publish.released_types import in_narrow_types
from indistinct.publish.risk_beside_people import risk_beside_people
from indistinct.publish.row_order import classes_of_records, in_canonical_order
from indistinct.publish.search import search
from indistinct.publish.settled_rules import settle
from indistinct.publish.spellings import label_warnings
from indistinct.release.entries import RiskEntry
from indistinct.release.presentation import present

Refine: TypeAlias = Callable[[Prepared, Solution, RandomSource], NoisyRecoding]


def in_classes(prepared: Prepared, solution: Solution, chance: RandomSource) -> NoisyRecoding:
    """Return a solution as it was found, with the class of each record."""
    return NoisyRecoding(solution, classes_of_records(solution.recoding, prepared, chance))


def draft_table(given: FormInput, *, refine: Refine = in_classes) -> Release:
    """Make a release of one table that nobody has verified yet.

    Parameters
    ----------
    refine : makes what was found into the classes and cells that are written

    Raises
    ------
    NoSolutionError
        when no release satisfies the policy
    """
    source, protected, chance = given.source, given.protected, given.chance
    settled = settle(
        protected.frame,
        given.policy,
        partial(_prepared, protected.frame),
        lambda found: search(found, given.progress, given.deadline, chance),
        has_types=source.has_types,
    )
    policy, prepared = settled.policy, settled.prepared
    solution = compared(prepared, settled.solution)
    given.progress(1.0, "writing")
    noised = refine(prepared, solution, chance)
    is_coded = given.spares_memory and given.earlier is None and may_hold_codes(source, policy)
    if is_coded:
        source, protected, prepared = in_codes(source, protected, prepared)
    frame, rows = _released(prepared, noised, policy, source, coded=is_coded)
    risk = _risk_beside_people(frame, rows, protected, prepared.resolved)
    owner = owner_manifest(source, prepared, noised, policy, settled.seconds, protected, risk)
    decided = RecodingResult(prepared, noised.solution.recoding)
    of_labels = label_warnings(policy.class_rules, released_cells(policy, frame, decided))
    warnings = (*owner.warnings, *settled.warnings, *of_labels)
    owner = replace(owner, warnings=warnings, policy=policy.words())
    release = Release(
        data=files.to_native(given_back(frame, policy.set_forms, source.lists), source.native),
        published=public_manifest(owner, policy, frame, decided),
        frame=frame,
        owners=Confidential((rows, protected.frame, owner)),
        policy=given.policy,
        separator=source.separator,
        labels=released_labels(source.labels, policy, frame),
        lists=source.lists,
        coded=coded_names(frame) if is_coded else (),
    )
    if given.earlier is None:
        return release
    from indistinct.publish.composition import composed  # loaded when it is needed

    return composed(release, given.earlier.path, given.earlier.past, source.sha256)


def _prepared(frame: Frame, resolved: Resolved) -> Prepared:
    """Count a table, and refuse noise that its columns cannot have."""
    prepared = prepare(frame, resolved)
    check_noise(prepared.frame, resolved.noises)
    return prepared


def _released(
    prepared: Prepared,
    noised: NoisyRecoding,
    policy: Policy,
    source: files.TableFile,
    *,
    coded: bool = False,
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
    shown = present(written, prepared)
    shown = with_one_missing(shown, ())
    if not source.has_types:
        shown = in_narrow_types(shown, prepared, recoding)
    if policy.release.suppressed != "drop":
        refuse_rows_of_stars(shown, set(shown.columns) - set(written.columns))
        shown, rows = with_rows_of_stars(shown, rows, prepared.n_input)
    shown, rows = in_canonical_order(shown, rows, policy.class_names)
    return rebuilt(shown), rows


def _risk_beside_people(
    frame: Frame, rows: Ints, protected: Protected, promised: Resolved
) -> RiskEntry | None:
    """Count who looks like each class of the release; None where no table of people says it."""
    persons = promised.data.person is not None
    original = protected.frame if persons else None
    records = rows.tolist() if persons else None
    return risk_beside_people(frame, promised, original=original, rows=records)
