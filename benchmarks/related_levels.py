"""What it costs that a diagnosis has the date of its visit: one table of events, or two levels.

    python benchmarks/related_levels.py

Made up are 3,000 patients with visits and diagnoses. In the one table every diagnosis has a date of
its own; with two levels it has that of its visit, whose key is hidden or released. Then come the
shares of the people whom 0, 1, ... exact events find in the one table, before and after.
"""

from __future__ import annotations

import random
import time
from datetime import date, timedelta
from typing import Any

import polars as pl

import indistinct as ind
from indistinct.related.attack import RelatedTarget, success_by_events

PATIENTS, MOST_KNOWN = 3_000, 4
CHAPTERS = "ABCDEFGHIJ"
CODES = [f"{chapter}{number}" for chapter in CHAPTERS for number in range(20)]
WEIGHTS = [1 / (place % 20 + 1) / (1 + CHAPTERS.index(code[0])) for place, code in enumerate(CODES)]
FIRST_DAY, N_DAYS = date(2018, 1, 1), 1_095
KINDS = {
    "one table": None,
    "visits, keys hidden": False,
    "visits, keys released": True,
}


def levels(seed: int = 1) -> dict[str, pl.DataFrame]:
    """Draw patients, visits, diagnoses of visits, and the same with dates of their own."""
    chance = random.Random(seed)

    def day() -> date:
        return FIRST_DAY + timedelta(days=chance.randrange(N_DAYS))

    patients: list[tuple[Any, ...]] = []
    visits: list[tuple[Any, ...]] = []
    diagnoses: list[tuple[Any, ...]] = []
    events: list[tuple[Any, ...]] = []
    for patient in range(PATIENTS):
        patients.append((patient, chance.choice("fm"), 1930 + chance.randrange(80)))
        usual = chance.choices(CODES, WEIGHTS, k=2)
        for _ in range(min(12, int(chance.expovariate(1 / 1.2)) + 1)):
            visit = len(visits)
            visits.append((visit, day(), patient))
            for _ in range(1 + min(5, int(chance.expovariate(1 / 1.4)))):
                drawn = chance.choices(CODES, WEIGHTS)[0]
                code = chance.choice(usual) if chance.random() < 1 / 2 else drawn
                diagnoses.append((code, visit))
                events.append((code, day(), patient))
    schemas = {
        "patients": (patients, ["pid", "sex", "born"]),
        "visits": (visits, ["vid", "day", "pid"]),
        "diagnoses": (diagnoses, ["code", "vid"]),
        "events": (events, ["code", "day", "pid"]),
    }
    return {
        name: pl.DataFrame(rows, schema=columns, orient="row")
        for name, (rows, columns) in schemas.items()
    }


def policy(m: int, *, release_key: bool | None) -> dict[str, Any]:
    """Return a policy of one table, or of two levels."""
    tree = {one: [code for code in CODES if code[0] == one] for one in CHAPTERS}
    code = {"code": {"role": "quasi-identifier", "hierarchy": {"tree": tree}}}
    day = {
        "day": {"role": "quasi-identifier", "hierarchy": {"dates": ["month", "quarter", "year"]}}
    }
    born = {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20, 40]}}
    tables: dict[str, Any] = {
        "patients": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}, "born": born}}
    }
    if release_key is None:
        tables["events"] = {"references": {"pid": "patients"}, "columns": {**code, **day}}
    else:
        tables["visits"] = {
            "key": "vid",
            "release_key": release_key,
            "references": {"pid": "patients"},
            "columns": day,
        }
        tables["diagnoses"] = {"references": {"vid": "visits"}, "columns": code}
    return {
        "related": {"people": "patients"},
        "tables": tables,
        "models": [{"name": "joint-anonymity", "k": 5, "m": m}],
        "method": {"max_deleted": 0.1},
    }


def print_curves(frames: dict[str, pl.DataFrame]) -> None:
    """Print how often known events find people, before and after."""
    own = {name: frames[name] for name in ("patients", "events")}
    for m in (1, 2):
        words = policy(m, release_key=None)
        release = ind.anonymize(own, words, seed=1)
        target = RelatedTarget(release.tables, own, release.crosswalk)
        curve = success_by_events(target, ind.RelatedPolicy.from_words(words), MOST_KNOWN, 1)
        print(f"m = {m}: {[(round(before, 2), round(after, 2)) for before, after in curve]}")


def main() -> None:
    """Print the rows of a table: losses, rows left out, classes and processor seconds."""
    frames = levels()
    print({name: frame.height for name, frame in frames.items()})
    ind.anonymize(
        {name: frames[name] for name in ("patients", "events")}, policy(1, release_key=None)
    )
    for m in (1, 2):
        for kind, release_key in KINDS.items():
            words = policy(m, release_key=release_key)
            began = time.process_time()
            release = ind.anonymize({name: frames[name] for name in words["tables"]}, words, seed=1)
            seconds = time.process_time() - began
            related = release.manifest["related"]
            losses = {
                name: x for one in related["tables"].values() for name, x in one["loss"].items()
            }
            deleted = related["tables"]["events" if release_key is None else "diagnoses"]["deleted"]
            print(
                f"| m = {m}, {kind} | {losses['code']:.2f} | {losses['day']:.2f} | {deleted:.0%} | "
                f"{related['classes']} | {seconds:.0f} |",
                flush=True,
            )
    print_curves(frames)


if __name__ == "__main__":
    main()
