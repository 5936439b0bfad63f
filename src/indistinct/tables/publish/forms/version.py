"""A version of a table that is released again, once its people are grouped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.history.entries import Past, ReleasedClass, Step, TableFacts, Tie
from indistinct.tables.policy.sections.history import HistoryPolicy
from indistinct.tables.policy.specification import Specification
from indistinct.tables.publish.remembered import next_cohort, tie_in_force
from indistinct.tables.search.invariant.person_history import NOBODY, NONE, PersonHistory
from indistinct.tables.search.invariant.republication import Grouped


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the table, grouped.

    Parameters
    ----------
    prepared : the counted table
    people : (n_people,), code of each person in the history
    person_history : what earlier releases demanded
    texts : the sensitive values by code
    found : the groups
    numbers : (n_groups,), the number that each group is published under
    past, facts : the history
    words : what the policy says of it
    seconds : that the search took
    """

    prepared: Prepared
    people: tuple[bytes, ...]
    person_history: PersonHistory
    texts: tuple[str, ...]
    found: Grouped
    numbers: Ints
    past: Past
    facts: TableFacts
    words: HistoryPolicy
    seconds: float

    __repr__ = short_repr

    @property
    def column(self) -> str:
        """The sensitive column."""
        return self.facts.sensitive or ""


def recoding_of(version: Version) -> Recoding:
    """Return which group each person joined; those who are left out are a class of their own."""
    groups = version.found.groups
    labels = np.full(version.person_history.n_people, groups.n_groups, np.int32)
    real = groups.members != NOBODY
    labels[groups.members[real]] = groups.owners[real]
    is_released = np.arange(groups.n_groups + 1) < groups.n_groups
    cells: Codes = np.vstack([version.found.cells, version.found.cells[:1]])
    return Recoding(
        version.prepared.tuple_of_row,
        labels,
        np.ones(len(labels), np.int64),
        cells.astype(np.int32),
        is_released,
        version.found.domains,
    )


def keeps_of(version: Version) -> Bools:
    """Return who keeps the signature, and with fixed companions the cohort: (n_people,)."""
    if version.words.companions == "mixed":
        return version.person_history.in_signature
    kept = np.zeros(version.person_history.n_people, np.bool_)
    for cohort in version.person_history.cohorts:
        kept[[member for member in cohort.members if member != NOBODY]] = True
    return kept


def step_of(version: Version, input_sha256: str, spec: Specification, n_rows: int) -> Step:
    """Return what the release adds to the history."""
    groups, texts = version.found.groups, version.texts
    fixed = version.words.companions == "fixed"
    kept = keeps_of(version)
    number, first_free = version.past.base + 1, next_cohort(version.past)
    cohorts = np.where(
        groups.cohorts == NONE, first_free + np.cumsum(groups.cohorts == NONE) - 1, groups.cohorts
    )
    ended: list[bytes] = []
    ties: list[tuple[bytes, Tie]] = []
    members: list[tuple[bytes, int]] = []
    classes: list[ReleasedClass] = []
    for group in range(groups.n_groups):
        run = slice(int(groups.starts[group]), int(groups.starts[group + 1]))
        values: list[int] = groups.values[run].tolist()
        people: list[int] = groups.members[run].tolist()
        signature = tuple(sorted(texts[value] for value in values))
        label = int(version.numbers[group])
        for value, person in zip(values, people, strict=True):
            if person == NOBODY:
                continue
            code = version.people[person]
            members.append((code, label))
            if kept[person]:
                continue
            if tie_in_force(version.past.ties.get(code, ())) is not None:
                ended.append(code)
            cohort = int(cohorts[group]) if fixed else None
            own = texts[value] if fixed else None
            ties.append((code, Tie(signature, number, None, cohort, own)))
        cells: list[int] = version.found.cells[group].tolist()
        # Two linked tables show the cells of people, and none of a group.
        labels = tuple(
            domain.labels[cell]
            for domain, cell in zip(version.found.domains, cells, strict=True)
            if spec.release.form == "table"
        )
        real = sum(person != NOBODY for person in people)
        shown = {version.facts.sensitive: signature}
        classes.append(ReleasedClass(label, shown, labels, real, len(values) - real))
    n_made = int(groups.counterfeits.sum())
    return Step(
        version.facts,
        version.past.base,
        input_sha256,
        spec.sha256,
        n_rows,
        n_made,
        ended,
        ties,
        members,
        classes,
    )
