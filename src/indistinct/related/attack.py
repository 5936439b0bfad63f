"""Attack released tables about the same people, whose input and crosswalk are at hand."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any

import numpy as np

from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.base.success import SuccessRate, success_rate
from indistinct.errors import DataError, Fault
from indistinct.related.policy import RelatedPolicy
from indistinct.related.read_tables import as_read, key_texts, read_tables
from indistinct.related.verify.input import crosswalk_rows
from indistinct.related.verify.lengths import with_true_lengths
from indistinct.related.verify.rows import flattened, units_of
from indistinct.related.verify.truth import TrueLinks
from indistinct.tables.core import days_within
from indistinct.tables.evaluation import (
    KnownEventsAttack,
    Outcome,
    Suspects,
)
from indistinct.tables.policy import ColumnRule
from indistinct.tables.verification import HIDDEN, Renderer, texts_as_read

MOST_CHOICES = 60  # sets of events among which the worst one is looked for
MOST_FURTHER = 200  # people on whom more events than m are tried
FURTHER = 2  # events beyond those of the promise
FEW = 2  # events that are known at first, where all of them may be
Event = tuple[tuple[str, ...], tuple[str, ...]]  # the tables of a row and of those above; cells
PersonProfile = tuple[
    tuple[str, ...], tuple[int, ...]
]  # the cells of a person, and the numbers of rows


@dataclass(frozen=True, slots=True)
class Register:
    """Tables of people and events, as an attacker sees them.

    Parameters
    ----------
    people : the cells of each person
    events : the events, or released labels, of each person
    numbers : the rows of each person in each table, where they are known; else nothing
    """

    people: Sequence[tuple[str, ...]]
    events: Sequence[Sequence[Event]]
    numbers: Sequence[tuple[int, ...]]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How cells and known values are compared.

    Parameters
    ----------
    of_table : per table, the rule and the cells of each quasi-identifier
    days : by which a known date may be off
    """

    of_table: Mapping[str, Sequence[tuple[ColumnRule, Renderer]]]
    days: int

    __repr__ = short_repr

    def rules(self, tables: Sequence[str]) -> list[tuple[ColumnRule, Renderer]]:
        """Return the rules of the quasi-identifiers of some tables, one after another."""
        return [rule for table in tables for rule in self.of_table[table]]

    def fits(self, label: Event, event: Event) -> bool:
        """Return whether released cells may stand for an event."""
        return label[0] == event[0] and self.covers(label[0], label[1], event[1])

    def covers(self, tables: Sequence[str], shown: Sequence[str], known: Sequence[str]) -> bool:
        """Return whether released cells of some tables may stand for known values."""
        pairs = zip(self.rules(tables), shown, known, strict=True)
        return all(self._covers(*rule, cell, value) for rule, cell, value in pairs)

    def _covers(self, rule: ColumnRule, cells: Renderer, cell: str, value: str) -> bool:
        """Return whether a cell may stand for a value; of a date, for one within the tolerance."""
        if cell in {value, HIDDEN}:
            return True
        if not self.days or rule.hierarchy is None or rule.hierarchy.dates is None or not value:
            return cells.is_below(cell, value)
        shown, known = days_within(cell), days_within(value)
        if shown is None or known is None:
            return False
        return shown[0] <= known[1] + self.days and known[0] - self.days <= shown[1]


@dataclass(frozen=True, slots=True)
class RelatedTarget:
    """A release that is attacked, and the tables before it.

    Parameters
    ----------
    release, original : of the tables, folders or frames
    crosswalk : the folder of the crosswalk, or the rows of the input per table
    """

    release: Any
    original: Any
    crosswalk: Any

    __repr__ = short_repr


def attack_related(
    attack: KnownEventsAttack,
    target: RelatedTarget,
    policy: RelatedPolicy,
    *,
    seed: int | None,
    confidence: float,
) -> Outcome:
    """Try to find people of released tables by events that somebody knows.

    Raises
    ------
    DataError
        when the original or the crosswalk is missing, or does not fit
    """
    found = _attempts(attack, target, policy, seed)
    drawn: list[int] = found.chance.permutation(len(found.rows))[: attack.attempts].tolist()
    ties, successes = found.on(drawn, attack.m)
    some = drawn[:MOST_FURTHER]
    details = {
        "k": policy.model.k,
        "below_k": float(np.mean(np.array(ties) < policy.model.k)) if ties else 0.0,
        **{f"m+{more}": _mean(found.on(some, attack.m + more)) for more in (1, 2)},
        "original": _mean(found.before_release(some, attack.m)),
    }
    rate: SuccessRate = success_rate(sum(successes), len(successes), confidence)
    return Outcome(attack.name, rate, details=details)


def most_events(known_rows: int | None) -> int:
    """Return how many known events a curve shows: two more than are promised, or a few of all."""
    return (known_rows or FEW) + FURTHER


def success_by_events(
    target: RelatedTarget, policy: RelatedPolicy, most: int, seed: int | None = None
) -> list[tuple[float, float]]:
    """Return how often exact events find people before and after, for 0, 1, ... known events.

    Parameters
    ----------
    most : events that are known at most
    """
    found = _attempts(KnownEventsAttack(), target, policy, seed)
    some: list[int] = found.chance.permutation(len(found.rows))[:MOST_FURTHER].tolist()
    return [
        (_mean(found.before_release(some, size)), _mean(found.on(some, size)))
        for size in range(most + 1)
    ]


def _mean(found: tuple[Sequence[int], Sequence[float]]) -> float:
    """Return the mean success of some attempts."""
    return float(np.mean(found[1])) if found[1] else 0.0


def _attempts(
    attack: KnownEventsAttack, target: RelatedTarget, policy: RelatedPolicy, seed: int | None
) -> EventAttempts:
    """Read what is attacked, and the truth."""
    for place in ("original", "crosswalk"):
        if getattr(target, place) is None:
            raise DataError(
                [Fault(f"--{place}", "is missing", "Known events are those of people.")]
            )
    flat = policy.flat_tables()
    read, _ = read_tables(target.original, policy, flat)
    true = with_true_lengths(policy, {name: one.frame for name, one in read.items()})
    before = _before(policy, true)
    shown = {name: one.frame for name, (one, _) in as_read(target.release).items()}
    after = _after(policy, shown)
    rows = crosswalk_rows(target.crosswalk, policy.people, len(after.people), len(before.people))
    own = {
        name: [(rule, Renderer.of(rule)) for rule in one.class_rules] for name, one in flat.items()
    }
    chance = np.random.default_rng(RandomSource(seed).words(4))
    known = Knowledge(own, attack.days)
    return EventAttempts(attack, before, after, rows, known, policy.people, chance)


def _before(policy: RelatedPolicy, frames: Mapping[str, Any]) -> Register:
    """Return people and their events in the tables before the release, with the rows above them."""
    people = policy.people
    events: list[list[Event]] = [[] for _ in range(len(frames[people]))]
    rows = {name: _rows(frames[name], policy.quasi_identifiers(name)) for name in policy.tables}
    links = TrueLinks.of(policy, frames)
    for name in policy.row_tables:
        for row, own in enumerate(rows[name]):
            *others, (_, unit) = links.line(name, row).items()
            if unit >= 0:
                tables = (name, *(above for above, _ in others))
                cells = (cell for above, place in others for cell in rows[above][place])
                events[unit].append((tables, (*own, *cells)))
    return _register(policy, rows[people], events)


def _after(policy: RelatedPolicy, frames: Mapping[str, Any]) -> Register:
    """Return released people and the labels of their rows, with the cells of the rows above."""
    units, _ = units_of(policy, {name: texts_as_read(frame) for name, frame in frames.items()})
    cells = _rows(texts_as_read(frames[policy.people]), policy.quasi_identifiers(policy.people))
    return _register(
        policy, cells, [[flattened(row.label) for row in rows] for _, rows, _ in units]
    )


def _register(
    policy: RelatedPolicy, people: Sequence[tuple[str, ...]], events: Sequence[Sequence[Event]]
) -> Register:
    """Return people with their events, and with their numbers of rows where these are known."""
    if policy.related.rows == "free":
        return Register(people, events, [()] * len(people))
    counts = [Counter(tables[0] for tables, _ in own) for own in events]
    numbers = [tuple(one[name] for name in policy.row_tables) for one in counts]
    return Register(people, events, numbers)


def _rows(frame: Any, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cells of some columns as texts."""
    if not names:
        return [()] * len(frame)
    return list(zip(*(key_texts(frame, name) for name in names), strict=True))


@dataclass(frozen=True, slots=True)
class EventAttempts:
    """EventAttempts to find people in a release.

    Parameters
    ----------
    attack : its parameters
    before, after : the truth, and what is attacked
    rows : the person of the truth behind each released one
    known : how they are compared
    people : the table of people
    chance : draws events, and errors
    """

    attack: KnownEventsAttack
    before: Register
    after: Register
    rows: Sequence[int]
    known: Knowledge
    people: str
    chance: np.random.Generator

    __repr__ = short_repr

    def on(self, targets: Sequence[int], m: int) -> tuple[list[int], list[float]]:
        """Return for each person the candidates with the best score, and the success."""
        labels: dict[Event, int] = {}
        histories = [
            [labels.setdefault(event, len(labels)) for event in own] for own in self.after.events
        ]
        kinds = list(zip(self.after.people, self.after.numbers, strict=True))
        classes = dict(Suspects.by_class(kinds, histories))
        weights = self._weights()
        fitting: dict[Event, frozenset[int]] = {}
        ties: list[int] = []
        successes: list[float] = []
        for target in targets:
            truth = self.rows[target]
            suspects = self._suspects(
                classes, self.before.people[truth], self.after.numbers[target]
            )
            best: tuple[float, int] | None = None
            for events in self._choices(truth, m):
                for event in events:
                    if event not in fitting:
                        own = (n for one, n in labels.items() if self.known.fits(one, event))
                        fitting[event] = frozenset(own)
                _, found = suspects.best(
                    [fitting[event] for event in events], [weights[event] for event in events]
                )
                success = (target in found) / max(len(found), 1)
                best = max(best or (success, -len(found)), (success, -len(found)))
            if best is not None:
                successes.append(best[0])
                ties.append(-best[1])
        return ties, successes

    def before_release(self, targets: Sequence[int], m: int) -> tuple[list[int], list[float]]:
        """Return what the same attempts find in the tables before the release."""
        themselves = replace(self, after=self.before, rows=range(len(self.before.people)))
        return themselves.on([self.rows[target] for target in targets], m)

    def _suspects(
        self,
        classes: Mapping[PersonProfile, Suspects],
        known: tuple[str, ...],
        numbers: tuple[int, ...],
    ) -> Suspects:
        """Return the people whose released cells may be those of a person, with as many rows."""
        fitting = [
            one
            for (shown, own), one in classes.items()
            if own == numbers and self.known.covers([self.people], shown, known)
        ]
        if len(fitting) == 1:
            return fitting[0]
        together: dict[tuple[int, ...], list[int]] = {}
        for one in fitting:
            for history, people in one.histories.items():
                together.setdefault(history, []).extend(people)
        return Suspects(together)

    def _weights(self) -> dict[Event, float]:
        """Return the weight of each event: the fewer people have its code, the more."""
        having: dict[Hashable, set[int]] = {}
        for person, own in enumerate(self.before.events):
            for event in own:
                having.setdefault(self._code(event), set()).add(person)
        return {
            event: 1 / math.log1p(len(having[self._code(event)]))
            for own in self.before.events
            for event in own
        }

    def _code(self, event: Event) -> Hashable:
        """Return an event without its dates."""
        tables, values = event
        kept = [
            value
            for (rule, _), value in zip(self.known.rules(tables), values, strict=True)
            if rule.hierarchy is None or rule.hierarchy.dates is None
        ]
        return tables, tuple(kept)

    def _choices(self, truth: int, m: int) -> list[list[Event]]:
        """Return the events that are known: of the worst choice, all that are tried."""
        own = list(self.before.events[truth])
        if self.attack.item_choice == KnownEventsAttack.EXACT:
            return [own[:MOST_EVENTS]]
        size = min(m, len(own))
        order: list[int] = self.chance.permutation(len(own)).tolist()
        mixed = [own[place] for place in order]
        if self.attack.item_choice == KnownEventsAttack.RANDOM:
            return [[self._perhaps_wrong(event) for event in mixed[:size]]]
        return [list(one) for one in islice(combinations(mixed, size), MOST_CHOICES)]

    def _perhaps_wrong(self, event: Event) -> Event:
        """Return an event of somebody else with the chance of an error."""
        if self.chance.random() >= self.attack.errors:
            return event
        with_events = [own for own in self.before.events if own]
        other = with_events[int(self.chance.integers(len(with_events)))]
        return other[int(self.chance.integers(len(other)))]


MOST_EVENTS = 5  # that are matched at once
