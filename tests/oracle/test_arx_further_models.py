"""The optima that ARX 3.9.2 found for likeness, disclosure and models of the whole release."""

import csv
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy_builders import from_rows
from indistinct.tables.core.frequencies import FrequencyTable, SensitiveColumn
from indistinct.tables.core.protocols import Deadline, Problem, no_progress
from indistinct.tables.metrics import AGGREGATES, Loss
from indistinct.tables.models import (
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    PopulationUniqueness,
    SampleUniqueness,
)
from indistinct.tables.models.bounded import Population
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice.optimal_search import Optimal
from shared import SHARED, longer, needs

USA = Population(317_238_626, 30_162)
MODELS = {
    "k5+ddisclosure-1": (KAnonymity(5), DeltaDisclosure("occupation", math.log(2), "ignore")),
    "k5+basic-b2": (KAnonymity(5), BetaLikeness("occupation", 2.0, "basic")),
    "k5+enhanced-b2": (KAnonymity(5), BetaLikeness("occupation", 2.0, "enhanced")),
    "avgrisk-0.01": (AverageRisk(0.01),),
    "sampleuniq-0.01": (SampleUniqueness(0.01),),
    "popuniq-0.01-usa-dankar": (PopulationUniqueness(0.01).among(USA),),
}


def rows_of(models: str) -> list[dict[str, str]]:
    with (SHARED / "oracles/arx.csv").open() as file:
        return [row for row in csv.DictReader(file) if row["models"] == models]


def coded(folder: Path, frame: pl.DataFrame, column: str):
    values = sorted(frame[column].unique().to_list())
    with (folder / f"adult_hierarchy_{column}.csv").open() as file:
        hierarchy = from_rows(list(csv.reader(file, delimiter=";"))).restricted(values)
    position = {value: index for index, value in enumerate(values)}
    return np.array([position[value] for value in frame[column].to_list()], np.int32), hierarchy


def problem_of(row: dict[str, str]) -> Problem:
    folder = SHARED / "data/adult"
    frame = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    names = row["quasi_identifiers"].split()
    sensitive = [row["sensitive"]] if row["sensitive"] else []
    columns = {name: coded(folder, frame, name) for name in names + sensitive}
    rows = np.ascontiguousarray(np.stack([codes for codes, _ in columns.values()], axis=1))
    _, representatives, weights = group_rows(rows)
    distinct, width = rows[representatives], len(names)
    table = FrequencyTable(
        tuple(names),
        np.ascontiguousarray(distinct[:, :width]),
        weights,
        {
            name: SensitiveColumn(
                name, columns[name][1].values, None, np.bincount(columns[name][0]), columns[name][1]
            )
            for name in sensitive
        },
        {name: np.ascontiguousarray(distinct[:, width + i]) for i, name in enumerate(sensitive)},
    )
    hierarchies = tuple(columns[name][1] for name in names)
    weights_of_columns = (1.0,) * width
    return Problem(
        table,
        hierarchies,
        (None,) * width,
        (0,) * width,
        tuple(hierarchy.height for hierarchy in hierarchies),
        MODELS[row["models"]],
        Loss(weights_of_columns, AGGREGATES["geometric-mean"]),
        float(row["max_suppression"]),
        weights_of_columns,
    )


@needs("oracles/arx.csv")
@needs("data/adult/adult.csv")
@pytest.mark.parametrize("models", longer(MODELS, list(MODELS)[:2]))
def test_finds_the_same_optimum(models):
    rows = rows_of(models)
    assert rows
    for row in rows:
        problem = problem_of(row)
        found = solve(Optimal(), problem, Deadline(), no_progress).recoding
        loss = problem.objective.evaluate(found)
        assert loss == pytest.approx(float(row["loss"]), abs=1e-9)
        assert " ".join(map(str, found.transformation)) == row["transformation"]
        assert found.n_suppressed == int(row["suppressed"])
