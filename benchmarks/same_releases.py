"""Tell whether seeded releases are the same before and after a change.

    python benchmarks/same_releases.py --write benchmarks/results/releases.json
    python benchmarks/same_releases.py --compare benchmarks/results/releases.json

Every algorithm, and every way of protecting columns, makes one release of the same made-up
patients with the same seed. What is kept of each is a hash of its rows in their released order,
and its loss.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import indistinct as ind

ROWS = 3000
SEED = 7
QUASI: dict[str, dict[str, Any]] = {
    "birth_date": {"hierarchy": ind.dates("month", "year", "decade")},
    "sex": {},
    "postcode": {"hierarchy": ind.mask(5)},
    "height_cm": {"hierarchy": ind.intervals(5, 10, 20)},
    "weight_kg": {},
}
K_AND_L = (
    {"name": "k-anonymity", "k": 5},
    {"name": "distinct-l-diversity", "column": "diagnosis", "l": 2},
)
K_ONLY = K_AND_L[:1]


def policy(
    algorithm: str,
    *,
    models: tuple[dict[str, Any], ...] = K_AND_L,
    columns: dict[str, dict[str, Any]] | None = None,
    release: dict[str, Any] | None = None,
    **method: Any,
) -> ind.Policy:
    roles: dict[str, dict[str, Any]] = {
        "name": {"role": "identifier"},
        **{name: {"role": "quasi-identifier", **words} for name, words in QUASI.items()},
        "occupation": {"role": "insensitive"},
        "insurance": {"role": "insensitive"},
        "admission_date": {"role": "insensitive"},
        "diagnosis": {"role": "sensitive"},
    }
    roles |= columns or {}
    return ind.Policy(
        columns=roles,
        models=models,
        method={"algorithm": algorithm, "max_suppression": 0.05, **method},
        release=release or {},
    )


def policies() -> Iterator[tuple[str, ind.Policy]]:
    yield "optimal", policy("optimal")
    closeness = ({"name": "t-closeness", "column": "diagnosis", "t": 0.3}, *K_ONLY)
    yield "optimal, t-closeness", policy("optimal", models=closeness)
    yield (
        "optimal, masked, bounds",
        policy("optimal", release={"suppressed": "mask", "intervals": "bounds"}),
    )
    yield "ola", policy("ola", models=K_ONLY)
    yield "mondrian", policy("mondrian")
    yield "mondrian, relaxed", policy("mondrian", relaxed=True)
    yield "local", policy("local")
    yield (
        "local, fast, midpoints",
        policy("local", effort="fast", release={"intervals": "midpoint"}),
    )
    yield "lattice-peel", policy("lattice-peel", models=K_ONLY)
    yield "k-member", policy("k-member", models=K_ONLY)
    yield "infogain-mondrian", policy("infogain-mondrian")
    yield "top-down-specialization", policy("top-down-specialization")
    yield "adaptive", policy("adaptive", models=K_ONLY)
    small = {name: {"role": "insensitive"} for name in ("birth_date", "height_cm", "weight_kg")}
    yield (
        "cell-suppression",
        policy(
            "cell-suppression", models=K_ONLY, columns=small, release={"suppressed_cell": "any"}
        ),
    )
    masks: dict[str, dict[str, Any]] = {
        "height_cm": {"role": "quasi-identifier", "protect": "noise"},
        "weight_kg": {"role": "insensitive", "protect": {"name": "microaggregation", "k": 5}},
        "occupation": {
            "role": "sensitive",
            "protect": {"name": "randomized-response", "epsilon": 2.0},
        },
    }
    yield "local, masks", policy("local", models=K_ONLY, columns=masks)


def fingerprint(release: ind.Release) -> dict[str, Any]:
    """Hash the rows in their released order, as text, and keep what they cost."""
    text = release.frame.write_csv().encode()
    return {
        "rows": release.frame.height,
        "sha256": hashlib.sha256(text).hexdigest(),
        "loss": release.owner["loss"]["loss"],
    }


def releases() -> dict[str, dict[str, Any]]:
    patients = ind.sample("patients", rows=ROWS)
    found: dict[str, dict[str, Any]] = {}
    for name, words in policies():
        try:
            found[name] = fingerprint(ind.anonymize(patients, words, seed=SEED))
        except ind.IndistinctError as error:
            found[name] = {"rows": 0, "sha256": type(error).__name__, "loss": 0.0}
        print(f"{name:28} {found[name]['rows']:6} rows  loss {found[name]['loss']:.6f}")
    return found


def main(about: str, results: Callable[[], dict[str, Any]]) -> None:
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--compare", type=Path)
    given = parser.parse_args()
    found = results()
    if given.write is not None:
        given.write.parent.mkdir(parents=True, exist_ok=True)
        given.write.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if given.compare is not None:
        before = json.loads(given.compare.read_text(encoding="utf-8"))
        differing = [name for name in before if found.get(name) != before[name]]
        print(f"{len(before) - len(differing)} of {len(before)} releases are the same")
        if differing:
            raise SystemExit("different: " + ", ".join(differing))


if __name__ == "__main__":
    main((__doc__ or "").splitlines()[0], releases)
