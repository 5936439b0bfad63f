"""Measure graph releases: speed, memory, edges kept, and attacks on them.

    python benchmarks/graph.py WHAT [FOLDER OF PUBLIC NETWORKS]

WHAT is speed, neighborhood, grouping, realizations, utility, attacks or membership. Prints one
JSON line per run. The default folder is ../shared/data/graphs.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import get_args

import numpy as np

from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.assessment import assess
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.graph_files import read
from indistinct.graph.grouping import find_groups, grouping_of
from indistinct.graph.k_degree import Realization
from indistinct.graph.red_team import attack
from public_data import PUBLIC, needed

FOLDER = PUBLIC / "graphs"
SEED = 1


def scale_free(n_vertices: int, links: int) -> Graph:
    """Grow a graph in which each new vertex links to ends of earlier edges."""
    chance = np.random.default_rng(SEED)
    sources = np.repeat(np.arange(n_vertices), links)
    draws = (chance.random(len(sources)) * 2 * np.arange(len(sources))).astype(np.int64)
    targets = np.zeros(len(sources), np.int64)
    # An even draw is the source of an earlier edge, an odd one its target: resolved in rounds.
    edge, spec = draws // 2, draws % 2 == 0
    while not spec.all():
        waiting = np.flatnonzero(~spec)
        spec[waiting] = draws[edge[waiting]] % 2 == 0
        edge[waiting] = draws[edge[waiting]] // 2
    targets[:] = sources[edge]
    return from_pairs(np.column_stack([sources, targets]), n_vertices)


def network(path: Path) -> Graph:
    """Read a public network, or end where it is not there."""
    needed(path)
    return read(path)


def report(case: str, **numbers: object) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"case": case, **numbers, "peak_gigabytes": round(peak, 2)}), flush=True)


def timed(case: str, graph: Graph, runs: int, **words: object) -> None:
    """Release a graph several times; the first run may compile."""
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        release = anonymize(graph, seed=SEED, **words)
        seconds.append(round(time.perf_counter() - begin, 3))
    document = release.document
    report(case, seconds=seconds, edges=document["edges"], levels=document["levels"])


def speed(folder: Path) -> None:
    mails = network(folder / "email-enron.csv.gz")
    timed("email-enron k-degree k=5", mails, 4, k=5)
    timed("scale-free 10^6 edges k=5", scale_free(200_000, 5), 3, k=5)
    timed("scale-free 10^7 edges k=5", scale_free(2_000_000, 5), 1, k=5)


def neighborhood(folder: Path) -> None:
    for name, mode, k in (
        ("power.metis.graph", "delete", 2),
        ("power.metis.graph", "mixed", 2),
        ("power.metis.graph", "delete", 5),
        ("hep-th.metis.graph", "delete", 2),
        ("ca-GrQc.txt", "delete", 2),
    ):
        graph = network(folder / name)
        timed(
            f"{name} k-neighborhood {mode} k={k}", graph, 1, model="k-neighborhood", k=k, mode=mode
        )


def grouping(folder: Path) -> None:
    for name, k in (("karate.metis.graph", 3), ("jazz.metis.graph", 3)):
        graph = network(folder / name)
        for seed in range(3):
            begin = time.perf_counter()
            found = grouping_of(graph, find_groups(graph, k, RandomSource(seed)))
            seconds = round(time.perf_counter() - begin, 2)
            report(f"{name} grouping k={k}", log_worlds=found.log_worlds, seconds=seconds)


def realizations(folder: Path) -> None:
    for name in ("FB.txt", "email-enron.csv.gz"):
        graph = network(folder / name)
        for word in get_args(Realization):
            try:
                release = anonymize(graph, k=25, realization=word, seed=SEED)
                report(f"{name} k-degree k=25 by {word}", **release.document["edges"])
            except NoSolutionError as error:
                report(f"{name} k-degree k=25 by {word}", refused=str(error))
    for name, k in (("jazz.metis.graph", 10), ("FB.txt", 100)):
        timed(f"{name} k-degree k={k} by removal", network(folder / name), 2, k=k, mode="delete")


def utility(folder: Path) -> None:
    releases = ({"k": 5}, {"k": 25}, {"model": "random-perturbation", "share": 0.05})
    for name in ("FB.txt", "email-enron.csv.gz"):
        graph = network(folder / name)
        for words in releases:
            release = anonymize(graph, seed=SEED, **words)
            pairs = list(enumerate(release.input_ids))
            document = assess(release.graph, original=graph, crosswalk=pairs)
            report(f"{name} {words}", **document)


def attacks(folder: Path) -> None:
    releases = (("naive", None, 20), ("k-degree", 5, 20), ("k-degree", 25, 20), ("grouping", 5, 20))
    for name in ("FB.txt", "email-enron.csv.gz"):
        graph = network(folder / name)
        for model, k, trials in releases:
            begin = time.perf_counter()
            found = attack(graph, attack="walk", model=model, k=k, trials=trials, seed=SEED)
            seconds = round(time.perf_counter() - begin, 1)
            report(f"{name} walk on {model} k={k}", **found, seconds=seconds)


def membership(folder: Path) -> None:
    releases = (
        {"model": "naive"},
        {"model": "k-degree", "k": 5},
        {"model": "k-degree", "k": 25},
        {"model": "random-perturbation", "share": 0.1},
        {"model": "random-perturbation", "share": 0.33},
        {"model": "grouping", "k": 5},
    )
    for name in ("jazz.metis.graph", "FB.txt"):
        graph = network(folder / name)
        for words in releases:
            found = attack(graph, attack="membership", trials=5, seed=SEED, **words)
            report(f"{name} membership {words}", **found)


if __name__ == "__main__":
    chosen = {
        one.__name__: one
        for one in (speed, neighborhood, grouping, realizations, utility, attacks, membership)
    }
    chosen[sys.argv[1]](Path(sys.argv[2]) if len(sys.argv) > 2 else FOLDER)
