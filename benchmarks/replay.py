"""What attackers find who repeat the search, per algorithm, and what a resistant search costs.

python benchmarks/replay.py [--tables N] [--write docs/replay.md]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.errors import NoSolutionError
from pages import show

ALGORITHMS = ("optimal", "ola", "mondrian", "local", "lattice-peel", "k-member")
MARK = "figures"
ABOUT_MINIMALITY = (
    "**Minimality**: tables of 8 people, k = 2 and distinct l = 2, at most 40 % left out. "
    "*Rate* is the share of people whose illness is guessed right, *without* is the same guess "
    "without repeating the search, *certain* counts people whose illness is certain although "
    "their class leaves it open, and *gain* is the greatest rise of a chance above the share "
    "in a class."
)
ABOUT_REFINEMENT = (
    "**Refinement and downcoding**: tables of 5 people, k = 2. *Rate* is the share of records "
    "whose exact quasi-identifiers are guessed right, *passed* counts tuples of values whose "
    "chance rises above one over the size of their class, of all tuples that the cells cover; "
    "*downcoded* is the share of records of which a finer cell is certain."
)
MODELS = [
    {"name": "k-anonymity", "k": 2},
    {"name": "distinct-l-diversity", "column": "ill", "l": 2},
]
COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [2, 4]}},
    "sex": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
}


def policy(algorithm: str, replay: str, models: list[dict[str, object]]) -> ind.Policy:
    """Ask one algorithm for a release of a small table."""
    method = {"algorithm": algorithm, "replay": replay, "max_suppression": 0.4}
    return ind.Policy.from_words({"columns": COLUMNS, "models": models, "method": method})


def small_table(n: int, seed: int) -> pl.DataFrame:
    """Draw people: ages of six years, two sexes, three illnesses of unequal shares."""
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 26, n),
            "sex": chance.choice(["f", "m"], n),
            "ill": chance.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]),
        }
    )


def attacked(algorithm: str, replay: str, name: str, tables: int) -> dict[str, float]:
    """Attack releases of many tables, and add up what is found."""
    models = MODELS if name == "minimality" else MODELS[:1]
    size, replays = (8, 2000) if name == "minimality" else (5, 1000)
    said = policy(algorithm, replay, models)
    total: dict[str, float] = defaultdict(float)
    for seed in range(tables):
        table = small_table(size, seed)
        try:
            release = ind.anonymize(table, said, seed=1)
        except NoSolutionError:
            continue
        found = ind.attack(
            release.data, said, attack=name, original=table, seed=1, replays=replays
        ).answer
        if not found.details["exact"] or any("secret" in one for one in found.warnings):
            continue
        total["tables"] += 1
        total["attempts"] += found.found.attempts
        total["successes"] += found.found.successes
        total["guessed"] += 0 if found.baseline is None else found.baseline.successes
        for word in ("certain", "certain_of_left_out", "passed", "claimed", "tuples"):
            total[word] += found.details.get(word, 0)
        total["gain"] = max(total["gain"], found.details.get("greatest_gain", 0.0))
    return total


def share(part: float, whole: float) -> str:
    """Write a share."""
    return f"{part / whole:.3f}" if whole else "-"


def tables_of(n_tables: int) -> list[str]:
    """Make the tables of the page."""
    lines = [
        ABOUT_MINIMALITY,
        "",
        "| algorithm | replay | tables | rate | without | certain | certain, left out | gain |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for algorithm in ALGORITHMS:
        for replay in ("allowed", "resistant"):
            found = attacked(algorithm, replay, "minimality", n_tables)
            lines.append(
                f"| `{algorithm}` | {replay} | {found['tables']:.0f} | "
                f"{share(found['successes'], found['attempts'])} | "
                f"{share(found['guessed'], found['attempts'])} | {found['certain']:.0f} | "
                f"{found['certain_of_left_out']:.0f} | {found['gain']:.3f} |"
            )
    lines += [
        "",
        ABOUT_REFINEMENT,
        "",
        "| algorithm | tables | rate | without | passed | downcoded |",
        "|---|---|---|---|---|---|",
    ]
    for algorithm in ALGORITHMS:
        found = attacked(algorithm, "allowed", "refinement", n_tables)
        finer = attacked(algorithm, "allowed", "downcoding", n_tables)
        lines.append(
            f"| `{algorithm}` | {found['tables']:.0f} | "
            f"{share(found['successes'], found['attempts'])} | "
            f"{share(found['guessed'], found['attempts'])} | "
            f"{found['passed']:.0f} of {found['tuples']:.0f} | "
            f"{share(finer['successes'], finer['attempts'])} |"
        )
    return [*lines, "", *costs()]


def costs() -> list[str]:
    """Compare the loss of both searches on 2,000 patients."""
    table = ind.sample("patients", rows=2000, seed=3).select(
        "sex", "postcode", "height_cm", "diagnosis"
    )
    columns = {
        "sex": {"role": "quasi-identifier"},
        "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "diagnosis": {"role": "sensitive"},
    }
    models = [
        {"name": "k-anonymity", "k": 5},
        {"name": "distinct-l-diversity", "column": "diagnosis", "l": 3},
    ]
    lines = [
        "**What it costs**: 2,000 made-up patients, k = 5, distinct l = 3, at most 10 % left out.",
        "",
        "| algorithm | penalty, allowed | penalty, resistant | left out, allowed | resistant |",
        "|---|---|---|---|---|",
    ]
    for algorithm in ALGORITHMS:
        penalties, gone = [], []
        for replay in ("allowed", "resistant"):
            method = {"algorithm": algorithm, "replay": replay, "max_suppression": 0.1}
            said = ind.Policy.from_words({"columns": columns, "models": models, "method": method})
            try:
                exact = ind.anonymize(table, said, seed=1).owner
            except NoSolutionError:
                penalties.append("no release")
                gone.append("-")
                continue
            penalties.append(f"{exact['loss']['ncp']:.4f}")
            gone.append(str(exact["records"]["suppressed"]))
        lines.append(f"| `{algorithm}` | {' | '.join(penalties)} | {' | '.join(gone)} |")
    return lines


def main() -> None:
    """Print the tables, or write them into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    show("\n".join(tables_of(given.tables)), given.write, MARK)


if __name__ == "__main__":
    main()
