"""Random folders of related tables, their policies, and who is found in what is released."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import tomli_w

from visits import ABOVE, SHOWN, least_alike, policy, true_rows, visits

FEW = 14  # units for whom every attacker is tried


def write_folder(chance: random.Random) -> dict[str, pl.DataFrame]:
    """Write a folder of people with visits, diagnoses and notes; return what it holds."""
    levels, n = chance.choice([1, 1, 2, 2, 3]), chance.choice([FEW, 5 * FEW])
    seed = chance.randrange(10**6)
    tables = visits(seed, levels, chance.randint(2, n), chance.choice([1, 2, 4]))
    tables["patients"] = tables["patients"].with_columns(
        born=pl.Series(
            [
                f"{chance.randint(1940, 1999)}-03-{chance.randint(1, 28):02}"
                for _ in range(tables["patients"].height)
            ]
        ),
    )
    for name, table in tables.items():
        hidden = {"sex", "born", *SHOWN.values()} & set(table.columns)
        if chance.random() < 0.3 and table.height:
            share = chance.choice([0.05, 0.5])
            tables[name] = table.with_columns(
                pl.when(pl.Series([chance.random() < share for _ in range(table.height)]))
                .then(None)
                .otherwise(pl.col(column))
                .alias(column)
                for column in sorted(hidden)
            )
    if levels > 1 and chance.random() < 0.3 and tables["diagnoses"].height:
        of = tables["visits"].select("vid", "pid")
        tables["diagnoses"] = tables["diagnoses"].join(
            of, on="vid", how="left", maintain_order="left"
        )
    Path("in").mkdir()
    for name, table in tables.items():
        if chance.random() < 0.3:
            table.write_parquet(f"in/{name}.parquet")
        else:
            table.write_csv(f"in/{name}.csv")
    return tables


def write_policy(chance: random.Random, tables: dict[str, pl.DataFrame]) -> dict[str, Any]:
    """Write a policy of such a folder; return it."""
    levels = len(tables) - 1
    released = [chance.random() < 0.4 for _ in range(levels)]
    words = policy(levels, released, chance.choice([2, 3, 5]), chance.choice([1, 2, 2, 3, "all"]))
    words["related"]["rows"] = chance.choice(["free", "free", "known"])
    words["method"] = {
        "max_deleted": chance.choice([0.1, 0.5, 1.0]),
        "max_suppression": chance.choice([0.0, 0.2, 1.0]),
    }
    rule = chance.choice([{"dates": ["year", "decade"]}, {"dates": ["five-years", "twenty-years"]}])
    words["tables"]["patients"]["columns"]["born"] = (
        {"role": "quasi-identifier", "hierarchy": rule}
        if chance.random() < 0.7
        else {"role": "identifier"}
    )
    if "pid" in tables.get("diagnoses", pl.DataFrame()).columns:
        words["tables"]["diagnoses"]["references"]["pid"] = "patients"
    if levels > 1 and words["models"][0]["m"] != "all" and chance.random() < 0.3:
        words["models"].append(
            {"name": "largest-share", "column": "diagnoses.code", "values": ["E10"],
             "share": chance.choice([0.5, 0.9])}
        )  # fmt: skip
    Path("p.toml").write_text(tomli_w.dumps(words), "utf-8")
    return words


def fewest_alike(tables: dict[str, pl.DataFrame], words: dict[str, Any], release: Path) -> int:
    """Count, from the definition, the units that have each pattern of the written release."""
    shown = {
        name: pl.read_parquet(path) if (path := release / f"{name}.parquet").exists()
        else pl.read_csv(release / f"{name}.csv", infer_schema=False)
        for name in tables
    }  # fmt: skip
    people = [one for one in ("sex", "born") if one in shown["patients"].columns]
    classes = pl.Series(
        [repr(row) for row in shown["patients"].select(people).rows()], dtype=pl.String
    )
    shown["patients"] = shown["patients"].with_columns(sex=classes)
    joined = {
        name: pl.read_csv(release.parent / f"crosswalk/{name}.csv")
        .sort("output_row")["input_row"]
        .to_numpy()
        for name in tables
    }
    released = [
        words["tables"][name].get("release_key", False) for name in list(ABOVE)[: len(tables) - 1]
    ]
    made = SimpleNamespace(tables=shown, crosswalk=joined)
    rows, classes_of = true_rows(tables, made, released)
    return least_alike(rows, classes_of, words["models"][0]["m"])
