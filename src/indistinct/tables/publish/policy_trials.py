"""What other policies would cost: each is run on some of the records, and its figures are read off.

Figures of a trial are figures of the input, so that they are for its owner alone.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import ROOT
from indistinct.base.statements.number_texts import percent
from indistinct.errors import IndistinctError, Way
from indistinct.tables.counting.persons import persons_of
from indistinct.tables.findings import KEEPS_LITTLE
from indistinct.tables.frames.frame import Frame
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.released_tables import ReleasedTables
from indistinct.tables.release.manifest import Manifest
from indistinct.tables.release.released import cell_texts_of, is_released

Words: TypeAlias = dict[str, Any]
Draft: TypeAlias = Callable[[Frame, Mapping[str, Any]], ReleasedTables]
SECONDS, SHARE_OF_LIMIT = 10.0, 0.2  # of all trials together: of the policy's time limit
MOST_RECORDS, MOST_TRIALS, MOST_COLUMNS = 20_000, 12, 3
SMALLER_K = (20, 10, 5, 3, 2)
MOST_SUPPRESSION = 0.1
HIDDEN_SHARE, LEAST_KEPT = 0.5, 0.1  # of the records, and of a column's information
SEED = 1  # figures of a trial are no release, and should be the same each time


@dataclass(frozen=True, slots=True)
class PolicyTrial:
    """A policy that was tried on some of the records.

    Parameters
    ----------
    change : what it has that the policy has not, in words
    words : the policy
    edits : what to write into the policy for it, as a place and a value each
    possible : whether there is a release; None where it was not tried for lack of time
    loss : by the policy's objective, of the records that were tried
    left_out : share of the records that are left out
    hidden_after : columns that are hidden in most records, with the share
    """

    change: str
    words: Mapping[str, Any]
    edits: tuple[Way, ...] = ()
    possible: bool | None = None
    loss: float | None = None
    left_out: float | None = None
    hidden_after: Mapping[str, float] | None = None

    __repr__ = short_repr

    def document(self) -> dict[str, Any]:
        """Return the trial as JSON has it."""
        return {
            "change": self.change,
            "possible": self.possible,
            "loss": self.loss,
            "left_out": self.left_out,
            "hidden_after": None if self.hidden_after is None else dict(self.hidden_after),
            "edits": [{"place": list(one.place), "value": one.value} for one in self.edits],
        }

    def ways(self) -> tuple[Way, ...]:
        """Return the edit of the policy with what it costs, where one edit is all of it."""
        tried_edits = self.edits if len(self.edits) == 1 else ()
        return tuple(
            replace(one, possible=self.possible, loss=self.loss, left_out=self.left_out)
            for one in tried_edits
        )


@dataclass(frozen=True, slots=True)
class HiddenColumn:
    """A column that most released records hide, and what would keep it.

    Parameters
    ----------
    share : of the released records that hide it
    level : the coarsest level that still says something
    trials : with the column at this level, alone or with other changes
    """

    column: str
    share: float
    level: int
    trials: tuple[PolicyTrial, ...] = ()

    __repr__ = short_repr

    def document(self) -> dict[str, Any]:
        """Return the column as JSON has it."""
        return {
            "column": self.column,
            "share": self.share,
            "level": self.level,
            "trials": [one.document() for one in self.trials],
        }


class TrialClock:
    """The time that trials may take together; one begins only if another of the same fits."""

    def __init__(self, limit: float | None) -> None:
        self.left = SECONDS if limit is None else min(SECONDS, SHARE_OF_LIMIT * limit)
        self.longest = 0.0

    def run(self, trial: PolicyTrial, sample: Frame, draft: Draft) -> PolicyTrial:
        """Run a trial, or return it as it was if there is no time for it."""
        if self.left <= self.longest:
            return trial
        begun = time.monotonic()
        found = tried(trial, sample, draft)
        took = time.monotonic() - begun
        self.left, self.longest = self.left - took, max(self.longest, took)
        return found


def tried(trial: PolicyTrial, sample: Frame, draft: Draft) -> PolicyTrial:
    """Run the policy of a trial on some records, and read off what it costs."""
    try:
        made = draft(sample, trial.words)
    except IndistinctError:
        return replace(trial, possible=False)
    exact = made.exact
    return replace(
        trial,
        possible=True,
        loss=loss_of(exact),
        left_out=exact.records.suppressed_share,
        hidden_after={
            name: share for name, share in hidden_shares(made).items() if share > HIDDEN_SHARE
        },
    )


def loss_of(exact: Manifest) -> float:
    """Return the loss of a release by the policy's objective."""
    return float(exact.loss.get(exact.method.objective or "", exact.loss.get("loss", 0.0)))


def hidden_shares(made: ReleasedTables) -> dict[str, float]:
    """Return the share of the released records that hide each quasi-identifier."""
    shown = np.flatnonzero(~made.masked_rows())
    frame = made.frame[shown]
    return {
        rule.name: int((cell_texts_of(frame, rule) == ROOT).sum()) / frame.height
        for rule in made.spec.class_rules
        if is_released(rule.name, frame) and frame.height
    }


def some_records(frame: Frame, spec: Specification) -> Frame:
    """Draw records for trials: all of few, else about as many as fit, whole people together."""
    if frame.height <= MOST_RECORDS:
        return frame
    draws = np.random.default_rng(SEED)
    persons = persons_of(frame, spec.data)
    if persons is None:
        return frame[np.sort(draws.choice(frame.height, MOST_RECORDS, replace=False))]
    sizes = np.bincount(persons)
    order = draws.permutation(len(sizes))
    chosen = order[np.cumsum(sizes[order]) <= MOST_RECORDS]
    return frame[np.flatnonzero(np.isin(persons, chosen))]


def hidden_columns(
    made: ReleasedTables, given: Frame, levels: Mapping[str, int], draft: Draft
) -> list[HiddenColumn]:
    """Return the quasi-identifiers that a release hides in most records, with trials.

    Parameters
    ----------
    given : the input, before its columns were masked
    levels : per quasi-identifier, the coarsest level below the root
    draft : makes the tables of a release
    """
    spec, shares = made.spec, hidden_shares(made)
    little = {
        one.columns[0] for one in made.exact.warnings if one.code == KEEPS_LITTLE and one.columns
    }
    found = [n for n, share in shares.items() if share > HIDDEN_SHARE or n in little]
    if not found or spec.release.form != "table" or spec.algorithm.republishes:
        return []
    found.sort(key=lambda name: (-spec.columns[name].words.importance_number, -shares[name]))
    words = made.policy.words()
    clock, n_trials = TrialClock(spec.method.time_limit), 0
    sample = some_records(given, spec)
    listed: list[HiddenColumn] = []
    for name in found[:MOST_COLUMNS]:
        wanted = list(trials_of(words, name, levels.get(name, 0), shares, spec))
        wanted = wanted[: MOST_TRIALS - n_trials]
        n_trials += len(wanted)
        listed.append(
            HiddenColumn(
                name,
                shares[name],
                levels.get(name, 0),
                tuple(clock.run(one, sample, draft) for one in wanted),
            )
        )
    return listed


def trials_of(
    words: Mapping[str, Any],
    name: str,
    level: int,
    shares: Mapping[str, float],
    spec: Specification,
) -> Iterator[PolicyTrial]:
    """Yield the policies that keep a column: by itself, and with one other change each.

    The column may not rise above a level, which is what ``must`` asks for; its importance stays, so
    that losses can be compared.
    """
    own = spec.columns[name].words
    most = level if own.max_level is None else min(level, own.max_level)
    most = max(most, own.min_level)
    kept = with_column(with_fast_search(words, spec), name, max_level=most)
    edit = Way(("columns", name, "max_level"), most)
    yield PolicyTrial("all else equal", kept, (edit,))
    for one in further_trials(kept, name, shares, spec):
        yield replace(one, edits=(edit, *one.edits))


def further_trials(
    kept: Words, name: str, shares: Mapping[str, float], spec: Specification
) -> Iterator[PolicyTrial]:
    """Yield a policy with one other change each: a column less, a smaller k, more left out."""
    others = sorted((one for one in shares if one != name), key=lambda one: -shares[one])
    for other in others[:2]:
        yield PolicyTrial(
            f"without {other} (hidden in {shares[other]:.0%})",
            without_column(kept, other),
            (left_out(other),),
        )
    yield from of_smaller_k(kept)
    most = min(2 * spec.method.max_suppression, MOST_SUPPRESSION)
    if most > spec.method.max_suppression:
        changed = with_table(kept, "method", max_suppression=most)
        edit = Way(("method", "max_suppression"), most)
        yield PolicyTrial(f"with at most {percent(most)} left out", changed, (edit,))


def left_out(name: str) -> Way:
    """Return the edit that leaves a column out of the release."""
    return Way(("columns", name, "role"), "identifier")


def of_smaller_k(words: Mapping[str, Any]) -> Iterator[PolicyTrial]:
    """Yield the policy with the next smaller k, if there is one."""
    if (smaller := with_smaller_k(words)) is not None:
        k, changed = smaller
        names = [one["name"] for one in words["models"] if one.get("k", 0) > k]
        edits = tuple(Way(("models", name, "", "k"), k) for name in names)
        yield PolicyTrial(f"with k = {k}", changed, edits)


def with_fast_search(words: Mapping[str, Any], spec: Specification) -> Words:
    """Return a policy that is searched as fast as its algorithm can."""
    if spec.algorithm.name != "local":
        return copy.deepcopy(dict(words))
    return with_table(words, "method", effort="fast")


def with_table(words: Mapping[str, Any], table: str, **said: Any) -> Words:
    """Return a policy with other words in a table."""
    changed = copy.deepcopy(dict(words))
    changed[table] = {**changed.get(table, {}), **said}
    return changed


def with_column(words: Mapping[str, Any], name: str, **said: Any) -> Words:
    """Return a policy with other words about a column."""
    changed = copy.deepcopy(dict(words))
    column = {one: value for one, value in changed["columns"][name].items() if one != "weight"}
    changed["columns"][name] = {**column, **said}
    return changed


def without_column(words: Mapping[str, Any], name: str) -> Words:
    """Return a policy that leaves a column out of the release."""
    changed = copy.deepcopy(dict(words))
    changed["columns"][name] = {"role": "identifier"}
    for column in changed["columns"].values():
        if column.get("parent") == name:
            del column["parent"]
    return changed


def with_smaller_k(words: Mapping[str, Any]) -> tuple[int, Words] | None:
    """Return the next smaller k of those that are usual, and the policy with it."""
    greatest = max((one["k"] for one in words["models"] if "k" in one), default=0)
    smaller = next((k for k in SMALLER_K if k < greatest), None)
    if smaller is None:
        return None
    changed = copy.deepcopy(dict(words))
    for model in changed["models"]:
        if "k" in model:
            model["k"] = min(model["k"], smaller)
    return smaller, changed


def remedies_of(tried_ones: Sequence[PolicyTrial]) -> str:
    """Return what would do, of the policies that were tried, in words."""
    possible = [one for one in tried_ones if one.possible]
    if not possible:
        names = ", ".join(one.change for one in tried_ones if one.possible is not None)
        return f"None of these would do: {names}." if names else ""
    said = "; ".join(
        f"{one.change}: loss {one.loss:.2g}, {percent(one.left_out)} left out" for one in possible
    )
    return f"Tried, and possible: {said}."
