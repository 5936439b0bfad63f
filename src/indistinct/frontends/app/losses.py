"""What a release hides in most records: what would keep it, and what the last click changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indistinct.base.statements.statements import Statements, is_known
from indistinct.errors import IndistinctError, Way
from indistinct.frontends.app.number_words import percent
from indistinct.frontends.app.runs import ReleaseRun
from indistinct.frontends.app.state import AppState, settled
from indistinct.frontends.app.texts import text
from indistinct.frontends.app.ways import PolicyButton, way_label

MOST = 4.0  # importance of what matters most
LEAST_CHANGE = 0.005  # of what a column keeps, that is told


@dataclass(frozen=True, slots=True)
class HiddenLoss:
    """A column that is hidden in most records, with buttons.

    Parameters
    ----------
    column, share : the column, and the share of the records that hide it
    buttons : each keeps it, or leaves it out
    impossible : what was tried to keep it, and has no release
    """

    column: str
    share: float
    buttons: list[PolicyButton]
    impossible: list[str]


def losses_of(state: AppState, run: ReleaseRun) -> list[HiddenLoss]:
    """Return the columns that a release hides in most records."""
    hidden: Sequence[Mapping[str, Any]] = run.about.get("hidden", ())
    return [_loss(state, one) for one in hidden]


def _loss(state: AppState, hidden: Mapping[str, Any]) -> HiddenLoss:
    """Return a column that is hidden in most records."""
    least = _least(state, str(hidden["column"]), int(hidden["level"]))
    impossible = [
        _label(least, list(_edits(trial)))
        for trial in hidden["trials"]
        if trial["possible"] is False
    ]
    return HiddenLoss(hidden["column"], hidden["share"], list(_buttons(hidden, least)), impossible)


def _buttons(hidden: Mapping[str, Any], least: str) -> Iterator[PolicyButton]:
    """Yield the ways to keep a column; those that were tried say what they cost.

    Parameters
    ----------
    least : what a button says that keeps it and changes nothing else
    """
    name = str(hidden["column"])
    for trial in hidden["trials"]:
        edits = list(_edits(trial))
        # What was not tried, for want of time, is offered where nothing else changes.
        if trial["possible"] or (trial["possible"] is None and len(edits) == 1):
            yield PolicyButton.of(edits, _label(least, edits))
    yield PolicyButton.of((Way(("columns", name, "importance"), MOST),))
    yield PolicyButton.of((Way(("columns", name, "role"), "identifier"),))


def _edits(trial: Mapping[str, Any]) -> Iterator[Way]:
    """Yield the edits of a trial with what it found; the first one keeps the column."""
    for edit in trial["edits"]:
        yield Way(tuple(edit["place"]), edit["value"], trial["possible"], *_found(trial))


def _label(least: str, edits: Sequence[Way]) -> str:
    """Return in words what a trial changes."""
    return "; ".join([least, *map(way_label, edits[1:])])


def _found(trial: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the loss of a trial, and the share of the records that it leaves out."""
    return trial["loss"], trial["left_out"]


def _least(state: AppState, name: str, level: int) -> str:
    """Return what a button says that keeps a column at a level, with a label of the level."""
    project = state.opened()
    try:
        policy = project.policy()
        found = settled(state.looks.levels(project.source, project.reading, policy, name))
    except IndistinctError:
        found = None
    if found is None or not 0 < level < found.hierarchy.n_levels:
        return text("mend.max_level", name=name, value=level)
    label = found.hierarchy.labels[level][int(found.counts[level].argmax())]
    return text("mend.least", name=name, level=level, label=label)


@dataclass(frozen=True, slots=True)
class RunChange:
    """What a search after one edit changed, beside the run before.

    Parameters
    ----------
    before, after : information kept by both
    columns : of each column that changed, its name and both shares
    """

    before: str
    after: str
    columns: list[tuple[str, str, str]]


def change_of(state: AppState, run: ReleaseRun) -> RunChange | None:
    """Compare a run with that of the policy before; None where this was not searched for."""
    project = state.opened()
    number = project.history.back()
    if number is None:
        return None
    fingerprint = project.fingerprint(project.at(number)[0])
    found = [one for one in state.runs() if one.fingerprint == fingerprint]
    if not found or found[0].number == run.number:
        return None
    (share, old), (new_share, new) = _kept(found[0]), _kept(run)
    changed = [
        (name, percent(old[name]), percent(new[name]))
        for name in new
        if name in old and abs(new[name] - old[name]) > LEAST_CHANGE
    ]
    return RunChange(share, new_share, changed)


def _kept(run: ReleaseRun) -> tuple[str, dict[str, float]]:
    """Return what a run keeps, in all and per column, as it is stated."""
    kept = Statements.read(run.document["statements"]).kept
    share, columns = kept["share"], kept.get("columns", {})
    shares = {name: float(one) for name, one in columns.items() if is_known(one)}
    return percent(share if is_known(share) else None), shares
