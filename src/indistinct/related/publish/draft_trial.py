"""What a drafted promise of related tables costs on some of the people."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.randomness import RandomSource
from indistinct.errors import IndistinctError
from indistinct.related.policy import RelatedPolicy
from indistinct.related.publish.search import search_related
from indistinct.related.publish.tables import RelatedTables, read_related
from indistinct.related.read_tables import key_texts
from indistinct.tables.core import Role, no_progress
from indistinct.tables.frames import Frame

PEOPLE = 1_000  # who are tried, at equal distances
MOST_PATTERNS = 1_000_000  # that are counted in some twenty seconds
SEED = 1  # figures of a trial are no release, and should be the same each time


@dataclass(frozen=True, slots=True)
class TriedPromise:
    """A promise that was tried.

    Parameters
    ----------
    m : known rows
    deleted : share of the rows that would be left out; None where the limits were not kept, or
        nothing was tried
    n_tried, n_people : people of the trial, none where nothing was tried; and of the table
    problem : what else stood in the way
    """

    m: int
    deleted: float | None
    n_tried: int
    n_people: int
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether the promise was kept within the limits."""
        return self.deleted is not None

    def sentence(self) -> str:
        """Return what came of it."""
        some = f"{self.n_tried:,} of {self.n_people:,} people"
        if self.deleted is not None:
            return f"Tried on {some}: m = {self.m} holds, {self.deleted:.1%} of the rows left out."
        if not self.n_tried:
            return f"m = {self.m} was not tried: {self.problem}."
        return f"Tried on {some}: m = {self.m} does not hold within the limits: {self.problem}."


def tried_promises(
    frames: Mapping[str, Frame], words: Mapping[str, Any], hierarchy_files: Mapping[str, str]
) -> list[TriedPromise]:
    """Try a drafted policy with m = 2, and with m = 1 where that does not hold.

    Columns that are undecided are left out of the trial, and so are tables that lead to nobody.

    Parameters
    ----------
    words : of the draft
    beside : the hierarchies that it names, by file
    """
    asked = _triable(words)
    people = asked["related"]["people"]
    if people not in frames:
        return []
    found: list[TriedPromise] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in hierarchy_files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        for m in (2, 1):
            asked["models"] = [{**asked["models"][0], "m": m}]
            found.append(_tried(frames, asked, Path(folder), m))
            if found[-1].holds:
                break
    return found


def _triable(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return a policy without what nobody has decided on yet."""
    asked = copy.deepcopy(dict(words))
    people = asked["related"]["people"]
    asked["tables"] = {
        name: table
        for name, table in asked["tables"].items()
        if name == people or table.get("references")
    }
    for table in asked["tables"].values():
        for column in table["columns"].values():
            if column["role"] == Role.UNDECIDED:
                column["role"] = Role.IDENTIFIER.value
    return asked


def _tried(
    frames: Mapping[str, Frame], words: Mapping[str, Any], folder: Path, m: int
) -> TriedPromise:
    """Search a release of some of the people."""
    n_people = frames[words["related"]["people"]].height
    n_tried = min(n_people, PEOPLE)
    try:
        policy = RelatedPolicy.from_words(words, folder)
        chance = RandomSource(SEED)
        tables = read_related(_of_some(policy, frames, n_tried), policy, chance)
        if _n_patterns(tables, m) > MOST_PATTERNS:
            return TriedPromise(m, None, 0, n_people, "people have too many rows to try it in time")
        decision = search_related(tables, no_progress, chance)
    except IndistinctError as error:
        said = error.faults[0]
        problem = ": ".join(part for part in (said.place, said.problem) if part)
        return TriedPromise(m, None, n_tried, n_people, problem)
    return TriedPromise(m, decision.deleted, n_tried, n_people)


def _n_patterns(tables: RelatedTables, m: int) -> int:
    """Return about how many patterns there are to count: rows of each person to the power of m."""
    rows = np.zeros(tables.n_units, np.int64)
    for table in tables.row_tables:
        units = table.attached.units
        rows += np.bincount(units[units >= 0], minlength=len(rows))
    return int((rows**m).sum())


def _of_some(policy: RelatedPolicy, frames: Mapping[str, Frame], n_tried: int) -> dict[str, Frame]:
    """Return some of the people, and the rows that belong to them."""
    people = frames[policy.people]
    places = np.linspace(0, people.height - 1, n_tried).astype(np.int64)
    found = {policy.people: people[np.unique(places)]}
    for name in policy.row_tables:
        is_own = np.ones(frames[name].height, np.bool_)
        is_led = np.zeros(frames[name].height, np.bool_)
        for column, above in policy.tables[name].references.items():
            known = {"", *key_texts(found[above], policy.tables[above].key or "")}
            pointers = key_texts(frames[name], column, policy.data.missing)
            is_own &= np.array([pointer in known for pointer in pointers], np.bool_)
            is_led |= np.array([pointer != "" for pointer in pointers], np.bool_)
        found[name] = frames[name][np.flatnonzero(is_own & is_led)]
    return found
