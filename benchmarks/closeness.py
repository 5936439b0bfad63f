"""What diversity and closeness protect, and what they cost: the figures of docs/closeness.md.

Every model is asked of the same table, with k = 5 throughout. Measured are the classes whose
sensitive values all have one meaning (the similarity attack), the error of count queries, and the
metrics. Public data if they are at hand, else a made-up table.

    python benchmarks/closeness.py            # print the table
    python benchmarks/closeness.py --write    # and write docs/closeness.md and docs/closeness.svg
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.core.protocols import Deadline, Problem, no_progress
from indistinct.core.recoding import Recoding, cell_numbers
from indistinct.metrics import Discernibility
from indistinct.table.algorithms.mondrian import Mondrian
from indistinct.table.algorithms.optimal import Optimal
from indistinct.table.prepare import prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indistinct.core.protocols import Algorithm

ROOT = Path(__file__).resolve().parents[1]
ADULT = ROOT.parent / "shared" / "data" / "adult"
N_QUERIES = 1000
SEED = 20_260_101
K = 5
ALGORITHMS = {"the optimum over all full-domain recodings": Optimal(), "Mondrian": Mondrian()}


@dataclass(frozen=True)
class Case:
    """A table, its quasi-identifiers, and a sensitive column whose values have meanings."""

    title: str
    frame: pl.DataFrame
    columns: dict[str, Any]
    sensitive: str
    n: int


@dataclass(frozen=True)
class Row:
    """What one model gave."""

    title: str
    vulnerable_classes: int
    vulnerable_records: int
    classes: int
    suppressed: int
    loss: float
    discernibility: float
    query_error: float
    seconds: float


def case() -> Case:
    return adult() if ADULT.is_dir() else made_up()


def adult() -> Case:
    names = ["age", "sex", "race", "marital-status", "education", "workclass"]
    frame = pl.read_csv(ADULT / "adult.csv", separator=";").select([*names, "occupation"])

    def listed(name: str, role: str) -> dict[str, Any]:
        rule = {"csv": str(ADULT / f"adult_hierarchy_{name}.csv")}
        return {"role": role, "hierarchy": rule}

    columns = {name: listed(name, "quasi-identifier") for name in names}
    columns["occupation"] = listed("occupation", "sensitive")
    return Case("Adult, 30,162 records", frame, columns, "occupation", 1000)


def made_up() -> Case:
    frame = ind.sample("patients", rows=30_000, seed=1).with_columns(
        age=(2026 - pl.col("birth_date").dt.year())
    )
    frame = frame.select("age", "sex", "postcode", "insurance", "occupation", "diagnosis")
    meanings = {
        "circulation": ["hypertension", "migraine"],
        "metabolism": ["diabetes", "hepatitis"],
        "lungs": ["asthma", "influenza", "pneumonia", "bronchitis", "lung cancer"],
        "mind": ["depression", "epilepsy"],
        "digestion": ["gastritis", "ulcer"],
        "other": ["back pain", "fracture", "breast cancer", "HIV"],
    }
    quasi = {"role": "quasi-identifier"}
    columns = {
        "age": quasi | {"hierarchy": {"intervals": [5, 10, 20, 40]}},
        "sex": quasi,
        "postcode": quasi | {"hierarchy": {"mask": 5}},
        "insurance": quasi,
        "occupation": quasi,
        "diagnosis": {"role": "sensitive", "hierarchy": {"tree": meanings}},
    }
    return Case("made-up patients, 30,000 records", frame, columns, "diagnosis", 1000)


def models(column: str, n: int) -> dict[str, list[Any]]:
    k = ind.KAnonymity(K)
    return {
        f"{K}-anonymity": [k, ind.TCloseness(column, 1.0)],
        "distinct 2-diversity": [k, ind.DistinctLDiversity(column, 2)],
        "distinct 4-diversity": [k, ind.DistinctLDiversity(column, 4)],
        "entropy 4-diversity": [k, ind.EntropyLDiversity(column, 4)],
        f"({n}, 0.25)-closeness": [k, ind.NTCloseness(column, n, 0.25, "hierarchical")],
        "0.25-closeness": [k, ind.TCloseness(column, 0.25, "hierarchical")],
        f"({n}, 0.15)-closeness": [k, ind.NTCloseness(column, n, 0.15, "hierarchical")],
        "0.15-closeness": [k, ind.TCloseness(column, 0.15, "hierarchical")],
    }


def measure(found: Case, algorithm: Algorithm) -> Iterator[Row]:
    for title, promised in models(found.sensitive, found.n).items():
        policy = ind.Policy(
            columns=found.columns, models=promised, method={"max_suppression": 0.05}
        )
        prepared = prepare(found.frame, policy)
        start = time.perf_counter()
        recoding = algorithm.search(prepared.problem, Deadline(), no_progress).recoding
        seconds = time.perf_counter() - start
        yield row(title, prepared.problem, recoding, found.sensitive, seconds)


def row(title: str, problem: Problem, recoding: Recoding, sensitive: str, seconds: float) -> Row:
    counts = released_counts(problem, recoding, sensitive)
    meanings = problem.table.sensitive[sensitive].hierarchy.codes[1]
    by_meaning = np.stack(
        [counts[:, meanings == group].sum(axis=1) for group in np.unique(meanings)], axis=1
    )
    vulnerable = recoding.released & (np.count_nonzero(by_meaning, axis=1) == 1)
    return Row(
        title,
        int(vulnerable.sum()),
        int(recoding.sizes[vulnerable].sum()),
        int(recoding.released.sum()),
        recoding.n_suppressed,
        problem.objective.evaluate(recoding),
        Discernibility().evaluate(recoding),
        query_error(problem, recoding, sensitive, counts),
        seconds,
    )


def released_counts(problem: Problem, recoding: Recoding, sensitive: str) -> np.ndarray:
    """Count the sensitive values per class: (n_classes, n_values)."""
    counts = np.zeros((recoding.n_classes, problem.table.sensitive[sensitive].n_values))
    codes = problem.table.sensitive_codes[sensitive][recoding.tuples]
    np.add.at(counts, (recoding.labels, codes), recoding.weights)
    return counts


def query_error(problem: Problem, recoding: Recoding, sensitive: str, counts: np.ndarray) -> float:
    """Give the median relative error of count queries, records spread evenly over their cells.

    Each asks for about a third of the values of two quasi-identifiers and of the sensitive column.
    """
    chance = np.random.default_rng(SEED)
    table = problem.table
    cells = [cell_numbers(hierarchy) for hierarchy in problem.hierarchies]
    sizes = [np.bincount(own.ravel(), minlength=own.max() + 1) for own in cells]
    errors = []
    for _ in range(N_QUERIES):
        asked = chance.choice(table.n_columns, 2, replace=False)
        values = chance.random(counts.shape[1]) < 1 / 3
        truth = values[table.sensitive_codes[sensitive]] * table.weights
        estimate = (counts @ values) * recoding.released
        for column in asked:
            wanted = block(chance, len(problem.hierarchies[column].values))
            truth = truth * wanted[table.codes[:, column]]
            hits = np.bincount(
                cells[column].ravel(),
                np.broadcast_to(wanted, cells[column].shape).ravel(),
                len(sizes[column]),
            )
            share = hits / np.maximum(sizes[column], 1)
            estimate = estimate * share[recoding.cells[:, column]]
        actual = truth.sum()
        errors.append(abs(estimate.sum() - actual) / max(actual, 0.001 * table.n_records))
    return float(np.median(errors))


def block(chance: np.random.Generator, n_values: int) -> np.ndarray:
    """Choose a third of the values, one behind the other: (n_values,)."""
    length = max(1, round(n_values / 3))
    start = chance.integers(0, n_values - length + 1)
    return (np.arange(n_values) >= start) & (np.arange(n_values) < start + length)


def as_table(rows: list[Row]) -> str:
    lines = [
        (
            "| model | classes of one meaning | their records | classes | suppressed | loss "
            "| discernibility | query error |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.title} | {row.vulnerable_classes} | {row.vulnerable_records} | {row.classes:,} "
        f"| {row.suppressed:,} | {row.loss:.4f} | {row.discernibility:,.0f} "
        f"| {row.query_error:.1%} |"
        for row in rows
    ]
    return "\n".join(lines)


def plot(rows: list[Row], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "closeness"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True, layout="constrained")
    titles = [row.title for row in rows][::-1]
    for axis, heading, values in zip(
        axes,
        ("records in classes of one meaning", "median query error", "discernibility"),
        (
            [row.vulnerable_records for row in rows],
            [row.query_error for row in rows],
            [row.discernibility for row in rows],
        ),
        strict=True,
    ):
        axis.barh(titles, values[::-1], color="#4c72b0")
        axis.set_title(heading, fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    found = case()
    tables = {}
    for title, algorithm in ALGORITHMS.items():
        rows = tables[title] = []
        for one in measure(found, algorithm):
            rows.append(one)
            print(f"{title}, {one.title}: {one.seconds:.1f} s", file=sys.stderr, flush=True)
    text = "\n\n".join(
        f"{found.title}, {title}:\n\n{as_table(rows)}" for title, rows in tables.items()
    )
    print(text)
    if "--write" in sys.argv:
        page = ROOT / "docs" / "closeness.md"
        before, mark, rest = page.read_text(encoding="utf-8").partition("<!-- measured -->\n")
        after = rest.partition("<!-- end -->")[2]
        page.write_text(f"{before}{mark}\n{text}\n\n<!-- end -->{after}", encoding="utf-8")
        plot(next(iter(tables.values())), page.with_suffix(".svg"))


if __name__ == "__main__":
    main()
