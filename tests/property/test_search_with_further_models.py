"""The search believes of every model only what is true: its optimum is that of all nodes."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.models.bounded import Population
from indistinct.tables.policy.specification import resolve
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.optimal_search import Optimal

CLOSE = ind.TCloseness("s", 0.35)
PROMISES = {
    "average risk": [ind.AverageRisk(0.2)],
    "average risk, closeness": [ind.AverageRisk(0.25), CLOSE],
    "average risk, sizes": [ind.AverageRisk(0.2), ind.KAnonymity(3)],
    "sample uniqueness": [ind.SampleUniqueness(0.03)],
    "both, and disclosure": [
        ind.AverageRisk(0.3),
        ind.SampleUniqueness(0.02),
        ind.DeltaDisclosure("s", 1.2, "ignore"),
    ],
    "population uniqueness": [
        ind.PopulationUniqueness(0.01, "zayatz").among(Population(600, 60)),
        ind.AverageRisk(0.5),
    ],
    "closeness to a superset": [ind.NTCloseness("s", 20, 0.2), ind.KAnonymity(2)],
    "likeness": [ind.BetaLikeness("s", 1.5, "basic")],
    "alpha, k": [ind.AlphaKAnonymity("s", 0.7, 3)],
    "smoothed": [ind.TCloseness("s", 0.1, "kernel", bandwidth=0.7)],
    "mass handed on": [ind.TCloseness("s", 0.1, "kernel", bandwidth=0.7, smoothing="mass")],
}


def problem_of(seed, models, suppression):
    chance = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": chance.integers(20, 50, 60),
            "zip": [f"4{a}{b}" for a, b in chance.integers(0, 3, (60, 2)).tolist()],
            "s": chance.choice(["u", "v", "w"], 60, p=[0.5, 0.3, 0.2]),
        }
    )
    policy = ind.Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
            "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
            "s": {"role": "sensitive"},
        },
        models=models,
        method={"max_suppression": suppression},
        population={"size": 600},
    )
    return prepare(frame, resolve(policy)).problem


@pytest.mark.parametrize("suppression", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("name", PROMISES)
def test_no_node_is_better_than_the_one_found(name, suppression):
    for seed in range(4):
        problem = problem_of(seed, PROMISES[name], suppression)
        lattice = Lattice(problem)
        values = []
        for node in product(*(range(top + 1) for top in problem.max_levels)):
            recoding = lattice.recoding(node)
            if recoding.n_suppressed <= problem.budget:
                values.append(problem.objective.evaluate(recoding))
        if not values:
            with pytest.raises(ind.NoSolutionError):
                solve(Optimal(), problem, Deadline(), no_progress)
            continue
        found = solve(Optimal(), problem, Deadline(), no_progress).recoding
        assert problem.objective.evaluate(found) == pytest.approx(min(values), abs=1e-12)
        assert found.n_suppressed <= problem.budget
