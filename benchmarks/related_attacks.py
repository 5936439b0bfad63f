"""Attackers who know events, against releases of 40 made-up tables: how often they succeed.

    python benchmarks/related_attacks.py

Five shapes, two draws of each, and four kinds of knowledge: one exact event, two exact ones (each
time those that find a person best), two that are known up to a week, and two of which a fifth is
somebody else's. Under joint anonymity with k = 5, none may succeed more often than once in 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import indistinct as ind
from related_shapes import SHAPES, policy_of, tables_of

K = 5
UNITS, ROWS, ATTEMPTS = 250, 2_500, 100
KINDS: dict[str, tuple[int, dict[str, Any]]] = {
    "one exact event": (1, {"item_choice": "worst"}),
    "two exact events": (2, {"item_choice": "worst"}),
    "two, up to a week": (2, {"days": 7}),
    "two, a fifth wrong": (2, {"errors": 0.2}),
}
DRAWS = (1, 2)


class AttackRun(NamedTuple):
    """One attack.

    Parameters
    ----------
    rate : mean success of the attempts
    before : the same in the tables before the release
    below_k : share of the people with fewer than k best candidates
    """

    shape: str
    kind: str
    draw: int
    rate: float
    before: float
    below_k: float


def attack_runs(rows: str = "free") -> Iterator[AttackRun]:
    """Make the releases and attack each of them."""
    for name, given in SHAPES.items():
        units = min(given.units, UNITS)
        mean = min(given.rows / given.units, ROWS / units)
        shape = replace(given, units=units, rows=round(units * mean))
        for draw in DRAWS:
            tables = tables_of(shape, draw)
            releases = {
                m: ind.anonymize(tables, policy_of(shape, m, rows), seed=draw) for m in (1, 2)
            }
            for kind, (m, knowledge) in KINDS.items():
                release = releases[m]
                found = ind.attack(
                    release.tables,
                    policy_of(shape, m, rows),
                    attack="known-events",
                    original=tables,
                    crosswalk=release.crosswalk,
                    m=m,
                    attempts=ATTEMPTS,
                    seed=draw,
                    **knowledge,
                ).answer
                details = found.details
                yield AttackRun(
                    name, kind, draw, found.found.rate, details["original"], details["below_k"]
                )


def main() -> None:
    """Print the highest success of each kind of knowledge, before and after."""
    runs = list(attack_runs())
    print(f"{len(runs)} runs; the highest success {max(run.rate for run in runs):.3f}")
    exact = max(run.below_k for run in runs if "exact" in run.kind)
    print(f"people with fewer than k candidates by exact events: {exact:.1%} at most")
    for kind in KINDS:
        own = [run for run in runs if run.kind == kind]
        listed = ", ".join(f"{run.shape} {run.before:.2f} > {run.rate:.3f}" for run in own)
        print(f"{kind}: {max(run.rate for run in own):.3f} ({listed})")


if __name__ == "__main__":
    main()
