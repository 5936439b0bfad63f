"""Local recoding side by side: loss, seconds, classes and bound of each algorithm.

    python benchmarks/local_recoding.py [--bound] [--repeat N] [--rows N] [--k K ...] [--rounds N]
        [--write PAGE]

Generated people always; public data where ``../shared/data`` has them. Seconds are processor
seconds of the search alone, the least of the repetitions, after one run that compiles. With
``--bound`` the dual bound is computed whatever it costs; ``--rounds`` adds a search of so many
rounds, once.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from indistinct.base.compiled.kernels import group_rows
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.base.hierarchy_builders import from_masks, from_rows
from indistinct.tables.core.frequencies import FrequencyTable
from indistinct.tables.core.interval_hierarchies import from_intervals
from indistinct.tables.core.protocols import Deadline, Problem, no_progress
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.metrics import Loss
from indistinct.tables.models import KAnonymity
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.publish.fictitious_patients import sample
from indistinct.tables.search.algorithm import Algorithm
from indistinct.tables.search.cuts.mondrian import Mondrian
from indistinct.tables.search.finish import solve
from indistinct.tables.search.lattice.optimal_search import Optimal
from indistinct.tables.search.local.k_member import KMember
from indistinct.tables.search.local.lattice_peel import LatticePeel
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.lower_bound import lower_bound

PUBLIC = Path(__file__).resolve().parents[1] / "../shared/data"
ADULT = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
]
CUP = ["ZIP", "AGE", "GENDER", "INCOME", "STATE", "RAMNTALL", "NGIFTALL", "MINRAMNT"]
ALGORITHMS: dict[str, Algorithm] = {
    "local, fast": Local("fast"),
    "local": Local(),
    "local, thorough": Local("thorough"),
    "lattice-peel": LatticePeel(),
    "k-member": KMember(),
    "mondrian": Mondrian(),
    "optimal": Optimal(),
}
MOST_RECORDS = {"k-member": 40_000, "lattice-peel": 100_000}
BEGIN, END = "<!-- local: begin -->", "<!-- local: end -->"
MOST_NODES = {"lattice-peel": 20_000}

Columns = tuple[list[str], np.ndarray, list[GeneralizationHierarchy]]


def people(n_rows: int, seed: int) -> Columns:
    """Draw ages, postal codes, incomes, sexes and trades that depend on each other."""
    draws = np.random.default_rng(seed)
    age = np.clip(draws.normal(42, 16, n_rows), 17, 90).astype(int)
    area = draws.zipf(1.3, n_rows) % 400
    income = np.clip(draws.lognormal(7.6 + age / 200, 0.5, n_rows) / 100, 5, 250).astype(int)
    trade = (area + draws.geometric(0.2, n_rows)) % 16
    columns = [age, area, income, draws.integers(0, 2, n_rows), trade]
    values = [np.unique(column) for column in columns]
    digits = [[f"{value:03d}" for value in of_column] for of_column in values]
    hierarchies = [
        from_intervals(values[0], digits[0], [5, 10, 20]),
        from_masks(digits[1], 3),
        from_intervals(values[2], digits[2], [10, 50, 100]),
        from_masks(digits[3], 3),
        from_intervals(values[4], digits[4], [2, 4, 8]),
    ]
    codes = [
        np.searchsorted(of_column, column)
        for of_column, column in zip(values, columns, strict=True)
    ]
    return ["age", "area", "income", "sex", "trade"], np.column_stack(codes), hierarchies


def public(name: str, columns: list[str]) -> Columns:
    """Read public data with its hierarchies."""
    frame = pl.read_csv(PUBLIC / name / f"{name}.csv", separator=";", infer_schema=False)
    codes, hierarchies = [], []
    for column in columns:
        with (PUBLIC / name / f"{name}_hierarchy_{column}.csv").open(encoding="utf-8") as file:
            hierarchy = from_rows(list(csv.reader(file, delimiter=";")))
        values, of_rows = np.unique(frame[column].to_numpy(), return_inverse=True)
        codes.append(of_rows)
        hierarchies.append(hierarchy.restricted(values.tolist()))
    return columns, np.column_stack(codes), hierarchies


def resampled(columns: Columns, n_rows: int, seed: int) -> Columns:
    """Draw records anew, each cell with a chance of 1 in 20 from another record."""
    names, codes, hierarchies = columns
    draws = np.random.default_rng(seed)
    drawn = codes[draws.integers(0, len(codes), n_rows)]
    for column in range(codes.shape[1]):
        other = draws.random(n_rows) < 0.05
        drawn[other, column] = codes[draws.integers(0, len(codes), other.sum()), column]
    return names, drawn, hierarchies


def problem_of(columns: Columns, k: int) -> Problem:
    names, codes, hierarchies = columns
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    _, first, weights = group_rows(codes)
    n_columns = len(names)
    return Problem(
        FrequencyTable(tuple(names), np.ascontiguousarray(codes[first]), weights),
        tuple(hierarchies),
        (None,) * n_columns,
        (0,) * n_columns,
        tuple(hierarchy.height for hierarchy in hierarchies),
        (KAnonymity(k),),
        Loss((1.0,) * n_columns),
        0.0,
        (1.0,) * n_columns,
    )


def patients(n_rows: int) -> Columns:
    """Prepare the made-up patients by a policy: seven columns that others may know."""
    names = ["birth_date", "sex", "postcode", "occupation", "insurance", "height_cm", "weight_kg"]
    policy = Policy.from_keywords(
        quasi_identifiers=names,
        identifiers=["name"],
        insensitive=["admission_date"],
        sensitive=["diagnosis"],
        k=5,
    )
    prepared = prepare(sample("patients", rows=n_rows), resolve(policy))
    problem = prepared.problem
    codes = problem.table.codes[prepared.tuple_of_row]
    return names, codes, list(problem.hierarchies)


def tables(n_rows: int) -> Iterator[tuple[str, Columns]]:
    yield f"patients {n_rows:,} x 7", patients(n_rows)
    yield f"people {n_rows:,} x 5", people(n_rows, 1)
    if (PUBLIC / "adult").is_dir():
        adult = public("adult", ADULT)
        yield "adult 30,162 x 9", adult
        yield "cup 63,441 x 8", public("cup", CUP)
        yield "adult resampled 1,000,000 x 9", resampled(adult, 1_000_000, 0)


def measured(name: str, algorithm: Algorithm, problem: Problem, repeat: int) -> str:
    """Search some times and give the row of the table, with the least processor seconds."""
    best, solution = np.inf, None
    for _ in range(repeat):
        start = time.process_time()
        solution = solve(algorithm, problem, Deadline(), no_progress)
        best = min(best, time.process_time() - start)
    recoding = solution.recoding
    bound = solution.facts.get("lower_bound", {"value": None})["value"]
    return (
        f"{name:<16} {problem.objective.evaluate(recoding):8.5f} {best:8.2f} "
        f"{int(recoding.released.sum()):8,} {recoding.n_suppressed:6,} "
        f"{'-' if bound is None else f'{bound:.5f}':>8}"
    )


def is_fit(name: str, problem: Problem) -> bool:
    """Return whether an algorithm finishes in a time worth waiting for."""
    nodes = np.prod([float(hierarchy.n_levels) for hierarchy in problem.hierarchies])
    return problem.table.n_records <= MOST_RECORDS.get(name, np.inf) and nodes <= MOST_NODES.get(
        name, np.inf
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bound", action="store_true", help="compute the dual bound everywhere")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--rows", type=int, default=20_000, help="of the generated people")
    parser.add_argument("--k", type=int, nargs="+", default=[5])
    parser.add_argument("--write", type=Path, help="the page that gets the table")
    parser.add_argument("--rounds", type=int, help="of a long search besides the others")
    asked = parser.parse_args()
    lines: list[str] = []

    def show(line: str) -> None:
        lines.append(line)
        print(line, flush=True)

    warm = problem_of(people(500, 0), 3)
    for algorithm in ALGORITHMS.values():
        solve(algorithm, warm, Deadline(), no_progress)
    heading = (
        f"{'algorithm':<16} {'loss':>8} {'CPU, s':>8} {'classes':>8} {'supp.':>6} {'bound':>8}"
    )
    for title, columns in tables(asked.rows):
        for k in asked.k:
            problem = problem_of(columns, k)
            show(f"\n{title}, k = {k}, {problem.table.n_tuples:,} distinct tuples\n{heading}")
            for name, algorithm in ALGORITHMS.items():
                if is_fit(name, problem):
                    show(measured(name, algorithm, problem, asked.repeat))
            if asked.rounds is not None:
                long = Local("thorough", rounds=asked.rounds)
                show(measured("local, long", long, problem, 1))
            if asked.bound and is_fit("lattice-peel", problem):
                show(f"dual bound       {lower_bound(problem, 10).value:8.5f}")
    if asked.write is not None:
        write_table(asked.write, lines)


def write_table(page: Path, lines: list[str]) -> None:
    """Put the table between its marks in a page."""
    before, rest = page.read_text("utf-8").split(BEGIN)
    _, after = rest.split(END)
    table = "\n".join(lines).strip("\n")
    page.write_text(f"{before}{BEGIN}\n```\n{table}\n```\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
