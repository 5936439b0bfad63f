"""What repeating the search tells of stars that stand for any value, and of columns of sets.

python benchmarks/replay_further.py [--tables N] [--write docs/replay.md]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import indistinct as ind
from indistinct.errors import NoSolutionError
from pages import show
from replay import share

MARK = "figures of sets and stars"
ABOUT_STARS = (
    "**Stars**: tables of 5 people, k = 2, ages of three years and two sexes. The columns "
    "are those of *refinement and downcoding* above."
)
ABOUT_SETS = (
    "**Sets**: tables of 40 people with one to three of twelve items in three groups, k = 4; the "
    "attacker repeats at most 300 searches for each table. *Rate* is the share of hidden items "
    "that are guessed right, *without* is the same guess without repeating the search, and "
    "*certain* counts items of which a single one remains possible."
)
TREE = {
    group: [f"{group} {number}" for number in range(4)] for group in ("bread", "fruit", "sweets")
}
ITEMS = [item for below in TREE.values() for item in below]
STARS = {
    "columns": {
        "age": {"role": "quasi-identifier"},
        "sex": {"role": "quasi-identifier"},
        "ill": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
    "method": {"algorithm": "cell-suppression", "max_suppression": 0.4},
    "release": {"suppressed_cell": "any"},
}
WAYS = (
    ("apriori", 2, "none"),
    ("priced-cut", 2, "items"),
    ("priced-cut", 2, "occurrences"),
    ("partition", "all", "none"),
    ("partition", "all", "occurrences"),
)


def people(seed: int) -> pl.DataFrame:
    """Draw five people."""
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": chance.integers(20, 23, 5),
            "sex": chance.choice(["f", "m"], 5),
            "ill": chance.choice(["a", "b", "c"], 5),
        }
    )


def shoppers(seed: int) -> pl.DataFrame:
    """Draw what forty people bought, some items more often than others."""
    chance = np.random.default_rng(seed)
    shares = np.arange(len(ITEMS), 0, -1.0)
    chosen = (
        chance.choice(ITEMS, chance.integers(1, 4), replace=False, p=shares / shares.sum())
        for _ in range(40)
    )
    return pl.DataFrame({"bought": [";".join(one) for one in chosen]})


def set_words(algorithm: str, m: int | str, suppression: str) -> dict[str, object]:
    """Ask for a release of sets."""
    column = {
        "role": "quasi-identifier",
        "type": "set",
        "hierarchy": {"tree": TREE},
        "suppression": suppression,
    }
    return {
        "columns": {"bought": column},
        "models": [{"name": "km-anonymity", "column": "bought", "k": 4, "m": m}],
        "method": {"algorithm": algorithm, "max_suppression": 0.2},
    }


def attacked(
    tables: Iterator[pl.DataFrame], words: dict[str, object], name: str, replays: int
) -> dict[str, float]:
    """Attack releases of many tables, and add up what is found."""
    policy = ind.Policy.from_words(words)
    total: dict[str, float] = defaultdict(float)
    for table in tables:
        try:
            release = ind.anonymize(table, policy, seed=1)
        except NoSolutionError:
            continue
        asked = {"attack": name, "original": table, "seed": 1, "replays": replays}
        found = ind.attack(release.data, policy, **asked).answer
        total["tables"] += 1
        total["attempts"] += found.found.attempts
        total["successes"] += found.found.successes
        total["guessed"] += 0 if found.baseline is None else found.baseline.successes
        for word in ("passed", "tuples", "certain"):
            total[word] += found.details.get(word, 0)
    return total


def lines_of(n_tables: int) -> Iterator[str]:
    """Make the tables of the page."""
    yield from (ABOUT_STARS, "")
    yield "| algorithm | tables | rate | without | passed | downcoded |"
    yield "|---|---|---|---|---|---|"
    found = attacked(map(people, range(n_tables)), STARS, "refinement", 1000)
    finer = attacked(map(people, range(n_tables)), STARS, "downcoding", 1000)
    yield (
        f'| `cell-suppression`, `"any"` | {found["tables"]:.0f} | '
        f"{share(found['successes'], found['attempts'])} | "
        f"{share(found['guessed'], found['attempts'])} | "
        f"{found['passed']:.0f} of {found['tuples']:.0f} | "
        f"{share(finer['successes'], finer['attempts'])} |"
    )
    yield from ("", ABOUT_SETS, "")
    yield "| algorithm | m | `suppression` | tables | hidden items | rate | without | certain |"
    yield "|---|---|---|---|---|---|---|---|"
    for way in WAYS:
        found = attacked(map(shoppers, range(n_tables)), set_words(*way), "refinement", 300)
        yield (
            f"| `{way[0]}` | {way[1]} | {way[2]} | {found['tables']:.0f} | "
            f"{found['attempts']:.0f} | "
            f"{share(found['successes'], found['attempts'])} | "
            f"{share(found['guessed'], found['attempts'])} | {found['certain']:.0f} |"
        )


def main() -> None:
    """Print the tables, or write them into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    show("\n".join(lines_of(given.tables)), given.write, MARK)


if __name__ == "__main__":
    main()
