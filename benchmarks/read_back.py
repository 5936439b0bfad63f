"""What it costs to keep released columns from giving generalized cells back.

    python benchmarks/read_back.py [--k K ...] [--tables patients homes adult]

The patients are 5,110 made-up people with five quasi-identifiers and six sensitive columns, under
the promises that ``inspect`` drafts of them. The homes are people in homes of a few, with a number
per home that others may have read elsewhere. Adult is read from ``../shared/data``: five
quasi-identifiers, all other columns released as they are. Each is released with read-back accepted,
repaired below 1 % and below nobody, and repaired where no value may be hidden; a run that is
refused says so. Seconds are processor time of the whole release.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

import indistinct as ind
from local_recoding import PUBLIC

Words = dict[str, Any]
N_PATIENTS, N_PEOPLE = 5_110, 516
QUASI = {"role": "quasi-identifier"}
CLOSE, DIVERSE = ("pressure", "heart", "stroke", "smoking"), ("glucose", "bmi")
ADULT = ("sex", "age", "race", "marital-status", "education")
WAYS: Mapping[str, Words] = {
    "accepted": {"read_back": "accepted"},
    "below 1 %": {},
    "nobody": {"max_read_back": 0},
    "none hidden": {"may_hide": False},
}


def patients(seed: int = 1) -> pl.DataFrame:
    """Draw patients whose sensitive values depend on their age."""
    draws = np.random.default_rng(seed)
    age = np.clip(draws.triangular(0, 40, 83, N_PATIENTS), 0, 82).astype(int)
    older = age / 82
    is_unknown = draws.random(N_PATIENTS) < np.where(age < 20, 0.98, 0.1)
    smoking = np.where(is_unknown, 3, draws.choice(3, N_PATIENTS, p=[0.52, 0.27, 0.21]))
    work = draws.choice([1, 2, 3, 4], N_PATIENTS, p=[0.66, 0.18, 0.14, 0.02])
    weight = 19 + 11 * np.minimum(age, 40) / 40
    words = np.array(["never", "formerly", "smokes", "unknown"])
    jobs = np.array(["child", "private", "own", "state", "none"])
    return pl.DataFrame(
        {
            "sex": np.array(["f", "m"])[draws.integers(0, 2, N_PATIENTS)],
            "age": age,
            "married": np.where(
                draws.random(N_PATIENTS) < np.clip((age - 17) / 25, 0, 0.88), "yes", "no"
            ),
            "work": jobs[np.where(age < 16, 0, work)],
            "home": np.array(["town", "country"])[draws.integers(0, 2, N_PATIENTS)],
            "pressure": 1 * (draws.random(N_PATIENTS) < 0.6 * older**2),
            "heart": 1 * (draws.random(N_PATIENTS) < 0.5 * older**3),
            "stroke": 1 * (draws.random(N_PATIENTS) < 0.45 * older**3),
            "smoking": words[smoking],
            "glucose": np.round(draws.gamma(12, 8.5, N_PATIENTS), 1),
            "bmi": np.round(np.clip(draws.normal(weight, 6), 11, 60), 1),
        }
    )


def patients_policy(k: int) -> Words:
    """Return the promises that a draft proposes for the patients."""
    quasi = dict.fromkeys(("sex", "age", "married", "work", "home"), QUASI)
    sensitive = {name: {"role": "sensitive"} for name in (*CLOSE, *DIVERSE)}
    models = [{"name": "t-closeness", "column": name, "t": 0.3} for name in CLOSE]
    models += [{"name": "distinct-l-diversity", "column": name, "l": 2} for name in DIVERSE]
    return _policy(k, quasi | sensitive, models)


def homes(seed: int = 2) -> pl.DataFrame:
    """Draw people of homes whose rent all of a home share."""
    draws = np.random.default_rng(seed)
    home = np.sort(draws.integers(0, N_PEOPLE // 2, N_PEOPLE))
    street = draws.integers(0, 12, N_PEOPLE // 2)[home]
    return pl.DataFrame(
        {
            "age": np.clip(draws.normal(40, 22, N_PEOPLE), 0, 95).astype(int),
            "street": np.array([f"{10_100 + 7 * n}" for n in range(12)])[street],
            "sex": np.array(["f", "m"])[draws.integers(0, 2, N_PEOPLE)],
            "rent": 10 * draws.integers(30, 190, N_PEOPLE // 2)[home],
        }
    )


def homes_policy(k: int) -> Words:
    """Return a promise of size alone for people of homes."""
    quasi = dict.fromkeys(("age", "street", "sex"), QUASI)
    return _policy(k, quasi | {"rent": {"role": "insensitive"}}, [])


def adult() -> pl.DataFrame:
    """Read Adult."""
    return pl.read_csv(PUBLIC / "adult" / "adult.csv", separator=";")


def adult_policy(k: int) -> Words:
    """Return a promise of size alone for Adult, whose other columns are released as they are."""
    others = ("native-country", "workclass", "occupation", "salary-class")
    listed = {
        name: {
            **QUASI,
            "hierarchy": {
                "csv": str(PUBLIC / "adult" / f"adult_hierarchy_{name}.csv"),
                "separator": ";",
            },
        }
        for name in ADULT
    }
    return _policy(k, listed | {name: {"role": "insensitive"} for name in others}, [])


def _policy(k: int, columns: Words, models: list[Words]) -> Words:
    size = {"name": "k-anonymity", "k": k}
    return {"columns": columns, "models": [size, *models], "method": {"max_suppression": 0.05}}


TABLES = {
    "patients": (patients, patients_policy),
    "homes": (homes, homes_policy),
    "adult": (adult, adult_policy),
}


def with_way(words: Words, way: Words) -> Words:
    """Return a policy under which read-back is kept low in some way."""
    rest = dict(way)
    columns = words["columns"]
    if not rest.pop("may_hide", True):
        columns = {
            name: {**one, "may_hide": False} if one["role"] != QUASI["role"] else one
            for name, one in columns.items()
        }
    return {**words, "columns": columns, "release": rest}


def figures_of(frame: pl.DataFrame, words: Words) -> str:
    """Release a table, and say what came out: loss, what is read back, what was done, seconds."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    begun = time.perf_counter()
    try:
        release = ind.anonymize(frame, ind.Policy.from_words(words), seed=1)
    except ind.IndistinctError as error:
        return f"refused: {error.faults[0].problem}"
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = release.manifest.get("read_back", {})
    done: Words = release.owner.get("repair", {})
    hidden = ", ".join(f"{n:,} of {name}" for name, n in done.get("hidden", {}).items())
    return (
        f"loss {release.owner['loss']['loss']:.4f}, {said.get('cells', 0):5,} cells back, "
        f"{said.get('below', 0):6.2%} below k; swapped {done.get('swapped', 0):,}, hidden "
        f"{hidden or 'nothing'}, left out {done.get('left_out', 0):,}; {spent:.1f} s of processor, "
        f"{time.perf_counter() - begun:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 5, 10, 20])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    asked = parser.parse_args()
    for name in asked.tables:
        make, policy = TABLES[name]
        if name == "adult" and not (PUBLIC / "adult").is_dir():
            continue
        frame = make()
        for k in asked.k:
            for way, words in WAYS.items():
                found = figures_of(frame, with_way(policy(k), words))
                print(f"{name:<9} k = {k:<3} {way:<12} {found}", flush=True)


if __name__ == "__main__":
    main()
