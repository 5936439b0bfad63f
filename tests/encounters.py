"""Encounters of made-up patients: several records of one person, from a seed."""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct import Policy

QUASI = ("age", "sex", "ward", "region")
ROLES = {name: {"role": "quasi-identifier"} for name in QUASI} | {"disease": {"role": "sensitive"}}


def encounters(
    n_records: int, n_patients: int, seed: int = 0, *, frequent: float = 0.0
) -> pl.DataFrame:
    """Draw encounters whose patients keep their age, sex and region, but not their ward.

    Parameters
    ----------
    n_records, n_patients : of which some may have no record
    frequent : share of the records that belong to the first few patients, who come again and again
    """
    chance = np.random.default_rng(seed)
    patients = chance.integers(0, n_patients, n_records)
    often = chance.random(n_records) < frequent
    patients[often] = chance.integers(0, max(1, n_patients // 50), int(often.sum()))
    ages = chance.integers(18, 90, n_patients)
    sexes, regions = chance.integers(0, 2, n_patients), chance.integers(0, 12, n_patients)
    favorite = chance.integers(0, 5, n_patients)
    sick_again = chance.random(n_records) < 0.6
    diseases = np.where(sick_again, favorite[patients], chance.integers(0, 5, n_records))
    return pl.DataFrame(
        {
            "patient": 70_000 + patients * 13,
            "age": ages[patients],
            "sex": np.array(["f", "m"])[sexes[patients]],
            "ward": np.array(list("ABCD"))[chance.integers(0, 4, n_records)],
            "region": np.array([f"r{n:02}" for n in range(12)])[regions[patients]],
            "disease": np.array(["flu", "ulcer", "gout", "asthma", "cold"])[diseases],
        }
    )


def encounter_policy(*models: dict, **tables: dict) -> Policy:
    """Promise models about people."""
    data = {"person": "patient"} | tables.pop("data", {})
    return Policy.from_words({"columns": ROLES, "data": data, "models": list(models), **tables})


def people_of_classes(release) -> dict[tuple, set[int]]:
    """Collect the people of each class of a release by hand, from its crosswalk and the input."""
    patients = release.original["patient"].to_list()
    found: dict[tuple, set[int]] = {}
    cells = release.frame.select(QUASI).iter_rows()
    for cell, row in zip(cells, release.crosswalk.tolist(), strict=True):
        found.setdefault(cell, set()).add(patients[row])
    return found
