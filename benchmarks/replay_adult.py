"""What attackers who repeat the search find in releases of Adult, on drawn tables.

python benchmarks/replay_adult.py [--replays N] [--write docs/replay.md]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl

import indistinct as ind
from pages import show
from public_data import PUBLIC, needed

FOLDER = PUBLIC / "adult"
QUASI = ("sex", "age", "race", "marital-status", "education")
SECRET = "occupation"
MARK = "figures of Adult"
HEADS = (
    "algorithm", "replay", "records", "k", "penalty", "pairs", "tables", "tuples", "finer",
    "by chance",
)  # fmt: skip
# How many of the records are drawn: a search that takes longer is repeated on fewer. Last the k.
CASES = (
    ("optimal", "allowed", 3000, 5),
    ("optimal", "resistant", 3000, 5),
    ("mondrian", "allowed", 3000, 5),
    ("mondrian", "resistant", 3000, 5),
    ("local", "allowed", 1000, 5),
    ("local", "resistant", 1000, 5),
    ("lattice-peel", "allowed", 1000, 5),
    ("lattice-peel", "resistant", 1000, 5),
    ("k-member", "allowed", 1000, 5),
    ("k-member", "resistant", 1000, 5),
    ("k-member", "allowed", 1000, 8),
    ("k-member", "resistant", 1000, 8),
)


def policy(algorithm: str, replay: str, k: int) -> ind.Policy:
    """Ask for so many records and three occupations in each class."""
    columns = {
        name: {
            "role": "quasi-identifier",
            "hierarchy": {"csv": str(FOLDER / f"adult_hierarchy_{name}.csv"), "separator": ";"},
        }
        for name in QUASI
    }
    models = [
        {"name": "k-anonymity", "k": k},
        {"name": "distinct-l-diversity", "column": SECRET, "l": 3},
    ]
    method = {"algorithm": algorithm, "max_suppression": 0.05, "replay": replay}
    return ind.Policy.from_words(
        {"columns": {**columns, SECRET: {"role": "sensitive"}}, "models": models, "method": method}
    )


def drawn(n: int) -> pl.DataFrame:
    """Draw records of Adult."""
    frame = pl.read_csv(FOLDER / "adult.csv", separator=";", infer_schema=False)
    return frame.select(*QUASI, SECRET).sample(n, seed=1)


def row(algorithm: str, replay: str, n: int, k: int, replays: int) -> str:
    """Attack one release in the three ways."""
    table, said = drawn(n), policy(algorithm, replay, k)
    try:
        release = ind.anonymize(table, said, seed=1)
    except ind.errors.NoSolutionError:
        return f"| `{algorithm}` | {replay} | {n:,} | {k} | no release | - | - | - | - | - |"
    found = {
        name: ind.attack(
            release.data, said, attack=name, original=table, seed=1, replays=replays
        ).answer
        for name in ("minimality", "refinement", "downcoding")
    }
    pairs, tuples = found["minimality"].details, found["refinement"].details
    # The attack is given secret random numbers, and says so where they decide pairs.
    is_told = "*" if found["minimality"].warnings else ""
    finer = found["downcoding"]
    return (
        f"| `{algorithm}` | {replay} | {n:,} | {k} | {release.owner['loss']['ncp']:.3f} | "
        f"{pairs['decided']} of {pairs['pairs']}{is_told} | "
        f"{tuples['possible']} of {tuples['worlds']} | "
        f"{tuples['passed']:,} of {tuples['tuples']:,} | "
        f"{finer.found.successes:.0f} of {finer.details['claimed']} | "
        f"{finer.baseline.successes:.0f} |"
    )


def main() -> None:
    """Print the table, or write it into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replays", type=int, default=60)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--only", default="", help="names of algorithms, comma-separated")
    given = parser.parse_args()
    needed(FOLDER / "adult.csv")
    lines = [
        f"| {' | '.join(HEADS)} |",
        "|---" * len(HEADS) + "|",
    ]
    for algorithm, replay, n, k in CASES:
        if algorithm in (given.only or algorithm).split(","):
            lines.append(row(algorithm, replay, n, k, given.replays))
            print(lines[-1], flush=True)
    if given.write is not None:
        show("\n".join(lines), given.write, MARK)


if __name__ == "__main__":
    main()
