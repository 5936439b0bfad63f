"""Adult with a made-up height, as the (k,epsilon)-anonymity paper has it."""

import numpy as np
import polars as pl

from shared import SHARED

ADULT = "data/adult_train/adult.data"
ALONE = ("Single", "Never-married", "Divorced", "Separated", "Widowed")
MARRIED = (
    "Married", "Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent", "Civil Partner",
)  # fmt: skip
# Mean and deviation in cm from age 17, 20, 30, 40, 50, 60 and 70 on.
HEIGHTS = {
    "Male": ((176.8, 7.2), (176.5, 7.6), (176.9, 7.4), (176.7, 7.3), (175.1, 7.4), (173.4, 6.8),
             (170.6, 6.6)),
    "Female": ((163.0, 6.3), (163.5, 7.2), (163.3, 6.7), (162.2, 6.6), (161.5, 6.3), (159.4, 6.8),
               (156.7, 7.0)),
}  # fmt: skip


def adults(seed: int) -> pl.DataFrame:
    """Read year of birth, sex, race and marital status of everyone under 80; add a height."""
    lines = (SHARED / ADULT).read_text(encoding="utf-8").split("\n")
    cells = [line.split(", ") for line in lines if line.strip()]
    ages = np.array([int(row[0]) for row in cells])
    kept = [row for row, age in zip(cells, ages, strict=True) if age < 80]
    group = np.maximum(ages[ages < 80] // 10 - 1, 0)
    moments = np.array([HEIGHTS[row[9]][index] for row, index in zip(kept, group, strict=True)])
    drawn = np.random.default_rng(seed).normal(moments[:, 0], moments[:, 1])
    return pl.DataFrame(
        {
            "birth": 2016 - ages[ages < 80],
            "sex": [row[9] for row in kept],
            "race": [row[8] for row in kept],
            "marital": [row[5] for row in kept],
            "height": np.round(drawn, 2),
        }
    )
