"""Say in a refusal which other policies have a release: each of them was run on some records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from indistinct.errors import Fault, NoSolutionError, Way
from indistinct.tables.core.schema import Role
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.policy_trials import (
    MOST_TRIALS,
    Draft,
    PolicyTrial,
    TrialClock,
    further_trials,
    left_out,
    of_smaller_k,
    remedies_of,
    some_records,
    with_column,
    with_fast_search,
    with_table,
    without_column,
)
from indistinct.tables.publish.release_findings import GivenBackError

MOST_NAMED = 3  # columns that are tried to be left out
ROUNDED_TO = 10  # that a number of a sum is rounded to
MORE_LEFT_OUT = (2.0, 0.2)  # times the limit of suppression, and at most this share


def with_tried_remedies(
    error: NoSolutionError, frame: Frame, policy: Policy, spec: Specification, draft: Draft
) -> NoSolutionError:
    """Return a refusal that says what would do, where that can be tried.

    Parameters
    ----------
    frame : the input as it was read
    draft : makes the tables of a release, without any trial
    """
    words = with_fast_search(policy.words(), spec)
    always = [name for name in spec.class_names if spec.columns[name].words.is_always_shown]
    if isinstance(error.__cause__, GivenBackError):
        wanted = list(_against_read_back(words, error.__cause__, spec))
    elif always and spec.release.form == "table":
        wanted = list(_beside_must(words, always, spec))
    else:
        return error
    clock, sample = TrialClock(spec.method.time_limit), some_records(frame, spec)
    found = [clock.run(one, sample, draft) for one in wanted[:MOST_TRIALS]]
    said = remedies_of(found)
    first, *others = error.faults
    remedy = f"{said} {first.remedy}" if said else first.remedy
    ways = tuple(way for one in found for way in one.ways()) or first.ways
    first = replace(first, remedy=remedy, ways=ways)
    return NoSolutionError([first, *_without_remedy(others, error.faults[0])])


def _without_remedy(faults: Sequence[Fault], first: Fault) -> Iterator[Fault]:
    """Yield faults without the remedy that the first one has already."""
    for one in faults:
        yield replace(one, remedy="") if one.remedy == first.remedy else one


def _against_read_back(
    words: Mapping[str, Any], error: GivenBackError, spec: Specification
) -> Iterator[PolicyTrial]:
    """Yield policies by which less is read back."""
    for name in error.columns[:MOST_NAMED]:
        if name in words["columns"]:
            yield PolicyTrial(
                f'without {name} (role = "identifier")',
                without_column(words, name),
                (left_out(name),),
            )
    for name in error.derived_by[:MOST_NAMED]:
        if spec.columns[name].words.role in {Role.SENSITIVE, Role.INSENSITIVE}:
            mask = {"name": "round", "base": ROUNDED_TO}
            yield PolicyTrial(
                f'with {name} rounded (protect = {{ name = "round", base = {ROUNDED_TO} }})',
                with_column(words, name, protect=mask),
                (Way(("columns", name, "protect"), mask),),
            )
    for name in error.derived:
        level = spec.columns[name].words.min_level + 1
        yield PolicyTrial(
            f"with min_level = {level} of {name}",
            with_column(words, name, min_level=level),
            (Way(("columns", name, "min_level"), level),),
        )
    if error.derived:
        return
    limit = spec.method.max_suppression
    most = min(MORE_LEFT_OUT[0] * limit, MORE_LEFT_OUT[1]) or MORE_LEFT_OUT[1] / 2
    if most > limit:
        changed = with_table(words, "method", max_suppression=most)
        edit = Way(("method", "max_suppression"), most)
        yield PolicyTrial(f"with max_suppression = {most:.3g}", changed, (edit,))
    yield from of_smaller_k(words)


def _beside_must(
    words: Mapping[str, Any], always: Sequence[str], spec: Specification
) -> Iterator[PolicyTrial]:
    """Yield policies that leave a column shown which no release shows, with one other change."""
    others = {name: 0.0 for name in spec.class_names if name not in always}
    for one in further_trials(dict(words), always[0], {always[0]: 0.0, **others}, spec):
        yield replace(one, change=one.change.removesuffix(" (hidden in 0%)"))
