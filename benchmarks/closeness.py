"""What diversity and closeness protect, and what they cost: the figures of docs/closeness.md.

Every model is asked of the same table, with k = 5 throughout. Measured are the classes whose
sensitive values all have one meaning (the similarity attack), the error of count queries, and the
metrics. Public data if they are at hand, else a made-up table.

    python benchmarks/closeness.py            # print the table
    python benchmarks/closeness.py --write    # and write docs/closeness.md and docs/closeness.svg
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import indistinct as ind
from indistinct.tables.core.schema import Role
from indistinct.tables.evaluation.utility.queries import query_error
from indistinct.tables.verification.paths import paths_above

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
ADULT = ROOT.parent / "shared" / "data" / "adult"
N_QUERIES = 1000
SEED = 20_260_101
K = 5
ALGORITHMS = {"the optimum over all full-domain recodings": "optimal", "Mondrian": "mondrian"}


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


def measure(found: Case, algorithm: str) -> Iterator[Row]:
    for title, spec in models(found.sensitive, found.n).items():
        policy = ind.Policy(
            columns=found.columns,
            models=spec,
            method={"algorithm": algorithm, "max_suppression": 0.05},
        )
        yield row(title, found, policy, ind.anonymize(found.frame, policy, seed=SEED))


def row(title: str, found: Case, policy: ind.Policy, release: ind.Release) -> Row:
    manifest = release.owner
    sizes = sizes_of_one_meaning(release.frame, found.sensitive, policy)
    return Row(
        title,
        len(sizes),
        int(sizes.sum()),
        manifest["classes"]["count"],
        manifest["records"]["suppressed"],
        manifest["loss"]["loss"],
        manifest["loss"]["discernibility"],
        query_error(release.frame, found.frame, policy, queries=N_QUERIES, seed=SEED)["median"],
        manifest["method"]["seconds"],
    )


def sizes_of_one_meaning(released: pl.DataFrame, sensitive: str, policy: ind.Policy) -> pl.Series:
    """Return the records of each class whose sensitive values all mean the same."""
    values = released[sensitive].unique().to_list()
    above = paths_above(policy.rule_of(sensitive), values)
    meanings = {value: above[value][0] for value in values}
    meaning = pl.col(sensitive).replace_strict(meanings, default=None)
    classes = released.group_by(policy.named(Role.QUASI_IDENTIFIER)).agg(
        pl.len().alias("records"), meaning.n_unique().alias("meanings")
    )
    return classes.filter(pl.col("meanings") == 1)["records"]


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
