"""What vulnerability- and diversity-aware generalization gives and costs: docs/adaptive.md.

Every method is asked for the same k. Measured are the sensitive values that a release gives away,
what a model learns from it, the loss, and the seconds of the search. Adult if it is at hand, and
fictitious patients.

    python benchmarks/adaptive.py            # print the tables
    python benchmarks/adaptive.py --write    # and write docs/adaptive.md and its picture
    python benchmarks/adaptive.py --large    # seconds of 30,000 and of a million records, too
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import indistinct as ind
from background import identity_disclosure, subsets_of
from held_out import held_out_accuracy
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.evaluation.utility.learning import model_accuracy
from indistinct.tables.metrics.disclosure import private_information_disclosure
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.manifest import loss_entry, released_classes
from indistinct.tables.search import algorithm_named
from indistinct.tables.search.adaptive.similarity import similarity_of
from indistinct.tables.search.finish import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
ADULT = ROOT.parent / "shared" / "data" / "adult"
PAGE = ROOT / "docs" / "adaptive.md"
PICTURE = ROOT / "docs" / "images" / "adaptive.svg"
BEGIN, END = "<!-- measured -->\n", "<!-- end -->"
SEED = 20_260_101
SIZES = (5, 10, 25)
METHODS = {
    "k-anonymity, best full domain": {"algorithm": "optimal", "max_suppression": 0.05},
    "k-anonymity, local recoding": {"algorithm": "local"},
    "InfoGain Mondrian": {"algorithm": "infogain-mondrian"},
    "top-down specialization": {"algorithm": "top-down-specialization"},
    "adaptive": {"algorithm": "adaptive"},
    "adaptive, diversity 1.25": {"algorithm": "adaptive", "diversity": 1.25},
    "adaptive, diversity 1.25, local classes": {
        "algorithm": "adaptive",
        "diversity": 1.25,
        "grouping": "local",
    },
    "adaptive, diversity 1.25, informative classes": {
        "algorithm": "adaptive",
        "diversity": 1.25,
        "grouping": "informative",
    },
    "adaptive, by identity": {"algorithm": "adaptive", "target": "identity"},
    "adaptive, fixed steps": {"algorithm": "adaptive", "step": "fixed"},
}
MARKS = "osD^vPX*<>"
FEW = 3  # quasi-identifiers that an attacker knows


@dataclass(frozen=True)
class Case:
    """A table and its sensitive column; ``rare`` is a value of it that is to stay hidden."""

    title: str
    frame: pl.DataFrame
    columns: dict[str, Any]
    sensitive: str
    rare: str | None = None


@dataclass(frozen=True)
class Row:
    """What one method gave."""

    k: int
    method: str
    known: float
    certain: float
    rare: float | None
    identity: float
    few: float
    accuracy: float
    inside: float
    original: float
    ncp: float
    classes: int
    suppressed: int
    seconds: float


def cases() -> Iterator[Case]:
    if ADULT.is_dir():
        yield from adult_cases()
    yield patients()


def adult_cases() -> Iterator[Case]:
    names = [
        "sex", "age", "race", "marital-status", "education", "native-country", "workclass",
        "occupation",
    ]  # fmt: skip
    frame = pl.read_csv(ADULT / "adult.csv", separator=";").select([*names, "salary-class"])
    columns: dict[str, Any] = {
        name: {
            "role": "quasi-identifier",
            "hierarchy": {"csv": str(ADULT / f"adult_hierarchy_{name}.csv")},
        }
        for name in names
    }
    columns["salary-class"] = {"role": "sensitive"}
    rich = frame.filter(pl.col("salary-class") == ">50K")
    others = frame.filter(pl.col("salary-class") != ">50K")
    half = others.sample(rich.height, seed=SEED)
    yield Case("Adult, both salaries alike", pl.concat([rich, half]), columns, "salary-class")
    few = rich.sample(others.height // 99, seed=SEED)
    mixed = pl.concat([others, few])
    yield Case("Adult, one salary of 1 %", mixed, columns, "salary-class", ">50K")


def patients(rows: int = 20_000) -> Case:
    frame = ind.sample("patients", rows=rows, seed=1).drop("name", "admission_date")
    quasi = {"role": "quasi-identifier"}
    columns = {
        "birth_date": quasi | {"hierarchy": {"dates": ["month", "quarter", "year", "decade"]}},
        "sex": quasi,
        "postcode": quasi | {"hierarchy": {"mask": 5}},
        "occupation": quasi,
        "insurance": quasi,
        "height_cm": quasi | {"hierarchy": {"intervals": [5, 10, 20]}},
        "weight_kg": quasi | {"hierarchy": {"intervals": [5, 10, 20, 40]}},
        "diagnosis": {"role": "sensitive"},
    }
    return Case("Patients", frame, columns, "diagnosis")


def policy_of(case: Case, k: int, method: dict[str, Any]) -> ind.Policy:
    # A closeness that always holds makes every method count the sensitive column.
    models = [ind.KAnonymity(k), ind.TCloseness(case.sensitive, 1.0)]
    return ind.Policy(columns=case.columns, models=models, method=method)


def measure(case: Case) -> Iterator[Row]:
    for k in SIZES:
        for name, method in METHODS.items():
            if case.rare and method.get("diversity"):
                continue  # no release reaches more diversity than the table has
            yield row(case, k, name, policy_of(case, k, method))


def row(case: Case, k: int, name: str, policy: ind.Policy) -> Row:
    problem = prepare(case.frame, policy).problem
    algorithm = algorithm_named(policy.method.algorithm, policy.method.model_dump())
    started = time.perf_counter()
    solution = solve(algorithm, problem, Deadline(), no_progress)
    seconds = time.perf_counter() - started
    classes = released_classes(problem, solution.recoding)
    release = ind.anonymize(case.frame, policy, seed=SEED)
    every, few = (
        identity_disclosure(release.frame, case.frame, policy, subsets_of(policy, size), k)
        for size in (len(case.columns), FEW)
    )
    learned = model_accuracy(release.frame, case.frame, policy, case.sensitive, seed=SEED)
    return Row(
        k,
        name,
        private_information_disclosure(classes, case.sensitive),
        private_information_disclosure(classes, case.sensitive, certain=1.0),
        rare_share(case, release.frame, policy),
        every.chance,
        few.chance,
        learned["accuracy"],
        held_out_accuracy(release.frame, policy, case.sensitive, seed=SEED),
        learned["original"],
        loss_entry(problem, solution.recoding)["ncp"],
        classes.n_classes,
        solution.recoding.n_suppressed,
        seconds,
    )


def rare_share(case: Case, released: pl.DataFrame, policy: ind.Policy) -> float | None:
    """Return the greatest share that the rare value has in a class."""
    if case.rare is None:
        return None
    shares = released.group_by(policy.class_names).agg(
        (pl.col(case.sensitive) == case.rare).mean().alias("share")
    )
    return float(shares["share"].to_numpy().max())


def as_table(case: Case, rows: list[Row]) -> str:
    heads = ["k", "method", "sensitive values known", "for certain"]
    heads += [
        "identity",
        "identity by three columns",
        "accuracy",
        "accuracy inside",
        "NCP",
        "classes",
        "suppressed",
        "seconds",
    ]
    if case.rare is not None:
        heads.insert(4, "greatest share of the rare value")
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for one in rows:
        cells = [str(one.k), one.method, f"{one.known:.2%}", f"{one.certain:.2%}"]
        cells += [
            f"{one.identity:.4f}",
            f"{one.few:.5f}",
            f"{one.accuracy:.1%}",
            f"{one.inside:.1%}",
        ]
        cells += [f"{one.ncp:.3f}", f"{one.classes:,}"]
        cells += [f"{one.suppressed:,}", f"{one.seconds:.1f}"]
        if one.rare is not None:
            cells.insert(4, f"{one.rare:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def panels(*, rare: bool) -> Iterator[tuple[str, Callable[[Row], float]]]:
    """Return what is drawn; of a rare value what can be told about it."""
    if rare:
        yield "known for certain", lambda one: one.certain
        yield "greatest share of the rare value", lambda one: one.rare or 0.0
    else:
        yield "sensitive values known", lambda one: one.known
        yield "accuracy", lambda one: one.accuracy
    yield "loss (NCP)", lambda one: one.ncp


def plot(found: dict[str, list[Row]], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "adaptive"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, len(found), figsize=(4 * len(found), 9.6), layout="constrained")
    for column, (title, rows) in enumerate(found.items()):
        for line, (heading, pick) in enumerate(panels(rare=rows[0].rare is not None)):
            axis = axes[line, column]
            for number, (mark, method) in enumerate(zip(MARKS, METHODS, strict=True)):
                own = [one for one in rows if one.method == method]
                sizes, values = [one.k for one in own], list(map(pick, own))
                axis.plot(sizes, values, marker=mark, color=f"C{number}", label=method)
            axis.set_title(f"{title}: {heading}" if line == 0 else heading, fontsize=9)
            axis.set_xlabel("k", fontsize=8)
            axis.spines[["top", "right"]].set_visible(False)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})


def large() -> Iterator[str]:
    """Time larger tables, the better of two runs, and compare blocks with all pairs."""
    for rows in (30_000, 1_000_000):
        case = with_hospital(patients(rows))
        found = min(row_of_time(case) for _ in range(2))
        yield f"{rows:,} records, eight quasi-identifiers: {found:.1f} s with the forest"
    yield blocks_against_pairs()


def with_hospital(case: Case) -> Case:
    """Add an eighth quasi-identifier."""
    hospitals = np.random.default_rng(SEED).integers(0, 40, case.frame.height)
    frame = case.frame.with_columns(hospital=pl.Series(hospitals).cast(pl.String))
    return replace(
        case, frame=frame, columns=case.columns | {"hospital": {"role": "quasi-identifier"}}
    )


def row_of_time(case: Case) -> float:
    policy = policy_of(case, 5, METHODS["adaptive"])
    problem = prepare(case.frame, policy).problem
    algorithm = algorithm_named("adaptive", policy.method.model_dump())
    started = time.perf_counter()
    solve(algorithm, problem, Deadline(), no_progress)
    return time.perf_counter() - started


def blocks_against_pairs(rows: int = 20_000, k: int = 5) -> str:
    """Compare the mean likeness inside classes of both ways, and their seconds."""
    case = patients(rows)
    problem = prepare(case.frame, resolve(policy_of(case, k, {"algorithm": "adaptive"}))).problem
    n_columns = problem.table.n_columns
    similarity = similarity_of(problem, np.full(n_columns, 1 / n_columns))
    codes = np.repeat(problem.table.codes, problem.table.weights, axis=0)
    codes = np.ascontiguousarray(codes)
    texts = []
    for name, group in (
        ("all pairs", similarity.classes),
        ("blocks", similarity.classes_by_blocks),
    ):
        started = time.perf_counter()
        labels = group(codes, k)
        seconds = time.perf_counter() - started
        texts.append(f"{name}: {seconds:.1f} s, levels {levels_of(problem, codes, labels):.3f}")
    return f"{rows:,} records in classes of {k}, mean share of the height: " + "; ".join(texts)


def levels_of(problem: Any, codes: Any, labels: Any) -> float:
    """Return the mean over records and columns of the common level / height."""
    from indistinct.tables.search.adaptive.levels import Levels

    space = Levels.of(problem)
    heights = np.array([hierarchy.height for hierarchy in space.hierarchies])
    common = space.common(codes, labels) / heights
    return float(common[labels].mean())


def section(case: Case, rows: list[Row]) -> str:
    limit = f"A model trained on the original itself reaches {rows[0].original:.1%}."
    head = f"### {case.title}: {case.frame.height:,} records\n\n"
    return f"{head}{as_table(case, rows)}\n\n{limit}"


def write(texts: list[str], found: dict[str, list[Row]]) -> None:
    before, mark, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    measured = "\n\n".join(texts)
    PAGE.write_text(f"{before}{mark}\n{measured}\n\n{END}{after}", encoding="utf-8")
    plot(found, PICTURE)


def main() -> None:
    found: dict[str, list[Row]] = {}
    texts = []
    for case in cases():
        found[case.title] = []
        for one in measure(case):
            found[case.title].append(one)
            print(f"{case.title}, k = {one.k}, {one.method}", file=sys.stderr, flush=True)
        texts.append(section(case, found[case.title]))
        print(texts[-1], flush=True)
    if "--large" in sys.argv:
        lines = list(large())
        texts.append("### Time\n\n" + "\n".join(f"- {line}" for line in lines))
        print(texts[-1])
    if "--write" in sys.argv:
        write(texts, found)


if __name__ == "__main__":
    main()
