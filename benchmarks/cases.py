"""What is measured: made-up tables of fixed size and seed, and public ones if at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = ROOT.parent / "shared" / "data"
SEED = 20_260_101
SIZES = (10_000, 100_000, 1_000_000)
LARGEST = 10_000_000
WIDTHS = (3, 6, 9, 12)
ADULT = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass",
    "occupation", "salary-class",
)  # fmt: skip
CUP = ("ZIP", "AGE", "GENDER", "INCOME", "STATE", "RAMNTALL", "NGIFTALL", "MINRAMNT")


@dataclass(frozen=True)
class Case:
    """One measurement.

    ``table`` is ``made-up``, ``adult``, ``cup`` or ``resampled``; ``columns`` is the number of
    quasi-identifiers. A ``cold`` case is the whole command in a process of its own, from a CSV
    file to a Parquet file; the others are measured in a process that has compiled everything.
    """

    name: str
    table: str
    rows: int
    columns: int
    k: int
    method: dict[str, Any] = field(default_factory=dict)
    cold: bool = False


def made_up_cases(sizes: tuple[int, ...]) -> list[Case]:
    return [
        Case(
            f"made-up {rows:.0e} x {columns}".replace("e+0", "e"),
            "made-up",
            rows,
            columns,
            5,
            {"algorithm": "optimal", "max_suppression": 0.02, "time_limit": 60},
        )
        for rows in sizes
        for columns in WIDTHS
    ]


def public_cases(algorithms: tuple[str, ...]) -> list[Case]:
    if not PUBLIC.is_dir():
        return []
    optimal = {"algorithm": "optimal", "objective": "loss", "aggregate": "geometric-mean"}
    cases = [
        Case("adult optimum", "adult", 30_162, 9, 5, {**optimal, "max_suppression": 0.05}),
        Case("cup optimum 0.02", "cup", 63_441, 8, 5, {**optimal, "max_suppression": 0.02}),
        Case("cup optimum 1.0", "cup", 63_441, 8, 5, {**optimal, "max_suppression": 1.0}),
        Case(
            "adult command", "adult", 30_162, 9, 5, {**optimal, "max_suppression": 0.05}, cold=True
        ),
        Case(
            "million command",
            "resampled",
            1_000_000,
            8,
            10,
            {**optimal, "max_suppression": 0.05},
            cold=True,
        ),
    ]
    if "mondrian" in algorithms:
        mondrian = {"algorithm": "mondrian", "objective": "loss"}
        cases.append(Case("adult mondrian", "adult", 30_162, 9, 10, mondrian))
    return cases


def all_cases(*, largest: bool = False) -> list[Case]:
    from indistinct.tables.search import ALGORITHMS

    sizes = (*SIZES, LARGEST) if largest else SIZES
    return [
        *public_cases(tuple(kind.name for kind in ALGORITHMS if not kind.republishes)),
        *made_up_cases(sizes),
    ]


def table_of(case: Case) -> pl.DataFrame:
    """Make or read the table of a case."""
    import polars as pl

    if case.table == "made-up":
        return made_up(case.rows, case.columns)
    folder = PUBLIC / ("cup" if case.table == "cup" else "adult")
    frame = pl.read_csv(folder / f"{folder.name}.csv", separator=";", infer_schema=False)
    if case.table == "resampled":
        frame = resampled(frame.select(ADULT[: case.columns]), case.rows)
    return frame


def words_of(case: Case) -> dict[str, Any]:
    """Write the policy of a case."""
    if case.table == "made-up":
        columns = dict(list(made_up_hierarchies().items())[: case.columns])
    else:
        columns = public_hierarchies(case)
    return {
        "columns": {
            name: {"role": "quasi-identifier", **({"hierarchy": rule} if rule else {})}
            for name, rule in columns.items()
        },
        "models": [{"name": "k-anonymity", "k": case.k}],
        "method": case.method,
    }


def public_hierarchies(case: Case) -> dict[str, dict[str, Any]]:
    folder = "cup" if case.table == "cup" else "adult"
    names = CUP if case.table == "cup" else ADULT
    return {
        name: {"csv": str(PUBLIC / folder / f"{folder}_hierarchy_{name}.csv"), "separator": ";"}
        for name in names[: case.columns]
    }


def resampled(frame: pl.DataFrame, rows: int, changed: float = 0.1) -> pl.DataFrame:
    """Draw records with replacement, and draw some of their cells anew from the same column."""
    import numpy as np

    chance = np.random.default_rng(SEED)
    drawn = frame[chance.integers(0, frame.height, rows)]
    columns = []
    for name in frame.columns:
        other = frame[name][chance.integers(0, frame.height, rows)]
        columns.append(other.zip_with(_mask(chance.random(rows) < changed), drawn[name]))
    return drawn.with_columns(columns)


def made_up_hierarchies() -> dict[str, dict[str, Any] | None]:
    """List the columns of the made-up table, each with its rule; the first ones are used first."""
    return {
        "age": {"intervals": [5, 10, 20, 40]},
        "postcode": {"mask": 5},
        "sex": None,
        "occupation": {"tree": _tree("job", 5, 6)},
        "birth_month": {"dates": ["quarter", "year", "decade"]},
        "country": {"tree": _tree("country", 6, 8)},
        "education": {"tree": _tree("school", 4, 4)},
        "income": {"intervals": [1_000, 5_000, 20_000]},
        "marital_status": None,
        "hours": {"intervals": [10, 20]},
        "industry": None,
        "children": {"intervals": [2, 4]},
    }


def made_up(rows: int, columns: int) -> pl.DataFrame:
    """Make up a table: skewed, and with columns that depend on age, as those of people do."""
    import numpy as np
    import polars as pl

    chance = np.random.default_rng(SEED)
    age = (18 + 72 * chance.beta(1.6, 2.2, rows)).astype(np.int64)
    place = np.minimum(chance.geometric(0.02, rows), 400)
    months = np.datetime64("2026-01") - (age * 12 + chance.integers(0, 12, rows))
    income = np.exp(chance.normal(7.2 + age / 100, 0.5)).astype(np.int64) // 100 * 100
    made = {
        "age": age,
        "postcode": pl.Series(10_000 + place * 7).cast(pl.String),
        "sex": _plain_words("sex", chance.integers(0, 2, rows)),
        "occupation": _leaves("job", 5, 6, chance.geometric(0.12, rows) + age // 30),
        "birth_month": pl.Series(months.astype("datetime64[D]")),
        "country": _leaves("country", 6, 8, chance.geometric(0.3, rows)),
        "education": _leaves("school", 4, 4, chance.binomial(15, 0.5, rows)),
        "income": income,
        "marital_status": _plain_words("status", np.minimum(chance.poisson(age / 30), 5)),
        "hours": np.clip(chance.normal(38, 9, rows), 1, 90).astype(np.int64),
        "industry": _plain_words("industry", np.minimum(chance.geometric(0.2, rows), 20)),
        "children": chance.poisson(1.2, rows),
    }
    return pl.DataFrame({name: made[name] for name in list(made)[:columns]})


def _tree(word: str, groups: int, leaves: int) -> dict[str, list[str]]:
    """Name the leaves of a tree of two levels."""
    return {
        f"{word} group {group}": [f"{word} {group * leaves + leaf}" for leaf in range(leaves)]
        for group in range(groups)
    }


def _leaves(word: str, groups: int, leaves: int, numbers: Any) -> pl.Series:
    """Name leaves by number, the last one for all beyond."""
    import numpy as np

    return _words(word, np.minimum(numbers, groups * leaves - 1))


def _words(word: str, numbers: Any) -> pl.Series:
    """Write numbers as words."""
    import polars as pl

    names = [f"{word} {number}" for number in range(int(numbers.max()) + 1)]
    return pl.Series(names)[numbers]


def _plain_words(word: str, numbers: Any) -> pl.Series:
    """Write numbers as words without digits, which no rule takes for codes."""
    import polars as pl

    names = [f"{word} {chr(ord('a') + number)}" for number in range(int(numbers.max()) + 1)]
    return pl.Series(names)[numbers]


def _mask(flags: Any) -> pl.Series:
    import polars as pl

    return pl.Series(flags)
