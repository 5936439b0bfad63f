"""Tables that change, their releases, and what plain loops and whole enumerations say of them."""

from __future__ import annotations

import csv
import itertools
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import indistinct as ind
from indistinct.tables.history.entries import ReleaseState
from indistinct.tables.history.writing import opened
from indistinct.tables.publish.anonymization import draft_release

VALUES = ("flu", "HIV", "ulcer", "asthma", "gout", "lupus", "mumps", "polio", "rabies", "zoster")


def policy_of(m=2, form="table", **history):
    """Return a policy of m-invariance over the tables made here."""
    return ind.Policy.from_words(
        {
            "columns": {
                "id": {"role": "identifier"},
                "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
                "sex": {"role": "quasi-identifier"},
                "note": {"role": "insensitive"},
                "ill": {"role": "sensitive"},
            },
            "models": [{"name": "m-invariance", "column": "ill", "m": m}],
            "history": {"person": "id", "max_counterfeits": 9.0, **history},
            "method": {"algorithm": "invariant", "effort": "fast"},
            "release": {"form": form},
        }
    )


def table(people):
    """Make a version: ``people`` gives person, age and illness."""
    rows = sorted(people)
    return pl.DataFrame(
        {
            "id": [f"Quetzal{who}" for who, _, _ in rows],
            "age": [age for _, age, _ in rows],
            "sex": ["mf"[who % 2] for who, _, _ in rows],
            "note": [f"n{who % 3}" for who, _, _ in rows],
            "ill": [ill for _, _, ill in rows],
        },
        schema_overrides={"age": pl.Int64},
    )


def changing(seed, *, size, steps, n_values, moves=0.25, changes=0.1):
    """Make up versions in which people come, leave, return, grow older and fall ill otherwise."""
    chance = random.Random(seed)
    values = VALUES[:n_values]
    ages, ills = {}, {}
    present, following = set(), 0
    for step in range(steps):
        if step:
            present -= set(chance.sample(sorted(present), int(moves * len(present))))
        away = sorted(set(ages) - present)
        for who in away:
            if chance.random() < 0.3:
                present.add(who)
        while len(present) < size:
            ages[following] = chance.randint(20, 60)
            ills[following] = values[following % n_values]
            present.add(following)
            following += 1
        if step:
            for who in sorted(present):
                ages[who] += chance.random() < 0.1
                if chance.random() < changes:
                    ills[who] = chance.choice(values)
        yield table((who, ages[who], ills[who]) for who in present)


@dataclass(frozen=True)
class Group:
    """A published group as its owner knows it."""

    members: tuple[bytes, ...]
    values: tuple[str, ...]
    counterfeits: int


def planned(frame, policy, path, seed=1):
    """Plan a release, and note it in the history without writing or verifying a file."""
    draft = draft_release(frame, policy, history=path, seed=seed)
    step = draft._held.remembered.held.step
    with opened(path, create=True) as history:
        history.commit(step, "0" * 64, "nowhere")
        history.publish(step.number)
    return draft


def groups_of(path):
    """Return the groups of every release of a history, oldest first."""
    found = []
    with opened(path) as history:
        for made in history.releases():
            if made.state is ReleaseState.WITHDRAWN:
                continue
            members = defaultdict(list)
            for person, number in history.members(made.number).items():
                members[number].append(person)
            found.append(
                [
                    Group(tuple(sorted(members[number])), shown.values["ill"], shown.counterfeits)
                    for number, shown in sorted(history.classes(made.number).items())
                ]
            )
    return found


def linked_groups(draft, frame):
    """Return the groups that two linked tables show, to somebody who knows whose each row is."""
    members, values = defaultdict(list), defaultdict(list)
    for row, group in zip(draft.crosswalk.tolist(), draft.frame["group"].to_list(), strict=True):
        members[group].append(frame["id"][row].encode())
    for group, value, count in draft.sensitive.iter_rows():
        values[group] += [value] * count
    made = dict(draft.counterfeits.iter_rows())
    return [
        Group(tuple(sorted(members[group])), tuple(sorted(values[group])), made.get(group, 0))
        for group in sorted(values)
    ]


def worlds(releases):  # noqa: C901 - an enumeration is one piece
    """Enumerate who may have had which values, by the published groups and the promise alone.

    A person has one value as long as its groups show the same values; when these change, the new
    value was not among the old ones. In each group all values differ.

    Yields
    ------
    per person, the value in each of its runs of releases with the same signature
    """
    runs = defaultdict(list)  # person: signatures, one after the other
    seats = defaultdict(list)  # release and group: person and run
    for number, groups in enumerate(releases):
        for place, group in enumerate(groups):
            for person in group.members:
                if not runs[person] or runs[person][-1] != group.values:
                    runs[person].append(group.values)
                seats[number, place].append((person, len(runs[person]) - 1))
    variables = [(person, run) for person in sorted(runs) for run in range(len(runs[person]))]
    rivals = defaultdict(set)
    for seated in seats.values():
        for one, other in itertools.permutations(seated, 2):
            rivals[one].add(other)

    def extend(chosen, left):
        if not left:
            yield dict(chosen)
            return
        person, run = left[0]
        for value in runs[person][run]:
            if run and any(value in earlier for earlier in runs[person][:run]):
                continue
            if any(chosen.get(rival) == value for rival in rivals[person, run]):
                continue
            chosen[person, run] = value
            yield from extend(chosen, left[1:])
            del chosen[person, run]

    yield from extend({}, variables)


def chances(releases, prior=None):
    """Give, per person and run, the chance of the likeliest value over all worlds.

    Parameters
    ----------
    prior : chance of each value for anybody, on which worlds are weighed; all alike when left out
    """
    total = 0.0
    weights = defaultdict(float)
    for world in worlds(releases):
        weight = 1.0
        for value in world.values() if prior else ():
            weight *= prior[value]
        total += weight
        for variable, value in world.items():
            weights[variable, value] += weight
    found = defaultdict(float)
    for (variable, _), weight in weights.items():
        found[variable] = max(found[variable], weight / total)
    return dict(found)


def released(frame, policy, folder: Path, number, **more):
    """Anonymize and write a release into a folder with a history; give its path."""
    path = folder / f"release {number}.csv"
    ind.anonymize(frame, policy, history=folder / "history.db", seed=7).write(path, **more)
    return path


def check_signatures(signatures, ills, had, was, companions):
    """Check that people keep their signature, or get one that shares no value with earlier ones.

    Parameters
    ----------
    signatures, ills : per person of a release, the values of the group, and the own one
    had, was : per person, the signatures and the value of earlier releases; brought up to date
    """
    for person, signature in signatures.items():
        keeps = had[person] and ills[person] in had[person][-1]
        if keeps and (companions == "mixed" or was[person] == ills[person]):
            assert signature == had[person][-1]
        else:
            assert not any(signature & earlier for earlier in had[person])
            had[person].append(signature)
        was[person] = ills[person]


def rows_of(path):
    """Read a text file with a header."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
