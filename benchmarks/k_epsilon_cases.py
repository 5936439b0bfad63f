"""The tables of benchmarks/k_epsilon.py: Adult with a made-up height, and two made-up voter rolls.

Nobody stands behind a height, a weight or a row of a voter roll: they are drawn from seeded
generators. Mean and deviation of heights (cm), and of the logarithm of weights (kg), by sex and age
are moments published for adults in the United States (NHANES 2007-2010, Fryar et al. 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parents[1]
ADULT = ROOT.parent / "shared" / "data" / "adult_train" / "adult.data"
SEED = 2017
VOTERS = 200_000
OLDEST = 80
# From age 17, 20, 30, 40, 50, 60 and 70 on: height, deviation, log-weight, deviation.
BODIES = {
    "Male": (
        (176.8, 7.2, 4.345, 0.233),
        (176.5, 7.6, 4.402, 0.212),
        (176.9, 7.4, 4.478, 0.222),
        (176.7, 7.3, 4.492, 0.200),
        (175.1, 7.4, 4.495, 0.205),
        (173.4, 6.8, 4.480, 0.209),
        (170.6, 6.6, 4.424, 0.201),
    ),
    "Female": (
        (163.0, 6.3, 4.152, 0.263),
        (163.5, 7.2, 4.256, 0.296),
        (163.3, 6.7, 4.303, 0.256),
        (162.2, 6.6, 4.303, 0.255),
        (161.5, 6.3, 4.303, 0.258),
        (159.4, 6.8, 4.319, 0.224),
        (156.7, 7.0, 4.260, 0.231),
    ),
}
ALONE = ("Single", "Never-married", "Divorced", "Separated", "Widowed")
MARRIED = (
    "Married", "Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent", "Civil Partner",
)  # fmt: skip
QUASI: dict[str, Any] = {"role": "quasi-identifier"}
# Each width must be a multiple of the one before; the experiment of the paper has 10, 20, 30 last.
WIDTHS = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class Case:
    """A table, its k-quasis, and the column that gets noise."""

    title: str
    frame: pl.DataFrame
    columns: dict[str, Any]
    noisy: str
    is_public: bool = False

    @property
    def n_nodes(self) -> int:
        heights = {"birth": 5, "sex": 2, "race": 2, "marital": 3, "zip": 6}
        return int(np.prod([heights[name] for name in self.columns]))


def cases() -> list[Case]:
    rolls = [voters("first voter roll", SEED + 1, ("zip", "sex", "birth", "race"), "height")]
    rolls.append(voters("second voter roll", SEED + 2, ("zip", "sex", "birth"), "weight"))
    return [adult(), *rolls] if ADULT.exists() else rolls


def adult(seed: int = SEED) -> Case:
    lines = ADULT.read_text(encoding="utf-8").split("\n")
    rows = [cells for line in lines if len(cells := line.split(", ")) > 9]
    frame = pl.DataFrame(
        {
            "age": [int(row[0]) for row in rows],
            "birth": [2016 - int(row[0]) for row in rows],
            "sex": [row[9] for row in rows],
            "race": [row[8] for row in rows],
            "marital": [row[5] for row in rows],
        }
    ).filter(pl.col("age") < OLDEST)
    body = bodies(frame, "height", np.random.default_rng(seed))
    names = ("birth", "sex", "race", "marital")
    return Case(
        f"Adult, {frame.height:,} records",
        body.drop("age"),
        columns(names),
        "height",
        is_public=True,
    )


def voters(title: str, seed: int, names: tuple[str, ...], noisy: str) -> Case:
    """Make up a voter roll: towns of very different size, ages of adults, uneven groups."""
    chance = np.random.default_rng(seed)
    towns = chance.choice(np.arange(32_000, 34_000), 300, replace=False)
    size = 1 / np.arange(1, 301)
    age = np.clip(chance.gamma(9, 5.3, VOTERS), 18, OLDEST - 1).astype(int)
    frame = pl.DataFrame(
        {
            "age": age,
            "birth": 2016 - age,
            "zip": chance.choice(towns, VOTERS, p=size / size.sum()).astype(str),
            "sex": chance.choice(["Female", "Male"], VOTERS, p=[0.53, 0.47]),
            "race": chance.choice(list("abcdef"), VOTERS, p=[0.64, 0.16, 0.13, 0.04, 0.02, 0.01]),
        }
    )
    body = bodies(frame, noisy, chance).select(*names, noisy)
    return Case(f"{title} (made up), {VOTERS:,} records", body, columns(names), noisy)


def bodies(frame: pl.DataFrame, noisy: str, chance: np.random.Generator) -> pl.DataFrame:
    """Add a height in cm or a weight in kg by sex and age, to a hundredth."""
    groups = np.maximum(frame["age"].to_numpy() // 10 - 1, 0)
    moments = np.array(
        [BODIES[sex][group] for sex, group in zip(frame["sex"], groups, strict=True)]
    )
    if noisy == "height":
        drawn = chance.normal(moments[:, 0], moments[:, 1])
    else:
        drawn = chance.lognormal(moments[:, 2], moments[:, 3])
    return frame.with_columns(pl.Series(noisy, np.round(drawn, 2)))


def columns(names: tuple[str, ...]) -> dict[str, Any]:
    """Return the k-quasis with the hierarchies of the paper."""
    groups = {"Alone": list(ALONE), "In marriage": list(MARRIED)}
    known = {
        "birth": {**QUASI, "hierarchy": {"intervals": [2, 4, 8]}},
        "sex": QUASI,
        "race": {**QUASI, "max_level": 1},
        "marital": {**QUASI, "hierarchy": {"tree": groups}},
        "zip": {**QUASI, "hierarchy": {"mask": 5}},
    }
    return {name: known[name] for name in names}
