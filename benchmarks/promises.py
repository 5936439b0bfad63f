"""Local recoding under several promises: loss and processor seconds on patients and on Adult.

    python benchmarks/promises.py [--effort default best] [--k K ...] [--adult]

The patients are made up: 5,110 of them, five quasi-identifiers, and a promise as ``inspect`` drafts
it, t-closeness for four columns of few values and two distinct values for two others. Their
children have other values than adults in almost every sensitive column, so that a third of the
classes of k-anonymity alone break the promise. Adult is read from ``../shared/data``, with
occupation as the sensitive column. Seconds are processor time of the search alone, after one run
that compiles.
"""

from __future__ import annotations

import argparse
import csv
import resource
from collections.abc import Sequence

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import GeneralizationHierarchy, from_levels
from indistinct.base.hierarchy_builders import from_rows
from indistinct.tables.core.frequencies import FrequencyTable, SensitiveColumn
from indistinct.tables.core.interval_hierarchies import from_intervals
from indistinct.tables.core.protocols import Deadline, Problem, Solution, no_progress
from indistinct.tables.metrics import Loss
from indistinct.tables.models import (
    AlphaKAnonymity,
    BetaLikeness,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from indistinct.tables.models.bounded import BoundedModel
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.local import Local
from local_recoding import ADULT, PUBLIC

N_PATIENTS = 5110
MAX_SUPPRESSION = 0.05
CHILD, UNKNOWN = 16, 3
OCCUPATION = "occupation"
OF_OCCUPATION: dict[str, list[BoundedModel]] = {
    "k-anonymity alone": [],
    "distinct l = 3": [DistinctLDiversity(OCCUPATION, l=3)],
    "entropy l = 3": [EntropyLDiversity(OCCUPATION, l=3)],
    "recursive c = 2, l = 3": [RecursiveCLDiversity(OCCUPATION, c=2, l=3)],
    "alpha = 0.3": [AlphaKAnonymity(OCCUPATION, alpha=0.3, k=5)],
    "t = 0.2, equal": [TCloseness(OCCUPATION, t=0.2)],
    "t = 0.2, ordered": [TCloseness(OCCUPATION, t=0.2, distance="ordered")],
    "t = 0.2, hierarchical": [TCloseness(OCCUPATION, t=0.2, distance="hierarchical")],
    "enhanced beta = 4": [BetaLikeness(OCCUPATION, beta=4)],
}


class Table:
    """Quasi-identifiers with their hierarchies, and sensitive columns.

    Parameters
    ----------
    columns : per quasi-identifier, its values and its hierarchy over the sorted ones
    sensitive : per sensitive column, its values
    trees : hierarchies of sensitive columns, over the sorted values
    """

    def __init__(
        self,
        columns: dict[str, tuple[Ints, GeneralizationHierarchy]],
        sensitive: dict[str, Ints],
        trees: dict[str, GeneralizationHierarchy] | None = None,
    ) -> None:
        self.hierarchies = tuple(hierarchy for _, hierarchy in columns.values())
        codes = [np.unique(values, return_inverse=True)[1] for values, _ in columns.values()]
        found = {name: np.unique(of, return_inverse=True) for name, of in sensitive.items()}
        beside = [own for _, own in found.values()]
        whole = np.column_stack([*codes, *beside]).astype(np.int32)
        _, first, weights = group_rows(whole)
        trees = trees or {}
        self.counts = FrequencyTable(
            tuple(columns),
            np.ascontiguousarray(whole[first, : len(columns)]),
            weights,
            {
                name: SensitiveColumn(
                    name, tuple(map(str, values)), None, np.bincount(own), trees.get(name)
                )
                for name, (values, own) in found.items()
            },
            {name: own[first].astype(np.int32) for name, (_, own) in found.items()},
        )

    def problem(
        self, models: Sequence[BoundedModel], max_suppression: float = MAX_SUPPRESSION
    ) -> Problem:
        """Return the problem to keep some promises."""
        n_columns = len(self.hierarchies)
        return Problem(
            self.counts,
            self.hierarchies,
            (None,) * n_columns,
            (0,) * n_columns,
            tuple(hierarchy.height for hierarchy in self.hierarchies),
            tuple(models),
            Loss((1.0,) * n_columns),
            max_suppression,
            (1.0,) * n_columns,
        )


def patients(n_patients: int = N_PATIENTS, seed: int = 1) -> Table:
    """Draw patients whose sensitive values depend on their age."""
    draws = np.random.default_rng(seed)
    age = np.clip(draws.triangular(0, 40, 83, n_patients), 0, 82).astype(int)
    sex = draws.integers(0, 2, n_patients)
    married = draws.random(n_patients) < np.clip((age - 17) / 25, 0, 0.88)
    work = draws.choice([1, 2, 3, 4], n_patients, p=[0.66, 0.18, 0.14, 0.02])
    home = draws.integers(0, 2, n_patients)
    older = age / 82
    is_unknown = draws.random(n_patients) < np.where(age < 20, 0.98, np.where(age < 26, 0.6, 0.08))
    smoking = draws.choice(3, n_patients, p=[0.52, 0.27, 0.21])
    weight = 19 + 11 * np.minimum(age, 40) / 40
    ages = np.unique(age)
    others = {"sex": sex, "married": married * 1, "work": np.where(age < CHILD, 0, work)}
    others["home"] = home
    return Table(
        {
            "age": (
                age,
                from_intervals(ages.tolist(), [f"{value}" for value in ages], [5, 10, 20, 40]),
            )
        }
        | {name: (values, _hidden_or_not(values)) for name, values in others.items()},
        {
            "pressure": 1 * (draws.random(n_patients) < 0.6 * older**2),
            "heart": 1 * (draws.random(n_patients) < 0.5 * older**3),
            "stroke": 1 * (draws.random(n_patients) < 0.45 * older**3),
            "smoking": np.where(is_unknown, UNKNOWN, smoking),
            "glucose": (draws.gamma(12, 8.5, n_patients) * 10).astype(int),
            "bmi": (np.clip(draws.normal(weight, 6), 11, 60) * 10).astype(int),
        },
    )


def drafted(k: int) -> list[BoundedModel]:
    """Return the models that a draft proposes for the patients."""
    names = ("pressure", "heart", "stroke", "smoking")
    close: list[BoundedModel] = [TCloseness(name, t=0.3) for name in names]
    diverse: list[BoundedModel] = [DistinctLDiversity(name, l=2) for name in ("glucose", "bmi")]
    return [KAnonymity(k), *close, *diverse]


def adult() -> Table:
    """Read Adult, with occupation as the sensitive column."""
    frame = pl.read_csv(PUBLIC / "adult" / "adult.csv", separator=";", infer_schema=False)
    found = {name: (frame[name].to_numpy(), _adult_hierarchy(frame, name)) for name in ADULT}
    values, tree = found.pop(OCCUPATION)
    return Table(found, {OCCUPATION: values}, {OCCUPATION: tree})


def _adult_hierarchy(frame: pl.DataFrame, name: str) -> GeneralizationHierarchy:
    with (PUBLIC / "adult" / f"adult_hierarchy_{name}.csv").open(encoding="utf-8") as file:
        hierarchy = from_rows(list(csv.reader(file, delimiter=";")))
    return hierarchy.restricted(np.unique(frame[name].to_numpy()).tolist())


def _hidden_or_not(values: Ints) -> GeneralizationHierarchy:
    labels = [f"{value}" for value in np.unique(values)]
    return from_levels([labels, ["*"] * len(labels)])


def searched(problem: Problem, effort: str) -> tuple[Solution, float]:
    """Search, and return what was found and the processor seconds."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    solution = solve(Local(effort), problem, Deadline(), no_progress)
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return solution, spent


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--effort", nargs="+", default=["default"])
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 5, 10, 20])
    parser.add_argument("--adult", action="store_true", help="also the models of occupation")
    asked = parser.parse_args()
    table = patients()
    cases = {"patients, k = 5 alone": table.problem([KAnonymity(5)])}
    cases |= {f"patients, k = {k}, drafted": table.problem(drafted(k)) for k in asked.k}
    if asked.adult and (PUBLIC / "adult").is_dir():
        read = adult()
        cases |= {
            f"Adult, {name}": read.problem([KAnonymity(5), *models])
            for name, models in OF_OCCUPATION.items()
        }
    searched(patients(500, 0).problem(drafted(3)), "default")
    print(f"{'case':<32}{'effort':<10}{'loss':>8}{'supp.':>7}{'classes':>9}{'CPU s':>8}")
    for name, problem in cases.items():
        for effort in asked.effort:
            solution, spent = searched(problem, effort)
            recoding = solution.recoding
            loss = problem.objective.evaluate(recoding)
            n_classes = int(recoding.released.sum())
            figures = f"{loss:8.4f}{recoding.n_suppressed:7,}{n_classes:9,}{spent:8.1f}"
            print(f"{name:<32}{effort:<10}{figures}", flush=True)


if __name__ == "__main__":
    main()
