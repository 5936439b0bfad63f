"""What a release adds to the history: signatures, members and groups."""

from __future__ import annotations

import numpy as np

from indistinct.history.entries import ReleasedClass, Step, Tie
from indistinct.policy.resolved import Resolved
from indistinct.publish.forms.version import Version, keeps_of
from indistinct.publish.remembered import next_cohort, tie_in_force
from indistinct.search.invariant.person_history import NOBODY, NONE


def step_of(version: Version, input_sha256: str, resolved: Resolved, n_rows: int) -> Step:
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
            if resolved.release.form == "table"
        )
        real = sum(person != NOBODY for person in people)
        shown = {version.facts.sensitive: signature}
        classes.append(ReleasedClass(label, shown, labels, real, len(values) - real))
    n_made = int(groups.counterfeits.sum())
    return Step(
        version.facts,
        version.past.base,
        input_sha256,
        resolved.sha256,
        n_rows,
        n_made,
        ended,
        ties,
        members,
        classes,
    )
