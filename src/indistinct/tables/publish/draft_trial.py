"""Run a draft on some records before it is written, so that the next command does not refuse it."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from indistinct.errors import IndistinctError, NoSolutionError
from indistinct.tables.drafting.draft import UNCHANGED, DraftChanges
from indistinct.tables.findings import KEEPS_LITTLE, WHOLLY_HIDDEN
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.publish.anonymization import draft_tables

RECORDS = 1_000  # that are tried, at equal distances
SECONDS, LEAST_SECONDS = 5.0, 0.1
SEED = 1  # figures of a trial are no release, and should be the same each time
K, TENTH = 5, 0.1
ABOUT_A_COLUMN = re.compile(r'columns\.(?:"(?P<quoted>[^"]+)"|(?P<plain>[^.]+))')


Drafted = Callable[[DraftChanges], str]


def some_of(frame: Frame) -> Frame:
    """Return up to a thousand records at equal distances."""
    n_rows = min(RECORDS, frame.height)
    rows = np.unique(np.linspace(0, frame.height - 1, n_rows).astype(np.int64))
    return frame[rows.tolist()]


def tried_draft(frame: Frame, drafted: Drafted, minor: Sequence[str]) -> DraftChanges:
    """Find what has to change in a draft so that it runs on some of the records.

    A column of which the rule or the format fails is kept or hidden instead. One that gives back
    what the release generalizes is left out.

    Parameters
    ----------
    frame : the records
    drafted : writes the draft with some changes, without undecided columns and files beside it
    minor : the quasi-identifiers beyond the eighth, which are hidden where the trial does not end
    """
    ends = time.monotonic() + SECONDS
    changes, kept = UNCHANGED, dict[str, float]()
    while time.monotonic() < ends:
        try:
            kept = _kept(some_of(frame), tomllib.loads(drafted(changes)), ends)
        except NoSolutionError as error:
            telling = _faulty(error)
            if not telling or telling.keys() <= changes.left_out.keys():
                return replace(changes, said=_largest_k(frame, drafted, changes))
            changes = replace(changes, left_out={**changes.left_out, **telling})
        except IndistinctError as error:
            faulty = _faulty(error)
            if not faulty or faulty.keys() <= changes.flat.keys():
                return replace(changes, said=f"The trial ended so: {error}")
            changes = replace(changes, flat={**changes.flat, **faulty})
        else:
            break
    is_late = time.monotonic() > ends - SECONDS / 2
    hidden = {name: said_kept(kept.get(name)) for name in minor if name not in changes.left_out}
    return replace(changes, hidden=hidden) if is_late else changes


def said_kept(share: float | None) -> str:
    """Return what a column kept of its information in the trial, in words."""
    if share is None:
        return f"at least {TENTH:.0%} of its information"
    return f"{share:.1%} of its information" if share else "nothing"


def _kept(some: Frame, words: Mapping[str, Any], ends: float) -> dict[str, float]:
    """Make a release of some records, which is not kept, and return which columns keep little.

    Returns
    -------
    per column that keeps less than a tenth of its information, the share that it keeps
    """
    left = max(ends - time.monotonic(), LEAST_SECONDS)
    method = {**words["method"], "time_limit": left}
    made = draft_tables(
        some, Policy.from_words({**words, "method": method}), seed=SEED, tries=False
    )
    return {
        one.columns[0]: one.share if one.code == KEEPS_LITTLE else 0.0
        for one in made.exact.warnings
        if one.code in {KEEPS_LITTLE, WHOLLY_HIDDEN}
    }


def _faulty(error: IndistinctError) -> dict[str, str]:
    """Return the columns that an error is about, each with what is wrong."""
    found: dict[str, str] = {}
    for fault in error.faults:
        match = ABOUT_A_COLUMN.match(fault.place)
        if match is not None:
            found[match["quoted"] or match["plain"]] = fault.problem
    return found


def _largest_k(frame: Frame, drafted: Drafted, changes: DraftChanges) -> str:
    """Return for which k from 4 down some records have a release."""
    words = tomllib.loads(drafted(changes))
    some = some_of(frame)
    ends = time.monotonic() + SECONDS / 2
    for k in range(K - 1, 1, -1):
        models = [
            {**model, "k": k} if model["name"] == "k-anonymity" else model
            for model in words["models"]
        ]
        try:
            _kept(some, {**words, "models": models}, ends)
        except IndistinctError:
            continue
        return (
            f"Tried on {some.height:,} records, there is no release with k = {K}, but one with {k}."
        )
    return (
        f"Tried on {some.height:,} records, there is no release with k = {K}, and none with less."
    )
