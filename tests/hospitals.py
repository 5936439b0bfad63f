"""Made-up hospitals: people with events, and every attacker on them, for related tables."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import polars as pl

CHAPTERS = "EIJ"
CODES = [f"{chapter}{number}" for chapter in CHAPTERS for number in range(4)]
TREE = {chapter: [code for code in CODES if code[0] == chapter] for chapter in CHAPTERS}


def policy(k: int = 2, m: int | str = 2, **said: Any) -> dict[str, Any]:
    """Return a policy of patients and their events."""
    return {
        "related": {"people": "patients"},
        "tables": {
            "patients": {
                "key": "pid",
                "columns": {"sex": {"role": "quasi-identifier"}, "ward": {"role": "insensitive"}},
            },
            "events": {
                "key": "eid",
                "references": {"pid": "patients"},
                "columns": {
                    "code": {"role": "quasi-identifier", "hierarchy": {"tree": TREE}},
                    "day": {
                        "role": "quasi-identifier",
                        "hierarchy": {"dates": ["month", "quarter", "year"]},
                    },
                    "cost": {"role": "insensitive"},
                },
            },
        },
        "models": [{"name": "joint-anonymity", "k": k, "m": m}],
        "method": {"max_deleted": 1.0},
        **said,
    }


def hospital(
    seed: int, n_units: int = 12, most: int = 4, n_codes: int = 12
) -> dict[str, pl.DataFrame]:
    """Draw patients and their events in a random order."""
    chance = random.Random(seed)
    patients = [(f"p{n}", chance.choice("fm"), chance.choice("abc")) for n in range(n_units)]
    chance.shuffle(patients)
    events = [
        (
            chance.choice(CODES[:n_codes]),
            f"20{chance.choice([20, 21])}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}",
            chance.randrange(1000),
            pid,
        )
        for pid, _, _ in patients
        for _ in range(chance.randint(0, most))
    ]
    chance.shuffle(events)
    numbered = [(f"e{n * 37 % 1009}", *event) for n, event in enumerate(events)]
    return {
        "patients": pl.DataFrame(patients, schema=["pid", "sex", "ward"], orient="row"),
        "events": pl.DataFrame(
            numbered, schema=["eid", "code", "day", "cost", "pid"], orient="row"
        ),
    }


def histories(tables: Mapping[str, pl.DataFrame]) -> dict[Any, tuple[str, list[tuple[str, str]]]]:
    """Return the class of each unit, and the labels of its rows, by its key."""
    found = {pid: (sex, []) for sex, pid in tables["patients"].select("sex", "pid").rows()}
    for code, day, pid in tables["events"].select("code", "day", "pid").rows():
        found[pid][1].append((code, day))
    return found


def least_alike(tables: Mapping[str, pl.DataFrame], m: int) -> int:
    """Count for every unit and up to m of its rows those who have as many different ones alike."""
    return least_alike_units(list(histories(tables).values()), m)


def least_alike_units(units: Sequence[tuple[Any, Sequence[Any]]], m: int) -> int:
    """Count the same of units with their classes and rows."""
    return min(
        sum(kind == other and _has(rows, part) for other, rows in units)
        for kind, own in units
        for size in range(m + 1)
        for part in combinations(own, size)
    )


def _has(rows: Sequence[Any], part: Sequence[Any]) -> bool:
    """Return whether different rows are equal to each of some rows."""
    return any(list(chosen) == list(part) for chosen in permutations(rows, len(part)))


def covers(label: tuple[str | None, str | None], event: tuple[str, str]) -> bool:
    """Return whether the cells of a row may stand for an event."""
    code, day = label
    month = int(event[1][5:7])
    periods = {event[1], event[1][:7], f"{event[1][:4]}-Q{(month + 2) // 3}", event[1][:4], "*"}
    return code in {event[0], event[0][0], "*"} and day in periods


def successes(
    before: Mapping[str, pl.DataFrame],
    after: Mapping[str, pl.DataFrame],
    people: Sequence[int],
    m: int,
) -> Iterator[float]:
    """Let everybody who knows the static cells and up to m events of a person guess who it is.

    Parameters
    ----------
    people : the row of the input behind each released unit
    """
    true = histories(before)
    released = list(histories(after).values())
    keys = before["patients"]["pid"].to_list()
    for place, row in enumerate(people):
        sex, events = true[keys[row]]
        for size in range(m + 1):
            for known in combinations(events, size):
                scores = [
                    _score(rows, known) if kind in {sex, "*"} else -1 for kind, rows in released
                ]
                best = max(scores)
                yield (scores[place] == best) / scores.count(best)


def _score(rows: Sequence[Any], known: Sequence[Any]) -> int:
    """Return how many known events fit different rows at most."""
    for size in range(len(known), 0, -1):
        for part in combinations(known, size):
            for chosen in permutations(rows, size):
                if all(covers(label, event) for label, event in zip(chosen, part, strict=True)):
                    return size
    return 0
