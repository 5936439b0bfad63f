"""A table that changes and is released again: loss, counterfeits and time on versions of Adult.

    python benchmarks/republication.py --people 3000 --releases 6 --effort fast
    python benchmarks/republication.py --kinds few,fixed --seeds 5
    python benchmarks/republication.py --composition

Each step 5 % of the people leave and as many come, former ones among them; 1 % get a year older,
and 1 % draw a new occupation by its shares. The sensitive column is occupation, m is 4. One line of
JSON per run, and with several seeds one more with means and standard deviations; --composition
measures instead what two 5-anonymous releases tell together.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind
from public_data import PUBLIC, needed

ADULT = Path(os.environ.get("ADULT", PUBLIC / "adult"))
SENSITIVE = "occupation"
PERSON = "person"
OLDEST = 90
RUNS = {
    "few": {"companions": "mixed", "signatures": "few"},
    "free": {"companions": "mixed", "signatures": "free"},
    "fixed": {"companions": "fixed"},
}


def adult(folder: Path = ADULT) -> pl.DataFrame:
    """Read Adult, with a number for each person."""
    frame = pl.read_csv(folder / "adult.csv", separator=";")
    return frame.with_row_index(PERSON).with_columns(pl.col(PERSON).cast(pl.Int64))


def policy_of(models: list[dict], method: dict, history: dict, folder: Path = ADULT) -> ind.Policy:
    """Make the policy of Adult's eight quasi-identifiers."""
    columns = {
        name: {
            "role": "quasi-identifier",
            "hierarchy": {"csv": str(folder / f"adult_hierarchy_{name}.csv"), "separator": ";"},
        }
        for name in adult(folder).columns
        if name not in {PERSON, SENSITIVE}
    }
    columns |= {PERSON: {"role": "identifier"}, SENSITIVE: {"role": "sensitive"}}
    return ind.Policy.from_words(
        {
            "columns": columns,
            "models": models,
            "method": method,
            "history": {"person": PERSON, **history},
        }
    )


def versions(people: pl.DataFrame, size: int, steps: int, seed: int) -> Iterator[pl.DataFrame]:
    """Make up how a table of Adult's people changes."""
    chance = np.random.default_rng(seed)
    shares = people[SENSITIVE].to_numpy()
    present = chance.permutation(people.height)[:size]
    ages = people["age"].to_numpy().copy()
    values = shares.copy()
    for step in range(steps):
        if step:
            n_moved = size // 20
            staying = chance.permutation(present)[n_moved:]
            away = np.setdiff1d(np.arange(people.height), present)
            present = np.concatenate([staying, chance.permutation(away)[:n_moved]])
            older = chance.permutation(present)[: size // 100]
            ages[older] = np.minimum(ages[older] + 1, OLDEST)
            changed = chance.permutation(present)[: size // 100]
            values[changed] = chance.choice(shares, len(changed))
        frame = people.with_columns(pl.Series("age", ages), pl.Series(SENSITIVE, values))
        yield frame[chance.permutation(present)]


def released(kind: str, size: int, steps: int, effort: str, seed: int) -> dict:
    """Release every version under m-invariance, and measure."""
    policy = policy_of(
        [{"name": "m-invariance", "column": SENSITIVE, "m": 4}],
        {"algorithm": "invariant", "effort": effort},
        {"max_counterfeits": 2.0, **RUNS[kind]},
    )
    losses, made, left_out, seconds, wall = [], [], 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, frame in enumerate(versions(adult(), size, steps, seed)):
            began = time.perf_counter()
            release = ind.anonymize(frame, policy, history=Path(folder) / "history.db", seed=seed)
            release.write(Path(folder) / f"{number}.csv")
            wall.append(time.perf_counter() - began)
            exact = release.owner
            losses.append(exact["loss"]["loss"])
            made.append(exact["counterfeits"]["share"])
            left_out += exact["history"]["left_out"]
            seconds.append(exact["method"]["seconds"])
    return {
        "kind": kind,
        "people": size,
        "releases": steps,
        "effort": effort,
        "loss_mean": round(float(np.mean(losses)), 4),
        "loss_last": round(losses[-1], 4),
        "counterfeits_mean": round(float(np.mean(made)), 4),
        "counterfeits_last": round(made[-1], 4),
        "left_out": left_out,
        "search_seconds": [round(one, 2) for one in seconds],
        "whole_seconds": [round(one, 2) for one in wall],
    }


def spread(runs: list[dict]) -> dict:
    """Return the mean and the standard deviation of every figure over several seeds."""
    names = ("loss_mean", "loss_last", "counterfeits_mean", "counterfeits_last", "left_out")
    found = {name: np.array([run[name] for run in runs]) for name in names}
    return {
        "kind": runs[0]["kind"],
        "seeds": len(runs),
        **{
            name: [round(float(x), 4) for x in (v.mean(), v.std(ddof=1))]
            for name, v in found.items()
        },
    }


def composed(seed: int) -> dict:
    """Make two 5-anonymous releases of 20,000 people, 15,000 in both, and say what they tell.

    The chances to guess an occupation are those of an attacker who knows everybody's class: by the
    first release, by the second, and by both.
    """
    people = adult()
    order = np.random.default_rng(seed).permutation(people.height)
    policy = policy_of(
        [
            {"name": "k-anonymity", "k": 5},
            {"name": "distinct-l-diversity", "column": SENSITIVE, "l": 2},
        ],
        {"algorithm": "local"},
        {},
    )
    tables = [people[order[:20_000]], people[order[5_000:25_000]]]
    releases: list[ind.Release] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, table in enumerate(tables):
            history = Path(folder) / "history.db"
            releases.append(ind.anonymize(table, policy, history=history, seed=seed))
            releases[number].write(Path(folder) / f"{number}.csv")
    first, second = releases
    found = ind.attack(
        second.data,
        policy,
        attack="intersection",
        releases=[first.data],
        originals=tables[:1],
        crosswalks=[first.crosswalk],
        original=tables[1],
        crosswalk=second.crosswalk,
        register=people[order[5_000:20_000]],
    ).answer
    chances = [*found.details["alone"], found.details["mean_chance"]]
    return {
        **second.manifest["composition"],
        "chances": [round(one, 4) for one in chances],
        "right_for_certain": round(found.found.rate, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=3000)
    parser.add_argument("--releases", type=int, default=6)
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--kinds", default="few,free,fixed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seeds", type=int, default=1, help="runs with this seed and the next ones"
    )
    parser.add_argument("--composition", action="store_true")
    given = parser.parse_args()
    needed(ADULT / "adult.csv")
    if given.composition:
        print(json.dumps(composed(given.seed)))
        return
    for kind in given.kinds.split(","):
        runs = []
        for seed in range(given.seed, given.seed + given.seeds):
            runs.append(released(kind, given.people, given.releases, given.effort, seed))
            print(json.dumps(runs[-1]), flush=True)
        if len(runs) > 1:
            print(json.dumps(spread(runs)))


if __name__ == "__main__":
    main()
